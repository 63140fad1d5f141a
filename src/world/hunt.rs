//! The hunt for robbers that the cops have lost: where these may be, and where each cop looks.

use super::agent::{AgentRecord, SearchWalk};
use super::board::Board;
use super::hash::mix;
use super::pursuit::Tracked;
use super::senses::MOST_SEARCHERS;
use super::sightings::{Sighting, Sightings, search_goal};
use super::{AgentId, PursuitRecord};
use crate::belief::Belief;
use crate::map::Cell;
use crate::search::Dice;

/// The number of places among which a cop chooses the next goal of its search.
const SEARCH_DRAWS: u64 = 8;

/// The number of random cells of which a cop without particles takes the first one that it can reach.
const GOAL_DRAWS: u64 = 32;

/// A cop gives up the goal of a search walk that it has not reached after this number of turns.
const SEARCH_TURNS: u64 = 256;

/// The greatest number of robbers out of sight for which a pursuit keeps particles.
const MOST_TRACKED: usize = 16;

/// The greatest number of steps that particles take at once. More are left out.
const MOST_STEPS: u64 = 8;

impl Board {
    /// Updates where the cops of a pursuit believe robbers out of sight to be, after `known` has been updated.
    ///
    /// Cost for each of at most [`MOST_TRACKED`] robbers: a line of sight for each particle and cop.
    pub(super) fn track_robbers(
        &self,
        at: usize,
        known: &Sightings,
        beliefs: &mut Vec<(AgentId, Tracked)>,
    ) {
        let pursuit = &self.members.pursuits()[at];
        let hidden = |id: AgentId| {
            let is_seen = known.get(id.key()).is_some_and(|last| last.sees_now);
            let robber = self.agent(id).filter(|robber| robber.caught.is_none());
            robber.filter(|_| !is_seen)
        };
        beliefs.retain(|&(id, _)| hidden(id).is_some());
        for &id in &pursuit.robbers {
            let Some(robber) = hidden(id) else {
                continue;
            };
            let last = known.get(id.key());
            let index = match beliefs.binary_search_by_key(&id, |&(who, _)| who) {
                Ok(index) => index,
                Err(_) if beliefs.len() >= MOST_TRACKED => continue,
                Err(index) => {
                    let belief = last.map_or_else(Belief::default, |last| Belief::at(last.cell));
                    let tick = self.tick;
                    beliefs.insert(index, (id, Tracked { belief, tick }));
                    index
                }
            };
            self.track(pursuit, (id, robber), last, &mut beliefs[index].1);
        }
    }

    /// Moves the particles as the robber may have moved since, and rules out those that the cops see to be wrong.
    fn track(
        &self,
        pursuit: &PursuitRecord,
        (id, robber): (AgentId, &AgentRecord),
        last: Option<Sighting>,
        tracked: &mut Tracked,
    ) {
        let seed = mix(mix(self.settings.seed, id.key()), self.tick);
        let ticks_per_step = self.pace(pursuit, robber);
        let steps = self.tick.saturating_sub(tracked.tick) / ticks_per_step;
        for number in 0..steps.min(MOST_STEPS) {
            tracked.belief.step(&self.graph, mix(seed, number));
        }
        tracked.tick += steps * ticks_per_step;
        let is_wrong =
            |cell: Cell| !self.graph.is_passable(cell) || self.is_in_sight(pursuit, cell);
        let mut drawn = mix(seed, MOST_STEPS + 1);
        let draw = || {
            drawn = mix(drawn, 0);
            let cell = self.draw_near(ticks_per_step, last, drawn)?;
            (!is_wrong(cell) && self.is_within_reach(pursuit, cell)).then_some(cell)
        };
        (tracked.belief).rule_out(is_wrong, draw, mix(seed, MOST_STEPS));
    }

    /// The ticks of one step of a robber, on the clock of its pursuit.
    fn pace(&self, pursuit: &PursuitRecord, robber: &AgentRecord) -> u64 {
        if self.clock(pursuit).is_in_turns() {
            (self.turn_length() / u64::from(robber.setup.speed.steps())).max(1)
        } else {
            u64::from(self.ticks_per_step(robber))
        }
    }

    /// A random cell that a robber can have reached since the last sighting; one of the whole map if there is none.
    fn draw_near(&self, ticks_per_step: u64, last: Option<Sighting>, seed: u64) -> Option<Cell> {
        let (around, steps) = match last {
            Some(last) => {
                let ticks = self.tick.saturating_sub(last.tick);
                (last.cell, ticks / ticks_per_step)
            }
            None => (
                Cell::new(self.graph.width() / 2, self.graph.height() / 2),
                u64::MAX,
            ),
        };
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        let goal = search_goal(&self.graph, around, steps, seed)?;
        Some(self.graph.cell(goal))
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
            let is_empty = !search.is_in_view && self.is_in_sight(pursuit, search.goal);
            // A goal that is a wall by now, is seen to be empty, is unreachable, or has not been reached for this long, is
            // given up.
            self.graph.is_passable(search.goal)
                && search.goal != self.graph.cell(from)
                && !is_empty
                && !(cop.plan.is_made && cop.plan.falls_short)
                && waited <= SEARCH_TURNS * self.turn_length()
        });
        continued.or_else(|| {
            let goal = self.choose_goal(pursuit, id, cop, target)?;
            Some(SearchWalk {
                goal,
                since: self.tick,
                is_in_view: self.is_in_sight(pursuit, goal),
            })
        })
    }

    /// The next goal of a cop that has no sighting of its robber, or has found the place of the last sighting empty: one
    /// of the particles, near to the cop, and far from the goals of others that search. If there are no particles, because
    /// all that is near is in sight, it is a random cell there. `None` if there is no such cell.
    fn choose_goal(
        &self,
        pursuit: &PursuitRecord,
        id: AgentId,
        cop: &AgentRecord,
        target: AgentId,
    ) -> Option<Cell> {
        let seed = mix(mix(self.settings.seed, id.key()), self.tick);
        let (beliefs, dice) = (&pursuit.beliefs, &mut Dice::new(seed));
        let belief = beliefs.binary_search_by_key(&target, |&(robber, _)| robber);
        let belief = belief.map(|index| &beliefs[index].1.belief);
        let drawn = belief.ok().and_then(|belief| {
            let goals = (0..SEARCH_DRAWS).filter_map(|_| belief.pick(dice));
            goals.min_by_key(|&goal| {
                let near = i64::from(goal.max_norm(cop.setup.cell));
                let apart = self.distance_of_goals(pursuit, id, goal);
                near - i64::from(apart.unwrap_or_default())
            })
        });
        drawn.or_else(|| {
            let ticks_per_step = self.pace(pursuit, self.agent(target)?);
            let last = pursuit.cops_know.get(target.key());
            let mut goals = (0..GOAL_DRAWS).filter_map(|draw| {
                let goal = self.draw_near(ticks_per_step, last, mix(seed, draw))?;
                self.is_way(cop, goal).then_some(goal)
            });
            goals.next()
        })
    }

    /// Returns whether one of the first cops of the pursuit can reach a cell.
    fn is_within_reach(&self, pursuit: &PursuitRecord, cell: Cell) -> bool {
        let mut cops = self.agents(&pursuit.cops).take(MOST_SEARCHERS);
        cops.any(|(_, cop)| self.is_way(cop, cell))
    }

    /// Returns whether a path leads from a cop to a cell, as far as is known while the abstraction is repaired.
    fn is_way(&self, cop: &AgentRecord, cell: Cell) -> bool {
        let (Some(hierarchy), Some(to)) = (self.hierarchy(), self.graph.vertex(cell)) else {
            return true;
        };
        let from = self.graph.vertex(cop.setup.cell);
        from.is_none_or(|from| hierarchy.connected(from, to))
    }

    /// The distance of a cell to the nearest goal of another cop that searches; `None` if no other cop does.
    fn distance_of_goals(&self, pursuit: &PursuitRecord, id: AgentId, cell: Cell) -> Option<u32> {
        let cops = self.agents(&pursuit.cops).take(MOST_SEARCHERS);
        let others = cops.filter(|&(other, _)| other != id);
        let goals = others.filter_map(|(_, cop)| Some(cop.search?.goal));
        goals.map(|goal| goal.max_norm(cell)).min()
    }
}
