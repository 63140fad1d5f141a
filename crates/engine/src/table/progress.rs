//! How far a long computation is.

use crate::game::Turns;

/// The progress of a solver. Positions are counted with the cops distinguished: there are n^(k + 1)
/// for n places and k cops, if everybody may stand everywhere.
///
/// Other long computations over positions report their progress with the same type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The turn in progress: all shorter capture times are known. It is 0 for work that does not go
    /// turn by turn.
    pub turn: Turns,
    /// The number of positions with the cops to move whose value is known, or that are done.
    pub solved: u64,
    /// The number of all positions. It is greater than the final `solved` if the robber can escape
    /// from some of them.
    pub positions: u64,
    /// Whether the work is done.
    pub done: bool,
}

impl Progress {
    /// The progress of work that does not go turn by turn.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_work(solved: u64, positions: u64) -> Self {
        Self {
            turn: Turns(0),
            solved,
            positions,
            done: solved == positions,
        }
    }
}
