//! The way from one cell to another.

use super::Cell;

/// The number of columns to the right and of rows down from one cell to another, negative to the left and up. A step is an
/// offset to a cell beside the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Offset {
    pub(crate) dx: i32,
    pub(crate) dy: i32,
}

impl Offset {
    /// The offset of no columns and no rows.
    pub(crate) const ZERO: Self = Self::new(0, 0);

    pub(crate) const fn new(dx: i32, dy: i32) -> Self {
        Self { dx, dy }
    }

    /// The offset from a cell to another.
    pub(crate) fn between(from: Cell, to: Cell) -> Self {
        Self {
            dx: i32::from(to.x) - i32::from(from.x),
            dy: i32::from(to.y) - i32::from(from.y),
        }
    }
}
