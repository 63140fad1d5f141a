//! Kinds of agents, which decide who may enter a tile.

use serde::{Deserialize, Serialize};
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// A set of up to 32 kinds of agents: what an agent is, or who may enter a tile.
///
/// A game numbers its kinds from 0 and gives each a meaning: ghost, guard, swimmer, owner of the red key. A tile
/// [admits](Self::admits) an agent if the two share a kind, or if the tile is for [everybody](Self::ALL).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[serde(transparent)]
pub struct Kinds(u32);

impl Kinds {
    /// No kind. An agent of no kind enters the tiles that are for everybody; a tile for no kind is entered by nobody.
    pub const NONE: Self = Self(0);

    /// Every kind. A tile for all kinds is also for agents of no kind.
    pub const ALL: Self = Self(u32::MAX);

    /// The number of kinds.
    pub const COUNT: u32 = u32::BITS;

    /// One kind by its number; `None` unless the number is below [`COUNT`](Self::COUNT).
    #[must_use]
    pub const fn numbered(number: u32) -> Option<Self> {
        if number < Self::COUNT {
            Some(Self(1 << number))
        } else {
            None
        }
    }

    /// The kinds of these bits: bit `n` is the kind of number `n`.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The kinds as bits: bit `n` is the kind of number `n`.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns whether there is no kind in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds of both sets.
    #[must_use]
    pub const fn with(self, more: Self) -> Self {
        Self(self.0 | more.0)
    }

    /// The kinds of this set that are not in the other one.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Returns whether a tile for these kinds admits an agent of some kinds.
    #[must_use]
    pub const fn admits(self, agent: Self) -> bool {
        self.0 == u32::MAX || self.0 & agent.0 != 0
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, more: Self) -> Self {
        self.with(more)
    }
}

impl BitOrAssign for Kinds {
    fn bitor_assign(&mut self, more: Self) {
        *self = self.with(more);
    }
}

impl BitAnd for Kinds {
    type Output = Self;

    fn bitand(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }
}
