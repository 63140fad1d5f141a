//! Why a game cannot be solved.

use thiserror::Error;

/// Why a game cannot be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The graph has more vertices than a table supports.
    #[error("{vertices} vertices: expected at most {}", super::MAX_VERTICES)]
    TooManyVertices {
        /// The number of vertices.
        vertices: usize,
    },
    /// The work needs more memory than the caller allows.
    #[error(
        "a table of {vertices} vertices and {cops} cops needs {} of memory, {} allowed",
        Needed(*.needed), Gigabytes(*.limit)
    )]
    TooLarge {
        /// The number of vertices.
        vertices: usize,
        /// The number of cops.
        cops: u8,
        /// The estimated memory in bytes, or [`u64::MAX`] if the figure does not fit into a `u64`.
        needed: u64,
        /// The allowed memory in bytes.
        limit: u64,
    },
    /// The arena has a rule that the work does not know.
    #[error("{work} do not know {rule}, which the arena has")]
    Rule {
        /// The work.
        work: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// A policy made a move that the rules do not allow.
    #[error("the policy's move from vertex {from} to vertex {to} is not legal")]
    IllegalMove {
        /// The number of the vertex that the agent moved from.
        from: usize,
        /// The number of the vertex that the agent moved to but cannot reach in one turn.
        to: usize,
    },
}

struct Needed(u64);

impl std::fmt::Display for Needed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            u64::MAX => f.write_str("more than any machine has"),
            bytes => write!(f, "about {}", Gigabytes(bytes)),
        }
    }
}

/// Formats a number of bytes for people.
struct Gigabytes(u64);

impl std::fmt::Display for Gigabytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == u64::MAX {
            f.write_str("all of it")
        } else if self.0 >= 10_000_000 {
            write!(f, "{:.2} GB", self.0 as f64 * 1e-9)
        } else {
            write!(f, "{:.2} MB", self.0 as f64 * 1e-6)
        }
    }
}
