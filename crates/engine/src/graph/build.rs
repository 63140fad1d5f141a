//! Builds or copies a graph in slices, so that a large map does not take a whole frame.

use super::{Graph, Vertex};
use crate::map::{Cell, Moves, TileMap, Walker};

/// Builds a [`Graph`] in slices. The result equals [`Graph::new`], whatever the size of the slices.
#[derive(Debug, Clone)]
pub struct GraphBuilder {
    graph: Graph,
    /// The number of vertices whose neighbours are known.
    linked: usize,
}

impl GraphBuilder {
    /// Starts the graph of a map. Cost: constant.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves) -> Self {
        Self::of_size(map.width(), map.height(), moves)
    }

    /// The same for agents of some kinds and size, which go where [the graph for them](Graph::of_walker) leads.
    #[must_use]
    pub fn of_walker(map: &TileMap, moves: Moves, walker: impl Into<Walker>) -> Self {
        let mut builder = Self::new(map, moves);
        builder.graph.set_walker(walker.into());
        builder
    }

    fn of_size(width: u16, height: u16, moves: Moves) -> Self {
        let mut graph = Graph::without_cells(width, height, moves);
        let cells = usize::from(width) * usize::from(height);
        graph.vertex_of.reserve_exact(cells);
        graph.exits.reserve_exact(cells);
        Self { graph, linked: 0 }
    }

    /// Processes up to `count` cells, or `count` vertices once all cells are done. Returns `true` when
    /// the graph is complete. The map must be the same in each call.
    pub fn advance(&mut self, map: &TileMap, count: usize) -> bool {
        let graph = &mut self.graph;
        let width = usize::from(graph.width);
        let all = width * usize::from(graph.height);
        let known = graph.vertex_of.len();
        if known < all {
            let more = known..known.saturating_add(count).min(all);
            graph.vertex_of.resize(more.end, super::NO_VERTEX);
            graph.exits.resize(more.end, 0);
            for index in more {
                let cell = Cell::new((index % width) as u16, (index / width) as u16);
                if map.is_passable(cell) {
                    graph.open(cell);
                }
            }
            if graph.vertex_of.len() == all {
                graph.install_rules(map.rules());
            }
            return false;
        }
        let more = self.linked..self.linked.saturating_add(count).min(graph.slots());
        self.linked = more.end;
        for index in more {
            graph.relink(Vertex(index as u32));
        }
        self.linked == graph.slots()
    }

    /// The number of cells and vertices processed so far.
    pub(crate) const fn done(&self) -> usize {
        self.graph.vertex_of.len() + self.linked
    }

    /// Returns the graph, after processing all remaining cells and vertices at once.
    #[must_use]
    pub fn finish(mut self, map: &TileMap) -> Graph {
        while !self.advance(map, usize::MAX) {}
        self.graph
    }
}

impl Graph {
    /// Starts a copy: an empty graph of the same size, which [`advance_copy`](Self::advance_copy) fills.
    pub(crate) fn begin_copy(&self) -> Self {
        let mut copy = GraphBuilder::of_size(self.width, self.height, self.moves).graph;
        // Without the reserve, a push could move a whole large list in one slice.
        copy.vertex_of.reserve_exact(self.vertex_of.len());
        copy.exits.reserve_exact(self.exits.len());
        copy.cell_of.reserve_exact(self.cell_of.len());
        copy.live.reserve_exact(self.live.len());
        copy.degree.reserve_exact(self.degree.len());
        copy.neighbours.reserve_exact(self.neighbours.len());
        copy
    }

    /// A graph of the same size and moves that consists of walls only.
    pub(crate) fn walled(&self) -> Self {
        Self::without_floor(self.width, self.height, self.moves)
    }

    /// Copies up to `count` more cells and vertices. Returns `true` when the copy is complete. The
    /// original must not change meanwhile.
    pub(crate) fn advance_copy(&mut self, of: &Self, count: usize) -> bool {
        (self.moves, self.width, self.height) = (of.moves, of.width, of.height);
        self.walker = of.walker;
        self.stride = of.stride;
        let stride = self.stride;
        extend(&mut self.vertex_of, &of.vertex_of, count);
        extend(&mut self.exits, &of.exits, count);
        extend(&mut self.cell_of, &of.cell_of, count);
        extend(&mut self.live, &of.live, count);
        extend(&mut self.degree, &of.degree, count);
        extend(
            &mut self.neighbours,
            &of.neighbours,
            count.saturating_mul(stride),
        );
        (self.live_vertices, self.fingerprint) = (of.live_vertices, of.fingerprint);
        let is_complete = self.slots() == of.slots() && self.cells() == of.cells();
        if is_complete {
            self.rules.clone_from(&of.rules);
        }
        is_complete
    }
}

/// Copies up to `count` more items.
fn extend<T: Copy>(copy: &mut Vec<T>, of: &[T], count: usize) {
    let known = copy.len().min(of.len());
    copy.extend_from_slice(&of[known..known.saturating_add(count).min(of.len())]);
}
