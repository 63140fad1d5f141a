//! Algorithms for the cops.
//!
//! The algorithms that decide for a team leave out cops that have no way to the robber; those
//! [`approach`].

mod approach;
mod chaser;
mod interceptor;

pub use approach::approach;
pub use chaser::Chaser;
pub use interceptor::Interceptor;
