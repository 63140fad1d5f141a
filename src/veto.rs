//! A game that says no: it sees each move before anybody sets out.

use crate::coordinates::Coordinates;
use bevy::prelude::*;
use pursuit_engine::world::{Verdict, Wish};
use std::fmt;

/// A move that an agent wants to make: see [`MoveRule`].
#[derive(Debug, Clone, Copy)]
pub struct MoveWish<'a> {
    /// The map.
    pub map: Entity,
    /// The agent.
    pub agent: Entity,
    /// The tile that it stands on.
    pub from: IVec2,
    /// The tiles that it wants to step on, in order; at least one. The move ends on the last one.
    pub tiles: &'a [IVec2],
}

/// The answer of a game to a [`MoveWish`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MoveVerdict {
    /// The agent may make the move.
    #[default]
    Allow,
    /// It may not: it takes its next best move, of which the game is asked, too.
    Refuse,
    /// It steps on this tile instead, if one legal step leads there. With the tile that it stands on, it stays. Any other tile
    /// counts as [`Refuse`](Self::Refuse).
    Instead(IVec2),
}

/// A rule of the game's own about moves. While this resource exists, the game is asked of each move in the tick in which it
/// begins: it may allow it, refuse it, or name another step. An agent whose move is refused takes its next best one at once.
/// Standing needs no permission, and neither does what the game orders with [`Dash`](super::Dash).
///
/// ```
/// # use bevy::prelude::*;
/// # use bevy_pursuit::{MoveRule, MoveVerdict};
/// # let mut app = App::new();
/// // Nobody enters the first column.
/// app.insert_resource(MoveRule::new(|wish| match wish.tiles.iter().any(|tile| tile.x == 0) {
///     true => MoveVerdict::Refuse,
///     false => MoveVerdict::Allow,
/// }));
/// ```
///
/// The closure cannot query entities. What it needs to know is in its captured variables, for instance behind an `Arc`, or
/// the resource is inserted anew. Runs repeat if its answers do. Cost: one call for each move, and some hundreds of
/// nanoseconds for each refusal.
#[derive(Resource)]
pub struct MoveRule(Box<dyn FnMut(&MoveWish<'_>) -> MoveVerdict + Send + Sync>);

impl fmt::Debug for MoveRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveRule").finish_non_exhaustive()
    }
}

impl MoveRule {
    /// A rule that asks the game with this closure.
    pub fn new(ask: impl FnMut(&MoveWish<'_>) -> MoveVerdict + Send + Sync + 'static) -> Self {
        Self(Box::new(ask))
    }

    /// The game's answer to the wish of an agent on a map with these coordinates. `tiles` is reused memory.
    pub(super) fn judge(
        &mut self,
        map: Entity,
        coordinates: Coordinates,
        wish: &Wish<'_>,
        tiles: &mut Vec<IVec2>,
    ) -> Verdict {
        let Some(agent) = Entity::try_from_bits(wish.agent.user) else {
            return Verdict::Allow;
        };
        tiles.clear();
        tiles.extend(wish.cells.iter().map(|&cell| coordinates.position(cell)));
        let asked = MoveWish {
            map,
            agent,
            from: coordinates.position(wish.agent.cell),
            tiles,
        };
        match (self.0)(&asked) {
            MoveVerdict::Allow => Verdict::Allow,
            MoveVerdict::Refuse => Verdict::Refuse,
            MoveVerdict::Instead(tile) => {
                let cell = coordinates.cell(tile);
                cell.map_or(Verdict::Refuse, Verdict::Instead)
            }
        }
    }
}
