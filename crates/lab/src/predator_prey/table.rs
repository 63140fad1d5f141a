//! The predator-prey game on an empty board.

use pursuit_engine::game::{Rules, Speed};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Moves, Terrain, TileMap};
use pursuit_engine::table::{Arena, Game, Progress, SolveError, Solver};
use std::num::NonZeroU8;
use std::sync::Arc;

/// Solves the predator-prey game on an empty board (T. Cazenave, *Multi-Agent Retrograde
/// Analysis*).
///
/// Three predators, which may not share a cell, move one after another; then the prey moves. Each
/// move is an orthogonal step or none. A position ends the game if the prey is on a predator's cell
/// or if a predator is on each neighbour cell of the prey. Positions are judged after the prey's
/// move, so the prey may leave a cell that a predator has entered. The result is a column of the
/// paper's table 1: the number of positions of each depth, counting predators as distinguished.
///
/// The paper's table ends with 9 x 9. These are the next columns; the prey is captured from every
/// position:
///
/// | depth | 10 x 10 | 11 x 11 | 12 x 12 |
/// |---|---|---|---|
/// | 0 | 2,913,120 | 5,186,688 | 8,775,816 |
/// | 1 | 21,000 | 25,224 | 29,784 |
/// | 2 | 11,784 | 12,840 | 13,896 |
/// | 3 | 30,696 | 32,664 | 34,632 |
/// | 4 | 71,952 | 75,552 | 79,152 |
/// | 5 | 154,992 | 159,984 | 164,976 |
/// | 6 | 310,776 | 316,632 | 322,536 |
/// | 7 | 595,704 | 614,112 | 616,872 |
/// | 8 | 1,122,216 | 1,122,720 | 1,140,168 |
/// | 9 | 2,112,456 | 2,025,480 | 2,019,720 |
/// | 10 | 3,798,096 | 3,659,400 | 3,568,632 |
/// | 11 | 6,331,440 | 6,309,528 | 6,229,008 |
/// | 12 | 10,148,616 | 10,399,872 | 10,560,888 |
/// | 13 | 14,783,016 | 16,278,024 | 16,936,080 |
/// | 14 | 17,868,312 | 24,044,328 | 26,300,952 |
/// | 15 | 16,936,176 | 32,405,568 | 38,618,784 |
/// | 16 | 13,140,960 | 35,579,736 | 54,649,320 |
/// | 17 | 6,597,864 | 33,003,840 | 64,562,304 |
/// | 18 | 70,824 | 24,322,200 | 66,019,440 |
/// | 19 | 0 | 13,355,856 | 57,207,912 |
/// | 20 | 0 | 143,232 | 42,142,848 |
/// | 21 | 0 | 0 | 20,891,184 |
/// | 22 | 0 | 0 | 180,312 |
#[derive(Debug)]
pub struct PredatorPrey(Solver);

/// For each depth, the number of positions of the predator-prey game that the prey loses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepthCounts {
    /// The number of positions of each depth from 0 on, counting predators as distinguished.
    pub histogram: Vec<u64>,
    /// The number of all positions.
    pub positions: u64,
}

impl DepthCounts {
    /// The number of positions in which the prey is never captured.
    #[must_use]
    pub fn escapes(&self) -> u64 {
        self.positions - self.histogram.iter().sum::<u64>()
    }
}

/// One part in this number of the memory limit is reserved for the lists of a turn. They are longer
/// than [`Estimate`](pursuit_engine::table::Estimate) assumes, because a turn solves more positions than in a game
/// of cops: the solver took 3 % more memory on 12 x 12 cells.
const RESERVE: u64 = 16;

impl PredatorPrey {
    /// Prepares to solve the game on a board of `size` x `size` cells. Cost: as [`Solver::new`].
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] if the game needs more than `limit` bytes, and
    /// [`SolveError::TooManyVertices`].
    pub fn new(size: NonZeroU8, limit: u64) -> Result<Self, SolveError> {
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
        let solver = Solver::with_game(arena, rules, limit - limit / RESERVE, Game::PredatorPrey);
        solver.map(Self).map_err(|error| match error {
            SolveError::TooLarge {
                vertices,
                cops,
                needed,
                ..
            } => SolveError::TooLarge {
                vertices,
                cops,
                needed: needed.saturating_add(needed.div_ceil(RESERVE - 1)),
                limit,
            },
            other => other,
        })
    }

    /// Works on the game for a budget; see [`Solver::advance`].
    pub fn advance(&mut self, budget: usize) -> Progress {
        self.0.advance(budget)
    }

    /// Works on the game until it is solved or stopped; see [`Solver::run`].
    pub fn run(&mut self, go_on: impl FnMut(Progress) -> bool) -> Progress {
        self.0.run(go_on)
    }

    /// The present progress.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.0.progress()
    }

    /// The counts, or `None` if the game is not solved yet.
    #[must_use]
    pub fn finish(self) -> Option<DepthCounts> {
        let solution = self.0.finish()?;
        Some(DepthCounts {
            histogram: solution.histogram().to_vec(),
            positions: solution.positions(),
        })
    }
}
