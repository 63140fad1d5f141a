//! Positions that are worked out exactly, in the form in which they are saved.

use crate::game::Agent;
use crate::world::pursuit::PursuitNumber;
use serde::{Deserialize, Serialize};

/// Everything that a solver depends on besides the map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedWork {
    pub(super) pursuit: PursuitNumber,
    pub(super) memory: u64,
    pub(super) stages: Vec<SavedPosition>,
}

/// A position of the game, with the cops to move, and the number of states that were expanded while it was the present
/// one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedPosition {
    pub(super) robber: Agent,
    pub(super) cops: Vec<Agent>,
    pub(super) slices: u64,
}

/// The work in the form in which it is saved: a restored world repeats it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::world) struct SavedExact {
    pub(super) changed: Option<u64>,
    pub(super) work: Option<SavedWork>,
}
