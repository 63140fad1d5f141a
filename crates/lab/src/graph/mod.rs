//! Graphs that are no maps: formats of lists of graphs, and graphs on which one cop wins.

mod dismantle;
pub mod edge_list;
pub mod graph6;

pub(crate) use dismantle::dismantle_while;
pub use dismantle::{Dismantling, Pitfall, dismantle, pitfalls};
pub use edge_list::EdgeListError;
pub use graph6::Graph6Error;
