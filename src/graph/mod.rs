//! The map as a graph: numbered vertices, flat adjacency, and edits that touch only what changed.

mod build;
mod csr;
mod digraph;
mod dismantle;
mod edit;
mod fingerprint;
pub mod graph6;
mod line_of_sight;
mod network;
mod save;
mod visited_set;

pub use build::GraphBuilder;
pub(crate) use csr::Csr;
pub use digraph::{Digraph, EdgeError};
pub(crate) use dismantle::dismantle_while;
pub use dismantle::{Dismantling, Pitfall, dismantle, pitfalls};
pub use edit::{GraphDelta, TileEdit};
pub use fingerprint::Fingerprint;
pub use graph6::Graph6Error;
pub use network::Network;
pub use save::InvalidGraph;
pub(crate) use save::{packed, unpacked};
pub(crate) use visited_set::VisitedSet;

use crate::map::{Cell, Moves, TileMap};
use serde::{Deserialize, Serialize};

/// A vertex of a [`Graph`]: a compact number, stable as long as the graph lives.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Vertex(u32);

impl Vertex {
    /// The number, from 0: an index into arrays of [`Graph::slots`] elements.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The vertex with a number; whoever numbers vertices knows that there is one.
    pub(crate) const fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
}

const NO_VERTEX: u32 = u32::MAX;

/// The cells of a map as vertices, with an edge for each step that [`Moves`] allows.
///
/// Vertices are numbered row by row at first. A cell that becomes a wall keeps its number and
/// loses its edges, so that a door that swings back finds everything in place; a wall that becomes
/// floor for the first time gets the next free number.
///
/// Memory: 5 bytes a cell and 4 x 8 (octile) or 4 x 4 (orthogonal) + 6 bytes a vertex. Saved with serde
/// it has the same numbers when it is restored, and takes 2 bits a cell or less in a binary format, and
/// up to 5 bytes for each vertex that was a wall at first.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "save::Saved")]
pub struct Graph {
    moves: Moves,
    width: u16,
    height: u16,
    /// For each cell its vertex, which stays when the cell becomes a wall.
    vertex_of: Vec<u32>,
    cell_of: Vec<Cell>,
    live: Vec<bool>,
    /// `stride` places for each vertex, of which the first `degree` are used.
    neighbours: Vec<Vertex>,
    degree: Vec<u8>,
    /// For each cell which of [`Moves::steps`] lead to a neighbour: one bit for each.
    exits: Vec<u8>,
    live_vertices: usize,
    fingerprint: Fingerprint,
}

impl Graph {
    /// The graph of a map. Time and memory are linear in the number of cells; see [`GraphBuilder`] for
    /// a large one that must not take a frame.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves) -> Self {
        GraphBuilder::new(map.width(), map.height(), moves).finish(map)
    }

    /// The graph of a map of walls.
    fn without_floor(width: u16, height: u16, moves: Moves) -> Self {
        let cells = usize::from(width) * usize::from(height);
        Self {
            vertex_of: vec![NO_VERTEX; cells],
            exits: vec![0; cells],
            ..Self::without_cells(width, height, moves)
        }
    }

    /// The beginning of a graph: its cells are still to come.
    fn without_cells(width: u16, height: u16, moves: Moves) -> Self {
        Self {
            moves,
            width,
            height,
            vertex_of: Vec::new(),
            cell_of: Vec::new(),
            live: Vec::new(),
            neighbours: Vec::new(),
            degree: Vec::new(),
            exits: Vec::new(),
            live_vertices: 0,
            fingerprint: Fingerprint::empty(width, height, moves),
        }
    }

    /// Which steps make the edges.
    #[must_use]
    pub const fn moves(&self) -> Moves {
        self.moves
    }

    /// The number of columns of the map.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// The number of rows of the map.
    #[must_use]
    pub const fn height(&self) -> u16 {
        self.height
    }

    /// The number of vertex numbers given out: the length that arrays indexed by
    /// [`Vertex::index`] need. Never shrinks.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.cell_of.len()
    }

    /// The number of vertices, that is of passable cells.
    #[must_use]
    pub const fn vertices(&self) -> usize {
        self.live_vertices
    }

    /// All vertices in the order of their numbers, without those that are walls now.
    pub fn iter(&self) -> impl Iterator<Item = Vertex> + '_ {
        (0..self.slots() as u32)
            .map(Vertex)
            .filter(|&vertex| self.is_live(vertex))
    }

    /// The vertex of a cell, `None` for walls and off the map.
    #[must_use]
    pub fn vertex(&self, cell: Cell) -> Option<Vertex> {
        self.numbered(cell).filter(|&vertex| self.is_live(vertex))
    }

    /// Is the cell a vertex now?
    #[must_use]
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.vertex(cell).is_some()
    }

    /// Is the vertex passable now? `false` also for a vertex of another graph that has no place
    /// in this one.
    #[must_use]
    pub fn is_live(&self, vertex: Vertex) -> bool {
        self.live.get(vertex.index()).copied().unwrap_or(false)
    }

    /// The cell of a vertex.
    ///
    /// # Panics
    /// If the vertex is of another, larger graph.
    #[must_use]
    pub fn cell(&self, vertex: Vertex) -> Cell {
        self.cell_of[vertex.index()]
    }

    /// The vertices one step away, in the order of [`Moves::steps`]; none for a wall.
    ///
    /// # Panics
    /// If the vertex is of another, larger graph.
    #[must_use]
    pub fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        let first = vertex.index() * self.stride();
        let degree = usize::from(self.degree[vertex.index()]);
        &self.neighbours[first..first + degree]
    }

    /// Is the cell on the map, wall or not?
    #[must_use]
    pub const fn is_on_map(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Are the two vertices a step apart?
    #[must_use]
    pub fn are_adjacent(&self, a: Vertex, b: Vertex) -> bool {
        self.is_live(a) && self.neighbours(a).contains(&b)
    }

    /// The fingerprint of the passability as it is now.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Is it the same graph with the same numbers? Time: linear in them.
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && (self.moves, self.width, self.height) == (other.moves, other.width, other.height)
            && self.cell_of == other.cell_of
            && self.live == other.live
    }

    /// Makes cells passable or walls and repairs the edges around them.
    ///
    /// Edits of one batch apply in order; those that change nothing and those off the map are left
    /// out of the delta. Cost: constant for each edit.
    pub fn apply(&mut self, edits: &[TileEdit]) -> GraphDelta {
        let mut delta = GraphDelta::default();
        self.apply_into(edits, &mut delta);
        delta
    }

    /// [`apply`](Self::apply) into a delta whose memory is used again: none is taken once it has
    /// held batches as large, unless walls become floor for the first time.
    pub fn apply_into(&mut self, edits: &[TileEdit], delta: &mut GraphDelta) {
        delta.clear();
        for edit in edits {
            if edit.cell.x >= self.width || edit.cell.y >= self.height {
                continue;
            }
            let Some(vertex) = self.flip(*edit) else {
                continue;
            };
            delta.flip(vertex);
            self.relink(vertex);
            for &(dx, dy) in self.moves.steps() {
                let beside = edit.cell.offset(dx, dy);
                if let Some(beside) = beside.and_then(|cell| self.vertex(cell)) {
                    self.relink(beside);
                    delta.relink(beside);
                }
            }
        }
        delta.settle(|vertex| self.is_live(vertex));
    }

    /// Changes the passability of a cell without looking at edges. `None` if it is so already.
    fn flip(&mut self, edit: TileEdit) -> Option<Vertex> {
        match (self.vertex(edit.cell), edit.passable) {
            (None, true) => Some(self.open(edit.cell)),
            (Some(vertex), false) => {
                self.live[vertex.index()] = false;
                self.live_vertices -= 1;
                self.fingerprint.toggle(edit.cell);
                Some(vertex)
            }
            _ => None,
        }
    }

    /// Makes the cell of a wall a vertex, with the number it had before if it had one.
    fn open(&mut self, cell: Cell) -> Vertex {
        let vertex = self.numbered(cell).unwrap_or_else(|| self.number(cell));
        self.live[vertex.index()] = true;
        self.live_vertices += 1;
        self.fingerprint.toggle(cell);
        vertex
    }

    /// Gives a cell the next number.
    fn number(&mut self, cell: Cell) -> Vertex {
        let vertex = Vertex(self.cell_of.len() as u32);
        let index = self.cell_index(cell);
        self.vertex_of[index] = vertex.0;
        self.cell_of.push(cell);
        self.live.push(false);
        self.degree.push(0);
        let places = self.neighbours.len() + self.stride();
        self.neighbours.resize(places, Vertex(NO_VERTEX));
        vertex
    }

    /// Lists the neighbours of all vertices anew.
    fn relink_all(&mut self) {
        for index in 0..self.slots() {
            self.relink(Vertex(index as u32));
        }
    }

    /// Lists the neighbours of a vertex anew.
    fn relink(&mut self, vertex: Vertex) {
        let first = vertex.index() * self.stride();
        let (mut degree, mut exits) = (0, 0);
        let cell = self.cell(vertex);
        if self.is_live(vertex) {
            for (bit, &(dx, dy)) in self.moves.steps().iter().enumerate() {
                if let Some(next) = self.stepped(cell, dx, dy) {
                    self.neighbours[first + usize::from(degree)] = next;
                    degree += 1;
                    exits |= 1 << bit;
                }
            }
        }
        self.degree[vertex.index()] = degree;
        let index = self.cell_index(cell);
        self.exits[index] = exits;
    }

    /// The vertex a step leads to. A diagonal step needs its whole 2 x 2 square passable.
    fn stepped(&self, cell: Cell, dx: i32, dy: i32) -> Option<Vertex> {
        let free = |dx, dy| cell.offset(dx, dy).and_then(|next| self.vertex(next));
        if dx != 0 && dy != 0 {
            free(dx, 0)?;
            free(0, dy)?;
        }
        free(dx, dy)
    }

    /// The vertex number of a cell, whether it is a wall now or not.
    fn numbered(&self, cell: Cell) -> Option<Vertex> {
        if cell.x >= self.width || cell.y >= self.height {
            return None;
        }
        let number = self.vertex_of[self.cell_index(cell)];
        (number != NO_VERTEX).then_some(Vertex(number))
    }

    /// For each cell, row by row, which of [`Moves::steps`] lead on from it: a bit for each, none
    /// for a wall.
    pub(crate) fn exits(&self) -> &[u8] {
        &self.exits
    }

    /// The number of cells.
    pub(crate) const fn cells(&self) -> usize {
        self.vertex_of.len()
    }

    /// The vertex of the cell with a number, row by row; `None` for a wall.
    pub(crate) fn vertex_at(&self, index: usize) -> Option<Vertex> {
        let vertex = Vertex(self.vertex_of.get(index).copied().unwrap_or(NO_VERTEX));
        self.is_live(vertex).then_some(vertex)
    }

    /// The number of a cell, row by row.
    pub(crate) fn cell_index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }

    const fn stride(&self) -> usize {
        self.moves.steps().len()
    }
}
