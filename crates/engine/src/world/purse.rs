//! The purse of a tick: the only counter of its work.

use super::budget::Meter;
use super::share::Share;

/// The budget of a tick while the tick runs: what has been spent, and what the meter still grants.
pub(super) struct Purse<'a> {
    meter: &'a mut dyn Meter,
    spent: u64,
    /// What is kept back for later work.
    kept: u64,
}

impl<'a> Purse<'a> {
    /// A purse for the rest of a tick in which `spent` expansions have been spent before.
    pub(super) const fn new(meter: &'a mut dyn Meter, spent: u64) -> Self {
        let kept = 0;
        Self { meter, spent, kept }
    }

    /// Counts work, in expansions.
    pub(super) const fn spend(&mut self, expansions: u64) {
        self.spent += expansions;
    }

    /// The expansions that have been spent since the tick began.
    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    /// From now on, keeps back this number of expansions for later work, instead of what was kept back before.
    pub(super) const fn keep_back(&mut self, expansions: u64) {
        self.kept = expansions;
    }

    /// What has been spent or is kept back.
    const fn taken(&self) -> u64 {
        self.spent.saturating_add(self.kept)
    }

    /// The expansions that may be spent before the next call; 0 to stop. See [`Meter::left`].
    pub(super) fn left(&mut self) -> u64 {
        self.meter.left(self.taken())
    }

    /// About how many expansions may be spent in one piece of work. See [`Meter::left_in_one`].
    pub(super) fn left_in_one(&mut self) -> u64 {
        self.meter.left_in_one(self.taken())
    }

    /// The expansions that repairs may spend before the next call, while an agent may want a plan. See
    /// [`Meter::left_for_repairs`].
    pub(super) fn left_for_repairs(&mut self) -> u64 {
        self.meter.left_for_repairs(self.taken())
    }

    /// About how many expansions a whole tick may spend.
    pub(super) fn whole(&self) -> u64 {
        self.meter.whole()
    }

    /// A share of the whole tick.
    pub(super) fn share(&self, share: Share) -> u64 {
        share.of(self.whole())
    }

    /// What will have been [spent](Self::spent) when work that begins now has used up its share of the tick.
    pub(super) fn end_of(&self, share: Share) -> u64 {
        self.spent + self.share(share)
    }

    /// Returns whether a piece of work of this cost fits into the rest of the tick. A meter of time grants little at
    /// once, whatever is left of the tick.
    pub(super) fn fits(&mut self, cost: u64) -> bool {
        self.left() > 0 && self.taken() + cost <= self.whole()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::budget::Expansions;

    #[test]
    fn what_is_kept_back_is_not_left() {
        let meter = &mut Expansions(1_000);
        let purse = &mut Purse::new(meter, 100);
        assert_eq!((purse.left(), purse.left_for_repairs()), (900, 650));
        purse.keep_back(300);
        purse.spend(50);
        assert_eq!((purse.spent(), purse.left()), (150, 550));
        assert_eq!((purse.left_in_one(), purse.left_for_repairs()), (550, 300));
        assert!(purse.fits(550) && !purse.fits(551));
        purse.keep_back(0);
        assert_eq!(purse.left(), 850);
        assert!(purse.fits(850) && !purse.fits(851));
    }
}
