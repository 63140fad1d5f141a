//! The game of predators and prey on small boards (T. Cazenave, *Multi-Agent Retrograde Analysis*, section 3): solved by
//! a table, and by search.

mod search;
mod table;

pub use search::PredatorPreySearch;
pub use table::{DepthCounts, PredatorPrey};
