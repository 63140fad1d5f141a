//! What happens to tables, and the reasons why there is none.

use super::TableKey;
use crate::table::{Estimate, MAX_VERTICES, SolveError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason why there is no table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum NoTable {
    /// The settings forbid solving.
    #[error("the settings say that none are solved")]
    Off,
    /// The rules have other moves than the map.
    #[error("the rules are of other steps than the map's")]
    OtherMoves,
    /// The map has more vertices than a table can have.
    #[error("the map has {vertices} vertices, a table at most {MAX_VERTICES}")]
    TooManyVertices {
        /// The number of vertices.
        vertices: usize,
    },
    /// Solving would take too many bytes.
    #[error("it would take {needed} bytes, the settings allow {allowed}")]
    TooLarge {
        /// The estimate in bytes; [`u64::MAX`] on overflow.
        needed: u64,
        /// The limit of the settings.
        allowed: u64,
    },
    /// Solving would take too long.
    #[error("it would take {needed} ms, the settings allow {allowed}")]
    TooSlow {
        /// The estimate, in milliseconds.
        needed: u64,
        /// The limit of the settings.
        allowed: u32,
    },
    /// The table does not fit into memory together with the tables in use.
    #[error("it and those in use would take {needed} bytes, the settings allow {allowed}")]
    NoRoom {
        /// The bytes of the table and of the tables in use.
        needed: u64,
        /// The limit of the settings.
        allowed: u64,
    },
    /// Too many other tables of this map are being solved.
    #[error("too many others are being solved")]
    Busy,
    /// The table is being solved.
    #[error("it is being solved{}", from_tick(*.until))]
    Solving {
        /// The tick from which on it will be used, if known.
        until: Option<u64>,
    },
    /// Solving has failed. The table is not requested again until the settings change.
    #[error("it could not be solved: {0}")]
    Failed(SolveFailure),
    /// The table supplied by the game numbers the cells in another order.
    #[error("it is of another map")]
    Foreign,
    /// The table has not been requested.
    #[error("nobody has asked for it")]
    NotAsked,
}

/// The words that name the tick of a promised table.
fn from_tick(until: Option<u64>) -> String {
    until.map_or_else(String::new, |tick| format!(", for use from tick {tick} on"))
}

/// The reason why a table could not be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub enum SolveFailure {
    /// Solving would take more bytes than the request allows.
    #[error("it takes {needed} bytes, {allowed} are allowed")]
    TooLarge {
        /// The bytes needed; [`u64::MAX`] on overflow.
        needed: u64,
        /// The limit of the request.
        allowed: u64,
    },
    /// The map has too many vertices, or moves without tables.
    #[error("no table can be of this map")]
    Impossible,
    /// The solver has panicked.
    #[error("the solver has panicked")]
    Panicked,
    /// The solver has given up.
    #[error("whoever was to solve it has given up")]
    GivenUp,
    /// The delivered table is not the requested one.
    #[error("another table was delivered")]
    Mistaken,
}

impl From<SolveError> for SolveFailure {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::TooLarge { needed, limit, .. } => Self::TooLarge {
                needed,
                allowed: limit,
            },
            SolveError::TooManyVertices { .. }
            | SolveError::IllegalMove { .. }
            | SolveError::Rule { .. } => Self::Impossible,
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
