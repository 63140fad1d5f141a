//! Games solved without a table of the alternating game: single positions, and simultaneous moves.
//!
//! A [`PositionSolver`] solves one position: it finds how many turns the cops need, and an optimal line of
//! play. It works in slices and within a memory limit. At any time it provides [`Bounds`] on the value. The
//! method, TIDA*, comes from C. Moldenhauer's thesis (*Game tree search algorithms for the game of cops and robber*,
//! chapter 4). The module `lab::solve` has the other methods.
//!
//! The solver works on any [`Network`](crate::graph::Network): maps, directed graphs and levels of a hierarchy.
//! It supports one to three cops of the same speed, and a robber of any speed.

mod bounds;
mod deepening;
mod error;
mod gaps;
mod reachable_graph;
mod rma;
mod seeds;
pub mod simultaneous;
mod solver;
mod spot;
mod store;
mod trails;
mod window;

pub use bounds::Bounds;
pub use error::PositionError;
pub use solver::{OutOfMemory, PlayedTurn, PositionSolver, SolverEffort, SolverStep};

#[doc(hidden)]
pub use bounds::{Known, MOST_TURNS, NEVER, Span, ToMove};
#[doc(hidden)]
pub use deepening::{Deepening, Prover};
#[doc(hidden)]
pub use gaps::Gaps;
#[doc(hidden)]
pub use reachable_graph::{ReachableGraph, UNREACHABLE};
#[doc(hidden)]
pub use rma::Rma;
#[doc(hidden)]
pub use solver::played;
#[doc(hidden)]
pub use spot::{KEY_BITS, Spot};
#[doc(hidden)]
pub use store::Store;
#[doc(hidden)]
pub use trails::Trails;
#[doc(hidden)]
pub use window::{Rated, Sets, Window};
