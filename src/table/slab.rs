//! The sets of one word of cop positions, for all places of the robber.

use super::bits::{Bits, ones};
use super::reach::{Link, Reach};
use super::shape::Weights;
use super::times::{Times, Turn};
use crate::graph::Csr;

/// Positions that have become known: a place of the robber, and places of the last cop as bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fresh {
    pub robber: u16,
    pub cops: u64,
}

/// Gives the memory of a list back that has become empty: in long games few lists are in use at a time.
pub(super) fn release(list: &mut Vec<Fresh>) {
    if list.is_empty() {
        *list = Vec::new();
    }
}

/// All positions whose cops stand in one word: for each place of the robber 64 of them.
///
/// Neighbouring places of the robber stand beside each other, so that what one turn solves is read
/// and written in a few runs of memory. A robber's move stays within a slab.
#[derive(Debug, Clone)]
pub(super) struct Slab {
    /// Positions with the cops to move that are lost for the robber: Thompson's W sets.
    won: Vec<u64>,
    /// The same after each of the steps that the robber has in a turn, so that the last one holds
    /// the positions with the robber to move: Thompson's B sets.
    lost: Vec<Vec<u64>>,
    /// A bit for each place of the robber where `won` has changed in this turn.
    changed: Vec<u64>,
    /// The positions that the game knows.
    allowed: u64,
    /// How many positions of the game those of the slab stand for.
    weights: Weights,
    /// How many of the positions that the game knows have no time yet.
    open: u64,
    times: Times,
}

/// How the robber moves, and memory to work with.
pub(super) struct RobberMoves<'a> {
    /// For each place itself and where a step leads.
    steps: &'a Csr<u16>,
    /// The same, board by board.
    reach: &'a Reach,
    /// A bit for each place.
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

    /// Makes positions end the game before it starts. Returns how many positions of the game.
    pub(super) fn end(&mut self, robber: usize, cops: u64) -> u64 {
        let cops = cops & self.allowed;
        self.open -= u64::from((cops & !self.won[robber]).count_ones());
        self.won[robber] |= cops;
        self.changed[robber / 64] |= u64::from(cops != 0) << (robber % 64);
        self.times.write(robber, cops, &Turn::new(0));
        self.weights.count(cops)
    }

    /// Makes positions lost for the robber whatever it does.
    pub(super) fn lose(&mut self, fresh: Fresh) {
        for lost in &mut self.lost {
            lost[usize::from(fresh.robber)] |= fresh.cops;
        }
    }

    /// Adds all positions from which the last cop gets into `fresh` along a link. Returns how many
    /// positions of the game.
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
            // First what costs nothing: many words do not reach the other board, or are done there.
            if places & link.reached == 0 {
                continue;
            }
            let missing = !self.won[usize::from(robber)] & self.allowed & link.leaving;
            if missing != 0 {
                settled += self.settle(robber, cops.before(link, places) & missing, turn);
            }
        }
        self.open -= settled;
        // One cop has one order.
        settled
    }

    /// Adds all positions of `before`. Returns how many positions of the game that are new.
    pub(super) fn settle_all(&mut self, before: &[Fresh], turn: &Turn) -> u64 {
        let weights = self.weights;
        if weights.mixed.is_none() {
            return weights.each * self.settle_each(before, turn, |_| {});
        }
        let mut counted = 0;
        self.settle_each(before, turn, |new| counted += weights.count(new));
        counted
    }

    /// The same with `note` called for the new positions of each word. Returns how many of the slab.
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

    /// Adds those positions of `before` that have no time and of which `leads` is true, by the place of the
    /// robber and the bit. Returns how many positions of the game.
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

    /// Adds positions that are new (Thompson's W sets). Returns how many of the slab.
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

    /// Have all positions a time, so that there is nothing left to settle?
    pub(super) const fn is_settled(&self) -> bool {
        self.open == 0
    }

    /// Finds all positions that are lost now with the robber to move, and appends the new ones to
    /// `fresh`. Returns the words looked at.
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

    /// The same for a robber with one move: `leading_into` says for a place of the robber from which positions of
    /// the slab it leads into sets like `won`.
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

    /// Adds to `lost` all positions from which the robber gets into `from`, as `leading_into` says by
    /// its place.
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

/// The positions that are in the set of each step.
#[inline]
fn all_steps(from: &[u64], steps: &[u16]) -> u64 {
    // Most places of a map have one of these numbers of steps: loops of known length.
    match steps.len() {
        9 => all_of::<9>(from, steps),
        5 => all_of::<5>(from, steps),
        _ => steps
            .iter()
            .fold(u64::MAX, |all, &step| all & from[usize::from(step)]),
    }
}

/// The same for a known number of steps.
#[inline]
fn all_of<const N: usize>(from: &[u64], steps: &[u16]) -> u64 {
    let mut all = u64::MAX;
    for &step in &steps[..N] {
        all &= from[usize::from(step)];
    }
    all
}
