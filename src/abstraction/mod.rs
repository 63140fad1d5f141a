//! Clique abstraction: a map as a hierarchy of ever smaller graphs.
//!
//! Each level stands for the one below it: up to four vertices that are pairwise adjacent become
//! one vertex, their parent, and two parents are adjacent where any of their children are. Level 0
//! is the map, the top has no edges. A path or a chase is found on a small level first and refined
//! below (N. Sturtevant and M. Buro, *Partial pathfinding using map abstraction and refinement*,
//! AAAI 2005; thesis, sections 5.2 and 5.4 and definition 7.11).
//!
//! [`Hierarchy::new`] builds the hierarchy of a [`Graph`](crate::graph::Graph), the same as the
//! papers' reference program to the last number; [`Hierarchy::apply`] repairs it after an edit and
//! touches only what has changed. [`Maintenance`] builds and repairs within a budget, a piece at a time.
//!
//! # What holds
//!
//! For every hierarchy, built or repaired:
//! - Every vertex has one parent, except at the top.
//! - The children of a vertex are a clique of one to four vertices, and any number of pendants
//!   (vertices with one edge) that hang on the clique.
//! - No vertex is alone in its group beside another one that is, or as a pendant.
//! - Two vertices are adjacent if and only if children of them are.
//! - A vertex lies at the mean of its children's positions, each counted as often as it has
//!   children itself.
//! - Only the top has no edges. So two cells have the same ancestor there if and only if a path
//!   joins them, which is what [`Hierarchy::connected`] looks at.
//!
//! Nothing bounds the number of levels but the number of vertices; on real maps it grows with
//! the logarithm of their size (12 levels for 22,841 vertices, 15 for 799,311).

mod build;
mod check;
mod groups;
mod hierarchy;
mod level;
mod maintenance;
mod maintenance_save;
mod regroup;
mod relink;
mod repair;
mod rows;
mod save;

pub use check::{Flaw, InvalidHierarchy};
pub use hierarchy::Hierarchy;
pub(crate) use hierarchy::Lineage;
pub use level::AbstractLevel;
pub use maintenance::Maintenance;
pub use maintenance_save::InvalidFollower;
pub use repair::Repair;
