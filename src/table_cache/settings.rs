use crate::table::Estimate;
use serde::{Deserialize, Serialize};

/// Which tables are solved while a game runs, and how many of them are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct TableSettings {
    /// Are tables solved at all? Tables that the game gives are used either way.
    ///
    /// Default: true
    pub solve: bool,
    /// Bytes that solved tables may take together. The one that was not used for longest goes first,
    /// those in use last. Captures of more than 254 turns, which are rare, are not counted: they take up
    /// to as much again.
    ///
    /// Default: 256 MB
    pub memory: u64,
    /// Bytes that solving one table may take while it lasts; one that needs more is not solved.
    ///
    /// Default: 256 MB
    pub max_bytes: u64,
    /// Milliseconds on one core that solving one table may take by its estimate; one that needs more
    /// is not solved.
    ///
    /// Default: 2,000
    pub max_milliseconds: u32,
    /// From when on a solved table is used.
    pub timing: TableTiming,
}

impl Default for TableSettings {
    fn default() -> Self {
        Self {
            solve: true,
            memory: 256_000_000,
            max_bytes: 256_000_000,
            max_milliseconds: 2_000,
            timing: TableTiming::default(),
        }
    }
}

/// From when on a solved table is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum TableTiming {
    /// From a tick on that depends on estimates alone; the game waits for a table that is late. The
    /// same game goes the same way on every machine.
    ///
    /// Default: 4 ticks and 128 a second, that is twice the time of the estimate at 64 ticks per
    /// second. Tables asked for at once are taken to be solved one after the other.
    Repeatable {
        /// Ticks that every table takes.
        ticks: u32,
        /// Ticks that a table takes besides, for each second of its estimate.
        ticks_per_second: u32,
    },
    /// From when it is there on: sooner or later, as fast as the machine is. A game does not repeat
    /// itself.
    WhenReady,
}

impl Default for TableTiming {
    fn default() -> Self {
        Self::Repeatable {
            ticks: 4,
            ticks_per_second: 128,
        }
    }
}

impl TableTiming {
    /// After how many ticks a table is used, at least one; `None` for whenever it is there.
    pub(super) fn delay(self, estimate: &Estimate) -> Option<u64> {
        match self {
            Self::Repeatable {
                ticks,
                ticks_per_second,
            } => {
                let solving = (estimate.seconds * f64::from(ticks_per_second)).ceil() as u64;
                Some(solving.saturating_add(ticks.into()).max(1))
            }
            Self::WhenReady => None,
        }
    }
}
