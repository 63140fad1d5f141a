//! Clique abstraction: a map as a hierarchy of ever smaller graphs.
//!
//! Each level stands for the one below it: up to four vertices that are pairwise adjacent become
//! one vertex, and two of these are adjacent where any of their children are. Level 0 is the map,
//! the top has no edges. A path or a chase is found on a small level first and refined below
//! (N. Sturtevant and M. Buro, *Partial pathfinding using map abstraction and refinement*, AAAI
//! 2005; C. Moldenhauer's thesis, sections 5.2 and 5.4).
//!
//! [`Hierarchy::new`] builds the hierarchy of a [`Graph`](crate::graph::Graph), vertex for vertex
//! that of the papers' reference program; [`Hierarchy::apply`] repairs it after an edit and touches
//! only what the edit changed.

mod build;
mod groups;
mod hierarchy;
mod level;
mod regroup;
mod relink;
mod repair;
mod rows;

use rows::Rows;

pub use hierarchy::Hierarchy;
pub use level::Level;
pub use repair::Repair;
