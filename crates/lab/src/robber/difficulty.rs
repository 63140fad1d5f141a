//! Settings of how well a robber plays.

use pursuit_engine::search::Dice;
use serde::{Deserialize, Serialize};

/// How far a [`DialledRobber`](super::DialledRobber) plays below its strength. The default is full
/// strength.
///
/// Numbers of turns need not be whole: a fraction is rounded up or down at random, anew in each turn, so
/// that play changes smoothly with every setting. All values are accepted: a number beyond its range
/// counts as the end of the range, and NaN as the default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Difficulty {
    /// The age, in turns, of the cop positions that the robber knows, from 0 to
    /// [`MAX_TURNS`](Self::MAX_TURNS). It always knows the present map and its own position.
    pub reaction: f32,
    /// The distance in turns, ignoring walls, up to which the robber notices a cop. It ignores cops that
    /// are further away, and waits while it notices none. From 0 to [`MAX_TURNS`](Self::MAX_TURNS);
    /// `None` means that it notices all cops.
    pub look_ahead: Option<f32>,
    /// The share of moves, from 0 to 1, that are mistakes: of all moves but the policy's own, one that ends as far from the
    /// nearest cop as possible, as the crow flies. Agents of a game err in the same way.
    pub mistakes: f32,
}

impl Difficulty {
    /// The upper end of the settings that are numbers of turns.
    pub const MAX_TURNS: u16 = 1024;

    /// The difficulty at a position of a dial from 0, a robber that hardly runs, to 1, full strength;
    /// numbers beyond count as the end, NaN as 1.
    ///
    /// From 1 down to 0.4, a growing share of the moves are mistakes, until all are: the robber runs straight away
    /// from the nearest cop. Below 0.4, the robber also notices cops only from shorter and shorter distances, down to
    /// 1.6 turns, and up to a turn late. Survival rises almost linearly with the dial, from 70 % of the optimum (67 %
    /// for a robber that never moves) to that of the policy itself, and is never more than two percentage points off
    /// the line: measured on set 1 of C. Moldenhauer's thesis with one cop of speed 2. The dial is own work.
    #[must_use]
    pub fn level(level: f32) -> Self {
        /// At this position and above, the robber notices all cops.
        const ALERT: f32 = 0.4;
        let level = if level.is_nan() { 1.0 } else { level };
        let level = level.clamp(0.0, 1.0);
        let alert = level / ALERT;
        let is_alert = alert >= 1.0;
        Self {
            reaction: if is_alert { 0.0 } else { 1.0 - alert },
            look_ahead: (!is_alert).then(|| 1.6 + alert / (1.0 - alert)),
            mistakes: (1.0 - level) / (1.0 - ALERT),
        }
        .in_range()
    }

    /// The settings in use: numbers beyond their range replaced by the end of the range.
    pub(super) fn in_range(self) -> Self {
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
        Self {
            reaction: 0.0,
            look_ahead: None,
            mistakes: 0.0,
        }
    }
}

/// `number`, limited to the range from 0 to `most`; 0 for NaN.
fn within(number: f32, most: f32) -> f32 {
    if number.is_nan() {
        0.0
    } else {
        number.clamp(0.0, most)
    }
}

/// Draws whether an event of this probability happens.
pub(super) fn happens(share: f32, dice: &mut Dice) -> bool {
    const CASES: usize = 1 << 24;
    let cases = (share * CASES as f32) as usize;
    cases > 0 && dice.below(CASES) < cases
}

/// Rounds a number up or down at random, so that the mean is the number itself.
pub(super) fn rounded(number: f32, dice: &mut Dice) -> u16 {
    let whole = number.floor();
    whole as u16 + u16::from(happens(number - whole, dice))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_level_just_below_that_of_an_alert_robber_is_a_setting() {
        let difficulty = Difficulty::level(0.399_9);
        assert_eq!(difficulty, difficulty.in_range());
        assert!(difficulty.look_ahead.is_some());
    }

    proptest! {
        #[test]
        fn all_numbers_are_settings(
            reaction in any::<f32>(),
            look_ahead in any::<Option<f32>>(),
            mistakes in any::<f32>(),
            level in any::<f32>(),
        ) {
            let difficulty = Difficulty { reaction, look_ahead, mistakes };
            for difficulty in [difficulty.in_range(), Difficulty::level(level)] {
                let most = f32::from(Difficulty::MAX_TURNS);
                prop_assert!((0.0..=most).contains(&difficulty.reaction));
                prop_assert!((0.0..=most).contains(&difficulty.look_ahead.unwrap_or_default()));
                prop_assert!((0.0..=1.0).contains(&difficulty.mistakes));
                prop_assert_eq!(difficulty, difficulty.in_range());
            }
        }
    }
}
