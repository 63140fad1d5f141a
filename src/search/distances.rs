//! Breadth-first distances.

use super::frontier::Wave;
use crate::graph::{Graph, Vertex};

/// Breadth-first distances from one vertex. Reuses its memory.
#[derive(Debug, Clone, Default)]
pub struct Distances {
    wave: Wave,
    steps: Vec<u32>,
    touched: u64,
}

impl Distances {
    /// Measures the distances from `source` to all reachable vertices. Cost: linear in their number.
    ///
    /// # Panics
    /// If `source` is of another, larger graph.
    pub fn measure(&mut self, graph: &Graph, source: Vertex) {
        self.begin(graph, source);
        self.advance(graph, u64::MAX);
    }

    /// Starts to measure in slices.
    ///
    /// # Panics
    /// As [`measure`](Self::measure).
    pub(super) fn begin(&mut self, graph: &Graph, source: Vertex) {
        self.wave.start(1, graph.slots());
        self.wave.start_at(source);
        self.steps.resize(graph.slots(), 0);
        self.steps[source.index()] = 0;
        self.touched = 0;
    }

    /// Measures on for at most `budget` expansions, nearest vertices first. Returns the budget that is left:
    /// 0 where vertices may be missing.
    pub(super) fn advance(&mut self, graph: &Graph, mut budget: u64) -> u64 {
        let Wave { front, visited, .. } = &mut self.wave;
        let steps = self.steps.as_mut_slice();
        while budget > 0
            && let Some(vertex) = front.pop_any()
        {
            budget -= 1;
            let far = steps[vertex.index()] + 1;
            let neighbours = graph.neighbours(vertex);
            self.touched += neighbours.len() as u64;
            front.extend(neighbours, |next, _| {
                let is_new = visited.insert(next);
                if is_new {
                    steps[next.index()] = far;
                }
                is_new
            });
        }
        budget
    }

    /// The number of steps from the source; `None` if there is no path.
    ///
    /// # Panics
    /// If the vertex is not of the graph measured last.
    #[must_use]
    pub fn steps(&self, vertex: Vertex) -> Option<u32> {
        self.wave
            .visited
            .contains(vertex)
            .then(|| self.steps[vertex.index()])
    }

    /// The reachable vertices, nearest first, beginning with the source.
    #[must_use]
    pub fn reachable(&self) -> &[Vertex] {
        self.wave.front.vertices()
    }

    /// Neighbours generated in the last call.
    #[must_use]
    pub const fn touched(&self) -> u64 {
        self.touched
    }

    /// A shortest path from the source to `to`, without the source; empty if there is none.
    ///
    /// # Panics
    /// If `graph` is not the graph measured last, or has changed since.
    #[must_use]
    pub fn path_to(&self, graph: &Graph, to: Vertex) -> Vec<Vertex> {
        let mut path = self.path_from(graph, to);
        // Reversed, it leads from the source to `to`: edges of a map go both ways.
        path.pop();
        path.reverse();
        if self.steps(to).is_some_and(|steps| steps > 0) {
            path.push(to);
        }
        path
    }

    /// A shortest path from `from` to the source, without `from`; empty if there is none.
    ///
    /// Of several shortest paths, each step takes the one that comes nearest to the source in a straight
    /// line. So diagonal steps come first, which leaves a robber on open ground less room.
    ///
    /// # Panics
    /// If `graph` is not the graph measured last, or has changed since.
    #[must_use]
    pub fn path_from(&self, graph: &Graph, from: Vertex) -> Vec<Vertex> {
        let mut path = Vec::new();
        self.extend_path(graph, from, usize::MAX, &mut path);
        path
    }

    /// Appends the first `most` steps of [`path_from`](Self::path_from).
    pub(super) fn extend_path(
        &self,
        graph: &Graph,
        from: Vertex,
        most: usize,
        path: &mut Vec<Vertex>,
    ) {
        let Some(&source) = self.reachable().first() else {
            return;
        };
        let goal = graph.cell(source);
        let (mut at, steps) = (from, self.steps(from).unwrap_or(0));
        for left in (0..steps).rev().take(most) {
            let nearer = |next: &Vertex| self.steps(*next) == Some(left);
            let nearer = graph.neighbours(at).iter().copied().filter(nearer);
            let Some(next) = nearer.min_by_key(|&next| graph.cell(next).squared_distance(goal))
            else {
                break;
            };
            path.push(next);
            at = next;
        }
    }
}
