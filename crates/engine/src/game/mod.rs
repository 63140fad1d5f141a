//! The game: sides, speeds, states, outcomes and legal moves.
//!
//! The cops move first, all of them in one joint move, then the robber. Every agent may wait. An
//! agent of speed `s` takes up to `s` steps per turn. A cop captures only where its move ends; a
//! robber whose move ends on or passes over a cop is captured.

mod joint_moves;
mod outcome;
mod rules;
mod step;
mod variant;
mod work;

#[doc(hidden)]
pub use joint_moves::{JointMoves, JointOrder};
pub use outcome::{Outcome, Turns, Value};
pub use rules::{Rules, Speed};
pub use step::Step;
pub use variant::{Judged, Variant};
pub use work::Work;

use crate::graph::{Graph, Vertex};
use serde::{Deserialize, Serialize};

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// The pursuers, which move first.
    Cops,
    /// The evader.
    Robber,
}

/// A cop or a robber: its position and speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The current vertex.
    pub at: Vertex,
    /// Steps per turn.
    pub speed: Speed,
}

/// A position of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State<'a> {
    /// The robber.
    pub robber: Agent,
    /// The cops; their order has no meaning.
    pub cops: &'a [Agent],
    /// The side to move.
    pub to_move: Side,
}

impl State<'_> {
    /// Returns whether a cop is on the vertex of the robber.
    #[must_use]
    pub fn is_capture(&self) -> bool {
        self.cops.iter().any(|cop| cop.at == self.robber.at)
    }
}

/// Returns whether `path` is a legal move: at most `speed` steps, each along a current edge of the
/// graph.
///
/// An empty path is a wait, which is always legal. `path` does not contain the start. Cost: linear in
/// the length of the path.
#[must_use]
pub fn is_legal_move(graph: &Graph, from: Vertex, path: &[Vertex], speed: Speed) -> bool {
    let mut at = from;
    path.len() <= usize::from(speed.steps())
        && path.iter().all(|&next| {
            let linked = graph.are_adjacent(at, next);
            at = next;
            linked
        })
}
