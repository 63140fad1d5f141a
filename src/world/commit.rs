//! The third part of a tick: those who are due move, by the best of the ladder.

use super::agent::{Agent, Control};
use super::budget::Meter;
use super::moves::nearest;
use super::needs::Wish;
use super::planner::walk_key;
use super::settings::Clock;
use super::state::{AgentState, By, Idle, Why};
use super::view::Position;
use super::{AgentId, Pursuit, PursuitWorld, WorldEvent};
use crate::game::{Outcome, Side, Turns, Value};
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
    way: Vec<Vertex>,
    cells: Vec<Cell>,
    ends: MoveEnds,
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
    const fn greedy(why: Why) -> Self {
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
        let Self { shelf, events, .. } = self;
        events.extend(shelf.events().map(WorldEvent::Shelf));
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

    /// How near cops and robbers of a pursuit are to each other, in cells; of few it is looked at.
    fn nearness(&self, pursuit: &Pursuit) -> u32 {
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
        let was_exact = self.pursuits[at].is_exact();
        self.move_cops(at, position, meter);
        self.move_robbers(at, position, meter);
        let pursuit = &self.pursuits[at];
        if pursuit.is_exact() != was_exact {
            self.events.push(WorldEvent::Table {
                pursuit: pursuit.number,
                exact: !was_exact,
            });
        }
    }

    /// Is it a member's turn to move?
    fn is_members_turn(&self, clock: Clock, agent: &Agent) -> bool {
        clock == Clock::Turns || self.tick >= agent.arrives
    }

    fn move_cops(&mut self, at: usize, position: &mut Position, meter: &mut dyn Meter) {
        let clock = self.clock(&self.pursuits[at]);
        let free = self.free_robbers(&self.pursuits[at]);
        self.pursuits[at].cops_by_table = false;
        let why = match self.table_for_cops(at, position) {
            Ok(value) if value != Value::Exact(Outcome::Escapes) => return,
            Ok(_) => Why::Escapes,
            Err(why) => why,
        };
        for index in 0..self.pursuits[at].robbers.len() {
            let robber = self.pursuits[at].robbers[index];
            let wish = self.wish_of_team(&self.pursuits[at], robber, position);
            if let Some(wish) = wish.filter(|wish| wish.is_urgent()) {
                self.plan(wish.unit(), true, meter);
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
            } else if self.follow_game(at, id) {
                // The game has spoken.
            } else if free == 0 {
                self.idle(id, Idle::NobodyThere);
            } else {
                self.move_cop(at, id, why);
            }
        }
    }

    /// A cop without a table moves.
    fn move_cop(&mut self, at: usize, id: AgentId, why: Why) {
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
        why: Why,
        way: &mut Vec<Vertex>,
    ) -> Option<Found> {
        let target = self.roster.get(id)?.target?;
        let hunted = self.roster.get(target)?;
        let known = self.known_robber(&self.pursuits[at], target, hunted);
        let cell = self.roster.get(id)?.setup.cell;
        let Some(from) = self.graph.vertex(cell) else {
            let enemy = known.map(|(cell, _)| cell);
            way.extend(self.step_out(cell, enemy.as_slice(), false));
            return Some(Found::greedy(Why::InWall));
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
            Clock::FreeRunning => crate::game::Speed::ONE,
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
                Source::Greedy => Why::NoWay,
                Source::Stale => Why::MapChanged,
                _ if !sees => Why::OutOfSight,
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
        Some(Found::greedy(Why::Budget))
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
            source: if planned > 0 {
                Source::Search
            } else {
                Source::Greedy
            },
            value: None,
            why: Why::OutOfSight,
            planned,
        })
    }

    /// Takes the next steps of an agent's plan, if it has one for where it stands that is open as far
    /// as it goes in a turn. How many, which may be none where it means to wait.
    fn take_plan(
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

    fn move_robbers(&mut self, at: usize, position: &mut Position, meter: &mut dyn Meter) {
        let clock = self.clock(&self.pursuits[at]);
        self.pursuits[at].robber_by_table = false;
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
            } else if self.follow_game(at, id) {
                // The game has spoken.
            } else if self.pursuits[at].cops.is_empty() {
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
            if let Some((cell, seen)) = self.known_cop(pursuit, id, robber, cop_id, cop) {
                cells.push(if seen { self.next_cell(cop) } else { cell });
            }
        }
        if cells.is_empty() {
            return None;
        }
        let Some(from) = self.graph.vertex(cell) else {
            way.extend(self.step_out(cell, cells, true));
            return Some(Found::greedy(Why::InWall));
        };
        if clock == Clock::Turns && cells.contains(&cell) {
            return Some(Found {
                source: Source::Search,
                value: Some(Value::Exact(Outcome::Caught(Turns(0)))),
                why: Why::None,
                planned: 0,
            });
        }
        let mut why = match self.table_for_robber(at, id, position, way) {
            Ok(found) => return Some(found),
            Err(why) => why,
        };
        let wish = self.wish_of_robber(&self.pursuits[at], id, true, position);
        if let Some(wish) = wish.filter(|wish| wish.is_urgent()) {
            self.plan(wish.unit(), true, meter);
        }
        let robber = self.roster.get(id)?;
        let speed = match clock {
            Clock::Turns => robber.setup.speed,
            Clock::FreeRunning => crate::game::Speed::ONE,
        };
        if let Some(planned) = self.take_plan(robber, from, usize::from(speed.steps()), way) {
            let plan = &robber.plan;
            let is_mine = plan.key == position.key;
            if plan.is_intact && (is_mine || !self.runs_into(from, way, cells)) {
                let value = plan.value.and_then(|value| self.aged(value, plan.made));
                return Some(Found {
                    source: Source::Search,
                    value,
                    why,
                    planned,
                });
            }
            if !plan.is_intact {
                why = Why::MapChanged;
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
            why = Why::Budget;
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
    fn aged(&self, value: Value, made: u64) -> Option<Value> {
        let turn = u64::from(self.settings.ticks_per_turn.max(1));
        let turns = self.tick.saturating_sub(made) / turn;
        let less = |outcome| match outcome {
            Outcome::Escapes => Outcome::Escapes,
            Outcome::Caught(Turns(all)) => {
                Outcome::Caught(Turns(u64::from(all).saturating_sub(turns) as u16))
            }
        };
        match value {
            Value::Exact(Outcome::Escapes) => Some(value),
            Value::Exact(outcome) | Value::AtLeast(outcome) => Some(Value::AtLeast(less(outcome))),
        }
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
        let made = plan.filter(|plan| is_planned && plan.is_made).map(|plan| plan.made);
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
    fn follow_game(&mut self, at: usize, id: AgentId) -> bool {
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
        match control {
            Control::Steer { dx, dy } => {
                let step = (i32::from(dx), i32::from(dy));
                self.steer(cell, speed, step, &cells, &mut way);
            }
            Control::WalkTo(goal) => self.errand(id, goal, speed.steps().into(), &cells, &mut way),
            Control::Policy | Control::External => {}
        }
        let planned = match control {
            Control::WalkTo(_) => way.len(),
            _ => 0,
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

    /// The next steps of a walk to a cell, up to the first of some opponents.
    fn errand(
        &mut self,
        id: AgentId,
        goal: Cell,
        most: usize,
        opponents: &[Cell],
        way: &mut Vec<Vertex>,
    ) {
        let Some(agent) = self.roster.get(id) else {
            return;
        };
        let cell = agent.setup.cell;
        if opponents.contains(&cell) {
            return;
        }
        let Some(from) = self.graph.vertex(cell) else {
            way.extend(self.step_out(cell, &[goal], false));
            return;
        };
        let plan = &agent.plan;
        let is_good = plan.is_intact && plan.is_usable(from) && plan.key == walk_key(goal);
        if !is_good {
            self.plan_walk(id);
        }
        if let Some(agent) = self.roster.get(id) {
            self.take_plan(agent, from, most, way);
        }
        let meets = |&at: &Vertex| opponents.contains(&self.graph.cell(at));
        if let Some(met) = way.iter().position(meets) {
            way.truncate(met + 1); // there it captures or is captured
        }
    }

    /// Nobody moves an agent, for a reason.
    fn idle(&mut self, id: AgentId, reason: Idle) {
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

    fn is_off_the_map(&self, cell: Cell) -> bool {
        cell.x >= self.graph.width() || cell.y >= self.graph.height()
    }

    /// How many robbers are there to be chased?
    pub(super) fn free_robbers(&self, pursuit: &Pursuit) -> usize {
        let robbers = pursuit.robbers.iter().filter_map(|&id| self.roster.get(id));
        let is_free = |r: &&Agent| r.caught.is_none() && !self.is_off_the_map(r.setup.cell);
        robbers.filter(is_free).count()
    }
}
