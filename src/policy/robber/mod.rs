//! Algorithms for the robber.

mod climb;
mod cover;
mod da_trail_max;
mod delay;
mod dialled;
mod difficulty;
mod greedy;
mod guided;
mod kind;
mod minimax;
mod optimal;
mod second_best;
mod trail_max;

pub use cover::CoverRobber;
pub use da_trail_max::DaTrailMaxRobber;
pub use dialled::DialledRobber;
pub use difficulty::Difficulty;
pub use greedy::{GreedyRobber, Metric};
pub use guided::GuidedRobber;
pub use kind::{KindError, RobberKind};
pub use minimax::MinimaxRobber;
pub use optimal::OptimalRobber;
pub use trail_max::TrailMaxRobber;
