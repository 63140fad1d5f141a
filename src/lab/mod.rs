//! The laboratory: players for experiments, evaluation, tournaments, and what reproduces and extends the papers.
//!
//! No game runs any of this. The laboratory may use every other module of the core, and none of them uses it.

pub mod cop;
pub mod eval;
pub mod graph;
pub mod patterns;
mod policy;
pub mod predator_prey;
pub mod robber;
pub mod search;
pub mod solve;

pub use policy::{CopPolicy, RobberPolicy};
