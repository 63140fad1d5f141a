use super::arena::Arena;
use super::values::CaptureTimes;
use super::walk::Walk;
use crate::game::{Outcome, Turns};

/// Cops that play an optimal joint move each turn, always the same one, in memory that is used
/// again.
///
/// Of several optimal moves they take the first: all stay; then the moves of the first cop from the
/// farthest to none, equally far ones as a breadth-first search meets them (neighbours in the
/// graph's order), for each of them those of the second cop, and so on. One cop so plays the moves of
/// the papers' reference program. Cops that cannot force a capture stay.
#[derive(Debug)]
pub struct OptimalCops<'a, T: ?Sized> {
    times: &'a T,
    arena: &'a Arena,
    walk: Walk,
    /// For each cop where it can go, in the order in which it is tried.
    ends: Vec<Vec<usize>>,
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
            ends: Vec::new(),
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
            for (cop, (ends, &tried)) in cops.iter_mut().zip(self.ends.iter().zip(&self.tried)) {
                *cop = ends[tried];
            }
        }
        Some(value)
    }

    /// Lists where each cop can go and gets ready for the first joint move.
    fn list_ends(&mut self, cops: &[usize]) {
        let (steps, most) = (self.arena.all_steps(), self.times.rules().cop_speed.steps());
        self.ends.resize_with(cops.len(), Vec::new);
        for (&cop, ends) in cops.iter().zip(&mut self.ends) {
            ends.clear();
            let within =
                |distance: u8, walk: &mut Walk| walk.within(steps, cop, distance, |_| false).len();
            let mut outer = within(most, &mut self.walk);
            for distance in (0..most).rev() {
                let inner = within(distance, &mut self.walk);
                // What is nearer stands before what is farther.
                let all = self.walk.within(steps, cop, most, |_| false);
                ends.extend(all[inner..outer].iter().map(|&end| end as usize));
                outer = inner;
            }
            ends.push(cop);
        }
        self.tried.clear();
    }

    /// Tries the next joint move.
    fn is_next_enough(&mut self, robber: usize, reached: Outcome) -> Option<bool> {
        if self.tried.is_empty() {
            self.tried.resize(self.ends.len(), 0);
        } else {
            // As an odometer counts, the last cop fastest.
            let mut digits = self.tried.iter_mut().zip(&self.ends).rev();
            let carried = digits.find_map(|(digit, ends)| {
                *digit = (*digit + 1) % ends.len();
                (*digit > 0).then_some(())
            });
            // After the last one there is nothing: a table without a way to keep its word.
            carried?;
        }
        let ends = self.ends.iter().zip(&self.tried);
        self.after.clear();
        self.after.extend(ends.map(|(ends, &tried)| ends[tried]));
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
