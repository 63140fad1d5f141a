//! Searches over a graph that someone else owns: each borrows it for one call and never changes it.

mod cover;
mod distances;
mod minimax;
mod move_ends;
mod path;
mod stamps;
mod trail_max;

pub use cover::{Cover, CoverRule, Covered};
pub use distances::Distances;
pub use minimax::Minimax;
pub use path::shortest_path;
pub use trail_max::{Plan, Progress, TrailMax};

pub(crate) use move_ends::MoveEnds;
pub(crate) use stamps::Stamps;
