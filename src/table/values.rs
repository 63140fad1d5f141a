use super::arena::Arena;
use super::walk::Walk;
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
}

/// The value with the robber to move, and the places where its best moves end.
///
/// Turns are counted as the cops' moves that follow. A robber that a cop stands on is captured and
/// has no move. `None` if a place is not there, or if there are not as many cops as in the rules.
/// Cost: a value for each move.
#[must_use]
pub fn best_robber_moves(
    times: &(impl CaptureTimes + ?Sized),
    arena: &Arena,
    robber: usize,
    cops: &[usize],
) -> Option<(Outcome, Vec<usize>)> {
    expect_places(arena, robber, cops)?;
    let mut walk = Walk::new(arena.places());
    robber_moves(times, arena, &mut walk, robber, cops)
}

fn expect_places(arena: &Arena, robber: usize, cops: &[usize]) -> Option<()> {
    let known = |&place: &usize| place < arena.places();
    (known(&robber) && cops.iter().all(known)).then_some(())
}

fn robber_moves(
    times: &(impl CaptureTimes + ?Sized),
    arena: &Arena,
    walk: &mut Walk,
    robber: usize,
    cops: &[usize],
) -> Option<(Outcome, Vec<usize>)> {
    let mut cops = cops.to_vec();
    times.value_at(robber, &mut cops)?;
    let mut best = (Outcome::Caught(Turns(0)), Vec::new());
    if cops.contains(&robber) {
        return Some(best);
    }
    let most = times.rules().robber_speed.steps();
    // Stepping onto a cop is never better than waiting.
    let is_cop = |place: u32| cops.contains(&(place as usize));
    let ends = walk
        .within(arena.all_steps(), robber, most, is_cop)
        .to_vec();
    for to in ends.into_iter().map(|to| to as usize) {
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

/// The value with the cops to move, and their best joint moves: for each of them the places where
/// the cops end it, in the order of `cops`.
///
/// A robber that a cop stands on is captured and there is no move. If the robber escapes whatever
/// they do, all moves are as good, and all are told. `None` if a place is not there, or if there are
/// not as many cops as in the rules. Cost: a value for each joint move and move of the robber.
#[must_use]
pub fn best_cop_moves(
    times: &(impl CaptureTimes + ?Sized),
    arena: &Arena,
    robber: usize,
    cops: &[usize],
) -> Option<(Outcome, Vec<Vec<usize>>)> {
    expect_places(arena, robber, cops)?;
    let value = times.value_at(robber, &mut cops.to_vec())?;
    if value == Outcome::Caught(Turns(0)) {
        return Some((value, Vec::new()));
    }
    let mut walk = Walk::new(arena.places());
    let most = times.rules().cop_speed.steps();
    let ball = |&cop: &usize| {
        walk.within(arena.all_steps(), cop, most, |_| false)
            .to_vec()
    };
    let balls: Vec<Vec<u32>> = cops.iter().map(ball).collect();
    let mut moves = Vec::new();
    let mut digits = vec![0; cops.len()];
    loop {
        let ends = digits
            .iter()
            .zip(&balls)
            .map(|(&digit, ball)| ball[digit] as usize);
        let ends: Vec<usize> = ends.collect();
        let after = robber_moves(times, arena, &mut walk, robber, &ends)?.0;
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
