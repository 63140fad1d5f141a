//! The names of the methods.

use serde::{Deserialize, Serialize};

/// How a position is solved (C. Moldenhauer's thesis, chapter 4).
///
/// All methods find the same values. They differ in the work that they need; the book's chapter on algorithms
/// has measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Reverse Minimax A*: searches backwards from the captures, those nearest to the position first (section
    /// 4.4). It takes the least time, and is the only method that proves that a robber escapes.
    #[default]
    Rma,
    /// Two-Agent IDA*: depth-first search with a rising bound (section 4.2). It keeps bounds for each state and
    /// uses `TrailMax` as a lower bound. It takes the least memory.
    Tida,
    /// Iterative proof-number search: expands the state that is easiest to prove or disprove first (section 4.3).
    Ipn,
    /// TIDA* with a faster form of `TrailMax`, and where it does not soon find the value, retrograde analysis of
    /// the states within reach in the turns that are left: first of those that matter most, which gives an upper
    /// bound, then of all. It is the fastest method for two cops with values of up to about 40 turns, if the
    /// robber takes one step a turn. For other games, it is TIDA*.
    Cones,
    /// Alpha-beta search with a transposition table and a rising depth (section 4.1).
    AlphaBeta,
}
