//! Algorithms for the cops.
//!
//! Cops that have no way to the robber wait.

mod chaser;
mod interceptor;

pub use chaser::Chaser;
pub use interceptor::Interceptor;
