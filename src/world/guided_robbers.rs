//! Robbers that play by the exact table of an abstract level, where the map itself has no table.

use super::AgentId;
use super::board::Board;
use super::company::Company;
use super::purse::Purse;
use super::settings::PursuitClock;
use super::situation::Situation;
use crate::game::{Rules, Side};
use crate::policy::robber::GuidedRobber;
use crate::policy::{Decision, Ground, Source};
use crate::table_cache::{TableCache, Wanted, WholeMap};

/// The coarsest level that is used as a guide: one vertex represents about 4^4 cells. Coarser levels were not
/// measured.
const COARSEST: usize = 4;

/// The least remaining budget, in expansions, for a decision by a guide. Near the cops, the decision runs a race, which
/// it abandons when the budget is spent.
const LEAST_BUDGET: u64 = 1000;

/// No guide is used against more cops: its level would have only a few vertices. In large pursuits many robbers ask,
/// and reading the positions of the cops takes time for each of them.
const MOST_COPS: usize = 8;

/// The fixed cost of a decision by a guide, in expansions.
const COST_OF_READING: u64 = 100;

/// The decision of a robber by a guide.
#[derive(Debug)]
pub(super) struct GuidedRobbers {
    robber: GuidedRobber,
    company: Company,
    situation: Situation,
    decision: Decision,
    /// The robber for which the last decision was made.
    decided_for: Option<AgentId>,
}

impl GuidedRobbers {
    pub(super) fn new() -> Self {
        Self {
            robber: GuidedRobber::default(),
            company: Company::default(),
            situation: Situation::default(),
            decision: Decision::wait(Source::Guide),
            decided_for: None,
        }
    }

    /// Returns whether a guide decides for the robber of the last look-up.
    pub(super) const fn decides(&self) -> bool {
        self.decided_for.is_some()
    }

    /// The move that a guide chose for the robber of the last look-up.
    pub(super) fn decision(&self, id: AgentId) -> Option<&Decision> {
        (self.decided_for == Some(id)).then_some(&self.decision)
    }

    /// Discards the last decision.
    pub(super) const fn forget_decision(&mut self) {
        self.decided_for = None;
    }

    /// Looks up the move of a robber after the cops have moved. Requests a guide if there is none.
    pub(super) fn look_up(
        &mut self,
        board: &mut Board,
        cache: &mut TableCache,
        (at, id): (usize, AgentId),
        purse: &mut Purse<'_>,
    ) {
        self.decided_for = None;
        let pursuit = &board.members.pursuits()[at];
        if board.clock(pursuit) != PursuitClock::Turns
            || !cache.settings().solve
            || pursuit.cops.len() > MOST_COPS
        {
            return;
        }
        self.company.assemble(board, pursuit);
        let situation = &mut self.situation;
        let is_known = situation.of_robber(board, pursuit, &self.company, id, true);
        if !is_known || situation.is_shut_in || !situation.is_seen || situation.cops.is_empty() {
            return;
        }
        let Some(state) = situation.state(Side::Robber) else {
            return;
        };
        let Some(rules) = Rules::of(&state, board.graph.moves()) else {
            return;
        };
        let Some(hierarchy) = board.maintenance.up_to_date(&board.graph) else {
            return;
        };
        let graph = &board.graph;
        let map = WholeMap { graph, hierarchy };
        purse.spend(cache.want_guide(map, rules, Wanted::Level(COARSEST), board.tick));
        let Some(guide) = cache.level_guide(rules, board.tick) else {
            return;
        };
        let budget = purse.left_in_one();
        if budget < LEAST_BUDGET {
            return;
        }
        self.robber.limit_work(budget);
        let ground = Ground {
            graph,
            hierarchy: Some(hierarchy),
            guide: Some(&guide),
            retract: None,
        };
        let is_guided = self.robber.follow(ground, &state, &mut self.decision);
        purse.spend(self.robber.work() + COST_OF_READING);
        if is_guided {
            self.decision.source = Source::Guide;
            self.decided_for = Some(id);
        }
    }
}
