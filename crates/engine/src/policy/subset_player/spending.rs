//! Counts the work of a decision in expansions, and compares it with the limit.

use crate::game::Rules;
use crate::graph::Graph;
use crate::policy::TablePlayer;

/// The cost of finding a move of a subset on its own, in expansions: about 64 values.
pub(super) const EXPANSIONS_OF_ONE_MOVE: u64 = 64 * TablePlayer::EXPANSIONS_OF_A_PROBE;

/// The cost of a value of a guide, in expansions.
pub(super) const EXPANSIONS_OF_A_GUIDED_VALUE: u64 = 2;

/// The cost of a joint move by a guide, in expansions: most joint moves are refuted by the first reply or the second.
pub(super) const EXPANSIONS_OF_A_GUIDED_MOVE: u64 = 2 * EXPANSIONS_OF_A_GUIDED_VALUE;

/// The work of a decision in expansions, and its limit.
#[derive(Debug, Clone)]
pub(super) struct Spending {
    spent: u64,
    limit: u64,
}

impl Default for Spending {
    fn default() -> Self {
        Self::within(u64::MAX)
    }
}

impl Spending {
    pub(super) const fn within(limit: u64) -> Self {
        Self { spent: 0, limit }
    }

    /// Begins a decision.
    pub(super) const fn begin(&mut self) {
        self.spent = 0;
    }

    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    pub(super) const fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    pub(super) const fn expand(&mut self, expansions: u64) {
        self.spent = self.spent.saturating_add(expansions);
    }

    pub(super) const fn look_up(&mut self, values: u64) {
        self.expand(values.saturating_mul(TablePlayer::EXPANSIONS_OF_A_PROBE));
    }
}

/// About what it costs to list all optimal moves of a subset: two values for each joint move.
pub(super) fn cost_of_all_moves(graph: &Graph, rules: Rules) -> u64 {
    let reach = 2 * u64::from(rules.cop_speed.steps()) + 1;
    let ends = (reach * reach).min(graph.vertices() as u64);
    let moves = ends.saturating_pow(rules.cops.get().into());
    moves.saturating_mul(2 * TablePlayer::EXPANSIONS_OF_A_PROBE)
}
