use super::arena::Arena;
use super::values::CaptureTimes;
use super::walk::Walk;
use crate::game::{Outcome, Turns};
use std::cmp::Reverse;

/// Cops that play an optimal joint move each turn, always the same one, in memory that is used
/// again.
///
/// Of several optimal moves they take the first: all stay; then the moves of the first cop from the
/// longest way to none, for each of them those of the second cop, and so on. On a map diagonal steps
/// are longer, by the root of two; of ways of the same length those go first that a breadth-first
/// search finds last. One cop plays nearly as that of the papers' reference program so, as far as its
/// games tell (`tests/rivals_reference.rs`). Cops that cannot force a capture stay.
#[derive(Debug)]
pub struct OptimalCops<'a, T: ?Sized> {
    times: &'a T,
    arena: &'a Arena,
    walk: Walk,
    /// For each place where a cop can go, in the order in which it is tried; empty if no cop has been
    /// there yet.
    ends: Vec<Vec<u32>>,
    /// Where the cops are.
    cops: Vec<usize>,
    /// For each cop which of its ends is tried.
    tried: Vec<usize>,
    /// The cops after that; a look-up sorts them.
    after: Vec<usize>,
}

impl<'a, T: CaptureTimes + ?Sized> OptimalCops<'a, T> {
    /// Plays by `times`, which are of the map or graph of `arena`.
    #[must_use]
    pub fn new(times: &'a T, arena: &'a Arena) -> Self {
        Self {
            times,
            arena,
            walk: Walk::new(arena.places()),
            ends: vec![Vec::new(); arena.places()],
            cops: Vec::new(),
            tried: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Moves the cops, given by their places, and returns the value that the position had.
    ///
    /// A robber that a cop stands on is captured and there is no move. `None` if a place is not
    /// there, or if there are not as many cops as in the rules. Cost: at most a value for each joint
    /// move and move of the robber.
    pub fn play(&mut self, robber: usize, cops: &mut [usize]) -> Option<Outcome> {
        let known = |place: &usize| *place < self.arena.places();
        if !known(&robber) || !cops.iter().all(known) {
            return None;
        }
        self.after.clear();
        self.after.extend_from_slice(cops);
        let value = self.times.value_at(robber, &mut self.after)?;
        let Outcome::Caught(Turns(turns @ 1..)) = value else {
            return Some(value);
        };
        let reached = Outcome::Caught(Turns(turns - 1));
        if !self.is_enough(robber, reached)? {
            self.list_ends(cops);
            while !self.is_next_enough(robber, reached)? {}
            for (cop, &tried) in cops.iter_mut().zip(&self.tried) {
                *cop = self.ends[*cop][tried] as usize;
            }
        }
        Some(value)
    }

    /// Lists where each cop can go and gets ready for the first joint move.
    fn list_ends(&mut self, cops: &[usize]) {
        for &cop in cops {
            if !self.ends[cop].is_empty() {
                continue;
            }
            let (steps, most) = (self.arena.all_steps(), self.times.rules().cop_speed.steps());
            let found = self.walk.within(steps, cop, most, |_| false);
            let ways = lengths(self.arena, found, most);
            let mut ends: Vec<(u32, u32)> = ways.into_iter().zip(found.iter().copied()).collect();
            ends[1..].reverse();
            ends[1..].sort_by_key(|&(way, _)| Reverse(way));
            // The cop itself is the first to be found and the last to be tried.
            ends.rotate_left(1);
            self.ends[cop] = ends.into_iter().map(|(_, end)| end).collect();
        }
        self.cops.clear();
        self.cops.extend_from_slice(cops);
        self.tried.clear();
    }

    /// Tries the next joint move.
    fn is_next_enough(&mut self, robber: usize, reached: Outcome) -> Option<bool> {
        if self.tried.is_empty() {
            self.tried.resize(self.cops.len(), 0);
        } else {
            // As an odometer counts, the last cop fastest.
            let mut digits = self.tried.iter_mut().zip(&self.cops).rev();
            let carried = digits.find_map(|(digit, &cop)| {
                *digit = (*digit + 1) % self.ends[cop].len();
                (*digit > 0).then_some(())
            });
            // After the last one there is nothing: a table without a way to keep its word.
            carried?;
        }
        self.after.clear();
        let ends = self.cops.iter().zip(&self.tried);
        self.after
            .extend(ends.map(|(&cop, &tried)| self.ends[cop][tried] as usize));
        self.is_enough(robber, reached)
    }

    /// Is the robber, to move, captured in time when the cops stand on `after`?
    fn is_enough(&mut self, robber: usize, reached: Outcome) -> Option<bool> {
        if self.after.contains(&robber) {
            return Some(true);
        }
        let most = self.times.rules().robber_speed.steps();
        let after = &mut self.after;
        // Stepping onto a cop is never better than waiting.
        let is_cop = |place: u32| after.contains(&(place as usize));
        let steps = self.arena.all_steps();
        for &end in self.walk.within(steps, robber, most, is_cop) {
            if self.times.value_at(end as usize, after)? > reached {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// The lengths of the shortest ways of at most so many steps from the first of some places to each of
/// them, in thousandths of a straight step.
fn lengths(arena: &Arena, places: &[u32], steps: u8) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let length =
        |a: u32, b: u32| match (arena.cells().get(a as usize), arena.cells().get(b as usize)) {
            (Some(a), Some(b)) if a.squared_distance(*b) == 2 => 1414,
            _ if a == b => 0,
            _ => 1000,
        };
    let mut ways = vec![NONE; places.len()];
    ways[0] = 0;
    for _ in 0..steps {
        let before = ways.clone();
        for (&way, &place) in before.iter().zip(places).filter(|(way, _)| **way < NONE) {
            for &next in arena.steps(place as usize) {
                if let Some(index) = places.iter().position(|&place| place == next) {
                    ways[index] = ways[index].min(way + length(place, next));
                }
            }
        }
    }
    ways
}
