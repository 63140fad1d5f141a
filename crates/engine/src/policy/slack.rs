//! By how much cops may exceed a proven bound.

use crate::game::Turns;

/// By how much cops that announce a capture may exceed the proven bound.
///
/// A bound is a little greater than the value, and moves that lower the bound are not always the fastest ones. Cops
/// that announce a capture within a few more turns may choose among more moves, and still capture within the announced
/// time.
///
/// Measured with two cops and a [`RetractGuide`](super::RetractGuide) against the optimal robber on five maps: the
/// default takes the same number of turns as more slack, within 0.5 %; no slack takes 1 to 3 % more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slack {
    percent: u32,
    turns: u32,
}

impl Slack {
    /// Each move has to lower the bound.
    #[doc(hidden)]
    pub const NONE: Self = Self {
        percent: 0,
        turns: 0,
    };

    /// For cops that keep the bounds of subsets while a guide chooses their moves. A subset knows less of what the whole
    /// team can do. Measured with three cops, pairs and a retract for three against the optimal robber on ten maps of 150
    /// to 240 vertices: more slack changes nothing, and with 3 turns instead of 6, one game in 120 takes 1.3 times the
    /// optimum instead of 1.1 times.
    pub(crate) const OF_SUBSETS: Self = Self {
        percent: 40,
        turns: 6,
    };

    /// The number of turns to announce where a capture within `bound` turns is proven.
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
