//! Keeps a [`PursuitMap`] the same as the `bevy_ecs_tilemap` layer it sits on.
//!
//! Edits queue: component hooks note every tile that is touched, at whatever moment of the frame,
//! and the next tick looks at what those tiles are by then. Nothing is polled: a layer that stands
//! still costs nothing, and no change is lost between a frame and a tick.

use super::{PursuitDiagnostics, PursuitMap};
use crate::map::{Cell, Terrain, TileMap};
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{TilePos, TilemapId, TilemapSize};

/// Says of a tile of a layer whether agents can stand on it. Tiles without it are walls.
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

/// For each cell of a layer the tile that made it passable, to tell which of two tiles on one cell
/// counts: the one touched last.
#[derive(Component, Debug, Default)]
pub(super) struct Mirror {
    size: TilemapSize,
    tiles: Vec<Option<Entity>>,
}

impl Mirror {
    fn owner(&self, cell: Cell) -> Option<Entity> {
        self.tiles.get(self.index(cell)).copied().flatten()
    }

    fn set_owner(&mut self, cell: Cell, tile: Option<Entity>) {
        let index = self.index(cell);
        if let Some(owner) = self.tiles.get_mut(index) {
            *owner = tile;
        }
    }

    const fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.size.x as usize + cell.x as usize
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<TouchedTiles>()
        .init_resource::<KnownTiles>()
        .register_type::<Passable>()
        .add_observer(move_tile)
        .add_observer(forget_map);
}

/// A tile has been given another position.
fn move_tile(
    insert: On<Insert, (TilePos, TilemapId)>,
    known: Res<KnownTiles>,
    mut touched: ResMut<TouchedTiles>,
) {
    if known.0.contains_key(&insert.entity) {
        touched.0.push(insert.entity);
    }
}

fn forget_map(removed: On<Remove, PursuitMap>, mut known: ResMut<KnownTiles>) {
    known.0.retain(|_, (map, _)| *map != removed.entity);
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
        for (layer, mut map, size, mut mirror) in &mut layers {
            if mirror.size == *size && map.world().is_some() {
                continue;
            }
            if let Some((tile_map, read)) = read_layer(layer, *size, &tiles, &mut known) {
                map.rebuild(&tile_map);
                *mirror = read;
            } else {
                warn_once!("the layer {layer} has no size that a map can have: {size:?}");
            }
        }
        for tile in touched.0.drain(..) {
            let now = tiles
                .get(tile)
                .ok()
                .filter(|(.., passable)| passable.0)
                .and_then(|(_, pos, id, _)| Some((id.0, *pos)).filter(|_| layers.contains(id.0)));
            let before = known.0.remove(&tile);
            if let Some((layer, cell)) = before
                && let Ok((_, mut map, _, mut mirror)) = layers.get_mut(layer)
            {
                let stays =
                    now.is_some_and(|(to, pos)| to == layer && map.cell(pos.into()) == Some(cell));
                if stays && mirror.owner(cell) == Some(tile) {
                    known.0.insert(tile, (layer, cell));
                    continue;
                }
                leave(tile, cell, &mut map, &mut mirror);
            }
            if let Some((layer, pos)) = now
                && let Ok((_, mut map, _, mut mirror)) = layers.get_mut(layer)
                && let Some(cell) = enter(tile, pos, &mut map, &mut mirror)
            {
                known.0.insert(tile, (layer, cell));
            }
        }
    });
}

/// A tile is no longer passable where it was.
fn leave(tile: Entity, cell: Cell, map: &mut PursuitMap, mirror: &mut Mirror) {
    if mirror.owner(cell) == Some(tile) {
        mirror.set_owner(cell, None);
        let at = map.position(cell);
        map.set_passable(at, false);
    }
}

/// A tile is passable where it is; `None` if that is beside the map.
fn enter(tile: Entity, pos: TilePos, map: &mut PursuitMap, mirror: &mut Mirror) -> Option<Cell> {
    let cell = map.cell(pos.into())?;
    mirror.set_owner(cell, Some(tile));
    map.set_passable(pos.into(), true);
    Some(cell)
}

/// The whole layer as a map. `None` if its size is none that a map can have.
fn read_layer(
    layer: Entity,
    size: TilemapSize,
    tiles: &Tiles,
    known: &mut KnownTiles,
) -> Option<(TileMap, Mirror)> {
    let width = u16::try_from(size.x).ok()?;
    let height = u16::try_from(size.y).ok()?;
    let mut map = TileMap::filled(width, height, Terrain::Wall)?;
    known.0.retain(|_, (map, _)| *map != layer);
    let mut mirror = Mirror {
        size,
        tiles: vec![None; usize::from(width) * usize::from(height)],
    };
    for (tile, pos, id, passable) in tiles {
        if id.0 != layer || !passable.0 || !pos.within_map_bounds(&size) {
            continue;
        }
        // Within the bounds, which are u16.
        let cell = Cell::new(pos.x as u16, height - 1 - pos.y as u16);
        map.set(cell, Terrain::Floor);
        mirror.set_owner(cell, Some(tile));
        known.0.insert(tile, (layer, cell));
    }
    Some((map, mirror))
}
