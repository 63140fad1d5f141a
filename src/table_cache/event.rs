//! Events of tables.

use super::TableKey;
use crate::table::{Estimate, SolveError};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The reason why there is no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum NoTable {
    /// The settings forbid solving.
    Off,
    /// The rules have other moves than the map.
    OtherMoves,
    /// The map has more vertices than a table can have.
    TooManyVertices {
        /// The number of vertices.
        vertices: usize,
    },
    /// Solving would take too many bytes.
    TooLarge {
        /// The estimate in bytes; [`u64::MAX`] on overflow.
        needed: u64,
        /// The limit of the settings.
        allowed: u64,
    },
    /// Solving would take too long.
    TooSlow {
        /// The estimate, in milliseconds.
        needed: u64,
        /// The limit of the settings.
        allowed: u32,
    },
    /// The table does not fit into memory together with the tables in use.
    NoRoom {
        /// The bytes of the table and of the tables in use.
        needed: u64,
        /// The limit of the settings.
        allowed: u64,
    },
    /// Too many other tables of this map are being solved.
    Busy,
    /// The table is being solved.
    Solving {
        /// The tick from which on it will be used, if known.
        until: Option<u64>,
    },
    /// Solving has failed. The table is not requested again until the settings change.
    Failed(SolveFailure),
    /// The table supplied by the game numbers the cells in another order.
    Foreign,
    /// The table has not been requested.
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

/// The reason why a table could not be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum SolveFailure {
    /// Solving would take more bytes than the request allows.
    TooLarge {
        /// The bytes needed; [`u64::MAX`] on overflow.
        needed: u64,
        /// The limit of the request.
        allowed: u64,
    },
    /// The map has too many vertices, or moves without tables.
    Impossible,
    /// The solver has panicked.
    Panicked,
    /// The solver has given up.
    GivenUp,
    /// The delivered table is not the requested one.
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

/// An event of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum TableEvent {
    /// A table has been requested.
    Solving {
        /// The key of the table.
        key: TableKey,
        /// The estimated time and memory.
        estimate: Estimate,
    },
    /// A table is used from now on.
    Ready {
        /// The key of the table.
        key: TableKey,
    },
    /// A table is due but not yet solved: from this tick on the run is not repeatable.
    /// [`Ready`](Self::Ready) follows when the table is delivered.
    Late {
        /// The key of the table.
        key: TableKey,
    },
    /// A table or a request was dropped to make room for others.
    Dropped {
        /// The key of the table.
        key: TableKey,
    },
    /// A table is not solved or not used.
    Refused {
        /// The key of the table.
        key: TableKey,
        /// The reason.
        why: NoTable,
    },
}
