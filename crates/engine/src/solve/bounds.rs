//! Proven lower and upper bounds on values.

use super::store::Store;
use crate::game::{Outcome, Turns};
use serde::{Deserialize, Serialize};

/// The proven bounds on the value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The robber can force at least this outcome.
    pub lower: Outcome,
    /// The cops can force this outcome or an earlier capture. This is [`Outcome::Escapes`] as long as no
    /// capture is proven.
    pub upper: Outcome,
}

impl Bounds {
    /// The value, if the bounds agree.
    #[must_use]
    pub fn value(&self) -> Option<Outcome> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// An infinite number of turns: the robber escapes, or there is no upper bound yet.
pub const NEVER: u16 = u16::MAX;

/// The greatest number of turns that a search looks ahead.
pub const MOST_TURNS: u16 = (1 << 15) - 1;

/// A lower and an upper bound in turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// At least this number of turns.
    pub lower: u16,
    /// At most this number of turns.
    pub upper: u16,
}

impl Span {
    pub(crate) const UNKNOWN: Self = Self {
        lower: 0,
        upper: NEVER,
    };

    /// The bounds of a known value, in turns.
    #[must_use]
    pub const fn exactly(turns: u16) -> Self {
        Self {
            lower: turns,
            upper: turns,
        }
    }

    /// Adds one turn to both bounds.
    pub(crate) const fn after_a_turn(self) -> Self {
        Self {
            lower: self.lower.saturating_add(1),
            upper: self.upper.saturating_add(1),
        }
    }

    /// The same bounds as outcomes.
    #[must_use]
    pub fn bounds(self) -> Bounds {
        let outcome = |turns| match turns {
            NEVER => Outcome::Escapes,
            turns => Outcome::Caught(Turns(turns)),
        };
        Bounds {
            lower: outcome(self.lower),
            upper: outcome(self.upper),
        }
    }

    /// The tighter of two lower bounds, and the tighter of two upper ones.
    #[must_use]
    pub fn narrowed(self, other: Self) -> Self {
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }
}

/// The bounds of all states that a search has met, with either side to move.
///
/// Each state takes four numbers of 16 bits. An upper bound is stored as its complement, so that 0 means that
/// nothing is known.
#[derive(Debug)]
pub struct Known(Store<u64>);

/// The side to move, as the position of its bounds within a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToMove {
    /// The cops are to move.
    Cops = 0,
    /// The robber is to move.
    Robber = 32,
}

impl Known {
    /// A table without bounds, for states of `cops` cops on `places` places. It takes at most `limit` bytes.
    #[must_use]
    pub fn new(cops: usize, places: usize, limit: u64) -> Self {
        Self(Store::new(cops, places, limit))
    }

    /// From now on the table takes at most `limit` bytes, unless it has already.
    pub(crate) const fn set_limit(&mut self, limit: u64) {
        self.0.set_limit(limit);
    }

    /// The bounds of the state with this [key](super::Spot::key).
    #[must_use]
    pub fn get(&self, key: u64, side: ToMove) -> Span {
        span(self.0.get(key) >> side as u32)
    }

    /// Tightens the bounds of a state; `None` if there is no memory for the state.
    pub fn narrow(&mut self, key: u64, side: ToMove, new: Span) -> Option<()> {
        let number = self.0.slot(key)?;
        let known = span(*number >> side as u32).narrowed(new);
        let bits = u64::from(known.lower) | u64::from(!known.upper) << 16;
        *number = *number & !(0xffff_ffff << side as u32) | bits << side as u32;
        Some(())
    }

    /// The memory in use, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

fn span(bits: u64) -> Span {
    Span {
        lower: bits as u16,
        upper: !((bits >> 16) as u16),
    }
}
