//! The map as a graph: numbered vertices, flat adjacency, and edits with local repairs.

mod breadth_first;
mod build;
mod csr;
mod digraph;
mod edge_rules;
mod edit;
mod fingerprint;
mod ground;
mod line_of_sight;
mod mix;
mod nearest;
mod network;
mod retract;
mod save;
mod visited_set;

pub(crate) use breadth_first::BallSearch;
#[doc(hidden)]
pub use breadth_first::steps_from;
#[cfg(test)]
pub(crate) use breadth_first::steps_of;
pub use build::GraphBuilder;
#[doc(hidden)]
pub use csr::Csr;
pub use digraph::{Digraph, EdgeError};
pub use edge_rules::MAX_LINKS;
pub use edit::{GraphDelta, TileEdit};
pub use fingerprint::Fingerprint;
pub(crate) use mix::{GOLDEN_RATIO, finalize, mix, split_mix};
pub use network::Network;
pub use retract::Retract;
pub use save::InvalidGraph;
pub(crate) use save::{packed, unpacked};
#[doc(hidden)]
pub use visited_set::VisitedSet;

use crate::map::{Cell, MapEdit, Moves, TileMap, Walker};
use edge_rules::EdgeRules;
use serde::{Deserialize, Serialize};

/// A vertex of a [`Graph`]: a small number that is stable for the lifetime of the graph.
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

    /// The vertex with this number. The caller guarantees that the vertex exists.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        Self(index as u32)
    }
}

const NO_VERTEX: u32 = u32::MAX;

/// The cells of a map as vertices, with an edge for each step that [`Moves`] allows.
///
/// Vertices are initially numbered row by row. A cell that becomes a wall loses its edges but keeps
/// its number, so reopening a door restores the same vertex. A wall that becomes floor for the first
/// time gets the next free number.
///
/// Memory: 5 bytes per cell, plus 38 (octile) or 22 (orthogonal) bytes per vertex. A graph saved with
/// serde is restored with the same numbers. In a binary format it takes at most 2 bits per cell, plus
/// up to 5 bytes for each vertex that was initially a wall.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "save::SavedGraph")]
pub struct Graph {
    moves: Moves,
    /// The agents for which this is the graph.
    walker: Walker,
    width: u16,
    height: u16,
    /// The vertex of each cell; a cell that becomes a wall keeps its entry.
    vertex_of: Vec<u32>,
    cell_of: Vec<Cell>,
    live: Vec<bool>,
    /// `stride` entries per vertex, of which the first `degree` are used. Vertices that only lead to it follow.
    neighbours: Vec<Vertex>,
    stride: usize,
    degree: Vec<u8>,
    /// For each cell a bit set: the [`Moves::steps`] that lead to a neighbour.
    exits: Vec<u8>,
    live_vertices: usize,
    fingerprint: Fingerprint,
    /// What the map says besides its passable cells; `None` if it says nothing.
    rules: Option<Box<EdgeRules>>,
}

impl Graph {
    /// Builds the graph of a map. Time and memory are linear in the number of cells. [`GraphBuilder`]
    /// spreads the work for a large map over several frames.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves) -> Self {
        GraphBuilder::new(map, moves).finish(map)
    }

    /// The graph of a map that consists of walls only.
    fn without_floor(width: u16, height: u16, moves: Moves) -> Self {
        let cells = usize::from(width) * usize::from(height);
        Self {
            vertex_of: vec![NO_VERTEX; cells],
            exits: vec![0; cells],
            ..Self::without_cells(width, height, moves)
        }
    }

    /// A graph without any cells, to which the caller adds them.
    fn without_cells(width: u16, height: u16, moves: Moves) -> Self {
        Self {
            moves,
            walker: Walker::PLAIN,
            width,
            height,
            vertex_of: Vec::new(),
            cell_of: Vec::new(),
            live: Vec::new(),
            neighbours: Vec::new(),
            stride: moves.steps().len(),
            degree: Vec::new(),
            exits: Vec::new(),
            live_vertices: 0,
            fingerprint: Fingerprint::empty(width, height, moves),
            rules: None,
        }
    }

    /// The steps that the edges represent.
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

    /// The number of vertex numbers in use: the required length of arrays indexed by
    /// [`Vertex::index`]. Never shrinks.
    #[must_use]
    pub const fn slots(&self) -> usize {
        self.cell_of.len()
    }

    /// The number of vertices, that is, of passable cells.
    #[must_use]
    pub const fn vertices(&self) -> usize {
        self.live_vertices
    }

    /// All passable vertices in the order of their numbers.
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

    /// Returns whether the cell is currently passable.
    #[must_use]
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.vertex(cell).is_some()
    }

    /// Returns whether the vertex is currently passable; `false` also for a number outside this graph.
    #[must_use]
    pub fn is_live(&self, vertex: Vertex) -> bool {
        self.live.get(vertex.index()).copied().unwrap_or(false)
    }

    /// The cell of a vertex.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    #[must_use]
    pub fn cell(&self, vertex: Vertex) -> Cell {
        self.cell_of[vertex.index()]
    }

    /// The vertices one step away, in the order of [`Moves::steps`]; none for a wall.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    #[must_use]
    pub fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        let first = vertex.index() * self.stride;
        let degree = usize::from(self.degree[vertex.index()]);
        &self.neighbours[first..first + degree]
    }

    /// The vertex that a step leads to, given its number in [`Moves::steps`]; `None` if there is a wall.
    pub(crate) fn beside(&self, from: Vertex, step: usize) -> Option<Vertex> {
        let cell = self.cell(from);
        if !self.has_plain_steps() {
            // Links and one-way edges change the order of the neighbours.
            let &(dx, dy) = self.moves.steps().get(step)?;
            return self.stepped(cell, dx, dy);
        }
        let exits = self.exits[self.cell_index(cell)];
        let bit = 1_u8 << step;
        // The neighbours are in the order of the steps.
        let before = (exits & (bit - 1)).count_ones() as usize;
        (exits & bit != 0).then(|| self.neighbours(from)[before])
    }

    /// The vertices that a step leads to from a cell of the map, passable or not, in the order of [`Moves::steps`]. From a
    /// wall, these are the steps that would lead out of it if it were passable.
    pub fn steps_from(&self, cell: Cell) -> impl Iterator<Item = Vertex> + '_ {
        let steps = self.moves.steps().iter();
        let steps = steps.filter(move |_| self.is_on_map(cell));
        steps.filter_map(move |&(dx, dy)| self.stepped(cell, dx, dy))
    }

    /// Returns whether the cell is on the map, passable or not.
    #[must_use]
    pub const fn is_on_map(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Returns whether a single step leads from one vertex to the other.
    #[must_use]
    pub fn are_adjacent(&self, a: Vertex, b: Vertex) -> bool {
        self.is_live(a) && self.neighbours(a).contains(&b)
    }

    /// The fingerprint of the current passability.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Returns whether the graphs are equal, including vertex numbers. Time: linear in the vertices.
    pub(crate) fn is_copy_of(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && (self.moves, self.width, self.height) == (other.moves, other.width, other.height)
            && self.cell_of == other.cell_of
            && self.live == other.live
    }

    /// Makes cells passable or walls, and repairs the edges around them.
    ///
    /// Edits of a batch apply in order. Edits without effect and edits off the map do not appear in
    /// the delta. Cost: constant per edit.
    pub fn apply(&mut self, edits: &[TileEdit]) -> GraphDelta {
        let mut delta = GraphDelta::default();
        self.apply_into(edits, &mut delta);
        delta
    }

    /// Like [`apply`](Self::apply), but reuses the memory of a delta. Does not allocate once the delta
    /// has held a batch of this size, unless walls become floor for the first time.
    pub fn apply_into(&mut self, edits: &[TileEdit], delta: &mut GraphDelta) {
        delta.clear();
        for edit in edits {
            self.apply_to_cell(*edit, delta);
        }
        delta.settle(|vertex| self.is_live(vertex));
    }

    /// Like [`apply_into`](Self::apply_into), for changes of cells, edges, links and sight.
    ///
    /// Edits that do not [fit](MapEdit::fits) the map have no effect, nor do links from or to a cell that has
    /// [`MAX_LINKS`]. Cost: constant per edit, except that more links at one cell than at any cell before take time linear
    /// in the vertices.
    pub fn apply_edits(&mut self, edits: &[MapEdit], delta: &mut GraphDelta) {
        delta.clear();
        for &edit in edits {
            match edit {
                MapEdit::Cell { at, passable } => {
                    self.apply_to_cell(TileEdit { cell: at, passable }, delta);
                }
                edit => self.apply_rule(edit, delta),
            }
        }
        delta.settle(|vertex| self.is_live(vertex));
    }

    fn apply_to_cell(&mut self, edit: TileEdit, delta: &mut GraphDelta) {
        if !self.is_on_map(edit.cell) {
            return;
        }
        if !self.walker.size.is_one() {
            self.flip_under_bodies(edit, delta);
            return;
        }
        if self.is_restricted(edit.cell) {
            self.flip_off_limits(edit, delta);
            return;
        }
        let Some(vertex) = self.flip(edit) else {
            return;
        };
        self.relink_around(vertex, delta);
    }

    /// Recomputes the edges of a vertex that has opened or closed, and of all vertices around it.
    fn relink_around(&mut self, vertex: Vertex, delta: &mut GraphDelta) {
        delta.flip(vertex);
        self.relink(vertex);
        let cell = self.cell(vertex);
        for &(dx, dy) in self.moves.steps() {
            let beside = cell.offset(dx, dy);
            if let Some(beside) = beside.and_then(|cell| self.vertex(cell)) {
                self.relink(beside);
            }
        }
        self.relink_linked(cell, delta);
    }

    /// Changes the passability of a cell but not the edges. `None` if the cell has it already.
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

    /// Makes a wall passable. The vertex keeps its earlier number, if the cell had one.
    fn open(&mut self, cell: Cell) -> Vertex {
        let vertex = self.numbered(cell).unwrap_or_else(|| self.number(cell));
        self.live[vertex.index()] = true;
        self.live_vertices += 1;
        self.fingerprint.toggle(cell);
        vertex
    }

    /// Assigns the next free number to a cell.
    fn number(&mut self, cell: Cell) -> Vertex {
        let vertex = Vertex(self.cell_of.len() as u32);
        let index = self.cell_index(cell);
        self.vertex_of[index] = vertex.0;
        self.cell_of.push(cell);
        self.live.push(false);
        self.degree.push(0);
        let places = self.neighbours.len() + self.stride;
        self.neighbours.resize(places, Vertex(NO_VERTEX));
        let slots = self.slots();
        if let Some(rules) = &mut self.rules {
            rules.note_vertices(slots);
        }
        vertex
    }

    /// Recomputes the neighbours of all vertices.
    fn relink_all(&mut self) {
        for index in 0..self.slots() {
            self.relink(Vertex(index as u32));
        }
    }

    /// Recomputes the neighbours of a vertex.
    fn relink(&mut self, vertex: Vertex) {
        if !self.has_plain_steps() {
            self.relink_by_rules(vertex);
            return;
        }
        let first = vertex.index() * self.stride;
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
        let old = std::mem::replace(&mut self.degree[vertex.index()], degree);
        let index = self.cell_index(cell);
        self.exits[index] = exits;
        self.note_two_way(vertex, old);
    }

    /// The vertex that a step leads to. Without further rules, a diagonal step of an octile map needs its whole 2 x 2 square
    /// passable.
    fn stepped(&self, cell: Cell, dx: i32, dy: i32) -> Option<Vertex> {
        if !self.has_plain_steps() {
            return self.stepped_by_rules(cell, dx, dy);
        }
        let free = |dx, dy| cell.offset(dx, dy).and_then(|next| self.vertex(next));
        if dx != 0 && dy != 0 {
            if let Moves::Hexagonal(layout) = self.moves {
                return free(dx, dy).filter(|_| layout.has_diagonal(cell, dx, dy));
            }
            free(dx, 0)?;
            free(0, dy)?;
        }
        free(dx, dy)
    }

    /// The vertex number of a cell, passable or not.
    fn numbered(&self, cell: Cell) -> Option<Vertex> {
        if cell.x >= self.width || cell.y >= self.height {
            return None;
        }
        let number = self.vertex_of[self.cell_index(cell)];
        (number != NO_VERTEX).then_some(Vertex(number))
    }

    /// For each cell, row by row, the set of [`Moves::steps`] possible from it, one bit each; empty
    /// for a wall.
    pub(crate) fn exits(&self) -> &[u8] {
        &self.exits
    }

    /// The number of cells.
    pub(crate) const fn cells(&self) -> usize {
        self.vertex_of.len()
    }

    /// The vertex of the cell with this row-major index; `None` for a wall.
    pub(crate) fn vertex_at(&self, index: usize) -> Option<Vertex> {
        let vertex = Vertex(self.vertex_of.get(index).copied().unwrap_or(NO_VERTEX));
        self.is_live(vertex).then_some(vertex)
    }

    /// The vertex of a cell that is known to be passable, given its row-major index. Saves a look at
    /// whether it is.
    pub(crate) fn floor_at(&self, index: usize) -> Vertex {
        Vertex(self.vertex_of[index])
    }

    /// The row-major index of a cell.
    pub(crate) fn cell_index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }
}
