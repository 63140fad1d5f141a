//! The rules in which the two solved games differ.

use super::arena::Arena;
use super::arena_rules::ArenaRules;
use super::shape::PlacementIndex;

/// The game that is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Game {
    /// Cops and robber: the robber is captured when a cop moves onto it or when it moves onto a
    /// cop.
    CopsAndRobber,
    /// Predators and prey: predators may not share a place, and a position is judged after the
    /// prey's move (T. Cazenave, *Multi-Agent Retrograde Analysis*, section 3).
    PredatorPrey,
}

impl Game {
    /// The number of positions with the cops to move, counting cops as distinguished.
    pub(super) fn positions(self, arena: &Arena, shape: &PlacementIndex) -> u64 {
        if let Some(rules) = arena.rules() {
            return rules.positions(shape.cops);
        }
        let places = shape.places as u64;
        let for_robber = (0..shape.cops as u64).try_fold(places, |all, cop| {
            let taken = if self == Self::PredatorPrey { cop } else { 0 };
            all.checked_mul(places.saturating_sub(taken))
        });
        for_robber.unwrap_or(u64::MAX)
    }

    /// The bits of a board on which the least cop may stand when the others stand on `row`.
    pub(super) fn allowed(
        self,
        arena: &Arena,
        shape: &PlacementIndex,
        row: &[usize],
        board: usize,
    ) -> u64 {
        if let Some(rules) = arena.rules() {
            return rules.allowed(row, board);
        }
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

    /// The bits of a board on which the least cop ends the game when the others stand on `row` and
    /// the robber stands on `robber`.
    pub(super) fn terminal(self, arena: &Arena, robber: usize, row: &[usize], board: usize) -> u64 {
        if let Some(rules) = arena.rules() {
            return capture_zone(rules, robber, row, board);
        }
        let bit = |place: usize| u64::from(place / 64 == board) << (place % 64);
        if row.contains(&robber) {
            return u64::MAX;
        }
        let mut ends = bit(robber);
        if self == Self::PredatorPrey {
            // The prey is blocked when a predator stands on each of its neighbours.
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

    /// Returns whether a cop that moves onto the robber captures it at once, before the robber
    /// moves.
    pub(super) fn captures_at_once(self, arena: &Arena) -> bool {
        self == Self::CopsAndRobber && arena.rules().is_none_or(ArenaRules::judges_cops)
    }
}

/// The bits of a board on which the least cop captures the robber, or another cop does.
fn capture_zone(rules: &ArenaRules, robber: usize, row: &[usize], board: usize) -> u64 {
    if !rules.robber_ground.contains(robber) {
        return 0;
    }
    if row.iter().any(|&cop| rules.captures(cop, robber)) {
        return u64::MAX;
    }
    rules.zone(robber, board)
}
