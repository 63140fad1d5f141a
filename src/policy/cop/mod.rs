//! Algorithms for the cops.

mod approach;
mod chaser;

pub use approach::approach;
pub use chaser::Chaser;
