//! Solvers of single positions by all methods of the papers, and comparisons of the simultaneous game.
//!
//! A [`MethodSolver`] solves a position as the game's [`PositionSolver`](pursuit_engine::solve::PositionSolver) does, by any
//! [`Method`].

mod alone;
mod alpha_beta;
mod cones;
mod difference;
mod escapes;
mod horizon;
mod method;
mod method_solver;
mod proof_number;
mod row;
mod shifts;
mod tida_by_sets;

pub use difference::Difference;
pub use method::Method;
pub use method_solver::MethodSolver;
