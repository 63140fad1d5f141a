//! Sight: what each side sees of the other.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::event::WorldEvent;
use super::facts::Facts;
use super::lookout::{Lookout, Observer};
use super::pursuit::{PursuitIndex, PursuitRecord};
use super::sight::SightMemory;
use super::sightings::Sightings;
use crate::map::Cell;
use std::mem;

/// The number of turns for which a robber remembers a cop that it has lost sight of.
const MEMORY_TURNS: u64 = 8;

impl Facts {
    /// The cell where the cops of a pursuit expect a robber at their next move, and whether they see
    /// it. `sees_all`: a cop has [unlimited](Self::cops_have_limited_sight) sight.
    pub(super) fn known_robber(
        &self,
        pursuit: &PursuitRecord,
        sees_all: bool,
        id: AgentId,
        robber: &AgentRecord,
    ) -> Option<(Cell, bool)> {
        if sees_all {
            return Some((self.next_cell(robber), true));
        }
        let known = pursuit.cops_know.get(id.key())?;
        if known.sees_now {
            Some((self.next_cell(robber), true))
        } else {
            Some((known.cell, false))
        }
    }

    /// The cell where a robber believes a cop to be, and whether it sees the cop.
    pub(super) fn known_cop(
        pursuit: &PursuitRecord,
        id: AgentId,
        robber: &AgentRecord,
        cop_id: AgentId,
        cop_cell: Cell,
    ) -> Option<(Cell, bool)> {
        if robber.setup.sight.is_none() {
            return Some((cop_cell, true));
        }
        let known = pursuit.known_by(id)?.get(cop_id.key())?;
        if known.sees_now {
            Some((cop_cell, true))
        } else {
            Some((known.cell, false))
        }
    }

    /// Returns whether no cop of the pursuit has unlimited sight.
    pub(super) fn cops_have_limited_sight(&self, pursuit: &PursuitRecord) -> bool {
        let mut cops = self.agents(&pursuit.cops).peekable();
        cops.peek().is_some() && cops.all(|(_, cop)| cop.setup.sight.is_some())
    }

    /// Updates the sightings of all members of a pursuit with limited sight. Returns the work, in expansions.
    pub(super) fn update_sight(&mut self, at: PursuitIndex) -> u64 {
        let mut work = 0;
        let pursuit = &self.members[at];
        let is_limited = |(_, robber): (AgentId, &AgentRecord)| robber.setup.sight.is_some();
        let robbers = self.agents(&pursuit.robbers).any(is_limited);
        let cops = self.cops_have_limited_sight(pursuit);
        self.drop_old_traces(at, cops);
        if cops {
            let mut known = mem::take(&mut self.members[at].cops_know);
            self.observe_robbers(at, &mut known);
            let mut beliefs = mem::take(&mut self.members[at].beliefs);
            work += self.track_robbers(at, &known, &mut beliefs);
            let pursuit = &mut self.members[at];
            (pursuit.cops_know, pursuit.beliefs) = (known, beliefs);
        } else {
            self.end_sightings(at);
        }
        if robbers {
            let mut known = mem::take(&mut self.members[at].robbers_know);
            work += self.observe_cops(at, &mut known);
            self.members[at].robbers_know = known;
        }
        work
    }

    /// Drops what cops have guessed whose sight is no longer limited, and ends the sightings of a pursuit whose cops have
    /// all left. While a cop has unlimited sight, it sees every robber, and sightings last.
    fn end_sightings(&mut self, at: PursuitIndex) {
        let Self {
            members, events, ..
        } = self;
        let pursuit = &mut members[at];
        pursuit.beliefs.clear();
        if !pursuit.cops.is_empty() {
            return;
        }
        for &robber in &pursuit.robbers {
            if pursuit.cops_know.lose(robber.key()) {
                events.send(WorldEvent::lost(robber));
            }
        }
    }

    fn observe_robbers(&mut self, at: PursuitIndex, known: &mut Sightings) {
        let Self {
            members,
            graph,
            events,
            tick,
            sight,
            ..
        } = self;
        let pursuit = &members[at];
        let cops = pursuit.cops.iter().filter_map(|&id| members.get(id));
        sight.place_cops(graph, cops.map(|cop| (cop.setup.cell, cop.setup.sight)));
        for &id in &pursuit.robbers {
            let Some(robber) = members.get(id).filter(|robber| robber.caught.is_none()) else {
                // A captured robber counts as out of sight, so that it can be sighted again when it is free.
                if known.forget(id.key()).is_some_and(|last| last.sees_now) {
                    events.send(WorldEvent::lost(id));
                }
                continue;
            };
            let cell = robber.setup.cell;
            let seen = sight.is_seen(graph, cell);
            let last = known.get(id.key());
            let before = last.is_some_and(|sighting| sighting.sees_now);
            if seen {
                known.note(id.key(), cell, *tick);
            } else {
                known.lose(id.key());
                let is_checked =
                    |last: Cell| sight.has_cop_within(last, 1) || !graph.is_floor(last);
                if last.is_some_and(|last| is_checked(last.cell)) {
                    known.check_off(id.key());
                }
            }
            if seen != before {
                events.send(WorldEvent::Sighted { robber: id, seen });
            }
        }
    }

    /// Returns the work, in expansions.
    fn observe_cops(&mut self, at: PursuitIndex, known: &mut Vec<(AgentId, Lookout)>) -> u64 {
        let oldest = self.tick.saturating_sub(MEMORY_TURNS * self.turn_length());
        let mut memory = mem::take(&mut self.sight);
        let SightMemory {
            observed,
            seen,
            search,
            ..
        } = &mut memory;
        let pursuit = &self.members[at];
        let ground = self.ground_of_cops(pursuit);
        let cops = self.agents(&pursuit.cops);
        observed.fill(cops.map(|(id, cop)| (cop.setup.cell, id.key())));
        for (id, robber) in self.agents(&pursuit.robbers) {
            let Some(sight) = robber.setup.sight else {
                continue;
            };
            let here = robber.setup.cell;
            let index = known.binary_search_by_key(&id, |&(who, _)| who);
            let index = index.unwrap_or_else(|index| {
                known.insert(index, (id, Lookout::default()));
                index
            });
            let sees = |cell: Cell| self.graph.sees(here, cell, Some(sight));
            seen.clear();
            observed.visit_near(here, sight.into(), |cell, key| {
                seen.extend(Some((key, cell)).filter(|_| sees(cell)));
                sight.into()
            });
            seen.sort_unstable();
            let lookout = &mut known[index].1;
            lookout.sightings.expire(oldest);
            let observer = Observer {
                graph: self.graph_on(ground),
                tick: self.tick,
                cell: here,
                sight,
            };
            let pace = |key| Some(self.pace(pursuit, self.agent(AgentId::of_key(key))?));
            lookout.update(observer, seen, pace, search);
        }
        let work = mem::take(&mut memory.search.work);
        self.sight = memory;
        work
    }
}
