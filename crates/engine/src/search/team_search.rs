//! Plans for a team of cops: joint moves of two cops and moves of single cops, judged by the race that they leave to the
//! robber.

mod candidates;
mod comparison;
mod prediction;
mod pressure;

pub use pressure::Pressure;

use super::distances::Distances;
use super::interception::KEPT;
use super::joint_race::{Bounds, JointRace, MOST_MOVES, MoveSet};
use super::move_ends::MoveEnds;
use super::{FOUND, Footprint, Interception, STALE, SearchStep, SlicedSearch};
use crate::abstraction::Hierarchy;
use crate::game::{Agent, State, Step, Work};
use crate::graph::{Graph, Vertex};
use candidates::Candidates;
pub(crate) use comparison::Compared;
use comparison::ComparisonTask;
pub(super) use pressure::STALEMATE;

/// The most cops whose moves are chosen by races; further cops follow the interception.
const MOST_ACTIVE: usize = 7;

/// The number of vertices nearest to the robber among which active cops stand, unless the interception has measured more.
/// Cops farther away follow the interception: no single move of theirs matters.
const NEAREST: u64 = 4096;

/// The most expansions of joint moves that a race may take. A longer race is abandoned, and the interception decides.
const LONGEST_RACE: u64 = 16_384;

/// The expansions that a plan may take. The nearest pair is compared even if the plan takes more; further cops are compared
/// only if twice the expected race fits. Measured.
const LONGEST_PLAN: u64 = 10_000;

/// The number of distances after which the search checks whether they suffice, in teams of at most [`MANY`] cops.
const CHECK: u64 = 256;
const MANY: usize = 32;

/// On maps with more vertices than this, the interception decides, since a race of joint moves takes 100 bytes for each
/// vertex.
const LARGEST: usize = 1 << 17;

/// Where a cop or the robber has more steps than this, the interception decides, since no move set holds a fraction of its
/// moves.
const FASTEST: u8 = 12;

/// This number of expansions of a joint race counts as one, which is what they cost.
const JOINT: u64 = 2;

/// This number of expansions of the distance search counts as one.
const MEASURING: u64 = 8;

/// Plans for all cops of one robber together, on clocks with turns: what [`Interception`] plans, with better moves for
/// the cops near the robber.
///
/// *Agent subset adversarial search* with active subsets of one or two cops: the inactive cops follow their plan while all
/// joint moves of the active ones are compared. The nearest two cops form a pair. A third cop forms a pair with the nearest
/// one. In larger teams, the further cops near the robber are active one by one. The leaf of the search is the race of
/// [`TrailMax`](super::TrailMax). One race (`JointRace`) serves all joint moves of a pair and all moves of the single cops, as
/// far as they fit into 128 bits. It ends as soon as the moves that are still open are certain to be worse than the best
/// known one. The best joint move is the one after which the robber's longest path is shortest, with three additions, each
/// measured: the number of vertices that the robber reaches first, the distance of the cops from the robber, and a
/// [`Pressure`] that grows while positions repeat themselves.
///
/// Far from the robber, where races are long, the interception decides. On octile maps with cops of one speed and a robber
/// of one step per turn, a race of all cops from where they stand predicts the length of the races. If it is short, it
/// also tells where the races will take place, and cops that cannot come there in time are left out of them. With three or
/// more cops, the interception has run or begun this race. Cops beyond the nearest two are compared only if the plan is
/// expected to stay below 10,000 expansions.
///
/// The value of a joint move is a lower bound of the robber's survival, not the value of the game: a robber that steps
/// to and fro may make cops without memory repeat their moves for ever. [`Pressure`] ends such repetitions.
///
/// Plans depend on the positions and speeds of the agents, not on the order of the cops.
///
/// A [`SlicedSearch`].
///
/// Cost: the cost of [`Interception`], and a race (with three cops two) of at most some three expansions for each vertex that
/// the robber reaches and three for each vertex of the cops; where cops have more than 11 moves each, some races more. At most
/// seven cops are active. No race is longer than 16,384 expansions of joint moves. A race that does not take
/// place where it was expected is run again (about one in ten on a large map). Memory: 100 bytes per vertex and 2 for each
/// cell; on maps of more than 131,072 vertices the interception decides.
#[derive(Debug, Clone, Default)]
pub struct TeamSearch {
    base: Interception,
    robber: Option<Agent>,
    cops: Vec<Agent>,
    pressure: u32,
    stage: TeamStage,
    distances: Distances,
    /// The cops near the robber, nearest first.
    active: Vec<usize>,
    tasks: Vec<ComparisonTask>,
    moves: MoveEnds,
    /// For each cop the ends of its moves that are compared.
    ends: Vec<Vec<Vertex>>,
    /// For each cop the end of the best move so far.
    chosen: Vec<Vertex>,
    race: JointRace,
    /// The cops that can reach the robber.
    chasers: Vec<Agent>,
    /// The number of the nearest cops that may be active: [`MOST_ACTIVE`] or, where races are long, two.
    most_active: usize,
    /// Where the race of all cops took place, with a margin.
    bounds: Option<Bounds>,
    candidates: Candidates,
    /// The agents of the race that begins, each with its joint moves.
    starts: Vec<(Agent, MoveSet)>,
    /// Whether races go on until the outcome of each joint move is known.
    compares_all: bool,
    /// The pair of cops that this plan compared last, if the race of that pair is the last one.
    compared: Option<[usize; 2]>,
    sorted: Vec<(i64, Vertex)>,
    /// For each cop, whether its path differs from that of the interception, and this path. May have more entries, left
    /// from earlier, larger teams.
    paths: Vec<(bool, Vec<Vertex>)>,
    /// Expansions and neighbours, not counting the present race and the interception.
    work: Work,
}

/// The next piece of work.
///
/// ```text
/// Base -> Gauge (on large maps) -> Measure -> Begin (each task) -> Race -> Begin ... -> Done
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum TeamStage {
    #[default]
    Done,
    /// The interception.
    Base,
    /// The race of all cops from their present vertices; the number is its limit in expansions.
    Gauge { most: u64 },
    /// The distances from the robber; the number is the expansions that are left for them.
    Measure { left: u64 },
    /// A task begins.
    Begin { task: usize },
    /// The race of a task.
    Race { task: usize },
}

impl TeamSearch {
    /// A planner without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The interception that plans for the cops which the races leave out.
    pub(crate) const fn interception(&self) -> &Interception {
        &self.base
    }

    /// The same, to restore what it knows.
    pub(crate) const fn interception_mut(&mut self) -> &mut Interception {
        &mut self.base
    }

    /// Starts to plan for all cops of a state, with the cops to move. Forgets the previous plans. At least `steps`
    /// steps of each path are computed, or all of a shorter path. `pressure`: see [`Pressure::hundredths`].
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub fn begin(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        state: &State<'_>,
        pressure: u32,
        steps: usize,
    ) {
        self.base.begin(graph, hierarchy, state, true, steps);
        self.robber = Some(state.robber);
        self.cops.clear();
        self.cops.extend_from_slice(state.cops);
        self.pressure = pressure;
        self.stage = TeamStage::Base;
        self.paths
            .iter_mut()
            .for_each(|(is_own, _)| *is_own = false);
        if self.paths.len() < state.cops.len() {
            self.paths.resize_with(state.cops.len(), Default::default);
        }
        self.work = Work::NONE;
        (self.compared, self.bounds) = (None, None);
    }

    /// Begins and runs to the end.
    ///
    /// # Panics
    /// As [`TeamSearch::begin`].
    pub fn solve(
        &mut self,
        graph: &Graph,
        hierarchy: Option<&Hierarchy>,
        state: &State<'_>,
        pressure: u32,
        steps: usize,
    ) {
        self.begin(graph, hierarchy, state, pressure, steps);
        self.finish(graph, hierarchy);
    }

    /// Returns whether moves are compared at all. The moves of a single cop are not, since a shortest path is best in
    /// most positions.
    fn is_team(&self, graph: &Graph) -> bool {
        let is_slow = |agent: &Agent| agent.speed.steps() <= FASTEST;
        self.cops.len() > 1
            && graph.slots() <= LARGEST
            && self.pressure <= STALEMATE
            && self.cops.iter().chain(&self.robber).all(is_slow)
    }

    /// Lists the cops that can reach the robber.
    fn list_chasers(&mut self) {
        let Self {
            chasers,
            base,
            cops,
            ..
        } = self;
        chasers.clear();
        let reaching = (0..cops.len()).filter(|&cop| base.reaches(cop));
        chasers.extend(reaching.map(|cop| cops[cop]));
    }

    /// Begins to measure the distances from the robber.
    fn begin_to_measure(&mut self, graph: &Graph, robber: Agent) -> TeamStage {
        if !self.base.swap_distances(&mut self.distances) {
            self.distances.begin(graph, robber.at);
            return TeamStage::Measure { left: NEAREST };
        }
        // The interception has measured all cops, but not all of their moves.
        let measured = self.distances.reachable().len() as u64;
        let left = NEAREST.saturating_sub(measured);
        if left > 0 && !self.has_measured_active() {
            return TeamStage::Measure { left };
        }
        self.set_up(graph);
        TeamStage::Begin { task: 0 }
    }

    /// Measures at most `budget` distances, and sets up the comparisons if these suffice.
    fn measure(&mut self, graph: &Graph, left: u64, budget: u64) {
        // The distances that are measured do not depend on the slices.
        let to_check = left - (left - 1) / CHECK * CHECK;
        let granted = budget.saturating_mul(MEASURING).min(to_check);
        let rest = self.distances.advance(graph, granted);
        self.work.expansions += (granted - rest).div_ceil(MEASURING);
        let left = left - granted;
        if rest > 0 || left == 0 || (granted == to_check && self.has_measured_active()) {
            self.set_up(graph);
            self.stage = TeamStage::Begin { task: 0 };
        } else {
            self.stage = TeamStage::Measure { left };
        }
    }

    /// Returns whether the distances of all moves of the cops that will be active are known. A large team may return
    /// `false` nevertheless.
    fn has_measured_active(&self) -> bool {
        if self.chasers.len() > MANY {
            return false;
        }
        let cops = self.chasers.iter();
        let fastest = cops.map(|cop| u32::from(cop.speed.steps())).max();
        let far = self
            .distances
            .complete_to()
            .checked_sub(fastest.unwrap_or(0));
        let is_near = |cop: &&Agent| {
            self.distances
                .steps(cop.at)
                .is_some_and(|steps| Some(steps) <= far)
        };
        let near = self.chasers.iter().filter(is_near).count();
        near >= self.most_active.min(self.chasers.len())
    }

    /// Finds the cops that are near, and the comparisons to make.
    fn set_up(&mut self, graph: &Graph) {
        let Self {
            active,
            distances,
            base,
            cops,
            ..
        } = self;
        active.clear();
        let is_near = |&cop: &usize| base.reaches(cop) && distances.steps(cops[cop].at).is_some();
        active.extend((0..cops.len()).filter(is_near));
        active.sort_unstable_by_key(|&cop| {
            let Agent { at, speed } = cops[cop];
            (distances.steps(at), at, speed, cop)
        });
        active.truncate(self.most_active);
        self.chosen.clear();
        for (index, cop) in self.cops.iter().enumerate() {
            let path = self.base.path_of(index);
            let steps = path.len().min(cop.speed.steps().into());
            self.chosen
                .push(path[..steps].last().copied().unwrap_or(cop.at));
        }
        if self.ends.len() < self.cops.len() {
            self.ends.resize_with(self.cops.len(), Vec::new);
        }
        for &cop in &self.active {
            let Agent { at, speed } = self.cops[cop];
            let ends = &mut self.ends[cop];
            ends.clear();
            ends.reserve(MOST_MOVES);
            ends.push(at);
            ends.extend_from_slice(self.moves.find(graph, at, speed, |_| false));
            // The nearest to the robber, if there are too many.
            if ends.len() > MOST_MOVES {
                ends.sort_by_key(|&end| self.distances.steps(end).unwrap_or(u32::MAX));
                ends.truncate(MOST_MOVES);
            }
        }
        self.count_moves();
        self.work.touched += self.distances.take_touched();
        self.plan_tasks();
    }

    /// Writes the paths of the cops whose first move is not that of the interception.
    fn write_paths(&mut self, graph: &Graph) {
        for &cop in &self.active {
            let Agent { at, speed } = self.cops[cop];
            let (end, path) = (self.chosen[cop], self.base.path_of(cop));
            let steps = path.len().min(speed.steps().into());
            if path[..steps].last().copied().unwrap_or(at) == end {
                continue;
            }
            let (is_own, way) = &mut self.paths[cop];
            *is_own = true;
            way.clear();
            way.reserve(KEPT.max(path.len() + usize::from(speed.steps())));
            if end != at {
                self.moves.find(graph, at, speed, |_| false);
                self.moves.way_to(end, way);
                // Beyond the move it goes on along the path of the interception, where that is near.
                let near =
                    |&vertex: &Vertex| vertex == end || graph.neighbours(end).contains(&vertex);
                if let Some(joint) = path.iter().rposition(near) {
                    let rest = &path[joint..];
                    way.extend_from_slice(if rest[0] == end { &rest[1..] } else { rest });
                }
            }
        }
        self.count_moves();
    }

    /// Replaces the moves of cops at the end of a search that has [compared](Self::compared) moves. Each cop can reach its
    /// end in a move.
    pub(crate) fn redirect(&mut self, graph: &Graph, moves: &[(usize, Vertex)]) {
        for &(cop, end) in moves {
            if let (Some(chosen), Some((is_own, _))) =
                (self.chosen.get_mut(cop), self.paths.get_mut(cop))
            {
                *chosen = end;
                *is_own = false;
            }
        }
        self.write_paths(graph);
    }

    /// The expansions of this plan before the present race.
    fn spent(&self) -> u64 {
        self.base.work().expansions + self.work.expansions
    }

    /// Counts the work on moves as that of this plan, and leaves none for the next one.
    fn count_moves(&mut self) {
        self.work += self.moves.take_work();
    }

    /// Does a piece of work of at most `budget` expansions.
    fn go_on(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u64) -> SearchStep {
        match self.stage {
            TeamStage::Done => {}
            TeamStage::Base => {
                let budget = budget.min(u32::MAX.into()) as u32;
                let progress = self.base.advance(graph, hierarchy, budget);
                if progress != FOUND {
                    return progress;
                }
                self.stage = TeamStage::Done;
                if let Some(robber) = self.robber.filter(|_| self.is_team(graph)) {
                    self.list_chasers();
                    self.stage = self.begin_prediction(graph, robber);
                }
            }
            TeamStage::Gauge { most } => return self.continue_prediction(graph, most, budget),
            TeamStage::Measure { left } => self.measure(graph, left, budget),
            TeamStage::Begin { task } => self.begin_task(graph, task),
            TeamStage::Race { task } => {
                let budget = budget.saturating_mul(JOINT).min(u32::MAX.into()) as u32;
                self.race_on(graph, task, budget);
            }
        }
        Step::Working
    }
}

impl SlicedSearch for TeamSearch {
    fn advance(&mut self, graph: &Graph, hierarchy: Option<&Hierarchy>, budget: u32) -> SearchStep {
        // The interception notices another map, even after its own end.
        if self.base.advance(graph, hierarchy, 0) == STALE {
            return STALE;
        }
        let end = self.work().expansions + u64::from(budget);
        while self.stage != TeamStage::Done {
            let done = self.work().expansions;
            if done >= end {
                return Step::Working;
            }
            if self.go_on(graph, hierarchy, end - done) == STALE {
                return STALE;
            }
        }
        FOUND
    }

    fn path_of(&self, cop: usize) -> &[Vertex] {
        if self.stage != TeamStage::Done {
            return &[];
        }
        match self.paths.get(cop) {
            Some((true, path)) => path,
            _ => self.base.path_of(cop),
        }
    }

    /// Appends nothing before the search is done.
    fn best_so_far(&self, _: &Graph, path: &mut Vec<Vertex>) {
        path.extend_from_slice(self.path_of(0));
    }

    /// A cop whose move does not come from the interception waits at the end of its path for the next plan.
    fn is_complete(&self, cop: usize) -> bool {
        self.paths.get(cop).is_some_and(|&(is_own, _)| is_own) || self.base.is_complete(cop)
    }

    fn reaches(&self, cop: usize) -> bool {
        self.base.reaches(cop)
    }

    fn keep_footprint(&mut self) {
        self.base.keep_footprint();
    }

    fn add_footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        self.base.add_footprint(graph, footprint);
    }

    /// Eight expansions of the distance search count as one, since this is what they cost.
    fn work(&self) -> Work {
        let race = match self.stage {
            TeamStage::Race { .. } => self.work_of_race(),
            _ => Work::NONE,
        };
        self.base.work() + self.work + race
    }
}
