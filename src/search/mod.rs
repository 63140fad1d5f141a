//! Searches over a graph that someone else owns: each borrows it for one call and never changes it.

mod distances;
mod octile;
mod octile_race;
mod path;
mod plan;
mod race;
mod trail_max;

pub use distances::Distances;
pub use path::shortest_path;
pub use plan::{Plan, Progress};
pub use race::Race;
pub use trail_max::TrailMax;

pub(crate) use crate::graph::Stamps;
