use crate::graph::Vertex;
use serde::{Deserialize, Serialize};

/// An agent on the free running clock: it takes its own time for a step, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runner {
    /// Where it is, or the vertex that it is entering.
    pub at: Vertex,
    /// Ticks until it is there and can step on.
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

/// A chase on the free running clock, as it is at a tick.
///
/// Agents change their positions on arrival, and of those who arrive at the same tick the cops come
/// first. So a robber under way is captured on the vertex that it leaves by a cop that arrives there
/// no later than the robber at the next one; and who arrives where a cop is, or at the same tick as
/// a cop, is captured.
///
/// The state does not tell which vertex an agent under way is leaving: nobody is captured there.
#[derive(Debug, Clone, Copy)]
pub struct TimedState<'a> {
    /// Who runs.
    pub robber: Runner,
    /// Who chases.
    pub cops: &'a [Runner],
}
