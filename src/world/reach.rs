//! Whether the cops of a pursuit can reach its robbers.

use super::agent::AgentRecord;
use super::board::Board;
use super::event::WorldEvent;
use super::moves;
use crate::abstraction::Hierarchy;
use crate::graph::Vertex;
use std::mem;

impl Board {
    /// Reports each free robber of a pursuit that no cop can reach any more, and each that a cop can reach again,
    /// whoever controls the agents. Does nothing while edits are worked into the abstraction, or without cops.
    ///
    /// Cost: for each robber climbing to the top of the hierarchy, for itself and for the cops up to the first one
    /// that can reach it.
    pub(super) fn report_reach(&mut self, at: usize) {
        for index in 0..self.members.pursuits()[at].robbers.len() {
            let pursuit = &self.members.pursuits()[at];
            let id = pursuit.robbers[index];
            let Some(hierarchy) = self.hierarchy().filter(|_| self.has_cops(pursuit)) else {
                return;
            };
            let is_free = |robber: &&AgentRecord| {
                robber.caught.is_none() && self.graph.is_on_map(robber.setup.cell)
            };
            let Some(robber) = self.agent(id).filter(is_free) else {
                continue;
            };
            let is_safe = !self
                .agents(&pursuit.cops)
                .any(|(_, cop)| self.is_path_between(hierarchy, cop, robber));
            let Some(robber) = self.members.get_mut(id) else {
                continue;
            };
            if mem::replace(&mut robber.is_safe, is_safe) != is_safe {
                self.events.send(if is_safe {
                    WorldEvent::OutOfReach(id)
                } else {
                    WorldEvent::WithinReach(id)
                });
            }
        }
    }

    /// Returns whether a path leads from one agent to another. An agent in a wall may leave it by each exit.
    fn is_path_between(&self, hierarchy: &Hierarchy, from: &AgentRecord, to: &AgentRecord) -> bool {
        from.setup.cell == to.setup.cell
            || self
                .places(from)
                .any(|start| self.places(to).any(|end| hierarchy.connected(start, end)))
    }

    fn places(&self, agent: &AgentRecord) -> impl Iterator<Item = Vertex> + '_ {
        let cell = agent.setup.cell;
        let on_floor = self.graph.vertex(cell);
        let exits = moves::exits(&self.graph, cell).filter(move |_| on_floor.is_none());
        on_floor.into_iter().chain(exits)
    }
}
