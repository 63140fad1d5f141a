//! Algorithms for the robber.

mod kind;
mod optimal;
mod trail_max;

pub use kind::{KindError, RobberKind};
pub use optimal::OptimalRobber;
pub use trail_max::TrailMaxRobber;
