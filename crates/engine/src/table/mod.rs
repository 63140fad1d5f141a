//! Exact tables: retrograde analysis, best responses, and tables as files.
//!
//! A [`Solver`] computes the capture time of every position on an [`Arena`] (a map or a graph). The
//! result is a [`Solution`], which holds all values in memory. A [`Table`] is the form that is
//! stored: the bytes of a [`.ptab` file](mod@file), which take a fraction of a bit for each
//! position and are read without unpacking. Both types implement [`CaptureTimes`], which a
//! `policy::TablePlayer` plays from. [`Table::verify`] checks every value against the values of its
//! successors.
//!
//! [`Arena::builder`] adds the rules of other games: different grounds of the two sides, exits,
//! captures from a distance, and cops that may not share a place. Whatever does not know these rules
//! declines such an arena or table.
//!
//! # How it is fast
//!
//! A word holds one bit for each of 64 cop placements. For each word, the sets for all places of
//! the robber lie in one contiguous piece of memory, a slab. Both halves of a turn either stay
//! within a slab or read short sorted lists, so memory is read sequentially. Neighbours in memory
//! are neighbours on the map, because a Hilbert curve numbers the cells.
//!
//! Three designs were rejected:
//! - a queue of states, as in the papers: a hundred times the memory traffic;
//! - boards of 8 x 8 cells of the map, moved by shifts: on real maps two fifths of the bits are
//!   walls, and the steps of a fast cop around corners need many masks;
//! - one slab for each place of the robber: each word needs nine reads that are far apart in
//!   memory.
mod arena;
mod arena_builder;
mod arena_rules;
mod away;
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
mod ground;
mod level_arena;
mod preparation;
mod progress;
mod ranking;
mod reach;
mod settling;
mod shape;
mod slab;
mod solution;
mod solver;
mod spread;
mod sweep;
mod times;
mod turn_pass;
mod values;
mod verification;
mod verify;
mod verify_rules;

pub use arena::Arena;
pub(crate) use arena::hilbert_index;
pub use arena_builder::{ArenaBuilder, ArenaError, ArenaGround};
pub use best_response::{Response, best_response_to_cops, best_response_to_robber};
pub use error::SolveError;
pub use estimate::Estimate;
pub use file::{Table, TableError};
pub(crate) use ground::GroundStamp;
pub use ground::TableGround;
pub(crate) use preparation::Preparation;
pub use progress::Progress;
pub(crate) use ranking::Ranking;
pub use solution::Solution;
pub use solver::Solver;
pub use values::CaptureTimes;
pub use verification::{Verification, VerifyError, WrongValue};

#[doc(hidden)]
pub use game::Game;
#[doc(hidden)]
pub use times::MAX_TURNS;

/// The greatest number of vertices that a table can have.
pub const MAX_VERTICES: usize = 1 << 16;
