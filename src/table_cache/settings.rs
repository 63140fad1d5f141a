//! Settings of the cache.

use crate::table::Estimate;
use serde::{Deserialize, Serialize};

/// Which tables are solved while a game runs, and how many of them are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TableSettings {
    /// Whether tables are solved. Tables that the game gives are used either way.
    ///
    /// Default: true
    pub solve: bool,
    /// Bytes that solved tables may take together. The one that was not used for longest goes first,
    /// those in use last. Captures of more than 254 turns, which are rare, are not counted: they take up
    /// to as much again.
    ///
    /// Default: 256 MB
    pub memory: u64,
    /// Bytes that solving one table may take while it lasts; one that needs more is not solved. The default is
    /// enough for one cop on 12,000 tiles. The
    /// default is enough for one cop on 12,000 tiles.
    ///
    /// Default: 320 MB
    pub max_bytes: u64,
    /// Milliseconds on one core that solving one table may take by its estimate; one that needs more
    /// is not solved.
    ///
    /// Default: 2,000
    pub max_milliseconds: u32,
    /// From when on a solved table is used.
    pub timing: TableTiming,
    /// How many threads the plugin solves tables with, all of low priority where the system knows such a
    /// thing. 0 for one less than there are cores, so that the main thread has its own. Without the
    /// feature `parallel` there is one.
    ///
    /// Default: 0
    pub threads: u32,
}

impl Default for TableSettings {
    fn default() -> Self {
        Self {
            solve: true,
            memory: 256_000_000,
            max_bytes: 320_000_000,
            max_milliseconds: 2_000,
            timing: TableTiming::default(),
            threads: 0,
        }
    }
}

/// From when on a solved table is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum TableTiming {
    /// From a tick on that is settled when the table is asked for. No frame waits: if the table is late,
    /// the game goes on without it, uses it as soon as it is there, and says that the run is
    /// [not repeatable](super::TableCache::diverged_at) from that tick on.
    ///
    /// This is the default.
    Scheduled(TableSchedule),
    /// From the same tick on, and the game waits for a table that is
    /// [overdue](super::TableCache::overdue): for rollback and lockstep games, tests and simulations. The
    /// same game goes the same way on every machine, however slow, and a frame may take seconds.
    Lockstep(TableSchedule),
    /// From when it is there on: sooner or later, as fast as the machine is. A game does not repeat
    /// itself.
    WhenReady,
}

impl Default for TableTiming {
    fn default() -> Self {
        Self::Scheduled(TableSchedule::default())
    }
}

/// How the tick is settled from which on a table is used. The sum of all that is said here is generous by
/// default: a table that is late costs the repeatability of the run.
///
/// Tables asked for at once are taken to be solved one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TableSchedule {
    /// Ticks that every table takes.
    ///
    /// Default: 4
    pub ticks: u32,
    /// The assumed ratio of a table's time to its estimate.
    ///
    /// Default: 4
    pub times: u32,
    /// The ticks of a second. `None` for what the [`TickPace`] says.
    ///
    /// Default: `None`
    pub ticks_per_second: Option<u32>,
}

impl Default for TableSchedule {
    fn default() -> Self {
        Self {
            ticks: 4,
            times: 4,
            ticks_per_second: None,
        }
    }
}

/// How fast ticks follow each other in real time, at most. It is an input like the edits of the map: a run
/// repeats itself if it gets the same paces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TickPace {
    /// The ticks of a second.
    pub per_second: u32,
    /// Ticks that may follow each other without a pause, as after a frame that has taken long.
    pub at_once: u32,
}

impl Default for TickPace {
    /// 250 ticks a second, one at a time: more than most screens show.
    fn default() -> Self {
        Self {
            per_second: 250,
            at_once: 1,
        }
    }
}

impl TableTiming {
    /// After how many ticks a table is used, at least one; `None` for whenever it is there.
    pub(super) fn delay(self, estimate: &Estimate, pace: TickPace) -> Option<u64> {
        match self {
            Self::Scheduled(schedule) | Self::Lockstep(schedule) => {
                Some(schedule.delay(estimate.seconds, pace))
            }
            Self::WhenReady => None,
        }
    }
}

impl TableSchedule {
    fn delay(self, seconds: f64, pace: TickPace) -> u64 {
        let (rate, burst) = match self.ticks_per_second {
            Some(rate) => (rate, 0),
            None => (pace.per_second, pace.at_once),
        };
        let solving = (seconds * f64::from(self.times) * f64::from(rate)).ceil() as u64;
        let rest = u64::from(self.ticks) + u64::from(burst);
        solving.saturating_add(rest).max(1)
    }
}
