//! Why a game cannot be solved.

use thiserror::Error;

/// Why a table is not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// More vertices than the sets of positions are made for.
    #[error("{vertices} vertices: expected at most {}", super::MAX_VERTICES)]
    TooManyVertices {
        /// How many there are.
        vertices: usize,
    },
    /// It would need more memory than it may use.
    #[error(
        "a table of {vertices} vertices and {cops} cops needs {} of memory, {} allowed",
        Needed(*.needed), Gigabytes(*.limit)
    )]
    TooLarge {
        /// How many vertices there are.
        vertices: usize,
        /// How many cops there are.
        cops: u8,
        /// The estimate, in bytes; [`u64::MAX`] for more than can be counted.
        needed: u64,
        /// What was allowed, in bytes.
        limit: u64,
    },
    /// A policy made a move that the rules do not allow.
    #[error("the policy's move from vertex {from} to vertex {to} is not legal")]
    IllegalMove {
        /// The number of the vertex that the agent stands on.
        from: usize,
        /// The number of the vertex that it cannot reach in a turn.
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

/// Bytes for people.
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
