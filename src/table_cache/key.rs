//! What a table is of.

use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use serde::{Deserialize, Serialize};

/// What a table is for: a map as it is with its doors, and the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableKey {
    /// The passability of the map.
    pub fingerprint: Fingerprint,
    /// The number of cops and the speeds.
    pub rules: Rules,
}

impl TableKey {
    /// The key of a map as it is now.
    #[must_use]
    pub const fn new(graph: &Graph, rules: Rules) -> Self {
        Self {
            fingerprint: graph.fingerprint(),
            rules,
        }
    }
}

/// Where a table comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The game has given it.
    Asset,
    /// It was solved while the game ran.
    Solved,
}
