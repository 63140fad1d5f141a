use super::{Graph, Vertex};
use crate::map::{Cell, Moves, TileMap};

/// A [`Graph`] that is built a piece at a time; the same as [`Graph::new`], whatever the pieces.
#[derive(Debug, Clone)]
pub struct GraphBuilder {
    graph: Graph,
    /// Vertices whose neighbours are listed.
    linked: usize,
}

impl GraphBuilder {
    /// Begins with the graph of a map of this size. Cost: constant.
    #[must_use]
    pub fn new(width: u16, height: u16, moves: Moves) -> Self {
        let mut graph = Graph::without_cells(width, height, moves);
        let cells = usize::from(width) * usize::from(height);
        graph.vertex_of.reserve_exact(cells);
        graph.exits.reserve_exact(cells);
        Self { graph, linked: 0 }
    }

    /// Goes on by so many cells, and then by as many vertices; `true` once all is done. The map has to
    /// be the same each time.
    pub fn advance(&mut self, map: &TileMap, many: usize) -> bool {
        let graph = &mut self.graph;
        let width = usize::from(graph.width);
        let all = width * usize::from(graph.height);
        let known = graph.vertex_of.len();
        if known < all {
            let more = known..known.saturating_add(many).min(all);
            graph.vertex_of.resize(more.end, super::NO_VERTEX);
            graph.exits.resize(more.end, 0);
            for index in more {
                let cell = Cell::new((index % width) as u16, (index / width) as u16);
                if map.is_passable(cell) {
                    graph.open(cell);
                }
            }
            return false;
        }
        let more = self.linked..self.linked.saturating_add(many).min(graph.slots());
        self.linked = more.end;
        for index in more {
            graph.relink(Vertex(index as u32));
        }
        self.linked == graph.slots()
    }

    /// The cells and vertices that are done.
    pub(crate) const fn done(&self) -> usize {
        self.graph.vertex_of.len() + self.linked
    }

    /// The graph. What is not done yet is done at once.
    #[must_use]
    pub fn finish(mut self, map: &TileMap) -> Graph {
        while !self.advance(map, usize::MAX) {}
        self.graph
    }
}

impl Graph {
    /// A graph of the same size without vertices, to be made a copy a [piece](Self::copy_on) at a time.
    pub(crate) fn begin_copy(&self) -> Self {
        let mut copy = GraphBuilder::new(self.width, self.height, self.moves).graph;
        // Lists that grow would be moved, all of a large one at once.
        copy.vertex_of.reserve_exact(self.vertex_of.len());
        copy.exits.reserve_exact(self.exits.len());
        copy.cell_of.reserve_exact(self.cell_of.len());
        copy.live.reserve_exact(self.live.len());
        copy.degree.reserve_exact(self.degree.len());
        copy.neighbours.reserve_exact(self.neighbours.len());
        copy
    }

    /// Goes on with a copy by so many cells and vertices; `true` once it is one. The graph must not
    /// change meanwhile.
    pub(crate) fn copy_on(&mut self, of: &Self, many: usize) -> bool {
        let stride = self.stride();
        extend(&mut self.vertex_of, &of.vertex_of, many);
        extend(&mut self.exits, &of.exits, many);
        extend(&mut self.cell_of, &of.cell_of, many);
        extend(&mut self.live, &of.live, many);
        extend(&mut self.degree, &of.degree, many);
        extend(&mut self.neighbours, &of.neighbours, many * stride);
        (self.live_vertices, self.fingerprint) = (of.live_vertices, of.fingerprint);
        self.slots() == of.slots() && self.cells() == of.cells()
    }
}

/// Copies so many items more.
fn extend<T: Copy>(copy: &mut Vec<T>, of: &[T], many: usize) {
    let known = copy.len().min(of.len());
    copy.extend_from_slice(&of[known..(known + many).min(of.len())]);
}
