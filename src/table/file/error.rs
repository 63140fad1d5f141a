//! Why a file is not a valid table.

use crate::graph::Fingerprint;
use thiserror::Error;

/// Why bytes are not taken for a table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// It does not begin like one.
    #[error("offset 0: expected a table (89 50 54 41 42 0d 0a 1a), found {found}")]
    NoTable {
        /// The first bytes.
        found: String,
    },
    /// It is of a version that this release does not read.
    #[error(
        "offset 8: expected a table of version {expected}, found version {found}; made by {} release?",
        if found < expected { "an older" } else { "a newer" }
    )]
    Version {
        /// The version.
        found: u16,
        /// The version of tables with that number of cops.
        expected: u16,
    },
    /// It ends too early, or goes on where it should end.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// How long it says it is, or how long a header is.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// A checksum is wrong.
    #[error(
        "offset {offset}: the checksum of {section} is {expected:08x}, found {found:08x}: damaged"
    )]
    Checksum {
        /// Which part.
        section: &'static str,
        /// Where the part starts.
        offset: u64,
        /// What the file says.
        expected: u32,
        /// What the bytes have.
        found: u32,
    },
    /// The bytes contradict each other.
    #[error("offset {offset}: expected {expected}, found {found}")]
    Malformed {
        /// Where.
        offset: u64,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// It is of another map or graph.
    #[error("the table is of another map: expected fingerprint {expected}, found {found}")]
    Foreign {
        /// The map's fingerprint.
        expected: Fingerprint,
        /// The table's.
        found: Fingerprint,
    },
}
