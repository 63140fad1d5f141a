//! The one place that turns positions of a game into cells of a map and back: rows count from the bottom in a game, and from
//! the top in the engine.

use bevy::prelude::*;
#[cfg(feature = "tilemap")]
use bevy_ecs_tilemap::prelude::{HexCoordSystem, TilemapType};
use pursuit_engine::map::Cell;
#[cfg(feature = "tilemap")]
use pursuit_engine::map::{HexLayout, Moves};

/// The coordinates of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coordinates {
    /// The position of the bottom left tile.
    origin: IVec2,
    columns: u16,
    rows: u16,
}

impl Coordinates {
    pub(super) const fn new(origin: IVec2, columns: u16, rows: u16) -> Self {
        Self {
            origin,
            columns,
            rows,
        }
    }

    /// The cell of a position; `None` off the map.
    pub(super) fn cell(self, at: IVec2) -> Option<Cell> {
        let [x, up] = self.wrapped(at);
        (x < self.columns && up < self.rows).then(|| Cell::new(x, self.rows - 1 - up))
    }

    /// The cell of a position, even off the map: a position off the map has its own cell off the map, so that a snapshot
    /// keeps it. Only positions beyond the range of coordinates share a cell.
    pub(super) fn cell_or_beside(self, at: IVec2) -> Cell {
        let [x, up] = self.wrapped(at);
        Cell::new(x, self.rows.wrapping_sub(1).wrapping_sub(up))
    }

    /// The position of a cell, on the map or off it.
    pub(super) fn position(self, cell: Cell) -> IVec2 {
        let up = self.rows.wrapping_sub(1).wrapping_sub(cell.y);
        let x = unwrapped(cell.x, self.columns);
        let y = unwrapped(up, self.rows);
        self.origin.saturating_add(IVec2::new(x, y))
    }

    /// Column and row from the origin. Those below zero count down from the greatest number; numbers beyond the range are
    /// the last on their side.
    fn wrapped(self, at: IVec2) -> [u16; 2] {
        let column = i64::from(at.x) - i64::from(self.origin.x);
        let row = i64::from(at.y) - i64::from(self.origin.y);
        [wrapped(column, self.columns), wrapped(row, self.rows)]
    }
}

/// The number of positions behind the last column or row that are told apart. As many lie before the first one.
const fn beyond(size: u16) -> u16 {
    (u16::MAX - size) / 2
}

/// The moves that the tiles of a layer with so many rows have by their type; `None` if the game chooses them.
#[cfg(feature = "tilemap")]
pub(super) const fn moves_of_type(kind: TilemapType, rows: u16) -> Option<Moves> {
    let layout = match kind {
        TilemapType::Square | TilemapType::Isometric(_) => return None,
        TilemapType::Hexagon(HexCoordSystem::RowEven) => HexLayout::RowEven,
        TilemapType::Hexagon(HexCoordSystem::RowOdd) => HexLayout::RowOdd,
        TilemapType::Hexagon(HexCoordSystem::ColumnEven) => HexLayout::ColumnEven,
        TilemapType::Hexagon(HexCoordSystem::ColumnOdd) => HexLayout::ColumnOdd,
        TilemapType::Hexagon(HexCoordSystem::Row) => HexLayout::Row,
        TilemapType::Hexagon(HexCoordSystem::Column) => HexLayout::Column,
    };
    Some(Moves::Hexagonal(layout.upside_down(rows)))
}

/// The type of a layer with so many rows whose tiles have these moves.
#[cfg(feature = "tilemap")]
pub(super) const fn type_of_moves(moves: Moves, rows: u16) -> TilemapType {
    let Moves::Hexagonal(layout) = moves else {
        return TilemapType::Square;
    };
    TilemapType::Hexagon(match layout.upside_down(rows) {
        HexLayout::RowEven => HexCoordSystem::RowEven,
        HexLayout::RowOdd => HexCoordSystem::RowOdd,
        HexLayout::ColumnEven => HexCoordSystem::ColumnEven,
        HexLayout::ColumnOdd => HexCoordSystem::ColumnOdd,
        HexLayout::Row => HexCoordSystem::Row,
        HexLayout::Column => HexCoordSystem::Column,
    })
}

fn wrapped(at: i64, size: u16) -> u16 {
    let beyond = i64::from(beyond(size));
    let last = i64::from(size) + beyond - 1;
    // A number below zero wraps around on purpose.
    at.clamp(-beyond, last) as u16
}

fn unwrapped(at: u16, size: u16) -> i32 {
    let is_behind = at < size || at - size < beyond(size);
    if is_behind {
        at.into()
    } else {
        i32::from(at) - (i32::from(u16::MAX) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_position_survives_its_cell_on_the_map_and_around_it(
            origin in (-1000_i32..1000, -1000_i32..1000),
            size in (1_u16..3000, 1_u16..3000),
            at in (-3000_i32..6000, -3000_i32..6000),
        ) {
            let origin = IVec2::from(origin);
            let coordinates = Coordinates::new(origin, size.0, size.1);
            let at = IVec2::from(at);
            let cell = coordinates.cell_or_beside(at);
            prop_assert_eq!(coordinates.position(cell), at);
            let inside = at - origin;
            let is_on_map = inside.cmpge(IVec2::ZERO).all()
                && inside.x < i32::from(size.0)
                && inside.y < i32::from(size.1);
            prop_assert_eq!(coordinates.cell(at), is_on_map.then_some(cell));
        }

        #[test]
        fn positions_beyond_the_range_are_off_every_map(
            at in (any::<i32>(), any::<i32>()),
            size in (1_u16..1000, 1_u16..1000),
        ) {
            let coordinates = Coordinates::new(IVec2::ZERO, size.0, size.1);
            let at = IVec2::from(at);
            let is_on_map = at.cmpge(IVec2::ZERO).all()
                && at.x < i32::from(size.0)
                && at.y < i32::from(size.1);
            prop_assert_eq!(coordinates.cell(at).is_some(), is_on_map);
        }
    }
}
