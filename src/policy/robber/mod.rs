//! Algorithms for the robber.

mod beacons;
mod cover;
mod dam;
mod greedy;
mod kind;
mod minimax;
mod one_move;
mod trail_max;

pub use beacons::RandomBeaconsRobber;
pub use cover::CoverRobber;
pub use dam::{DamRobber, Refinement};
pub use greedy::{GreedyRobber, Metric};
pub use kind::{KindError, RobberKind};
pub use minimax::MinimaxRobber;
pub use trail_max::TrailMaxRobber;
