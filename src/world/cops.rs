//! Moves of cops for which there is no table.

use super::budget::Meter;
use super::commit::Found;
use super::needs::Wish;
use super::settings::Clock;
use super::state::{Idle, Reason};
use super::view::Position;
use super::{AgentId, PursuitWorld};
use crate::game::{Outcome, Speed, Value};
use crate::graph::Vertex;
use crate::policy::Source;
use std::mem;

impl PursuitWorld {
    /// The cops of a pursuit choose together.
    pub(super) fn move_cops(&mut self, at: usize, position: &mut Position, meter: &mut dyn Meter) {
        let clock = self.clock(&self.pursuits[at]);
        let free = self.free_robbers(&self.pursuits[at]);
        // With nobody to chase it stays as it was, for the next one.
        self.pursuits[at].cops_by_table &= free == 0;
        let why = match self.table_for_cops(at, position) {
            Ok(value) if value != Value::Exact(Outcome::Escapes) => return,
            Ok(_) => Reason::Escapes,
            Err(why) => why,
        };
        for index in 0..self.pursuits[at].robbers.len() {
            let robber = self.pursuits[at].robbers[index];
            let wish = self.wish_of_team(&self.pursuits[at], robber, position);
            if let Some(wish) = wish.filter(Wish::is_urgent) {
                self.plan(wish.unit(), true, meter);
            } else if wish.is_none() {
                self.confirm_plans(position);
            }
        }
        for index in 0..self.pursuits[at].cops.len() {
            let id = self.pursuits[at].cops[index];
            let Some(cop) = self.roster.get(id) else {
                continue;
            };
            if !self.is_members_turn(clock, cop) {
                continue;
            }
            if self.is_off_the_map(cop.setup.cell) {
                self.idle(id, Idle::OffTheMap);
            } else if self.follow_game(at, id, meter) {
                // The game has spoken.
            } else if free == 0 {
                self.idle(id, Idle::NobodyThere);
            } else {
                self.move_cop(at, id, why);
            }
        }
    }

    /// A cop without a table moves.
    fn move_cop(&mut self, at: usize, id: AgentId, why: Reason) {
        let mut way = mem::take(&mut self.scratch.way);
        way.clear();
        let found = self.find_cop_move(at, id, why, &mut way);
        match found {
            Some(found) => self.set_out(at, id, &way, found),
            None => self.idle(id, Idle::NobodySeen),
        }
        self.scratch.way = way;
    }

    fn find_cop_move(
        &mut self,
        at: usize,
        id: AgentId,
        why: Reason,
        way: &mut Vec<Vertex>,
    ) -> Option<Found> {
        let target = self.roster.get(id)?.target?;
        let hunted = self.roster.get(target)?;
        let known = self.known_robber(&self.pursuits[at], target, hunted);
        let cell = self.roster.get(id)?.setup.cell;
        let Some(from) = self.graph.vertex(cell) else {
            let enemy = known.map(|(cell, _)| cell);
            way.extend(self.step_out(cell, enemy.as_slice(), false));
            return Some(Found::greedy(Reason::InWall));
        };
        let sees = known.is_some_and(|(_, seen)| seen);
        if !sees && self.has_looked(&self.pursuits[at], target) {
            return self.find_search_move(at, id, from, way);
        }
        if self.roster.get(id)?.search.is_some() {
            self.set_search(id, None);
        }
        let (goal, _) = known?;
        let clock = self.clock(&self.pursuits[at]);
        let agent = self.roster.get(id)?;
        let speed = match clock {
            Clock::Turns => agent.setup.speed,
            Clock::FreeRunning => Speed::ONE,
        };
        // What can be captured now is.
        if sees && goal.max_norm(cell) <= u32::from(speed.steps()) {
            let end = self.graph.vertex(goal);
            let ends = self.scratch.ends.find(&self.graph, from, speed, |_| false);
            if let Some(end) = end.filter(|end| ends.contains(end)) {
                self.scratch.ends.way_to(end, way);
                return Some(Found {
                    source: Source::Search,
                    value: None,
                    why,
                    planned: 0,
                });
            }
        }
        let plan = &agent.plan;
        let most = usize::from(speed.steps());
        if let Some(planned) = self.take_plan(agent, from, most, way) {
            let source = match (plan.falls_short, plan.is_intact) {
                (true, _) => Source::Greedy,
                (false, true) => Source::Search,
                (false, false) => Source::Stale,
            };
            let why = match source {
                Source::Greedy => Reason::NoWay,
                Source::Stale => Reason::MapChanged,
                _ if !sees => Reason::OutOfSight,
                _ => why,
            };
            return Some(Found {
                source,
                value: None,
                why,
                planned,
            });
        }
        self.step_towards(from, goal, speed, way);
        Some(Found::greedy(Reason::Budget))
    }

    /// A cop that has lost its robber looks around.
    fn find_search_move(
        &mut self,
        at: usize,
        id: AgentId,
        from: Vertex,
        way: &mut Vec<Vertex>,
    ) -> Option<Found> {
        let here = self.graph.cell(from);
        let agent = self.roster.get(id)?;
        let is_done = agent.search.is_none_or(|search| {
            let waited = self.tick.saturating_sub(search.since);
            let turn = u64::from(self.settings.ticks_per_turn.max(1));
            // A goal that cannot be reached, or has no plan for so long, is given up.
            search.goal == here || agent.plan.falls_short || waited > 64 * turn
        });
        if is_done {
            let goal = self.search_walk(&self.pursuits[at], id, agent);
            self.set_search(id, goal);
            if let Some(agent) = self.roster.get_mut(id) {
                agent.plan.drop();
            }
            goal?;
        }
        let agent = self.roster.get(id)?;
        let most = match self.clock(&self.pursuits[at]) {
            Clock::Turns => usize::from(agent.setup.speed.steps()),
            Clock::FreeRunning => 1,
        };
        let planned = self.take_plan(agent, from, most, way).unwrap_or(0);
        Some(Found {
            source: Source::LookAround,
            value: None,
            why: Reason::OutOfSight,
            planned,
        })
    }
}
