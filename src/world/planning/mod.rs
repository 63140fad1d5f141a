//! Plans: who wants one, in which order they are made, and the search under way.

mod planner;
mod requests;
mod searches;
mod walks;
mod warm_up;
mod write;

pub(super) use requests::ticks_kept;
pub(super) use warm_up::WarmUp;

use super::AgentId;
use super::board::Board;
use super::budget::Meter;
use super::company::Company;
use super::plan::PlanTarget;
use super::situation::Situation;
use crate::abstraction::Hierarchy;
use crate::graph::Graph;
use planner::{Job, Planner};
use requests::PlanRequest;
use serde::{Deserialize, Serialize};

/// The first of so many plans in a row is for whoever has waited longest: everybody gets one in the
/// end, however many are nearer.
const PATIENT: u64 = 4;

/// How many members of pursuits are looked at for an expansion.
const MEMBERS_AN_EXPANSION: u64 = 8;

/// After so many members that have been asked the meter is.
const ASKED_AT_ONCE: usize = 256;

/// Plans: who wants one, in which order they are made, and the search under way.
#[derive(Debug)]
pub(super) struct Planning {
    planner: Planner,
    requests: Vec<PlanRequest>,
    /// The pursuit that is asked first, since the last time there was no time for it.
    first: usize,
    /// Pursuits that there was no time to ask.
    unasked: u32,
    /// Units that wanted a plan and got none when they were asked last, and pursuits not asked.
    waiting: u32,
    company: Company,
    situation: Situation,
}

/// The search under way, as it is saved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedPlanning {
    job: Option<Job>,
    situation: Situation,
    slices: Vec<u32>,
    begun: u64,
    first: usize,
}

impl Planning {
    pub(super) fn new() -> Self {
        Self {
            planner: Planner::new(),
            requests: Vec::new(),
            first: 0,
            unasked: 0,
            waiting: 0,
            company: Company::default(),
            situation: Situation::default(),
        }
    }

    /// Takes the memory that searches on a map need, a piece at a time. Returns about what it has cost, in
    /// expansions.
    pub(super) fn warm_up(
        &mut self,
        so_far: &mut WarmUp,
        graph: &Graph,
        hierarchy: &Hierarchy,
    ) -> u64 {
        self.planner.warm_up(so_far, graph, hierarchy)
    }

    /// Is a search under way?
    pub(super) const fn is_searching(&self) -> bool {
        self.planner.job.is_some()
    }

    /// Goes on after another one, on another map.
    pub(super) fn follow(&mut self, before: &Self) {
        self.planner.begun = before.planner.begun;
    }

    pub(super) fn save(&self) -> SavedPlanning {
        SavedPlanning {
            job: self.planner.job,
            situation: self.planner.situation.clone(),
            slices: self.planner.slices.clone(),
            begun: self.planner.begun,
            first: self.first,
        }
    }

    /// Goes on from where it was saved.
    pub(super) fn restore(&mut self, saved: SavedPlanning, board: &Board) {
        self.planner.job = saved.job;
        self.planner.situation = saved.situation;
        self.planner.slices = saved.slices;
        self.planner.begun = saved.begun;
        self.first = saved.first;
        self.waiting = 0;
        self.planner.resume_job(board);
    }

    /// Spends what is left of the budget on plans for turns to come.
    pub(super) fn ahead(&mut self, board: &mut Board, meter: &mut dyn Meter) {
        if self.planner.finish_job(board, meter) {
            self.ask(board, meter);
            self.grant(board, meter);
        }
        board.events.report.waiting = self.waiting;
    }

    /// Asks the pursuits for their requests, as far as there is time.
    fn ask(&mut self, board: &mut Board, meter: &mut dyn Meter) {
        self.requests.clear();
        self.unasked = 0;
        let all = board.members.pursuits().len();
        let first = if self.first < all { self.first } else { 0 };
        self.first = 0;
        let mut asked = ASKED_AT_ONCE;
        for index in 0..all {
            let at = (first + index) % all;
            let pursuit = &board.members.pursuits()[at];
            if pursuit.is_settled {
                continue;
            }
            let members = pursuit.cops.len() + pursuit.robbers.len();
            if asked >= ASKED_AT_ONCE {
                asked = 0;
                if meter.left(board.events.report.spent) == 0 {
                    self.unasked = unsettled(board, first, index);
                    self.first = at;
                    return;
                }
            }
            asked += members;
            let before = self.requests.len();
            self.wishes_of(board, at);
            board.members.pursuits_mut()[at].is_settled = self.requests.len() == before;
            board.events.report.spent += members as u64 / MEMBERS_AN_EXPANSION;
        }
    }

    /// Grants requests in their order, as far as there is time.
    fn grant(&mut self, board: &mut Board, meter: &mut dyn Meter) {
        self.requests.sort_unstable();
        let mut next = 0;
        while next < self.requests.len() {
            if self.planner.begun.is_multiple_of(PATIENT) {
                let waiting =
                    (next..self.requests.len()).min_by_key(|&index| self.requests[index].made());
                // The others stay in their order.
                self.requests[next..=waiting.unwrap_or(next)].rotate_right(1);
            }
            let target = self.requests[next].target();
            if !self.make(board, (target, false), meter) {
                break;
            }
            next += 1;
        }
        self.waiting = (self.requests.len() - next) as u32 + self.unasked;
    }

    fn make(&mut self, board: &mut Board, what: (PlanTarget, bool), meter: &mut dyn Meter) -> bool {
        self.planner.plan(board, &mut self.company, what, meter)
    }

    /// Assembles the company of a pursuit that moves in this tick: again when its cops have been told where
    /// to go.
    pub(super) fn assemble(&mut self, board: &Board, at: usize) {
        self.company.assemble(board, &board.members.pursuits()[at]);
    }

    /// Plans for those cops of a pursuit that move in this tick, as far as there is time and they cannot go
    /// by what they have.
    pub(super) fn for_cops(&mut self, board: &mut Board, at: usize, meter: &mut dyn Meter) {
        self.assemble(board, at);
        for index in 0..board.members.pursuits()[at].robbers.len() {
            let pursuit = &board.members.pursuits()[at];
            let robber = pursuit.robbers[index];
            let request = self.request_of_team(board, pursuit, robber);
            if let Some(request) = request.filter(PlanRequest::is_urgent) {
                self.make(board, (request.target(), true), meter);
            } else if request.is_none() {
                self.confirm(board);
            }
        }
    }

    /// Plans for a robber that moves in this tick, after the cops. Returns the number of its situation. The
    /// company is that of its pursuit, [assembled](Self::assemble) since the cops moved.
    pub(super) fn for_robber(
        &mut self,
        board: &mut Board,
        at: usize,
        id: AgentId,
        meter: &mut dyn Meter,
    ) -> u64 {
        let pursuit = &board.members.pursuits()[at];
        let request = self.request_of_robber(board, pursuit, id, true);
        let key = self.situation.key;
        if let Some(request) = request.filter(PlanRequest::is_urgent) {
            self.make(board, (request.target(), true), meter);
        }
        let tick = board.tick;
        if let Some(robber) = board.members.get_mut(id) {
            robber.plan.confirm(key, tick);
        }
        key
    }

    /// Plans the walk of an agent that moves in this tick, if it is on one and has no plan for it.
    pub(super) fn for_walk(&mut self, board: &mut Board, id: AgentId, meter: &mut dyn Meter) {
        let request = board.agent(id).and_then(|agent| {
            let pursuit = board.members.pursuit(agent.setup.pursuit)?;
            requests::request_to_walk(board, pursuit, id)
        });
        if let Some(request) = request {
            self.make(board, (request.target(), true), meter);
        }
    }

    /// Plans that were made for the very situation at hand are as good as new ones.
    fn confirm(&self, board: &mut Board) {
        for &id in &self.situation.ids {
            let tick = board.tick;
            if let Some(cop) = board.members.get_mut(id) {
                cop.plan.confirm(self.situation.key, tick);
            }
        }
    }

    fn wishes_of(&mut self, board: &Board, at: usize) {
        let pursuit = &board.members.pursuits()[at];
        if pursuit.is_exact() || pursuit.cops.is_empty() {
            return;
        }
        self.company.assemble(board, pursuit);
        for &robber in &pursuit.robbers {
            if !pursuit.cops_by_table {
                let request = self.request_of_team(board, pursuit, robber);
                self.requests.extend(request);
            }
            if !pursuit.robber_by_table {
                let request = self.request_of_robber(board, pursuit, robber, false);
                self.requests.extend(request);
            }
        }
        let walks = pursuit.members();
        let walks = walks.filter_map(|id| requests::request_to_walk(board, pursuit, id));
        self.requests.extend(walks);
    }
}

/// How many pursuits have something to ask for, from one of those on that come after `first`.
fn unsettled(board: &Board, first: usize, from: usize) -> u32 {
    let pursuits = board.members.pursuits();
    let rest = (from..pursuits.len()).map(|index| &pursuits[(first + index) % pursuits.len()]);
    rest.filter(|pursuit| !pursuit.is_settled).count() as u32
}

impl SavedPlanning {
    /// Does everything in it refer to one of so many vertices?
    pub(super) fn is_within(&self, slots: usize) -> bool {
        self.situation.is_within(slots)
    }
}
