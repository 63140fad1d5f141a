//! The subsets and the joint moves that a decision compares.

use super::core::Score;
use crate::game::Outcome;
use crate::graph::Vertex;

/// A subset of the players with its value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    pub(super) value: Outcome,
    /// The steps of its cops to the robber.
    pub(super) steps: u64,
    pub(super) players: Vec<usize>,
}

/// A joint move of the core.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) score: Score,
    /// The players that move.
    pub(super) players: Vec<usize>,
    /// For each of them the number of its move.
    pub(super) joint: Vec<usize>,
    /// Where they end.
    pub(super) ends: Vec<Vertex>,
}
