//! Why a file is not a valid table.

use crate::graph::Fingerprint;
use thiserror::Error;

/// Why bytes are rejected as a table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The bytes do not begin with the signature of a table.
    #[error("offset 0: expected a table (89 50 54 41 42 0d 0a 1a), found {found}")]
    NoTable {
        /// The first bytes.
        found: String,
    },
    /// The file has a version that this release does not read.
    #[error(
        "offset 8: expected a table of version {expected}, found version {found}; made by {} release?",
        if found < expected { "an older" } else { "a newer" }
    )]
    Version {
        /// The version of the file.
        found: u16,
        /// The version of tables with this number of cops.
        expected: u16,
    },
    /// The file is truncated or too long.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The length that the file states, or the length of what was to be read.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// A checksum is wrong.
    #[error(
        "offset {offset}: the checksum of {section} is {expected:08x}, found {found:08x}: damaged"
    )]
    Checksum {
        /// The section with the wrong checksum.
        section: &'static str,
        /// The offset at which the section starts.
        offset: u64,
        /// The checksum that the file states.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The bytes contradict each other.
    #[error("offset {offset}: expected {expected}, found {found}")]
    Malformed {
        /// The offset of the contradiction.
        offset: u64,
        /// What was expected there.
        expected: String,
        /// What was found there.
        found: String,
    },
    /// The table belongs to another map or graph.
    #[error("the table is of another map: expected fingerprint {expected}, found {found}")]
    Foreign {
        /// The fingerprint of the map.
        expected: Fingerprint,
        /// The fingerprint of the table.
        found: Fingerprint,
    },
}

impl TableError {
    /// The error for a table of a graph where one of a map is needed.
    pub(crate) fn of_no_map() -> Self {
        Self::Malformed {
            offset: 10,
            expected: "a table of a map".to_owned(),
            found: "one of a graph that is no map".to_owned(),
        }
    }
}
