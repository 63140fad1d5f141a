//! Algorithms for the cops. Each decides for all cops that chase the same robber.
//!
//! | policy | plans on | cops without a path to the robber |
//! |---|---|---|
//! | [`Chaser`] | the map | wait |
//! | [`Interceptor`] | the map | wait |
//! | [`LevelInterceptor`] | the map near the robber, abstract levels beyond | go as near as they get |

mod chaser;
mod interceptor;
mod level_interceptor;

pub use chaser::Chaser;
pub use interceptor::Interceptor;
pub use level_interceptor::LevelInterceptor;
