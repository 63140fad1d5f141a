//! A `bevy_ecs_tilemap` layer as data: every change of a tile reaches the map, in the same tick.
#![cfg(feature = "tilemap")]

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ecs_tilemap::prelude::{TilePos, TilemapId, TilemapSize};
use bevy_pursuit::prelude::*;
use std::time::Duration;

const SIZE: UVec2 = UVec2::new(5, 4);

fn app() -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update(); // the first update starts time and has no tick yet
    let layer = layer(&mut app);
    app.update();
    (app, layer)
}

/// A layer with a floor of tiles, but for a wall in column 2 of row 1.
fn layer(app: &mut App) -> Entity {
    let size = TilemapSize {
        x: SIZE.x,
        y: SIZE.y,
    };
    let layer = app.world_mut().spawn((size, PursuitMap::default())).id();
    for y in 0..SIZE.y {
        for x in 0..SIZE.x {
            let tile = tile(app, layer, x, y);
            if (x, y) != (2, 1) {
                app.world_mut().entity_mut(tile).insert(Passable(true));
            }
        }
    }
    layer
}

fn tile(app: &mut App, layer: Entity, x: u32, y: u32) -> Entity {
    let tile = (TilePos { x, y }, TilemapId(layer));
    app.world_mut().spawn(tile).id()
}

fn tile_at(app: &mut App, x: u32, y: u32) -> Entity {
    let mut tiles = app.world_mut().query::<(Entity, &TilePos)>();
    let mut tiles = tiles.iter(app.world());
    let found = tiles.find(|(_, pos)| **pos == TilePos { x, y });
    found.expect("a tile").0
}

/// The map as rows of text, the top row first.
fn picture(app: &App, layer: Entity) -> Vec<String> {
    let map = app.world().get::<PursuitMap>(layer).expect("a map");
    let symbol = |x, y| {
        if map.is_passable(UVec2::new(x, y)) {
            '.'
        } else {
            '#'
        }
    };
    let row = |y| (0..SIZE.x).map(|x| symbol(x, y)).collect();
    (0..SIZE.y).rev().map(row).collect()
}

#[test]
fn a_new_layer_is_read_whole() {
    let (app, layer) = app();
    assert_eq!(picture(&app, layer), [".....", ".....", "..#..", "....."]);
}

#[test]
fn a_tile_that_gains_loses_or_changes_its_marker_is_noticed() {
    let (mut app, layer) = app();
    let wall = tile_at(&mut app, 2, 1);
    app.world_mut().entity_mut(wall).insert(Passable(true));
    let lost = tile_at(&mut app, 0, 0);
    app.world_mut().entity_mut(lost).remove::<Passable>();
    let changed = tile_at(&mut app, 4, 3);
    app.world_mut().entity_mut(changed).insert(Passable(false));
    app.update();
    assert_eq!(picture(&app, layer), ["....#", ".....", ".....", "#...."]);
    app.world_mut().entity_mut(changed).insert(Passable(true));
    app.update();
    assert_eq!(picture(&app, layer), [".....", ".....", ".....", "#...."]);
}

#[test]
fn a_tile_that_is_added_despawned_or_moved_is_noticed() {
    let (mut app, layer) = app();
    let gone = tile_at(&mut app, 1, 2);
    app.world_mut().despawn(gone);
    app.update();
    assert_eq!(picture(&app, layer), [".....", ".#...", "..#..", "....."]);
    let new = tile(&mut app, layer, 1, 2);
    app.world_mut().entity_mut(new).insert(Passable(true));
    app.update();
    assert_eq!(picture(&app, layer), [".....", ".....", "..#..", "....."]);
    app.world_mut()
        .entity_mut(new)
        .insert(TilePos { x: 2, y: 1 });
    app.update();
    assert_eq!(picture(&app, layer), [".....", ".#...", ".....", "....."]);
}

#[test]
fn of_two_tiles_on_one_cell_the_last_counts() {
    let (mut app, layer) = app();
    let old = tile_at(&mut app, 0, 3);
    let new = tile(&mut app, layer, 0, 3);
    app.world_mut().entity_mut(new).insert(Passable(true));
    app.update();
    app.world_mut().despawn(old);
    app.update();
    assert_eq!(picture(&app, layer)[0], ".....");
    app.world_mut().despawn(new);
    app.update();
    assert_eq!(picture(&app, layer)[0], "#....");
}

#[test]
fn two_tiles_that_change_places_leave_the_map_as_it_is() {
    let (mut app, layer) = app();
    let (a, b) = (tile_at(&mut app, 0, 0), tile_at(&mut app, 4, 0));
    app.world_mut().entity_mut(a).insert(TilePos { x: 4, y: 0 });
    app.world_mut().entity_mut(b).insert(TilePos { x: 0, y: 0 });
    app.update();
    assert_eq!(picture(&app, layer)[3], ".....");
    app.world_mut().despawn(a);
    app.update();
    assert_eq!(picture(&app, layer)[3], "....#");
}

#[test]
fn nothing_is_lost_in_frames_between_ticks() {
    let (mut app, layer) = app();
    // Sixteen frames a tick: change detection by frame would have forgotten the despawn.
    let frame = Duration::from_secs_f64(1.0 / 1024.0);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
    let gone = tile_at(&mut app, 3, 3);
    app.world_mut().despawn(gone);
    for _ in 0..20 {
        app.update();
    }
    assert_eq!(picture(&app, layer)[0], "...#.");
}

#[test]
fn tiles_beside_the_layer_and_layers_of_no_size_are_harmless() {
    let (mut app, layer) = app();
    let far = tile(&mut app, layer, 77, 1);
    app.world_mut().entity_mut(far).insert(Passable(true));
    let nowhere = tile(&mut app, Entity::PLACEHOLDER, 1, 1);
    app.world_mut().entity_mut(nowhere).insert(Passable(true));
    let size = TilemapSize { x: 0, y: u32::MAX };
    app.world_mut().spawn((size, PursuitMap::default()));
    for _ in 0..3 {
        app.update();
    }
    app.world_mut().despawn(far);
    app.update();
    assert_eq!(picture(&app, layer), [".....", ".....", "..#..", "....."]);
}

#[test]
fn a_layer_that_grows_is_read_anew() {
    let (mut app, layer) = app();
    let new = tile(&mut app, layer, 6, 0);
    app.world_mut().entity_mut(new).insert(Passable(true));
    app.world_mut()
        .entity_mut(layer)
        .insert(TilemapSize { x: 7, y: 4 });
    app.update();
    let map = app.world().get::<PursuitMap>(layer).unwrap();
    assert!(map.is_passable(UVec2::new(6, 0)));
    assert!(!map.is_passable(UVec2::new(5, 0)));
}

#[test]
fn a_map_that_is_taken_away_and_put_back_is_read_again() {
    let (mut app, layer) = app();
    app.world_mut().entity_mut(layer).remove::<PursuitMap>();
    app.update();
    let gone = tile_at(&mut app, 0, 0);
    app.world_mut().despawn(gone);
    app.update();
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    app.update();
    assert_eq!(picture(&app, layer), [".....", ".....", "..#..", "#...."]);
}

#[test]
fn a_chase_on_a_layer_goes_round_a_door_that_closes() {
    let (mut app, layer) = app();
    app.insert_resource(PursuitSettings {
        ticks_per_turn: 6,
        ..default()
    });
    // Column 2 becomes a wall with one door.
    for y in [0, 3] {
        let wall = tile_at(&mut app, 2, y);
        app.world_mut().entity_mut(wall).insert(Passable(false));
    }
    let door = tile_at(&mut app, 2, 2);
    let prey = app
        .world_mut()
        .spawn((Robber, GridPosition::new(4, 2)))
        .id();
    let hunter = app.world_mut().spawn((Cop, GridPosition::new(0, 2))).id();
    let closed = |app: &mut App, closed: bool| {
        app.world_mut().entity_mut(door).insert(Passable(!closed));
    };
    for _ in 0..9 {
        app.update(); // the cop is on its way to (1, 2) and means to go on through the door
    }
    closed(&mut app, true);
    for _ in 0..60 {
        app.update();
        let at = app.world().get::<GridPosition>(hunter).unwrap().0;
        assert!(at.x < 2, "{at} lies behind the door");
    }
    assert!(app.world().get::<Caught>(prey).is_none());
    closed(&mut app, false);
    for _ in 0..200 {
        app.update();
    }
    let at = app.world().get::<GridPosition>(hunter).unwrap().0;
    assert!(at.x > 2, "the cop waits at an open door: {at}");
    assert_eq!(picture(&app, layer)[1], ".....");
}
