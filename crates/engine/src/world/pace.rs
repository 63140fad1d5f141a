//! How fast agents walk on the free-running clock: steps in ticks, and ticks of steps.

/// How fast an agent walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    /// The number of steps in the time of `ticks`; both are at least 1.
    pub(super) steps: u64,
    pub(super) ticks: u64,
}

impl Pace {
    /// The number of whole steps in a time.
    pub(super) const fn steps_in(self, ticks: u64) -> u64 {
        ticks.saturating_mul(self.steps) / self.ticks
    }

    /// The number of steps that may have been begun in a time.
    pub(super) const fn begun_in(self, ticks: u64) -> u64 {
        ticks.saturating_mul(self.steps).div_ceil(self.ticks)
    }

    /// The time of some steps.
    pub(super) const fn ticks_of(self, steps: u64) -> u64 {
        steps.saturating_mul(self.ticks) / self.steps
    }

    /// The tick from which on to count the steps of an agent that was seen at `tick`: it may have been about to arrive on
    /// its next cell.
    pub(super) const fn start(self, tick: u64) -> u64 {
        (tick + 1).saturating_sub(self.ticks.div_ceil(self.steps))
    }

    /// The faster one of two.
    pub(super) const fn faster(self, other: Self) -> Self {
        if self.steps * other.ticks >= other.steps * self.ticks {
            self
        } else {
            other
        }
    }
}
