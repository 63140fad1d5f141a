//! Reads tables of mixed strategies and looks up positions in their bytes.

use super::{DIRECTORY, HEADER, MAGIC, SECTIONS, VERSION, write};
use crate::game::Rules;
use crate::graph::Fingerprint;
use crate::map::Cell;
use crate::solve::simultaneous::best_response::MixedExploitability;
use crate::solve::simultaneous::rounding::WHOLE;
use crate::solve::simultaneous::solution::{MixedSolution, MixedValue, Scale};
use crate::table::file::sections::{Unchecked, expect_section_length, malformed, shown_start};
use crate::table::{Arena, MAX_VERTICES, Ranking, TableError};
use std::ops::Range;
use std::sync::Arc;

/// The bounds and mixed strategies of a simultaneous game, stored as the bytes of a `.ptab` file
/// ([format](mod@crate::solve::simultaneous::file)).
///
/// Memory: the bytes of the file, 12 bytes for each cell, and 8 bytes for each pair of a place and a cop.
#[derive(Debug, Clone)]
pub struct MixedTable {
    bytes: Arc<[u8]>,
    rules: Rules,
    is_map: bool,
    fingerprint: Fingerprint,
    places: usize,
    configurations: usize,
    scale: Scale,
    exploitability: MixedExploitability,
    ranking: Ranking,
    cells: Vec<Cell>,
    /// The place of each cell, sorted by cell.
    place_of: Vec<(Cell, u32)>,
    values: Range<usize>,
    starts: Range<usize>,
    strategies: Range<usize>,
}

/// The mixed strategies of both sides in a position of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MixedStrategies {
    /// The places to which the robber moves, in ascending order, with their probabilities. Empty after a capture.
    pub robber: Vec<(usize, f64)>,
    /// For each joint move, the place to which each cop moves, in the order in which the cops were given, and
    /// the probability. Empty after a capture, and if the cops cannot force one.
    pub cops: Vec<(Vec<usize>, f64)>,
}

impl MixedTable {
    /// Creates a table from a solution and its [exploitability](MixedSolution::exploitability). Cost: linear.
    #[must_use]
    pub fn of(solution: &MixedSolution, exploitability: MixedExploitability) -> Self {
        let bytes: Arc<[u8]> = write::encode(solution, exploitability).into();
        let (arena, rules) = (solution.arena(), solution.rules());
        let cells = 4 * arena.cells().len();
        let values = HEADER + cells..HEADER + cells + 8 * solution.positions();
        let starts = values.end..values.end + 4 * (solution.positions() + 1);
        Self {
            is_map: arena.moves().is_some(),
            rules: Rules {
                moves: arena.moves().unwrap_or_default(),
                ..rules
            },
            fingerprint: arena.fingerprint(),
            places: arena.places(),
            configurations: solution.positions() / arena.places().max(1),
            scale: solution.scale(),
            exploitability,
            ranking: Ranking::new(arena.places(), rules.cops.get().into()),
            place_of: sorted(arena.cells()),
            cells: arena.cells().to_vec(),
            strategies: starts.end..bytes.len(),
            values,
            starts,
            bytes,
        }
    }

    /// Creates a table from the bytes of a file.
    ///
    /// # Errors
    /// If the bytes are truncated, damaged, of another version, or not a table of mixed strategies.
    pub fn from_bytes(bytes: Arc<[u8]>) -> Result<Self, TableError> {
        let unchecked = Unchecked(&bytes);
        expect_kind(unchecked)?;
        let (rules, is_map) = unchecked.rules(10)?;
        let places = unchecked.u32(32)? as usize;
        if places > MAX_VERTICES {
            let expected = format!("at most {MAX_VERTICES} places");
            return Err(malformed(32, &expected, places));
        }
        let [cells, values, starts, strategies] =
            unchecked.sections(SECTIONS, DIRECTORY, HEADER)?;
        let configurations = configurations(places, rules.cops.get());
        let positions = configurations.and_then(|count| count.checked_mul(places));
        // The lengths are checked first, so that no more is allocated than the file can fill.
        let of = |bytes: u128, more: u128| Some((positions? as u128 + more) * bytes);
        expect_section_length(&values, of(8, 0), "a value for each position")?;
        expect_section_length(&starts, of(4, 1), "a start for each position, and an end")?;
        let expected = if is_map { 4 * places } else { 0 };
        expect_section_length(&cells, Some(expected as u128), "a cell for each place")?;
        let cells = unchecked.cells(cells);
        Ok(Self {
            rules,
            is_map,
            fingerprint: Fingerprint::from_bits(u128::from_le_bytes(unchecked.chunk(16)?)),
            places,
            configurations: configurations.unwrap_or_default(),
            scale: scale(unchecked)?,
            exploitability: MixedExploitability {
                cops: share(unchecked, 60)?,
                robber: share(unchecked, 68)?,
            },
            ranking: Ranking::new(places, rules.cops.get().into()),
            place_of: sorted(&cells),
            cells,
            values,
            starts,
            strategies,
            bytes: bytes.clone(),
        })
    }

    /// Returns whether bytes begin with the signature of a table of mixed strategies.
    #[must_use]
    pub fn is_kind_of(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// The bytes of the file.
    #[must_use]
    pub const fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Whether the table belongs to a map; otherwise it belongs to a graph given by its edges.
    #[must_use]
    pub const fn is_map(&self) -> bool {
        self.is_map
    }

    /// The fingerprint of the map or graph.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The number of places.
    #[must_use]
    pub const fn places(&self) -> usize {
        self.places
    }

    /// The number of positions, with interchangeable cops.
    #[must_use]
    pub const fn positions(&self) -> usize {
        self.places * self.configurations
    }

    /// The cells of all places; empty if the table does not belong to a map.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The place of a cell; `None` for a wall. Time: log n.
    #[must_use]
    pub fn place(&self, cell: Cell) -> Option<usize> {
        let found = self
            .place_of
            .binary_search_by_key(&cell, |entry| entry.0)
            .ok()?;
        Some(self.place_of[found].1 as usize)
    }

    /// The greatest gain of opponents that know the strategies, computed when the table was solved.
    #[must_use]
    pub const fn exploitability(&self) -> MixedExploitability {
        self.exploitability
    }

    /// Checks that the table belongs to this map.
    ///
    /// # Errors
    /// [`TableError::Foreign`] with both fingerprints if it does not.
    pub fn expect_map(&self, fingerprint: Fingerprint) -> Result<(), TableError> {
        if self.fingerprint == fingerprint {
            return Ok(());
        }
        Err(TableError::Foreign {
            expected: fingerprint,
            found: self.fingerprint,
        })
    }

    /// Checks that it numbers the cells of its map as an arena of that map does.
    pub(crate) fn expect_cells(&self, arena: &Arena) -> Result<(), TableError> {
        let mut pairs = self.cells.iter().zip(arena.cells());
        let is_same = self.cells.len() == arena.cells().len();
        if is_same && pairs.all(|(found, expected)| found == expected) {
            return Ok(());
        }
        let expected = "the cells of the map along a Hilbert curve";
        Err(malformed(HEADER as u64, expected, "another order"))
    }

    /// The bounds of a position, given by places. `None` if a place does not exist, or if the number of cops
    /// differs from the rules.
    #[must_use]
    pub fn value_at(&self, robber: usize, cops: &[usize]) -> Option<MixedValue> {
        let position = self.position(robber, cops)?;
        Some(self.scale.of(self.value_of(position)))
    }

    /// The strategies of both sides in a position, given by places. `None` as for [`Self::value_at`], and if
    /// the entry of the file is forged.
    #[must_use]
    pub fn strategies_at(&self, robber: usize, cops: &[usize]) -> Option<MixedStrategies> {
        let position = self.position(robber, cops)?;
        let mut order: Vec<usize> = (0..cops.len()).collect();
        order.sort_by_key(|&cop| cops[cop]);
        let mut found = self.strategies_of(position)?;
        for (goals, _) in &mut found.cops {
            let mut given = vec![0; goals.len()];
            order
                .iter()
                .zip(goals.iter())
                .for_each(|(&cop, &goal)| given[cop] = goal);
            *goals = given;
        }
        Some(found)
    }

    /// The bounds of all positions that are not captures, in the order of their numbers.
    pub fn values(&self) -> impl Iterator<Item = MixedValue> + '_ {
        let values = (0..self.positions()).map(|position| self.value_of(position));
        values
            .filter(|&value| value > 0.0)
            .map(|value| self.scale.of(value))
    }

    fn position(&self, robber: usize, cops: &[usize]) -> Option<usize> {
        let is_known = |&place: &usize| place < self.places;
        if cops.len() != usize::from(self.rules.cops.get()) || !cops.iter().all(is_known) {
            return None;
        }
        let mut sorted = cops.to_vec();
        sorted.sort_unstable();
        let configuration = self.ranking.rank(&sorted);
        is_known(&robber).then(|| robber * self.configurations + configuration)
    }

    /// The factors by which values are multiplied to become bounds.
    pub(in crate::solve::simultaneous) const fn scale(&self) -> Scale {
        self.scale
    }

    /// The value of a position in the file.
    pub(in crate::solve::simultaneous) fn value_of(&self, position: usize) -> f64 {
        let value = self.bytes.get(self.values.start + 8 * position..);
        let value = value.and_then(<[u8]>::first_chunk);
        value.map_or(f64::NAN, |&value| f64::from_le_bytes(value))
    }

    /// The strategies of a position, with the cops in the order of their places; `None` if the entry of the
    /// file is forged.
    pub(in crate::solve::simultaneous) fn strategies_of(
        &self,
        position: usize,
    ) -> Option<MixedStrategies> {
        let start = |index: usize| {
            let start = self
                .bytes
                .get(self.starts.start + 4 * index..self.starts.end)?;
            Some(2 * u32::from_le_bytes(*start.first_chunk()?) as usize)
        };
        let section = self.bytes.get(self.strategies.clone())?;
        let mut words = Words(section.get(start(position)?..start(position + 1)?)?);
        let mut found = MixedStrategies::default();
        for _ in 0..words.next()? {
            found
                .robber
                .push((self.known(words.next()?)?, words.share()?));
        }
        for _ in 0..words.next()? {
            let goals = (0..self.rules.cops.get()).map(|_| self.known(words.next()?));
            let goals = goals.collect::<Option<Vec<usize>>>()?;
            found.cops.push((goals, words.share()?));
        }
        Some(found)
    }

    fn known(&self, place: u16) -> Option<usize> {
        Some(usize::from(place)).filter(|&place| place < self.places)
    }
}

struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn next(&mut self) -> Option<u16> {
        let (word, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u16::from_le_bytes(*word))
    }

    fn share(&mut self) -> Option<f64> {
        let (low, high) = (self.next()?, self.next()?);
        Some(f64::from(u32::from(high) << 16 | u32::from(low)) / f64::from(WHOLE))
    }
}

fn sorted(cells: &[Cell]) -> Vec<(Cell, u32)> {
    let mut sorted: Vec<(Cell, u32)> = cells.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    sorted
}

/// The number of configurations of `cops` cops; `None` if it overflows.
fn configurations(places: usize, cops: u8) -> Option<usize> {
    (0..usize::from(cops)).try_fold(1_usize, |sets, cop| {
        Some(sets.checked_mul(places.checked_add(cop)?)? / (cop + 1))
    })
}

/// Checks the signature, the version, the header's checksum and the length.
fn expect_kind(bytes: Unchecked<'_>) -> Result<(), TableError> {
    if !MixedTable::is_kind_of(bytes.0) {
        let expected = "a table of mixed strategies (89 50 4d 49 58 0d 0a 1a)";
        return Err(malformed(0, expected, shown_start(bytes.0, MAGIC.len())));
    }
    let (found, expected) = (bytes.u16(8)?, VERSION);
    if found != expected {
        return Err(TableError::Version { found, expected });
    }
    bytes.expect_header(HEADER, 36)
}

/// Reads the factors by which values are multiplied to become bounds.
fn scale(bytes: Unchecked<'_>) -> Result<Scale, TableError> {
    let (lower, upper) = (bytes.f64(44)?, bytes.f64(52)?);
    if !(0.0..=1.0).contains(&lower) {
        return Err(malformed(44, "a factor from 0 to 1", lower));
    }
    if upper.is_nan() || upper < 1.0 {
        return Err(malformed(52, "a factor of at least 1", upper));
    }
    Ok(Scale { lower, upper })
}

/// Reads a number of at least 0.
fn share(bytes: Unchecked<'_>, offset: usize) -> Result<f64, TableError> {
    let share = bytes.f64(offset)?;
    if share >= 0.0 {
        Ok(share)
    } else {
        Err(malformed(offset as u64, "a number of at least 0", share))
    }
}
