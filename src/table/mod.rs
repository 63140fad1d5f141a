//! Exact tables: retrograde analysis, best responses, and tables as files.
//!
//! A [`Solver`] finds the capture time of every position of an [`Arena`] (a map or a graph), a
//! [`Solution`] holds them as it left them, and a [`Table`] is what is kept: the bytes of a
//! [`.ptab` file](mod@file), a fraction of a bit for each position, that is read without unpacking.
//! Both answer as [`CaptureTimes`], by which a `policy::TablePlayer` plays.
//! [`Table::verify`] checks every entry against its successors.
//!
//! # How it is fast
//!
//! For each word of 64 positions of the cops the sets for all places of the robber stand in one
//! piece, a slab. Both halves of a turn stay within slabs or read short sorted lists, so that memory
//! is read in runs, and neighbours in memory are neighbours on the map (a Hilbert curve numbers
//! the cells). Rejected: a queue of states (as in the papers; a hundred times the memory traffic),
//! boards of 8 x 8 cells of the map moved by shifts (two fifths of their bits are walls on real
//! maps, and the steps of a fast cop around corners need many masks), and one slab for each
//! place of the robber (nine reads far apart for each word).
mod arena;
mod balls;
mod best_response;
mod bits;
mod bound;
mod bulk;
mod error;
mod estimate;
pub mod file;
mod flood;
mod game;
mod predator_prey;
mod ranking;
mod reach;
mod shape;
mod slab;
mod solution;
mod solver;
mod spread;
mod sweep;
mod times;
mod values;
mod verify;
mod walk;

pub use arena::Arena;
pub use best_response::{Response, best_response_to_cops, best_response_to_robber};
pub use error::SolveError;
pub use estimate::Estimate;
pub use file::{Table, TableError};
pub use predator_prey::{DepthCounts, PredatorPrey};
pub use solution::Solution;
pub use solver::{Progress, Solver};
pub use values::CaptureTimes;
pub use verify::{Verification, VerifyError, WrongValue};

pub(crate) use times::MAX_TURNS;

/// The most vertices that a table can have.
pub const MAX_VERTICES: usize = 1 << 16;
