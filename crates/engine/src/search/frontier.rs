//! The frontier of a wave that spreads over a graph, and the set of vertices that the wave has visited.

pub use crate::graph::VisitedSet;

use crate::graph::{Network, Vertex};
use std::ops::{Deref, DerefMut};

/// Vertices in the order in which a wave reached them, layer by layer: expanded vertices, then the rest
/// of the current layer, then the vertices found for the next layer.
#[derive(Debug, Clone, Default)]
pub struct Frontier {
    /// Vertices beyond `len` are spare room, so that the innermost loop can append without allocating.
    vertices: Vec<Vertex>,
    len: usize,
    /// The number of expanded vertices.
    done: usize,
    /// The end of the current layer.
    end: usize,
}

impl Frontier {
    /// Empties the frontier and makes room for each of `slots` vertices once.
    pub(crate) fn start(&mut self, slots: usize) {
        // It never shrinks: the next graph may be a larger one.
        if self.vertices.len() < slots {
            self.vertices.resize(slots, Vertex::default());
        }
        (self.len, self.done, self.end) = (0, 0, 0);
    }

    /// Appends a vertex to the next layer.
    pub(crate) fn push(&mut self, vertex: Vertex) {
        self.vertices[self.len] = vertex;
        self.len += 1;
    }

    /// Appends the vertices that `take` accepts for a place in the frontier.
    #[inline]
    #[doc(hidden)]
    pub fn extend(&mut self, vertices: &[Vertex], mut take: impl FnMut(Vertex, usize) -> bool) {
        // A local copy: the compiler knows that writes to the lists do not change it.
        let mut len = self.len;
        let room = self.vertices.as_mut_slice();
        for &vertex in vertices {
            if take(vertex, len) {
                room[len] = vertex;
                len += 1;
            }
        }
        self.len = len;
    }

    /// The next vertex of the current layer.
    #[inline]
    #[doc(hidden)]
    pub fn pop(&mut self) -> Option<Vertex> {
        if self.done == self.end {
            return None;
        }
        self.done += 1;
        self.vertices.get(self.done - 1).copied()
    }

    /// The next vertex of this layer or the next one.
    pub(crate) fn pop_any(&mut self) -> Option<Vertex> {
        if self.is_layer_over() {
            self.next_layer();
        }
        self.pop()
    }

    /// Begins the next layer; `false` if it is empty.
    #[doc(hidden)]
    pub const fn next_layer(&mut self) -> bool {
        self.next_layer_to(self.len)
    }

    /// Begins a layer of all vertices before a place; `false` if all of them are expanded.
    pub(crate) const fn next_layer_to(&mut self, end: usize) -> bool {
        self.end = end;
        !self.is_layer_over()
    }

    /// Returns whether every vertex of the current layer is expanded.
    #[doc(hidden)]
    pub const fn is_layer_over(&self) -> bool {
        self.done == self.end
    }

    /// The number of vertices that the wave has reached.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The place of the vertex that was expanded last.
    pub(crate) const fn place(&self) -> usize {
        self.done.saturating_sub(1)
    }

    /// The vertices that the wave has reached, in order.
    pub(crate) fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    /// The vertices that are not yet expanded.
    pub(crate) fn rim(&self) -> &[Vertex] {
        &self.vertices[self.done..self.len]
    }
}

/// Agents of one speed that spread over a graph breadth first.
#[derive(Debug, Clone, Default)]
pub struct Wave {
    #[doc(hidden)]
    pub visited: VisitedSet,
    #[doc(hidden)]
    pub front: Frontier,
    /// Steps a turn.
    #[doc(hidden)]
    pub speed: u64,
    /// Completed steps, as counted by the search.
    #[doc(hidden)]
    pub steps: u64,
    /// The number of the graph that it spreads over, where there are several.
    pub(super) ground: u8,
}

impl Wave {
    /// Forgets the previous wave.
    #[doc(hidden)]
    pub fn start(&mut self, speed: u64, slots: usize) {
        self.visited.clear(slots);
        self.front.start(slots);
        (self.speed, self.steps, self.ground) = (speed, 0, 0);
    }

    /// Adds a vertex to the next layer, unless the wave has visited it.
    #[doc(hidden)]
    pub fn start_at(&mut self, vertex: Vertex) {
        if self.visited.insert(vertex) {
            self.front.push(vertex);
        }
    }

    /// Expands a vertex to those of its neighbours that are new to the wave. Returns the number of its
    /// neighbours.
    pub(crate) fn expand(&mut self, graph: &impl Network, vertex: Vertex) -> u64 {
        let Self { visited, front, .. } = self;
        let neighbours = graph.neighbours(vertex);
        front.extend(neighbours, |next, _| visited.insert(next));
        neighbours.len() as u64
    }
}

/// The waves of the cops, one for each speed. Waves of earlier searches are kept to reuse their memory.
#[derive(Debug, Clone, Default)]
pub struct Waves<W> {
    all: Vec<W>,
    used: usize,
}

impl<W: Default> Waves<W> {
    /// Forgets the previous waves.
    #[doc(hidden)]
    pub const fn clear(&mut self) {
        self.used = 0;
    }

    /// The wave that `is_it` accepts; if there is none, a new one that `start` has set up.
    #[doc(hidden)]
    pub fn get(&mut self, is_it: impl Fn(&W) -> bool, start: impl FnOnce(&mut W)) -> &mut W {
        let index = self.iter().position(is_it).unwrap_or_else(|| {
            if self.all.len() == self.used {
                self.all.push(W::default());
            }
            start(&mut self.all[self.used]);
            self.used += 1;
            self.used - 1
        });
        &mut self.all[index]
    }
}

impl<W> Deref for Waves<W> {
    type Target = [W];

    fn deref(&self) -> &[W] {
        &self.all[..self.used]
    }
}

impl<W> DerefMut for Waves<W> {
    fn deref_mut(&mut self) -> &mut [W] {
        &mut self.all[..self.used]
    }
}
