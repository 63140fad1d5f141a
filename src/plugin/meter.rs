use crate::world::{Budget, Meter};
use bevy::platform::time::Instant;
use std::time::Duration;

/// How many expansions a microsecond is worth, about: only for what plans can be afforded.
const EXPANSIONS_A_MICROSECOND: u64 = 12;
/// How often the clock is asked, in expansions.
const SLICE: u64 = 128;
/// What is kept back of a budget of time: a search that has begun takes some pieces as a whole, and
/// what a tick does after the searching takes its time as well.
const KEPT_BACK: u32 = 300;

/// The budget of a tick, for all maps together.
#[derive(Debug)]
pub(super) struct TickMeter {
    budget: Budget,
    /// When the plugin's share of the tick began, as if it had been in one piece.
    began: Instant,
    /// Expansions that the maps before have spent, and that this one may.
    spent: u64,
    share: u64,
    /// Until when this map may search.
    until: Duration,
}

impl TickMeter {
    /// A meter of which a tick has used up so much time before.
    pub(super) fn new(budget: Budget, used: Duration) -> Self {
        let now = Instant::now();
        Self {
            budget,
            began: now.checked_sub(used).unwrap_or(now),
            spent: 0,
            share: 0,
            until: Duration::ZERO,
        }
    }

    /// The next of so many maps that are left.
    pub(super) fn begin_map(&mut self, maps: u32) {
        let maps = maps.max(1);
        match self.budget {
            Budget::Expansions(all) => {
                self.share = u64::from(all).saturating_sub(self.spent) / u64::from(maps);
            }
            Budget::Micros(all) => {
                let all = Duration::from_micros((all - KEPT_BACK.min(all / 3)).into());
                let now = self.began.elapsed();
                self.until = now + all.saturating_sub(now) / maps;
            }
        }
    }

    pub(super) fn end_map(&mut self, spent: u64) {
        self.spent += spent;
    }
}

impl Meter for TickMeter {
    fn left(&mut self, spent: u64) -> u64 {
        match self.budget {
            Budget::Expansions(_) => self.share.saturating_sub(spent),
            Budget::Micros(_) if self.began.elapsed() < self.until => SLICE,
            Budget::Micros(_) => 0,
        }
    }

    fn whole(&self) -> u64 {
        match self.budget {
            Budget::Expansions(_) => self.share,
            Budget::Micros(all) => u64::from(all) * EXPANSIONS_A_MICROSECOND,
        }
    }
}
