//! Moves of robbers.

use super::budget::Meter;
use super::commit::Found;
use super::moves::nearest;
use super::needs::Wish;
use super::settings::Clock;
use super::state::{Idle, Reason};
use super::view::Position;
use super::{AgentId, PursuitWorld};
use crate::game::{Outcome, Speed, Turns, Value};
use crate::graph::Vertex;
use crate::map::Cell;
use crate::policy::Source;
use std::mem;

impl PursuitWorld {
    /// Each robber of a pursuit chooses, knowing where the cops go.
    pub(super) fn move_robbers(
        &mut self,
        at: usize,
        position: &mut Position,
        meter: &mut dyn Meter,
    ) {
        let clock = self.clock(&self.pursuits[at]);
        self.pursuits[at].robber_by_table &= self.free_robbers(&self.pursuits[at]) == 0;
        for index in 0..self.pursuits[at].robbers.len() {
            let id = self.pursuits[at].robbers[index];
            let Some(robber) = self.roster.get(id) else {
                continue;
            };
            if robber.caught.is_some() {
                self.idle(id, Idle::Captured);
            } else if !self.is_members_turn(clock, robber) {
                // It is under way.
            } else if self.is_off_the_map(robber.setup.cell) {
                self.idle(id, Idle::OffTheMap);
            } else if self.follow_game(at, id, meter) {
                // The game has spoken.
            } else if self.cops_there(&self.pursuits[at]) == 0 {
                self.idle(id, Idle::NobodyThere);
            } else {
                self.move_robber(at, id, position, meter);
            }
        }
    }

    fn move_robber(
        &mut self,
        at: usize,
        id: AgentId,
        position: &mut Position,
        meter: &mut dyn Meter,
    ) {
        let mut way = mem::take(&mut self.scratch.way);
        let mut cells = mem::take(&mut self.scratch.cells);
        way.clear();
        cells.clear();
        let found = self.find_robber_move(at, id, position, meter, &mut way, &mut cells);
        match found {
            Some(found) => self.set_out(at, id, &way, found),
            None => self.idle(id, Idle::NobodySeen),
        }
        self.scratch.way = way;
        self.scratch.cells = cells;
    }

    fn find_robber_move(
        &mut self,
        at: usize,
        id: AgentId,
        position: &mut Position,
        meter: &mut dyn Meter,
        way: &mut Vec<Vertex>,
        cells: &mut Vec<Cell>,
    ) -> Option<Found> {
        let clock = self.clock(&self.pursuits[at]);
        let pursuit = &self.pursuits[at];
        let robber = self.roster.get(id)?;
        let cell = robber.setup.cell;
        for &cop_id in &pursuit.cops {
            let Some(cop) = self.roster.get(cop_id) else {
                continue;
            };
            if let Some((cell, seen)) = Self::known_cop(pursuit, id, robber, cop_id, cop) {
                cells.push(if seen { self.next_cell(cop) } else { cell });
            }
        }
        if cells.is_empty() {
            return None;
        }
        let Some(from) = self.graph.vertex(cell) else {
            way.extend(self.step_out(cell, cells, true));
            return Some(Found::greedy(Reason::InWall));
        };
        if clock == Clock::Turns && cells.contains(&cell) {
            // A table would say so too.
            let pursuit = &mut self.pursuits[at];
            pursuit.robber_by_table = pursuit.cops_by_table;
            return Some(Found {
                source: Source::Search,
                value: Some(Value::Exact(Outcome::Caught(Turns(0)))),
                why: Reason::None,
                planned: 0,
            });
        }
        let mut why = match self.table_for_robber(at, id, position, way) {
            Ok(found) => return Some(found),
            Err(why) => why,
        };
        let wish = self.wish_of_robber(&self.pursuits[at], id, true, position);
        if let Some(wish) = wish.filter(Wish::is_urgent) {
            self.plan(wish.unit(), true, meter);
        }
        let tick = self.tick;
        let robber = self.roster.get_mut(id)?;
        robber.plan.confirm(position.key, tick);
        let robber = self.roster.get(id)?;
        let speed = match clock {
            Clock::Turns => robber.setup.speed,
            Clock::FreeRunning => Speed::ONE,
        };
        if let Some(planned) = self.take_plan(robber, from, usize::from(speed.steps()), way) {
            let plan = &robber.plan;
            let is_mine = plan.key == position.key;
            if plan.is_intact && (is_mine || !self.runs_into(from, way, cells)) {
                let value = plan.value.map(|value| self.aged(value, plan.made));
                return Some(Found {
                    source: Source::Search,
                    value,
                    why,
                    planned,
                });
            }
            if !plan.is_intact {
                why = Reason::MapChanged;
            }
            if !self.runs_into(from, way, cells) {
                return Some(Found {
                    source: Source::Stale,
                    value: None,
                    why,
                    planned,
                });
            }
            way.clear();
        } else {
            why = Reason::Budget;
        }
        self.step_away(from, cells, speed, way);
        Some(Found::greedy(why))
    }

    /// Does a way lead onto a cop, or end beside one where the start is farther from all?
    fn runs_into(&self, from: Vertex, way: &[Vertex], cops: &[Cell]) -> bool {
        let onto = way.iter().any(|&at| cops.contains(&self.graph.cell(at)));
        let end = way.last().copied().unwrap_or(from);
        let far = |vertex| nearest(self.graph.cell(vertex), cops).map_or(u32::MAX, |near| near.0);
        onto || far(end) <= 1 && (far(from) > 1 || way.is_empty())
    }

    /// What a value is worth some ticks later, if the robber has kept to its plan since.
    fn aged(&self, value: Value, made: u64) -> Value {
        let turn = u64::from(self.settings.ticks_per_turn.max(1));
        let turns = self.tick.saturating_sub(made) / turn;
        let less = |outcome| match outcome {
            Outcome::Escapes => Outcome::Escapes,
            Outcome::Caught(Turns(all)) => {
                Outcome::Caught(Turns(u64::from(all).saturating_sub(turns) as u16))
            }
        };
        match value {
            Value::Exact(Outcome::Escapes) => value,
            Value::Exact(outcome) | Value::AtLeast(outcome) => Value::AtLeast(less(outcome)),
        }
    }
}
