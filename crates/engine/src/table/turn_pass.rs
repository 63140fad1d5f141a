//! The parts of a turn of the solver.

/// A part of a turn. Each pass needs the complete result of the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnPass {
    /// Creates the slabs and marks the positions that end the game, by words.
    Place,
    /// Mirrors the blocks of positions whose mirror images are needed, by blocks.
    Mirror,
    /// Undoes the move of the least cop, by rows.
    LeastCop,
    /// Undoes the move of the next cop of the row after the least cop and this number of other
    /// cops, by rows.
    Digit(usize),
    /// Undoes the move of the last cop where many places share a list: by shared lists, sets of the
    /// cops between, and boards.
    Shared,
    /// Undoes the remaining moves of the last cop and then the robber's move, by slabs.
    Slabs,
    /// Undoes the move of a robber that is away soon, by placements of the cops.
    AwayRobber,
    /// Undoes the cops' moves from there, by placements.
    AwayCops,
}
