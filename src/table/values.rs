use super::arena::Arena;
use crate::game::{Outcome, Rules, Turns};
use crate::graph::Fingerprint;

/// Exact capture times of all positions, however they are kept.
///
/// Positions are given by the *places* of an [`Arena`] of the same map or graph.
pub trait CaptureTimes: Sync {
    /// The rules they are for.
    fn rules(&self) -> Rules;

    /// The fingerprint of the map or graph they are for.
    fn fingerprint(&self) -> Fingerprint;

    /// The number of places.
    fn places(&self) -> usize;

    /// The value with the cops to move; sorts the cops. `None` if a place is beyond the last, or if
    /// there are not as many cops as in the rules.
    fn value_at(&self, robber: usize, cops: &mut [usize]) -> Option<Outcome>;

    /// The turns of the 64 positions with the last cop on a board, [`u16::MAX`] for never; the other
    /// cops are told by the row ([format](mod@super::file)). Beyond the diagonal there is nothing.
    fn unpack(&self, row: usize, board: usize, robber: usize) -> [u16; 64];
}

/// The value with the robber to move, and the places where its best moves end.
///
/// Turns are counted as the cops' moves that follow. A robber that a cop stands on is captured and
/// has no move. `None` if a place is not there, or if there are not as many cops as in the rules.
/// Cost: a value for each move.
#[must_use]
pub fn best_robber_moves(
    times: &impl CaptureTimes,
    arena: &Arena,
    robber: usize,
    cops: &[usize],
) -> Option<(Outcome, Vec<usize>)> {
    let mut cops = cops.to_vec();
    times.value_at(robber, &mut cops)?;
    if cops.contains(&robber) {
        return Some((Outcome::Caught(Turns(0)), Vec::new()));
    }
    let mut best = (Outcome::Caught(Turns(0)), Vec::new());
    for to in robber_moves(arena, times.rules(), robber, &cops) {
        let value = times.value_at(to, &mut cops)?;
        if value > best.0 {
            best = (value, Vec::new());
        }
        if value == best.0 {
            best.1.push(to);
        }
    }
    Some(best)
}

/// Where the robber can end its move without stepping onto a cop.
pub(super) fn robber_moves(
    arena: &Arena,
    rules: Rules,
    robber: usize,
    cops: &[usize],
) -> Vec<usize> {
    let mut reached = vec![robber];
    let mut rim = 0;
    for _ in 0..rules.robber_speed.steps() {
        let next = reached.len();
        for index in rim..next {
            for &step in arena.steps(reached[index]) {
                let step = step as usize;
                if !cops.contains(&step) && !reached.contains(&step) {
                    reached.push(step);
                }
            }
        }
        rim = next;
    }
    reached
}

/// The value with the cops to move, and their best joint moves: for each of them the places where
/// the cops end it, in the order of `cops`.
///
/// A robber that a cop stands on is captured and there is no move. If the robber escapes whatever
/// they do, all moves are as good, and all are told. `None` if a place is not there, or if there are
/// not as many cops as in the rules. Cost: a value for each joint move and move of the robber.
#[must_use]
pub fn best_cop_moves(
    times: &impl CaptureTimes,
    arena: &Arena,
    robber: usize,
    cops: &[usize],
) -> Option<(Outcome, Vec<Vec<usize>>)> {
    let value = times.value_at(robber, &mut cops.to_vec())?;
    if value == Outcome::Caught(Turns(0)) {
        return Some((value, Vec::new()));
    }
    let balls = cops
        .iter()
        .map(|&cop| arena.within(cop, times.rules().cop_speed));
    let balls: Vec<Vec<u32>> = balls.collect();
    let mut moves = Vec::new();
    let mut digits = vec![0; cops.len()];
    loop {
        let ends = digits
            .iter()
            .zip(&balls)
            .map(|(&digit, ball)| ball[digit] as usize);
        let ends: Vec<usize> = ends.collect();
        let after = best_robber_moves(times, arena, robber, &ends)?.0;
        let reached = match (value, after) {
            (Outcome::Caught(Turns(turns)), Outcome::Caught(Turns(after))) => after + 1 == turns,
            (before, after) => before == after,
        };
        if reached {
            moves.push(ends);
        }
        // The next joint move, as an odometer counts.
        let Some(digit) = (0..digits.len()).find(|&cop| digits[cop] + 1 < balls[cop].len()) else {
            return Some((value, moves));
        };
        digits[digit] += 1;
        digits[..digit].fill(0);
    }
}
