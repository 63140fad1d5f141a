//! The game itself: sides, speeds, states, outcomes, and what a legal move is.
//!
//! The cops move first, all of them as one joint move, then the robber. Every agent may wait. An
//! agent of speed `s` takes up to `s` steps a turn; a cop captures only where its move ends, and a
//! robber that ends or passes on a cop is captured.

mod joint_moves;
mod outcome;
mod rules;

pub(crate) use joint_moves::{JointMoves, JointOrder};
pub use outcome::{Outcome, Turns, Value};
pub use rules::{Rules, Speed};

use crate::graph::{Graph, Vertex};
use serde::{Deserialize, Serialize};

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Those who chase. They move first.
    Cops,
    /// Those who flee.
    Robber,
}

/// A cop or a robber: where it is and how far it gets in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// Where it stands.
    pub at: Vertex,
    /// Steps a turn.
    pub speed: Speed,
}

/// One position of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State<'a> {
    /// The robber.
    pub robber: Agent,
    /// The cops; their order says nothing.
    pub cops: &'a [Agent],
    /// Whose move it is.
    pub to_move: Side,
}

impl State<'_> {
    /// Does a cop stand on the robber?
    #[must_use]
    pub fn is_capture(&self) -> bool {
        self.cops.iter().any(|cop| cop.at == self.robber.at)
    }
}

/// Is `way` a legal move: at most `speed` steps, each along an edge of the graph as it is now?
///
/// An empty way is a wait, which is always legal. `way` does not contain the start. Cost: linear in
/// the length of the way.
#[must_use]
pub fn is_legal_move(graph: &Graph, from: Vertex, way: &[Vertex], speed: Speed) -> bool {
    let mut at = from;
    way.len() <= usize::from(speed.steps())
        && way.iter().all(|&next| {
            let linked = graph.are_adjacent(at, next);
            at = next;
            linked
        })
}
