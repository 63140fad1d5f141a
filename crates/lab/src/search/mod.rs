//! Searches that decide for players of experiments only.

mod cover;
mod minimax;

pub use cover::{Cover, CoverRule, Covered};
pub use minimax::Minimax;
