//! Outcomes of a game, and values that are exact or bounds.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// A number of turns. One turn is a joint move of the cops and a move of the robber.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct Turns(pub u16);

/// How a game ends. Ordered by the robber's preference: caught early, caught late, free for ever, away
/// late, away early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum Outcome {
    /// The cops capture the robber with their move of this number; 0 if a cop is already on it.
    Caught(Turns),
    /// The robber is never captured. Where there are exits, it does not reach one either.
    Escapes,
    /// The robber reaches an exit in the turn of this number; 0 if it is already on one.
    Away(Turns),
}

impl Outcome {
    /// Whether the robber is caught, free or away, and then its preference.
    const fn rank(self) -> (u8, u16) {
        match self {
            Self::Caught(Turns(turns)) => (0, turns),
            Self::Escapes => (1, 0),
            Self::Away(Turns(turns)) => (2, u16::MAX - turns),
        }
    }
}

impl Ord for Outcome {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Outcome {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caught(Turns(turns)) => write!(f, "{turns}"),
            Self::Escapes => f.write_str("inf"),
            Self::Away(Turns(turns)) => write!(f, "away {turns}"),
        }
    }
}

/// An outcome that is exact or a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum Value {
    /// The outcome under optimal play of both sides.
    Exact(Outcome),
    /// The robber can force at least this outcome.
    AtLeast(Outcome),
    /// The cops can force this outcome or an earlier capture.
    AtMost(Outcome),
}

impl Value {
    /// The value of a position whose robber follows a path with this outcome. The outcome is a lower
    /// bound, and exact for an escape, which no cop move can prevent.
    #[must_use]
    pub const fn of_path(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Escapes => Self::Exact(outcome),
            Outcome::Caught(_) | Outcome::Away(_) => Self::AtLeast(outcome),
        }
    }
}
