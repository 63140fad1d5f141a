//! Whether the cops of a pursuit can reach its robbers.

use super::agent::{AgentRecord, Control};
use super::event::WorldEvent;
use super::facts::Facts;
use super::moves;
use super::pursuit::{PursuitIndex, PursuitRecord};
use crate::abstraction::Hierarchy;
use crate::graph::{Graph, Vertex};
use crate::map::Walker;
use std::mem;

/// The parts of the map that cops of a pursuit can reach, as far as they were needed. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct CopComponents {
    /// The vertices on the top level that represent the components, sorted.
    components: Vec<Vertex>,
    /// The number of cops whose components are listed.
    cops: usize,
}

/// How to find out whether the cops of a pursuit can reach its robbers.
#[derive(Clone, Copy)]
enum CopGrounds<'a> {
    /// All members walk on one ground.
    On(Walker, &'a Hierarchy),
    /// They walk on different grounds.
    Apart,
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
            let Some(within) = self.reach_of(pursuit) else {
                break;
            };
            let is_free = |robber: &&AgentRecord| {
                robber.caught.is_none() && self.graph.is_on_map(robber.setup.cell)
            };
            let Some(robber) = self.agent(id).filter(is_free) else {
                continue;
            };
            let is_safe = match within {
                CopGrounds::On(ground, hierarchy) => {
                    !self.is_within_reach_of_cops(ground, hierarchy, pursuit, robber, reached)
                }
                CopGrounds::Apart => !self.is_within_reach_of_a_cop(pursuit, robber),
            };
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

    /// How to find out whether the cops of a pursuit can reach its robbers; `None` while edits are worked into an
    /// abstraction, and without cops.
    fn reach_of(&self, pursuit: &PursuitRecord) -> Option<CopGrounds<'_>> {
        if !self.has_cops(pursuit) {
            return None;
        }
        if let Some(ground) = self.common_ground(pursuit) {
            return Some(CopGrounds::On(ground, self.hierarchy_on(ground)?));
        }
        let mut cops = self.agents(&pursuit.cops);
        let are_known = cops.all(|(_, cop)| self.hierarchy_on(self.ground_of(cop)).is_some());
        are_known.then_some(CopGrounds::Apart)
    }

    /// Returns whether a path of its own ground leads a cop to a robber that walks on another one.
    ///
    /// Cost: for each cop climbing to the top of a hierarchy.
    fn is_within_reach_of_a_cop(&self, pursuit: &PursuitRecord, robber: &AgentRecord) -> bool {
        let of_robber = self.graph_of(robber);
        let reaches = |cop: &AgentRecord| {
            let ground = self.ground_of(cop);
            let (graph, hierarchy) = (self.graph_on(ground), self.hierarchy_on(ground));
            // A robber that walks on its ground may come out to the cop.
            let goals = places(of_robber, robber).map(|at| of_robber.cell(at));
            let goals = goals.flat_map(|at| graph.vertices_touching(at, robber.setup.size));
            let mut goals = goals.take(16);
            hierarchy.is_some_and(|all| {
                goals.any(|to| places(graph, cop).any(|from| all.connected(from, to)))
            })
        };
        let mut cops = self.agents(&pursuit.cops);
        let moving = |(_, cop): &(_, &AgentRecord)| !cop.setup.is_immobile;
        cops.any(|cop| moving(&cop) && reaches(cop.1)) || self.is_with_a_cop(pursuit, robber)
    }

    /// Returns whether a path leads from a cop to a robber. An agent in a wall may leave it by each exit, except for a
    /// robber that only the game moves: it may stay there.
    fn is_within_reach_of_cops(
        &self,
        ground: Walker,
        hierarchy: &Hierarchy,
        pursuit: &PursuitRecord,
        robber: &AgentRecord,
        reached: &mut CopComponents,
    ) -> bool {
        let (graph, top) = (self.graph_on(ground), hierarchy.levels() - 1);
        let components = |agent| places(graph, agent).filter_map(|at| hierarchy.ancestor(at, top));
        let stays = robber.setup.control == Control::External;
        if stays && !graph.is_passable(robber.setup.cell) {
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
        places(graph, robber).next().is_none() && self.is_with_a_cop(pursuit, robber)
    }

    /// Returns whether a cop is on the cell of a robber.
    fn is_with_a_cop(&self, pursuit: &PursuitRecord, robber: &AgentRecord) -> bool {
        let mut cops = self.agents(&pursuit.cops);
        cops.any(|(_, cop)| cop.overlaps_from(cop.setup.cell, robber))
    }
}

/// The vertex of an agent, or the exits of an agent in a wall.
fn places<'a>(graph: &'a Graph, agent: &AgentRecord) -> impl Iterator<Item = Vertex> + 'a {
    let cell = agent.setup.cell;
    let on_floor = graph.vertex(cell);
    let exits = moves::exits(graph, cell).filter(move |_| on_floor.is_none());
    on_floor.into_iter().chain(exits)
}
