use super::{Digraph, Graph, Vertex};

/// What a search needs of a graph: numbered vertices and the neighbours of each.
///
/// Implemented by the graph of a map, by a level of an abstraction of it and by graphs given by
/// their edges. Neighbours come in an order that never depends on anything but the graph.
pub trait Network {
    /// The number of vertex numbers given out: the length that arrays indexed by
    /// [`Vertex::index`] need.
    fn slots(&self) -> usize;

    /// The vertices one step away.
    ///
    /// # Panics
    /// If the vertex is of another, larger graph.
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
