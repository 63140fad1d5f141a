use super::{PursuitDiagnostics, PursuitSettings};
use crate::world::{Budget, Meter};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// How many expansions a microsecond is worth, about: only for what plans can be afforded.
const EXPANSIONS_A_MICROSECOND: u64 = 12;
/// How often the clock is asked, in expansions.
const SLICE: u64 = 128;
/// What is kept back of a budget of time before it is known what it takes to end a tick.
const KEPT_BACK: Duration = Duration::from_micros(300);
/// Before so many ticks it is not known.
const FEW: u32 = 256;
/// After so many ticks all that is known counts half.
const MANY: u32 = 8192;
/// One tick in so many may take longer than its budget.
const RARE: u32 = 1024;

/// What is kept back of a budget of time: some pieces of work are taken as a whole, and when the
/// searching is over those who are due move, which takes its time as well. It is what has been enough
/// for all but one tick in a thousand of late.
#[derive(Resource, Debug)]
pub(super) struct Reserve {
    /// How many ticks have gone on for so many times 16 µs after the searching was to end.
    ticks: [u32; 64],
    all: u32,
}

impl Default for Reserve {
    fn default() -> Self {
        Self {
            ticks: [0; 64],
            all: 0,
        }
    }
}

impl Reserve {
    const STEP: Duration = Duration::from_micros(16);

    /// Of a budget at most the half.
    fn kept_back(&self, budget: Duration) -> Duration {
        let mut longer = 0;
        let enough = (0..self.ticks.len() as u32).rev().find(|&steps| {
            longer += self.ticks[steps as usize];
            longer > self.all / RARE
        });
        let least = if self.all < FEW {
            KEPT_BACK
        } else {
            Duration::ZERO
        };
        let enough = Self::STEP * enough.map_or(0, |steps| steps + 1);
        enough.max(least).min(budget / 2)
    }

    /// A tick has taken so long.
    fn note(&mut self, budget: Duration, taken: Duration) {
        let over = taken.saturating_sub(budget.saturating_sub(self.kept_back(budget)));
        let steps = over.as_micros() / Self::STEP.as_micros();
        let steps = usize::try_from(steps).unwrap_or(usize::MAX);
        self.ticks[steps.min(self.ticks.len() - 1)] += 1;
        self.all += 1;
        if self.all == MANY {
            self.ticks.iter_mut().for_each(|ticks| *ticks /= 2);
            self.all = self.ticks.iter().sum();
        }
    }
}

/// After a tick: learns from how long it has taken.
pub(super) fn learn(
    mut reserve: ResMut<Reserve>,
    settings: Res<PursuitSettings>,
    diagnostics: Res<PursuitDiagnostics>,
) {
    if let Budget::Micros(all) = settings.budget.into() {
        reserve.note(Duration::from_micros(all.into()), diagnostics.tick_time);
    }
}

/// The budget of a tick, for all maps together.
#[derive(Debug)]
pub(super) struct TickMeter {
    budget: Budget,
    /// When the plugin's share of the tick began, as if it had been in one piece.
    began: Instant,
    kept_back: Duration,
    /// Expansions that the maps before have spent, and that this one may.
    spent: u64,
    share: u64,
    /// Until when this map may search.
    until: Duration,
    /// Until when its abstraction may be repaired while somebody wants a plan.
    repairs_until: Duration,
}

impl TickMeter {
    /// A meter of which a tick has used up so much time before.
    pub(super) fn new(budget: Budget, used: Duration, reserve: &Reserve) -> Self {
        let now = Instant::now();
        let kept_back = match budget {
            Budget::Micros(all) => reserve.kept_back(Duration::from_micros(all.into())),
            Budget::Expansions(_) => Duration::ZERO,
        };
        Self {
            budget,
            began: now.checked_sub(used).unwrap_or(now),
            kept_back,
            spent: 0,
            share: 0,
            until: Duration::ZERO,
            repairs_until: Duration::ZERO,
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
                let all = Duration::from_micros(all.into()).saturating_sub(self.kept_back);
                let now = self.began.elapsed();
                let share = all.saturating_sub(now) / maps;
                self.until = now + share;
                self.repairs_until = now + share / 4 * 3;
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

    fn left_for_repairs(&mut self, spent: u64) -> u64 {
        match self.budget {
            Budget::Expansions(_) => self.left(spent.saturating_add(self.share / 4)),
            Budget::Micros(_) if self.began.elapsed() < self.repairs_until => SLICE,
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
