//! Levels as assets, and what they spawn.

use crate::agent::{AgentKinds, Cop, GridPosition, PursuitSpeed, Robber};
use crate::asset_file::AssetFile;
use crate::coordinates::Coordinates;
use crate::geometry::MapGeometry;
use crate::glide::Glide;
use crate::load;
use crate::map::PursuitMap;
use crate::on_map::OnMap;
use crate::sets::PursuitSystems;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use pursuit_engine::map::{AgentStart, BodySize, Kinds, MapError, PursuitLevel};
use thiserror::Error;

/// Makes the entity a map with the agents of a level, as soon as the file of the level is loaded. A level is a
/// `.level.ron` file; a `.map` file of the Moving AI benchmarks is a level without agents.
///
/// ```no_run
/// # use bevy::prelude::*;
/// # use bevy_pursuit::prelude::*;
/// fn set_up(mut commands: Commands, assets: Res<AssetServer>) {
///     let level = assets.load("levels/harbour.level.ron");
///     commands.spawn((SpawnLevel(level), MapGeometry::squares(32.0)));
/// }
/// ```
///
/// The plugin then removes this component, and does what [`SpawnLevelExt::spawn_level`] does: see there for what is
/// spawned. If the file is damaged, nothing is spawned, and the log has one error with file, line and column. Changes of
/// the file after that have no effect.
#[derive(Component, Reflect, Debug, Clone, Default)]
#[reflect(Component, Default)]
#[require(MapGeometry)]
pub struct SpawnLevel(pub Handle<PursuitLevel>);

/// Beside [`SpawnLevel`]: the map is a `bevy_ecs_tilemap` layer with a tile on each cell, so that the game can draw it and
/// open its doors with [`Passable`](super::Passable).
///
/// The tiles are squares or hexagons, as the level says, with the distance of neighbours in the [`MapGeometry`]. Components of the layer that are already on
/// the entity are kept: a texture, an anchor, a type of tiles. Floor is `Passable(true)`, a closed door `Passable(false)`,
/// and walls have no `Passable`. An observer of `On<Add, TilePos>` can choose the picture of each tile.
#[cfg(feature = "tilemap")]
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct LevelLayer;

/// The reason why the file of a level is rejected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LevelFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The file is not text in UTF-8.
    #[error("expected text in UTF-8: {0}")]
    Text(#[from] std::str::Utf8Error),
    /// The text is no level; with line and column.
    #[error("{0}")]
    Level(#[from] MapError),
}

impl AssetFile for PursuitLevel {
    type Error = LevelFileError;

    const EXTENSIONS: &'static [&'static str] = &["level.ron", "map"];

    fn from_file(bytes: Vec<u8>) -> Result<Self, LevelFileError> {
        Ok(Self::parse(std::str::from_utf8(&bytes)?)?)
    }
}

/// Spawning of levels that the game has at hand.
pub trait SpawnLevelExt {
    /// Spawns a map without a layer and the agents of a level, and returns the commands of the map. In the map, closed doors
    /// are walls.
    ///
    /// The map has a [`MapGeometry`] of tiles whose centres are 1 apart: insert [`MapGeometry::of_level`] for larger ones.
    /// Each agent has [`OnMap`], its [`GridPosition`] and [`PursuitSpeed`] from the level, [`Glide`], and [`AgentKinds`] if
    /// some tiles are for one side or for some kinds only; observers of `On<Add, Cop>` and
    /// `On<Add, Robber>` give it a picture.
    ///
    /// Cost: a copy of the map.
    fn spawn_level(&mut self, level: &PursuitLevel) -> EntityCommands<'_>;
}

impl SpawnLevelExt for Commands<'_, '_> {
    fn spawn_level(&mut self, level: &PursuitLevel) -> EntityCommands<'_> {
        let map = PursuitMap::new(&level.play_map(), level.moves());
        let map = self.spawn((map, MapGeometry::of_level(level, 1.0))).id();
        spawn_agents(self, level, map);
        self.entity(map)
    }
}

pub(super) fn build(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    let spawn = spawn_levels
        .in_set(PursuitSystems::Sync)
        .before(load::share_out);
    #[cfg(feature = "tilemap")]
    let spawn = spawn
        .before(super::layer_geometry::write_geometry)
        .before(super::tilemap::find_layers);
    app.add_systems(schedule, spawn);
}

/// Spawns levels that have been loaded.
fn spawn_levels(
    waiting: Query<(Entity, &SpawnLevel, &MapGeometry)>,
    #[cfg(feature = "tilemap")] layers: Query<(), With<LevelLayer>>,
    levels: Res<Assets<PursuitLevel>>,
    mut commands: Commands,
) {
    for (map, SpawnLevel(level), geometry) in &waiting {
        let Some(level) = levels.get(level) else {
            continue;
        };
        let fitted = geometry.fitted_to(level);
        commands.entity(map).remove::<SpawnLevel>();
        if fitted != *geometry {
            commands.entity(map).insert(fitted);
        }
        #[cfg(feature = "tilemap")]
        let is_layer = layers.contains(map);
        #[cfg(not(feature = "tilemap"))]
        let is_layer = false;
        if is_layer {
            spawn_layer(&mut commands, level, map, fitted.spacing());
        } else {
            let tiles = PursuitMap::new(&level.play_map(), level.moves());
            commands.entity(map).insert(tiles);
        }
        spawn_agents(&mut commands, level, map);
    }
}

fn spawn_agents(commands: &mut Commands, level: &PursuitLevel, map: Entity) {
    let coordinates = coordinates(level);
    let agent = |start: &AgentStart| {
        (
            GridPosition(coordinates.position(start.at)),
            PursuitSpeed(start.speed.get()),
            OnMap(map),
            Glide,
        )
    };
    for start in level.cops() {
        let cop = commands.spawn((Cop, agent(start)));
        give_kinds_and_size(cop, level.kinds_of_cop(start), start.size);
    }
    for start in level.robbers() {
        let robber = commands.spawn((Robber, agent(start)));
        give_kinds_and_size(robber, level.kinds_of_robber(start), start.size);
    }
}

fn give_kinds_and_size(mut agent: EntityCommands, kinds: Kinds, size: BodySize) {
    if !kinds.is_empty() {
        agent.insert(AgentKinds(kinds));
    }
    if !size.is_one() {
        agent.insert(size);
    }
}

fn coordinates(level: &PursuitLevel) -> Coordinates {
    let map = level.map();
    Coordinates::new(IVec2::ZERO, map.width(), map.height())
}

#[cfg(not(feature = "tilemap"))]
fn spawn_layer(_: &mut Commands, _: &PursuitLevel, _: Entity, _: f32) {}

/// Makes an entity the layer of a level, and spawns its tiles.
#[cfg(feature = "tilemap")]
fn spawn_layer(commands: &mut Commands, level: &PursuitLevel, layer: Entity, side: f32) {
    use super::{LayerRules, Passable};
    use crate::coordinates::type_of_moves;
    use bevy_ecs_tilemap::prelude::{
        HexCoordSystem, TileBundle, TilePos, TileStorage, TilemapGridSize, TilemapId, TilemapSize,
        TilemapTileSize, TilemapType,
    };
    let map = level.map();
    let size = TilemapSize {
        x: map.width().into(),
        y: map.height().into(),
    };
    let open = level.initial_map();
    let coordinates = coordinates(level);
    let mut storage = TileStorage::empty(size);
    for cell in map.cells() {
        let position = TilePos::from(coordinates.position(cell).as_uvec2());
        let mut tile = commands.spawn(TileBundle {
            position,
            tilemap_id: TilemapId(layer),
            ..default()
        });
        if map.is_passable(cell) {
            tile.insert(Passable(open.is_passable(cell)));
        }
        storage.set(&position, tile.id());
    }
    let kind = type_of_moves(level.moves(), map.height());
    // Neighbours of regular hexagons are as far apart as their sides.
    let long = side * 2.0 / 3.0_f32.sqrt();
    let [x, y] = match kind {
        TilemapType::Hexagon(
            HexCoordSystem::RowEven | HexCoordSystem::RowOdd | HexCoordSystem::Row,
        ) => [side, long],
        TilemapType::Hexagon(_) => [long, side],
        TilemapType::Square | TilemapType::Isometric(_) => [side, side],
    };
    commands
        .entity(layer)
        .insert_if_new((TilemapTileSize { x, y }, TilemapGridSize { x, y }, kind))
        .insert((
            PursuitMap::of_layer(level.moves()),
            size,
            storage,
            LayerRules::of_level(level),
        ));
}
