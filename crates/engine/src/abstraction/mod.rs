//! Clique abstraction: a map as a hierarchy of successively smaller graphs.
//!
//! Each level abstracts the one below: up to four pairwise adjacent vertices become one vertex, their
//! parent, and two parents are adjacent if any of their children are. Level 0 is the map, the top
//! level has no edges. A search solves a small level first and refines the result on the levels below
//! (N. Sturtevant and M. Buro, *Partial pathfinding using map abstraction and refinement*, AAAI 2005;
//! C. Moldenhauer, *Game tree search algorithms for the game of cops and robber*, 2009, sections 5.2
//! and 5.4 and definition 7.11).
//!
//! [`Hierarchy::new`] builds the hierarchy of a [`Graph`](crate::graph::Graph). With octile moves, it has the same vertex
//! numbers as in Moldenhauer's research code. With orthogonal moves, the largest cliques of a map are pairs. Pairs in
//! rows alternate with pairs in columns from level to level, so that open ground becomes squares and not long strips.
//! [`Hierarchy::apply`] repairs the hierarchy after an edit and touches only what has changed. [`Maintenance`] builds and repairs within a budget, in slices.
//!
//! # Invariants
//!
//! Every hierarchy, built or repaired, has these properties:
//! - Every vertex has one parent, except at the top.
//! - The children of a vertex are a clique of one to four vertices, plus any number of pendants
//!   (vertices with one edge) attached to the clique.
//! - A vertex that is alone in its group is not a pendant and has no neighbour alone in its group.
//! - Two vertices are adjacent if and only if any of their children are.
//! - The position of a vertex is the mean of its children's positions, each weighted by its own
//!   number of children.
//! - Only the top has no edges. So two cells have the same ancestor there if and only if a path
//!   connects them, which [`Hierarchy::connected`] uses.
//!
//! Only the number of vertices bounds the number of levels; on real maps it grows with the logarithm
//! of their size (12 levels for 22,841 vertices, 15 for 799,311).

mod build;
mod check;
mod grid;
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
pub use maintenance_save::InvalidMaintenance;
pub use repair::Repair;
