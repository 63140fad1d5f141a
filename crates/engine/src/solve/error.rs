//! Why a position cannot be solved.

use super::spot::{MAX_COPS, MAX_PLACES};
use thiserror::Error;

/// Why a position cannot be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The solvers do not support this number of cops.
    #[error("expected 1 to {MAX_COPS} cops, found {cops}")]
    Cops {
        /// The number of cops.
        cops: usize,
    },
    /// The cops have different speeds, so that they are not interchangeable.
    #[error("expected cops of one speed, found speeds {first} and {other}")]
    DifferentSpeeds {
        /// The steps per turn of the first cop.
        first: u8,
        /// The steps per turn of a cop that differs.
        other: u8,
    },
    /// The robber is to move. Values are defined for positions with the cops to move.
    #[error("expected a position with the cops to move, found the robber to move")]
    RobberToMove,
    /// An agent stands on a vertex that is not in the graph.
    #[error("expected a vertex below {vertices}, found {vertex}")]
    NoSuchVertex {
        /// The number of the vertex.
        vertex: usize,
        /// The number of vertices of the graph.
        vertices: usize,
    },
    /// A solver goes on only where its agents can get.
    #[error("expected a vertex within reach of the first position, found {vertex}")]
    OutOfReach {
        /// The number of the vertex.
        vertex: usize,
    },
    /// The agents can reach more vertices than states have numbers for.
    #[error("expected at most {} vertices within reach, found {vertices}", MAX_PLACES[cops - 1])]
    TooManyVertices {
        /// The number of vertices that the agents can reach.
        vertices: usize,
        /// The number of cops, at least 1.
        cops: usize,
    },
    /// The board is too small for the position, or has more cells than can be numbered.
    #[error("expected a board of side 3 to 16, found {size}")]
    BoardSize {
        /// The side of the board, in cells.
        size: u8,
    },
    /// The moves alone need more memory than is allowed.
    #[error("expected to need at most {limit} bytes of memory, the moves alone need {needed}")]
    TooLarge {
        /// The number of bytes needed at least.
        needed: u64,
        /// The number of bytes allowed.
        limit: u64,
    },
}
