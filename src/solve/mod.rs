//! Games solved without a table of the alternating game: single positions, and simultaneous moves.
//!
//! A [`PositionSolver`] solves one position: it finds how many turns the cops need, and an optimal line of
//! play. It works in slices and within a memory limit. At any time it provides [`Bounds`] on the value. The
//! methods come from C. Moldenhauer's thesis (*Game tree search algorithms for the game of cops and robber*,
//! chapter 4): see [`Method`].
//!
//! All methods work on any [`Network`](crate::graph::Network): maps, directed graphs and levels of a hierarchy.
//! They support one to three cops of the same speed, and a robber of any speed.

mod alone;
mod bounds;
mod cones;
mod deepening;
mod error;
mod escapes;
mod field;
mod gaps;
mod horizon;
mod method;
mod predator_prey;
mod proof_number;
mod rma;
mod row;
mod seeds;
mod shifts;
pub mod simultaneous;
mod solver;
mod spot;
mod store;
mod trails;
mod window;

pub use bounds::Bounds;
pub use error::PositionError;
pub use method::Method;
pub use predator_prey::PredatorPreySearch;
pub use solver::{Effort, PlayedTurn, PositionSolver, Status};
