use serde::{Deserialize, Serialize};

/// How much work a tick may do beyond what it has to.
///
/// The unit is the *expansion*: the neighbours of one vertex generated, 10 to 100 ns. What is no search is
/// counted as so many expansions as it takes about as long as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Budget {
    /// So many expansions: repeatable on every machine.
    Expansions(u32),
    /// So many microseconds since the tick began: not repeatable, since it asks the clock.
    Micros(u32),
}

impl Default for Budget {
    /// 10,000 expansions, a millisecond at the most.
    fn default() -> Self {
        Self::Expansions(10_000)
    }
}

/// Tells a tick how much it may still do.
pub trait Meter {
    /// The expansions that may be spent before it is asked again, when `spent` have been since the
    /// tick began; 0 to stop.
    fn left(&mut self, spent: u64) -> u64;

    /// About how many expansions a whole tick may spend: what plans can be afforded goes by it.
    fn whole(&self) -> u64;

    /// The same as [`left`](Self::left) for repairs of the abstraction while somebody may want a plan:
    /// a quarter of the whole is kept for plans.
    fn left_for_repairs(&mut self, spent: u64) -> u64 {
        let kept = self.whole() / 4;
        self.left(spent.saturating_add(kept))
    }
}

/// A number of expansions: the repeatable [`Meter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expansions(pub u64);

impl Meter for Expansions {
    fn left(&mut self, spent: u64) -> u64 {
        self.0.saturating_sub(spent)
    }

    fn whole(&self) -> u64 {
        self.0
    }
}
