//! A proof: a capture within so many turns, and the moves that lead there.

use crate::game::Turns;
use crate::graph::Vertex;

/// The move of a cop that a proof needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenMove {
    /// The number of the cop in the state that was asked for.
    pub cop: usize,
    /// The vertices to step on, without the current one. Empty to wait; a guard always waits.
    pub path: Vec<Vertex>,
}

/// A proof that the cops capture the robber of a state, on the whole map, whatever it does.
///
/// It holds for cops that make the [`moves`](Self::moves) and ask again in the next position: the bound falls
/// with each turn. What the other cops do has no meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The cops capture with their move of this number at the latest; 0 if a cop stands on the robber.
    pub bound: Turns,
    /// The moves of the players, then of the guards.
    pub moves: Vec<ProvenMove>,
    /// How many of the moves are those of players.
    pub players: usize,
    /// The vertices of the region, in order.
    pub region: Vec<Vertex>,
}
