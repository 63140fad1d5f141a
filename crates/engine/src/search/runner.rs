//! Agents and chases on the free running clock.

use crate::graph::Vertex;
use serde::{Deserialize, Serialize};

/// An agent on the free running clock, with its own time for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runner {
    /// The vertex where the agent is, or that it is entering.
    pub at: Vertex,
    /// Ticks until it has arrived and can step on.
    pub ready: u32,
    /// Ticks that a step takes, at least 1: 0 counts as 1.
    pub step: u32,
}

impl Runner {
    /// Ticks that a step takes.
    pub(super) fn pace(&self) -> u64 {
        u64::from(self.step.max(1))
    }
}

/// A chase on the free running clock at a tick.
///
/// Agents change their positions on arrival; at the same tick cops arrive before robbers. A cop
/// therefore captures a robber in mid-step if it arrives at the vertex that the robber is leaving no
/// later than the robber arrives at its next vertex. A robber is also captured if it arrives where a cop
/// is, or at the same tick as a cop.
///
/// The state does not contain the vertex that an agent in mid-step is leaving, so that no robber is
/// captured there.
#[derive(Debug, Clone, Copy)]
pub struct TimedState<'a> {
    /// The robber.
    pub robber: Runner,
    /// The cops.
    pub cops: &'a [Runner],
}
