//! The sets of positions of one word of cop placements, for all places of the robber.

use super::bits::{Bits, ones};
use super::reach::{Link, Reach};
use super::shape::Weights;
use super::times::{Times, Turn};
use crate::graph::Csr;

/// Positions that have been solved: a place of the robber, and one bit for each place of the
/// column's cop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fresh {
    pub robber: u16,
    pub cops: u64,
}

/// Frees the memory of an empty list: in long games only a few lists are in use at a time.
pub(super) fn release(list: &mut Vec<Fresh>) {
    if list.is_empty() {
        *list = Vec::new();
    }
}

/// All positions whose cop placements lie in one word: 64 placements for each place of the robber.
///
/// The sets of neighbouring places of the robber lie next to each other, so a turn reads and writes
/// memory in a few contiguous runs. A robber's move stays within a slab.
#[derive(Debug, Clone)]
pub(super) struct Slab {
    /// The positions with the cops to move that are lost for the robber: Thompson's W sets.
    won: Vec<u64>,
    /// The positions that are lost for the robber with 1, 2, ... of its steps left in this turn.
    /// The last entry holds the positions with the robber to move: Thompson's B sets.
    lost: Vec<Vec<u64>>,
    /// One bit for each place of the robber whose set in `won` has changed in this turn.
    changed: Vec<u64>,
    /// The cop placements that the rules of the game allow.
    allowed: u64,
    /// The number of positions with distinguished cops that each position of the slab represents.
    weights: Weights,
    /// The number of allowed positions that have no capture time yet.
    open: u64,
    times: Times,
}

/// The moves of the robber, with working memory.
pub(super) struct RobberMoves<'a> {
    /// Closed neighbourhoods: for each place, the place itself and all places one step away.
    steps: &'a Csr<u16>,
    /// The robber's moves, board by board.
    reach: &'a Reach,
    /// One bit for each place that has to be examined in the current step.
    dirty: Vec<u64>,
}

impl Slab {
    pub(super) fn new(places: usize, robber_steps: u8, allowed: u64, weights: Weights) -> Self {
        Self {
            won: vec![0; places],
            lost: vec![vec![0; places]; usize::from(robber_steps)],
            changed: vec![0; places.div_ceil(64)],
            allowed,
            weights,
            open: places as u64 * u64::from(allowed.count_ones()),
            times: Times::new(places),
        }
    }

    pub(super) fn into_times(self) -> Times {
        self.times
    }

    /// Records the number of turns of positions in which the robber is not caught.
    pub(super) fn note_time(&mut self, robber: usize, positions: u64, turns: &Turn) {
        self.times.write(robber, positions, turns);
    }

    /// Marks positions as terminal, with capture time 0. Returns their number, counting cops as
    /// distinguished.
    pub(super) fn end(&mut self, robber: usize, cops: u64) -> u64 {
        let cops = cops & self.allowed;
        self.open -= u64::from((cops & !self.won[robber]).count_ones());
        self.won[robber] |= cops;
        self.changed[robber / 64] |= u64::from(cops != 0) << (robber % 64);
        self.times.write(robber, cops, &Turn::new(0));
        self.weights.count(cops)
    }

    /// Marks positions as lost for the robber with the robber to move, whatever it does.
    pub(super) fn lose(&mut self, fresh: Fresh) {
        for lost in &mut self.lost {
            lost[usize::from(fresh.robber)] |= fresh.cops;
        }
    }

    /// Solves all positions without a time from which the single cop reaches a position of `fresh`
    /// along `link`. Returns how many positions were solved.
    #[inline]
    pub(super) fn settle_link(
        &mut self,
        fresh: &[Fresh],
        cops: &Reach,
        link: &Link,
        turn: &Turn,
    ) -> u64 {
        let mut settled = 0;
        for &Fresh {
            robber,
            cops: places,
        } in fresh
        {
            // Test the cheap conditions first: many words do not reach the other board or have
            // nothing left to solve there.
            if places & link.reached == 0 {
                continue;
            }
            let missing = !self.won[usize::from(robber)] & self.allowed & link.leaving;
            if missing != 0 {
                settled += self.settle(robber, cops.before(link, places) & missing, turn);
            }
        }
        self.open -= settled;
        // A single cop has only one order, so no weights apply.
        settled
    }

    /// Solves the positions of `before` that have no time yet. Returns their number, counting cops
    /// as distinguished.
    pub(super) fn settle_all(&mut self, before: &[Fresh], turn: &Turn) -> u64 {
        let weights = self.weights;
        if weights.mixed.is_none() {
            return weights.each * self.settle_each(before, turn, |_| {});
        }
        let mut counted = 0;
        self.settle_each(before, turn, |new| counted += weights.count(new));
        counted
    }

    /// Solves the positions of `before` that have no time yet and calls `note` with the new
    /// positions of each word. Returns the number of new positions in the slab.
    #[inline]
    fn settle_each(&mut self, before: &[Fresh], turn: &Turn, mut note: impl FnMut(u64)) -> u64 {
        let mut settled = 0;
        for &Fresh { robber, cops } in before {
            let new = cops & !self.won[usize::from(robber)] & self.allowed;
            settled += self.settle(robber, new, turn);
            note(new);
        }
        self.open -= settled;
        settled
    }

    /// Solves the positions of `before` that have no time yet and for which `leads` returns true.
    /// `leads` receives the place of the robber and the bit of the position. Returns the number of
    /// solved positions, counting cops as distinguished.
    pub(super) fn settle_some(
        &mut self,
        before: impl Iterator<Item = Fresh>,
        turn: &Turn,
        mut leads: impl FnMut(u16, usize) -> bool,
    ) -> u64 {
        let mut counted = 0;
        for Fresh { robber, cops } in before {
            let open = cops & !self.won[usize::from(robber)] & self.allowed;
            let new = Bits(open).filter(|&bit| leads(robber, bit));
            let new = new.fold(0, |all, bit| all | 1 << bit);
            self.open -= self.settle(robber, new, turn);
            counted += self.weights.count(new);
        }
        counted
    }

    /// Adds new positions to Thompson's W sets and records their time. Returns their number in the
    /// slab.
    #[inline]
    fn settle(&mut self, robber: u16, new: u64, turn: &Turn) -> u64 {
        if new == 0 {
            return 0;
        }
        let robber = usize::from(robber);
        self.won[robber] |= new;
        self.changed[robber / 64] |= 1 << (robber % 64);
        self.times.write(robber, new, turn);
        u64::from(new.count_ones())
    }

    /// Returns whether all positions have a time, so that nothing is left to solve.
    pub(super) const fn is_settled(&self) -> bool {
        self.open == 0
    }

    /// Finds all positions with the robber to move that are now lost, and appends the new ones to
    /// `fresh`. Returns the number of words examined.
    pub(super) fn gather(&mut self, moves: &mut RobberMoves<'_>, fresh: &mut Vec<Fresh>) -> usize {
        let mut looked = 0;
        let mut from = &self.won;
        for (step, lost) in self.lost.iter_mut().enumerate() {
            if step > 0 {
                self.changed.fill(0);
                for new in fresh.drain(..) {
                    self.changed[usize::from(new.robber / 64)] |= 1 << (new.robber % 64);
                }
            }
            let steps = moves.steps;
            let all = |robber: usize, from: &[u64]| all_steps(from, steps.row(robber));
            looked += moves.step(from, &self.changed, lost, fresh, all);
            from = lost;
        }
        self.changed.fill(0);
        looked
    }

    /// Like [`Self::gather`], for a robber that has one move in each position. `leading_into`
    /// receives a place of the robber and sets like `won`, and returns the positions from which the
    /// robber's move leads into these sets.
    pub(super) fn gather_bound(
        &mut self,
        moves: &mut RobberMoves<'_>,
        fresh: &mut Vec<Fresh>,
        leading_into: impl Fn(usize, &[u64]) -> u64,
    ) -> usize {
        let mut looked = 0;
        if let Some(lost) = self.lost.last_mut() {
            looked = moves.step(&self.won, &self.changed, lost, fresh, leading_into);
        }
        self.changed.fill(0);
        looked
    }
}

impl<'a> RobberMoves<'a> {
    pub(super) fn new(steps: &'a Csr<u16>, reach: &'a Reach, places: usize) -> Self {
        Self {
            steps,
            reach,
            dirty: vec![0; places.div_ceil(64)],
        }
    }

    /// Adds positions to `lost` and appends the new ones to `fresh`. `leading_into` receives a
    /// place of the robber and `from`, and returns the positions that are lost because of `from`.
    /// Only places from which a move leads to a changed place are examined. Returns their number.
    #[inline]
    fn step(
        &mut self,
        from: &[u64],
        changed: &[u64],
        lost: &mut [u64],
        fresh: &mut Vec<Fresh>,
        leading_into: impl Fn(usize, &[u64]) -> u64,
    ) -> usize {
        for (board, dirty) in self.dirty.iter_mut().enumerate() {
            let before = |link: &Link| match changed[link.to as usize] {
                0 => 0,
                changed => self.reach.before(link, changed),
            };
            *dirty = self
                .reach
                .links(board)
                .iter()
                .fold(0, |all, link| all | before(link));
        }
        let mut looked = 0;
        for robber in ones(&self.dirty) {
            looked += 1;
            let old = lost[robber];
            let new = !old & leading_into(robber, from);
            if new != 0 {
                lost[robber] = old | new;
                fresh.push(Fresh {
                    robber: robber as u16,
                    cops: new,
                });
            }
        }
        looked
    }
}

/// The positions that are in the sets of all steps.
#[inline]
fn all_steps(from: &[u64], steps: &[u16]) -> u64 {
    // Most places of a map have 9 or 5 steps after padding, so these two lengths get unrolled
    // loops.
    match steps.len() {
        9 => all_of::<9>(from, steps),
        5 => all_of::<5>(from, steps),
        _ => steps
            .iter()
            .fold(u64::MAX, |all, &step| all & from[usize::from(step)]),
    }
}

/// Like [`all_steps`], for a number of steps that is known at compile time.
#[inline]
fn all_of<const N: usize>(from: &[u64], steps: &[u16]) -> u64 {
    let mut all = u64::MAX;
    for &step in &steps[..N] {
        all &= from[usize::from(step)];
    }
    all
}
