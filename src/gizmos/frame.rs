//! The frame of an overlay: from cells to places in the world.

use crate::geometry::MapPlacesItem;
use crate::live_map::LiveMap;
use bevy::prelude::*;
use pursuit_engine::map::Cell;

/// Where the cells of a map are in the world. Cells are counted from the top left; a cell extends half
/// a cell to each side of its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    origin: Vec2,
    right: Vec2,
    down: Vec2,
    /// The tile of the first cell.
    first: IVec2,
    /// By how much every second row or column of hexagons lies to the side: those with even and with odd numbers of the tiles.
    to_side: [[Vec2; 2]; 2],
}

impl Frame {
    pub(super) fn new(map: &LiveMap, layer: &MapPlacesItem) -> Self {
        let first = map.position(Cell::new(0, 0));
        let to_side = |at| layer.to_side(at);
        let base = |at| layer.center(at) - to_side(at);
        let corner = base(IVec2::ZERO);
        Self {
            origin: base(first),
            right: base(IVec2::X) - corner,
            down: corner - base(IVec2::Y),
            first,
            to_side: [0, 1].map(|x| [0, 1].map(|y| to_side(IVec2::new(x, y)))),
        }
    }

    /// The place of a fractional column and row.
    pub(super) fn place(&self, at: Vec2) -> Vec2 {
        let Vec2 { x, y } = at.round();
        let tile = self.first + IVec2::new(x as i32, -y as i32);
        let [x, y] = [tile.x, tile.y].map(|number| number.rem_euclid(2) as usize);
        self.origin + at.x * self.right + at.y * self.down + self.to_side[x][y]
    }
}
