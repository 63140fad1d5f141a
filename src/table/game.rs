//! The rules that tell the two solved games apart.

use super::arena::Arena;
use super::shape::Shape;

/// Which game is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Game {
    /// Cops and robber: a cop's move onto the robber captures, and so does a robber's onto a cop.
    CopsAndRobber,
    /// Predators that may not share a place, judged after the prey's move (Cazenave, Multi-Agent
    /// Retrograde Analysis, section 3).
    PredatorPrey,
}

impl Game {
    /// How many positions with the cops to move there are, the cops distinguished.
    pub(super) fn positions(self, shape: &Shape) -> u64 {
        let places = shape.places as u64;
        let for_robber = (0..shape.cops as u64).try_fold(places, |all, cop| {
            let taken = if self == Self::PredatorPrey { cop } else { 0 };
            all.checked_mul(places.saturating_sub(taken))
        });
        for_robber.unwrap_or(u64::MAX)
    }

    /// The places of the least cop in a board that the game knows, if the others stand on `row`.
    pub(super) fn allowed(self, shape: &Shape, row: &[usize], board: usize) -> u64 {
        let mask = shape.board_mask(board);
        if self == Self::CopsAndRobber {
            return mask;
        }
        if row.windows(2).any(|pair| pair[0] == pair[1]) {
            return 0;
        }
        let on_board = row.iter().filter(|&&cop| cop / 64 == board);
        on_board.fold(mask, |mask, cop| mask & !(1 << (cop % 64)))
    }

    /// The places of the least cop in a board that end the game, if the others stand on `row`.
    pub(super) fn terminal(self, arena: &Arena, robber: usize, row: &[usize], board: usize) -> u64 {
        let bit = |place: usize| u64::from(place / 64 == board) << (place % 64);
        if row.contains(&robber) {
            return u64::MAX;
        }
        let mut ends = bit(robber);
        if self == Self::PredatorPrey {
            // Blocked: a predator on every neighbour.
            let steps = arena.steps(robber).iter().map(|&step| step as usize);
            let mut free = steps.filter(|step| *step != robber && !row.contains(step));
            ends |= match (free.next(), free.next()) {
                (None, _) => u64::MAX,
                (Some(last), None) => bit(last),
                _ => 0,
            };
        }
        ends
    }

    /// Returns whether a robber is captured as soon as a cop has moved onto it, before it moves.
    pub(super) fn captures_at_once(self) -> bool {
        self == Self::CopsAndRobber
    }
}
