//! Who walks on a map: the kinds and the size of an agent.

use super::{Cell, Kinds};
use serde::{Deserialize, Serialize};

/// The side of the square of cells that an agent covers: 1 to [`MAX`](Self::MAX).
///
/// The agent stands on its own cell, which is the one with the least column and row of the square. It goes where the whole
/// square is passable for its kinds and free of thin walls. Over hexagons, only a size of 1 fits anywhere.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(
    feature = "bevy",
    derive(bevy_ecs::component::Component),
    component(immutable)
)]
#[serde(try_from = "u8", into = "u8")]
pub struct BodySize(
    /// One less than the side.
    u8,
);

impl BodySize {
    /// One cell.
    pub const ONE: Self = Self(0);

    /// Two by two cells.
    pub const TWO: Self = Self(1);

    /// Three by three cells.
    pub const THREE: Self = Self(2);

    /// The greatest side.
    pub const MAX: u8 = 4;

    /// A body with a side of this number of cells; `None` unless it is 1 to [`MAX`](Self::MAX).
    #[must_use]
    pub const fn new(side: u8) -> Option<Self> {
        if side >= 1 && side <= Self::MAX {
            Some(Self(side - 1))
        } else {
            None
        }
    }

    /// The number of cells along a side.
    #[must_use]
    pub const fn side(self) -> u8 {
        self.0 + 1
    }

    /// Returns whether the body is a single cell.
    #[must_use]
    pub const fn is_one(self) -> bool {
        self.0 == 0
    }

    /// The cells that a body covers that stands on a cell, row by row; without those beyond the greatest coordinates.
    pub fn cells(self, at: Cell) -> impl Iterator<Item = Cell> + Clone {
        let side = i32::from(self.side());
        let all = (0..side).flat_map(move |dy| (0..side).map(move |dx| (dx, dy)));
        all.filter_map(move |(dx, dy)| at.offset(dx, dy))
    }

    /// The cells on which a body covers a given cell; without those beyond coordinates of 0.
    pub(crate) fn places_over(self, covered: Cell) -> impl Iterator<Item = Cell> + Clone {
        self.places_touching(covered, Self::ONE)
    }

    /// The cells on which a body overlaps another one that stands on a given cell, row by row.
    pub(crate) fn places_touching(
        self,
        other: Cell,
        other_size: Self,
    ) -> impl Iterator<Item = Cell> + Clone {
        let [before, after] = [self, other_size].map(|size| i32::from(size.0));
        let all = (-before..=after).flat_map(move |dy| (-before..=after).map(move |dx| (dx, dy)));
        all.filter_map(move |(dx, dy)| other.offset(dx, dy))
    }

    /// Returns whether a body on a cell overlaps another one on another cell.
    #[must_use]
    pub const fn overlaps(self, at: Cell, other: Cell, other_size: Self) -> bool {
        overlap(at.x, self, other.x, other_size) && overlap(at.y, self, other.y, other_size)
    }
}

/// Returns whether two bodies share a column, or a row.
const fn overlap(at: u16, size: BodySize, other: u16, other_size: BodySize) -> bool {
    let (at, other) = (at as u32, other as u32);
    at + size.0 as u32 >= other && other + other_size.0 as u32 >= at
}

impl From<BodySize> for u8 {
    fn from(size: BodySize) -> Self {
        size.side()
    }
}

impl TryFrom<u8> for BodySize {
    type Error = &'static str;

    fn try_from(side: u8) -> Result<Self, Self::Error> {
        Self::new(side).ok_or("the side of a body: expected 1 to 4 cells")
    }
}

/// Who walks on a ground: agents of the same kinds and size go to the same places by the same steps.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Walker {
    /// The kinds.
    pub kinds: Kinds,
    /// The size.
    pub size: BodySize,
}

impl Walker {
    /// An agent of no kind and one cell, which walks on the map's own ground.
    pub const PLAIN: Self = Self {
        kinds: Kinds::NONE,
        size: BodySize::ONE,
    };

    /// Returns whether the agent is of no kind and one cell.
    #[must_use]
    pub const fn is_plain(self) -> bool {
        self.kinds.is_empty() && self.size.is_one()
    }
}

impl From<Kinds> for Walker {
    fn from(kinds: Kinds) -> Self {
        Self {
            kinds,
            ..Self::PLAIN
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_overlap_if_they_cover_a_common_cell() {
        let sizes = (1..=BodySize::MAX).filter_map(BodySize::new);
        let other = Cell::new(7, 6);
        for (size, other_size) in sizes
            .clone()
            .flat_map(|size| sizes.clone().map(move |other| (size, other)))
        {
            let places: Vec<Cell> = size.places_touching(other, other_size).collect();
            for (x, y) in (0..16).flat_map(|y| (0..16).map(move |x| (x, y))) {
                let at = Cell::new(x, y);
                let covered: Vec<Cell> = other_size.cells(other).collect();
                let overlaps = size.cells(at).any(|cell| covered.contains(&cell));
                assert_eq!(size.overlaps(at, other, other_size), overlaps);
                assert_eq!(other_size.overlaps(other, at, size), overlaps);
                assert_eq!(places.contains(&at), overlaps);
            }
        }
    }
}
