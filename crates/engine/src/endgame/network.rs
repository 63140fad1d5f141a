//! Networks on which endgames prove captures: links from a vertex, and links that lead to it.

use super::cell_shape::CellShape;
use super::link_shape::LinkShape;
use super::shape::Shape;
use crate::game::Rules;
use crate::graph::{Digraph, Graph, Network, Vertex};
use crate::map::{Cell, Moves};
use std::fmt::Debug;

/// A network on which [`Endgames`](super::Endgames) prove captures: besides the links from a vertex, the links that
/// lead to it.
///
/// A link may lead one way only. Both sides move along the links. Every agent may wait. The proofs in the documentation
/// of the [module](super) use nothing else.
///
/// Implemented for the [`Graph`] of a map and for [`Digraph`]s. On a map, regions that are equal except for their
/// position, rotation and reflection share one table. On other networks, regions share one table if their vertices have
/// the same links in the order of the vertices.
pub trait EndgameNetwork: Network {
    /// What stands for a vertex in an [`EndgameRegion`](super::EndgameRegion): its cell on a map.
    type Site: Debug + Copy + Ord;

    /// Returns whether every link is known to lead both ways.
    fn is_two_way(&self) -> bool {
        false
    }

    /// The vertices from which one step leads to a vertex.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    fn predecessors(&self, vertex: Vertex) -> &[Vertex];

    /// Returns whether the vertex exists at present.
    fn is_live(&self, vertex: Vertex) -> bool {
        vertex.index() < self.slots()
    }

    /// What stands for a vertex in an [`EndgameRegion`](super::EndgameRegion).
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    fn site(&self, vertex: Vertex) -> Self::Site;

    /// The steps of the rules of the game. Networks that are no maps have the default.
    fn moves(&self) -> Moves {
        Rules::default().moves
    }

    /// The shape of a set of vertices in order, some of which guards close, and the place of each vertex in the tables
    /// of this shape.
    #[doc(hidden)]
    fn shape(&self, vertices: &[Vertex], guards: &[Vertex]) -> (Shape, Vec<u16>) {
        let shape = LinkShape::of(self, vertices, guards);
        let places = (0..vertices.len()).map(|place| place as u16);
        (Shape::Links(shape), places.collect())
    }
}

impl EndgameNetwork for Graph {
    type Site = Cell;

    fn is_two_way(&self) -> bool {
        Self::is_two_way(self)
    }

    fn predecessors(&self, vertex: Vertex) -> &[Vertex] {
        Self::predecessors(self, vertex)
    }

    fn is_live(&self, vertex: Vertex) -> bool {
        Self::is_live(self, vertex)
    }

    fn site(&self, vertex: Vertex) -> Cell {
        self.cell(vertex)
    }

    fn moves(&self) -> Moves {
        Self::moves(self)
    }

    fn shape(&self, vertices: &[Vertex], guards: &[Vertex]) -> (Shape, Vec<u16>) {
        if self.is_two_way() && !self.has_links() {
            let (shape, places) = CellShape::of(self, vertices, guards);
            return (Shape::Cells(shape), places);
        }
        // The shape of cells knows only steps between cells that are side by side, both ways.
        let shape = LinkShape::of(self, vertices, guards);
        let places = (0..vertices.len()).map(|place| place as u16);
        (Shape::Links(shape), places.collect())
    }
}

impl EndgameNetwork for Digraph {
    type Site = Vertex;

    fn predecessors(&self, vertex: Vertex) -> &[Vertex] {
        Self::predecessors(self, vertex)
    }

    fn site(&self, vertex: Vertex) -> Vertex {
        vertex
    }
}
