//! Makes plans, and writes them into the agents: the only file that changes the facts for planning.

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::facts::Facts;
use super::plan::{PlanTarget, rest_from};
use super::planning::Planning;
use super::planning::planner::FinishedPlan;
use super::planning::requests::{PlanRequest, request_of_robber, request_of_team, request_to_walk};
use super::planning::searches::LOOK_AHEAD;
use super::planning::walks::walk_key;
use super::purse::Purse;
use super::pursuit::PursuitIndex;
use super::pursuit_world::PursuitWorld;
use super::situation::{Missing, Situation};
use super::view::ViewMemory;
use crate::game::{Outcome, Side, Step, Turns, Value};
use crate::graph::{Graph, Vertex};
use crate::search::{AStar, TimedWalk, Timetable, is_free_along, least_steps};
use crate::table_cache::TableCache;

impl PursuitWorld {
    /// Planning at work, with what it needs.
    pub(super) fn plans<'a, 'm>(&'a mut self, purse: &'a mut Purse<'m>) -> Plans<'a, 'm> {
        let Self {
            facts,
            planning,
            cache,
            positions,
            ..
        } = self;
        Plans {
            planning,
            facts,
            cache,
            positions,
            purse,
        }
    }
}

/// Planning at work: it decides, and the facts change.
pub(super) struct Plans<'a, 'm> {
    pub(super) planning: &'a mut Planning,
    pub(super) facts: &'a mut Facts,
    pub(super) cache: &'a TableCache,
    pub(super) positions: &'a mut ViewMemory,
    pub(super) purse: &'a mut Purse<'m>,
}

impl Plans<'_, '_> {
    /// Spends the rest of the budget on plans for coming turns.
    pub(super) fn ahead(&mut self) {
        self.positions.pursuit_positions.expire();
        if self.finish() {
            let Self {
                planning,
                facts,
                positions,
                purse,
                ..
            } = self;
            planning.collect_requests(facts, positions, purse);
            for &at in planning.settled() {
                facts.members[at].is_settled = true;
            }
            self.grant();
        }
        self.facts.events.report.waiting = self.planning.waiting();
    }

    /// Grants requests in order of rank, as far as the budget allows.
    fn grant(&mut self) {
        let mut granted = 0;
        while let Some(target) = self.planning.next_target(granted) {
            if !self.plan(target, false) {
                break;
            }
            granted += 1;
        }
        self.planning.note_granted(granted);
    }

    /// Plans for a target; `false` if the budget is spent. `now`: for a move of this tick.
    fn plan(&mut self, target: PlanTarget, now: bool) -> bool {
        if !self.finish() || self.purse.left() == 0 {
            return false;
        }
        let Self {
            planning,
            facts,
            cache,
            positions,
            purse,
        } = self;
        let planner = &mut planning.planner;
        let Some(job) = planner.set_up(facts, cache, positions, target, now, purse) else {
            return true;
        };
        let pressed = planner.pressed_robber(job);
        let pressed = pressed.and_then(|(id, position)| {
            let robber = facts.members.get_mut(id)?;
            robber.pressure.note(position);
            Some(robber.pressure.hundredths())
        });
        planner.begin(facts, job, pressed.unwrap_or(0));
        self.finish()
    }

    /// Continues the search in progress, and stores its result; `true` if no search is left.
    fn finish(&mut self) -> bool {
        let Self {
            planning, facts, ..
        } = self;
        if let Some(finished) = planning.planner.advance(facts, self.cache, self.purse) {
            facts.events.report.plans += 1;
            let left = self.purse.left_in_one();
            finished.store(facts, left.clamp(LEAST_OF_PLAN, MOST_OF_PLAN));
            let in_time = facts.timed_walk.take_expansions();
            self.purse
                .spend(in_time + facts.quickest.take_work().expansions);
        }
        facts.planned_for = planning.target();
        !planning.is_searching()
    }

    /// As far as the budget allows, plans for the cops of a pursuit that move in this tick and cannot
    /// use their current plans. Expects the positions of the pursuit.
    pub(super) fn for_cops(&mut self, at: PursuitIndex) {
        for index in 0..self.facts.members[at].robbers.len() {
            let pursuit = &self.facts.members[at];
            let robber = pursuit.robbers[index];
            let request = request_of_team(self.positions, self.facts, pursuit, robber);
            if let Some(request) = request.filter(PlanRequest::is_urgent) {
                self.plan(request.target(), true);
            } else if request.is_none() {
                self.confirm_plans_of_team();
            }
        }
    }

    /// Marks plans of cops that were made for exactly the situation of their request as new.
    fn confirm_plans_of_team(&mut self) {
        let situation = &self.positions.situation;
        let tick = self.facts.tick;
        for &id in &situation.ids {
            // A plan stays as old as it is for agents that react late.
            if let Some(cop) = self.facts.members.get_mut(id)
                && cop.setup.reaction == 0
            {
                cop.plan.confirm(situation.key, tick);
            }
        }
    }

    /// Plans for a robber that moves in this tick, after the cops. Returns the key of its situation. Expects the positions
    /// of its pursuit since the cops moved.
    pub(super) fn for_robber(&mut self, at: PursuitIndex, id: AgentId) -> u64 {
        let pursuit = &self.facts.members[at];
        let request = request_of_robber(self.positions, self.facts, pursuit, id, true);
        let key = self.positions.situation.key;
        if let Some(request) = request.filter(PlanRequest::is_urgent) {
            self.plan(request.target(), true);
        }
        let tick = self.facts.tick;
        if let Some(robber) = self.facts.members.get_mut(id) {
            if robber.setup.reaction == 0 {
                robber.plan.confirm(key, tick);
            }
            robber.plan.check_value();
        }
        key
    }

    /// Plans the walk of an agent that moves in this tick, if the agent is on a walk without a plan.
    pub(super) fn for_walk(&mut self, id: AgentId) {
        let request = self.facts.agent(id).and_then(|agent| {
            let pursuit = self.facts.members.pursuit(agent.pursuit_number())?;
            request_to_walk(self.facts, pursuit, id)
        });
        if let Some(request) = request {
            self.plan(request.target(), true);
        }
    }

    /// Ends the tick: of the search in progress, keeps only the part that a saved state can repeat.
    pub(super) fn end_tick(&mut self) {
        self.planning.planner.drop_stale_job(self.facts);
        self.facts.planned_for = self.planning.target();
    }
}

/// An agent for which a search has planned.
#[derive(Debug, Clone, Copy)]
struct PlannedAgent {
    id: AgentId,
    /// The agent's index in the search.
    index: usize,
    /// The vertex where its path begins.
    start: Vertex,
    /// A hash of the situation that the plan is for.
    key: u64,
}

impl PlannedAgent {
    const fn new(id: AgentId, index: usize, start: Vertex, key: u64) -> Self {
        Self {
            id,
            index,
            start,
            key,
        }
    }
}

impl FinishedPlan<'_> {
    /// Stores the result as the plans of its target. `left`: the expansions that paths in time may take.
    fn store(&self, facts: &mut Facts, mut left: u64) {
        let key = self.situation.key;
        match self.target {
            PlanTarget::Team { robber, .. } => {
                for index in 0..self.situation.ids.len().min(self.situation.cops.len()) {
                    let (id, start) = (self.situation.ids[index], self.situation.cops[index].at);
                    let member = PlannedAgent::new(id, index, start, key);
                    // The game may have changed the agent while the search ran.
                    let pursuit = facts.members.pursuit(self.pursuit);
                    let is_unaware = |agent: &AgentRecord| {
                        let at = agent.next_vertex(facts.graph_of(agent));
                        let of = pursuit.zip(at);
                        of.is_some_and(|(pursuit, at)| facts.is_unaware(pursuit, agent, at))
                    };
                    let is_planned = |agent: &AgentRecord| {
                        agent.chooses()
                            && !is_unaware(agent)
                            && agent.is_member(self.pursuit, Side::Cops)
                            && agent.target == Some(robber)
                    };
                    if facts.agent(id).is_some_and(is_planned) {
                        self.store_path(facts, member, &mut left);
                    }
                }
            }
            PlanTarget::Robber(id) => {
                let is_member = |agent: &AgentRecord| agent.is_member(self.pursuit, Side::Robber);
                if let Some(robber) = self.situation.robber
                    && facts.agent(id).is_some_and(is_member)
                {
                    let (index, start) = (0, robber.at);
                    let member = PlannedAgent::new(id, index, start, key);
                    self.store_path(facts, member, &mut left);
                }
            }
            PlanTarget::Walk(id) => {
                let Some((start, to)) = self.situation.walk else {
                    return;
                };
                let goal = facts.graph.cell(to);
                let (index, key) = (0, walk_key(goal));
                // The game may have changed the goal while the search ran.
                if facts.agent(id).and_then(AgentRecord::goal_of_walk) == Some(goal) {
                    let member = PlannedAgent::new(id, index, start, key);
                    self.store_path(facts, member, &mut left);
                }
            }
        }
    }

    /// Where the opponent of an agent of the plan is: the robber, or the cop that is the nearest to it.
    fn opponent(&self, graph: &Graph, start: Vertex) -> Option<Vertex> {
        let Situation {
            robber,
            robber_runner,
            cops,
            runners,
            ..
        } = self.situation;
        match self.target {
            PlanTarget::Walk(_) => None,
            PlanTarget::Team { .. } => {
                let robber = robber.map(|robber| robber.at);
                robber.or(robber_runner.map(|robber| robber.at))
            }
            PlanTarget::Robber(_) => {
                let cops = cops.iter().map(|cop| cop.at);
                let all = cops.chain(runners.iter().map(|cop| cop.at));
                let here = graph.cell(start);
                all.min_by_key(|&cop| (graph.cell(cop).max_norm(here), cop))
            }
        }
    }

    /// Stores the path that was found for an agent as its plan. `left`: see [`Facts::path_in_time`].
    fn store_path(&self, facts: &mut Facts, member: PlannedAgent, left: &mut u64) {
        let PlannedAgent {
            id,
            index,
            start,
            key,
        } = member;
        let search = self.search;
        let in_time = facts.path_in_time(id, start, search.path_of(index), left);
        let against = self.opponent(&facts.graph, start);
        let new = facts
            .agent(id)
            .and_then(|agent| rest_for(agent, facts.graph_of(agent), start, search.path_of(index)));
        let turns_back = new.is_some_and(|(next, rest)| {
            let rest = in_time.as_deref().unwrap_or(rest);
            facts.turns_back_for_nothing(self.target, id, next, rest, against)
        });
        let Facts {
            members,
            graph,
            grounds,
            hazards,
            tick,
            ..
        } = facts;
        let Some(agent) = members.get_mut(id) else {
            return;
        };
        if turns_back && agent.plan.has_turned_back {
            agent.plan.keep_on(*tick, key);
            return;
        }
        let graph = grounds.graph_of(graph, agent);
        let Some((next, mut rest)) = rest_for(agent, graph, start, search.path_of(index)) else {
            return;
        };
        if let Some(in_time) = &in_time {
            rest = in_time;
        }
        let speed = agent.setup.speed;
        let plan = &mut agent.plan;
        plan.from = next;
        match self.target {
            PlanTarget::Walk(_) => plan.keep_walk(rest),
            PlanTarget::Team { .. } | PlanTarget::Robber(_) => plan.keep_path(rest, speed),
        }
        plan.set_against(against);
        plan.has_turned_back |= turns_back;
        plan.is_whole &= search.is_complete(index);
        plan.falls_short = !search.reaches(index);
        // Nothing is certain about opponents that are out of sight.
        // What a path is worth was found without regard to time.
        let is_worth_it = self.situation.is_seen && hazards.is_empty() && in_time.is_none();
        let outcome = search.outcome().filter(|_| is_worth_it);
        plan.value = outcome.map(|outcome| {
            match (self.situation.missing, Value::of_path(outcome)) {
                (Missing::Distant, value) => up_to(value, LOOK_AHEAD),
                // A cop that is shut in may get out when the map changes.
                (Missing::ShutIn, Value::Exact(outcome)) => Value::AtLeast(outcome),
                (_, value) => value,
            }
        });
        match self.target {
            PlanTarget::Robber(_) => {
                plan.footprint.clear(graph.width(), graph.height());
                search.add_footprint(graph, &mut plan.footprint);
            }
            PlanTarget::Team { .. } | PlanTarget::Walk(_) => plan.depend_on_path(graph),
        }
        plan.mark_made(*tick, key);
    }
}

/// Of a path, this number of steps is looked at for cells that are deadly when the agent gets there, and for slow cells.
const LOOKED_AT: usize = 64;

/// A path in time joins the planned one this number of steps behind the last cell that made it necessary.
const JOINED_AFTER: usize = 8;

/// The most expansions for a path in time.
const EXPANSIONS_IN_TIME: u64 = 1024;

/// The most expansions for paths in time when a search has found the plans of all cops, and those that are left for them when
/// the budget is used up. Cops that get none are still led around a hazard when they come to it.
const MOST_OF_PLAN: u64 = 4096;
const LEAST_OF_PLAN: u64 = 512;

impl Facts {
    /// The path on which an agent gets along a planned path first, if that leads over slow cells or through hazards: around
    /// them, or on time. `None` if the path is as good as any, or if no better one was found. `path` begins at `start`.
    /// `left`: the expansions that the plan may still take.
    fn path_in_time(
        &mut self,
        id: AgentId,
        start: Vertex,
        path: &[Vertex],
        left: &mut u64,
    ) -> Option<Vec<Vertex>> {
        let (mut walk, mut quickest) = (
            std::mem::take(&mut self.timed_walk),
            std::mem::take(&mut self.quickest),
        );
        let before = walk.expansions() + quickest.expansions();
        let limit = EXPANSIONS_IN_TIME.min(*left);
        let found = self.find_in_time(id, start, path, (&mut walk, &mut quickest), limit);
        *left = left.saturating_sub(walk.expansions() + quickest.expansions() - before);
        (self.timed_walk, self.quickest) = (walk, quickest);
        found
    }

    fn find_in_time(
        &self,
        id: AgentId,
        start: Vertex,
        path: &[Vertex],
        searches: (&mut TimedWalk, &mut AStar),
        limit: u64,
    ) -> Option<Vec<Vertex>> {
        let (walk, quickest) = searches;
        let agent = self.members.get(id)?;
        let pursuit = self.members.pursuit(agent.pursuit_number())?;
        let avoided = self.barred.of(id);
        let is_barred = !avoided.is_empty();
        if !is_barred && !self.knows_time(self.clock(pursuit)) {
            return None;
        }
        let graph = self.graph_of(agent);
        let (next, rest) = rest_for(agent, graph, start, path)?;
        let departs = agent.arrives().max(self.tick);
        let table = self.timetable_from(pursuit, agent, departs).with(avoided);
        let (head, tail) = rest.split_at(rest.len().min(LOOKED_AT));
        let takes_time = |&at: &Vertex| table.free(at) != u64::MAX || table.beats(at) > 1;
        let last = head.iter().rposition(takes_time)?;
        let is_slow = |&at: &Vertex| table.beats(at) > 1;
        if self.hazards.is_empty() && !is_barred {
            // Nothing depends on when it gets there.
            let &to = head.last()?;
            let goal = graph.cell(to);
            let least = |at: Vertex| least_steps(graph, graph.cell(at), goal);
            let planned: u32 = head.iter().map(|&at| table.beats(at)).sum();
            let cost = |_, to| table.beats(to);
            quickest.begin(graph, next, least(next));
            let found = quickest.run(graph, to, limit, |_| true, cost, least);
            let is_quicker = found == Step::Done(true) && quickest.cost_to(to) < planned;
            return is_quicker.then(|| [quickest.path(), tail].concat());
        }
        if !head.iter().any(is_slow) && is_free_along(&table, next, head) {
            return None;
        }
        let (head, tail) = rest.split_at(head.len().min(last + 1 + JOINED_AFTER));
        let &to = head.last()?;
        let goal = graph.cell(to);
        let least = |at: Vertex| least_steps(graph, graph.cell(at), goal);
        let found = walk.find(graph, &table, [next, to], least, limit);
        let found = found.filter(|found| *found != head);
        found.map(|found| [found, tail].concat())
    }
}

/// What is left of the value of a robber's path if further cops may arrive after some turns.
fn up_to(value: Value, turns: u32) -> Value {
    let most = Turns(turns.min(u32::from(u16::MAX)) as u16);
    match value {
        Value::Exact(Outcome::Caught(turns)) | Value::AtLeast(Outcome::Caught(turns)) => {
            Value::AtLeast(Outcome::Caught(turns.min(most)))
        }
        _ => Value::AtLeast(Outcome::Caught(most)),
    }
}

/// The vertex from which an agent moves next, and the rest of the path from there. The path begins at
/// `from`. `None` if the path does not pass that vertex.
fn rest_for<'a>(
    agent: &AgentRecord,
    graph: &Graph,
    from: Vertex,
    path: &'a [Vertex],
) -> Option<(Vertex, &'a [Vertex])> {
    let next = agent.next_vertex(graph)?;
    Some((next, rest_from(from, path, next)?))
}
