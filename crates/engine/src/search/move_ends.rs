//! The moves of an agent of any speed.

use super::frontier::Wave;
use crate::game::{Speed, Work};
use crate::graph::{Network, Vertex};

/// The vertices where the moves of an agent end, and a path to each.
///
/// Cost: an expansion for each vertex at a distance below the speed. Memory is kept from call to call.
#[derive(Debug, Clone, Default)]
pub struct MoveEnds {
    /// The wave reaches the start, then the ends.
    wave: Wave,
    /// The predecessor of each reached vertex.
    parent: Vec<Vertex>,
    work: Work,
}

impl MoveEnds {
    /// The ends other than the start, nearest first, and in the graph's order of neighbours among
    /// equals. No move leads to or over a vertex that is `blocked`.
    #[doc(hidden)]
    pub fn find(
        &mut self,
        graph: &impl Network,
        from: Vertex,
        speed: Speed,
        blocked: impl Fn(Vertex) -> bool,
    ) -> &[Vertex] {
        self.wave.start(speed.steps().into(), graph.slots());
        self.wave.start_at(from);
        // It never shrinks: the next graph may be a larger one.
        if self.parent.len() < graph.slots() {
            self.parent.resize(graph.slots(), from);
        }
        let (parent, Wave { front, visited, .. }) = (&mut self.parent, &mut self.wave);
        for _ in 0..speed.steps() {
            front.next_layer();
            while let Some(vertex) = front.pop() {
                let neighbours = graph.neighbours(vertex);
                self.work.expansions += 1;
                self.work.touched += neighbours.len() as u64;
                front.extend(neighbours, |next, _| {
                    let is_new = !blocked(next) && visited.insert(next);
                    if is_new {
                        parent[next.index()] = vertex;
                    }
                    is_new
                });
            }
        }
        self.ends()
    }

    /// The ends found last.
    #[doc(hidden)]
    #[must_use]
    pub fn ends(&self) -> &[Vertex] {
        self.wave.front.vertices().get(1..).unwrap_or_default()
    }

    /// Writes the path to an end that was found last, without the start; empty for the start.
    #[doc(hidden)]
    pub fn way_to(&self, end: Vertex, way: &mut Vec<Vertex>) {
        way.clear();
        let start = self.wave.front.vertices().first().copied().unwrap_or(end);
        let mut at = end;
        while at != start {
            way.push(at);
            at = self.parent[at.index()];
        }
        way.reverse();
    }

    /// Vertices expanded and neighbours generated since the last call of this function.
    #[doc(hidden)]
    pub const fn take_work(&mut self) -> Work {
        self.work.take()
    }
}
