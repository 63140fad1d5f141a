//! The methods by name.

use serde::{Deserialize, Serialize};

/// How a position is solved (C. Moldenhauer's thesis, chapter 4).
///
/// All give the same values. They differ in the work that they take: measured figures are in the book's
/// chapter on algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Reverse Minimax A*: backwards from the captures, nearest to the position first (section 4.4). Takes
    /// the least time, and alone proves that a robber escapes.
    #[default]
    Rma,
    /// Two-Agent IDA*: depth-first with a bound that rises (section 4.2), with bounds kept for each state
    /// and `TrailMax` as a lower bound. Takes the least memory.
    Tida,
    /// Iterative proof-number search: first what is proven or disproven most easily (section 4.3).
    Ipn,
    /// Alpha-beta with a transposition table and a depth that rises (section 4.1).
    AlphaBeta,
}
