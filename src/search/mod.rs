//! Searches over a graph that someone else owns: each borrows it for one call and never changes it.

mod distances;
mod path;
mod trail_max;

pub use distances::Distances;
pub use path::shortest_path;
pub use trail_max::{Plan, Progress, TrailMax};

pub(crate) use crate::graph::Stamps;
