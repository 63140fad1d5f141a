//! Algorithms for the robber.

mod kind;
mod trail_max;

pub use kind::{KindError, RobberKind};
pub use trail_max::TrailMaxRobber;
