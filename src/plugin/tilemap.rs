//! Keeps a [`PursuitMap`] the same as the `bevy_ecs_tilemap` layer it sits on.
//!
//! Edits queue: component hooks note every tile that is touched, at whatever moment of the frame,
//! and the next tick looks at what those tiles are by then. Nothing is polled: a layer that stands
//! still costs nothing, and no change is lost between a frame and a tick.

use super::{PursuitDiagnostics, PursuitMap};
use crate::map::{Cell, Terrain, TileMap};
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::lifecycle::{Discard, HookContext};
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{TilePos, TilemapId, TilemapSize};

/// Says of a tile of a layer whether agents can stand on it. Tiles without it are walls.
///
/// A cell is passable if any tile on it is: a bridge opens the water it lies on.
///
/// To open or close a tile insert it anew: `commands.entity(tile).insert(Passable(false))`, or
/// remove it. It is immutable otherwise, so that no change can go unnoticed. A tile is moved by
/// inserting its `TilePos` anew.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[component(immutable, on_insert = touch, on_remove = touch)]
pub struct Passable(pub bool);

impl Default for Passable {
    fn default() -> Self {
        Self(true)
    }
}

/// Tiles that something happened to since the last tick, in the order in which it happened.
#[derive(Resource, Debug, Default)]
pub(super) struct TouchedTiles(Vec<Entity>);

fn touch(mut world: DeferredWorld, context: HookContext) {
    if let Some(mut touched) = world.get_resource_mut::<TouchedTiles>() {
        touched.0.push(context.entity);
    }
}

/// Where each passable tile of each map is known to be.
#[derive(Resource, Debug, Default)]
pub(super) struct KnownTiles(EntityHashMap<(Entity, Cell)>);

/// How many passable tiles there are on each cell of a layer.
#[derive(Component, Debug, Default)]
pub(super) struct Mirror {
    size: TilemapSize,
    tiles: Vec<u32>,
}

impl Mirror {
    fn tiles_on(&mut self, cell: Cell) -> Option<&mut u32> {
        let index = cell.y as usize * self.size.x as usize + cell.x as usize;
        self.tiles.get_mut(index)
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<TouchedTiles>()
        .init_resource::<KnownTiles>()
        .register_type::<Passable>()
        .add_observer(place_tile)
        .add_observer(displace_tile)
        .add_observer(forget_size)
        .add_observer(forget_map);
}

/// A passable tile has been given another place, or one at last.
fn place_tile(
    insert: On<Insert, (TilePos, TilemapId)>,
    passable: Query<(), With<Passable>>,
    mut touched: ResMut<TouchedTiles>,
) {
    if passable.contains(insert.entity) {
        touched.0.push(insert.entity);
    }
}

/// A tile has lost its place.
fn displace_tile(
    removed: On<Remove, (TilePos, TilemapId)>,
    known: Res<KnownTiles>,
    mut touched: ResMut<TouchedTiles>,
) {
    if known.0.contains_key(&removed.entity) {
        touched.0.push(removed.entity);
    }
}

/// A layer without a size is read anew when it has one again.
fn forget_size(removed: On<Remove, TilemapSize>, mut mirrors: Query<&mut Mirror>) {
    if let Ok(mut mirror) = mirrors.get_mut(removed.entity) {
        *mirror = Mirror::default();
    }
}

/// A map has gone, or another has come in its place.
fn forget_map(
    gone: On<Discard, PursuitMap>,
    mut known: ResMut<KnownTiles>,
    mut mirrors: Query<&mut Mirror>,
) {
    known.0.retain(|_, (map, _)| *map != gone.entity);
    if let Ok(mut mirror) = mirrors.get_mut(gone.entity) {
        *mirror = Mirror::default();
    }
}

type Tiles<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static TilePos,
        &'static TilemapId,
        &'static Passable,
    ),
>;
type Layers<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static mut PursuitMap,
        &'static TilemapSize,
        &'static mut Mirror,
    ),
>;

/// Reads new layers whole, and of known ones the tiles that were touched.
pub(super) fn sync_tiles(
    mut layers: Layers,
    tiles: Tiles,
    mut touched: ResMut<TouchedTiles>,
    mut known: ResMut<KnownTiles>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        let mut taken = Vec::new();
        for (layer, mut map, size, mut mirror) in &mut layers {
            if !map.follows_layer || mirror.size == *size && map.world().is_some() {
                continue;
            }
            if let Some((tile_map, read)) = read_layer(layer, *size, &tiles, &mut known, &mut taken)
            {
                map.rebuild(&tile_map);
                *mirror = read;
            } else {
                warn_once!("the layer {layer} has no size that a map can have: {size:?}");
            }
        }
        for place in taken {
            count(&mut layers, Some(place), -1);
        }
        for tile in touched.0.drain(..) {
            let after = place_of(tile, &tiles, &layers);
            let before = match after {
                Some(place) => known.0.insert(tile, place),
                None => known.0.remove(&tile),
            };
            if before == after {
                insist(&mut layers, after);
            } else {
                count(&mut layers, before, -1);
                count(&mut layers, after, 1);
            }
        }
    });
}

/// Where a tile makes a cell passable, if it does.
fn place_of(tile: Entity, tiles: &Tiles, layers: &Layers) -> Option<(Entity, Cell)> {
    let (_, pos, id, passable) = tiles.get(tile).ok()?;
    let (layer, map, ..) = layers.get(id.0).ok()?;
    let cell = map.cell((*pos).into())?;
    (passable.0 && map.follows_layer).then_some((layer, cell))
}

/// A cell has as many passable tiles as before. If the map itself was changed meanwhile, the tiles
/// are right.
fn insist(layers: &mut Layers, place: Option<(Entity, Cell)>) {
    let Some((layer, cell)) = place else {
        return;
    };
    if let Ok((_, mut map, ..)) = layers.get_mut(layer) {
        let at = map.position(cell);
        if map.has_edits() || !map.is_passable(at) {
            map.set_passable(at, true);
        }
    }
}

/// A cell of a layer has a passable tile more or less.
fn count(layers: &mut Layers, place: Option<(Entity, Cell)>, more: i32) {
    let Some((layer, cell)) = place else {
        return;
    };
    let Ok((_, mut map, _, mut mirror)) = layers.get_mut(layer) else {
        return;
    };
    if let Some(tiles) = mirror.tiles_on(cell).filter(|_| map.follows_layer) {
        *tiles = tiles.saturating_add_signed(more);
        let is_passable = *tiles > 0;
        let at = map.position(cell);
        map.set_passable(at, is_passable);
    }
}

/// The whole layer as a map. `None` if its size is none that a map can have. `taken` gets the places
/// on other layers that tiles of this one were known to have.
fn read_layer(
    layer: Entity,
    size: TilemapSize,
    tiles: &Tiles,
    known: &mut KnownTiles,
    taken: &mut Vec<(Entity, Cell)>,
) -> Option<(TileMap, Mirror)> {
    let width = u16::try_from(size.x).ok()?;
    let height = u16::try_from(size.y).ok()?;
    let mut map = TileMap::filled(width, height, Terrain::Wall)?;
    known.0.retain(|_, (map, _)| *map != layer);
    let mut mirror = Mirror {
        size,
        tiles: vec![0; usize::from(width) * usize::from(height)],
    };
    for (tile, pos, id, passable) in tiles {
        if id.0 != layer || !passable.0 || !pos.within_map_bounds(&size) {
            continue;
        }
        // Within the bounds, which are u16.
        let cell = Cell::new(pos.x as u16, height - 1 - pos.y as u16);
        map.set(cell, Terrain::Floor);
        if let Some(tiles) = mirror.tiles_on(cell) {
            *tiles += 1;
        }
        taken.extend(known.0.insert(tile, (layer, cell)));
    }
    Some((map, mirror))
}
