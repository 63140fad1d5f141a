//! Settings of how well a robber plays.

use crate::search::Dice;
use serde::{Deserialize, Serialize};

/// How much worse than it could a robber plays: what [`DialledRobber`](super::DialledRobber) goes by.
/// The default is full strength.
///
/// Turns need not be whole: of a half the dice decide each turn anew which way it is rounded, so that
/// every setting can be turned without a jump. No value is wrong: numbers beyond their range count as
/// the end of it, and one that is none (NaN) as the default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Difficulty {
    /// How many turns ago the cops stood where the robber takes them to be, from 0 to
    /// [`MAX_TURNS`](Self::MAX_TURNS). Of the map and of itself it always knows the present.
    pub reaction: f32,
    /// From how many turns away the robber notices a cop, as if there were no walls: one further away
    /// does not exist for it, and where it notices none it stays where it is. From 0 to
    /// [`MAX_TURNS`](Self::MAX_TURNS), `None` for all cops.
    pub look_ahead: Option<f32>,
    /// The share of moves, from 0 to 1, that are second best: not what the policy would do but what
    /// else takes the robber furthest from the nearest cop as the crow flies.
    pub mistakes: f32,
}

impl Difficulty {
    /// Full strength.
    pub const FULL: Self = Self {
        reaction: 0.0,
        look_ahead: None,
        mistakes: 0.0,
    };

    /// As many turns as count.
    pub const MAX_TURNS: u16 = 1024;

    /// The difficulty at a position of a dial from 0, a robber that hardly runs, to 1, full strength;
    /// numbers beyond count as the end, NaN as 1.
    ///
    /// From 1 down to 0.4 more and more moves are second best, until all are: the robber runs straight
    /// away from the nearest cop. Below, it also notices cops from ever less far, at 0 from 1.6 turns
    /// away, and up to a turn late. Survival rises with the dial about in a straight line: measured on
    /// set 1 of C. Moldenhauer's thesis with one cop of speed 2, from 70 % of the optimum (a robber that never
    /// moves comes to 67 %) to the policy's own, nowhere further than two points from the line. Beyond
    /// the papers.
    #[must_use]
    pub fn level(level: f32) -> Self {
        /// From here on the robber notices all cops.
        const ALERT: f32 = 0.4;
        let level = if level.is_nan() { 1.0 } else { level };
        let level = level.clamp(0.0, 1.0);
        let alert = level / ALERT;
        let is_alert = alert >= 1.0;
        Self {
            reaction: if is_alert { 0.0 } else { 1.0 - alert },
            look_ahead: (!is_alert).then(|| 1.6 + alert / (1.0 - alert)),
            mistakes: ((1.0 - level) / (1.0 - ALERT)).min(1.0),
        }
    }

    /// The settings as they count: in their ranges.
    #[must_use]
    pub fn in_range(self) -> Self {
        let most = f32::from(Self::MAX_TURNS);
        let look_ahead = self.look_ahead.filter(|turns| !turns.is_nan());
        Self {
            reaction: within(self.reaction, most),
            look_ahead: look_ahead.map(|turns| within(turns, most)),
            mistakes: within(self.mistakes, 1.0),
        }
    }
}

impl Default for Difficulty {
    fn default() -> Self {
        Self::FULL
    }
}

/// A number from 0 to `most`; 0 for none.
fn within(number: f32, most: f32) -> f32 {
    if number.is_nan() {
        0.0
    } else {
        number.clamp(0.0, most)
    }
}

/// Draws an event that happens in this share of cases.
pub(super) fn happens(share: f32, dice: &mut Dice) -> bool {
    const CASES: usize = 1 << 24;
    let cases = (share * CASES as f32) as usize;
    cases > 0 && dice.below(CASES) < cases
}

/// One of the two whole numbers beside a number, so that the mean is right.
pub(super) fn rounded(number: f32, dice: &mut Dice) -> u16 {
    let whole = number.floor();
    whole as u16 + u16::from(happens(number - whole, dice))
}
