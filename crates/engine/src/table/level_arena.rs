//! The game that a level describes: its exits, and where only one side may go.

use super::arena::Arena;
use super::arena_builder::ArenaError;
use super::ground::TableGround;
use crate::graph::{Graph, GraphDelta};
use crate::map::PursuitLevel;

impl Arena {
    /// Creates the arena of a level: robbers win on its exits, and each side keeps off the tiles of the other one. `graph` is
    /// the map of the level in the state that the table is for. Tiles that are walls there are left out.
    ///
    /// A live world on the [map of the level](PursuitLevel::play_map) finds tables of this arena. Without exits and such
    /// tiles this is [`of_map`](Self::of_map).
    ///
    /// # Errors
    /// If an agent covers several cells, if no tile is left for a side, if the agents of a side are of different kinds, or if an exit is on a tile that only
    /// cops enter.
    pub fn of_level(level: &PursuitLevel, graph: &Graph) -> Result<Self, ArenaError> {
        if level.is_alike_for_both_sides() {
            return Ok(Self::of_map(graph));
        }
        if level.has_large_agents() {
            return Err(ArenaError::LargeAgents);
        }
        let Some([cops, robbers]) = level.kinds_for_play() else {
            return Err(ArenaError::MixedKinds);
        };
        let mut map = graph.clone();
        let edits: Vec<_> = level.edits_for_play().collect();
        map.apply_edits(&edits, &mut GraphDelta::default());
        let [cops, robber] = [cops, robbers].map(|kinds| map.for_walker(kinds));
        let ground = TableGround {
            cops: &cops,
            robber: &robber,
            exits: true,
            reach: 0,
        };
        let base = ground.base();
        let is_lost = |&exit: &_| base.is_passable(exit) && !robber.is_passable(exit);
        let mut lost = level.exits().iter().copied().filter(is_lost);
        if let Some(vertex) = lost.next().and_then(|exit| base.vertex(exit)) {
            let vertex = vertex.index();
            return Err(ArenaError::ExitOffGround { vertex });
        }
        Self::of_ground(ground)
    }
}
