//! The cache's record of one table.

use super::keep::ticks_in_use;
use super::look::{GroundName, Look};
use super::{SavedMap, SolveFailure, TableKey, TableUrgency};
use crate::game::Rules;
use crate::graph::Graph;
use crate::table::{Arena, Estimate, Solution, SolveError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a table is solved on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SolvedPart {
    /// A whole map, in any state of its doors.
    Map,
    /// A level of the abstraction of the current map.
    Level(u8),
    /// A retract of the current map with at most this number of vertices.
    Retract(u16),
}

/// A table to be solved, and its values once it is solved.
#[derive(Debug, Clone)]
pub(super) struct TableJob {
    pub part: SolvedPart,
    pub key: TableKey,
    /// The ground of the map that it is for.
    pub ground: GroundName,
    pub arena: Arc<Arena>,
    pub ticks: Ticks,
    /// Whether the request has been handed out.
    pub is_given: bool,
    pub product: Product,
}

/// The ticks of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ticks {
    /// The tick of the request.
    pub begun: u64,
    /// The tick from which on it is used; [`u64::MAX`] means as soon as it is solved.
    pub due: u64,
    /// The tick at which it was last used or requested.
    pub used: u64,
}

#[derive(Debug, Clone)]
pub(super) enum Product {
    Missing,
    Table(Arc<Solution>),
    Failed(SolveFailure),
}

/// A requested table of a whole map.
///
/// `is_late`, and of the job `is_given`, `product` and `arena`, also depend on how fast tables are solved. They have no
/// influence on the game as long as no table is late. All else follows from the game's requests and their ticks.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub job: TableJob,
    pub map: Arc<SavedMap>,
    /// Its share of the memory limit, in bytes.
    pub bytes: u64,
    /// Whether its tick has been reached.
    pub is_kept: bool,
    /// Whether it was looked up after its tick and was not yet solved.
    pub is_late: bool,
}

impl Entry {
    /// A table of a map, as of this tick.
    pub(super) fn new(job: TableJob, map: Arc<SavedMap>, estimate: &Estimate, tick: u64) -> Self {
        Self {
            bytes: kept_bytes(estimate, map.cells()),
            map,
            is_kept: job.ticks.due <= tick,
            is_late: false,
            job,
        }
    }
}

impl TableJob {
    pub(super) fn new(
        part: SolvedPart,
        key: TableKey,
        arena: Arc<Arena>,
        ticks: Ticks,
        product: Product,
    ) -> Self {
        Self {
            part,
            key,
            ground: GroundName::default(),
            arena,
            ticks,
            is_given: false,
            product,
        }
    }

    /// The same for a ground of the map.
    pub(super) fn on(self, ground: GroundName) -> Self {
        Self { ground, ..self }
    }

    pub(super) const fn is_missing(&self) -> bool {
        matches!(self.product, Product::Missing)
    }

    /// Whether it has to be solved, and the request has not been handed out.
    pub(super) const fn is_waiting(&self) -> bool {
        self.is_missing() && !self.is_given
    }

    /// Whether it has to be solved, and its tick has been reached.
    pub(super) const fn is_overdue(&self, tick: u64) -> bool {
        self.is_missing() && self.ticks.due <= tick
    }

    pub(super) const fn table(&self) -> Option<&Arc<Solution>> {
        match &self.product {
            Product::Table(solution) => Some(solution),
            _ => None,
        }
    }

    /// Whether it is for the whole map in its current state.
    pub(super) fn is_of(&self, graph: &Graph) -> bool {
        self.part == SolvedPart::Map && self.key.fingerprint == graph.fingerprint()
    }

    /// Returns whether it is for the map in its current state, on its own ground or on one of those that were looked at.
    pub(super) fn is_here(&self, graph: &Graph, looks: &[Look]) -> bool {
        let fingerprint = Some(self.key.fingerprint);
        let is_looked_at = || looks.iter().any(|look| look.fingerprint == fingerprint);
        self.is_of(graph) || self.part == SolvedPart::Map && !self.ground.is_own() && is_looked_at()
    }

    pub(super) fn urgency(
        &self,
        graph: &Graph,
        looks: &[Look],
        tick: u64,
    ) -> (TableUrgency, TableKey) {
        let is_here = self.is_here(graph, looks);
        (TableUrgency::of(self, is_here, tick), self.key)
    }
}

impl Ticks {
    /// The ticks of a request made in this tick.
    pub(super) fn of_request(tick: u64, delay: Option<u64>) -> Self {
        Self {
            begun: tick,
            due: due_after(tick, delay),
            used: tick,
        }
    }

    /// Whether a table has been used or requested lately. `turn` is the length of a turn in ticks.
    pub(super) fn are_recent(&self, tick: u64, turn: u32) -> bool {
        tick.saturating_sub(self.used) <= ticks_in_use(turn)
    }

    /// Whether a game can have been saved at this tick with these ticks.
    pub(super) const fn are_sound(&self, saved: u64) -> bool {
        self.begun <= self.due && self.begun <= self.used && self.used <= saved
    }

    /// These ticks in a game that is restored at this tick and has the present `delay`. They change if tables are or were
    /// used as soon as they are solved.
    pub(super) fn restored(self, tick: u64, delay: Option<u64>, is_at_hand: bool) -> Self {
        let due = match delay {
            Some(_) if self.due == u64::MAX => due_after(tick, delay),
            None if is_at_hand => self.due.min(tick),
            _ => self.due,
        };
        Self { due, ..self }
    }
}

impl Product {
    /// The result of a request for a table with this key.
    pub(super) fn of(key: &TableKey, result: Result<Solution, SolveFailure>) -> Self {
        match result {
            Ok(solution) if TableKey::of(&solution) == *key => Self::Table(solution.into()),
            Ok(_) => Self::Failed(SolveFailure::Mistaken),
            Err(why) => Self::Failed(why),
        }
    }
}

/// The tick from which on a table is used; without a delay, that is as soon as it is solved.
pub(super) fn due_after(tick: u64, delay: Option<u64>) -> u64 {
    delay.map_or(u64::MAX, |delay| {
        // `u64::MAX` is reserved for tables that are used as soon as they are solved.
        tick.saturating_add(delay).min(u64::MAX - 1)
    })
}

/// The estimate of a table on an arena.
///
/// # Errors
/// As [`Estimate::new`].
pub(super) fn estimate_on(arena: &Arena, rules: Rules) -> Result<Estimate, SolveError> {
    let estimate = Estimate::new(arena.places(), &rules)?;
    Ok(if arena.exits().next().is_some() {
        estimate.with_exits()
    } else {
        estimate
    })
}

/// The bytes that a table and its arena take of the memory limit.
pub(super) fn kept_bytes(estimate: &Estimate, cells: u64) -> u64 {
    const BYTES_OF_A_VERTEX: u64 = 64;
    const BYTES_OF_AN_ENTRY: u64 = 1024;
    let arena = BYTES_OF_A_VERTEX * estimate.vertices as u64;
    let rest = arena + cells / 8 + BYTES_OF_AN_ENTRY;
    estimate.solution_bytes().saturating_add(rest)
}
