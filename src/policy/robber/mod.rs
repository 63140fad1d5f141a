//! Algorithms for the robber.

mod beacons;
mod beliefs;
mod cover;
mod da_trail_max;
mod dam;
mod delay;
mod dialled;
mod difficulty;
mod greedy;
mod guided;
mod kind;
mod known_map;
mod minimax;
mod one_move;
mod optimal;
mod second_best;
mod sight;
mod sighted;
mod trail_max;
mod wary;
mod window;

pub use da_trail_max::DaTrailMaxRobber;
pub use dam::Refinement;
pub use dialled::DialledRobber;
pub use difficulty::Difficulty;
pub use greedy::Metric;
pub use guided::GuidedRobber;
pub use kind::{KindError, RobberKind};
pub use optimal::OptimalRobber;
pub use sight::{Beyond, LimitedSight};
pub use sighted::SightedRobber;
pub use trail_max::TrailMaxRobber;
