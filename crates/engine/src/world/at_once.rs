//! Decisions that take as much work as they need, for players that are measured: the same sources as in a game, without
//! its hurry.

use super::budget::Expansions;
use super::purse::Purse;
use super::pursuit_world::PursuitWorld;
use super::veto::Gate;
use crate::endgame::Endgames;
use crate::policy::{Merge, Slack};
use crate::table_cache::Supplied;

impl PursuitWorld {
    /// Lets the agents that may move now choose anew, however much work that takes, and works on no coming turn.
    /// `proves`: solves the local endgames of the position first.
    #[doc(hidden)]
    pub fn decide_at_once(&mut self, proves: bool) {
        self.facts.tidy_members();
        self.facts.members.forget_steps();
        self.facts.drop_doubtful_plans();
        self.orders.may_be_replaced = self.facts.members.has_solid();
        self.room.begin_tick();
        let meter = &mut Expansions(u64::MAX);
        let purse = &mut Purse::new(meter, self.facts.events.report.spent);
        for (_, agent) in self.facts.members.iter_mut() {
            agent.plan.drop();
        }
        for at in self.facts.members.indices() {
            if self.facts.is_due(&self.facts.members[at]) {
                if proves {
                    let team = self.positions.of_next_move(&self.facts, at);
                    self.ladder.rungs.endgame.prove_at_once(&self.facts, team);
                }
                self.play_pursuit(at, &mut Gate::open(), purse);
            }
        }
        self.plans(purse).end_tick();
        self.facts.events.report.spent = purse.spent();
    }

    /// Uses solved games that a player brings along.
    #[doc(hidden)]
    pub fn supply(&mut self, supplied: Supplied) {
        self.cache.supply(supplied);
    }

    /// Sets by how much cops may exceed a bound that they announce.
    #[doc(hidden)]
    pub const fn set_slack(&mut self, slack: Slack) {
        self.facts.slack = slack;
    }

    /// Sets how cops that play by a table of fewer cops choose among its moves.
    #[doc(hidden)]
    pub fn merge_subsets(&mut self, merge: Merge) {
        self.ladder.rungs.subset_table.merge_as(merge);
    }

    /// The local endgames, to prove captures beforehand and to collect shapes.
    #[doc(hidden)]
    pub const fn endgames_mut(&mut self) -> &mut Endgames {
        self.ladder.rungs.endgame.known_mut()
    }
}
