//! Rotations and reflections that map a map onto itself.

use crate::map::Cell;
use crate::table::Arena;

/// The symmetries of a map other than the identity. Each symmetry is given as the image of each place.
///
/// Only rotations and reflections of the rectangle around the passable cells are tried. A graph that is not a
/// map counts as having no symmetry. Time: n log n.
pub(super) fn symmetries(arena: &Arena) -> Vec<Vec<u32>> {
    let cells = arena.cells();
    let mut sorted: Vec<(Cell, u32)> = cells.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    let Some(frame) = BoundingRect::of(cells) else {
        return Vec::new();
    };
    let turns = (1..8_u8).filter(|turn| turn & TRANSPOSED == 0 || frame.is_square());
    let all = turns.filter_map(|turn| {
        let image = cells.iter().map(|&cell| {
            let image = frame.turned(cell, turn);
            let found = sorted.binary_search_by_key(&image, |entry| entry.0);
            found.ok().map(|index| sorted[index].1)
        });
        image.collect::<Option<Vec<u32>>>()
    });
    all.filter(|image| keeps_steps(arena, image)).collect()
}

const MIRRORED: u8 = 1;
const UPSIDE_DOWN: u8 = 2;
const TRANSPOSED: u8 = 4;

/// The rectangle around the passable cells.
#[derive(Clone, Copy)]
struct BoundingRect {
    first: Cell,
    last: Cell,
}

impl BoundingRect {
    fn of(cells: &[Cell]) -> Option<Self> {
        let columns = || cells.iter().map(|cell| cell.x);
        let rows = || cells.iter().map(|cell| cell.y);
        Some(Self {
            first: Cell::new(columns().min()?, rows().min()?),
            last: Cell::new(columns().max()?, rows().max()?),
        })
    }

    const fn is_square(self) -> bool {
        self.last.x - self.first.x == self.last.y - self.first.y
    }

    const fn turned(self, cell: Cell, turn: u8) -> Cell {
        let (mut x, mut y) = (cell.x - self.first.x, cell.y - self.first.y);
        if turn & TRANSPOSED != 0 {
            (x, y) = (y, x);
        }
        if turn & MIRRORED != 0 {
            x = self.last.x - self.first.x - x;
        }
        if turn & UPSIDE_DOWN != 0 {
            y = self.last.y - self.first.y - y;
        }
        Cell::new(self.first.x + x, self.first.y + y)
    }
}

/// Returns whether the image of every step is a step.
fn keeps_steps(arena: &Arena, image: &[u32]) -> bool {
    (0..arena.places()).all(|place| {
        let steps = arena.steps(place);
        let there = arena.steps(image[place] as usize);
        steps.len() == there.len()
            && steps
                .iter()
                .all(|&step| there.contains(&image[step as usize]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::map::{Moves, TileMap};

    fn count(rows: &str) -> usize {
        let lines: Vec<&str> = rows.split('/').collect();
        let (width, height) = (lines[0].len(), lines.len());
        let text = format!(
            "type octile\nheight {height}\nwidth {width}\nmap\n{}\n",
            lines.join("\n")
        );
        let map = TileMap::parse(&text).expect("a map");
        symmetries(&Arena::of_map(&Graph::new(&map, Moves::Octile))).len()
    }

    #[test]
    fn symmetries_are_counted() {
        assert_eq!(count(".../.../..."), 7);
        assert_eq!(count("..../..../...."), 3);
        assert_eq!(count("@@@@/@..@/@..@/@@@@/@@@@"), 7);
        assert_eq!(count("..@/.../..."), 1);
        assert_eq!(count("..@/.../@.."), 3);
        assert_eq!(count(".../..@/@.."), 0);
    }
}
