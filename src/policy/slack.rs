//! By how much cops may stay behind a proven bound.

use crate::game::Turns;

/// By how much cops that announce a capture may stay behind the proven bound.
///
/// A bound is a little greater than the value, and moves after which it is lower are not always the quickest ones. Cops
/// that announce a capture within some turns more may choose among more moves, and still capture within that time.
///
/// Measured with two cops and a [`RetractGuide`](super::RetractGuide) against the optimal robber on five maps: with the
/// default the same turns within 0.5 % as with more slack; without slack 1 to 3 % more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slack {
    percent: u32,
    turns: u32,
}

impl Slack {
    /// Each move has to lower the bound.
    pub(crate) const NONE: Self = Self {
        percent: 0,
        turns: 0,
    };

    /// The turns to announce where a capture within `bound` turns is proven.
    pub(crate) fn within(self, bound: Turns) -> Turns {
        let Turns(bound) = bound;
        let slack = u32::from(bound) * self.percent / 100 + self.turns;
        Turns(bound.saturating_add(u16::try_from(slack).unwrap_or(u16::MAX)))
    }
}

impl Default for Slack {
    fn default() -> Self {
        Self {
            percent: 40,
            turns: 3,
        }
    }
}
