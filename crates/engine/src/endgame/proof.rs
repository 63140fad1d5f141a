//! A proof: a capture within some turns, and the moves that lead there.

use crate::game::Turns;
use crate::graph::Vertex;
use crate::map::Cell;

/// The move of a cop that a proof needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenMove {
    /// The number of the cop in the state of the question.
    pub cop: usize,
    /// The vertices to step on, without the current one. Empty to wait, as a guard does at its post.
    pub path: Vec<Vertex>,
}

/// A proof that the cops capture the robber of a state, on the whole map, whatever it does.
///
/// The proof holds for cops that make the [`moves`](Self::moves) and ask again in the next position: the bound falls
/// with each turn. The moves of the other cops do not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The cops capture with their move of this number at the latest; 0 if a cop stands on the robber.
    pub bound: Turns,
    /// The moves of the players, then of the guards.
    pub moves: Vec<ProvenMove>,
    /// How many of the moves are moves of players. A guard that captures counts as a player.
    pub players: usize,
    /// The vertices of the region, in order.
    pub region: Vec<Vertex>,
}

/// The region of a proof as it lies on the map, for overlays and for games that want to show it.
///
/// On a map, all lists contain cells and are sorted row by row. On another network they contain what
/// [stands for a vertex](super::EndgameNetwork::site), and are sorted in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndgameRegion<Site = Cell> {
    /// The cops capture with their move of this number at the latest.
    pub bound: Turns,
    /// The cells of the region.
    pub cells: Vec<Site>,
    /// Those of them from which a step leads out of the region: the robber reaches none of these steps.
    pub exits: Vec<Site>,
    /// The cells of the cops that guard: they stay, or are on their way to their posts.
    pub guards: Vec<Site>,
    /// The cells of the cops that move by the proof.
    pub players: Vec<Site>,
}

impl<Site: Ord> EndgameRegion<Site> {
    /// Returns whether a cell is part of the region. Cost: logarithmic in its cells.
    #[must_use]
    pub fn contains(&self, cell: Site) -> bool {
        self.cells.binary_search(&cell).is_ok()
    }
}
