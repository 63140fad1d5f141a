//! What a position is on.

use bevy_pursuit::graph::{Digraph, Graph};

/// What a position is on.
#[derive(Clone, Copy)]
pub enum Ground<'a> {
    Map(&'a Graph),
    /// A graph that is no map.
    Edges(&'a Digraph),
}
