//! Restarts the chase, and goes back to a saved moment.

use super::input::{Agents, StopAt, cell};
use crate::art;
use crate::record::{Record, Trail};
use crate::scene::{DoorTile, Scene, spawn_agents};
use bevy::ecs::entity::EntityHashSet;
use bevy::ecs::system::RunSystemOnce as _;
use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::{TilePos, TileTextureIndex};
use bevy_pursuit::TurnClock;
use bevy_pursuit::engine::map::{Cell, PursuitLevel};
use bevy_pursuit::engine::world::Snapshot;
use bevy_pursuit::prelude::*;

/// The starts of the current chase.
#[derive(Resource, Debug, Default)]
pub struct Start {
    pub seed: Option<u64>,
}

/// A moment to go back to.
#[derive(Resource, Debug)]
struct Bookmark {
    chase: Snapshot,
    record: Record,
}

type Tiles<'w, 's> = Query<
    'w,
    's,
    (
        Entity,
        &'static TilePos,
        &'static Passable,
        Has<DoorTile>,
        &'static mut TileTextureIndex,
    ),
>;

pub fn plugin(app: &mut App) {
    app.init_resource::<Start>()
        .add_systems(Startup, |mut start: ResMut<Start>, scene: Res<Scene>| {
            start.seed = scene.seed;
        })
        .add_systems(Update, (restart, go_back).chain());
}

/// R restarts with the same starts; N with others. Doors return to their state in the level.
///
/// The map is a new one, so that the chase is the same as in a new window with these starts.
fn restart(
    keys: Res<ButtonInput<KeyCode>>,
    mut start: ResMut<Start>,
    mut scene: ResMut<Scene>,
    mut record: ResMut<Record>,
    agents: Agents,
    map: Single<Entity, With<LiveMap>>,
    tiles: Tiles,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::KeyN) {
        start.seed = Some(start.seed.map_or(1, |seed| seed.wrapping_add(1)));
    } else if !keys.just_pressed(KeyCode::KeyR) {
        return;
    }
    commands.remove_resource::<StopAt>();
    commands.remove_resource::<Bookmark>();
    scene.seed = start.seed;
    *record = Record::default();
    for (agent, ..) in &agents {
        commands.entity(agent).despawn();
    }
    let open = scene.level.initial_map();
    set_tiles(&scene, tiles, |cell| open.is_passable(cell), &mut commands);
    let new = PursuitMap::of_layer(scene.level.moves());
    commands.entity(*map).insert((new, TurnClock::default()));
    spawn_agents(&mut commands, &scene);
}

/// B saves this moment; Backspace goes back to it.
fn go_back(
    keys: Res<ButtonInput<KeyCode>>,
    mut record: ResMut<Record>,
    map: Single<(Entity, &LiveMap)>,
    agents: Agents,
    mut trails: Query<&mut Trail>,
    bookmark: Option<Res<Bookmark>>,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::KeyB)
        && let Some(chase) = map.1.snapshot()
    {
        let record = record.clone();
        commands.insert_resource(Bookmark { chase, record });
    }
    let Some(bookmark) = bookmark.filter(|_| keys.just_pressed(KeyCode::Backspace)) else {
        return;
    };
    let here: EntityHashSet = agents.iter().map(|(agent, _)| agent).collect();
    let (map, chase) = (map.0, bookmark.chase.clone());
    commands.queue(move |world: &mut World| {
        let is_here = |agent| here.contains(&agent).then_some(agent);
        if let Err(error) = world.restore_map(map, chase, is_here) {
            warn!("{error}");
            return;
        }
        // The tiles follow the map that is back.
        let shown = world.run_system_once(show_doors);
        shown.expect("the scene is there");
    });
    *record = bookmark.record.clone();
    for mut trail in &mut trails {
        trail.0.clear();
    }
}

/// Makes the tiles of the layer what the map says.
fn show_doors(scene: Res<Scene>, map: Single<&LiveMap>, tiles: Tiles, mut commands: Commands) {
    let is_open = |cell| map.is_passable(map.position(cell));
    set_tiles(&scene, tiles, is_open, &mut commands);
}

/// Opens and closes tiles until they match `is_open`.
fn set_tiles(
    scene: &Scene,
    mut tiles: Tiles,
    is_open: impl Fn(Cell) -> bool,
    commands: &mut Commands,
) {
    for (tile, at, passable, is_door, mut texture) in &mut tiles {
        let cell = cell(scene, GridPosition::from(*at).0);
        let open = is_open(cell);
        if passable.0 != open {
            commands.entity(tile).insert(Passable(open));
            texture.0 = picture(&scene.level, cell, is_door, open);
        }
    }
}

/// The picture of a tile that has been opened or closed.
pub fn picture(level: &PursuitLevel, cell: Cell, is_door: bool, open: bool) -> u32 {
    if is_door {
        art::door(level, cell, open)
    } else if open == level.map().is_passable(cell) {
        art::tile(level, cell)
    } else if open {
        art::floor(level, cell)
    } else {
        art::PILLAR
    }
}
