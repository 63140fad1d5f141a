use super::VisitedSet;
use crate::game::Speed;
use crate::graph::{Network, Vertex};

/// Where the moves of an agent end, and a way to each end.
///
/// Cost: an expansion for each vertex nearer than the speed. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub(crate) struct MoveEnds {
    reached: VisitedSet,
    /// For each reached vertex the one before it.
    parent: Vec<Vertex>,
    /// The start, then the ends.
    order: Vec<Vertex>,
    expansions: u64,
    touched: u64,
}

impl MoveEnds {
    /// The ends other than the start, nearest first, and as the graph lists neighbours among those
    /// equally near. No move leads to or over a vertex that is `blocked`.
    pub(crate) fn find(
        &mut self,
        graph: &impl Network,
        from: Vertex,
        speed: Speed,
        blocked: impl Fn(Vertex) -> bool,
    ) -> &[Vertex] {
        self.reached.clear(graph.slots());
        // It never shrinks: the next graph may be a larger one.
        if self.parent.len() < graph.slots() {
            self.parent.resize(graph.slots(), from);
        }
        self.order.clear();
        self.reached.insert(from);
        self.order.push(from);
        let mut done = 0;
        for _ in 0..speed.steps() {
            let rim = done..self.order.len();
            done = rim.end;
            for index in rim {
                let vertex = self.order[index];
                let neighbours = graph.neighbours(vertex);
                self.expansions += 1;
                self.touched += neighbours.len() as u64;
                for &next in neighbours {
                    if !blocked(next) && self.reached.insert(next) {
                        self.parent[next.index()] = vertex;
                        self.order.push(next);
                    }
                }
            }
        }
        self.ends()
    }

    /// The ends found last.
    pub(crate) fn ends(&self) -> &[Vertex] {
        self.order.get(1..).unwrap_or_default()
    }

    /// Writes the way to an end that was found last, without the start; empty for the start.
    pub(crate) fn way_to(&self, end: Vertex, way: &mut Vec<Vertex>) {
        way.clear();
        let start = self.order.first().copied().unwrap_or(end);
        let mut at = end;
        while at != start {
            way.push(at);
            at = self.parent[at.index()];
        }
        way.reverse();
    }

    /// Vertices expanded and neighbours looked at since the last call of this.
    pub(crate) const fn take_effort(&mut self) -> (u64, u64) {
        let effort = (self.expansions, self.touched);
        self.expansions = 0;
        self.touched = 0;
        effort
    }
}
