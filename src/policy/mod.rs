//! From a state to a move. Each algorithm stands behind one of two small traits.

pub mod cop;
pub mod robber;

use crate::game::{Speed, State, Value};
use crate::graph::{Graph, Vertex};

/// How a move was found, that is how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A search of the graph as it is now.
    Search,
    /// A last resort, for want of anything better.
    Greedy,
}

/// What an agent means to do: a path, of which this turn's move is the first part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The vertices to step on, without the one the agent stands on; empty to wait. It may reach
    /// beyond this turn.
    pub path: Vec<Vertex>,
    /// How many steps of the path belong to this turn; never more than its length.
    pub steps: usize,
    /// How the move was found.
    pub source: Source,
    /// What the decision is worth to the robber, where the algorithm knows.
    pub value: Option<Value>,
}

impl Decision {
    /// To go along `path` as far as `speed` allows.
    #[must_use]
    pub fn along(path: Vec<Vertex>, speed: Speed, source: Source) -> Self {
        let steps = path.len().min(usize::from(speed.steps()));
        Self {
            path,
            steps,
            source,
            value: None,
        }
    }

    /// To stay.
    #[must_use]
    pub const fn wait(source: Source) -> Self {
        Self {
            path: Vec::new(),
            steps: 0,
            source,
            value: None,
        }
    }

    /// This turn's move: the vertices to step on, empty to wait.
    #[must_use]
    pub fn way(&self) -> &[Vertex] {
        self.path.get(..self.steps).unwrap_or(&self.path)
    }
}

/// Decides for a robber.
pub trait RobberPolicy {
    /// A move for the robber of `state`, which is to move. Always legal on `graph`.
    fn decide(&mut self, graph: &Graph, state: &State<'_>) -> Decision;
}

/// Decides for all cops that chase one robber.
pub trait CopPolicy {
    /// A move for each cop of `state`, which are to move, in their order. Always legal on `graph`.
    fn decide(&mut self, graph: &Graph, state: &State<'_>) -> Vec<Decision>;
}
