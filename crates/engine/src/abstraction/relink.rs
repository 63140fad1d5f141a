//! Updates the edges and positions of a level after its groups have changed.

use super::level::{AbstractLevel, Below, NONE};
use super::repair::Changes;
use crate::graph::{Vertex, VisitedSet};

/// Updates the edges and places of a level to match the children of its vertices.
pub(super) struct Relinking<'a, B> {
    pub(super) below: &'a B,
    pub(super) parent: &'a [Vertex],
    pub(super) upper: &'a mut AbstractLevel,
    pub(super) links: &'a mut RelinkMemory,
    /// Receives the changes of the level.
    pub(super) changes: &'a mut Changes,
}

/// Reusable memory.
#[derive(Debug, Clone, Default)]
pub(super) struct RelinkMemory {
    /// The neighbours that a vertex should have.
    lifted: Vec<Vertex>,
    is_lifted: VisitedSet,
    /// The neighbours that the vertex has.
    is_linked: VisitedSet,
    /// The neighbours to remove.
    lost: Vec<Vertex>,
}

impl<B: Below> Relinking<'_, B> {
    /// Updates the `touched` vertices, whose children or children's edges have changed, and the parents
    /// of the `moved` vertices, whose positions have changed.
    pub(super) fn relink(&mut self, touched: &[Vertex], moved: &[Vertex]) {
        for &vertex in touched {
            if self.upper.children.row(vertex).is_empty() {
                self.remove(vertex);
            }
        }
        for &vertex in touched {
            if self.upper.children.row(vertex).is_empty() {
                continue;
            }
            if self.upper.parent[vertex.index()] == NONE {
                self.changes.added.push(vertex);
            }
            self.lift(vertex);
            self.place(vertex);
            // The number of its children may have changed.
            self.changes.moved.push(vertex);
        }
        for &vertex in moved {
            let parent = self.parent[vertex.index()];
            if self.place(parent) {
                self.changes.moved.push(parent);
            }
        }
    }

    /// Removes a vertex without children from the lists of its neighbours. Its number becomes free once
    /// its parent no longer lists it.
    fn remove(&mut self, vertex: Vertex) {
        let lost = &mut self.links.lost;
        lost.clear();
        lost.extend_from_slice(self.upper.neighbours.row(vertex));
        self.upper.neighbours.set(vertex, &[]);
        for &other in &*lost {
            self.upper.neighbours.remove(other, vertex);
            if !self.upper.children.row(other).is_empty() {
                self.changes.relinked.push(other);
            }
        }
        self.changes.removed.push(vertex);
    }

    /// Sets the neighbours of a vertex to the parents of its children's neighbours.
    fn lift(&mut self, vertex: Vertex) {
        self.list_lifted(vertex);
        let RelinkMemory {
            lifted,
            is_lifted,
            is_linked,
            lost,
        } = &mut *self.links;
        let row = self.upper.neighbours.row(vertex);
        lost.clear();
        lost.extend(row.iter().filter(|&&other| !is_lifted.contains(other)));
        if lost.is_empty() && row.len() == lifted.len() {
            return;
        }
        is_linked.clear(self.upper.children.rows());
        for &other in row {
            is_linked.insert(other);
        }
        for &other in &*lost {
            self.upper.neighbours.remove(vertex, other);
            self.upper.neighbours.remove(other, vertex);
        }
        lifted.retain(|&other| !is_linked.contains(other));
        for &other in &*lifted {
            self.upper.link(vertex, other);
        }
        self.changes.relinked.push(vertex);
        self.changes.relinked.extend_from_slice(lost);
        self.changes.relinked.extend_from_slice(lifted);
    }

    fn list_lifted(&mut self, vertex: Vertex) {
        let RelinkMemory {
            lifted, is_lifted, ..
        } = &mut *self.links;
        lifted.clear();
        is_lifted.clear(self.upper.children.rows());
        // No vertex is its own neighbour.
        is_lifted.insert(vertex);
        for &child in self.upper.children.row(vertex) {
            for neighbour in self.below.joined(child) {
                let other = self.parent[neighbour.index()];
                if is_lifted.insert(other) {
                    lifted.push(other);
                }
            }
        }
    }

    /// Updates the place of a vertex. Returns whether it has changed.
    fn place(&mut self, vertex: Vertex) -> bool {
        let place = self.below.place_of_all(self.upper.children.row(vertex));
        let old = std::mem::replace(&mut self.upper.places[vertex.index()], place);
        old != place
    }
}
