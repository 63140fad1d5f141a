use super::Stamps;
use crate::graph::{Network, Vertex};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A* on any graph with whole-number costs, in memory that is used again by the next call.
#[derive(Debug, Clone, Default)]
pub(crate) struct AStar {
    reached: Stamps,
    expanded: Stamps,
    cost: Vec<u32>,
    parent: Vec<Vertex>,
    /// By cost plus estimate, then by estimate: of two the one nearer to the goal goes first.
    open: BinaryHeap<Reverse<(u32, u32, Vertex)>>,
    path: Vec<Vertex>,
    expansions: u64,
    touched: u64,
}

impl AStar {
    /// Finds a way from `from` to `goal` over vertices that are `allowed`; [`AStar::path`] has it
    /// then. `false` if there is none.
    ///
    /// It is a cheapest one if a step of cost c lowers the `estimate` of the cost to the goal by
    /// at most c.
    pub(crate) fn search(
        &mut self,
        graph: &impl Network,
        (from, goal): (Vertex, Vertex),
        allowed: impl Fn(Vertex) -> bool,
        cost: impl Fn(Vertex, Vertex) -> u32,
        estimate: impl Fn(Vertex) -> u32,
    ) -> bool {
        let slots = graph.slots();
        self.reached.clear(slots);
        self.expanded.clear(slots);
        self.cost.resize(slots, 0);
        self.parent.resize(slots, from);
        self.open.clear();
        self.path.clear();
        self.reached.insert(from);
        self.cost[from.index()] = 0;
        self.open.push(Reverse((0, 0, from)));
        while let Some(Reverse((_, _, vertex))) = self.open.pop() {
            if vertex == goal {
                self.write_path(from, goal);
                return true;
            }
            if !self.expanded.insert(vertex) {
                continue; // found again at less cost, and gone on from there
            }
            let neighbours = graph.neighbours(vertex);
            self.expansions += 1;
            self.touched += neighbours.len() as u64;
            for &next in neighbours.iter().filter(|&&next| allowed(next)) {
                let found = self.cost[vertex.index()] + cost(vertex, next);
                if self.reached.insert(next) || found < self.cost[next.index()] {
                    self.cost[next.index()] = found;
                    self.parent[next.index()] = vertex;
                    let rest = estimate(next);
                    self.open.push(Reverse((found + rest, rest, next)));
                }
            }
        }
        false
    }

    fn write_path(&mut self, from: Vertex, goal: Vertex) {
        let mut at = goal;
        while at != from {
            self.path.push(at);
            at = self.parent[at.index()];
        }
        self.path.reverse();
    }

    /// The way found last, without its start.
    pub(crate) fn path(&self) -> &[Vertex] {
        &self.path
    }

    /// Vertices expanded and neighbours looked at since the last call of this.
    pub(crate) const fn take_effort(&mut self) -> (u64, u64) {
        let effort = (self.expansions, self.touched);
        self.expansions = 0;
        self.touched = 0;
        effort
    }
}
