//! Undoes the last cop's move of a turn.

use super::balls::Balls;
use super::bound::FixedMoves;
use super::reach::Reach;
use super::shape::PlacementIndex;
use super::slab::{Fresh, Slab};
use super::spread::Spread;
use super::sweep::SweepCount;
use super::times::Turn;

/// The data that undoing the last cop's move needs.
pub(super) struct Settling<'a> {
    pub(super) shape: &'a PlacementIndex,
    pub(super) cops: &'a Reach,
    pub(super) balls: &'a Balls,
    pub(super) fresh: &'a [Vec<Fresh>],
    pub(super) spread: Option<&'a Spread>,
    pub(super) time: Turn,
}

impl Settling<'_> {
    /// Solves all positions of a slab from which some move of the cops leads to a position of
    /// `fresh`.
    pub(super) fn settle(&self, slab: &mut Slab, word: usize) -> SweepCount {
        let (row, board) = self.shape.locate(word);
        let mut count = SweepCount::default();
        if let Some(spread) = self.spread {
            for list in spread.before(self.shape, self.balls, row, board) {
                count.looked += list.len();
                count.solved += slab.settle_all(list, &self.time);
            }
        } else {
            for link in self.cops.links(board) {
                let list = &self.fresh[link.to as usize];
                count.looked += list.len();
                count.solved += slab.settle_link(list, self.cops, link, &self.time);
            }
        }
        count
    }

    /// Like [`Self::settle`], for cops that play a policy: solves only the positions in which the
    /// policy's move leads to a position of `fresh`.
    pub(super) fn settle_bound(
        &self,
        slab: &mut Slab,
        word: usize,
        bound: &FixedMoves,
    ) -> SweepCount {
        let (row, board) = self.shape.locate(word);
        let others = self.shape.cops_of(row);
        let mut cops = Vec::with_capacity(self.shape.cops);
        let mut leads = |robber: u16, bit: usize| {
            cops.clear();
            cops.extend_from_slice(&others);
            cops.push(board * 64 + bit);
            bound.leads_to_fresh(self.shape, &mut cops, robber, self.fresh)
        };
        let mut count = SweepCount::default();
        if let Some(spread) = self.spread {
            for list in spread.before(self.shape, self.balls, row, board) {
                count.looked += list.len();
                count.solved += slab.settle_some(list.iter().copied(), &self.time, &mut leads);
            }
        } else {
            for link in self.cops.links(board) {
                let list = &self.fresh[link.to as usize];
                count.looked += list.len();
                let before = list.iter().map(|new| Fresh {
                    robber: new.robber,
                    cops: self.cops.before(link, new.cops),
                });
                count.solved += slab.settle_some(before, &self.time, &mut leads);
            }
        }
        count
    }
}
