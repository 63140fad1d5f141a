//! How much work was done.

use std::ops::{Add, AddAssign, Sub};

/// Work that was done. Budgets are counted in expansions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Work {
    /// The number of vertices, or of states, whose neighbours were generated.
    pub expansions: u64,
    /// The number of neighbours that were generated.
    pub touched: u64,
}

impl Work {
    /// No work.
    pub const NONE: Self = Self {
        expansions: 0,
        touched: 0,
    };

    /// Returns this work, and counts anew.
    #[must_use]
    pub const fn take(&mut self) -> Self {
        std::mem::replace(self, Self::NONE)
    }
}

impl Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            expansions: self.expansions + other.expansions,
            touched: self.touched + other.touched,
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Work {
    type Output = Self;

    /// The work that was done since `before`.
    fn sub(self, before: Self) -> Self {
        Self {
            expansions: self.expansions - before.expansions,
            touched: self.touched - before.touched,
        }
    }
}
