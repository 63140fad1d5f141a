//! The third part of a tick: those who are due move, by the best of the ladder.

use super::agent::{Agent, Control};
use super::budget::Meter;
use super::needs::Wish;
use super::settings::Clock;
use super::state::{AgentState, By, Idle, Why};
use super::view::Position;
use super::{AgentId, Pursuit, PursuitWorld, WorldEvent};
use crate::game::{Side, Value};
use crate::graph::Vertex;
use crate::map::Cell;
use crate::policy::{Decision, Source};
use crate::search::MoveEnds;
use std::mem;

/// Memory that ticks use again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    due: Vec<(u32, usize)>,
    pub(super) wishes: Vec<Wish>,
    pub(super) position: Position,
    pub(super) decisions: Vec<Decision>,
    pub(super) decision: Option<Decision>,
    pub(super) way: Vec<Vertex>,
    pub(super) cells: Vec<Cell>,
    pub(super) ends: MoveEnds,
}

/// A move that is found, in the way of [`Scratch`], and what to tell about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) source: Source,
    pub(super) value: Option<Value>,
    pub(super) why: Why,
    /// Steps of the plan that it takes.
    pub(super) planned: usize,
}

impl Found {
    pub(super) const fn greedy(why: Why) -> Self {
        Self {
            source: Source::Greedy,
            value: None,
            why,
            planned: 0,
        }
    }
}

impl PursuitWorld {
    /// Everybody who is due gets a move; then plans are made for turns to come. What `meter` grants
    /// bounds the searching, not the moving, which always takes place.
    pub fn decide(&mut self, meter: &mut dyn Meter) {
        let left = meter.left(self.report.spent);
        if left > 0 && !self.follower.is_current(&self.graph) {
            let spent = self.follower.advance(&self.graph, left);
            self.report.repairs = spent;
            self.report.spent += spent;
        }
        self.report.pending_edits = self.follower.pending();
        // Those who want a plan most come before those who are due: measured, with a budget that does
        // not do for all twice as many moves are by a plan.
        self.plan_ahead(meter);
        let mut due = mem::take(&mut self.scratch.due);
        due.clear();
        let mut position = mem::take(&mut self.scratch.position);
        for (at, pursuit) in self.pursuits.iter().enumerate() {
            if self.is_due(pursuit) {
                due.push((self.nearness(pursuit), at));
            }
        }
        // Who is near its enemy comes first, should the budget not do for all.
        due.sort_unstable();
        for &(_, at) in &due {
            self.move_pursuit(at, &mut position, meter);
        }
        self.scratch.position = position;
        self.scratch.due = due;
        self.plan_ahead(meter);
        self.tell_of_errands();
        self.tell_of_tables();
    }

    /// A table is ready before it is in use.
    fn tell_of_tables(&mut self) {
        let Self {
            tables,
            events,
            tick,
            ..
        } = self;
        // Those that are due are there, whether or not anybody asks.
        tables.settle(*tick);
        events.extend(tables.events().map(WorldEvent::TableCache));
    }

    fn is_due(&self, pursuit: &Pursuit) -> bool {
        let arrives = |&id: &AgentId| {
            let agent = self.roster.get(id);
            agent.is_some_and(|agent| self.tick >= agent.arrives)
        };
        match self.clock(pursuit) {
            Clock::Turns => self.tick >= pursuit.ends,
            Clock::FreeRunning => {
                self.tick >= pursuit.ends
                    || pursuit.cops.iter().chain(&pursuit.robbers).any(arrives)
            }
        }
    }

    /// How near cops and robbers of a pursuit are to each other, in cells; of few it is looked at, and
    /// those who play by a table want nothing of the budget.
    fn nearness(&self, pursuit: &Pursuit) -> u32 {
        if pursuit.is_exact() {
            return u32::MAX;
        }
        let cell = |&id: &AgentId| self.roster.get(id).map(|agent| agent.setup.cell);
        let robbers = pursuit.robbers.iter().take(4).filter_map(cell);
        let far = robbers.flat_map(|robber| {
            let cops = pursuit.cops.iter().take(8).filter_map(cell);
            cops.map(move |cop| cop.max_norm(robber))
        });
        far.min().unwrap_or(u32::MAX)
    }

    fn move_pursuit(&mut self, at: usize, position: &mut Position, meter: &mut dyn Meter) {
        let tick = self.tick;
        let length = u64::from(self.settings.ticks_per_turn.max(1));
        let pursuit = &mut self.pursuits[at];
        pursuit.is_settled = false;
        if tick >= pursuit.ends {
            pursuit.turn += 1;
            pursuit.began = tick;
            pursuit.ends = tick + length;
        }
        self.look(at);
        self.assign(at);
        self.move_cops(at, position, meter);
        self.move_robbers(at, position, meter);
        self.tell_of_tables();
        let pursuit = &mut self.pursuits[at];
        let is_exact = pursuit.is_exact();
        if std::mem::replace(&mut pursuit.is_told_exact, is_exact) != is_exact {
            self.events.push(WorldEvent::Table {
                pursuit: pursuit.number,
                exact: is_exact,
            });
        }
    }

    /// Is it a member's turn to move?
    pub(super) fn is_members_turn(&self, clock: Clock, agent: &Agent) -> bool {
        clock == Clock::Turns || self.tick >= agent.arrives
    }

    /// Takes the next steps of an agent's plan, if it has one for where it stands that is open as far
    /// as it goes in a turn. How many, which may be none where it means to wait.
    pub(super) fn take_plan(
        &self,
        agent: &Agent,
        from: Vertex,
        most: usize,
        way: &mut Vec<Vertex>,
    ) -> Option<usize> {
        let plan = &agent.plan;
        if !plan.is_usable(from) {
            return None;
        }
        let rest = plan.rest(from)?;
        let steps = rest.get(..most.min(rest.len()))?;
        let open = self.open_steps(self.graph.cell(from), steps);
        if open < steps.len() {
            return None;
        }
        way.extend_from_slice(steps);
        Some(steps.len())
    }

    /// Sends an agent on a way that was found for it.
    pub(super) fn set_out(&mut self, at: usize, id: AgentId, way: &[Vertex], found: Found) {
        let (tick, report) = (self.tick, &mut self.report);
        report.decisions += 1;
        match found.source {
            Source::Table => report.by_table += 1,
            Source::Stale => report.stale += 1,
            Source::Greedy => report.greedy += 1,
            _ => {}
        }
        let is_planned = found.planned > 0
            || matches!(found.source, Source::Search | Source::Stale) && way.is_empty();
        let plan = self.roster.get(id).map(|agent| &agent.plan);
        let made = plan
            .filter(|plan| is_planned && plan.is_made)
            .map(|plan| plan.made);
        let age = match made {
            Some(made) => tick.saturating_sub(made).min(u64::from(u32::MAX)) as u32,
            None => 0,
        };
        report.oldest = report.oldest.max(age);
        self.go(at, id, way, found.planned);
        if let Some(agent) = self.roster.get_mut(id) {
            agent.state = AgentState {
                by: By::Policy(found.source),
                value: found.value,
                age,
                why: found.why,
            };
        }
    }

    /// Lets an agent go, by so many steps of its plan.
    fn go(&mut self, at: usize, id: AgentId, way: &[Vertex], planned: usize) {
        let pursuit = &self.pursuits[at];
        let clock = self.clock(pursuit);
        let Some(agent) = self.roster.get(id) else {
            return;
        };
        let (kept, arrives) = match clock {
            Clock::Turns => (way.len(), pursuit.ends),
            Clock::FreeRunning => {
                let step = u64::from(self.ticks_per_step(agent));
                (way.len().min(1), self.tick + step)
            }
        };
        self.touched.push(id);
        let departs = self.tick;
        if let Some(agent) = self.roster.get_mut(id) {
            agent.way.clear();
            agent.way.extend_from_slice(&way[..kept]);
            agent.pace = kept as u32;
            (agent.departs, agent.arrives) = (departs, arrives);
            if planned > 0 {
                agent.plan.at += kept;
            } else if !way.is_empty() {
                agent.plan.drop();
            }
        }
    }

    /// Does what [`Control`] says, if it says something.
    pub(super) fn follow_game(&mut self, at: usize, id: AgentId, meter: &mut dyn Meter) -> bool {
        let Some(agent) = self.roster.get(id) else {
            return true;
        };
        let (control, cell, side) = (agent.setup.control, agent.setup.cell, agent.setup.side);
        if control == Control::Policy {
            return false;
        }
        let mut way = mem::take(&mut self.scratch.way);
        let mut cells = mem::take(&mut self.scratch.cells);
        way.clear();
        cells.clear();
        let pursuit = &self.pursuits[at];
        let speed = match self.clock(pursuit) {
            Clock::Turns => agent.setup.speed,
            Clock::FreeRunning => crate::game::Speed::ONE,
        };
        let opponents = match side {
            Side::Cops => &pursuit.robbers,
            Side::Robber => &pursuit.cops,
        };
        let opponents = opponents.iter().filter_map(|&id| self.roster.get(id));
        let opponents = opponents.filter(|opponent| opponent.caught.is_none());
        // Cops have set out when a robber is asked, and it knows where to.
        cells.extend(opponents.map(|opponent| self.next_cell(opponent)));
        let planned = match control {
            Control::Steer { dx, dy } => {
                let step = (i32::from(dx), i32::from(dy));
                self.steer(cell, speed, step, &cells, &mut way);
                0
            }
            Control::WalkTo(goal) => self.errand(id, goal, (speed, &cells), &mut way, meter),
            Control::Policy | Control::External => 0,
        };
        self.go(at, id, &way, planned);
        if let Some(agent) = self.roster.get_mut(id) {
            agent.state = AgentState {
                by: By::Game,
                ..AgentState::default()
            };
        }
        self.scratch.way = way;
        self.scratch.cells = cells;
        true
    }

    /// Nobody moves an agent, for a reason.
    pub(super) fn idle(&mut self, id: AgentId, reason: Idle) {
        let arrives = self.tick + 1;
        let state = AgentState {
            by: By::Nobody(reason),
            ..AgentState::default()
        };
        let Some(agent) = self.roster.get_mut(id) else {
            return;
        };
        if agent.state != state || !agent.way.is_empty() {
            self.touched.push(id);
        }
        agent.halt();
        agent.plan.drop();
        agent.arrives = arrives;
        agent.state = state;
    }

    pub(super) fn is_off_the_map(&self, cell: Cell) -> bool {
        cell.x >= self.graph.width() || cell.y >= self.graph.height()
    }

    /// How many cops are on the map?
    pub(super) fn cops_there(&self, pursuit: &Pursuit) -> usize {
        let cops = pursuit.cops.iter().filter_map(|&id| self.roster.get(id));
        cops.filter(|cop| !self.is_off_the_map(cop.setup.cell))
            .count()
    }

    /// How many robbers are there to be chased?
    pub(super) fn free_robbers(&self, pursuit: &Pursuit) -> usize {
        let robbers = pursuit.robbers.iter().filter_map(|&id| self.roster.get(id));
        let is_free = |r: &&Agent| r.caught.is_none() && !self.is_off_the_map(r.setup.cell);
        robbers.filter(is_free).count()
    }
}
