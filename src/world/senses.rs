//! Sight: what each side sees, and where cops look for a robber that they have lost.

use super::agent::{AgentRecord, SearchWalk};
use super::board::Board;
use super::hash::mix;
use super::sightings::{Sightings, search_goal};
use super::{AgentId, PursuitRecord, WorldEvent};
use crate::map::Cell;
use std::mem;

/// The number of places among which a cop chooses the next goal of its search.
const SEARCH_DRAWS: u64 = 8;

/// So many cops of a pursuit at most are considered for that, so that a crowd takes no longer.
const MOST_SEARCHERS: usize = 16;

/// A cop gives up the goal of a search walk that it has not reached after this number of turns.
const SEARCH_TURNS: u64 = 64;

/// The number of turns for which a robber remembers a cop that it has lost sight of.
const MEMORY_TURNS: u64 = 8;

impl Board {
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

    /// Updates the sightings of all members of a pursuit with limited sight.
    pub(super) fn update_sight(&mut self, at: usize) {
        let pursuit = &self.members.pursuits()[at];
        let is_limited = |(_, robber): (AgentId, &AgentRecord)| robber.setup.sight.is_some();
        let robbers = self.agents(&pursuit.robbers).any(is_limited);
        let cops = self.cops_have_limited_sight(pursuit);
        if cops {
            let mut known = mem::take(&mut self.members.pursuits_mut()[at].cops_know);
            self.observe_robbers(at, &mut known);
            self.members.pursuits_mut()[at].cops_know = known;
        } else {
            self.end_sightings(at);
        }
        if robbers {
            let mut known = mem::take(&mut self.members.pursuits_mut()[at].robbers_know);
            self.observe_cops(at, &mut known);
            self.members.pursuits_mut()[at].robbers_know = known;
        }
    }

    /// Ends the sightings of cops whose sight is no longer limited, and those of a pursuit whose cops have all left.
    /// Only the latter is an event, because a cop with unlimited sight sees every robber.
    fn end_sightings(&mut self, at: usize) {
        let Self {
            members, events, ..
        } = self;
        let pursuit = &mut members.pursuits_mut()[at];
        for &robber in &pursuit.robbers {
            if pursuit.cops_know.lose(robber.key()) && pursuit.cops.is_empty() {
                events.send(WorldEvent::Sighted {
                    robber,
                    seen: false,
                });
            }
        }
    }

    fn observe_robbers(&mut self, at: usize, known: &mut Sightings) {
        let Self {
            members,
            graph,
            events,
            tick,
            ..
        } = self;
        let pursuit = &members.pursuits()[at];
        for &id in &pursuit.robbers {
            let Some(robber) = members.get(id).filter(|robber| robber.caught.is_none()) else {
                known.forget(id.key());
                continue;
            };
            let cell = robber.setup.cell;
            let sees = |&cop: &AgentId| {
                let cop = members.get(cop);
                cop.is_some_and(|cop| graph.sees(cop.setup.cell, cell, cop.setup.sight))
            };
            let seen = pursuit.cops.iter().any(sees);
            let last = known.get(id.key());
            let before = last.is_some_and(|sighting| sighting.sees_now);
            if seen {
                known.note(id.key(), cell, *tick);
            } else {
                known.lose(id.key());
                let is_beside = |&cop: &AgentId, at: Cell| {
                    let cop = members.get(cop);
                    cop.is_some_and(|cop| cop.setup.cell.max_norm(at) <= 1)
                };
                if last.is_some_and(|last| {
                    !graph.is_passable(last.cell)
                        || pursuit.cops.iter().any(|cop| is_beside(cop, last.cell))
                }) {
                    known.check_off(id.key());
                }
            }
            if seen != before {
                events.send(WorldEvent::Sighted { robber: id, seen });
            }
        }
    }

    fn observe_cops(&self, at: usize, known: &mut Vec<(AgentId, Sightings)>) {
        let pursuit = &self.members.pursuits()[at];
        for (id, robber) in self.agents(&pursuit.robbers) {
            if robber.setup.sight.is_none() {
                continue;
            }
            let index = known.binary_search_by_key(&id, |&(who, _)| who);
            let index = index.unwrap_or_else(|index| {
                known.insert(index, (id, Sightings::default()));
                index
            });
            let known = &mut known[index].1;
            for (cop_id, cop) in self.agents(&pursuit.cops) {
                let (here, there) = (robber.setup.cell, cop.setup.cell);
                let sees = |cell: Cell| self.graph.sees(here, cell, robber.setup.sight);
                if sees(there) {
                    known.note(cop_id.key(), there, self.tick);
                } else if known.get(cop_id.key()).is_some_and(|last| sees(last.cell)) {
                    // It has gone from where it was remembered to be.
                    known.forget(cop_id.key());
                } else {
                    known.lose(cop_id.key());
                }
            }
            let oldest = MEMORY_TURNS * self.turn_length();
            known.expire(self.tick.saturating_sub(oldest));
        }
    }

    /// Sends cops that may move now and have lost their robber on a search walk. Ends the walk when a cop sees the
    /// robber again.
    pub(super) fn update_search_walks(&mut self, at: usize) {
        let pursuit = &self.members.pursuits()[at];
        if !self.cops_have_limited_sight(pursuit) {
            return;
        }
        for index in 0..pursuit.cops.len() {
            let id = self.members.pursuits()[at].cops[index];
            let Some(cop) = self.agent(id).filter(|cop| self.tick >= cop.arrives) else {
                continue;
            };
            let pursuit = &self.members.pursuits()[at];
            let next = self.next_search(pursuit, id, cop);
            if next == cop.search {
                continue;
            }
            if let Some(cop) = self.members.get_mut(id) {
                cop.search = next;
                cop.plan.drop();
            }
        }
    }

    /// The search walk that a cop starts or continues with its next move, if it needs one.
    fn next_search(
        &self,
        pursuit: &PursuitRecord,
        id: AgentId,
        cop: &AgentRecord,
    ) -> Option<SearchWalk> {
        let target = cop.target?;
        let from = self.graph.vertex(cop.setup.cell)?;
        // A sighting that no cop has checked is followed first.
        let last = pursuit.cops_know.get(target.key());
        if last.is_some_and(|last| last.sees_now || !last.checked) {
            return None;
        }
        let continued = cop.search.filter(|search| {
            let waited = self.tick.saturating_sub(search.since);
            // A goal that is a wall by now, is seen to be empty, is unreachable, or has not been reached for this long, is
            // given up.
            self.graph.is_passable(search.goal)
                && search.goal != self.graph.cell(from)
                && !self.is_in_sight(pursuit, search.goal)
                && !(cop.plan.is_made && cop.plan.falls_short)
                && waited <= SEARCH_TURNS * self.turn_length()
        });
        continued.or_else(|| {
            let goal = self.draw_search_goal(pursuit, id, cop)?;
            let since = self.tick;
            Some(SearchWalk { goal, since })
        })
    }

    /// The next goal of a cop that has no sighting of its robber, or has found the place of the last sighting empty: a
    /// cell near that place, within a radius that grows with time. Of some random ones, it is one that no cop sees now; if
    /// others search too, near to the cop and far from their goals. `None` if there is no such cell.
    fn draw_search_goal(
        &self,
        pursuit: &PursuitRecord,
        id: AgentId,
        cop: &AgentRecord,
    ) -> Option<Cell> {
        let last = cop
            .target
            .and_then(|robber| pursuit.cops_know.get(robber.key()));
        let (around, since) = match last {
            Some(sighting) => (sighting.cell, sighting.tick),
            None => (cop.setup.cell, 0),
        };
        let turns = (self.tick.saturating_sub(since) / self.turn_length()).min(1 << 16) as u32;
        let seed = mix(mix(self.settings.seed, id.key()), self.tick);
        let goals = (0..SEARCH_DRAWS).filter_map(|draw| {
            let goal = search_goal(&self.graph, around, turns, mix(seed, draw))?;
            Some(self.graph.cell(goal))
        });
        goals.min_by_key(|&goal| {
            let near = i64::from(goal.max_norm(cop.setup.cell));
            // A cop that searches alone would never get far if it preferred what is near.
            let apart = self.distance_of_goals(pursuit, id, goal);
            let cost = apart.map_or(0, |apart| near - i64::from(apart));
            (self.is_in_sight(pursuit, goal), cost)
        })
    }

    /// The distance of a cell to the nearest goal of another cop that searches; `None` if no other cop does.
    fn distance_of_goals(&self, pursuit: &PursuitRecord, id: AgentId, cell: Cell) -> Option<u32> {
        let cops = self.agents(&pursuit.cops).take(MOST_SEARCHERS);
        let others = cops.filter(|&(other, _)| other != id);
        let goals = others.filter_map(|(_, cop)| Some(cop.search?.goal));
        goals.map(|goal| goal.max_norm(cell)).min()
    }

    /// Returns whether a cop of the pursuit sees a cell.
    fn is_in_sight(&self, pursuit: &PursuitRecord, cell: Cell) -> bool {
        let mut cops = self.agents(&pursuit.cops).take(MOST_SEARCHERS);
        cops.any(|(_, cop)| {
            let sight = cop.setup.sight;
            self.graph.sees(cop.setup.cell, cell, sight)
        })
    }
}
