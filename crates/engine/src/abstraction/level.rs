//! A level of the hierarchy: vertices with children, neighbours and positions.

use super::rows::{Rows, shrink};
use crate::graph::{Graph, Network, Vertex};
use crate::map::Cell;

/// The parent of a vertex without parent.
pub(super) const NONE: Vertex = Vertex::from_index(u32::MAX as usize);

/// A list of up to this length is searched even if the list of the other vertex is shorter.
const SHORT_LIST: usize = 16;

/// A level above the map: a graph whose vertices each represent a few vertices of the level below.
///
/// Vertices are numbered from 0 in the order of the build; repairs free numbers and reuse them.
/// Memory: 92 bytes per vertex number, more if a vertex has more than four children or eight
/// neighbours.
#[derive(Debug, Clone, Default)]
pub struct AbstractLevel {
    /// The parents in the level above; [`NONE`] at the top and for free numbers.
    pub(super) parent: Vec<Vertex>,
    /// Empty for free numbers.
    pub(super) children: Rows<4>,
    pub(super) neighbours: Rows<8>,
    pub(super) places: Vec<VertexExtent>,
    pub(super) free: Vec<Vertex>,
}

/// The position and bounding box of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct VertexExtent {
    /// The mean of the children's positions, each weighted by its own number of children.
    pub(super) position: [f64; 2],
    /// The smallest column and row of all cells below.
    pub(super) min: Cell,
    /// The largest column and row of all cells below.
    pub(super) max: Cell,
}

/// What the level above needs from a level or the map.
pub(super) trait Below: Network {
    /// The place of a vertex and its number of children, which is 1 for a cell.
    fn place(&self, vertex: Vertex) -> (VertexExtent, usize);

    /// The vertices that a step leads to or from. Groups do not depend on the direction of steps.
    fn joined(&self, vertex: Vertex) -> &[Vertex] {
        self.neighbours(vertex)
    }

    fn degree(&self, vertex: Vertex) -> usize {
        self.joined(vertex).len()
    }

    fn are_adjacent(&self, a: Vertex, b: Vertex) -> bool {
        let of_a = self.joined(a);
        if of_a.len() <= SHORT_LIST {
            return of_a.contains(&b);
        }
        let of_b = self.joined(b);
        if of_a.len() <= of_b.len() {
            of_a.contains(&b)
        } else {
            of_b.contains(&a)
        }
    }

    /// The place of the parent of these vertices.
    fn place_of_all(&self, children: &[Vertex]) -> VertexExtent {
        let far = u16::MAX;
        let mut all = VertexExtent {
            position: [0.0; 2],
            min: Cell::new(far, far),
            max: Cell::new(0, 0),
        };
        let mut weights = 0.0;
        for &child in children {
            let (place, grandchildren) = self.place(child);
            let weight = grandchildren as f64;
            all.position[0] += place.position[0] * weight;
            all.position[1] += place.position[1] * weight;
            weights += weight;
            all.min = Cell::new(all.min.x.min(place.min.x), all.min.y.min(place.min.y));
            all.max = Cell::new(all.max.x.max(place.max.x), all.max.y.max(place.max.y));
        }
        all.position = all.position.map(|sum| sum / weights);
        all
    }
}

impl Below for Graph {
    fn place(&self, vertex: Vertex) -> (VertexExtent, usize) {
        let cell = self.cell(vertex);
        let place = VertexExtent {
            position: [f64::from(cell.x), f64::from(cell.y)],
            min: cell,
            max: cell,
        };
        (place, 1)
    }

    fn joined(&self, vertex: Vertex) -> &[Vertex] {
        Self::joined(self, vertex)
    }
}

impl Below for AbstractLevel {
    fn place(&self, vertex: Vertex) -> (VertexExtent, usize) {
        let children = self.children.row(vertex).len();
        (self.places[vertex.index()], children)
    }
}

impl Network for AbstractLevel {
    fn slots(&self) -> usize {
        self.children.rows()
    }

    fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        self.neighbours.row(vertex)
    }
}

impl AbstractLevel {
    /// The number of vertices.
    #[must_use]
    pub const fn vertices(&self) -> usize {
        self.children.rows() - self.free.len()
    }

    /// The number of edges, each counted once.
    #[must_use]
    pub const fn edges(&self) -> usize {
        self.neighbours.total() / 2
    }

    /// All vertices in the order of their numbers, without free numbers.
    pub fn iter(&self) -> impl Iterator<Item = Vertex> + '_ {
        let numbers = (0..self.children.rows()).map(Vertex::from_index);
        numbers.filter(|&vertex| self.is_live(vertex))
    }

    /// Returns whether a vertex with this number exists.
    #[must_use]
    pub fn is_live(&self, vertex: Vertex) -> bool {
        vertex.index() < self.children.rows() && !self.children.row(vertex).is_empty()
    }

    /// The children of a vertex in the level below; empty for a free number.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger level.
    #[must_use]
    pub fn children(&self, vertex: Vertex) -> &[Vertex] {
        self.children.row(vertex)
    }

    /// The column and row of a vertex, in cells: the mean of its children's positions, each weighted by
    /// its own number of children.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger level.
    #[must_use]
    pub fn position(&self, vertex: Vertex) -> [f32; 2] {
        let position = self.places[vertex.index()].position;
        position.map(|coordinate| coordinate as f32)
    }

    /// The bounding box of the cells that a vertex represents: its top left and bottom right cells.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger level.
    #[must_use]
    pub fn bounds(&self, vertex: Vertex) -> (Cell, Cell) {
        let place = &self.places[vertex.index()];
        (place.min, place.max)
    }

    /// The length of an edge in cells: the octile distance of the two positions (the larger coordinate
    /// difference plus √2 - 1 times the smaller one).
    ///
    /// # Panics
    /// If a vertex belongs to another, larger level.
    #[must_use]
    pub fn weight(&self, a: Vertex, b: Vertex) -> f32 {
        octile_distance(&self.places[a.index()], &self.places[b.index()])
    }

    /// Memory in bytes.
    #[must_use]
    pub(super) const fn bytes(&self) -> usize {
        self.children.bytes()
            + self.neighbours.bytes()
            + self.places.capacity() * size_of::<VertexExtent>()
            + (self.parent.capacity() + self.free.capacity()) * size_of::<Vertex>()
    }

    /// An empty level with memory for this number of vertices.
    pub(super) fn with_capacity(vertices: usize) -> Self {
        Self {
            parent: Vec::with_capacity(vertices),
            children: Rows::with_capacity(vertices),
            neighbours: Rows::with_capacity(vertices),
            places: Vec::with_capacity(vertices),
            free: Vec::new(),
        }
    }

    /// Removes all vertices and keeps the memory.
    pub(super) fn emptied(mut self) -> Self {
        self.parent.clear();
        self.children.clear();
        self.neighbours.clear();
        self.places.clear();
        self.free.clear();
        self
    }

    /// Frees unused memory, except room to grow by a quarter, so that repairs rarely reallocate.
    pub(super) fn shrink(&mut self) {
        shrink(&mut self.parent);
        shrink(&mut self.places);
        self.children.shrink();
        self.neighbours.shrink();
    }

    /// Adds a vertex with these children, with a free or new number. The caller must set its
    /// neighbours, its parent, and the parents of the children.
    pub(super) fn add(&mut self, children: &[Vertex]) -> Vertex {
        let vertex = self.free.pop().unwrap_or_else(|| {
            let vertex = Vertex::from_index(self.children.rows());
            self.children.add();
            self.neighbours.add();
            self.places.push(VertexExtent::default());
            self.parent.push(NONE);
            vertex
        });
        self.children.set(vertex, children);
        vertex
    }

    /// Adds an edge at the end of both neighbour lists.
    pub(super) fn link(&mut self, a: Vertex, b: Vertex) {
        self.neighbours.push(a, b);
        self.neighbours.push(b, a);
    }
}

pub(super) fn octile_distance(a: &VertexExtent, b: &VertexExtent) -> f32 {
    let dx = (a.position[0] - b.position[0]).abs();
    let dy = (a.position[1] - b.position[1]).abs();
    (dx.max(dy) + (std::f64::consts::SQRT_2 - 1.0) * dx.min(dy)) as f32
}
