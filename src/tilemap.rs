//! Keeps a [`LiveMap`] in step with the `bevy_ecs_tilemap` layer on its entity.
//!
//! Component hooks queue every tile that changes, at any moment of the frame, and the next tick reads
//! the present state of the queued tiles. Nothing is polled: a layer that does not change costs nothing,
//! and no change is lost between a frame and a tick.
//!
//! The next tick reads all changed tiles of a map in play. Tiles of other layers are only listed, for each layer. A
//! layer that is new or has been resized is read from its list within the budget; changes to its tiles in the meantime
//! are applied before it comes into play.

use crate::coordinates::{Coordinates, moves_of_type};
use crate::layer_tiles::{LayerTiles, Stray, Tally};
use crate::live_map::LiveMap;
use crate::load::LoadingBudget;
use crate::map::PursuitMap;
use crate::map_status::MapStatus;
use crate::maps::Maps;
use crate::share::Share;
use crate::tile_list::TileList;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::lifecycle::{Discard, HookContext};
use bevy::ecs::query::Allow;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{TilePos, TilemapId, TilemapSize, TilemapType};
use pursuit_engine::map::{Cell, Terrain, TileMap};

/// The cost of reading a tile, in expansions.
const TILE: u64 = 2;
/// Tiles read between two checks of the budget.
const PIECE: usize = 32;
/// The number of changed tiles from which on those that are gone are dropped from the list.
const MOST_TOUCHED: usize = 4096;

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

/// The cell at which a tile is counted as passable, if it is, and its place in the list of its layer.
#[derive(Component, Debug, Clone, Copy, Default)]
#[component(on_remove = leave)]
pub(super) struct Counted {
    /// The tile itself. In a clone of a tile this is still the original: the clone has not been counted.
    tile: Option<Entity>,
    cell: Option<LayerCell>,
    /// The layer in whose list it is, and its index there.
    slot: Option<(Entity, usize)>,
    /// Whether it is in the list of changed tiles.
    is_touched: bool,
}

/// A cell of a layer, and the reading of the layer that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LayerCell {
    layer: Entity,
    reading: u64,
    cell: Cell,
}

/// All tiles that have ever been [`Passable`], and those of maps in play that have changed since the last tick.
#[derive(Resource, Debug, Default)]
pub(super) struct Tiles {
    /// Changed tiles of maps in play, in order of the changes.
    touched: Vec<Entity>,
    /// The number of changed tiles that were left when those that were gone had been dropped.
    compacted: usize,
    /// The cells of removed tiles that were counted.
    gone: Vec<LayerCell>,
    /// The tiles of each layer, whether it is a map or not.
    pub(super) of_layers: EntityHashMap<TileList>,
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
    let of = world.get::<TilemapId>(tile).map(|id| id.0);
    let Some(counted) = list(world, tile, of) else {
        return;
    };
    let status = |layer: Entity| world.get::<LiveMap>(layer).map(LiveMap::status);
    let has_been_read = || {
        let (layer, index) = counted.slot?;
        let tiles = world.get_resource::<Tiles>()?.of_layers.get(&layer)?;
        Some(index < tiles.read)
    };
    // A layer that is being read comes to the other tiles by itself.
    let is_urgent = |layer: Entity| match status(layer) {
        Some(MapStatus::Ready | MapStatus::Building) => true,
        Some(MapStatus::Reading) => has_been_read() == Some(true),
        _ => false,
    };
    let was_of = counted.cell.map(|cell| cell.layer);
    let is_moved = was_of.is_some_and(|layer| Some(layer) != of && status(layer).is_some());
    if counted.is_touched || !(is_moved || of.or(was_of).is_some_and(is_urgent)) {
        return;
    }
    if let Some(mut counted) = world.get_mut::<Counted>(tile) {
        counted.is_touched = true;
    }
    push_touched(world, tile);
}

/// Adds a tile to the changed ones. While nobody reads them, tiles that are gone are dropped now and then.
fn push_touched(world: &mut DeferredWorld, tile: Entity) {
    let Some(mut tiles) = world.get_resource_mut::<Tiles>() else {
        return;
    };
    tiles.touched.push(tile);
    if tiles.touched.len() > 2 * tiles.compacted.max(MOST_TOUCHED) {
        let mut touched = std::mem::take(&mut tiles.touched);
        touched.retain(|&tile| world.get::<Counted>(tile).is_some());
        if let Some(mut tiles) = world.get_resource_mut::<Tiles>() {
            tiles.compacted = touched.len();
            tiles.touched = touched;
        }
    }
}

/// Puts a tile into the list of its layer, and takes it out of that of another one. Returns what is known about it.
fn list(world: &mut DeferredWorld, tile: Entity, of: Option<Entity>) -> Option<Counted> {
    let mut counted = *world.get::<Counted>(tile)?;
    if counted.tile != Some(tile) {
        counted = Counted {
            tile: Some(tile),
            ..Counted::default()
        };
    } else if counted.slot.map(|(layer, _)| layer) == of {
        return Some(counted);
    }
    take_from_list(world, tile, counted.slot.take());
    let is_map = of.is_none_or(|layer| world.get::<LiveMap>(layer).is_some());
    let mut tiles = world.get_resource_mut::<Tiles>()?;
    if let Some(layer) = of.filter(|_| !is_map) {
        tiles.stray.note(layer);
    }
    counted.slot = of.map(|layer| {
        let list = tiles.of_layers.entry(layer).or_default();
        list.tiles.push(tile);
        (layer, list.tiles.len() - 1)
    });
    *world.get_mut::<Counted>(tile)? = counted;
    Some(counted)
}

/// Takes a tile out of the list of its layer.
fn take_from_list(world: &mut DeferredWorld, tile: Entity, slot: Option<(Entity, usize)>) {
    let Some((layer, index)) = slot else {
        return;
    };
    let Some(mut tiles) = world.get_resource_mut::<Tiles>() else {
        return;
    };
    let Some(list) = tiles.of_layers.get_mut(&layer) else {
        return;
    };
    // A tile that is removed may have left it already.
    if list.tiles.get(index) != Some(&tile) {
        return;
    }
    let moved = list.remove(index);
    if list.tiles.is_empty() {
        tiles.of_layers.remove(&layer);
    }
    for (tile, index) in moved.into_iter().flatten() {
        if let Some(mut counted) = world.get_mut::<Counted>(tile) {
            counted.slot = Some((layer, index));
        }
    }
}

/// A tile is removed.
fn leave(mut world: DeferredWorld, context: HookContext) {
    let counted = world.get::<Counted>(context.entity).copied();
    let Some(counted) = counted.filter(|counted| counted.tile == Some(context.entity)) else {
        return;
    };
    take_from_list(&mut world, context.entity, counted.slot);
    if let Some(cell) = counted.cell
        && let Some(mut tiles) = world.get_resource_mut::<Tiles>()
    {
        tiles.gone.push(cell);
    }
}

pub(super) fn build(app: &mut App) {
    app.register_required_components::<PursuitMap, Mirror>();
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
    &'static mut LiveMap,
    &'static TilemapSize,
    &'static mut Mirror,
);
/// Includes disabled layers: their tiles are counted as well.
type Layers<'w, 's> = Query<'w, 's, Layer, Allow<Disabled>>;

/// Starts reading layers that are new, have been resized, or have got another type of tiles.
pub(super) fn find_layers(
    mut layers: Query<Layer>,
    settings: Query<(&PursuitMap, Option<&TilemapType>)>,
    mut tiles: ResMut<Tiles>,
) {
    for (layer, mut map, size, mut mirror) in &mut layers {
        // A map that the game has assigned anew is empty, although its layer has been read before.
        let chosen = settings.get(layer).map(|(map, kind)| {
            let kind = kind.copied().unwrap_or_default();
            moves_of_type(kind, size.y as u16).unwrap_or(map.moves)
        });
        let moves = chosen.unwrap_or_default();
        let is_known = mirror.size == *size && mirror.reading > 0 && map.moves() == moves;
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
        map.read(blank.width(), blank.height(), moves);
        tiles.readings += 1;
        let cells = usize::from(blank.width()) * usize::from(blank.height());
        if let Some(list) = tiles.of_layers.get_mut(&layer) {
            list.read = 0;
        }
        *mirror = Mirror {
            size: *size,
            reading: tiles.readings,
            tiles: vec![0; cells],
            unread: Some(Unread {
                map: blank,
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

/// Reads changed tiles, and continues with layers that are being read, in the order of their numbers.
pub(super) fn sync_tiles(
    mut layers: Layers,
    mut query: TileQuery,
    enabled: Query<(), With<LiveMap>>,
    all_maps: Res<Maps>,
    mut tiles: ResMut<Tiles>,
    mut budget: ResMut<LoadingBudget>,
    timer: WorkTimer,
) {
    timer.time(|| {
        let tiles = &mut *tiles;
        for cell in tiles.gone.drain(..) {
            count(&mut layers, Some(cell), -1);
        }
        for tile in tiles.touched.drain(..) {
            read_tile(tile, true, &mut query, &mut layers);
        }
        if layers.iter().all(|(.., mirror)| mirror.unread.is_none()) {
            return;
        }
        for layer in all_maps.iter().filter(|&layer| enabled.contains(layer)) {
            let of = layers.get(layer).ok();
            if of.is_some_and(|(.., mirror)| mirror.unread.is_some()) {
                let share = budget.take();
                continue_layer(layer, share, tiles, &mut query, &mut layers);
            }
        }
    });
}

/// Continues reading a layer within the share of its map.
fn continue_layer(
    layer: Entity,
    mut share: Share,
    tiles: &mut Tiles,
    query: &mut TileQuery,
    layers: &mut Layers,
) {
    let mut none = TileList::default();
    let list = tiles.of_layers.get_mut(&layer).unwrap_or(&mut none);
    while share.is_left() && list.read < list.tiles.len() {
        share.spend(|_| {
            let piece = list.read..(list.read + PIECE).min(list.tiles.len());
            list.read = piece.end;
            let many = piece.len() as u64;
            for &tile in &list.tiles[piece] {
                read_tile(tile, false, query, layers);
            }
            TILE * many
        });
    }
    let is_read = list.read == list.tiles.len();
    if let Ok((_, mut map, _, mut mirror)) = layers.get_mut(layer) {
        let map = map.bypass_change_detection();
        map.share = share;
        if is_read && let Some(unread) = mirror.unread.take() {
            tiles.read_layers.push((layer, unread.tally.found()));
            map.build(unread.map);
        }
    }
}

/// Counts a tile at its present cell instead of its former one. With `overrides`, its cell is again what the tiles make of
/// it, even if the game has changed the map itself.
fn read_tile(tile: Entity, overrides: bool, query: &mut TileQuery, layers: &mut Layers) {
    let Ok((pos, id, passable, mut counted)) = query.get_mut(tile) else {
        return;
    };
    counted.is_touched = false;
    let is_passable = passable.is_some_and(|passable| passable.0);
    if let Some(id) = id.filter(|_| passable.is_some() && !is_passable) {
        note_closed(pos, *id, layers);
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

/// Notes where a tile is that is not passable.
fn note_closed(pos: Option<&TilePos>, TilemapId(layer): TilemapId, layers: &mut Layers) {
    let Ok((.., mut mirror)) = layers.get_mut(layer) else {
        return;
    };
    let size = mirror.size;
    if let Some(pos) = pos.filter(|pos| pos.within_map_bounds(&size)) {
        let cell = cell_of_tile(*pos, size);
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
    is_there.then(|| LayerCell {
        layer,
        reading: mirror.reading,
        cell: cell_of_tile(pos, mirror.size),
    })
}

/// The cell of a tile on a layer of this size.
fn cell_of_tile(pos: TilePos, size: TilemapSize) -> Cell {
    // The sizes of layers that maps follow are u16.
    let coordinates = Coordinates::new(IVec2::ZERO, size.x as u16, size.y as u16);
    coordinates.cell_or_beside(UVec2::from(pos).as_ivec2())
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
    use crate::PursuitPlugin;
    use pursuit_engine::map::Moves;

    #[test]
    fn changing_tiles_without_a_map_or_a_tick_do_not_pile_up() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, PursuitPlugin::default().in_schedule(Update)));
        for is_map in [false, true] {
            let size = TilemapSize { x: 1000, y: 1 };
            let layer = app.world_mut().spawn(size).id();
            if is_map {
                let map = PursuitMap::of_layer(Moves::Octile);
                app.world_mut().entity_mut(layer).insert(map);
            }
            let tile = |x| (TilePos { x, y: 0 }, TilemapId(layer), Passable(true));
            let tiles: Vec<Entity> = (0..1000)
                .map(|x| app.world_mut().spawn(tile(x)).id())
                .collect();
            (0..10).for_each(|_| app.update());
            for frame in 0..100 {
                for &tile in &tiles {
                    let passable = Passable(frame % 2 == 0);
                    app.world_mut().entity_mut(tile).insert(passable);
                }
                // Tiles that are gone before anybody has read them.
                for x in 0..1000 {
                    let tile = app.world_mut().spawn(tile(x)).id();
                    app.world_mut().despawn(tile);
                }
                let known = app.world().resource::<Tiles>();
                let list = known.of_layers.get(&layer).map(|list| list.tiles.len());
                assert_eq!(list, Some(1000));
                let most = 2 * MOST_TOUCHED + 1;
                assert!(known.touched.len() <= most && known.gone.len() <= 1000);
            }
            for tile in tiles {
                app.world_mut().despawn(tile);
            }
            assert!(app.world().resource::<Tiles>().of_layers.is_empty());
        }
    }
}
