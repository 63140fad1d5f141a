//! Who sees whom, who goes for whom.

use super::agent::{Agent, SearchWalk};
use super::hash::mix;
use super::sightings::{Sightings, search_goal};
use super::{AgentId, Pursuit, PursuitWorld, WorldEvent};
use crate::map::Cell;
use std::mem;

/// For how many turns a robber minds a cop that it has lost sight of.
const MEMORY_TURNS: u64 = 8;

impl PursuitWorld {
    /// Where the cops of a pursuit take a robber to be when they move next, and whether they see it.
    pub(super) fn known_robber(
        &self,
        pursuit: &Pursuit,
        id: AgentId,
        robber: &Agent,
    ) -> Option<(Cell, bool)> {
        if !self.is_blind(pursuit) {
            return Some((self.next_cell(robber), true));
        }
        let known = pursuit.cops_know.get(id.key())?;
        if known.sees_now {
            Some((self.next_cell(robber), true))
        } else {
            Some((known.cell, false))
        }
    }

    /// Where a robber takes a cop to be now, and whether it sees it.
    pub(super) fn known_cop(
        pursuit: &Pursuit,
        id: AgentId,
        robber: &Agent,
        cop_id: AgentId,
        cop: &Agent,
    ) -> Option<(Cell, bool)> {
        if robber.setup.sight.is_none() {
            return Some((cop.setup.cell, true));
        }
        let (_, known) = pursuit.robbers_know.iter().find(|(who, _)| *who == id)?;
        let known = known.get(cop_id.key())?;
        if known.sees_now {
            Some((cop.setup.cell, true))
        } else {
            Some((known.cell, false))
        }
    }

    /// Is there no cop in the pursuit that sees everything?
    fn is_blind(&self, pursuit: &Pursuit) -> bool {
        let cops = pursuit.cops.iter().filter_map(|&id| self.roster.get(id));
        let mut cops = cops.peekable();
        cops.peek().is_some() && cops.all(|cop| cop.setup.sight.is_some())
    }

    /// Everybody of a pursuit whose sight is limited looks around.
    pub(super) fn look(&mut self, at: usize) {
        let pursuit = &self.pursuits[at];
        let blind_robber = |&id: &AgentId| {
            let robber = self.roster.get(id);
            robber.is_some_and(|robber| robber.setup.sight.is_some())
        };
        let (cops, robbers) = (
            self.is_blind(pursuit),
            pursuit.robbers.iter().any(blind_robber),
        );
        if cops {
            let mut known = mem::take(&mut self.pursuits[at].cops_know);
            self.look_for_robbers(at, &mut known);
            self.pursuits[at].cops_know = known;
        }
        if robbers {
            let mut known = mem::take(&mut self.pursuits[at].robbers_know);
            self.look_for_cops(at, &mut known);
            self.pursuits[at].robbers_know = known;
        }
    }

    fn look_for_robbers(&mut self, at: usize, known: &mut Sightings) {
        let Self {
            pursuits,
            roster,
            graph,
            events,
            tick,
            ..
        } = self;
        for &id in &pursuits[at].robbers {
            let Some(robber) = roster.get(id).filter(|robber| robber.caught.is_none()) else {
                known.forget(id.key());
                continue;
            };
            let cell = robber.setup.cell;
            let sees = |&cop: &AgentId| {
                let cop = roster.get(cop);
                cop.is_some_and(|cop| graph.sees(cop.setup.cell, cell, cop.setup.sight))
            };
            let seen = pursuits[at].cops.iter().any(sees);
            let before = known
                .get(id.key())
                .is_some_and(|sighting| sighting.sees_now);
            if seen {
                known.note(id.key(), cell, *tick);
            } else {
                known.lose(id.key());
            }
            if seen != before {
                events.push(WorldEvent::Sighted { robber: id, seen });
            }
        }
    }

    fn look_for_cops(&self, at: usize, known: &mut Vec<(AgentId, Sightings)>) {
        let pursuit = &self.pursuits[at];
        for &id in &pursuit.robbers {
            let Some(robber) = self.roster.get(id).filter(|r| r.setup.sight.is_some()) else {
                continue;
            };
            let index = known.iter().position(|(who, _)| *who == id);
            let index = index.unwrap_or_else(|| {
                known.push((id, Sightings::default()));
                known.len() - 1
            });
            let known = &mut known[index].1;
            for &cop_id in &pursuit.cops {
                let Some(cop) = self.roster.get(cop_id) else {
                    continue;
                };
                let (here, there) = (robber.setup.cell, cop.setup.cell);
                if self.graph.sees(here, there, robber.setup.sight) {
                    known.note(cop_id.key(), there, self.tick);
                } else {
                    known.lose(cop_id.key());
                }
            }
            let turn = u64::from(self.settings.ticks_per_turn.max(1));
            known.expire(self.tick.saturating_sub(MEMORY_TURNS * turn));
        }
    }

    /// Where a cop goes that knows nothing of its robber, or has looked where it was last: somewhere
    /// round about, farther away as time passes. `None` if there is nothing left to look at.
    pub(super) fn search_walk(&self, pursuit: &Pursuit, id: AgentId, cop: &Agent) -> Option<Cell> {
        let last = cop
            .target
            .and_then(|robber| pursuit.cops_know.get(robber.key()));
        let (around, since) = match last {
            Some(sighting) => (sighting.cell, sighting.tick),
            None => (cop.setup.cell, 0),
        };
        let turn = u64::from(self.settings.ticks_per_turn.max(1));
        let turns = (self.tick.saturating_sub(since) / turn).min(1 << 16) as u32;
        let seed = mix(mix(self.settings.seed, id.key()), self.tick);
        let goal = search_goal(&self.graph, around, turns, seed)?;
        Some(self.graph.cell(goal))
    }

    /// Has a cop of the pursuit come to where a robber was seen last, without seeing it?
    pub(super) fn has_looked(&self, pursuit: &Pursuit, robber: AgentId) -> bool {
        let Some(last) = pursuit.cops_know.get(robber.key()) else {
            return true;
        };
        let mut cops = pursuit.cops.iter().filter_map(|&id| self.roster.get(id));
        !last.sees_now && cops.any(|cop| cop.setup.cell.max_norm(last.cell) <= 1)
    }

    /// Each cop goes for the free robber that is nearest as the crow flies, of those that it can come
    /// to if there are any, and keeps to it unless another one is nearer by a third.
    pub(super) fn assign(&mut self, at: usize) {
        for index in 0..self.pursuits[at].cops.len() {
            let id = self.pursuits[at].cops[index];
            let target = self.best_target(&self.pursuits[at], id);
            if let Some(cop) = self.roster.get_mut(id)
                && cop.target != target
            {
                cop.target = target;
                cop.search = None;
                cop.plan.drop();
            }
        }
    }

    fn best_target(&self, pursuit: &Pursuit, id: AgentId) -> Option<AgentId> {
        let cop = self.roster.get(id)?;
        let here = cop.setup.cell;
        let free = pursuit.robbers.iter().filter_map(|&robber| {
            let agent = self.roster.get(robber)?;
            let is_on_map =
                agent.setup.cell.x < self.graph.width() && agent.setup.cell.y < self.graph.height();
            (agent.caught.is_none() && is_on_map).then_some((robber, agent))
        });
        let mut free = free.peekable();
        let first = free.next()?;
        if free.peek().is_none() {
            return Some(first.0);
        }
        let hierarchy = self.hierarchy();
        let ranked = std::iter::once(first).chain(free).map(|(robber, agent)| {
            let cell = self
                .known_robber(pursuit, robber, agent)
                .map_or(here, |(cell, _)| cell);
            let ends = self.graph.vertex(here).zip(self.graph.vertex(cell));
            let apart = match (hierarchy, ends) {
                (Some(all), Some((a, b))) => !all.connected(a, b),
                _ => ends.is_none(),
            };
            let keeps = cop.target == Some(robber);
            let distance = cell.max_norm(here) * if keeps { 2 } else { 3 };
            (apart, distance, cell, robber)
        });
        ranked.min().map(|(.., robber)| robber)
    }

    /// Notes where a cop that has lost its robber goes.
    pub(super) fn set_search(&mut self, id: AgentId, goal: Option<Cell>) {
        let since = self.tick;
        if let Some(agent) = self.roster.get_mut(id) {
            agent.search = goal.map(|goal| SearchWalk { goal, since });
        }
    }
}
