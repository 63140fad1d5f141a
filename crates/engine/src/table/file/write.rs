//! Packs a solution into a file.

use super::bitstream::{BitWriter, width};
use super::line::{Pattern, PatternKind};
use super::parse;
use super::rules::TableRules;
use super::{
    DIRECTORY, HEADER, HEADER_WITH_RULES, MAGIC, OTHER_RULES, SECTIONS, SECTIONS_WITH_RULES,
    sections, version,
};
use crate::map::Moves;
use crate::table::shape::PlacementIndex;
use crate::table::sweep::{Threads, map};
use crate::table::times::Times;
use crate::table::{Arena, Solution};
use std::collections::BTreeMap;
use std::ops::Range;

/// The bytes of a file, and the data that a reader would parse from them.
pub(super) struct Encoded {
    pub bytes: Vec<u8>,
    pub dictionaries: Vec<parse::PatternDirectory>,
    /// The sections `SLAB` and `BLCK`.
    pub directory: Range<usize>,
    pub blocks: Range<usize>,
    pub rules: Option<TableRules>,
}

/// The lines of a slab: for each place of the robber, the index of the pattern and the first value.
struct SlabLines {
    patterns: Vec<u32>,
    firsts: Vec<u16>,
    /// The bases: for each board of the robber, the index of the pattern and the first value.
    bases: Vec<(u32, u16)>,
}

/// The patterns of a board, numbered in the order in which they first occur.
#[derive(Default)]
struct PatternNumbers {
    numbers: BTreeMap<Pattern, u32>,
    /// The last pattern asked for: neighbouring lines often have the same pattern.
    last: Option<(Pattern, u32)>,
}

impl PatternNumbers {
    fn number(&mut self, pattern: Pattern) -> u32 {
        if let Some((last, number)) = &self.last
            && *last == pattern
        {
            return *number;
        }
        let next = self.numbers.len() as u32;
        let number = match self.numbers.get(&pattern) {
            Some(&number) => number,
            None => *self.numbers.entry(pattern.clone()).or_insert(next),
        };
        self.last = Some((pattern, number));
        number
    }

    /// The sorted patterns, and for each number of a pattern its index in the sorted list.
    fn sorted(self) -> (Vec<Pattern>, Vec<u32>) {
        let mut ranks = vec![0; self.numbers.len()];
        let ranked = self.numbers.into_iter().zip(0..);
        let sorted = ranked.map(|((pattern, number), rank)| {
            ranks[number as usize] = rank;
            pattern
        });
        (sorted.collect(), ranks)
    }
}

/// Packs a solution into the bytes of a file.
pub(super) fn encode(solution: &Solution) -> Encoded {
    let shape = solution.shape();
    let (mut dictionaries, mut slabs) = lines(shape, solution.times());
    bases(shape, &mut dictionaries, &mut slabs);
    let dictionaries = map(Threads::All, dictionaries, |_, dictionary| {
        dictionary.sorted()
    });
    let widths: Vec<u32> = dictionaries
        .iter()
        .map(|(sorted, _)| width(sorted.len()))
        .collect();
    let ranks: Vec<&[u32]> = dictionaries
        .iter()
        .map(|(_, ranks)| ranks.as_slice())
        .collect();
    let number_bits = width(usize::from(solution.greatest_number()) + 1);
    let blocks = map(Threads::All, slabs, |word, lines| {
        let board = shape.locate(word).1;
        encode_slab(shape, board, &lines, number_bits, &widths, &ranks)
    });
    let (directory, blocks) = join(blocks);
    let patterns = dictionaries.iter().map(|(sorted, _)| sorted.as_slice());
    let cells = encode_cells(solution.arena());
    let histogram = solution.histogram().iter().chain(solution.away_histogram());
    let histogram: Vec<u8> = histogram.flat_map(|count| count.to_le_bytes()).collect();
    let rules = TableRules::of(solution);
    let header = if rules.is_some() {
        HEADER_WITH_RULES
    } else {
        HEADER
    };
    let start = header + cells.len() + histogram.len();
    let (patterns, dictionaries) = encode_dictionaries(patterns, start);
    let sections = [cells, histogram, patterns, directory, blocks];
    let end_of = |last: usize| header + sections[..=last].iter().map(Vec::len).sum::<usize>();
    Encoded {
        directory: end_of(2)..end_of(3),
        blocks: end_of(3)..end_of(4),
        bytes: assemble(solution, sections, rules.as_ref()),
        dictionaries,
        rules,
    }
}

/// The lines of all slabs, and for each board of the least cop a dictionary of their patterns.
fn lines(shape: &PlacementIndex, times: &[Times]) -> (Vec<PatternNumbers>, Vec<SlabLines>) {
    let mut words = vec![Vec::new(); shape.boards];
    for word in 0..shape.words() {
        words[shape.locate(word).1].push(word);
    }
    let of_boards = map(Threads::All, words, |board, words: Vec<usize>| {
        let mut dictionary = PatternNumbers::default();
        let columns = shape.board_mask(board).count_ones() as usize;
        let lines = words.into_iter().map(|word| {
            let numbers = (0..shape.places).map(|robber| times[word].unpack(robber));
            let lines = numbers.map(|numbers| Pattern::of(&numbers[..columns]));
            let (mut patterns, mut firsts) = (Vec::new(), Vec::new());
            for (first, pattern) in lines {
                // The base marks the lines that consist of escapes, so such a line may have any
                // pattern.
                let escapes = first == super::line::NEVER;
                let last = patterns.last().copied();
                patterns.push(match last {
                    Some(last) if escapes => last,
                    _ => dictionary.number(pattern),
                });
                firsts.push(first);
            }
            let bases = Vec::new();
            (
                word,
                SlabLines {
                    patterns,
                    firsts,
                    bases,
                },
            )
        });
        let lines: Vec<(usize, SlabLines)> = lines.collect();
        (dictionary, lines)
    });
    let mut dictionaries = Vec::new();
    let mut slabs: Vec<Option<SlabLines>> = Vec::new();
    slabs.resize_with(shape.words(), || None);
    for (dictionary, lines) in of_boards {
        dictionaries.push(dictionary);
        for (word, lines) in lines {
            slabs[word] = Some(lines);
        }
    }
    (dictionaries, slabs.into_iter().flatten().collect())
}

/// Finds the bases of all slabs and adds their patterns to the dictionaries.
fn bases(shape: &PlacementIndex, dictionaries: &mut [PatternNumbers], slabs: &mut [SlabLines]) {
    let all: &[SlabLines] = slabs;
    let items = dictionaries.iter_mut().collect();
    let columns = map(
        Threads::All,
        items,
        |board, dictionary: &mut PatternNumbers| {
            let robbers = board * 64..shape.places.min(board * 64 + 64);
            let bases = all.iter().map(|lines| {
                let (first, pattern) = Pattern::of(&lines.firsts[robbers.clone()]);
                (dictionary.number(pattern), first)
            });
            bases.collect::<Vec<_>>()
        },
    );
    for column in columns {
        for (lines, base) in slabs.iter_mut().zip(column) {
            lines.bases.push(base);
        }
    }
}

/// The blocks of a slab, and the offset at which each of them starts.
fn encode_slab(
    shape: &PlacementIndex,
    board: usize,
    lines: &SlabLines,
    number_bits: u32,
    widths: &[u32],
    ranks: &[&[u32]],
) -> (Vec<u8>, Vec<u32>) {
    let mut bits = BitWriter::default();
    let mut starts = Vec::new();
    let mut palette: Vec<u32> = Vec::new();
    for (robbers, (&base, robber_board)) in
        lines.patterns.chunks(64).zip(lines.bases.iter().zip(0..))
    {
        debug_assert!(robber_board < shape.boards);
        starts.push(bits.len() as u32);
        let (pattern, first) = base;
        // A block that consists of escapes has no first value.
        let first = if first == super::line::NEVER {
            0
        } else {
            first
        };
        bits.write(u32::from(first), number_bits);
        bits.write(ranks[robber_board][pattern as usize], widths[robber_board]);
        palette.clear();
        palette.extend(robbers);
        palette.sort_unstable();
        palette.dedup();
        bits.write(palette.len() as u32 - 1, 6);
        let one_each = palette.len() == robbers.len();
        let patterns = if one_each { robbers } else { &palette };
        for &pattern in patterns {
            bits.write(ranks[board][pattern as usize], widths[board]);
        }
        if !one_each {
            let index_bits = width(palette.len());
            for pattern in robbers {
                let index = palette.partition_point(|other| other < pattern);
                bits.write(index as u32, index_bits);
            }
        }
        bits.align();
    }
    (bits.into_bytes(), starts)
}

/// The sections `SLAB` and `BLCK`.
fn join(slabs: Vec<(Vec<u8>, Vec<u32>)>) -> (Vec<u8>, Vec<u8>) {
    let total = slabs.iter().map(|(bytes, _)| bytes.len()).sum();
    let (mut directory, mut blocks) = (Vec::new(), Vec::with_capacity(total));
    for (bytes, _) in &slabs {
        directory.extend((blocks.len() as u64).to_le_bytes());
        blocks.extend_from_slice(bytes);
    }
    let starts = slabs.iter().flat_map(|(_, starts)| starts);
    directory.extend(starts.flat_map(|start| start.to_le_bytes()));
    (directory, blocks)
}

/// The section `CELL`.
fn encode_cells(arena: &Arena) -> Vec<u8> {
    let cells = arena.cells().iter();
    cells
        .flat_map(|cell| [cell.x.to_le_bytes(), cell.y.to_le_bytes()])
        .flatten()
        .collect()
}

/// The section `DICT`, which starts at the offset `start` of the file, and the location of its
/// patterns.
fn encode_dictionaries<'a>(
    boards: impl ExactSizeIterator<Item = &'a [Pattern]>,
    start: usize,
) -> (Vec<u8>, Vec<parse::PatternDirectory>) {
    let (mut offsets, mut bytes, mut dictionaries) = (Vec::new(), Vec::new(), Vec::new());
    let header = 8 * boards.len();
    for patterns in boards {
        let offset = header + bytes.len();
        offsets.extend((offset as u64).to_le_bytes());
        let mut kinds: Vec<(u32, PatternKind, usize)> = Vec::new();
        let mut lengths = 0;
        for (pattern, index) in patterns.iter().zip(0..) {
            if kinds
                .last()
                .is_none_or(|(_, kind, _)| *kind != pattern.kind())
            {
                kinds.push((index, pattern.kind(), lengths));
            }
            lengths += pattern.kind().bytes();
        }
        bytes.extend((patterns.len() as u32).to_le_bytes());
        bytes.extend((kinds.len() as u32).to_le_bytes());
        let first = start + offset + 8 + 8 * kinds.len();
        for (index, kind, place) in &mut kinds {
            bytes.extend(index.to_le_bytes());
            bytes.extend([u8::from(kind.has_never), kind.ups]);
            bytes.extend(kind.jumps.to_le_bytes());
            *place += first;
        }
        for pattern in patterns {
            pattern.write(&mut bytes);
        }
        dictionaries.push(parse::PatternDirectory {
            bits: width(patterns.len()),
            kinds,
        });
    }
    offsets.extend(bytes);
    (offsets, dictionaries)
}

/// The whole file.
fn assemble(
    solution: &Solution,
    content: [Vec<u8>; SECTIONS.len()],
    other_rules: Option<&TableRules>,
) -> Vec<u8> {
    let rules = solution.rules();
    let arena = solution.arena();
    let content_length = content.iter().map(Vec::len).sum::<usize>();
    let other_rules = other_rules.map(TableRules::encode);
    let (version, length) = match &other_rules {
        None => (version(rules.cops.get()), HEADER + content_length),
        Some(section) => {
            let length = HEADER_WITH_RULES + content_length + section.len();
            (OTHER_RULES, length)
        }
    };
    let mut bytes = Vec::with_capacity(length);
    bytes.extend(MAGIC);
    bytes.extend(version.to_le_bytes());
    bytes.extend([
        arena
            .moves()
            .filter(|_| arena.is_map())
            .map_or(2, Moves::number),
        rules.cops.get(),
        rules.cop_speed.steps(),
        rules.robber_speed.steps(),
    ]);
    bytes.extend(solution.greatest_number().to_le_bytes());
    bytes.extend(arena.fingerprint().to_bits().to_le_bytes());
    bytes.extend((arena.places() as u32).to_le_bytes());
    bytes.extend((length as u64).to_le_bytes());
    debug_assert_eq!(bytes.len(), DIRECTORY);
    match other_rules {
        None => sections::append(&mut bytes, SECTIONS, &content),
        Some(rules) => {
            let [cells, turns, patterns, directory, blocks] = content;
            let content = [cells, turns, patterns, directory, blocks, rules];
            sections::append(&mut bytes, SECTIONS_WITH_RULES, &content);
        }
    }
    bytes
}
