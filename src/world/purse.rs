//! The purse of a tick: the only counter of its work, and the shares of the budget for each kind of work.

use super::budget::Meter;
use crate::endgame::Endgames;

/// A share of a budget.
///
/// Only [`Plans`](Self::Plans) is kept for somebody. Every other share is a limit: work gets at most its share, and no
/// more than is left. So the shares need not add up to the whole. In the order of a tick, each kind of work gets at most:
///
/// | work | limit |
/// |---|---|
/// | repairs of the abstraction | all but [`Plans`](Self::Plans), while an agent may want a plan |
/// | [`Shadows`](Self::Shadows) | a quarter of the whole |
/// | plans | all that is left; [`Searches`](Self::Searches) decides only which searches are affordable |
/// | a decision by a table of fewer cops | all that is left but [`Plans`](Self::Plans) |
/// | [`Choosing`](Self::Choosing) | half of what is left, in each pursuit |
/// | a decision by a guide | all that is left |
/// | [`LocalEndgames`](Self::LocalEndgames) | a quarter of the whole, more if the budget is small |
/// | [`ExactPositions`](Self::ExactPositions) | half of the whole |
///
/// The last two come after all moves and plans. If these have taken more than a quarter of the whole, exact positions
/// get only what is left. What cops need to keep an announcement is [kept back](Purse::keep_back) from all work before
/// their decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// What is kept for plans: while the abstraction is repaired, and when cops decide by a table of fewer cops. In the
    /// latter case, it is for the plans of robbers.
    Plans,
    /// What searching for shadows of retracts may take before these come into use. A few are found in each tick,
    /// whatever its budget.
    Shadows,
    /// What the searches of all teams, or of all robbers, may take together for their results to be in time. It is a
    /// share of the ticks in which they run.
    Searches,
    /// What choosing the moves of a pursuit may take. The rest is for the plans of its robbers.
    Choosing,
    /// What solving local endgames may take. A table then takes some turns to solve, and is useful for longer, and
    /// ticks with little other work stay short.
    LocalEndgames,
    /// What working out exact positions may take.
    ExactPositions,
}

/// What solving local endgames may take where a quarter of the budget is less than this, but at most half of the
/// budget.
const LEAST_FOR_ENDGAMES: u64 = 2_500;

impl Share {
    /// This share of a number of expansions.
    pub(super) fn of(self, whole: u64) -> u64 {
        match self {
            Self::Plans | Self::Shadows => whole / 4,
            Self::Searches | Self::Choosing | Self::ExactPositions => whole / 2,
            // A slice is not divided, however small the budget.
            Self::LocalEndgames => (whole / 4)
                .max(LEAST_FOR_ENDGAMES.min(whole / 2))
                .max(Endgames::COST_OF_A_SLICE),
        }
    }
}

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
    use super::super::Expansions;
    use super::*;

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

    #[test]
    fn shares_are_limits() {
        let shares = [
            Share::Plans,
            Share::Shadows,
            Share::Searches,
            Share::Choosing,
            Share::LocalEndgames,
            Share::ExactPositions,
        ];
        let of = |whole: u64| shares.map(|share| share.of(whole));
        assert_eq!(of(40_000), [10_000, 10_000, 20_000, 20_000, 10_000, 20_000]);
        assert_eq!(of(8_000), [2_000, 2_000, 4_000, 4_000, 2_500, 4_000]);
        let slice = Endgames::COST_OF_A_SLICE;
        assert_eq!(of(0), [0, 0, 0, 0, slice, 0]);
    }
}
