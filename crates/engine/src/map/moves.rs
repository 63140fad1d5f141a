//! The steps that a map allows.

use super::{Cell, HexLayout, Offset};
use serde::{Deserialize, Serialize};

/// The steps that a map allows. A straight step, a diagonal step and a wait all cost 1.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[non_exhaustive]
pub enum Moves {
    /// Eight directions; a diagonal step needs all four cells of its 2 x 2 square passable.
    #[default]
    Octile,
    /// Four directions.
    Orthogonal,
    /// Six directions: the cells are hexagons.
    Hexagonal(HexLayout),
}

/// Left, up, up-left, up-right, right, down-left, down, down-right.
const AROUND: [(i32, i32); 8] = [
    (-1, 0),
    (0, -1),
    (-1, -1),
    (1, -1),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

impl Moves {
    /// The steps as `(dx, dy)` with `y` downwards, in the neighbour order of the research code behind
    /// Moldenhauer, "Game tree search algorithms for the game of cops and robber" (2009): left, up,
    /// up-left, up-right, right, down-left, down, down-right.
    ///
    /// On a map of hexagons these are the same eight, of which each cell has [six](Self::steps_at).
    #[must_use]
    pub const fn steps(self) -> &'static [(i32, i32)] {
        match self {
            Self::Octile | Self::Hexagonal(_) => &AROUND,
            Self::Orthogonal => &[(-1, 0), (0, -1), (1, 0), (0, 1)],
        }
    }

    /// The [`steps`](Self::steps) from a cell, walls and the ends of the map apart.
    pub fn steps_at(self, cell: Cell) -> impl Iterator<Item = (i32, i32)> {
        let has_step = move |&(dx, dy): &(i32, i32)| match self {
            Self::Hexagonal(layout) => dx == 0 || dy == 0 || layout.has_diagonal(cell, dx, dy),
            Self::Octile | Self::Orthogonal => true,
        };
        self.steps().iter().copied().filter(has_step)
    }

    /// Returns whether two cells share a side: agents pass from one to the other unless a wall is in the way.
    #[must_use]
    pub fn share_a_side(self, a: Cell, b: Cell) -> bool {
        match self {
            Self::Hexagonal(layout) => layout.steps(a, b) == 1,
            Self::Octile | Self::Orthogonal => a.squared_distance(b) == 1,
        }
    }

    /// The steps on a part of a map that begins with another column and row.
    #[must_use]
    pub const fn within(self, left: u16, top: u16) -> Self {
        match self {
            Self::Hexagonal(layout) => Self::Hexagonal(layout.within(left, top)),
            same => same,
        }
    }

    /// The square of the distance as the crow flies, in widths of a cell.
    pub(crate) fn squared_distance(self, from: Cell, to: Cell) -> u64 {
        match self {
            Self::Hexagonal(layout) => layout.squared_distance(from, to),
            Self::Octile | Self::Orthogonal => from.squared_distance(to),
        }
    }

    /// The direction from a cell to another: the same for all steps that lead straight on.
    pub(crate) fn direction(self, from: Cell, to: Cell) -> Offset {
        let Self::Hexagonal(layout) = self else {
            return Offset::between(from, to);
        };
        let [from, to] = [from, to].map(|cell| layout.place(cell));
        Offset::new(to.a - from.a, to.b - from.b)
    }

    /// The cell in a [direction](Self::direction) from another one; `None` off every map.
    pub(crate) fn ahead(self, from: Cell, direction: Offset) -> Option<Cell> {
        let Offset { dx, dy } = direction;
        let Self::Hexagonal(layout) = self else {
            return from.offset(dx, dy);
        };
        let place = layout.place(from);
        layout.cell(super::HexPlace {
            a: place.a + dx,
            b: place.b + dy,
        })
    }

    /// The number of the moves in files.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Octile => 0,
            Self::Orthogonal => 1,
            // 2 is a graph that is no map.
            Self::Hexagonal(layout) => 3 + layout as u8,
        }
    }

    /// The moves with a number.
    pub(crate) fn of_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Octile),
            1 => Some(Self::Orthogonal),
            number => {
                let layout = HexLayout::ALL.get(usize::from(number.checked_sub(3)?))?;
                Some(Self::Hexagonal(*layout))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_moves_has_its_number() {
        let layouts = HexLayout::ALL.map(Moves::Hexagonal);
        let all = [Moves::Octile, Moves::Orthogonal].into_iter();
        for moves in all.chain(layouts) {
            assert_eq!(Moves::of_number(moves.number()), Some(moves));
        }
        assert_eq!(Moves::of_number(2), None);
        assert_eq!(Moves::of_number(9), None);
    }
}
