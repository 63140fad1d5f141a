use bevy::ecs::query::QueryData;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{
    TilePos, TilemapAnchor, TilemapGridSize, TilemapSize, TilemapTileSize, TilemapType,
};

/// Where the tiles of a tilemap layer are in the world: query it on the entity of the layer.
#[derive(QueryData)]
pub struct LayerGeometry {
    transform: &'static GlobalTransform,
    size: &'static TilemapSize,
    grid: &'static TilemapGridSize,
    tile: &'static TilemapTileSize,
    kind: &'static TilemapType,
    anchor: Option<&'static TilemapAnchor>,
}

impl LayerGeometryItem<'_, '_> {
    /// The centre of a tile in the world, also of tiles beside the layer.
    #[must_use]
    pub fn center(&self, at: UVec2) -> Vec2 {
        let local = self.local_center(at);
        self.transform.transform_point(local.extend(0.0)).truncate()
    }

    /// The centre of a tile as seen from the layer, also of tiles beside it: wherever the layer is moved,
    /// this stays the same.
    #[must_use]
    pub fn local_center(&self, at: UVec2) -> Vec2 {
        let Self {
            size,
            grid,
            tile,
            kind,
            ..
        } = self;
        TilePos::from(at).center_in_world(size, grid, tile, kind, self.anchor())
    }

    /// The tile at a place in the world, `None` beside the layer.
    #[must_use]
    pub fn tile_at(&self, place: Vec2) -> Option<UVec2> {
        let local = self.transform.affine().inverse();
        let local = local.transform_point3(place.extend(0.0)).truncate();
        TilePos::from_world_pos(
            &local,
            self.size,
            self.grid,
            self.tile,
            self.kind,
            self.anchor(),
        )
        .map(Into::into)
    }

    /// The anchor, which `bevy_ecs_tilemap` adds only for rendering.
    fn anchor(&self) -> &TilemapAnchor {
        self.anchor.unwrap_or(&TilemapAnchor::None)
    }

    /// The distance between the centres of two tiles side by side.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.center(UVec2::ZERO).distance(self.center(UVec2::X))
    }
}
