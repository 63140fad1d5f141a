//! The interface that searches need from a graph.

use super::{Digraph, Graph, Vertex};

/// The interface that a search needs from a graph: numbered vertices and their neighbours.
///
/// Implemented by the graph of a map, by the levels of its hierarchy and by graphs given by their
/// edges. The order of neighbours depends on the graph only.
pub trait Network {
    /// The number of vertex numbers in use: the required length of arrays indexed by
    /// [`Vertex::index`].
    fn slots(&self) -> usize;

    /// The vertices one step away.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    fn neighbours(&self, vertex: Vertex) -> &[Vertex];
}

impl Network for Graph {
    fn slots(&self) -> usize {
        Self::slots(self)
    }

    fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        Self::neighbours(self, vertex)
    }
}

impl Network for Digraph {
    fn slots(&self) -> usize {
        self.vertices()
    }

    fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        self.successors(vertex)
    }
}
