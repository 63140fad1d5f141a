//! The vertices that are within the reach of agents.

use super::frontier::Wave;
use crate::graph::{Network, Vertex};

/// The vertices within the reach of at least one agent of a list, each agent with a reach of its own in steps.
///
/// One wave serves all agents: it begins with those of the longest reach, and the others join where the wave has as many steps
/// left as they have. Memory is kept from call to call.
#[derive(Debug, Default)]
pub(crate) struct CoveredVertices {
    wave: Wave,
    /// For each vertex that is covered, the number of an agent that covers it.
    by: Vec<u32>,
}

/// An agent with a reach, and a number by which the caller knows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reaching {
    pub(crate) at: Vertex,
    pub(crate) steps: u8,
    pub(crate) number: u32,
}

impl CoveredVertices {
    /// Finds the vertices within the reach of the agents, which are sorted by it.
    ///
    /// Cost: an expansion for each vertex that is nearer to an agent than its reach, however many agents cover it.
    pub(crate) fn find(&mut self, graph: &impl Network, agents: &mut [Reaching]) {
        agents.sort_by_key(|agent| std::cmp::Reverse(agent.steps));
        self.wave.start(1, graph.slots());
        if self.by.len() < graph.slots() {
            self.by.resize(graph.slots(), 0);
        }
        let (by, Wave { front, visited, .. }) = (&mut self.by, &mut self.wave);
        let mut waiting = agents.iter().peekable();
        let mut left = agents.first().map_or(0, |agent| agent.steps);
        loop {
            while let Some(agent) = waiting.next_if(|agent| agent.steps == left) {
                if visited.insert(agent.at) {
                    by[agent.at.index()] = agent.number;
                    front.push(agent.at);
                }
            }
            front.next_layer();
            if left == 0 {
                break;
            }
            while let Some(vertex) = front.pop() {
                let number = by[vertex.index()];
                front.extend(graph.neighbours(vertex), |next, _| {
                    let is_new = visited.insert(next);
                    if is_new {
                        by[next.index()] = number;
                    }
                    is_new
                });
            }
            left -= 1;
        }
    }

    /// The number of an agent that covers a vertex, of those with the most of their reach left there; `None` if no agent of the
    /// last search covers it.
    pub(crate) fn covered_by(&self, vertex: Vertex) -> Option<u32> {
        let is_covered = self.wave.visited.contains(vertex);
        is_covered.then(|| self.by[vertex.index()])
    }
}

#[cfg(test)]
mod tests;
