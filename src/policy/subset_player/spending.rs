//! The work of a decision, and its limit.

use crate::policy::TablePlayer;

/// The work of a decision in expansions, and how much it may be.
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
        self.expand(values.saturating_mul(TablePlayer::PROBE_COST));
    }
}
