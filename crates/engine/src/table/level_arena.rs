//! The game that a level describes: its exits, and where only one side may go.

use super::arena::Arena;
use super::arena_builder::ArenaError;
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Kinds, PursuitLevel};

impl Arena {
    /// Creates the arena of a level: robbers win on its exits, and each side keeps off the tiles of the other one. `graph` is
    /// the map of the level in the state that the table is for. Tiles that are walls there are left out.
    ///
    /// Without exits and such tiles this is [`of_map`](Self::of_map).
    ///
    /// # Errors
    /// If no tile is left for a side, if the agents of a side are of different kinds, or if an exit is on a tile that only
    /// cops enter.
    pub fn of_level(level: &PursuitLevel, graph: &Graph) -> Result<Self, ArenaError> {
        if level.is_alike_for_both_sides() {
            return Ok(Self::of_map(graph));
        }
        let Some([cops, robbers]) = level.kinds_of_sides() else {
            return Err(ArenaError::MixedKinds);
        };
        let [cops, robbers] = [cops, robbers].map(|kinds| graph.for_kinds(kinds));
        // Every cell that is passable for somebody. All grounds have the same vertices.
        let base = graph.for_kinds(Kinds::ALL);
        let vertices = |cells: &[Cell]| -> Vec<Vertex> {
            let vertices = cells.iter().filter_map(|&cell| base.vertex(cell));
            vertices.collect()
        };
        Self::builder(&base)
            .cops(&cops)
            .robber(&robbers)
            .bar_robber(&vertices(level.cops_only()))
            .bar_cops(&vertices(level.robbers_only()))
            .exits(&vertices(level.exits()))
            .build()
    }
}
