//! The geometry of maps on `bevy_ecs_tilemap` layers, which comes from the layer.

use crate::coordinates::moves_of_type;
use crate::geometry::{MapGeometry, TileShape};
use crate::glide;
use crate::load;
use crate::map::PursuitMap;
use crate::sets::PursuitSystems;
use crate::tilemap;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::intern::Interned;
use bevy::ecs::query::Allow;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{
    TilePos, TilemapAnchor, TilemapGridSize, TilemapSize, TilemapTileSize, TilemapType,
};
use pursuit_engine::map::Moves;

/// What the places of a layer's tiles depend on.
type Shape = (
    &'static TilemapSize,
    &'static TilemapGridSize,
    &'static TilemapTileSize,
    Option<&'static TilemapType>,
    Option<&'static TilemapAnchor>,
);

type IsReshaped = Or<(
    Added<PursuitMap>,
    Changed<TilemapSize>,
    Changed<TilemapGridSize>,
    Changed<TilemapTileSize>,
    Changed<TilemapType>,
    Changed<TilemapAnchor>,
)>;

/// Writes it before anything of the tick reads it, and before bodies move.
pub(super) fn build(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.add_systems(
        schedule,
        write_geometry
            .in_set(PursuitSystems::Sync)
            .before(tilemap::find_layers)
            .before(load::share_out),
    )
    .add_systems(
        PostUpdate,
        write_geometry
            .before(glide::glide)
            .before(TransformSystems::Propagate),
    );
}

/// Gives maps on layers the geometry of the layer.
pub(super) fn write_geometry(
    layers: Query<(Entity, Shape), (With<PursuitMap>, IsReshaped, Allow<Disabled>)>,
    mut known: Query<&mut MapGeometry, Allow<Disabled>>,
    mut commands: Commands,
) {
    for (layer, shape) in &layers {
        let geometry = geometry_of(shape);
        if let Ok(mut known) = known.get_mut(layer) {
            known.set_if_neq(geometry);
        } else {
            commands.entity(layer).try_insert(geometry);
        }
    }
}

/// The geometry of a layer. A layer without a type has squares, and `bevy_ecs_tilemap` adds the anchor only for rendering.
fn geometry_of(shape: <Shape as bevy::ecs::query::QueryData>::Item<'_, '_>) -> MapGeometry {
    let (size, grid, tile, kind, anchor) = shape;
    let kind = kind.unwrap_or(&TilemapType::Square);
    let anchor = anchor.unwrap_or(&TilemapAnchor::None);
    let center = |x, y| TilePos::new(x, y).center_in_world(size, grid, tile, kind, anchor);
    let origin = center(0, 0);
    // Tiles off the layer continue the pattern of the first ones. The rows of a map with one row count from both ends alike.
    if let Some(Moves::Hexagonal(layout)) = moves_of_type(*kind, 1) {
        // Every second row or column lies to the side.
        return MapGeometry {
            origin,
            right: (center(2, 0) - origin) / 2.0,
            up: (center(0, 2) - origin) / 2.0,
            shape: TileShape::Hexagon(layout),
        };
    }
    MapGeometry {
        origin,
        right: center(1, 0) - origin,
        up: center(0, 1) - origin,
        shape: TileShape::Quadrilateral,
    }
}
