//! The plan of a robber: a path, and the outcome if the robber follows it.

use crate::game::{Outcome, Turns};
use crate::graph::Vertex;

/// A path for the robber, and the outcome if the robber follows the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The vertices to step on, without the start. After the last one the robber waits there.
    pub path: Vec<Vertex>,
    /// The outcome if the robber keeps to the path and the cops know the path: a lower bound on the
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
