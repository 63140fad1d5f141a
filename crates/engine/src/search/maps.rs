//! The maps that a search borrows.

use crate::abstraction::Hierarchy;
use crate::graph::Graph;

/// The map that a search runs on: its graph, and the abstraction of the same graph if there is one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Maps<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) hierarchy: Option<&'a Hierarchy>,
}

impl<'a> Maps<'a> {
    pub(crate) const fn new(graph: &'a Graph, hierarchy: Option<&'a Hierarchy>) -> Self {
        Self { graph, hierarchy }
    }
}
