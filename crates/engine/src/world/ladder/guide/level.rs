//! Robbers that play by the exact table of an abstract level, where the map itself has no table.

use crate::game::{Rules, Side};
use crate::policy::GuidedRobber;
use crate::policy::{Decision, Ground, Source};
use crate::table_cache::Wanted;
use crate::world::agent_id::AgentId;
use crate::world::ladder::finding::SideMoves;
use crate::world::ladder::means::Means;
use crate::world::view::{FEW_COPS, View};

/// The coarsest level that is used as a guide: one vertex represents about 4^4 cells. Coarser levels were not
/// measured.
const COARSEST: usize = 4;

/// The least remaining budget, in expansions, for a decision by a guide. Near the cops, the decision runs a race, which
/// it abandons when the budget is spent.
const LEAST_BUDGET: u64 = 1000;

/// No guide is used against more cops: its level would have only a few vertices.
const MOST_COPS: usize = FEW_COPS;

/// The fixed cost of a decision by a guide, in expansions.
const EXPANSIONS_OF_READING: u64 = 100;

/// Plays robbers by guides. Holds only reused memory.
#[derive(Debug)]
pub(super) struct LevelGuide {
    robber: GuidedRobber,
    decision: Decision,
}

impl Default for LevelGuide {
    fn default() -> Self {
        Self {
            robber: GuidedRobber::default(),
            decision: Decision::wait(Source::Guide),
        }
    }
}

impl LevelGuide {
    /// The move of a robber after the cops have moved. Requests a guide if there is none.
    pub(super) fn moves(
        &mut self,
        view: &View<'_>,
        id: AgentId,
        means: &mut Means<'_, '_>,
    ) -> Option<SideMoves> {
        let View { facts, pursuit, .. } = *view;
        if !means.cache.settings().solve || pursuit.cops.len() > MOST_COPS {
            return None;
        }
        let state = view.reply.filter(|reply| !reply.cops.is_empty())?;
        let state = state.state(Side::Robber)?;
        let rules = Rules::of(&state, facts.graph.moves())?;
        let hierarchy = facts.searched_hierarchy()?;
        means.request_guide(view.facts, rules, Wanted::Level(COARSEST));
        let guide = means.cache.level_guide(rules, facts.tick)?;
        let budget = means.purse.left_in_one();
        if budget < LEAST_BUDGET {
            return None;
        }
        self.robber.limit_work(budget);
        let ground = Ground {
            graph: &facts.graph,
            hierarchy: Some(hierarchy),
            guide: Some(&guide),
            retract: None,
        };
        let is_guided = self.robber.follow(ground, &state, &mut self.decision);
        means
            .purse
            .spend(self.robber.expansions() + EXPANSIONS_OF_READING);
        let Decision { value, .. } = self.decision;
        is_guided.then(|| SideMoves::of_one(id, self.decision.next_move(), value))
    }
}
