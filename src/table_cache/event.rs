//! What happens to tables.

use super::TableKey;
use crate::table::{Estimate, SolveError};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why there is no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum NoTable {
    /// The settings say that none are solved.
    Off,
    /// The rules are of other steps than the map's.
    OtherMoves,
    /// The map has more vertices than a table can have.
    TooManyVertices {
        /// How many it has.
        vertices: usize,
    },
    /// Solving it would take too many bytes.
    TooLarge {
        /// The estimate; [`u64::MAX`] for more than can be counted.
        needed: u64,
        /// What the settings allow.
        allowed: u64,
    },
    /// Solving it would take too long.
    TooSlow {
        /// The estimate, in milliseconds.
        needed: u64,
        /// What the settings allow.
        allowed: u32,
    },
    /// It would not fit beside those that are in use.
    NoRoom {
        /// Bytes of it and of those in use.
        needed: u64,
        /// What the settings allow.
        allowed: u64,
    },
    /// Too many other tables of this map are being solved.
    Busy,
    /// It is being solved.
    Solving {
        /// The tick from which on it is used, if that is known.
        until: Option<u64>,
    },
    /// It was to be solved, and that has failed. It is not asked for again until the settings change.
    Failed(SolveFailure),
    /// What the game has given numbers the cells in an order of its own.
    Foreign,
    /// It has not been requested.
    NotAsked,
}

impl fmt::Display for NoTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Off => f.write_str("the settings say that none are solved"),
            Self::OtherMoves => f.write_str("the rules are of other steps than the map's"),
            Self::TooManyVertices { vertices } => write!(
                f,
                "the map has {vertices} vertices, a table at most {}",
                crate::table::MAX_VERTICES
            ),
            Self::TooLarge { needed, allowed } => {
                write!(
                    f,
                    "it would take {needed} bytes, the settings allow {allowed}"
                )
            }
            Self::TooSlow { needed, allowed } => {
                write!(f, "it would take {needed} ms, the settings allow {allowed}")
            }
            Self::NoRoom { needed, allowed } => write!(
                f,
                "it and those in use would take {needed} bytes, the settings allow {allowed}"
            ),
            Self::Busy => f.write_str("too many others are being solved"),
            Self::Solving { until: None } => f.write_str("it is being solved"),
            Self::Solving { until: Some(tick) } => {
                write!(f, "it is being solved, for use from tick {tick} on")
            }
            Self::Failed(why) => write!(f, "it could not be solved: {why}"),
            Self::Foreign => f.write_str("it is of another map"),
            Self::NotAsked => f.write_str("nobody has asked for it"),
        }
    }
}

/// Why a table could not be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum SolveFailure {
    /// It would have taken more bytes than the request allows.
    TooLarge {
        /// What it would have taken; [`u64::MAX`] for more than can be counted.
        needed: u64,
        /// What the request allows.
        allowed: u64,
    },
    /// The map has too many vertices, or moves that no table is for.
    Impossible,
    /// Whoever has solved it has panicked.
    Panicked,
    /// Whoever was to solve it has given up.
    GivenUp,
    /// What was delivered is not what was asked for.
    Mistaken,
}

impl fmt::Display for SolveFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooLarge { needed, allowed } => {
                write!(f, "it takes {needed} bytes, {allowed} are allowed")
            }
            Self::Impossible => f.write_str("no table can be of this map"),
            Self::Panicked => f.write_str("the solver has panicked"),
            Self::GivenUp => f.write_str("whoever was to solve it has given up"),
            Self::Mistaken => f.write_str("another table was delivered"),
        }
    }
}

impl From<SolveError> for SolveFailure {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::TooLarge { needed, limit, .. } => Self::TooLarge {
                needed,
                allowed: limit,
            },
            SolveError::TooManyVertices { .. } | SolveError::IllegalMove { .. } => Self::Impossible,
        }
    }
}

/// What has happened to tables.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum TableEvent {
    /// A table is to be solved.
    Solving {
        /// Which.
        key: TableKey,
        /// What that will take.
        estimate: Estimate,
    },
    /// A table is used from now on.
    Ready {
        /// Which.
        key: TableKey,
    },
    /// A table was to be used from now on and is not there yet: from this tick on the run is not
    /// repeatable. [`Ready`](Self::Ready) follows when it has come.
    Late {
        /// Which.
        key: TableKey,
    },
    /// A table, or the request for it, has made room for others.
    Dropped {
        /// Which.
        key: TableKey,
    },
    /// A table is not solved, or not used.
    Refused {
        /// Which.
        key: TableKey,
        /// Why.
        why: NoTable,
    },
}
