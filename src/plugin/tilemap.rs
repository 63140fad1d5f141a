//! Keeps a [`PursuitMap`] in step with the `bevy_ecs_tilemap` layer on its entity.
//!
//! Component hooks queue every tile that changes, at any moment of the frame, and the next tick reads
//! the present state of the queued tiles. Nothing is polled: a layer that does not change costs nothing,
//! and no change is lost between a frame and a tick.
//!
//! The next tick reads all changed tiles of a map in play. Changed tiles of other layers wait in a
//! second queue. A layer that is new or has been resized is read within the budget; changes to its tiles
//! in the meantime are applied before it comes into play.

use super::layer_report::{LayerTiles, Stray, Tally};
use super::load::{MapStatus, Share};
use super::{PursuitDiagnostics, PursuitMap};
use crate::map::{Cell, Terrain, TileMap};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::lifecycle::{Discard, HookContext};
use bevy::ecs::query::Allow;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{TilePos, TilemapId, TilemapSize};
use std::collections::VecDeque;

/// The cost of reading a tile, in expansions.
const TILE: u64 = 2;
/// Tiles read between two checks of the budget.
const PIECE: usize = 32;
/// Waiting tiles read in a tick while no layer is being read, unless many wait.
const IDLE: usize = 256;
/// The share of the queue of waiting tiles that is looked at, so that tiles that are gone do not pile up in it.
const SHARE: usize = 64;

/// Whether agents can stand on a tile of a layer. Tiles without this component are walls.
///
/// A cell is passable if any tile on it is: a bridge makes water passable.
///
/// To open or close a tile, insert the component again, `commands.entity(tile).insert(Passable(false))`,
/// or remove it. The component is immutable, so that the plugin sees every change: a `Query<&mut
/// Passable>` does not compile (the compiler says that it expected `Mutable`, found `Immutable`). To
/// move a tile, insert its `TilePos` again.
#[derive(Component, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
#[require(Counted)]
#[component(immutable, on_insert = touch, on_remove = touch)]
pub struct Passable(pub bool);

impl Default for Passable {
    fn default() -> Self {
        Self(true)
    }
}

/// The cell at which a tile is counted as passable, if it is.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(on_remove = leave)]
pub(super) struct Counted {
    /// The tile itself. In a clone of a tile this is still the original: the clone has not been counted.
    tile: Option<Entity>,
    cell: Option<LayerCell>,
    /// Its index in the list of all tiles.
    slot: usize,
    /// The tile itself while it is in the queue of waiting tiles, and while it is in the list of changed ones.
    waits: Option<Entity>,
    is_listed: Option<Entity>,
}

/// A cell of a layer, and the reading of the layer that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LayerCell {
    layer: Entity,
    reading: u64,
    cell: Cell,
}

/// All tiles that have ever been [`Passable`], and those that have changed since the last tick, in order
/// of the changes.
#[derive(Resource, Debug, Default)]
pub(super) struct Tiles {
    /// Changed tiles of maps in play.
    touched: Vec<Entity>,
    /// Changed tiles of other layers.
    waiting: VecDeque<Entity>,
    /// The number of tiles ever taken from `waiting`.
    read: u64,
    /// The cells of removed tiles, and their indices in the list.
    gone: Vec<(Option<LayerCell>, usize)>,
    all: Vec<Option<Entity>>,
    free: Vec<usize>,
    /// The number of times that the reading of a layer has begun.
    readings: u64,
    /// Layers that have been read and not been reported yet.
    pub(super) read_layers: Vec<(Entity, LayerTiles)>,
    pub(super) stray: Stray,
}

/// The number of passable tiles on each cell of a layer.
#[derive(Component, Debug, Default)]
pub(super) struct Mirror {
    size: TilemapSize,
    /// The reading that it comes from; 0 for none.
    reading: u64,
    tiles: Vec<u32>,
    /// The map while the layer is being read.
    unread: Option<Unread>,
}

/// A layer that is being read.
#[derive(Debug)]
struct Unread {
    map: TileMap,
    /// The number of waiting tiles that must have been read.
    waiting: u64,
    /// The index of the next tile of the list to read.
    next: usize,
    tally: Tally,
}

impl Mirror {
    const fn index(&self, cell: Cell) -> usize {
        cell.y as usize * self.size.x as usize + cell.x as usize
    }

    fn tiles_on(&mut self, cell: Cell) -> Option<&mut u32> {
        let index = self.index(cell);
        self.tiles.get_mut(index)
    }
}

/// A tile has been made passable or a wall.
fn touch(mut world: DeferredWorld, context: HookContext) {
    note(&mut world, context.entity);
}

fn note(world: &mut DeferredWorld, tile: Entity) {
    let status = |layer: Entity| world.get::<PursuitMap>(layer).map(PursuitMap::status);
    let of = world.get::<TilemapId>(tile).map(|id| id.0);
    let counted = world
        .get::<Counted>(tile)
        .filter(|counted| counted.tile == Some(tile));
    let was_of = counted.and_then(|counted| counted.cell.map(|cell| cell.layer));
    // Most tiles that come while a layer is being read are new and need no priority.
    let is_urgent = |layer: Entity| match status(layer) {
        Some(MapStatus::Ready | MapStatus::Building) => true,
        Some(MapStatus::Reading) => counted.is_some(),
        _ => false,
    };
    let is_urgent = of.is_some_and(is_urgent) || was_of.is_some_and(is_urgent);
    // The marks must not be set if nobody queues the tile.
    if world.get_resource::<Tiles>().is_none() {
        return;
    }
    let is_queued = is_queued(world, tile, is_urgent);
    let Some(mut tiles) = world.get_resource_mut::<Tiles>() else {
        return;
    };
    match (is_urgent, is_queued) {
        (true, false) => tiles.touched.push(tile),
        (false, false) => tiles.waiting.push_back(tile),
        (_, true) => {}
    }
    if is_urgent {
        return;
    }
    let waiting = tiles.read + tiles.waiting.len() as u64;
    if let Some(layer) = of
        && let Some(mut mirror) = world.get_mut::<Mirror>(layer)
        && let Some(unread) = &mut mirror.unread
    {
        unread.waiting = waiting;
    }
}

/// Returns whether a tile is in its queue already, and notes that it is from now on.
fn is_queued(world: &mut DeferredWorld, tile: Entity, is_urgent: bool) -> bool {
    let Some(mut counted) = world.get_mut::<Counted>(tile) else {
        return false;
    };
    let mark = if is_urgent {
        &mut counted.is_listed
    } else {
        &mut counted.waits
    };
    mark.replace(tile) == Some(tile)
}

/// A tile is removed.
fn leave(mut world: DeferredWorld, context: HookContext) {
    let Some(counted) = world.get::<Counted>(context.entity).copied() else {
        return;
    };
    if counted.tile == Some(context.entity)
        && let Some(mut tiles) = world.get_resource_mut::<Tiles>()
    {
        tiles.gone.push((counted.cell, counted.slot));
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<Tiles>()
        .register_type::<Passable>()
        .register_type::<LayerTiles>()
        .add_observer(place_tile)
        .add_observer(displace_tile)
        .add_observer(forget_size)
        .add_observer(forget_map);
}

/// A tile has moved, or has got its first position.
fn place_tile(insert: On<Insert, (TilePos, TilemapId)>, mut world: DeferredWorld) {
    if world.get::<Passable>(insert.entity).is_some() {
        note(&mut world, insert.entity);
    }
}

/// A tile has lost its position.
fn displace_tile(removed: On<Remove, (TilePos, TilemapId)>, mut world: DeferredWorld) {
    if world.get::<Counted>(removed.entity).is_some() {
        note(&mut world, removed.entity);
    }
}

/// A layer that loses its size is read again when it has one.
fn forget_size(removed: On<Remove, TilemapSize>, mut mirrors: Query<&mut Mirror>) {
    if let Ok(mut mirror) = mirrors.get_mut(removed.entity) {
        *mirror = Mirror::default();
    }
}

/// A map has been removed or replaced.
fn forget_map(gone: On<Discard, PursuitMap>, mut mirrors: Query<&mut Mirror>) {
    if let Ok(mut mirror) = mirrors.get_mut(gone.entity) {
        *mirror = Mirror::default();
    }
}

type TileQuery<'w, 's> = Query<
    'w,
    's,
    (
        Option<&'static TilePos>,
        Option<&'static TilemapId>,
        Option<&'static Passable>,
        &'static mut Counted,
    ),
    Allow<Disabled>,
>;
type Layer = (
    Entity,
    &'static mut PursuitMap,
    &'static TilemapSize,
    &'static mut Mirror,
);
/// Includes disabled layers: their tiles are counted as well.
type Layers<'w, 's> = Query<'w, 's, Layer, Allow<Disabled>>;

/// Starts reading layers that are new or have been resized.
pub(super) fn find_layers(mut layers: Query<Layer>, mut tiles: ResMut<Tiles>) {
    for (layer, mut map, size, mut mirror) in &mut layers {
        // A map that the game has assigned anew is empty, although its layer has been read before.
        let is_known = mirror.size == *size && mirror.reading > 0;
        if !map.follows_layer {
            // The game may have assigned a map of its own while the layer was being read.
            if mirror.unread.is_some() {
                mirror.unread = None;
            }
            continue;
        }
        if is_known && map.status() != MapStatus::Empty {
            continue;
        }
        let Some(blank) = blank(*size) else {
            warn_once!("the layer {layer} has no size that a map can have: {size:?}");
            continue;
        };
        let map = map.bypass_change_detection();
        map.read(blank.width(), blank.height());
        tiles.readings += 1;
        let cells = usize::from(blank.width()) * usize::from(blank.height());
        *mirror = Mirror {
            size: *size,
            reading: tiles.readings,
            tiles: vec![0; cells],
            unread: Some(Unread {
                map: blank,
                waiting: tiles.read + tiles.waiting.len() as u64,
                next: 0,
                tally: Tally::new(cells),
            }),
        };
    }
}

/// A map of walls. `None` if no map can have this size.
fn blank(size: TilemapSize) -> Option<TileMap> {
    let width = u16::try_from(size.x).ok()?;
    let height = u16::try_from(size.y).ok()?;
    TileMap::filled(width, height, Terrain::Wall)
}

/// Reads changed tiles, and continues with layers that are being read.
pub(super) fn sync_tiles(
    mut layers: Layers,
    mut query: TileQuery,
    enabled: Query<(), With<PursuitMap>>,
    mut tiles: ResMut<Tiles>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        let tiles = &mut *tiles;
        for (cell, slot) in std::mem::take(&mut tiles.gone) {
            count(&mut layers, cell, -1);
            tiles.all[slot] = None;
            tiles.free.push(slot);
        }
        let mut touched = std::mem::take(&mut tiles.touched);
        for tile in touched.drain(..) {
            if let Ok((.., mut counted)) = query.get_mut(tile) {
                counted.is_listed = None;
            }
            read_tile(tile, true, tiles, &mut query, &mut layers);
        }
        tiles.touched = touched;
        let unread: Vec<Entity> = layers
            .iter()
            .filter(|(.., mirror)| mirror.unread.is_some())
            .map(|(layer, ..)| layer)
            .filter(|&layer| enabled.contains(layer))
            .collect();
        if unread.is_empty() {
            let most = IDLE.max(tiles.waiting.len() / SHARE);
            take_waiting(IDLE, most, tiles, &mut query, &mut layers);
        }
        for layer in unread {
            continue_layer(layer, tiles, &mut query, &mut layers);
        }
    });
}

/// Reads up to `live` of the waiting tiles, and takes up to `most` from the queue with those that are gone. Returns the
/// number taken.
fn take_waiting(
    live: usize,
    most: usize,
    tiles: &mut Tiles,
    query: &mut TileQuery,
    layers: &mut Layers,
) -> usize {
    let (mut taken, mut read) = (0, 0);
    while taken < most
        && read < live
        && let Some(tile) = tiles.waiting.pop_front()
    {
        taken += 1;
        tiles.read += 1;
        if let Ok((.., mut counted)) = query.get_mut(tile) {
            counted.waits = None;
            read += 1;
            read_tile(tile, false, tiles, query, layers);
        }
    }
    taken
}

/// Continues reading a layer within the share of its map: first the waiting tiles, then all tiles.
fn continue_layer(layer: Entity, tiles: &mut Tiles, query: &mut TileQuery, layers: &mut Layers) {
    let Ok((_, mut map, ..)) = layers.get_mut(layer) else {
        return;
    };
    let mut share = std::mem::take(&mut map.bypass_change_detection().share);
    while share.is_left() && !is_read(layer, tiles, layers) {
        read_piece(layer, &mut share, tiles, query, layers);
    }
    let is_read = is_read(layer, tiles, layers);
    if let Ok((_, mut map, _, mut mirror)) = layers.get_mut(layer) {
        let map = map.bypass_change_detection();
        map.share = share;
        if is_read && let Some(unread) = mirror.unread.take() {
            tiles.read_layers.push((layer, unread.tally.found()));
            map.build(unread.map);
        }
    }
}

fn is_read(layer: Entity, tiles: &Tiles, layers: &Layers) -> bool {
    let unread = layers.get(layer).ok().and_then(|all| all.3.unread.as_ref());
    unread.is_none_or(|unread| tiles.read >= unread.waiting && unread.next >= tiles.all.len())
}

fn read_piece(
    layer: Entity,
    share: &mut Share,
    tiles: &mut Tiles,
    query: &mut TileQuery,
    layers: &mut Layers,
) {
    share.spend(|_| {
        let Ok((.., mut mirror)) = layers.get_mut(layer) else {
            return 1;
        };
        let Some(unread) = &mut mirror.unread else {
            return 1;
        };
        if tiles.read < unread.waiting {
            return TILE * take_waiting(PIECE, PIECE, tiles, query, layers) as u64;
        }
        let piece = unread.next..(unread.next + PIECE).min(tiles.all.len());
        unread.next = piece.end;
        let many = piece.len() as u64;
        for slot in piece {
            if let Some(tile) = tiles.all[slot] {
                read_tile(tile, false, tiles, query, layers);
            }
        }
        TILE * many
    });
}

/// Counts a tile at its present cell instead of its former one. With `overrides`, its cell is again what the tiles make of
/// it, even if the game has changed the map itself.
fn read_tile(
    tile: Entity,
    overrides: bool,
    tiles: &mut Tiles,
    query: &mut TileQuery,
    layers: &mut Layers,
) {
    let Ok((pos, id, passable, mut counted)) = query.get_mut(tile) else {
        return;
    };
    if counted.tile != Some(tile) {
        let slot = tiles.free.pop().unwrap_or_else(|| {
            tiles.all.push(None);
            tiles.all.len() - 1
        });
        tiles.all[slot] = Some(tile);
        *counted = Counted {
            tile: Some(tile),
            cell: None,
            slot,
            waits: counted.waits,
            is_listed: counted.is_listed,
        };
    }
    let is_passable = passable.is_some_and(|passable| passable.0);
    if let Some(id) = id.filter(|_| passable.is_some()) {
        note_tile(pos, *id, is_passable, tiles, layers);
    }
    let at = pos.zip(id).filter(|_| is_passable);
    let after = at.and_then(|(&pos, id)| layer_cell(pos, id.0, layers));
    let is_known = |cell: &LayerCell| {
        layers
            .get(cell.layer)
            .is_ok_and(|(.., mirror)| mirror.reading == cell.reading)
    };
    let before = counted.cell.filter(is_known);
    counted.cell = after;
    if before != after {
        count(layers, before, -1);
        count(layers, after, 1);
    } else if overrides {
        let cell = pos
            .zip(id)
            .and_then(|(&pos, id)| layer_cell(pos, id.0, layers));
        undo_edit(layers, cell);
    }
}

/// Notes where a tile is that is not passable, and whether its layer is no map.
fn note_tile(
    pos: Option<&TilePos>,
    TilemapId(layer): TilemapId,
    is_passable: bool,
    tiles: &mut Tiles,
    layers: &mut Layers,
) {
    let Ok((.., mut mirror)) = layers.get_mut(layer) else {
        return tiles.stray.note(layer);
    };
    let size = mirror.size;
    if let Some(pos) = pos.filter(|pos| !is_passable && pos.within_map_bounds(&size)) {
        let cell = Cell::new(pos.x as u16, (size.y - 1 - pos.y) as u16);
        let has_floor = mirror.tiles_on(cell).is_some_and(|tiles| *tiles > 0);
        let at = mirror.index(cell);
        if let Some(unread) = &mut mirror.unread {
            unread.tally.close(at, has_floor);
        }
    }
}

/// The cell of a tile; `None` if no map follows its layer or if the tile is outside of it.
fn layer_cell(pos: TilePos, layer: Entity, layers: &Layers) -> Option<LayerCell> {
    let (layer, map, _, mirror) = layers.get(layer).ok()?;
    let is_there = map.follows_layer && mirror.reading > 0 && pos.within_map_bounds(&mirror.size);
    // Within the bounds, which are u16.
    is_there.then(|| LayerCell {
        layer,
        reading: mirror.reading,
        cell: Cell::new(pos.x as u16, (mirror.size.y - 1 - pos.y) as u16),
    })
}

/// Makes a cell with an unchanged number of passable tiles what these tiles make of it, where the game has changed the map
/// itself: tiles take precedence.
fn undo_edit(layers: &mut Layers, cell: Option<LayerCell>) {
    let Some(LayerCell { layer, cell, .. }) = cell else {
        return;
    };
    let Ok((_, mut map, _, mut mirror)) = layers.get_mut(layer) else {
        return;
    };
    if mirror.unread.is_some() {
        return; // the map has not been built yet
    }
    let is_passable = mirror.tiles_on(cell).is_some_and(|tiles| *tiles > 0);
    let at = map.position(cell);
    if map.has_edits() || map.is_passable(at) != is_passable {
        map.set_passable(at, is_passable);
    }
}

/// Changes the number of passable tiles of a cell.
fn count(layers: &mut Layers, cell: Option<LayerCell>, more: i32) {
    let Some(LayerCell {
        layer,
        reading,
        cell,
    }) = cell
    else {
        return;
    };
    let Ok((_, mut map, _, mut mirror)) = layers.get_mut(layer) else {
        return;
    };
    if mirror.reading != reading || !map.follows_layer {
        return;
    }
    let Some(tiles) = mirror.tiles_on(cell) else {
        return;
    };
    let was_passable = *tiles > 0;
    *tiles = tiles.saturating_add_signed(more);
    let is_passable = *tiles > 0;
    let index = mirror.index(cell);
    if let Some(unread) = &mut mirror.unread {
        if is_passable != was_passable {
            unread.tally.open(index, is_passable);
        }
        let terrain = if is_passable {
            Terrain::Floor
        } else {
            Terrain::Wall
        };
        unread.map.set(cell, terrain);
    } else {
        let at = map.position(cell);
        map.set_passable(at, is_passable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin::PursuitPlugin;

    #[test]
    fn changing_tiles_without_a_map_do_not_pile_up() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PursuitPlugin::default().in_schedule(Update)));
        let layer = app.world_mut().spawn_empty().id();
        let tile = |x| (TilePos { x, y: 0 }, TilemapId(layer), Passable(true));
        let tiles: Vec<Entity> = (0..1000)
            .map(|x| app.world_mut().spawn(tile(x)).id())
            .collect();
        let mut most = 0;
        for frame in 0..1000 {
            for &tile in &tiles {
                let passable = Passable(frame % 2 == 0);
                app.world_mut().entity_mut(tile).insert(passable);
            }
            // Tiles that are gone before anybody has read them.
            for x in 0..1000 {
                let tile = app.world_mut().spawn(tile(x)).id();
                app.world_mut().despawn(tile);
            }
            app.update();
            most = most.max(app.world().resource::<Tiles>().waiting.len());
        }
        // Each live tile is there once, and of those that are gone four entries for each tile.
        assert!(most <= 1000 * (1 + 4 * SHARE), "{most} tiles wait");
    }
}
