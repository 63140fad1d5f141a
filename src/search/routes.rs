use super::Stamps;
use crate::graph::{Graph, Vertex};

/// Cheapest paths that keep out of each other's way: a vertex that has been marked as crowded
/// costs more than the one step of any other.
///
/// Dijkstra's algorithm with a bucket for each cost (Dial 1969): linear in the vertices looked at.
/// Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    crowded: Stamps,
    seen: Stamps,
    done: Stamps,
    cost: Vec<u32>,
    parent: Vec<Vertex>,
    buckets: Vec<Vec<Vertex>>,
}

impl Routes {
    /// Forgets what was crowded and makes ready for a graph.
    pub fn clear(&mut self, graph: &Graph) {
        self.crowded.clear(graph.slots());
    }

    /// Marks the vertices of a path.
    ///
    /// # Panics
    /// If a vertex is not of the graph made ready for.
    pub fn crowd(&mut self, path: &[Vertex]) {
        for &vertex in path {
            self.crowded.insert(vertex);
        }
    }

    /// A cheapest path between two vertices, without the first; empty also if there is none.
    ///
    /// A step onto a crowded vertex costs `crowded`, any other step 1. The goal itself counts as
    /// free: everybody has to go there.
    ///
    /// # Panics
    /// If a vertex is not of the graph made ready for.
    pub fn cheapest(
        &mut self,
        graph: &Graph,
        from: Vertex,
        to: Vertex,
        crowded: u32,
    ) -> Vec<Vertex> {
        self.seen.clear(graph.slots());
        self.done.clear(graph.slots());
        self.cost.resize(graph.slots(), 0);
        self.parent.resize(graph.slots(), from);
        let rings = crowded.max(1) as usize + 1;
        self.buckets.iter_mut().for_each(Vec::clear);
        self.buckets.resize_with(rings, Vec::new);

        self.seen.insert(from);
        self.cost[from.index()] = 0;
        self.buckets[0].push(from);
        let mut waiting = 1;
        let mut cost = 0_usize;
        while waiting > 0 {
            let mut next = 0;
            while let Some(&vertex) = self.buckets[cost % rings].get(next) {
                next += 1;
                waiting -= 1;
                if vertex == to {
                    return self.path_back(from, to);
                }
                if self.done.insert(vertex) {
                    waiting += self.expand(graph, vertex, to, crowded.max(1));
                }
            }
            self.buckets[cost % rings].clear();
            cost += 1;
        }
        Vec::new()
    }

    /// Offers a cheaper way to each neighbour; the number of entries put into buckets.
    fn expand(&mut self, graph: &Graph, vertex: Vertex, to: Vertex, crowded: u32) -> usize {
        let rings = self.buckets.len();
        let mut added = 0;
        for &next in graph.neighbours(vertex) {
            let is_crowded = next != to && self.crowded.contains(next);
            let cost = self.cost[vertex.index()] + if is_crowded { crowded } else { 1 };
            if self.seen.insert(next) || cost < self.cost[next.index()] {
                self.cost[next.index()] = cost;
                self.parent[next.index()] = vertex;
                self.buckets[cost as usize % rings].push(next);
                added += 1;
            }
        }
        added
    }

    fn path_back(&self, from: Vertex, to: Vertex) -> Vec<Vertex> {
        let mut path = Vec::new();
        let mut at = to;
        while at != from {
            path.push(at);
            at = self.parent[at.index()];
        }
        path.reverse();
        path
    }
}
