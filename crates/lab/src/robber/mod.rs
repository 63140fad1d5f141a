//! Algorithms for the robber, for comparison. Of these, a game plays only
//! [`GuidedRobber`](pursuit_engine::policy::GuidedRobber). [`RobberKind`] names them.

mod beacons;
mod cover;
mod da_trail_max;
mod dam;
mod delay;
mod dialled;
mod difficulty;
mod greedy;
mod guided;
mod kind;
mod knowing_oracle;
mod minimax;
mod one_move;
mod optimal;
mod trail_max;
mod wary;

pub use da_trail_max::DaTrailMaxRobber;
pub use dam::Refinement;
pub use dialled::DialledRobber;
pub use difficulty::Difficulty;
pub use greedy::Metric;
pub use kind::{KindError, RobberKind};
pub use knowing_oracle::Knowledge;
pub use optimal::OptimalRobber;
pub use trail_max::TrailMaxRobber;
