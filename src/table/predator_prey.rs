use super::arena::Arena;
use super::game::Game;
use super::{SolveError, Solver};
use crate::game::{Rules, Speed};
use crate::graph::Graph;
use crate::map::{Moves, Terrain, TileMap};
use std::num::NonZeroU8;
use std::sync::Arc;

/// A solver of the predator-prey game on an empty board of `size` x `size` cells (Cazenave,
/// Multi-Agent Retrograde Analysis).
///
/// Three predators that may not share a cell move one after another, straight steps or none, then
/// the prey. A position ends the game if the prey stands on a predator's cell or has a predator on
/// each neighbour cell; it is judged after the prey's move, so that a prey may leave a cell that a
/// predator has entered. The [histogram](super::Solution::histogram) of the solution is a column of
/// the paper's table 1: the number of positions of each depth, the predators told apart.
///
/// # Errors
/// If it would need more than `limit` bytes.
pub fn predator_prey(size: NonZeroU8, limit: u64) -> Result<Solver, SolveError> {
    let size = u16::from(size.get());
    let vertices = usize::from(size).pow(2);
    let board = TileMap::filled(size, size, Terrain::Floor);
    let board = board.ok_or(SolveError::TooManyVertices { vertices })?;
    let rules = Rules {
        cops: NonZeroU8::MIN.saturating_add(2),
        cop_speed: Speed::ONE,
        robber_speed: Speed::ONE,
        moves: Moves::Orthogonal,
    };
    let arena = Arc::new(Arena::of_map(&Graph::new(&board, Moves::Orthogonal)));
    Solver::with_game(arena, rules, limit, Game::PredatorPrey)
}
