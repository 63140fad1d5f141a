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
}

impl Frame {
    pub(super) fn new(map: &LiveMap, layer: &MapPlacesItem) -> Self {
        let corner = layer.center(IVec2::ZERO);
        Self {
            origin: layer.center(map.position(Cell::new(0, 0))),
            right: layer.center(IVec2::X) - corner,
            down: corner - layer.center(IVec2::Y),
        }
    }

    /// The place of a fractional column and row.
    pub(super) fn place(&self, at: Vec2) -> Vec2 {
        self.origin + at.x * self.right + at.y * self.down
    }
}
