//! Levels from files: what they spawn, and what happens if they are damaged.

use crate::common::folder::{Folder, asset_app, until};
use bevy::prelude::*;
use bevy_pursuit::MapStatus;
use bevy_pursuit::prelude::*;

const LEVEL: &str = r#"(
    name: "cell block",
    legend: { 'C': Cop(speed: 2), 'R': Robber(), 'd': Door(name: "gate", open: false) },
    rows: [
        "@@@@@@@",
        "@C.d.R@",
        "@....C@",
    ],
)"#;

fn agents<Role: Component>(app: &mut App) -> Vec<(IVec2, u8, Entity)> {
    let mut agents = app
        .world_mut()
        .query_filtered::<(&GridPosition, &PursuitSpeed, &OnMap), With<Role>>();
    let agents = agents.iter(app.world());
    let mut found: Vec<_> = agents
        .map(|(at, speed, map)| (at.0, speed.0, map.0))
        .collect();
    found.sort_unstable_by_key(|(at, ..)| (at.x, at.y));
    found
}

fn is_ready(app: &App, map: Entity) -> bool {
    app.world().get::<MapStatus>(map) == Some(&MapStatus::Ready)
}

#[track_caller]
fn assert_spawned(app: &mut App, map: Entity) {
    let at = IVec2::new;
    assert_eq!(agents::<Cop>(app), [(at(1, 1), 2, map), (at(5, 0), 2, map)]);
    assert_eq!(agents::<Robber>(app), [(at(5, 1), 1, map)]);
    let tiles = app.world().get::<LiveMap>(map).expect("a map");
    assert!(tiles.is_passable(at(2, 1)), "floor");
    assert!(!tiles.is_passable(at(3, 1)), "a closed door");
    assert!(!tiles.is_passable(at(0, 0)), "a wall");
}

#[test]
fn spawn_level_makes_a_map_with_agents_from_a_file() {
    let folder = Folder::new("level");
    folder.write("block.level.ron", LEVEL.as_bytes());
    let mut app = asset_app(&folder);
    let level = app
        .world()
        .resource::<AssetServer>()
        .load("block.level.ron");
    let map = app
        .world_mut()
        .spawn((SpawnLevel(level), MapGeometry::squares(32.0)))
        .id();
    until(&mut app, |app| is_ready(app, map));
    assert_spawned(&mut app, map);
    let geometry = app.world().get::<MapGeometry>(map);
    assert_eq!(geometry, Some(&MapGeometry::squares(32.0)));
    let robber = agents::<Robber>(&mut app)[0];
    until(&mut app, |app| {
        let robbers = app.world().try_query_filtered::<Entity, With<Caught>>();
        robbers.is_some_and(|mut caught| caught.iter(app.world()).count() == 1)
    });
    assert_eq!(robber.2, map);
}

#[test]
fn spawn_level_takes_a_map_of_the_benchmarks_without_agents() {
    let folder = Folder::new("benchmark");
    folder.write(
        "tiny.map",
        b"type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n",
    );
    let mut app = asset_app(&folder);
    let level = app.world().resource::<AssetServer>().load("tiny.map");
    let map = app.world_mut().spawn(SpawnLevel(level)).id();
    until(&mut app, |app| is_ready(app, map));
    let tiles = app.world().get::<LiveMap>(map).expect("a map");
    assert!(!tiles.is_passable(IVec2::new(1, 1)) && tiles.is_passable(IVec2::new(1, 0)));
    assert_eq!(agents::<Cop>(&mut app), []);
}

#[test]
fn spawn_level_of_a_damaged_file_spawns_nothing_and_the_game_goes_on() {
    use bevy::asset::LoadState;
    let folder = Folder::new("damaged");
    let damaged = LEVEL.replace("@C.d.R@", "@C.d.X@");
    folder.write("damaged.level.ron", damaged.as_bytes());
    folder.write("block.level.ron", LEVEL.as_bytes());
    let mut app = asset_app(&folder);
    let assets = app.world().resource::<AssetServer>().clone();
    let level: Handle<PursuitLevel> = assets.load("damaged.level.ron");
    let broken = app.world_mut().spawn(SpawnLevel(level.clone())).id();
    let is_failed = |state: &LoadState| matches!(state, LoadState::Failed(_));
    until(&mut app, |_| is_failed(&assets.load_state(&level)));
    let LoadState::Failed(error) = assets.load_state(&level) else {
        unreachable!("it has failed");
    };
    let error = error.to_string();
    assert!(error.contains("damaged.level.ron"), "{error}");
    assert!(
        error.contains("6:15: expected") && error.contains("'X'"),
        "{error}"
    );
    let map = app
        .world_mut()
        .spawn(SpawnLevel(assets.load("block.level.ron")))
        .id();
    until(&mut app, |app| is_ready(app, map));
    assert_spawned(&mut app, map);
    assert!(app.world().get::<LiveMap>(broken).is_none());
}

#[test]
fn spawn_level_spawns_a_level_at_hand() {
    let mut app = crate::common::app::app();
    let level = PursuitLevel::parse(LEVEL).expect("a level");
    let map = app.world_mut().commands().spawn_level(&level).id();
    app.update();
    assert_spawned(&mut app, map);
}

#[cfg(feature = "tilemap")]
#[test]
fn spawn_level_makes_a_layer_whose_doors_open() {
    use bevy_ecs_tilemap::prelude::{TilePos, TileStorage};
    use bevy_pursuit::LevelLayer;
    let folder = Folder::new("layer");
    folder.write("block.level.ron", LEVEL.as_bytes());
    let mut app = asset_app(&folder);
    let level = app
        .world()
        .resource::<AssetServer>()
        .load("block.level.ron");
    let geometry = MapGeometry::squares(16.0);
    let map = app
        .world_mut()
        .spawn((SpawnLevel(level), LevelLayer, geometry))
        .id();
    until(&mut app, |app| is_ready(app, map));
    assert_spawned(&mut app, map);
    let tiles = app.world().get::<TileStorage>(map).expect("a layer");
    let door = tiles.get(&TilePos::new(3, 1)).expect("a tile");
    app.world_mut().entity_mut(door).insert(Passable(true));
    app.update();
    let tiles = app.world().get::<LiveMap>(map).expect("a map");
    assert!(tiles.is_passable(IVec2::new(3, 1)));
    assert_eq!(app.world().get::<MapGeometry>(map), Some(&geometry));
}
