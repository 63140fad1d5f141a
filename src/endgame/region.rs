//! A region of a map, and its place in the table of its shape.

use super::shape::{Outside, Shape};
use crate::game::Rules;
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// A region of a map: its vertices, its guards, and the rules of the game inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Region {
    /// In order.
    vertices: Vec<Vertex>,
    guards: Vec<Vertex>,
    /// The number of the players, and the speeds.
    rules: Rules,
    outside: Outside,
}

impl Region {
    /// A region of these vertices. Guards outside of it are dropped.
    pub(super) fn new(mut vertices: Vec<Vertex>, mut guards: Vec<Vertex>, rules: Rules) -> Self {
        vertices.sort_unstable();
        vertices.dedup();
        guards.retain(|guard| vertices.binary_search(guard).is_ok());
        guards.sort_unstable();
        guards.dedup();
        Self {
            vertices,
            guards,
            rules,
            outside: Outside::ForRobber,
        }
    }

    /// A region in which a robber may be safe from cops that come and go.
    pub(super) fn of_refuge(vertices: Vec<Vertex>, rules: Rules) -> Self {
        Self {
            outside: Outside::ForCops,
            ..Self::new(vertices, Vec::new(), rules)
        }
    }

    /// Which side may leave it.
    pub(super) const fn outside(&self) -> Outside {
        self.outside
    }

    /// The vertices, in order.
    pub(super) fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// The vertices on which guards stand, in order.
    pub(super) fn guards(&self) -> &[Vertex] {
        &self.guards
    }

    /// The number of the players, and the speeds.
    pub(super) const fn rules(&self) -> Rules {
        self.rules
    }

    /// The index of a vertex; `None` outside of the region.
    pub(super) fn index(&self, vertex: Vertex) -> Option<usize> {
        self.vertices.binary_search(&vertex).ok()
    }

    /// Returns whether one of these vertices, alive or not, is of the region or beside a vertex of the region.
    pub(super) fn is_beside(&self, graph: &Graph, vertices: &[Vertex]) -> bool {
        let cells = || self.vertices.iter().map(|&vertex| graph.cell(vertex));
        let (Some(left), Some(right)) = (
            cells().map(|cell| cell.x).min(),
            cells().map(|cell| cell.x).max(),
        ) else {
            return false;
        };
        let top = cells().map(|cell| cell.y).min().unwrap_or(0);
        let bottom = cells().map(|cell| cell.y).max().unwrap_or(u16::MAX);
        let is_in_rectangle = |cell: Cell| {
            let [x, y] = [cell.x, cell.y].map(|side| side.saturating_add(1));
            x >= left
                && cell.x <= right.saturating_add(1)
                && y >= top
                && cell.y <= bottom.saturating_add(1)
        };
        let offsets = || (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        let is_beside = |&vertex: &Vertex| {
            let cell = graph.cell(vertex);
            // A vertex that has closed is not found by its cell.
            is_in_rectangle(cell)
                && (self.index(vertex).is_some()
                    || offsets().any(|(dx, dy)| {
                        let beside = cell.offset(dx, dy).and_then(|cell| graph.vertex(cell));
                        beside.is_some_and(|beside| self.index(beside).is_some())
                    }))
        };
        vertices.iter().any(is_beside)
    }

    /// Its shape on a map, and the place of each vertex. Cost: sorts the vertices eight times.
    pub(super) fn shape(&self, graph: &Graph) -> (Shape, Vec<u16>) {
        Shape::of(graph, &self.vertices, &self.guards)
    }

    /// Returns whether the vertices exist on a map of `slots` vertices and are in order.
    pub(super) fn is_sound(&self, slots: usize) -> bool {
        self.vertices.is_sorted_by(|a, b| a < b)
            && self.vertices.last().is_none_or(|last| last.index() < slots)
            && self.guards.iter().all(|&guard| self.index(guard).is_some())
            && self.guards.is_sorted_by(|a, b| a < b)
    }
}
