use crate::game::{Outcome, Turns};
use crate::graph::Vertex;

/// How far a sliced search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchProgress {
    /// The budget is spent and the search is not at its end.
    Running,
    /// The map is not the one that the search began on; nothing more will be found. Begin anew.
    Stale,
    /// The plan is ready.
    Done,
}

/// A way to run: the path, and what it is worth if the robber keeps to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The vertices to step on, without the start. After the last one the robber waits there.
    pub path: Vec<Vertex>,
    /// When the cops capture a robber that keeps to the path and says so: a lower bound on the
    /// value of the game.
    pub outcome: Outcome,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            path: Vec::new(),
            outcome: Outcome::Caught(Turns(0)),
        }
    }
}
