//! The worst cases of a whole table, computed for 64 positions at a time.

use super::Solution;
use crate::game::{Outcome, Turns};

/// The value of [`Times::unpack`](super::times::Times::unpack) for an escape; it is greater than
/// all turns.
const NEVER: u16 = u16::MAX;

/// The worst outcome for the cops from each start. Indices are places of the [arena](super::Arena).
///
/// Positions that cannot occur are left out. A place where nobody may stand has the outcome of a
/// captured robber.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorstCases {
    /// For each place of the robber, the worst outcome over all placements of the cops.
    pub by_robber: Vec<Outcome>,
    /// For each place of the cop, the worst outcome over all places of the robber that are no exits;
    /// empty for two or more cops.
    pub by_cop: Vec<Outcome>,
    /// The best placement of the cops if the robber chooses its place after them, no exit, and the capture
    /// time from there. If there are several such placements, this is the first in the order of the
    /// table. `None` if the robber escapes from every placement.
    pub best: Option<(Turns, Vec<usize>)>,
}

impl Solution {
    /// Computes the worst cases over all positions. Time: linear in the positions, 64 at a time, on
    /// all cores with the feature `parallel`. The result does not depend on the number of cores.
    #[doc(hidden)]
    #[must_use]
    pub fn worst_cases(&self) -> WorstCases {
        let shape = self.shape();
        let cops = if shape.cops == 1 { shape.places } else { 0 };
        let new = || Worst::new(shape.places, cops);
        let work = |mut worst: Worst, word: usize| {
            worst.look_at(self, word);
            worst
        };
        #[cfg(feature = "parallel")]
        let worst = {
            use rayon::prelude::*;
            let words = (0..shape.words()).into_par_iter();
            words.fold(new, work).reduce(new, Worst::merged)
        };
        #[cfg(not(feature = "parallel"))]
        let worst = (0..shape.words()).fold(new(), work);
        let order = NumberOrder::of(self);
        let outcome = |&rank: &u16| self.outcome(order.number(rank));
        WorstCases {
            by_robber: worst.by_robber.iter().map(outcome).collect(),
            by_cop: worst.by_cop.iter().map(outcome).collect(),
            best: worst.best.map(|Placement { turns, word, bit }| {
                // Ranks of captures are numbers of turns.
                let (row, board) = shape.locate(word);
                let mut cops = shape.cops_of(row);
                cops.push(board * 64 + bit);
                (Turns(turns), cops)
            }),
        }
    }
}

/// The order of the numbers of a solution by the robber's preference. A rank is a number that grows
/// with it: turns until capture, then free for ever, then away, the late ones first. Without exits,
/// the ranks are the numbers.
#[derive(Clone, Copy)]
struct NumberOrder {
    captures: u16,
    away: u16,
}

impl NumberOrder {
    fn of(solution: &Solution) -> Self {
        Self {
            captures: solution.histogram().len() as u16,
            away: solution.away_histogram().len() as u16,
        }
    }

    const fn free(self) -> u16 {
        if self.away == 0 { NEVER } else { self.captures }
    }

    /// Replaces numbers by ranks; those of placements that are not allowed by 0.
    fn rank_all(self, numbers: &mut [u16; 64], allowed: u64) {
        for (bit, number) in numbers.iter_mut().enumerate() {
            *number = match *number {
                _ if allowed >> bit & 1 == 0 => 0,
                NEVER => self.free(),
                turns if turns < self.captures => turns,
                number => self.captures + self.away - (number - self.captures),
            };
        }
    }

    /// The number with a rank; `None` for never.
    const fn number(self, rank: u16) -> Option<u16> {
        if rank == self.free() {
            None
        } else if rank < self.captures {
            Some(rank)
        } else {
            Some(self.captures + self.away - (rank - self.captures))
        }
    }

    const fn is_capture(self, rank: u16) -> bool {
        rank < self.captures
    }
}

/// The worst outcomes found so far.
struct Worst {
    by_robber: Vec<u16>,
    by_cop: Vec<u16>,
    /// The best placement of the cops so far.
    best: Option<Placement>,
}

/// A placement of the cops. The best one is the least: of equally good ones, the first in the order of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Placement {
    /// The turns until capture if the robber chooses its place after the cops.
    turns: u16,
    word: usize,
    bit: usize,
}

impl Worst {
    fn new(robbers: usize, cops: usize) -> Self {
        Self {
            by_robber: vec![0; robbers],
            by_cop: vec![0; cops],
            best: None,
        }
    }

    /// Includes the positions of a word of cop placements, for all places of the robber.
    fn look_at(&mut self, solution: &Solution, word: usize) {
        let (shape, order) = (solution.shape(), NumberOrder::of(solution));
        let (row, board) = shape.locate(word);
        let rules = solution.arena().rules();
        let allowed = rules.map_or(u64::MAX, |rules| rules.allowed(&shape.cops_of(row), board));
        let width = shape.places.saturating_sub(board * 64).min(64);
        let times = &solution.times()[word];
        let mut worst = [0; 64];
        for (robber, by_robber) in self.by_robber.iter_mut().enumerate() {
            let mut turns = times.unpack(robber);
            if let Some(rules) = rules {
                if !rules.robber_ground.contains(robber) {
                    continue;
                }
                order.rank_all(&mut turns, allowed);
            }
            // Nobody starts where the game is over.
            if rules.is_none_or(|rules| !rules.exits.contains(robber)) {
                for (worst, turns) in worst.iter_mut().zip(turns) {
                    *worst = turns.max(*worst);
                }
            }
            let all = turns[..width].iter();
            *by_robber = all.fold(*by_robber, |greatest, &turns| greatest.max(turns));
        }
        for (bit, &turns) in worst[..width].iter().enumerate() {
            if let Some(by_cop) = self.by_cop.get_mut(board * 64 + bit) {
                *by_cop = turns;
            }
            if order.is_capture(turns) && allowed >> bit & 1 == 1 {
                self.offer(Placement { turns, word, bit });
            }
        }
    }

    fn offer(&mut self, found: Placement) {
        if self.best.is_none_or(|best| found < best) {
            self.best = Some(found);
        }
    }

    #[cfg(feature = "parallel")]
    fn merged(mut self, other: Self) -> Self {
        let pairs = self.by_robber.iter_mut().zip(other.by_robber);
        let pairs = pairs.chain(self.by_cop.iter_mut().zip(other.by_cop));
        for (mine, theirs) in pairs {
            *mine = theirs.max(*mine);
        }
        if let Some(found) = other.best {
            self.offer(found);
        }
        self
    }
}
