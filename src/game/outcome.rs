use serde::{Deserialize, Serialize};
use std::fmt;

/// A number of turns: one turn is a joint move of the cops and a move of the robber.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub struct Turns(pub u16);

/// How a game ends. Orders by what the robber prefers: later capture is greater, escape greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum Outcome {
    /// The cops capture the robber with their move of this number; 0 if one stands on it already.
    Caught(Turns),
    /// The robber is never captured.
    Escapes,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Caught(Turns(turns)) => write!(f, "{turns}"),
            Self::Escapes => f.write_str("inf"),
        }
    }
}

/// An outcome together with how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum Value {
    /// The outcome under optimal play of both sides.
    Exact(Outcome),
    /// The robber can make sure of this much, perhaps of more.
    AtLeast(Outcome),
}

impl Value {
    /// What a path is worth whose robber keeps to it: at least so much, and exactly that where no cop
    /// can come, since nothing that they do changes it.
    #[must_use]
    pub const fn of_path(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Escapes => Self::Exact(outcome),
            Outcome::Caught(_) => Self::AtLeast(outcome),
        }
    }
}
