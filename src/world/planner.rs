//! The one search that is under way, and what becomes of its result.

use super::agent::Control;
use super::budget::Meter;
use super::hash::mix;
use super::settings::{Clock, RobberPlanner, Tactics};
use super::view::Position;
use super::{AgentId, PursuitWorld, WorldEvent};
use crate::abstraction::Hierarchy;
use crate::game::{self, Side, Speed, State, Value};
use crate::graph::{Graph, Vertex};
use crate::search::{DaTrailMax, Interception, Progress, Refiner, TimedTrailMax, TrailMax};
use serde::{Deserialize, Serialize};

/// The threshold of `DATrailMax` in plies (thesis, section 5.4).
const THRESHOLD: u16 = 10;
/// The same in steps of the robber.
const TIMED_THRESHOLD: u16 = 5;
/// How many turns `DATrailMax` looks ahead.
const LOOK_AHEAD: u32 = 32;
/// What beginning a search and writing down its result is counted as, in expansions.
const COST_OF_A_PLAN: u64 = 60;
/// The steps of a plan that are kept at most. There is room for them as soon as there is a plan.
const LONGEST: usize = 64;

/// What is planned in one piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Unit {
    /// All cops of a pursuit that go for a robber.
    Team { pursuit: u32, robber: AgentId },
    /// A robber.
    Robber(AgentId),
    /// An agent that walks to a cell.
    Walk(AgentId),
}

/// Who searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Engine {
    Team,
    Whole,
    Abstract,
    Timed,
    Walk,
}

/// A search under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Job {
    unit: Unit,
    engine: Engine,
    /// The tick at which it began.
    began: u64,
    /// Expansions so far.
    spent: u64,
    cut_off: bool,
    steps: usize,
}

/// The searches, and the one that is under way.
#[derive(Debug)]
pub(super) struct Planner {
    pub(super) job: Option<Job>,
    /// What it is for.
    pub(super) position: Position,
    /// In which slices it has been advanced, in expansions that were granted.
    pub(super) slices: Vec<u32>,
    team: Interception,
    whole: TrailMax,
    by_level: DaTrailMax,
    timed: TimedTrailMax,
    pub(super) walker: Refiner,
    /// How many plans have been begun.
    pub(super) begun: u64,
}

impl Planner {
    pub(super) fn new() -> Self {
        let mut by_level = DaTrailMax::new(THRESHOLD, 0);
        by_level.keep_footprint();
        by_level.limit_turns(LOOK_AHEAD);
        let mut timed = TimedTrailMax::new(TIMED_THRESHOLD, 0);
        timed.keep_footprint();
        Self {
            job: None,
            position: Position::default(),
            slices: Vec::new(),
            team: Interception::new(),
            whole: TrailMax::new(),
            by_level,
            timed,
            walker: Refiner::new(),
            begun: 0,
        }
    }

    /// Takes the memory that searches on a map need, so that the first ones take no longer than those
    /// after them: a robber and cops at the ends and in the middle of the list of vertices.
    pub(super) fn warm_up(&mut self, graph: &Graph, hierarchy: &Hierarchy) {
        let [first, last, middle] = [0, graph.vertices().saturating_sub(1), graph.vertices() / 2]
            .map(|index| graph.iter().nth(index));
        let (Some(first), Some(last), Some(middle)) = (first, last, middle) else {
            return;
        };
        let speed = Speed::ONE;
        let robber = game::Agent { at: first, speed };
        let cops = [last, middle].map(|at| game::Agent { at, speed });
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Cops,
        };
        self.team.solve(graph, Some(hierarchy), &state, true, 1);
        let state = State {
            to_move: Side::Robber,
            ..state
        };
        self.by_level.limit_steps(1);
        self.by_level.solve(graph, Some(hierarchy), &state);
        self.walker.find(graph, Some(hierarchy), first, last);
    }

    pub(super) fn cancel(&mut self) {
        self.job = None;
    }
}

impl PursuitWorld {
    /// Plans a unit, or goes on with it, as far as the meter allows; `true` once nothing is under way.
    pub(super) fn plan(&mut self, unit: Unit, now: bool, meter: &mut dyn Meter) -> bool {
        if !self.finish_job(meter) {
            return false;
        }
        if meter.left(self.report.spent) == 0 {
            return false;
        }
        self.report.spent += COST_OF_A_PLAN;
        self.planner.begun += 1;
        if self.begin_job(unit, now, meter) {
            self.finish_job(meter)
        } else {
            true
        }
    }

    /// Goes on with the search under way; `true` once there is none.
    pub(super) fn finish_job(&mut self, meter: &mut dyn Meter) -> bool {
        while let Some(job) = self.planner.job {
            let left = meter.left(self.report.spent);
            if left == 0 {
                return false;
            }
            let left = left.min(u32::MAX.into()) as u32;
            self.planner.slices.push(left);
            let (progress, spent) = self.advance_job(job, left);
            // What takes nothing would go on for ever.
            self.report.spent += spent.saturating_sub(job.spent).max(1);
            match progress {
                Progress::Running => {
                    self.planner.job = Some(Job { spent, ..job });
                }
                Progress::Stale => self.planner.job = None,
                Progress::Done => {
                    self.planner.job = None;
                    self.report.plans += 1;
                    self.write_down(job);
                }
            }
        }
        true
    }

    /// Assembles the position of a unit and begins its search; `false` if there is nothing to search.
    fn begin_job(&mut self, unit: Unit, now: bool, meter: &dyn Meter) -> bool {
        let mut position = std::mem::take(&mut self.planner.position);
        let job = self.job_for(unit, now, meter, &mut position);
        self.planner.position = position;
        self.planner.slices.clear();
        self.planner.job = job;
        if let Some(job) = job {
            self.start_engine(job);
        }
        job.is_some()
    }

    fn job_for(
        &self,
        unit: Unit,
        now: bool,
        meter: &dyn Meter,
        position: &mut Position,
    ) -> Option<Job> {
        let (pursuit, engine) = match unit {
            Unit::Team { pursuit, robber } => {
                let pursuit = self.pursuit(pursuit)?;
                self.view_for_cops(pursuit, robber, position)?;
                (pursuit, Engine::Team)
            }
            Unit::Robber(id) => {
                let pursuit = self.pursuit(self.roster.get(id)?.setup.pursuit)?;
                self.view_for_robber(pursuit, id, now, position)?;
                let engine = match self.clock(pursuit) {
                    Clock::FreeRunning => Engine::Timed,
                    Clock::Turns => self.robber_engine(meter),
                };
                (pursuit, engine)
            }
            Unit::Walk(id) => {
                let agent = self.roster.get(id)?;
                position.clear();
                position.walk = Some(self.ends_of_walk(agent)?);
                (self.pursuit(agent.setup.pursuit)?, Engine::Walk)
            }
        };
        if position.cops.is_empty() && engine != Engine::Walk {
            return None;
        }
        let tactics = pursuit.setup.tactics.unwrap_or(self.settings.tactics);
        Some(Job {
            unit,
            engine,
            began: self.tick,
            spent: 0,
            cut_off: tactics == Tactics::Intercept && position.is_seen,
            steps: usize::from(self.settings.plan_steps.max(1)),
        })
    }

    fn robber_engine(&self, meter: &dyn Meter) -> Engine {
        let whole = match self.settings.planner {
            RobberPlanner::TrailMax => true,
            RobberPlanner::DaTrailMax => false,
            RobberPlanner::Auto => {
                let robbers: usize = self.pursuits.iter().map(|p| p.robbers.len()).sum();
                let all = 2 * self.graph.vertices() as u64 * robbers as u64;
                let turn = u64::from(self.settings.ticks_per_turn.max(1));
                all <= meter.whole().saturating_mul(turn) / 2
            }
        };
        // Without an abstraction both are the same.
        if whole || self.hierarchy().is_none() {
            Engine::Whole
        } else {
            Engine::Abstract
        }
    }

    /// Begins the search of a job in the position that is laid out.
    fn start_engine(&mut self, job: Job) {
        let Self {
            planner,
            graph,
            follower,
            settings,
            ..
        } = self;
        let hierarchy = follower.up_to_date(graph);
        let seed = mix(mix(settings.seed, job.began), job.unit.key());
        match job.engine {
            Engine::Team => {
                if let Some(state) = planner.position.state(Side::Cops) {
                    let Job { cut_off, steps, .. } = job;
                    planner.team.begin(graph, hierarchy, &state, cut_off, steps);
                }
            }
            Engine::Whole => {
                if let Some(state) = planner.position.state(Side::Robber) {
                    planner.whole.begin(graph, &state);
                }
            }
            Engine::Abstract => {
                if let Some(state) = planner.position.state(Side::Robber) {
                    planner.by_level.limit_steps(job.steps);
                    planner.by_level.restart(seed);
                    planner.by_level.begin(graph, hierarchy, &state);
                }
            }
            Engine::Timed => {
                if let Some(state) = planner.position.timed() {
                    planner.timed.limit_steps(job.steps);
                    planner.timed.restart(seed);
                    planner.timed.begin(graph, hierarchy, &state);
                }
            }
            Engine::Walk => {
                if let Some((from, to)) = planner.position.walk {
                    planner.walker.begin_find(graph, hierarchy, from, to);
                }
            }
        }
    }

    /// Searches on; how far it is, and the expansions in all.
    fn advance_job(&mut self, job: Job, budget: u32) -> (Progress, u64) {
        let Self {
            planner,
            graph,
            follower,
            ..
        } = self;
        let hierarchy = follower.up_to_date(graph);
        match job.engine {
            Engine::Team => {
                let progress = planner.team.advance(graph, hierarchy, budget);
                (progress, planner.team.expansions())
            }
            Engine::Whole => {
                let progress = planner.whole.advance(graph, budget);
                (progress, planner.whole.expansions())
            }
            Engine::Abstract => {
                let progress = planner.by_level.advance(graph, hierarchy, budget);
                (progress, planner.by_level.expansions())
            }
            Engine::Timed => {
                let progress = planner.timed.advance(graph, hierarchy, budget);
                (progress, planner.timed.expansions())
            }
            Engine::Walk => {
                let progress = planner.walker.advance(graph, hierarchy, budget.into());
                (progress, planner.walker.expansions())
            }
        }
    }

    /// Lays out the search of a job again that was under way when a snapshot was taken.
    pub(super) fn resume_job(&mut self) {
        if let Some(job) = self.planner.job {
            self.start_engine(job);
            // Slice by slice: the searches need not be such that slices make no difference.
            for index in 0..self.planner.slices.len() {
                let budget = self.planner.slices[index];
                self.advance_job(job, budget);
            }
        }
    }

    /// Makes the result of a search the plans of those whom it is for.
    fn write_down(&mut self, job: Job) {
        match job.unit {
            Unit::Team { .. } => self.write_team(job),
            Unit::Robber(id) => self.write_robber(id, job),
            Unit::Walk(id) => self.write_walk(id),
        }
    }

    fn write_team(&mut self, job: Job) {
        let Self {
            planner,
            graph,
            roster,
            tick,
            events,
            ..
        } = self;
        let Planner { team, position, .. } = planner;
        if let Unit::Team { robber, .. } = job.unit
            && let Some(agent) = roster.get_mut(robber)
        {
            let is_safe = (0..position.ids.len()).all(|index| !team.reaches(index));
            if agent.is_safe != is_safe {
                agent.is_safe = is_safe;
                events.push(if is_safe {
                    WorldEvent::OutOfReach(robber)
                } else {
                    WorldEvent::WithinReach(robber)
                });
            }
        }
        for (index, (&id, cop)) in position.ids.iter().zip(&position.cops).enumerate() {
            let Some(agent) = roster.get_mut(id) else {
                continue;
            };
            if agent.setup.control != Control::Policy {
                continue;
            }
            let next = agent.next_vertex(graph);
            let path = team.path(index);
            let Some(rest) = next.and_then(|next| rest_from(cop.at, path, next)) else {
                continue;
            };
            let plan = &mut agent.plan;
            plan.from = next.unwrap_or(cop.at);
            plan.take_path(rest);
            plan.see_path(graph);
            plan.value = None;
            plan.falls_short = !team.reaches(index);
            plan.is_whole &= path.len() < job.steps;
            plan.note(*tick, position.key);
        }
    }

    fn write_robber(&mut self, id: AgentId, job: Job) {
        let Self {
            planner,
            graph,
            roster,
            tick,
            ..
        } = self;
        let Some(agent) = roster.get_mut(id) else {
            return;
        };
        let Some(start) = planner.position.robber else {
            return;
        };
        let next = agent.next_vertex(graph);
        let plan = &mut agent.plan;
        let path: &[Vertex] = match job.engine {
            Engine::Whole => planner.whole.plan().map_or(&[], |plan| &plan.path),
            Engine::Abstract => planner.by_level.path(),
            Engine::Timed | Engine::Team | Engine::Walk => planner.timed.path(),
        };
        let Some(rest) = next.and_then(|next| rest_from(start.at, path, next)) else {
            return;
        };
        plan.from = next.unwrap_or(start.at);
        plan.take_path(rest);
        plan.falls_short = false;
        match job.engine {
            Engine::Whole => {
                plan.footprint.clear(graph.width(), graph.height());
                planner.whole.footprint(graph, &mut plan.footprint);
                plan.value = planner.whole.plan().map(|p| Value::of_path(p.outcome));
            }
            Engine::Abstract => {
                plan.footprint.clear(graph.width(), graph.height());
                plan.footprint.union(planner.by_level.footprint());
                plan.value = planner.by_level.outcome().map(Value::of_path);
                plan.is_whole &= path.len() < job.steps || planner.by_level.level() == 0;
            }
            Engine::Timed | Engine::Team | Engine::Walk => {
                plan.footprint.clear(graph.width(), graph.height());
                plan.footprint.union(planner.timed.footprint());
                plan.value = None;
                plan.is_whole &= path.len() < job.steps || planner.timed.level() == 0;
            }
        }
        if planner.position.is_shut_in {
            // Who is shut in may come out when the map changes.
            plan.value = plan.value.map(|value| match value {
                Value::Exact(outcome) | Value::AtLeast(outcome) => Value::AtLeast(outcome),
            });
        }
        plan.note(*tick, planner.position.key);
    }
}

/// What is left of a path that begins at `from` for one who stands at `at` meanwhile.
pub(super) fn rest_from(from: Vertex, path: &[Vertex], at: Vertex) -> Option<&[Vertex]> {
    if from == at {
        return Some(path);
    }
    let index = path.iter().position(|&vertex| vertex == at)?;
    path.get(index + 1..)
}

impl super::agent::AgentPlan {
    /// Keeps the beginning of a path, which may be the whole.
    pub(super) fn take_path(&mut self, path: &[Vertex]) {
        self.is_whole = path.len() <= LONGEST;
        self.path.clear();
        self.path.reserve_exact(LONGEST);
        self.path
            .extend_from_slice(&path[..path.len().min(LONGEST)]);
    }

    /// The plan depends on the cells of its path alone: it is open as long as they are. That a shorter
    /// one opens elsewhere the next plan finds, which is some turns away at the most.
    pub(super) fn see_path(&mut self, graph: &Graph) {
        self.footprint.clear(graph.width(), graph.height());
        for &at in &self.path {
            self.footprint.insert(graph.cell(at));
        }
    }

    /// A plan has been made.
    pub(super) fn note(&mut self, tick: u64, key: u64) {
        self.at = 0;
        self.made = tick;
        self.key = key;
        self.is_made = true;
        self.is_intact = true;
    }
}

impl Unit {
    fn key(self) -> u64 {
        match self {
            Self::Team { robber, .. } => mix(1, robber.key()),
            Self::Robber(id) => mix(2, id.key()),
            Self::Walk(id) => mix(3, id.key()),
        }
    }
}
