//! Planning: which agents want a plan, the order in which plans are made, and the search in progress.

mod planner;
pub(super) mod requests;
mod searches;
mod walks;
mod warm_up;
mod write;

pub(super) use warm_up::WarmUp;

use super::agent::AgentRecord;
use super::agent_id::AgentId;
use super::board::Board;
use super::plan::PlanTarget;
use super::purse::Purse;
use super::situation::Situation;
use super::view::Positions;
use crate::abstraction::Hierarchy;
use crate::graph::Graph;
use crate::table_cache::TableCache;
use planner::{Job, Planner};
use requests::{PlanRequest, request_of_robber, request_of_team, request_to_walk};
use searches::SavedRoutes;
use serde::{Deserialize, Serialize};

/// One in this number of plans goes to the target that has waited longest. So every target eventually
/// gets a plan, no matter how many others are nearer to their opponents.
const LONGEST_WAIT_EVERY: u64 = 4;

/// The number of members of pursuits that can be examined for the cost of one expansion.
const MEMBERS_PER_EXPANSION: u64 = 8;

/// The rest of the budget is read after this number of members.
const MEMBERS_PER_CHECK: usize = 256;

/// Planning: which agents want a plan, the order in which plans are made, and the search in progress.
#[derive(Debug)]
pub(super) struct Planning {
    planner: Planner,
    requests: Vec<PlanRequest>,
    /// The index of the pursuit to examine first: the one where the budget ran out last time.
    first: usize,
    /// The number of pursuits that were not examined because the budget ran out.
    not_asked: u32,
    /// The number of targets that wanted a plan and got none in the last round, plus the pursuits that
    /// were not examined.
    waiting: u32,
}

/// The search in progress, in the form in which it is saved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedPlanning {
    job: Option<Job>,
    situation: Situation,
    slices: Vec<u32>,
    begun: u64,
    interrupted: Option<u64>,
    first: usize,
    routes: SavedRoutes,
}

impl Planning {
    pub(super) fn new() -> Self {
        Self {
            planner: Planner::new(),
            requests: Vec::new(),
            first: 0,
            not_asked: 0,
            waiting: 0,
        }
    }

    /// Allocates the memory that searches on a map need, one piece per call. Returns the approximate
    /// cost of the piece, in expansions.
    pub(super) fn warm_up(
        &mut self,
        so_far: &mut WarmUp,
        graph: &Graph,
        hierarchy: &Hierarchy,
    ) -> u64 {
        self.planner.warm_up(so_far, graph, hierarchy)
    }

    /// Returns whether a search is in progress.
    pub(super) const fn is_searching(&self) -> bool {
        self.planner.job.is_some()
    }

    /// Takes over the count of plans from the planning of the previous map.
    pub(super) fn follow(&mut self, before: &Self) {
        self.planner.begun = before.planner.begun;
    }

    /// Ends the tick: of the search in progress, keeps only the part that a [saved](Self::save) state can repeat.
    pub(super) fn end_tick(&mut self, board: &mut Board) {
        self.planner.drop_stale_job(board);
        board.planned_for = self.planner.job.map(|job| job.target);
    }

    pub(super) fn save(&self, board: &Board) -> SavedPlanning {
        let under_way = self.planner.job.map(|job| job.engine);
        SavedPlanning {
            routes: self.planner.searches.save_routes(board, under_way),
            job: self.planner.job,
            situation: self.planner.situation.clone(),
            slices: self.planner.slices.clone(),
            begun: self.planner.begun,
            interrupted: self.planner.interrupted,
            first: self.first,
        }
    }

    /// Continues from a saved state.
    pub(super) fn restore(&mut self, saved: SavedPlanning, board: &mut Board) {
        board.planned_for = saved.job.map(|job| job.target);
        self.planner.job = saved.job;
        self.planner.situation = saved.situation;
        self.planner.slices = saved.slices;
        self.planner.begun = saved.begun;
        self.planner.interrupted = saved.interrupted;
        self.first = saved.first;
        self.waiting = 0;
        self.planner.searches.restore_routes(board, &saved.routes);
        self.planner.resume_job(board);
    }

    /// Spends the rest of the budget on plans for coming turns.
    pub(super) fn plan_ahead(
        &mut self,
        board: &mut Board,
        cache: &TableCache,
        positions: &mut Positions,
        purse: &mut Purse<'_>,
    ) {
        if self.finish(board, cache, purse) {
            self.collect_requests(board, positions, purse);
            self.grant(board, cache, positions, purse);
        }
        board.events.report.waiting = self.waiting;
    }

    /// Collects the requests of the pursuits, as far as the budget allows.
    fn collect_requests(
        &mut self,
        board: &mut Board,
        positions: &mut Positions,
        purse: &mut Purse<'_>,
    ) {
        self.requests.clear();
        self.not_asked = 0;
        let all = board.members.pursuits().len();
        let first = if self.first < all { self.first } else { 0 };
        self.first = 0;
        let mut asked = MEMBERS_PER_CHECK;
        // All members so far: small pursuits cost something together.
        let mut examined = 0;
        for index in 0..all {
            let at = (first + index) % all;
            let pursuit = &board.members.pursuits()[at];
            if pursuit.is_settled {
                continue;
            }
            let members = pursuit.cops.len() + pursuit.robbers.len();
            if asked >= MEMBERS_PER_CHECK {
                asked = 0;
                if purse.left() == 0 {
                    self.not_asked = count_unsettled(board, first, index);
                    self.first = at;
                    return;
                }
            }
            asked += members;
            let before = self.requests.len();
            self.request_plans_of(board, positions, at);
            board.members.pursuits_mut()[at].is_settled = self.requests.len() == before;
            let before = examined / MEMBERS_PER_EXPANSION;
            examined += members as u64;
            purse.spend(examined / MEMBERS_PER_EXPANSION - before);
        }
    }

    /// Grants requests in order of rank, as far as the budget allows.
    fn grant(
        &mut self,
        board: &mut Board,
        cache: &TableCache,
        positions: &mut Positions,
        purse: &mut Purse<'_>,
    ) {
        self.requests.sort_unstable();
        let mut next = 0;
        while next < self.requests.len() {
            if self.planner.begun.is_multiple_of(LONGEST_WAIT_EVERY) {
                let waiting =
                    (next..self.requests.len()).min_by_key(|&index| self.requests[index].made());
                // The other requests keep their order.
                self.requests[next..=waiting.unwrap_or(next)].rotate_right(1);
            }
            let target = self.requests[next].target();
            if !self.plan(board, cache, positions, target, false, purse) {
                break;
            }
            next += 1;
        }
        self.waiting = (self.requests.len() - next) as u32 + self.not_asked;
    }

    /// Plans for a target; `false` if the budget is spent. `now`: for a move of this tick.
    fn plan(
        &mut self,
        board: &mut Board,
        cache: &TableCache,
        positions: &mut Positions,
        target: PlanTarget,
        now: bool,
        purse: &mut Purse<'_>,
    ) -> bool {
        if !self.finish(board, cache, purse) || purse.left() == 0 {
            return false;
        }
        let planner = &mut self.planner;
        let Some(job) = planner.set_up(board, cache, positions, target, now, purse) else {
            return true;
        };
        let pressure = planner.press(board, job);
        planner.begin(board, job, pressure);
        self.finish(board, cache, purse)
    }

    /// Continues the search in progress, and stores its result; `true` if no search is left.
    fn finish(&mut self, board: &mut Board, cache: &TableCache, purse: &mut Purse<'_>) -> bool {
        if let Some(job) = self.planner.advance(board, cache, purse) {
            board.events.report.plans += 1;
            self.planner.store_plan(board, job);
        }
        board.planned_for = self.planner.job.map(|job| job.target);
        !self.is_searching()
    }

    /// As far as the budget allows, plans for the cops of a pursuit that move in this tick and cannot
    /// use their current plans. Expects the positions of the pursuit.
    pub(super) fn plan_for_cops(
        &mut self,
        board: &mut Board,
        cache: &TableCache,
        positions: &mut Positions,
        at: usize,
        purse: &mut Purse<'_>,
    ) {
        for index in 0..board.members.pursuits()[at].robbers.len() {
            let pursuit = &board.members.pursuits()[at];
            let robber = pursuit.robbers[index];
            let request = request_of_team(positions, board, pursuit, robber);
            if let Some(request) = request.filter(PlanRequest::is_urgent) {
                self.plan(board, cache, positions, request.target(), true, purse);
            } else if request.is_none() {
                confirm(&positions.situation, board);
            }
        }
    }

    /// Plans for a robber that moves in this tick, after the cops. Returns the key of its situation. Expects the positions
    /// of its pursuit since the cops moved.
    pub(super) fn plan_for_robber(
        &mut self,
        board: &mut Board,
        cache: &TableCache,
        positions: &mut Positions,
        at: usize,
        id: AgentId,
        purse: &mut Purse<'_>,
    ) -> u64 {
        let pursuit = &board.members.pursuits()[at];
        let request = request_of_robber(positions, board, pursuit, id, true);
        let key = positions.situation.key;
        if let Some(request) = request.filter(PlanRequest::is_urgent) {
            self.plan(board, cache, positions, request.target(), true, purse);
        }
        let tick = board.tick;
        if let Some(robber) = board.members.get_mut(id) {
            robber.plan.confirm(key, tick);
            robber.plan.check_value();
        }
        key
    }

    /// Plans the walk of an agent that moves in this tick, if the agent is on a walk without a plan.
    pub(super) fn plan_for_walk(
        &mut self,
        board: &mut Board,
        cache: &TableCache,
        positions: &mut Positions,
        id: AgentId,
        purse: &mut Purse<'_>,
    ) {
        let request = board.agent(id).and_then(|agent| {
            let pursuit = board.members.pursuit(agent.setup.pursuit)?;
            request_to_walk(board, pursuit, id)
        });
        if let Some(request) = request {
            self.plan(board, cache, positions, request.target(), true, purse);
        }
    }

    fn request_plans_of(&mut self, board: &Board, positions: &mut Positions, at: usize) {
        let pursuit = &board.members.pursuits()[at];
        if pursuit.is_exact() || pursuit.cops.is_empty() {
            return;
        }
        positions.assemble(board, pursuit);
        for &robber in &pursuit.robbers {
            let is_moved = |id| board.agent(id).is_some_and(AgentRecord::is_moved_by_game);
            if !pursuit.has_cops_by_table() {
                let request = request_of_team(positions, board, pursuit, robber);
                let request =
                    request.filter(|request| request.is_wanted(pursuit, is_moved(robber)));
                self.requests.extend(request);
            }
            if !pursuit.has_robbers_without_plans() {
                let request = request_of_robber(positions, board, pursuit, robber, false);
                let are_moved = || pursuit.cops.iter().any(|&cop| is_moved(cop));
                let request = request.filter(|request| request.is_wanted(pursuit, are_moved()));
                self.requests.extend(request);
            }
        }
        let walks = pursuit.members();
        let walks = walks.filter_map(|id| request_to_walk(board, pursuit, id));
        self.requests.extend(walks);
    }
}

/// Marks plans of cops that were made for exactly this situation as new.
fn confirm(situation: &Situation, board: &mut Board) {
    for &id in &situation.ids {
        let tick = board.tick;
        if let Some(cop) = board.members.get_mut(id) {
            cop.plan.confirm(situation.key, tick);
        }
    }
}

/// The number of unsettled pursuits, beginning with the `from`-th after `first`.
fn count_unsettled(board: &Board, first: usize, from: usize) -> u32 {
    let pursuits = board.members.pursuits();
    let rest = (from..pursuits.len()).map(|index| &pursuits[(first + index) % pursuits.len()]);
    rest.filter(|pursuit| !pursuit.is_settled).count() as u32
}

impl SavedPlanning {
    /// Returns whether every vertex in the saved state is below `slots`, and whether a game can have begun this search.
    /// No number in it may reach `most`.
    pub(super) fn is_sound(&self, slots: usize, most: u64) -> bool {
        self.situation.is_within(slots)
            && self.begun < most
            && self.job.is_none_or(|job| job.is_sound())
    }
}
