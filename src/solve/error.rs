//! Why a position cannot be solved.

use super::spot::{MAX_COPS, MAX_PLACES};
use thiserror::Error;

/// Why a position cannot be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A number of cops that the solvers are not made for.
    #[error("{cops} cops: expected 1 to {MAX_COPS}")]
    Cops {
        /// How many there are.
        cops: usize,
    },
    /// Cops of different speeds are not interchangeable.
    #[error("cops of speeds {first} and {other}: expected cops of one speed")]
    DifferentSpeeds {
        /// The steps per turn of the first cop.
        first: u8,
        /// The steps per turn of a cop that differs.
        other: u8,
    },
    /// Values are for positions with the cops to move.
    #[error("the robber is to move: expected a position with the cops to move")]
    RobberToMove,
    /// An agent stands on a vertex that the graph does not have.
    #[error("vertex {vertex}: expected a vertex below {vertices}")]
    NoSuchVertex {
        /// The number of the vertex.
        vertex: usize,
        /// The number of vertices of the graph.
        vertices: usize,
    },
    /// A solver goes on only where its agents can get.
    #[error("vertex {vertex} is out of reach of the first position")]
    OutOfReach {
        /// The number of the vertex.
        vertex: usize,
    },
    /// The agents can reach more vertices than states have numbers for.
    #[error("{vertices} vertices within reach: expected at most {}", MAX_PLACES[cops - 1])]
    TooManyVertices {
        /// How many vertices the agents can reach.
        vertices: usize,
        /// How many cops there are, from 1.
        cops: usize,
    },
    /// A board that has no room for the position, or more cells than are numbered.
    #[error("a board of {size} x {size} cells: expected a side of 3 to 16 cells")]
    BoardSize {
        /// The side of the board, in cells.
        size: u8,
    },
    /// The moves alone would need more memory than allowed.
    #[error("the moves need {needed} bytes of memory, {limit} allowed")]
    TooLarge {
        /// The bytes that are needed at least.
        needed: u64,
        /// What was allowed, in bytes.
        limit: u64,
    },
}
