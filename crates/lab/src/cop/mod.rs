//! Algorithms for the cops that no game plays, for comparison. Each decides for all cops that chase the same robber.
//! [`WorldCops`](crate::eval::WorldCops) play as a game does.
//!
//! | policy | plans on | cops without a path to the robber |
//! |---|---|---|
//! | [`Chaser`] | the map | wait |
//! | [`CoverCops`] | the map | take what the robber reaches |
//! | [`Interceptor`] | the map | wait |
//! | [`LevelInterceptor`] | the map near the robber, abstract levels beyond | go as near as they get |
//! | [`OptimalCops`] | a table | wait |
//!
//! [`CopKind`](crate::eval::CopKind) names them.

mod chaser;
mod cover;
mod interceptor;
mod level_interceptor;
mod optimal;

pub use chaser::Chaser;
pub use cover::CoverCops;
pub use interceptor::Interceptor;
pub use level_interceptor::LevelInterceptor;
pub use optimal::OptimalCops;
