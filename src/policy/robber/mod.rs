//! Algorithms for the robber.

mod beacons;
mod cover;
mod da_trail_max;
mod dam;
mod greedy;
mod guided;
mod kind;
mod minimax;
mod one_move;
mod optimal;
mod trail_max;

pub use beacons::RandomBeaconsRobber;
pub use cover::CoverRobber;
pub use da_trail_max::DaTrailMaxRobber;
pub use dam::{DamRobber, Refinement};
pub use greedy::{GreedyRobber, Metric};
pub use guided::GuidedRobber;
pub use kind::{KindError, RobberKind};
pub use minimax::MinimaxRobber;
pub use optimal::OptimalRobber;
pub use trail_max::TrailMaxRobber;
