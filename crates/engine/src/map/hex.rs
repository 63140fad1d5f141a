//! How a map counts its hexagons in rows and columns.

use super::Cell;
use serde::{Deserialize, Serialize};

/// How rows and columns of a map number hexagons. The names are those of `bevy_ecs_tilemap`; rows count from the top here.
///
/// In the `Row` layouts the hexagons of a row touch, with a corner up; in the `Column` layouts those of a column do, with a
/// side up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum HexLayout {
    /// Rows with even numbers, beginning with the top one, lie half a hexagon further right than the others.
    RowEven,
    /// Rows with odd numbers lie half a hexagon further right than the others.
    RowOdd,
    /// Columns with even numbers, beginning with the left one, lie half a hexagon higher than the others.
    ColumnEven,
    /// Columns with odd numbers lie half a hexagon higher than the others.
    ColumnOdd,
    /// Each row lies half a hexagon further right than the row below.
    Row,
    /// Each column lies half a hexagon higher than the column to its left.
    Column,
}

/// A place on the axes of hexagonal maps, of which each step changes the first one, the second one, or both in the same
/// direction, by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HexPlace {
    pub(crate) a: i32,
    pub(crate) b: i32,
}

impl HexLayout {
    /// All layouts.
    pub const ALL: [Self; 6] = [
        Self::RowEven,
        Self::RowOdd,
        Self::ColumnEven,
        Self::ColumnOdd,
        Self::Row,
        Self::Column,
    ];

    /// The layout of a part of a map that begins with another row and column.
    #[must_use]
    pub const fn within(self, left: u16, top: u16) -> Self {
        let is_odd = match self {
            Self::RowEven | Self::RowOdd => top % 2 == 1,
            Self::ColumnEven | Self::ColumnOdd => left % 2 == 1,
            Self::Row | Self::Column => false,
        };
        match self {
            Self::RowEven if is_odd => Self::RowOdd,
            Self::RowOdd if is_odd => Self::RowEven,
            Self::ColumnEven if is_odd => Self::ColumnOdd,
            Self::ColumnOdd if is_odd => Self::ColumnEven,
            same => same,
        }
    }

    /// The same hexagons with the rows counted from the other end of a map with so many rows.
    #[must_use]
    pub const fn upside_down(self, rows: u16) -> Self {
        // The last row becomes the first one.
        match self {
            Self::RowEven | Self::RowOdd => self.within(0, rows.wrapping_sub(1)),
            same => same,
        }
    }

    /// Returns whether the cell diagonally beside a cell, in the next row and the next column, is a neighbour. Of the four
    /// there are two; those beside a cell in its row and in its column always are.
    pub(crate) const fn has_diagonal(self, cell: Cell, dx: i32, dy: i32) -> bool {
        match self {
            Self::RowEven => (dx == 1) == cell.y.is_multiple_of(2),
            Self::RowOdd => (dx == 1) != cell.y.is_multiple_of(2),
            Self::ColumnEven => (dy == -1) == cell.x.is_multiple_of(2),
            Self::ColumnOdd => (dy == -1) != cell.x.is_multiple_of(2),
            Self::Row | Self::Column => dx == dy,
        }
    }

    /// The place of a cell on the axes.
    pub(crate) fn place(self, cell: Cell) -> HexPlace {
        let [x, y] = [cell.x, cell.y].map(i32::from);
        let (a, b) = self.shift(x, y);
        HexPlace { a: x + a, b: y + b }
    }

    /// The cell at a place; `None` if there can be none.
    pub(crate) fn cell(self, place: HexPlace) -> Option<Cell> {
        // One of the axes is that of the cells.
        let (a, b) = self.shift(place.a, place.b);
        let (x, y) = (place.a - a, place.b - b);
        Some(Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?))
    }

    /// By how much the axes differ from columns and rows. For rows it depends on the row only, for columns on the column.
    const fn shift(self, x: i32, y: i32) -> (i32, i32) {
        match self {
            Self::RowEven => (y >> 1, 0),
            Self::RowOdd => ((y + 1) >> 1, 0),
            Self::ColumnEven => (0, (x + 1) >> 1),
            Self::ColumnOdd => (0, x >> 1),
            Self::Row | Self::Column => (0, 0),
        }
    }

    /// The number of steps between two cells on a map without walls.
    pub(crate) fn steps(self, from: Cell, to: Cell) -> u32 {
        let [from, to] = [from, to].map(|cell| self.place(cell));
        let (a, b) = (to.a - from.a, to.b - from.b);
        let longest = a.abs().max(b.abs()).max((a - b).abs());
        longest.unsigned_abs()
    }

    /// The square of the distance between the centres of two cells, in hexagons.
    pub(crate) fn squared_distance(self, from: Cell, to: Cell) -> u64 {
        let [from, to] = [from, to].map(|cell| self.place(cell));
        let (a, b) = (i64::from(to.a - from.a), i64::from(to.b - from.b));
        (a * a + b * b - a * b).unsigned_abs()
    }

    /// About the number of steps that lead so many columns to the right and rows down on a map without walls.
    pub(crate) fn about_steps(self, columns: f32, rows: f32) -> f32 {
        let (x, y) = (columns.abs(), rows.abs());
        match self {
            // A step into the next row also leads half a column further.
            Self::RowEven | Self::RowOdd => y + (x - y / 2.0).max(0.0),
            Self::ColumnEven | Self::ColumnOdd => x + (y - x / 2.0).max(0.0),
            Self::Row | Self::Column => x.max(y).max((columns - rows).abs()),
        }
    }

    /// Calls `is_free` for the cells along the line between the centres of two cells, each with the cell before it, and
    /// returns whether it said `true` for all. Where the line runs along the side between two cells, one of them is enough.
    ///
    /// At each whole number of steps, the line is on the cell whose centre is nearest. Cost: linear in the steps.
    pub(crate) fn walk_line(
        self,
        from: Cell,
        to: Cell,
        is_free: impl Fn(Cell, Cell) -> bool,
    ) -> bool {
        let (start, end) = (self.place(from), self.place(to));
        let (a, b) = (i64::from(end.a - start.a), i64::from(end.b - start.b));
        let steps = i64::from(self.steps(from, to));
        let place_at = |step: i64, up: bool| {
            let [a, b] = self::nearest([a, b], steps, step, up);
            let place = HexPlace {
                a: start.a + a as i32,
                b: start.b + b as i32,
            };
            self.cell(place)
        };
        let mut before = [Some(from), None];
        for step in 1..=steps {
            let one = place_at(step, false);
            let other = place_at(step, true).filter(|&other| Some(other) != one);
            let is_reached = |next: &Cell| {
                let mut ways = before.iter().flatten();
                ways.any(|&at| is_free(at, *next))
            };
            before = [one.filter(is_reached), other.filter(is_reached)];
            if before == [None, None] {
                return false;
            }
        }
        true
    }
}

/// The place nearest to the point after some steps of a line to a place that is `steps` away, on the axes of [`HexPlace`]; if
/// two are equally near, the second one for `up`.
fn nearest([a, b]: [i64; 2], steps: i64, step: i64, up: bool) -> [i64; 2] {
    // Of the three coordinates a, b and a - b, the longest one is a whole number after each step.
    let third = a - b;
    let along = |whole: i64| whole.signum() * step;
    let rounded = |part: i64| {
        let (twice, half) = (2 * part * step, steps);
        if up {
            (twice + half).div_euclid(2 * steps)
        } else {
            -(half - twice).div_euclid(2 * steps)
        }
    };
    if a.abs() == steps {
        [along(a), rounded(b)]
    } else if b.abs() == steps {
        [rounded(a), along(b)]
    } else {
        let a = rounded(a);
        [a, a - along(third)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> impl Iterator<Item = Cell> + Clone {
        (0..7).flat_map(|x| (0..7).map(move |y| Cell::new(x, y)))
    }

    #[test]
    fn neighbours_are_those_one_step_away_and_places_lead_back() {
        for layout in HexLayout::ALL {
            for from in cells() {
                assert_eq!(layout.cell(layout.place(from)), Some(from));
                for to in cells().filter(|&to| from.max_norm(to) == 1) {
                    let [dx, dy] = [(from.x, to.x), (from.y, to.y)]
                        .map(|(from, to)| i32::from(to) - i32::from(from));
                    let is_neighbour = dx * dy == 0 || layout.has_diagonal(from, dx, dy);
                    assert_eq!(is_neighbour, layout.steps(from, to) == 1);
                    assert_eq!(is_neighbour, layout.squared_distance(from, to) == 1);
                }
            }
        }
    }

    #[test]
    fn lines_have_the_length_of_the_way_and_are_the_same_from_both_ends() {
        for layout in HexLayout::ALL {
            for (from, to) in cells().flat_map(|from| cells().map(move |to| (from, to))) {
                for wall in cells() {
                    let sees = |a, b| layout.walk_line(a, b, |_, next| next == b || next != wall);
                    let is_step = |a, b| layout.steps(a, b) == 1;
                    assert!(layout.walk_line(from, to, is_step));
                    if wall != from && wall != to {
                        assert_eq!(sees(from, to), sees(to, from));
                    }
                }
            }
        }
    }

    #[test]
    fn a_part_of_a_map_and_a_map_upside_down_have_the_same_neighbours() {
        for layout in HexLayout::ALL {
            for (from, to) in cells().flat_map(|from| cells().map(move |to| (from, to))) {
                let moved = |cell: Cell| Cell::new(cell.x + 3, cell.y + 5);
                let steps = layout.within(3, 5).steps(from, to);
                assert_eq!(layout.steps(moved(from), moved(to)), steps);
            }
            assert_eq!(layout.upside_down(6).upside_down(6), layout);
            assert_eq!(layout.upside_down(7), layout);
        }
    }
}
