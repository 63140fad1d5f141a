//! The planner: the search in progress, and its start and end.

use super::searches::{LOOK_AHEAD, SearchKind, SearchParameters, Searches, Start};
use crate::game::{Rules, Side, Step, Turns};
use crate::graph::Vertex;
use crate::map::Walker;
use crate::policy::GuideChoice;
use crate::search::{
    FOUND, Maps, Pressure, STALE, SearchOrigin, SearchStep, SlicedSearch, closing,
};
use crate::table_cache::TableCache;
use crate::world::agent_id::AgentId;
use crate::world::claims::number_to_announce;
use crate::world::facts::Facts;
use crate::world::hash::mix;
use crate::world::plan::PlanTarget;
use crate::world::purse::Purse;
use crate::world::pursuit::{PursuitNumber, PursuitRecord};
use crate::world::settings::{PursuitClock, RobberPlanner};
use crate::world::share::Share;
use crate::world::situation::Situation;
use crate::world::view::ViewMemory;
use serde::{Deserialize, Serialize};
use std::mem;

/// The cost of starting a search and storing its result, in expansions.
const EXPANSIONS_OF_A_PLAN: u64 = 60;

/// About how many expansions a comparison of joint moves takes for each vertex of the map.
const EXPANSIONS_OF_A_TEAM: u64 = 2;

/// The most expansions that a comparison takes on a map of any size.
const MOST_EXPANSIONS_OF_A_TEAM: u64 = 8192;

/// A search in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::world) struct PlanSearch {
    pub(super) target: PlanTarget,
    /// The pursuit that the target belonged to when the search began.
    pub(super) pursuit: PursuitNumber,
    pub(super) engine: SearchKind,
    /// The ground of all agents that the search is about; `None` if they walk on different ones.
    ground: Option<Walker>,
    /// The tick at which the search began.
    began: u64,
    /// Expansions so far.
    spent: u64,
    cut_off: bool,
    steps: usize,
    /// The pressure of the team.
    pressure: u32,
    /// The turns that a flight on several grounds is searched ahead; 0 for no limit.
    turns: u32,
}

impl PlanSearch {
    /// Returns whether a game can have begun this search.
    pub(super) fn is_sound(&self) -> bool {
        u16::try_from(self.steps).is_ok() && self.pressure <= Pressure::MOST
    }

    /// The ground that the search runs on; the map's own if its agents walk on different ones.
    fn maps(self, facts: &Facts) -> Maps<'_> {
        facts.maps_on(self.ground.unwrap_or_default())
    }

    /// The graph, and the hierarchy if the search uses one. On any others the search is stale.
    fn origin(self, facts: &Facts) -> SearchOrigin {
        let Maps { graph, hierarchy } = self.maps(facts);
        let uses_levels = self.engine != SearchKind::Whole && self.ground.is_some();
        SearchOrigin::of(graph, hierarchy.filter(|_| uses_levels))
    }
}

/// The result of a search.
pub(in crate::world) struct FinishedPlan<'a> {
    pub(in crate::world) target: PlanTarget,
    /// The pursuit that the target belonged to when the search began.
    pub(in crate::world) pursuit: PursuitNumber,
    pub(in crate::world) situation: &'a Situation,
    /// The search with the paths.
    pub(in crate::world) search: &'a dyn SlicedSearch,
}

/// All searches, and the one in progress.
#[derive(Debug)]
pub(in crate::world) struct Planner {
    pub(super) job: Option<PlanSearch>,
    /// The situation of the job.
    pub(super) situation: Situation,
    /// The slices by which the job has been advanced, in granted expansions.
    pub(super) slices: Vec<u32>,
    /// The graph and the hierarchy that the search of the job began on.
    origin: Option<SearchOrigin>,
    pub(super) searches: Searches,
    choice: GuideChoice,
    /// The number of plans that have been begun.
    pub(super) begun: u64,
    /// The last tick in which an edit of the map ended a search.
    pub(super) interrupted: Option<u64>,
    /// Whether cops have received plans since their positions were assembled.
    pub(super) has_planned_cops: bool,
}

impl Planner {
    pub(super) fn new() -> Self {
        Self {
            job: None,
            situation: Situation::default(),
            slices: Vec::new(),
            origin: None,
            searches: Searches::new(),
            choice: GuideChoice::default(),
            begun: 0,
            interrupted: None,
            has_planned_cops: false,
        }
    }

    /// Sets up the search for a target; `None` if there is nothing to search. `now`: for a move of this tick.
    pub(in crate::world) fn set_up(
        &mut self,
        facts: &Facts,
        cache: &TableCache,
        positions: &mut ViewMemory,
        target: PlanTarget,
        now: bool,
        purse: &mut Purse<'_>,
    ) -> Option<PlanSearch> {
        purse.spend(EXPANSIONS_OF_A_PLAN);
        self.begun += 1;
        self.slices.clear();
        self.set_up_situation(facts, cache, positions, target, now, purse)
    }

    /// Begins the search of a job that has been set up, for a team under this pressure.
    pub(in crate::world) fn begin(&mut self, facts: &Facts, job: PlanSearch, pressure: u32) {
        let job = PlanSearch { pressure, ..job };
        self.job = Some(job);
        self.start_engine(facts, job);
    }

    /// The robber of a team that is about to plan, and the position that presses it.
    pub(in crate::world) fn pressed_robber(&self, job: PlanSearch) -> Option<(AgentId, u64)> {
        let PlanTarget::Team { robber, .. } = job.target else {
            return None;
        };
        let position = match (job.engine, self.situation.robber) {
            (SearchKind::Team, Some(robber)) => robber.at.index() as u64,
            (SearchKind::Team | SearchKind::Joint, _) => self.situation.key,
            _ => return None,
        };
        Some((robber, position))
    }

    /// Continues the search in progress as far as the purse allows. Returns its result, if the search is done.
    pub(in crate::world) fn advance(
        &mut self,
        facts: &Facts,
        cache: &TableCache,
        purse: &mut Purse<'_>,
    ) -> Option<FinishedPlan<'_>> {
        let job = self.run(facts, cache, purse)?;
        self.has_planned_cops |= !matches!(job.target, PlanTarget::Robber(_));
        Some(FinishedPlan {
            target: job.target,
            pursuit: job.pursuit,
            situation: &self.situation,
            search: self.searches.of(job.engine),
        })
    }

    /// Continues the search in progress as far as the purse allows. Returns its job, if the search is done.
    fn run(
        &mut self,
        facts: &Facts,
        cache: &TableCache,
        purse: &mut Purse<'_>,
    ) -> Option<PlanSearch> {
        while let Some(job) = self.job {
            let left = purse.left();
            if left == 0 {
                return None;
            }
            let left = left.min(u32::MAX.into()) as u32;
            self.slices.push(left);
            let (progress, spent) = self.advance_job(facts, job, left);
            // Counts at least one expansion, or a search that reports none could loop for ever.
            purse.spend(spent.saturating_sub(job.spent).max(1));
            match progress {
                Step::Working => {
                    self.job = Some(PlanSearch { spent, ..job });
                }
                STALE => self.interrupt(facts.tick),
                FOUND => {
                    self.job = None;
                    self.follow_guide(facts, cache, job, purse);
                    return Some(job);
                }
            }
        }
        None
    }

    /// Ends the search in progress, because the map has changed.
    const fn interrupt(&mut self, tick: u64) {
        self.job = None;
        self.interrupted = Some(tick);
    }

    /// The expansions that a search of each target may take together: those of half a turn. If an edit has interrupted a
    /// search less than a turn ago, those of half a tick, so that searches end before the next edit.
    fn room(&self, facts: &Facts, purse: &Purse<'_>) -> u64 {
        let turn = facts.turn_length();
        let interrupted = self.interrupted.map(|at| facts.tick.saturating_sub(at));
        let ticks = if interrupted.is_some_and(|ago| ago < turn) {
            1
        } else {
            turn
        };
        Share::Searches.of(purse.whole().saturating_mul(ticks))
    }

    /// Lets a guide of the map, if there is one, choose among the joint moves of two cops that a search has compared.
    /// If the rest of the budget does not suffice for this choice, the choice of the search is kept.
    fn follow_guide(
        &mut self,
        facts: &Facts,
        cache: &TableCache,
        job: PlanSearch,
        purse: &mut Purse<'_>,
    ) {
        let pair = |engine| engine == SearchKind::Joint && self.situation.cops.len() == 2;
        // Guides are made for the map's own ground.
        let is_open = pair(job.engine) && job.ground == Some(Walker::PLAIN);
        if !is_open || facts.react_late(&self.situation.ids) {
            return;
        }
        self.choice.limit_work(purse.left_in_one());
        let Some(state) = self.situation.state(Side::Cops) else {
            return;
        };
        let rules = Rules::of(&state, facts.graph.moves());
        let Some(rules) = rules else {
            return;
        };
        let team = self.searches.joint();
        let Some(compared) = team.compared() else {
            return;
        };
        let (graph, choice) = (&facts.graph, &mut self.choice);
        let chosen = if let Some(guide) = cache.retract_guide(rules, facts.tick) {
            // The robber may hold out no longer than the cops announce.
            let cops: Vec<Vertex> = state.cops.iter().map(|cop| cop.at).collect();
            let bound = guide.bound(graph, state.robber.at, &cops);
            let promised = facts.announced(&self.situation.ids);
            let within = bound.and_then(|bound| number_to_announce(bound, promised, facts.slack));
            let most = within.map(|Turns(within)| Turns(within.saturating_sub(1)));
            choice.by_retract(&guide, graph, &state, &compared, most)
        } else if let (Some(guide), Some(hierarchy)) = (
            cache.level_guide(rules, facts.tick),
            facts.searched_hierarchy(),
        ) {
            choice.by_level(&guide, graph, hierarchy, &state, &compared)
        } else {
            return;
        };
        if chosen.is_some() {
            team.redirect(graph, choice.chosen());
        }
        purse.spend(choice.expansions());
    }

    /// Assembles the situation of a target; `None` if there is nothing to search.
    fn set_up_situation(
        &mut self,
        facts: &Facts,
        cache: &TableCache,
        positions: &mut ViewMemory,
        target: PlanTarget,
        now: bool,
        purse: &Purse<'_>,
    ) -> Option<PlanSearch> {
        if mem::take(&mut self.has_planned_cops) {
            positions.pursuit_positions.note_new_plans();
        }
        let room = self.room(facts, purse);
        let (situation, pursuit_positions) =
            (&mut self.situation, &mut positions.pursuit_positions);
        let (pursuit, engine) = match target {
            PlanTarget::Team { pursuit, robber } => {
                let pursuit = facts.members.pursuit(pursuit)?;
                pursuit_positions.assemble_for_team(facts, pursuit);
                if !situation.of_team(facts, pursuit, pursuit_positions, robber) {
                    return None;
                }
                let engine = match pursuit_positions.clock {
                    _ if situation.common_ground().is_none() => SearchKind::ApartTeam,
                    PursuitClock::FreeRunning | PursuitClock::Simultaneous => SearchKind::Team,
                    PursuitClock::Turns => team_engine(facts, room),
                };
                (pursuit, engine)
            }
            PlanTarget::Robber(id) => {
                let pursuit = facts.members.pursuit(facts.agent(id)?.pursuit_number())?;
                pursuit_positions.assemble_for_robber(facts, pursuit, now);
                if !situation.of_robber(facts, pursuit, pursuit_positions, id, now) {
                    return None;
                }
                situation.leave_out_distant_cops(facts, LOOK_AHEAD);
                let engine = match (pursuit_positions.clock, situation.common_ground()) {
                    (_, None) => SearchKind::ApartFlight,
                    (PursuitClock::FreeRunning, Some(_)) => SearchKind::Timed,
                    (PursuitClock::Turns | PursuitClock::Simultaneous, Some(ground)) => {
                        robber_engine(facts, facts.maps_on(ground), room)
                    }
                };
                (pursuit, engine)
            }
            PlanTarget::Walk(id) => {
                let agent = facts.agent(id)?;
                situation.clear();
                situation.ground = facts.ground_of(agent);
                situation.walk = Some(agent.ends_of_walk(facts.graph_of(agent))?);
                let pursuit = facts.members.pursuit(agent.pursuit_number())?;
                (pursuit, SearchKind::Walk)
            }
        };
        let has_goal =
            engine == SearchKind::Walk || engine == SearchKind::ApartFlight && situation.has_exits;
        if situation.cops.is_empty() && !has_goal {
            return None;
        }
        // A robber that waits for the cops' choice moves on in time. Cops with a guide come nearer to it all the same.
        let may_flee =
            situation.may_flee() || situation.is_seen && is_guided(situation, facts, cache);
        let cut_off = may_flee && !facts.follows_paths(pursuit);
        let is_team = cut_off && situation.cops.len() > 1;
        Some(PlanSearch {
            target,
            pursuit: pursuit.number,
            engine: match engine {
                SearchKind::Joint if !is_team => SearchKind::Team,
                engine => engine,
            },
            ground: if engine == SearchKind::Walk {
                Some(situation.ground)
            } else {
                situation.common_ground()
            },
            began: facts.tick,
            spent: 0,
            cut_off,
            steps: steps_of_plan(facts, pursuit, target, &situation.ids),
            turns: if may_race_all(facts, room) {
                0
            } else {
                LOOK_AHEAD
            },
            pressure: 0,
        })
    }

    /// Drops the search in progress if it began on another map. A snapshot could not repeat it.
    pub(in crate::world) fn drop_stale_job(&mut self, facts: &Facts) {
        if let Some(job) = self.job
            && !self.is_on_same_maps(facts, job)
        {
            self.interrupt(facts.tick);
        }
    }

    /// Returns whether the maps of a job are still as they were when its search began.
    fn is_on_same_maps(&mut self, facts: &Facts, job: PlanSearch) -> bool {
        let search = self.searches.of(job.engine);
        search.is_on_same_grounds(&|ground| facts.maps_on(ground))
            && self.origin == Some(job.origin(facts))
    }

    /// Begins the search of a job, in the current situation.
    fn start_engine(&mut self, facts: &Facts, job: PlanSearch) {
        self.origin = Some(job.origin(facts));
        self.searches.mark_routes();
        let parameters = SearchParameters {
            joint: job.engine == SearchKind::Joint,
            cut_off: job.cut_off,
            steps: job.steps,
            seed: mix(mix(facts.settings.seed, job.began), job.target.key()),
            pressure: job.pressure,
            turns: job.turns,
        };
        let search = self.searches.of(job.engine);
        search.start(Start {
            maps: job.maps(facts),
            grounds: &|ground| facts.maps_on(ground),
            situation: &self.situation,
            parameters,
        });
    }

    /// Advances the search of a job. Returns its progress, and its expansions since it began.
    fn advance_job(&mut self, facts: &Facts, job: PlanSearch, budget: u32) -> (SearchStep, u64) {
        let search = self.searches.of(job.engine);
        let grounds = &|ground| facts.maps_on(ground);
        let progress = search.go_on(job.maps(facts), grounds, budget);
        (progress, search.work().expansions)
    }

    /// Repeats the search that was in progress when a snapshot was taken.
    pub(super) fn resume_job(&mut self, facts: &Facts) {
        if let Some(job) = self.job {
            self.start_engine(facts, job);
            // The slices have to be the same, because a piece of work may overrun its slice.
            for index in 0..self.slices.len() {
                let budget = self.slices[index];
                self.advance_job(facts, job, budget);
            }
        }
    }
}

/// Returns whether a guide of the map helps a pair of cops to choose their joint moves.
fn is_guided(situation: &Situation, facts: &Facts, cache: &TableCache) -> bool {
    let state = situation.state(Side::Cops);
    let state = state.filter(|state| state.cops.len() == 2 && situation.is_on_own_ground());
    let rules = state.and_then(|state| Rules::of(&state, facts.graph.moves()));
    rules.is_some_and(|rules| cache.retract_guide(rules, facts.tick).is_some())
}

/// The least number of steps of a path: at least a move of each agent that the plan is for. `ids`: the team.
fn steps_of_plan(
    facts: &Facts,
    pursuit: &PursuitRecord,
    target: PlanTarget,
    ids: &[AgentId],
) -> usize {
    let steps = |&id: &AgentId| {
        let agent = facts.agent(id);
        agent.map_or(1, |agent| facts.steps_of_move(pursuit, agent).steps())
    };
    let of_move = match target {
        PlanTarget::Team { .. } => ids.iter().map(steps).max().unwrap_or(1),
        PlanTarget::Robber(id) | PlanTarget::Walk(id) => steps(&id),
    };
    usize::from(of_move).max(facts.settings.plan_steps.into())
}

/// The search for a team on clocks with turns: joint moves are compared if there is [room](Planner::room) to do so for
/// all teams. `EXPANSIONS_OF_A_TEAM` is what a team takes on a map of some thousand vertices.
fn team_engine(facts: &Facts, room: u64) -> SearchKind {
    let vertices =
        (facts.graph.vertices() as u64).min(MOST_EXPANSIONS_OF_A_TEAM / EXPANSIONS_OF_A_TEAM);
    let pursuits = facts.members.pursuits().iter();
    let pairs: usize = pursuits
        .map(|p| {
            let robbers = p.robbers.len();
            // Of a crowd, only the cops that close in compare moves, and a plan has room for two pairs at most.
            let of_each = p.cops.len().div_ceil(robbers.max(1));
            robbers * closing(of_each).min(of_each).div_ceil(2).min(2)
        })
        .sum();
    let all = EXPANSIONS_OF_A_TEAM * vertices * pairs as u64;
    if all <= room {
        SearchKind::Joint
    } else {
        SearchKind::Team
    }
}

/// Returns whether races on the map for all robbers fit into the [room](Planner::room).
fn may_race_all(facts: &Facts, room: u64) -> bool {
    match facts.settings.planner {
        RobberPlanner::TrailMax => true,
        RobberPlanner::DaTrailMax => false,
        RobberPlanner::Auto => {
            let pursuits = facts.members.pursuits().iter();
            let robbers: usize = pursuits.map(|p| p.robbers.len()).sum();
            let all = 2 * facts.graph.vertices() as u64 * robbers as u64;
            all <= room
        }
    }
}

/// The search for a robber on clocks with turns.
fn robber_engine(facts: &Facts, maps: Maps<'_>, room: u64) -> SearchKind {
    // Without an abstraction both searches are the same.
    if may_race_all(facts, room) || maps.hierarchy.is_none() {
        SearchKind::Whole
    } else {
        SearchKind::Abstract
    }
}

impl PlanTarget {
    fn key(self) -> u64 {
        match self {
            Self::Team { robber, .. } => mix(1, robber.key()),
            Self::Robber(id) => mix(2, id.key()),
            Self::Walk(id) => mix(3, id.key()),
        }
    }
}
