//! Whether the cops of a pursuit can reach its robbers.

use super::agent::{AgentRecord, Control};
use super::event::WorldEvent;
use super::facts::Facts;
use super::moves;
use super::pursuit::{PursuitIndex, PursuitRecord};
use crate::abstraction::Hierarchy;
use crate::graph::Vertex;
use std::mem;

/// The parts of the map that cops of a pursuit can reach, as far as they were needed. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct CopComponents {
    /// The vertices on the top level that represent the components, sorted.
    components: Vec<Vertex>,
    /// The number of cops whose components are listed.
    cops: usize,
}

impl Facts {
    /// Reports each free robber of a pursuit that no cop can reach any more, and each that a cop can reach again,
    /// whoever controls the agents. Does nothing while edits are worked into the abstraction, or without cops.
    ///
    /// Cost: for each robber climbing to the top of the hierarchy, and the same for each cop up to the last one that is
    /// the first to reach a robber.
    pub(super) fn report_reach(&mut self, at: PursuitIndex, reached: &mut CopComponents) {
        reached.components.clear();
        reached.cops = 0;
        for index in 0..self.members[at].robbers.len() {
            let pursuit = &self.members[at];
            let id = pursuit.robbers[index];
            let Some(hierarchy) = self.hierarchy().filter(|_| self.has_cops(pursuit)) else {
                break;
            };
            let is_free = |robber: &&AgentRecord| {
                robber.caught.is_none() && self.graph.is_on_map(robber.setup.cell)
            };
            let Some(robber) = self.agent(id).filter(is_free) else {
                continue;
            };
            let is_safe = !self.is_within_reach_of_cops(hierarchy, pursuit, robber, reached);
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

    /// Returns whether a path leads from a cop to a robber. An agent in a wall may leave it by each exit, except for a
    /// robber that only the game moves: it may stay there.
    fn is_within_reach_of_cops(
        &self,
        hierarchy: &Hierarchy,
        pursuit: &PursuitRecord,
        robber: &AgentRecord,
        reached: &mut CopComponents,
    ) -> bool {
        let top = hierarchy.levels() - 1;
        let components = |agent| {
            self.places(agent)
                .filter_map(|at| hierarchy.ancestor(at, top))
        };
        let stays = robber.setup.control == Control::External;
        if stays && !self.graph.is_passable(robber.setup.cell) {
            return self.is_with_a_cop(pursuit, robber);
        }
        loop {
            let is_reached = |of| reached.components.binary_search(&of).is_ok();
            if components(robber).any(is_reached) {
                return true;
            }
            let Some(&next) = pursuit.cops.get(reached.cops) else {
                break;
            };
            reached.cops += 1;
            let moving = self.agent(next).filter(|cop| !cop.setup.is_immobile);
            for component in moving.into_iter().flat_map(components) {
                if let Err(place) = reached.components.binary_search(&component) {
                    reached.components.insert(place, component);
                }
            }
        }
        // Without exits, only a cop in the same wall is there.
        self.places(robber).next().is_none() && self.is_with_a_cop(pursuit, robber)
    }

    /// Returns whether a cop is on the cell of a robber.
    fn is_with_a_cop(&self, pursuit: &PursuitRecord, robber: &AgentRecord) -> bool {
        let mut cops = self.agents(&pursuit.cops);
        cops.any(|(_, cop)| cop.setup.cell == robber.setup.cell)
    }

    fn places(&self, agent: &AgentRecord) -> impl Iterator<Item = Vertex> + '_ {
        let cell = agent.setup.cell;
        let on_floor = self.graph.vertex(cell);
        let exits = moves::exits(&self.graph, cell).filter(move |_| on_floor.is_none());
        on_floor.into_iter().chain(exits)
    }
}
