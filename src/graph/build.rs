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
        let mut graph = Graph::without_floor(width, height, moves);
        graph.vertex_of.clear();
        graph.exits.clear();
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
            let more = known..(known + many).min(all);
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
        let more = self.linked..(self.linked + many).min(graph.slots());
        self.linked = more.end;
        for index in more {
            graph.relink(Vertex(index as u32));
        }
        self.linked == graph.slots()
    }

    /// The graph.
    ///
    /// # Errors
    /// The builder itself until all is done.
    pub fn finish(self) -> Result<Graph, Self> {
        let graph = &self.graph;
        let all = usize::from(graph.width) * usize::from(graph.height);
        if graph.vertex_of.len() == all && self.linked == graph.slots() {
            Ok(self.graph)
        } else {
            Err(self)
        }
    }
}

impl Graph {
    /// A graph of the same size without vertices, to be made a copy a [piece](Self::copy_on) at a time.
    pub(crate) fn begin_copy(&self) -> Self {
        GraphBuilder::new(self.width, self.height, self.moves).graph
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
