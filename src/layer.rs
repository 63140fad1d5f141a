//! The geometry of tilemap layers: from tiles to places in the world, and back.

use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{
    TilePos, TilemapAnchor, TilemapGridSize, TilemapSize, TilemapTileSize, TilemapType,
};

/// The geometry of a tilemap layer: query it on the entity of the layer. A layer without a [`TilemapType`] has square tiles.
#[derive(QueryData)]
pub struct LayerGeometry {
    transform: &'static GlobalTransform,
    size: &'static TilemapSize,
    grid: &'static TilemapGridSize,
    tile: &'static TilemapTileSize,
    kind: Option<&'static TilemapType>,
    anchor: Option<&'static TilemapAnchor>,
}

impl LayerGeometryItem<'_, '_> {
    /// The centre of a tile in the world, also for tiles off the layer.
    #[must_use]
    pub fn center(&self, at: IVec2) -> Vec2 {
        let local = self.local_center(at);
        self.transform.transform_point(local.extend(0.0)).truncate()
    }

    /// The centre of a tile relative to the layer, also for tiles off the layer. It stays the same
    /// wherever the layer moves.
    #[must_use]
    pub fn local_center(&self, at: IVec2) -> Vec2 {
        let Self {
            size, grid, tile, ..
        } = self;
        // Tiles off the layer continue the pattern, also where a `TilePos` has no numbers.
        let [corner, right, up] = [(0, 0), (1, 0), (0, 1)].map(|(x, y)| {
            TilePos::new(x, y).center_in_world(size, grid, tile, self.kind(), self.anchor())
        });
        let at = at.as_vec2();
        corner + at.x * (right - corner) + at.y * (up - corner)
    }

    /// The tile at a place in the world; `None` off the layer.
    #[must_use]
    pub fn tile_at(&self, place: Vec2) -> Option<IVec2> {
        let local = self.transform.affine().inverse();
        let local = local.transform_point3(place.extend(0.0)).truncate();
        TilePos::from_world_pos(
            &local,
            self.size,
            self.grid,
            self.tile,
            self.kind(),
            self.anchor(),
        )
        .map(|tile| UVec2::from(tile).as_ivec2())
    }

    fn kind(&self) -> &TilemapType {
        self.kind.unwrap_or(&TilemapType::Square)
    }

    /// The anchor, which `bevy_ecs_tilemap` adds only for rendering.
    fn anchor(&self) -> &TilemapAnchor {
        self.anchor.unwrap_or(&TilemapAnchor::None)
    }

    /// The distance between the centres of two neighbouring tiles.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.center(IVec2::ZERO).distance(self.center(IVec2::X))
    }
}
