//! The laboratory: players for experiments, evaluation, tournaments, and what reproduces and extends the papers.
//!
//! Games do not run this code, and the engine does not depend on it.

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

/// The chapters of the research book: their examples are doc tests.
#[cfg(doctest)]
mod book {
    macro_rules! chapters {
        ($($name:ident $path:literal)*) => { $( #[doc = include_str!($path)] struct $name; )* };
    }
    chapters! {
        Tool "../../../docs/research/src/tool.md"
        Algorithms "../../../docs/research/src/algorithms.md"
    }
}
