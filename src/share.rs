//! The part of a tick's budget that a loading map may spend.

use crate::stopwatch::Stopwatch;
use std::time::Duration;

/// How often the clock is read, in expansions.
const SLICE: u64 = 64;

/// The part of a tick's budget that a loading map may spend.
#[derive(Debug, Clone, Default)]
pub(super) struct Share {
    /// Remaining expansions: of the share, or of the guaranteed least if the budget is a time.
    pub(super) left: u64,
    /// Remaining time, if the budget is a time.
    pub(super) time: Duration,
    pub(super) spent: u64,
    /// What the last piece of work took beyond the share.
    pub(super) over: u64,
    /// Whether the map has it from this tick.
    pub(super) is_taken: bool,
    pub(super) stopwatch: Stopwatch,
}

impl Share {
    pub(super) const fn is_left(&self) -> bool {
        self.left > 0 || !self.time.is_zero()
    }

    /// Does a piece of work, which gets the number of expansions it may spend and returns the number it
    /// has spent.
    pub(super) fn spend(&mut self, work: impl FnOnce(u64) -> u64) {
        let began = self.stopwatch.now();
        let granted = if self.time.is_zero() {
            self.left
        } else {
            SLICE
        };
        let spent = work(granted);
        self.spent += spent;
        self.over += spent.saturating_sub(self.left);
        self.left = self.left.saturating_sub(spent);
        let taken = self.stopwatch.now().saturating_sub(began);
        self.time = self.time.saturating_sub(taken);
    }

    /// Expansions spent since the last call.
    pub(super) fn take_spent(&mut self) -> u64 {
        std::mem::take(&mut self.spent)
    }
}
