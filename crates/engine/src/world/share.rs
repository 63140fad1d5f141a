//! The shares of the budget that kinds of work get.

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
///
/// The last one comes after all moves and plans. What cops need to keep an announcement is [kept back](super::purse::Purse::keep_back) from all work before
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
}

/// What solving local endgames may take where a quarter of the budget is less than this, but at most half of the
/// budget.
const LEAST_FOR_ENDGAMES: u64 = 2_500;

impl Share {
    /// This share of a number of expansions.
    pub(super) fn of(self, whole: u64) -> u64 {
        match self {
            Self::Plans | Self::Shadows => whole / 4,
            Self::Searches | Self::Choosing => whole / 2,
            // A slice is not divided, however small the budget.
            Self::LocalEndgames => (whole / 4)
                .max(LEAST_FOR_ENDGAMES.min(whole / 2))
                .max(Endgames::EXPANSIONS_OF_A_SLICE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_limits() {
        let shares = [
            Share::Plans,
            Share::Shadows,
            Share::Searches,
            Share::Choosing,
            Share::LocalEndgames,
        ];
        let of = |whole: u64| shares.map(|share| share.of(whole));
        assert_eq!(of(40_000), [10_000, 10_000, 20_000, 20_000, 10_000]);
        assert_eq!(of(8_000), [2_000, 2_000, 4_000, 4_000, 2_500]);
        let slice = Endgames::EXPANSIONS_OF_A_SLICE;
        assert_eq!(of(0), [0, 0, 0, 0, slice]);
    }
}
