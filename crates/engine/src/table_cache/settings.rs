//! Settings of the tables that are solved and kept while a game runs.

use crate::table::Estimate;
use serde::{Deserialize, Serialize};

/// Settings of the tables that are solved and kept while a game runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TableSettings {
    /// Whether tables are solved. Tables supplied by the game are used in any case.
    ///
    /// Default: true
    pub solve: bool,
    /// The limit in bytes of all requested and solved tables together. The table that has not been used for longest is
    /// dropped first, and tables in use last. Captures of more than 254 turns are rare and not counted;
    /// they can take up to the same amount again.
    ///
    /// Default: 256 MB
    pub memory: u64,
    /// The limit in bytes for solving one table; tables that need more are not solved. The default is
    /// enough for one cop on 12,000 tiles.
    ///
    /// Default: 320 MB
    pub max_bytes: u64,
    /// The limit in milliseconds on one core for solving one table, by its estimate; tables that need
    /// more are not solved.
    ///
    /// Default: 2,000
    pub max_milliseconds: u32,
    /// When solved tables come into use.
    pub timing: TableTiming,
    /// The number of threads with which the plugin solves tables, of low priority if the system supports
    /// it. 0 means one less than the number of cores, which leaves one for the main thread. Without the
    /// feature `parallel` there is one thread.
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

/// When solved tables come into use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum TableTiming {
    /// From a tick on that is fixed when the table is requested. No frame waits: if the table is late,
    /// the game continues without it, uses it as soon as it is delivered, and reports that the run is
    /// [not repeatable](super::TableCache::diverged_at) from that tick on.
    ///
    /// This is the default.
    Scheduled(TableSchedule),
    /// From the same tick on, but the game waits for a table that is
    /// [overdue](super::TableCache::overdue): for rollback and lockstep games, tests and simulations. A
    /// game takes the same course on every machine, however slow, but a frame may take seconds.
    Lockstep(TableSchedule),
    /// As soon as it is solved, which depends on the speed of the machine. Games are not repeatable.
    WhenReady,
}

impl Default for TableTiming {
    fn default() -> Self {
        Self::Scheduled(TableSchedule::default())
    }
}

/// The tick from which on a table is used, as a delay after its request. The default is generous,
/// because a late table makes the run unrepeatable.
///
/// Tables requested at the same time are assumed to be solved one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TableSchedule {
    /// A fixed number of ticks for every table.
    ///
    /// Default: 4
    pub ticks: u32,
    /// The assumed ratio of a table's time to its estimate.
    ///
    /// Default: 4
    pub times: u32,
    /// Ticks per second. `None` takes the value of the [`TickPace`].
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

/// The maximum rate of ticks in real time. It is an input like the edits of the map: a run is repeatable
/// if it gets the same paces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TickPace {
    /// Ticks per second.
    pub per_second: u32,
    /// The number of ticks that may follow each other without a pause, for instance after a slow frame.
    pub at_once: u32,
}

impl Default for TickPace {
    /// 250 ticks per second, one at a time: more than the refresh rate of most screens.
    fn default() -> Self {
        Self {
            per_second: 250,
            at_once: 1,
        }
    }
}

impl TableTiming {
    /// The number of ticks after which a table is used, at least one; `None` means as soon as it is
    /// solved.
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
