//! Games solved without a table of the alternating game: single positions, and simultaneous moves.
//!
//! A [`PositionSolver`] works on one position until it knows how many turns the cops need, and has an
//! optimal line of play. It works in slices and within a limit of memory, and at any time it knows
//! [`Bounds`] on the value. The methods are those of C. Moldenhauer's thesis (*Game tree search algorithms
//! for the game of cops and robber*, chapter 4): see [`Method`].
//!
//! All methods work on any [`Network`](crate::graph::Network): maps, directed graphs, levels of a
//! hierarchy; for one to three cops of one speed and a robber of any speed.

mod bounds;
mod deepening;
mod error;
mod field;
mod gaps;
mod method;
mod predator_prey;
mod proof_number;
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
pub use method::Method;
pub use predator_prey::PredatorPreySearch;
pub use solver::{Effort, PlayedTurn, PositionSolver, Status};
