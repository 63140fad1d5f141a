//! Tables that are read without unpacking them.

use super::bitstream::{read_bits, width};
use super::line::{self, NEVER, PatternKind};
use super::parse::{Header, PatternDirectory, Reader};
use super::rules::TableRules;
use super::sections::{Unchecked, expect_section_length};
use super::{
    DIRECTORY, HEADER, HEADER_WITH_RULES, SECTIONS, SECTIONS_WITH_RULES, TableError, write,
};
use crate::game::{Outcome, Rules, Side, Turns, Variant};
use crate::graph::Fingerprint;
use crate::map::{Cell, MAX_CELLS};
use crate::table::estimate::Estimate;
use crate::table::shape::PlacementIndex;
use crate::table::solution::outcome_of;
use crate::table::{Arena, CaptureTimes, Solution};
use std::ops::Range;
use std::sync::Arc;

/// All capture times of a game as the bytes of a `.ptab` file ([format](mod@crate::table::file)).
///
/// The bytes stay packed, and a value is read in constant time. Memory: the bytes, 4 bytes for each
/// cell of the map's bounding rectangle, and a little more.
#[derive(Debug, Clone)]
pub struct Table {
    bytes: Arc<[u8]>,
    header: Header,
    shape: PlacementIndex,
    /// The number of positions for each number that a value can be.
    histogram: Vec<u64>,
    /// The rules that differ from cops and robber on one graph.
    rules: Option<Box<TableRules>>,
    cells: Vec<Cell>,
    places: CellPlaces,
    dictionaries: Vec<PatternDirectory>,
    directory: Range<usize>,
    blocks: Range<usize>,
}

/// The place of each cell.
#[derive(Debug, Clone, Default)]
struct CellPlaces {
    width: usize,
    /// For each cell of the rectangle, its place plus one, or 0 for a wall. Empty if most of the
    /// rectangle is walls.
    of_cell: Vec<u32>,
    /// The cells and their places, sorted by cell, if `of_cell` is empty.
    sorted: Vec<(Cell, u32)>,
}

/// `of_cell` is used while the rectangle has at most this number of cells for each cell of the
/// table, so the memory stays linear in the length of the file.
const MAX_SPARSITY: usize = 64;

impl Table {
    /// Reads the bytes of a file. Cost: linear in the bytes, at some GB a second.
    ///
    /// Checksums detect damage. [`Table::verify`] detects deliberately forged values; reading such
    /// values gives wrong results or none, but never panics.
    ///
    /// # Errors
    /// A [`TableError`] if the bytes are truncated, damaged, of another version, or not a table.
    pub fn from_bytes(bytes: Arc<[u8]>) -> Result<Self, TableError> {
        let reader = Reader(Unchecked(&bytes));
        let header = reader.header()?;
        let (sections, rules) = if header.has_other_rules {
            let names = SECTIONS_WITH_RULES;
            let sections = reader.0.sections(names, DIRECTORY, HEADER_WITH_RULES)?;
            let [cells, turns, patterns, directory, blocks, rules] = sections;
            ([cells, turns, patterns, directory, blocks], Some(rules))
        } else {
            (reader.0.sections(SECTIONS, DIRECTORY, HEADER)?, None)
        };
        let [cells, histogram, dictionaries, directory, blocks] = sections;
        let estimate = Estimate::new(header.places, &header.rules).ok();
        let words = PlacementIndex::size(header.places as u128, u32::from(header.rules.cops.get()));
        let boards = header.places.div_ceil(64) as u128;
        // The lengths are checked first, so nothing is allocated that the file is too short for.
        let expected = words
            .filter(|_| estimate.is_some())
            .and_then(|words| words.checked_mul(8 + 4 * boards));
        expect_section_length(&directory, expected, "an entry for each slab and block")?;
        let expected = if header.is_map { header.places * 4 } else { 0 };
        expect_section_length(&cells, Some(expected as u128), "a cell for each place")?;
        let expected = (u128::from(header.longest) + 1) * 8;
        expect_section_length(&histogram, Some(expected), "a number for each capture time")?;
        let numbers = usize::from(header.longest) + 1;
        let rules = rules.map(|rules| TableRules::read(reader.0, &rules, header.places, numbers));
        let rules = rules.transpose()?.map(Box::new);
        let shape = PlacementIndex::new(header.places, usize::from(header.rules.cops.get()));
        let offset = cells.start as u64;
        let cells = reader.0.cells(cells);
        let places = CellPlaces::new(&cells).ok_or_else(|| TableError::Malformed {
            offset,
            expected: format!(
                "cells of a map of at most {MAX_CELLS} cells, at most 65535 on a side"
            ),
            found: "cells further apart".to_owned(),
        })?;
        let table = Self {
            places,
            cells,
            histogram: reader.histogram(histogram),
            dictionaries: reader.dictionaries(&dictionaries, shape.boards)?,
            header,
            rules,
            shape,
            directory,
            blocks,
            bytes: bytes.clone(),
        };
        Ok(table)
    }

    /// Packs a solution into a table. Cost: about 100 ns for each 64 positions.
    #[must_use]
    pub fn of(solution: &Solution) -> Self {
        let encoded = write::encode(solution);
        let arena = solution.arena();
        let moves = arena.moves().filter(|_| arena.is_map());
        Self {
            header: Header {
                rules: Rules {
                    moves: moves.unwrap_or_default(),
                    ..solution.rules()
                },
                has_other_rules: encoded.rules.is_some(),
                is_map: moves.is_some(),
                longest: solution.greatest_number(),
                fingerprint: arena.fingerprint(),
                places: arena.places(),
            },
            shape: solution.shape().clone(),
            histogram: [solution.histogram(), solution.away_histogram()].concat(),
            rules: encoded.rules.map(Box::new),
            // This cannot fail: no map has more than `MAX_CELLS` cells.
            places: CellPlaces::new(arena.cells()).unwrap_or_default(),
            cells: arena.cells().to_vec(),
            dictionaries: encoded.dictionaries,
            directory: encoded.directory,
            blocks: encoded.blocks,
            bytes: encoded.bytes.into(),
        }
    }

    /// The bytes as they are written to a file.
    #[must_use]
    pub const fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// Checks that this is a table of the map with a fingerprint. Cost: constant.
    ///
    /// # Errors
    /// [`TableError::Foreign`] with both fingerprints if they differ.
    pub fn expect_map(&self, fingerprint: Fingerprint) -> Result<(), TableError> {
        self.expect_fingerprint(fingerprint)?;
        self.expect_rules(true)
    }

    fn expect_fingerprint(&self, fingerprint: Fingerprint) -> Result<(), TableError> {
        if self.header.fingerprint == fingerprint {
            return Ok(());
        }
        Err(TableError::Foreign {
            expected: fingerprint,
            found: self.header.fingerprint,
        })
    }

    /// Checks the kind of rules, which the fingerprint tells apart unless the file is forged.
    fn expect_rules(&self, is_plain: bool) -> Result<(), TableError> {
        let kind = |is_plain| {
            let kind = if is_plain {
                "a table of cops and robber"
            } else {
                "one of other rules"
            };
            kind.to_owned()
        };
        if self.is_plain() == is_plain {
            return Ok(());
        }
        Err(TableError::Malformed {
            offset: 8,
            expected: kind(is_plain),
            found: kind(!is_plain),
        })
    }

    /// Like [`Self::expect_map`], for files that may be forged: also checks the number of places,
    /// and whether the graph is a map.
    pub(in crate::table) fn expect_graph(
        &self,
        fingerprint: Fingerprint,
        places: usize,
        is_map: bool,
    ) -> Result<(), TableError> {
        self.expect_map(fingerprint)?;
        self.expect_places(places, is_map)
    }

    fn expect_places(&self, places: usize, is_map: bool) -> Result<(), TableError> {
        if (self.header.places, self.header.is_map) == (places, is_map) {
            return Ok(());
        }
        let kind = |is_map| {
            if is_map {
                "a map"
            } else {
                "a graph that is no map"
            }
        };
        Err(TableError::Malformed {
            offset: 32,
            expected: format!("{places} places of {}", kind(is_map)),
            found: format!("{} of {}", self.header.places, kind(self.header.is_map)),
        })
    }

    /// Checks that this is a table of `arena` and numbers its places in the same way. Cost: linear
    /// in the places.
    ///
    /// # Errors
    /// [`TableError::Foreign`] if the fingerprints differ. [`TableError::Malformed`] if the table
    /// belongs to the same map but numbers its cells in another order, which no version of this
    /// crate does.
    pub fn expect_arena(&self, arena: &Arena) -> Result<(), TableError> {
        self.expect_fingerprint(arena.fingerprint())?;
        self.expect_rules(arena.is_plain())?;
        self.expect_places(arena.places(), arena.moves().is_some())?;
        if let (Some(found), Some(expected)) = (&self.rules, arena.rules()) {
            let sides = [Side::Cops, Side::Robber];
            let same = sides.map(|side| found.ground(side) == expected.ground(side));
            if same != [true; 2] || *found.exits() != expected.exits {
                return Err(TableError::Malformed {
                    offset: HEADER_WITH_RULES as u64,
                    expected: "the grounds and exits of the arena".to_owned(),
                    found: "others".to_owned(),
                });
            }
        }
        let mut cells = self.cells.iter().zip(arena.cells()).enumerate();
        match cells.find(|(_, (found, expected))| found != expected) {
            None => Ok(()),
            other => Err(TableError::Malformed {
                offset: (HEADER + 4 * other.map_or(0, |(place, _)| place)) as u64,
                expected: "the cells of the map along a Hilbert curve".to_owned(),
                found: "another order".to_owned(),
            }),
        }
    }

    /// The cells of the places, in the order of the places; empty if the table does not belong to a
    /// map.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The place of a cell. `None` for a wall, and for every cell if the table does not belong to a
    /// map.
    #[must_use]
    #[inline]
    pub fn place(&self, cell: Cell) -> Option<usize> {
        self.places.place(cell)
    }

    /// The longest capture time.
    #[must_use]
    pub fn longest(&self) -> Turns {
        Turns(self.captures().saturating_sub(1) as u16)
    }

    /// The longest time until the robber is away, of all positions from which it can force that.
    /// `None` if there are none.
    #[must_use]
    pub fn longest_away(&self) -> Option<Turns> {
        let last = self.away_histogram().len().checked_sub(1)?;
        Some(Turns(last as u16))
    }

    /// For each number of turns, the number of positions with the cops to move that have this
    /// capture time, counting cops as distinguished. Positions from which the robber escapes are
    /// not included.
    #[must_use]
    pub fn histogram(&self) -> &[u64] {
        &self.histogram[..self.captures()]
    }

    /// The same for the number of turns until the robber is away. Empty if it never is.
    #[must_use]
    pub fn away_histogram(&self) -> &[u64] {
        &self.histogram[self.captures()..]
    }

    /// For each number that a value can be, the number of positions with this value.
    pub(in crate::table) fn count_of_numbers(&self) -> &[u64] {
        &self.histogram
    }

    /// The number of values that are turns until capture.
    fn captures(&self) -> usize {
        let rules = self.rules.as_ref();
        rules.map_or(self.histogram.len(), |rules| rules.captures)
    }

    /// Returns whether the game is cops and robber on one graph: see [`Arena::is_plain`].
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.rules.is_none()
    }

    /// What counts as a capture, and where cops may stand.
    #[must_use]
    pub fn variant(&self) -> Variant {
        let rules = self.rules.as_ref();
        rules.map_or_else(Variant::default, |rules| rules.variant())
    }

    /// Returns whether the table belongs to a map, and not to a graph given by its edges.
    #[must_use]
    pub const fn is_map(&self) -> bool {
        self.header.is_map
    }

    /// The value of a position on a map with the cops to move. `None` if a cell is a wall, if the
    /// number of cops differs from the rules, or if the table does not belong to a map. Cost:
    /// constant for a given number of cops.
    #[must_use]
    pub fn value(&self, robber: Cell, cops: &[Cell]) -> Option<Outcome> {
        let robber = self.place(robber)?;
        if let [cop] = cops {
            return self.value_at(robber, &mut [self.place(*cop)?]);
        }
        let cops: Option<Vec<usize>> = cops.iter().map(|&cop| self.place(cop)).collect();
        self.value_at(robber, &mut cops?)
    }

    /// The kind and the bytes of a pattern in the dictionary of a board.
    #[inline]
    fn pattern(&self, board: usize, pattern: u32) -> Option<(PatternKind, &[u8])> {
        let kinds = &self.dictionaries.get(board)?.kinds;
        let index = kinds
            .partition_point(|kind| kind.0 <= pattern)
            .checked_sub(1)?;
        let (first, kind, start) = kinds[index];
        let start = start + (pattern - first) as usize * kind.bytes();
        Some((kind, self.bytes.get(start..start + kind.bytes())?))
    }

    /// The line of a slab for a place of the robber: the kind and the bytes of its pattern, and its
    /// first value. `board` is the board of `word`. `None` if all values of the line are never, or
    /// if the bytes are malformed.
    #[inline]
    fn line(&self, word: usize, board: usize, robber: usize) -> Option<(PatternKind, &[u8], u16)> {
        let (robber_board, line) = (robber / 64, robber % 64);
        let block = self.block(word, robber_board)?;
        let number_bits = width(usize::from(self.header.longest) + 1);
        let base_bits = self.dictionaries[robber_board].bits;
        let first = read_bits(block, 0, number_bits) as u16;
        let base = read_bits(block, number_bits as usize, base_bits);
        let (kind, bytes) = self.pattern(robber_board, base)?;
        let first = line::number_at(kind, bytes, first, line)?;
        let mut position = (number_bits + base_bits) as usize;
        let patterns = read_bits(block, position, 6) as usize + 1;
        position += 6;
        let lines = self.shape.board_mask(robber_board).count_ones() as usize;
        let bits = self.dictionaries[board].bits;
        let index = if patterns == lines {
            line
        } else {
            let index_bits = width(patterns);
            let indices = position + patterns * bits as usize;
            read_bits(block, indices + line * index_bits as usize, index_bits) as usize
        };
        let pattern = read_bits(block, position + index * bits as usize, bits);
        let (kind, bytes) = self.pattern(board, pattern)?;
        Some((kind, bytes, first))
    }

    /// The turns of the 64 placements whose column is on a board; [`NEVER`] for never. `row` holds
    /// the other cops in order. All values are [`NEVER`] on the boards that the row does not have.
    pub(crate) fn unpack(&self, row: &[usize], board: usize, robber: usize) -> [u16; 64] {
        let mut numbers = [NEVER; 64];
        let word = self.shape.word(row, board);
        if let Some((kind, bytes, first)) = word.and_then(|word| self.line(word, board, robber)) {
            line::numbers(kind, bytes, first, &mut numbers);
        }
        numbers
    }

    /// The bytes from the start of a block to the end of the section.
    #[inline]
    fn block(&self, word: usize, robber_board: usize) -> Option<&[u8]> {
        let directory = self.bytes.get(self.directory.clone())?;
        let slab = directory.get(word * 8..)?.first_chunk()?;
        let entry = self.shape.words() * 8 + (word * self.shape.boards + robber_board) * 4;
        let start = directory.get(entry..)?.first_chunk()?;
        let start = u64::from_le_bytes(*slab).checked_add(u32::from_le_bytes(*start).into())?;
        let blocks = self.bytes.get(self.blocks.clone())?;
        blocks.get(usize::try_from(start).ok()?..)
    }
}

impl CaptureTimes for Table {
    fn rules(&self) -> Rules {
        self.header.rules
    }

    fn fingerprint(&self) -> Fingerprint {
        self.header.fingerprint
    }

    fn places(&self) -> usize {
        self.header.places
    }

    #[inline]
    fn value_at(&self, robber: usize, cops: &mut [usize]) -> Option<Outcome> {
        let places = self.header.places;
        if cops.len() != self.shape.cops
            || robber >= places
            || cops.iter().any(|&cop| cop >= places)
        {
            return None;
        }
        let (word, least) = self.shape.position(cops)?;
        if self
            .rules
            .as_ref()
            .is_some_and(|rules| !rules.is_legal(robber, cops))
        {
            return None;
        }
        let line = self.line(word, least / 64, robber);
        let turns =
            line.and_then(|(kind, bytes, first)| line::number_at(kind, bytes, first, least % 64));
        Some(match &self.rules {
            None => turns.map_or(Outcome::Escapes, |turns| Outcome::Caught(Turns(turns))),
            Some(rules) => outcome_of(turns, rules.captures),
        })
    }
}

impl CellPlaces {
    /// Creates the map from cells to places. `None` if the rectangle around the cells has more
    /// cells or a longer side than a map can have.
    fn new(cells: &[Cell]) -> Option<Self> {
        let side = |of: fn(&Cell) -> u16| {
            let last = cells.iter().map(of).max();
            last.map_or(0, |last| usize::from(last) + 1)
        };
        let (width, height) = (side(|cell| cell.x), side(|cell| cell.y));
        let is_side = |side: usize| u16::try_from(side).is_ok();
        let area = width
            .checked_mul(height)
            .filter(|&area| area <= MAX_CELLS && is_side(width) && is_side(height))?;
        let (mut of_cell, mut sorted) = (Vec::new(), Vec::new());
        if area > MAX_SPARSITY.saturating_mul(cells.len()) {
            sorted.extend(cells.iter().copied().zip(0..));
            sorted.sort_unstable();
        } else {
            of_cell.resize(area, 0);
            for (cell, place) in cells.iter().zip(1..) {
                of_cell[usize::from(cell.y) * width + usize::from(cell.x)] = place;
            }
        }
        Some(Self {
            width,
            of_cell,
            sorted,
        })
    }

    #[inline]
    fn place(&self, cell: Cell) -> Option<usize> {
        if usize::from(cell.x) >= self.width {
            return None;
        }
        if self.of_cell.is_empty() {
            let found = self.sorted.binary_search_by_key(&cell, |&(cell, _)| cell);
            return found.ok().map(|index| self.sorted[index].1 as usize);
        }
        let index = usize::from(cell.y) * self.width + usize::from(cell.x);
        (*self.of_cell.get(index)? as usize).checked_sub(1)
    }
}
