//! The component that makes an entity a map: its settings.

use crate::live_map::LiveMap;
use crate::map_status::MapStatus;
use crate::turn_clock::TurnClock;
use bevy::ecs::lifecycle::HookContext;
use bevy::ecs::world::DeferredWorld;
use bevy::prelude::*;
use pursuit_engine::map::{Moves, TileMap};
use std::sync::Arc;

/// A map to chase on. Put [`PursuitMap::of_layer`] on the entity of a `bevy_ecs_tilemap` layer to follow its tiles, or use
/// [`PursuitMap::new`] for a map without a layer.
///
/// These are the settings of the map: plain data that can be cloned, and that scenes and `bsn!` can contain. The plugin adds
/// a [`LiveMap`], which has the tiles as they are now, answers queries and takes edits. To replace the map by another one,
/// insert this component again.
///
/// Positions count upwards from the bottom left, as everywhere in Bevy; maps and levels in text files count rows from the
/// top.
///
/// The plugin builds a map within the budget: see [`MapStatus`]. A few thousand tiles take one tick. With the default budget
/// and 64 ticks a second, a million tiles take four seconds, or fourteen as tiles of a layer, and twice as long while
/// another map is in play. Raise the budget behind a loading screen. A layer that is resized is read and built again in the
/// same way; its agents stand until that is done.
#[derive(Component, Reflect, Debug, Clone, Default, PartialEq)]
#[reflect(Component, Default, PartialEq)]
#[component(immutable, on_insert = begin, on_remove = end)]
#[require(LiveMap, TurnClock, MapStatus)]
pub struct PursuitMap {
    /// The steps that agents can take. The rows of hexagons count from the top, as in levels.
    pub moves: Moves,
    /// The position of the bottom left tile of a map without a layer. A layer keeps its own numbers.
    pub origin: IVec2,
    /// Where the tiles come from.
    #[reflect(ignore)]
    pub tiles: MapTiles,
}

/// Where the tiles of a map come from.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum MapTiles {
    /// The `bevy_ecs_tilemap` layer on the entity of the map. Without one, the map is empty.
    #[default]
    Layer,
    /// These tiles. On the entity of a layer, the map takes the position of the layer, but not its tiles.
    Given(Arc<TileMap>),
}

impl PursuitMap {
    /// A map that follows the tilemap layer on its entity. It is empty until the next
    /// [`Sync`](super::PursuitSystems::Sync).
    ///
    /// On a layer of hexagons (`TilemapType::Hexagon`), agents step to the six neighbours, whatever the moves here.
    #[must_use]
    pub const fn of_layer(moves: Moves) -> Self {
        Self {
            moves,
            origin: IVec2::ZERO,
            tiles: MapTiles::Layer,
        }
    }

    /// A map without a layer. It is built in the next [`Sync`](super::PursuitSystems::Sync), or over several if it is large.
    ///
    /// Cost: a copy of the map.
    #[must_use]
    pub fn new(map: &TileMap, moves: Moves) -> Self {
        Self {
            moves,
            origin: IVec2::ZERO,
            tiles: MapTiles::Given(Arc::new(map.clone())),
        }
    }

    /// The same map with its bottom left tile at another position than (0, 0): for maps that are part of a larger world, or
    /// that have tiles left of and below zero.
    #[must_use]
    pub const fn with_origin(mut self, origin: IVec2) -> Self {
        self.origin = origin;
        self
    }
}

/// Begins the live map anew with the settings.
fn begin(mut world: DeferredWorld, context: HookContext) {
    let Some(settings) = world.get::<PursuitMap>(context.entity).cloned() else {
        return;
    };
    if let Some(mut live) = world.get_mut::<LiveMap>(context.entity) {
        let given = match &settings.tiles {
            MapTiles::Layer => None,
            MapTiles::Given(tiles) => Some((TileMap::clone(tiles), settings.origin)),
        };
        *live = LiveMap::of(settings.moves, given);
    }
}

fn end(mut world: DeferredWorld, context: HookContext) {
    world
        .commands()
        .entity(context.entity)
        .try_remove::<LiveMap>();
}
