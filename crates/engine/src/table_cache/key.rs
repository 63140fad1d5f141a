//! The game that a table is for: a map with its door state, and the rules.

use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use crate::table::{CaptureTimes as _, Solution};
use serde::{Deserialize, Serialize};

/// The game that a table is for: a map with its door state, and the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableKey {
    /// The passability of the map.
    pub fingerprint: Fingerprint,
    /// The number of cops and the speeds.
    pub rules: Rules,
}

impl TableKey {
    /// The key for the current state of a map.
    #[must_use]
    pub const fn new(graph: &Graph, rules: Rules) -> Self {
        Self {
            fingerprint: graph.fingerprint(),
            rules,
        }
    }

    /// The key of a solved table.
    pub(super) fn of(solution: &Solution) -> Self {
        Self {
            fingerprint: solution.fingerprint(),
            rules: solution.rules(),
        }
    }
}

/// The origin of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The game has supplied it.
    Asset,
    /// It was solved while the game ran.
    Solved,
}
