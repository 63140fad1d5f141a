//! Planning: which agents want a plan, the order in which plans are made, and the search in progress.

pub(super) mod planner;
pub(super) mod requests;
pub(super) mod searches;
pub(super) mod walks;
mod warm_up;

pub(super) use warm_up::WarmUp;

use super::agent::AgentRecord;
use super::facts::Facts;
use super::plan::PlanTarget;
use super::purse::Purse;
use super::situation::Situation;
use super::view::ViewMemory;
use crate::abstraction::Hierarchy;
use crate::graph::Graph;
use crate::world::pursuit::PursuitIndex;
use planner::{PlanSearch, Planner};
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
    pub(super) planner: Planner,
    requests: Vec<PlanRequest>,
    /// See [`settled`](Self::settled).
    settled: Vec<PursuitIndex>,
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
    job: Option<PlanSearch>,
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
            settled: Vec::new(),
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

    pub(super) fn save(&self, facts: &Facts) -> SavedPlanning {
        let under_way = self.planner.job.map(|job| job.engine);
        SavedPlanning {
            routes: self.planner.searches.save_routes(facts, under_way),
            job: self.planner.job,
            situation: self.planner.situation.clone(),
            slices: self.planner.slices.clone(),
            begun: self.planner.begun,
            interrupted: self.planner.interrupted,
            first: self.first,
        }
    }

    /// Continues from a saved state.
    pub(super) fn restore(&mut self, saved: SavedPlanning, facts: &Facts) {
        self.planner.job = saved.job;
        self.planner.situation = saved.situation;
        self.planner.slices = saved.slices;
        self.planner.begun = saved.begun;
        self.planner.interrupted = saved.interrupted;
        self.first = saved.first;
        self.waiting = 0;
        self.planner.searches.restore_routes(facts, &saved.routes);
        self.planner.resume_job(facts);
    }

    /// Collects the requests of the pursuits, as far as the budget allows, and sorts them.
    pub(super) fn collect_requests(
        &mut self,
        facts: &Facts,
        positions: &mut ViewMemory,
        purse: &mut Purse<'_>,
    ) {
        self.requests.clear();
        self.settled.clear();
        self.examine_pursuits(facts, positions, purse);
        self.requests.sort_unstable();
    }

    fn examine_pursuits(
        &mut self,
        facts: &Facts,
        positions: &mut ViewMemory,
        purse: &mut Purse<'_>,
    ) {
        self.not_asked = 0;
        let all = facts.members.pursuits().len();
        let first = if self.first < all { self.first } else { 0 };
        self.first = 0;
        let mut asked = MEMBERS_PER_CHECK;
        // All members so far: small pursuits cost something together.
        let mut examined = 0;
        for (index, at) in facts.members.indices_from(first).enumerate() {
            let pursuit = &facts.members[at];
            if pursuit.is_settled {
                continue;
            }
            let members = pursuit.cops.len() + pursuit.robbers.len();
            if asked >= MEMBERS_PER_CHECK {
                asked = 0;
                if purse.left() == 0 {
                    self.not_asked = count_unsettled(facts, first, index);
                    self.first = at.0;
                    return;
                }
            }
            asked += members;
            let before = self.requests.len();
            self.request_plans_of(facts, positions, at);
            if self.requests.len() == before {
                self.settled.push(at);
            }
            let before = examined / MEMBERS_PER_EXPANSION;
            examined += members as u64;
            purse.spend(examined / MEMBERS_PER_EXPANSION - before);
        }
    }

    /// The target to plan for after `granted` requests; `None` if all are granted.
    pub(super) fn next_target(&mut self, granted: usize) -> Option<PlanTarget> {
        if granted < self.requests.len() && self.planner.begun.is_multiple_of(LONGEST_WAIT_EVERY) {
            let waiting =
                (granted..self.requests.len()).min_by_key(|&index| self.requests[index].made());
            // The other requests keep their order.
            self.requests[granted..=waiting.unwrap_or(granted)].rotate_right(1);
        }
        self.requests.get(granted).map(PlanRequest::target)
    }

    /// Notes how many requests were granted.
    pub(super) fn note_granted(&mut self, granted: usize) {
        self.waiting = (self.requests.len() - granted) as u32 + self.not_asked;
    }

    /// The number of targets that wanted a plan and got none in the last round, plus the pursuits that were not examined.
    pub(super) const fn waiting(&self) -> u32 {
        self.waiting
    }

    /// The indices of the pursuits that were examined in the last round and want no plan.
    pub(super) fn settled(&self) -> &[PursuitIndex] {
        &self.settled
    }

    /// For whom the search in progress plans.
    pub(super) fn target(&self) -> Option<PlanTarget> {
        self.planner.job.map(|job| job.target)
    }

    fn request_plans_of(&mut self, facts: &Facts, positions: &mut ViewMemory, at: PursuitIndex) {
        let pursuit = &facts.members[at];
        if pursuit.is_exact() || pursuit.cops.is_empty() {
            return;
        }
        positions.assemble(facts, pursuit);
        for &robber in &pursuit.robbers {
            let is_moved = |id| facts.agent(id).is_some_and(AgentRecord::is_moved_by_game);
            if !pursuit.has_cops_by_table() {
                let request = request_of_team(positions, facts, pursuit, robber);
                let request =
                    request.filter(|request| request.is_wanted(pursuit, is_moved(robber)));
                self.requests.extend(request);
            }
            if !pursuit.has_robbers_without_plans() {
                let request = request_of_robber(positions, facts, pursuit, robber, false);
                let are_moved = || pursuit.cops.iter().any(|&cop| is_moved(cop));
                let request = request.filter(|request| request.is_wanted(pursuit, are_moved()));
                self.requests.extend(request);
            }
        }
        let walks = pursuit.members();
        let walks = walks.filter_map(|id| request_to_walk(facts, pursuit, id));
        self.requests.extend(walks);
    }
}

/// The number of unsettled pursuits, beginning with the `from`-th after `first`.
fn count_unsettled(facts: &Facts, first: usize, from: usize) -> u32 {
    let pursuits = facts.members.pursuits();
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
