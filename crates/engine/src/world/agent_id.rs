//! The ids of agents: a slot and its generation, so that an id is never used for two agents.

use serde::{Deserialize, Serialize};

/// Identifies an agent of a [`PursuitWorld`](super::PursuitWorld). An id is never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AgentId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl AgentId {
    /// The id as a single number.
    pub(crate) const fn key(self) -> u64 {
        (self.slot as u64) << 32 | self.generation as u64
    }

    /// The id of this [`key`](Self::key).
    pub(crate) const fn of_key(key: u64) -> Self {
        Self {
            slot: (key >> 32) as u32,
            generation: key as u32,
        }
    }
}
