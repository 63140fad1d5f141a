//! Algorithms for the cops. Each decides for all cops that chase the same robber.
//!
//! | policy | plans on | cops without a path to the robber |
//! |---|---|---|
//! | [`Chaser`] | the map | wait |
//! | [`CoverCops`] | the map | take what the robber reaches |
//! | [`EndgameCops`] | local tables where they prove a capture, as [`GuidedCops`] elsewhere | go as near as they get |
//! | [`GuidedCops`] | races of joint moves and a retract or an abstract level that is solved | go as near as they get |
//! | [`Interceptor`] | the map | wait |
//! | [`LevelInterceptor`] | the map near the robber, abstract levels beyond | go as near as they get |
//! | [`OptimalCops`] | a table | wait |
//! | [`SubsetCops`] | a table of as many cops or fewer | wait |
//! | [`TeamCops`] | races of joint moves near the robber, as [`LevelInterceptor`] beyond | go as near as they get |
//!
//! [`CopKind`] names them.

mod chaser;
mod cover;
mod endgame;
mod guided;
mod interceptor;
mod kind;
mod level_interceptor;
mod optimal;
mod subset_cops;
mod team;

pub use chaser::Chaser;
pub use cover::CoverCops;
pub use endgame::EndgameCops;
pub use guided::GuidedCops;
pub use interceptor::Interceptor;
pub use kind::CopKind;
pub use level_interceptor::LevelInterceptor;
pub use optimal::OptimalCops;
pub use subset_cops::SubsetCops;
pub use team::TeamCops;
