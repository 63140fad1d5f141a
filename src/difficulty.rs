//! How strong agents play: reaction times, and one dial over all that weakens them.

use crate::agent::Mistakes;
use bevy::prelude::*;
use pursuit_engine::world::AgentSetup;

/// The reaction time of an agent, in turns; on the clock [`FreeRunning`](super::PursuitClock::FreeRunning), in its own
/// moves. Without it, an agent takes notice of each move of its opponents.
///
/// For this number of turns after it made its plan, the agent goes on by it, whatever its opponents do, as long as the
/// plan has steps and no edit touches it. A cop still captures a robber that its move can capture, and a robber reacts at
/// once to a cop within two turns of it. Searches for a hidden robber, errands and duties know no reaction time.
///
/// Agents with a reaction time plan, and use no tables, proofs and guides; nor do the cops of a pursuit with such a cop.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct Reaction(pub u8);

/// How strong an agent plays, from 0 (the weakest) to 1 (full strength): one dial over [`Mistakes`] and [`Reaction`].
///
/// | difficulty | share of mistakes | reaction time in turns |
/// |---|---|---|
/// | `d` | 0.5 · (1 − `d`) | 6 · (1 − `d`), rounded |
/// | 1 | 0 | 0 |
/// | 0.5 | 0.25 | 3 |
/// | 0 | 0.5 | 6 |
///
/// On an agent it holds for that agent, on the entity of a [`Pursuit`](super::Pursuit) for all agents in it that have none
/// of their own, and on the entity of a map for those in the map's own pursuit. `Mistakes` and `Reaction` of an agent win
/// over it. It works for cops and robbers. Values outside the range are clamped, and NaN counts as 1.
///
/// To change it, insert it again. Snapshots contain what it comes to for each agent. When a map is restored, an agent that
/// played otherwise than its components say by then gets components that say so; one on the pursuit or the map stays.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq)]
#[reflect(Component, Default, PartialEq)]
#[component(immutable)]
pub struct Difficulty(pub f32);

/// What weakens an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Weakness {
    /// The number of mistakes among the moves that [`AgentSetup::mistakes`] counts on.
    pub(super) mistakes: u16,
    /// In turns.
    pub(super) reaction: u8,
}

/// The share of mistakes at difficulty 0.
const MISTAKES: f32 = 0.5;

/// The reaction time at difficulty 0, in turns.
const REACTION: f32 = 6.0;

impl Default for Difficulty {
    fn default() -> Self {
        Self(1.0)
    }
}

impl Difficulty {
    fn weakness(self) -> Weakness {
        let less = 1.0 - self.0.clamp(0.0, 1.0);
        Weakness {
            // The conversions take NaN for 0.
            mistakes: Mistakes(MISTAKES * less).of_moves(),
            reaction: (REACTION * less).round() as u8,
        }
    }

    /// The difficulty that comes to this; `None` if none does.
    pub(super) fn that_is(weakness: Weakness) -> Option<Self> {
        let most = MISTAKES * f32::from(AgentSetup::MOVES_OF_MISTAKES);
        let difficulty = Self(1.0 - f32::from(weakness.mistakes) / most);
        (difficulty.weakness() == weakness).then_some(difficulty)
    }
}

impl Weakness {
    /// What weakens an agent with these components, if there are any.
    pub(super) fn of(
        mistakes: Option<&Mistakes>,
        reaction: Option<&Reaction>,
        difficulty: Option<&Difficulty>,
    ) -> Self {
        let by_dial = difficulty.copied().unwrap_or_default().weakness();
        Self {
            mistakes: mistakes.map_or(by_dial.mistakes, |share| share.of_moves()),
            reaction: reaction.map_or(by_dial.reaction, |turns| turns.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Difficulty, Weakness};

    #[test]
    fn each_step_of_the_dial_is_known_again() {
        for step in 0..=500_u16 {
            let difficulty = Difficulty(f32::from(step) / 500.0);
            let weakness = difficulty.weakness();
            let again = Difficulty::that_is(weakness).map(Difficulty::weakness);
            assert_eq!(again, Some(weakness), "{difficulty:?}");
        }
        let [weakest, full] = [0.0, 1.0].map(|dial| Difficulty(dial).weakness());
        assert_eq!((weakest.mistakes, weakest.reaction), (500, 6));
        assert_eq!((full.mistakes, full.reaction), (0, 0));
        assert_eq!(Difficulty(f32::NAN).weakness(), full);
        assert_eq!(Difficulty(-3.0).weakness(), weakest);
        let other = Weakness {
            mistakes: 250,
            reaction: 0,
        };
        assert_eq!(Difficulty::that_is(other), None);
    }
}
