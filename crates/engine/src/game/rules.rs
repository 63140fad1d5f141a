//! The rules of a game: number of cops, speeds and steps.

use super::State;
use crate::map::Moves;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU8;

/// The maximum number of steps of an agent per turn, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Speed(NonZeroU8);

impl Speed {
    /// One step per turn.
    pub const ONE: Self = Self(NonZeroU8::MIN);

    /// A speed of `steps` per turn, `None` for 0.
    #[must_use]
    pub const fn new(steps: u8) -> Option<Self> {
        match NonZeroU8::new(steps) {
            Some(steps) => Some(Self(steps)),
            None => None,
        }
    }

    /// The number of steps, at least 1.
    #[must_use]
    pub const fn steps(self) -> u8 {
        self.0.get()
    }
}

impl Default for Speed {
    fn default() -> Self {
        Self::ONE
    }
}

impl From<NonZeroU8> for Speed {
    fn from(steps: NonZeroU8) -> Self {
        Self(steps)
    }
}

/// The rules of a game: the number of interchangeable cops, the speeds and the steps.
///
/// The default is the classical game: one cop of the robber's speed on an octile map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// The number of cops, at least 1.
    pub cops: NonZeroU8,
    /// The speed of each cop.
    pub cop_speed: Speed,
    /// The speed of the robber.
    pub robber_speed: Speed,
    /// The allowed steps.
    pub moves: Moves,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            cops: NonZeroU8::MIN,
            cop_speed: Speed::ONE,
            robber_speed: Speed::ONE,
            moves: Moves::Octile,
        }
    }
}

impl Rules {
    /// The rules of a state; `None` if it has no cops, more than 255, or cops of different speeds,
    /// which are not interchangeable.
    ///
    /// A table is valid only for the rules it was solved for.
    #[must_use]
    pub fn of(state: &State<'_>, moves: Moves) -> Option<Self> {
        let count = u8::try_from(state.cops.len()).ok();
        let cop_speed = state.cops.first()?.speed;
        let alike = state.cops.iter().all(|cop| cop.speed == cop_speed);
        Some(Self {
            cops: count.and_then(NonZeroU8::new).filter(|_| alike)?,
            cop_speed,
            robber_speed: state.robber.speed,
            moves,
        })
    }
}
