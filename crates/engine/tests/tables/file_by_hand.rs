//! A reader of `.ptab` files written from their documentation alone, as one would write it in
//! another language. It is slow and uses no code of the crate.

use crate::common;
use common::map;
use pursuit_engine::game::{Outcome, Rules, Speed, Turns};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::table::{Arena, Solver, Table};
use std::num::NonZeroU8;
use std::sync::Arc;

struct ByHand<'a> {
    file: &'a [u8],
    n: usize,
    k: usize,
}

impl<'a> ByHand<'a> {
    fn new(file: &'a [u8]) -> Self {
        assert_eq!(&file[..8], [0x89, 0x50, 0x54, 0x41, 0x42, 0x0d, 0x0a, 0x1a]);
        assert_eq!(file[8..10], [if file[11] < 3 { 1 } else { 2 }, 0]);
        assert_eq!(number(file, 36, 8), file.len());
        let n = number(file, 32, 4);
        Self {
            file,
            n,
            k: file[11].into(),
        }
    }

    fn section(&self, name: &str) -> &'a [u8] {
        let entry = (0..5)
            .map(|index| 44 + 24 * index)
            .find(|&entry| &self.file[entry..entry + 4] == name.as_bytes());
        let entry = entry.expect("the section");
        let (start, length) = (
            number(self.file, entry + 8, 8),
            number(self.file, entry + 16, 8),
        );
        &self.file[start..start + length]
    }

    fn place(&self, x: usize, y: usize) -> Option<usize> {
        let cells = self.section("CELL");
        (0..self.n)
            .find(|place| number(cells, 4 * place, 2) == x && number(cells, 4 * place + 2, 2) == y)
    }

    /// The numbers of a line that has the pattern with this index and starts with `first`.
    fn line(&self, board: usize, pattern: usize, first: i64) -> Vec<Option<i64>> {
        let section = self.section("DICT");
        let dictionary = &section[number(section, 8 * board, 8)..];
        let kinds = number(dictionary, 4, 4);
        let mut at = 8 + 8 * kinds;
        let (mut size, mut kind) = (0, 0);
        let (mut has_never, mut jumps) = (false, 0);
        for index in 0..=pattern {
            at += size;
            while kind < kinds && number(dictionary, 8 + 8 * kind, 4) <= index {
                kind += 1;
            }
            let entry = 8 + 8 * (kind - 1);
            has_never = dictionary[entry + 4] == 1;
            jumps = number(dictionary, entry + 6, 2);
            size = 8 + 8 * usize::from(has_never) + 2 * jumps + usize::from(dictionary[entry + 5]);
        }
        let bit = |at: usize, i: usize| dictionary[at + i / 8] >> (i % 8) & 1 == 1;
        let at_jumps = at + 8 + 8 * usize::from(has_never);
        let jumps = dictionary[at_jumps..at_jumps + 2 * jumps].chunks(2);
        let jumps: Vec<i64> = jumps
            .map(|jump| i64::from(i16::from_le_bytes([jump[0], jump[1]])))
            .collect();
        let (mut last, mut steps) = (first, 0);
        let line = (0..64).map(|i: u8| {
            let position = i64::from(i);
            let i = usize::from(i);
            if bit(at, i) {
                last += if bit(at_jumps + 2 * jumps.len(), steps) {
                    1
                } else {
                    -1
                };
                steps += 1;
            }
            for jump in jumps.iter().filter(|jump| jump.rem_euclid(64) == position) {
                last += jump.div_euclid(64);
            }
            (!has_never || !bit(at + 8, i)).then_some(last)
        });
        line.collect()
    }

    fn patterns(&self, board: usize) -> usize {
        let section = self.section("DICT");
        number(&section[number(section, 8 * board, 8)..], 0, 4)
    }

    fn turns(&self, robber: usize, cops: &[usize]) -> Option<i64> {
        let mut cops = cops.to_vec();
        cops.sort_unstable();
        let boards = self.n.div_ceil(64);
        let row = cops[1..]
            .iter()
            .rev()
            .fold(0, |row, cop| row * self.n + cop);
        let boards_of = |row: usize| {
            if self.k == 1 {
                boards
            } else {
                row % self.n / 64 + 1
            }
        };
        // Only rows whose cops are in order are stored.
        let is_stored = |row: &usize| {
            let place = |cop| row / self.n.pow(cop) % self.n;
            (2..self.k as u32).all(|cop| place(cop - 2) <= place(cop - 1))
        };
        let slabs_in = |rows: usize| (0..rows).filter(is_stored).map(boards_of).sum::<usize>();
        let slab = slabs_in(row) + cops[0] / 64;
        let slabs = slabs_in(self.n.pow(self.k as u32 - 1));
        let directory = self.section("SLAB");
        let start = number(directory, 8 * slab, 8)
            + number(directory, 8 * slabs + 4 * (slab * boards + robber / 64), 4);
        let block = &self.section("BLCK")[start..];
        let mut at = 0;
        let mut next = |bits: usize| {
            let number =
                (0..bits).map(|i| usize::from(block[(at + i) / 8] >> ((at + i) % 8) & 1) << i);
            let number = number.sum::<usize>();
            at += bits;
            number
        };
        let lines = (self.n - robber / 64 * 64).min(64);
        let first = next(bits_for(number(self.file, 14, 2) + 1));
        let base = next(bits_for(self.patterns(robber / 64)));
        let count = next(6) + 1;
        let patterns: Vec<usize> = (0..count)
            .map(|_| next(bits_for(self.patterns(cops[0] / 64))))
            .collect();
        let which: Vec<usize> = if count == lines {
            (0..lines).collect()
        } else {
            (0..lines).map(|_| next(bits_for(count))).collect()
        };
        let first = self.line(robber / 64, base, first.try_into().expect("turns"))[robber % 64]?;
        self.line(cops[0] / 64, patterns[which[robber % 64]], first)[cops[0] % 64]
    }
}

fn bits_for(count: usize) -> usize {
    (0..64)
        .find(|&bits| 1_usize << bits >= count)
        .expect("few bits")
}

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length]
        .iter()
        .rev()
        .fold(0, |number, &byte| number << 8 | usize::from(byte))
}

#[test]
fn the_documentation_is_enough_to_read_a_table() {
    let map = map(&[
        "..........#..",
        ".####.###....",
        ".#..#.###.##.",
        ".#.##.....##.",
        "......###....",
        ".####.....#.#",
        "......##.....",
        ".##.#....####",
        ".##...##.....",
    ]);
    for (cops, cop_speed) in [(1, 1), (1, 2), (2, 1), (3, 1)] {
        let rules = Rules {
            cops: NonZeroU8::new(cops).expect("cops"),
            cop_speed: Speed::new(cop_speed).expect("a speed"),
            robber_speed: Speed::ONE,
            moves: Moves::Octile,
        };
        let arena = Arc::new(Arena::of_map(&Graph::new(&map, Moves::Octile)));
        let mut solver = Solver::new(arena, rules, 1 << 30).expect("a small table");
        solver.run(|_| true);
        let solution = solver.finish().expect("done");
        let table = Table::of(&solution);
        let by_hand = ByHand::new(table.bytes());
        let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        assert!(cells.len() > 64, "more than a board");
        // Slow for three cops, since the slabs before one are counted.
        let step = if cops == 3 { 7 } else { 1 };
        for (index, &robber) in cells.iter().enumerate() {
            for (other, &cop) in cells.iter().enumerate().skip(index % step).step_by(step) {
                let second = cells[(index * 7 + other * 3) % cells.len()];
                let third = cells[(index * 5 + other * 11) % cells.len()];
                let cops = &[cop, second, third][..usize::from(cops)];
                let place = |cell: Cell| {
                    by_hand
                        .place(cell.x.into(), cell.y.into())
                        .expect("a place")
                };
                let places: Vec<usize> = cops.iter().map(|&cop| place(cop)).collect();
                let found = by_hand.turns(place(robber), &places);
                let expected = match table.value(robber, cops).expect("cells of the map") {
                    Outcome::Caught(Turns(turns)) => Some(i64::from(turns)),
                    Outcome::Escapes | Outcome::Away(_) => None,
                };
                assert_eq!(found, expected, "{robber:?} {cops:?}");
            }
        }
    }
}
