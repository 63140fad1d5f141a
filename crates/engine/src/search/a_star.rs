//! A* with whole-number costs.

use crate::game::{Step, Work};
use crate::graph::{Network, Vertex};

/// A* on any graph with whole-number costs. Reuses its memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct AStar {
    nodes: Vec<VisitedVertex>,
    /// Nodes of this search have at least this value of `seen`.
    current: u32,
    open: Buckets,
    /// The vertices that have been reached, in order.
    reached: Vec<Vertex>,
    from: Vertex,
    path: Vec<Vertex>,
    work: Work,
}

/// Vertices by cost plus estimate, in a ring of lists. The smallest sum is taken first, and among equals
/// the vertex with the smallest estimate. In a long list only the last vertices are compared.
///
/// The smallest sum never decreases during a search, and an edge adds at most twice its cost (two and a half times with a
/// weighted estimate), for which the ring has room. Vertices behind longer edges wait in the last list.
#[derive(Debug, Clone, Default)]
pub(super) struct Buckets {
    /// Estimates with vertices, the estimate in the upper half: single numbers are compared fastest.
    ring: Vec<Vec<u64>>,
    /// A lower bound on the sums in the ring.
    least: u32,
    len: usize,
}

impl Buckets {
    const ROOM: u32 = 256;

    /// The number of vertices with the same sum that are compared.
    const RECENT: usize = 64;

    /// The initial capacity of a list. Few lists ever grow longer.
    const LENGTH: usize = 16;

    /// Empties the ring. All sums to come are at least `least`.
    pub(super) fn clear(&mut self, least: u32) {
        self.least = least;
        if self.len > 0 {
            self.ring.iter_mut().for_each(Vec::clear);
        }
        self.ring
            .resize_with(Self::ROOM as usize, || Vec::with_capacity(Self::LENGTH));
        self.len = 0;
    }

    pub(super) fn push(&mut self, cost: u32, rest: u32, vertex: Vertex) {
        let sum = (cost + rest).clamp(self.least, self.least + Self::ROOM - 1);
        let entry = u64::from(rest) << 32 | vertex.index() as u64;
        self.ring[(sum % Self::ROOM) as usize].push(entry);
        self.len += 1;
    }

    pub(super) fn pop(&mut self) -> Option<Vertex> {
        if self.len == 0 {
            return None;
        }
        loop {
            let list = &mut self.ring[(self.least % Self::ROOM) as usize];
            // Only the end of a long list is examined; otherwise the cost would be quadratic.
            let before = list.len().saturating_sub(Self::RECENT);
            let recent = list[before..].iter().zip(before..);
            let first = recent.reduce(|a, b| if b.0 < a.0 { b } else { a });
            if let Some((_, first)) = first {
                self.len -= 1;
                let vertex = list.swap_remove(first) as u32;
                return Some(Vertex::from_index(vertex as usize));
            }
            self.least += 1;
        }
    }
}

/// The data of a vertex, in one place of memory.
#[derive(Debug, Clone, Copy, Default)]
struct VisitedVertex {
    /// Less than `current`: not reached; greater: expanded.
    seen: u32,
    cost: u32,
    parent: Vertex,
}

impl AStar {
    /// Begins a search that [`AStar::run`] continues, with the estimate of the whole cost.
    pub(crate) fn begin(&mut self, graph: &impl Network, from: Vertex, estimate: u32) {
        self.start(graph.slots());
        self.from = from;
        self.reach(from, 0, from);
        self.open.clear(estimate);
        self.open.push(0, estimate, from);
    }

    /// Continues for at most `limit` expansions to search for a path to `goal` over vertices that are `allowed`.
    /// The result is whether there is a path, which [`AStar::path`] then returns.
    ///
    /// The path is a cheapest one if a step of cost c lowers the `estimate` of the cost to the goal by
    /// at most c.
    pub(crate) fn run(
        &mut self,
        graph: &impl Network,
        goal: Vertex,
        mut limit: u64,
        allowed: impl Fn(Vertex) -> bool,
        cost: impl Fn(Vertex, Vertex) -> u32,
        estimate: impl Fn(Vertex) -> u32,
    ) -> Step<bool> {
        while limit > 0 {
            let Some(vertex) = self.open.pop() else {
                return Step::Done(false);
            };
            if vertex == goal {
                self.write_path(self.from, goal);
                return Step::Done(true);
            }
            let node = &mut self.nodes[vertex.index()];
            if node.seen > self.current {
                continue; // already expanded at a lower cost
            }
            node.seen += 1;
            let so_far = node.cost;
            let neighbours = graph.neighbours(vertex);
            limit -= 1;
            self.work.expansions += 1;
            self.work.touched += neighbours.len() as u64;
            for &next in neighbours {
                let node = self.nodes[next.index()];
                if node.seen > self.current {
                    continue;
                }
                let found = so_far + cost(vertex, next);
                // What was reached is allowed.
                let is_new = node.seen < self.current && allowed(next);
                if is_new || (node.seen == self.current && found < node.cost) {
                    self.reach(next, found, vertex);
                    self.open.push(found, estimate(next), next);
                }
            }
        }
        Step::Working
    }

    /// A lower bound on the cost of the path, as far as the search has come.
    pub(crate) const fn least(&self) -> u32 {
        self.open.least
    }

    /// The vertices that this search has reached; some may be listed more than once.
    pub(crate) fn reached(&self) -> &[Vertex] {
        &self.reached
    }

    /// The cost to a vertex that was reached.
    pub(crate) fn cost_to(&self, vertex: Vertex) -> u32 {
        self.nodes[vertex.index()].cost
    }

    /// Forgets the path found last.
    pub(crate) fn forget_path(&mut self) {
        self.path.clear();
    }

    /// Forgets the previous search.
    fn start(&mut self, slots: usize) {
        if self.current > u32::MAX - 4 {
            self.nodes.clear();
            self.current = 0;
        }
        self.current += 2;
        // It never shrinks: the next level may be a larger one.
        if self.nodes.len() < slots {
            self.nodes.resize(slots, VisitedVertex::default());
        }
        self.path.clear();
        self.reached.clear();
    }

    fn reach(&mut self, vertex: Vertex, cost: u32, parent: Vertex) {
        self.reached.push(vertex);
        self.nodes[vertex.index()] = VisitedVertex {
            seen: self.current,
            cost,
            parent,
        };
    }

    fn write_path(&mut self, from: Vertex, goal: Vertex) {
        let mut at = goal;
        while at != from {
            self.path.push(at);
            at = self.nodes[at.index()].parent;
        }
        self.path.reverse();
    }

    /// The path found last, without its start.
    pub(crate) fn path(&self) -> &[Vertex] {
        &self.path
    }

    /// The vertices expanded since the work was last taken.
    pub(crate) const fn expansions(&self) -> u64 {
        self.work.expansions
    }

    /// Vertices expanded and neighbours generated since the last call of this function.
    pub(crate) const fn take_work(&mut self) -> Work {
        self.work.take()
    }
}
