//! A breadth-first search from many sources at once.

use super::Distances;
use crate::graph::{Graph, Vertex, VisitedSet};

/// A breadth-first search from many sources at once. Reuses its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct MultiSourceSearch {
    /// The vertices that have been reached, nearest first.
    reached: Vec<Vertex>,
    /// The number of expanded vertices.
    done: usize,
    /// For each distance, the place in the list of the first vertex beyond it.
    layers: Vec<usize>,
    is_reached: VisitedSet,
    /// For each vertex that has been reached, the one before it on the way from the nearest source. A source is its own.
    from: Vec<Vertex>,
}

impl MultiSourceSearch {
    /// Begins without a source, on a graph with this many vertex numbers.
    pub(super) fn begin(&mut self, slots: usize) {
        self.reached.clear();
        self.layers.clear();
        self.done = 0;
        self.is_reached.clear(slots);
        if self.from.len() < slots {
            self.from.resize(slots, Vertex::default());
        }
    }

    /// Adds a source; `false` if it is one already. Call it before [`advance`](Self::advance).
    pub(super) fn add(&mut self, source: Vertex) -> bool {
        let is_new = self.is_reached.insert(source);
        if is_new {
            self.from[source.index()] = source;
            self.reached.push(source);
        }
        is_new
    }

    /// Continues for at most `budget` expansions, over vertices that `within` has reached. Returns the rest of the budget: 0
    /// where vertices may be missing.
    pub(super) fn advance(&mut self, graph: &Graph, within: &Distances, mut budget: u64) -> u64 {
        while budget > 0
            && let Some(&vertex) = self.reached.get(self.done)
        {
            if self.layers.last().is_none_or(|&end| end == self.done) {
                self.layers.push(self.reached.len());
            }
            budget -= 1;
            self.done += 1;
            for &next in graph.neighbours(vertex) {
                if within.steps(next).is_some() && self.is_reached.insert(next) {
                    self.from[next.index()] = vertex;
                    self.reached.push(next);
                }
            }
        }
        budget
    }

    /// The vertices that have been reached, nearest first.
    pub(super) fn reached(&self) -> &[Vertex] {
        &self.reached
    }

    /// The same, each with its distance in steps.
    pub(super) fn with_steps(&self) -> impl Iterator<Item = (Vertex, u32)> + '_ {
        let mut steps = 0;
        self.reached.iter().enumerate().map(move |(at, &vertex)| {
            while self.layers.get(steps).is_some_and(|&end| end <= at) {
                steps += 1;
            }
            (vertex, steps as u32)
        })
    }

    /// Those farther than this from all sources.
    pub(super) fn beyond(&self, steps: usize) -> &[Vertex] {
        let first = self.layers.get(steps).copied();
        &self.reached[first.unwrap_or(self.reached.len())..]
    }

    /// The vertex before one on the way from the nearest source; a source itself; `None` if it has not been reached.
    pub(super) fn before(&self, vertex: Vertex) -> Option<Vertex> {
        let is_reached = self.is_reached.contains(vertex);
        is_reached.then(|| self.from[vertex.index()])
    }
}
