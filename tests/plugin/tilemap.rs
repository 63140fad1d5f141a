//! A `bevy_ecs_tilemap` layer as data: every change of a tile reaches the map, in the same tick.

use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ecs_tilemap::prelude::{
    TilePos, TilemapAnchor, TilemapGridSize, TilemapId, TilemapSize, TilemapTileSize, TilemapType,
};
use bevy_pursuit::MapPlaces;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapStatus, TurnClock};
use proptest::prelude::*;
use proptest::sample::Index;
use std::time::Duration;

const SIZE: IVec2 = IVec2::new(5, 4);

pub(crate) fn app() -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update(); // the first update starts time and has no tick yet
    let layer = layer(&mut app);
    app.update();
    (app, layer)
}

/// A layer with a floor of tiles, except for a wall in column 2 of row 1.
fn layer(app: &mut App) -> Entity {
    let size = TilemapSize {
        x: SIZE.x.cast_unsigned(),
        y: SIZE.y.cast_unsigned(),
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

fn tile(app: &mut App, layer: Entity, x: i32, y: i32) -> Entity {
    let tile = (
        TilePos::new(x.cast_unsigned(), y.cast_unsigned()),
        TilemapId(layer),
    );
    app.world_mut().spawn(tile).id()
}

pub(crate) fn tile_at(app: &mut App, x: u32, y: u32) -> Entity {
    let mut tiles = app.world_mut().query::<(Entity, &TilePos)>();
    let mut tiles = tiles.iter(app.world());
    let found = tiles.find(|(_, pos)| **pos == TilePos { x, y });
    found.expect("a tile").0
}

/// The map as rows of text, the top row first.
pub(crate) fn picture(app: &App, layer: Entity) -> Vec<String> {
    let map = app.world().get::<LiveMap>(layer).expect("a map");
    let symbol = |x, y| {
        if map.is_passable(IVec2::new(x, y)) {
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
fn a_cell_is_passable_while_any_tile_on_it_is() {
    let (mut app, layer) = app();
    let old = tile_at(&mut app, 0, 3);
    let bridge = tile(&mut app, layer, 2, 1);
    app.world_mut().entity_mut(bridge).insert(Passable(true));
    app.update();
    assert_eq!(
        picture(&app, layer)[2],
        ".....",
        "the bridge lies on the wall"
    );
    app.world_mut()
        .entity_mut(bridge)
        .insert(TilePos { x: 0, y: 3 });
    app.update();
    assert_eq!(picture(&app, layer)[2], "..#..");
    app.world_mut()
        .entity_mut(bridge)
        .insert(TilePos { x: 2, y: 1 });
    app.update();
    assert_eq!(picture(&app, layer)[0], ".....", "the floor it lay on");
    app.world_mut().despawn(old);
    app.update();
    assert_eq!(picture(&app, layer)[0], "#....");
}

#[test]
fn tiles_that_get_their_parts_one_after_another_or_lose_them_are_noticed() {
    let (mut app, layer) = app();
    let parts = app.world_mut().spawn(Passable(true)).id();
    app.update();
    app.world_mut()
        .entity_mut(parts)
        .insert(TilePos { x: 2, y: 1 });
    app.update();
    app.world_mut().entity_mut(parts).insert(TilemapId(layer));
    app.update();
    assert_eq!(picture(&app, layer)[2], ".....");
    app.world_mut()
        .entity_mut(parts)
        .insert(TilePos { x: 70, y: 1 });
    app.update();
    assert_eq!(picture(&app, layer)[2], "..#..", "beside the layer");
    app.world_mut()
        .entity_mut(parts)
        .insert(TilePos { x: 2, y: 1 });
    app.update();
    assert_eq!(picture(&app, layer)[2], ".....", "and back");
    app.world_mut().entity_mut(parts).remove::<TilemapId>();
    app.update();
    assert_eq!(picture(&app, layer)[2], "..#..");
}

#[test]
fn a_layer_that_loses_its_size_is_read_again() {
    let (mut app, layer) = app();
    app.world_mut().entity_mut(layer).remove::<TilemapSize>();
    app.update();
    let gone = tile_at(&mut app, 0, 0);
    app.world_mut().despawn(gone);
    app.update();
    let size = TilemapSize {
        x: SIZE.x.cast_unsigned(),
        y: SIZE.y.cast_unsigned(),
    };
    app.world_mut().entity_mut(layer).insert(size);
    app.update();
    assert_eq!(picture(&app, layer), [".....", ".....", "..#..", "#...."]);
}

#[test]
fn a_map_of_its_own_stays_when_it_is_put_on_a_layer() {
    let (mut app, layer) = app();
    let own = TileMap::parse("type octile\nheight 4\nwidth 5\nmap\n@....\n@....\n@....\n@....\n");
    let own = PursuitMap::new(&own.expect("a map"), Moves::Octile);
    app.world_mut().entity_mut(layer).insert(own);
    let (wall, floor) = (tile_at(&mut app, 2, 1), tile_at(&mut app, 4, 1));
    app.world_mut().entity_mut(wall).insert(Passable(true));
    app.world_mut().despawn(floor);
    app.update();
    assert_eq!(picture(&app, layer), ["#...."; 4]);
}

#[test]
fn an_edit_of_the_map_lasts_until_something_happens_to_the_tile() {
    let (mut app, layer) = app();
    let edit = |app: &mut App| {
        let mut map = app.world_mut().get_mut::<LiveMap>(layer).expect("a map");
        map.set_passable(IVec2::ZERO, false);
    };
    edit(&mut app);
    app.update();
    assert_eq!(picture(&app, layer)[3], "#....");
    let floor = tile_at(&mut app, 0, 0);
    app.world_mut().entity_mut(floor).insert(Passable(true));
    app.update();
    assert_eq!(picture(&app, layer)[3], ".....");
    edit(&mut app);
    app.world_mut().entity_mut(floor).insert(Passable(true));
    app.update();
    assert_eq!(picture(&app, layer)[3], ".....", "in one tick");
}

#[test]
fn tiles_that_move_to_a_new_layer_leave_the_old_one() {
    let (mut app, old) = app();
    let tile = tile_at(&mut app, 0, 0);
    let size = TilemapSize {
        x: SIZE.x.cast_unsigned(),
        y: SIZE.y.cast_unsigned(),
    };
    let new = app.world_mut().spawn((size, PursuitMap::default())).id();
    app.world_mut().entity_mut(tile).insert(TilemapId(new));
    app.update();
    assert_eq!(picture(&app, old)[3], "#....");
    assert_eq!(picture(&app, new), ["#####", "#####", "#####", ".####"]);
}

#[test]
fn edits_before_the_first_tick_wait_for_the_map() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let layer = layer(&mut app);
    let map = app.world().get::<LiveMap>(layer).expect("a map");
    map.edits().set_passable(IVec2::ZERO, false);
    app.update();
    app.update();
    assert_eq!(picture(&app, layer)[3], "#....");
}

/// One thing that can happen to a tile.
#[derive(Debug, Clone)]
enum Event {
    Spawn(i32, i32, bool),
    Despawn(Index),
    Move(Index, i32, i32),
    Mark(Index, bool),
    Unmark(Index),
    Tick,
}

fn any_event() -> impl Strategy<Value = Event> {
    let (x, y) = (|| 0..SIZE.x + 1, || 0..SIZE.y + 1);
    prop_oneof![
        (x(), y(), any::<bool>()).prop_map(|(x, y, open)| Event::Spawn(x, y, open)),
        any::<Index>().prop_map(Event::Despawn),
        (any::<Index>(), x(), y()).prop_map(|(tile, x, y)| Event::Move(tile, x, y)),
        (any::<Index>(), any::<bool>()).prop_map(|(tile, open)| Event::Mark(tile, open)),
        any::<Index>().prop_map(Event::Unmark),
        Just(Event::Tick),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_layer_that_is_followed_is_the_layer_read_anew(
        events in prop::collection::vec(any_event(), 0..60),
    ) {
        let (mut app, layer) = app();
        let mut tiles: Vec<Entity> = app
            .world_mut()
            .query_filtered::<Entity, With<TilePos>>()
            .iter(app.world())
            .collect();
        for event in events {
            let world = app.world_mut();
            match event {
                Event::Tick => app.update(),
                Event::Spawn(x, y, open) => {
                    let tile = (TilePos::new(x.cast_unsigned(), y.cast_unsigned()), TilemapId(layer), Passable(open));
                    tiles.push(world.spawn(tile).id());
                }
                _ if tiles.is_empty() => {}
                Event::Despawn(tile) => {
                    let index = tile.index(tiles.len());
                    world.despawn(tiles.swap_remove(index));
                }
                Event::Move(tile, x, y) => {
                    world.entity_mut(*tile.get(&tiles)).insert(TilePos::new(x.cast_unsigned(), y.cast_unsigned()));
                }
                Event::Mark(tile, open) => {
                    world.entity_mut(*tile.get(&tiles)).insert(Passable(open));
                }
                Event::Unmark(tile) => {
                    world.entity_mut(*tile.get(&tiles)).remove::<Passable>();
                }
            }
        }
        app.update();
        let followed = picture(&app, layer);
        app.world_mut().entity_mut(layer).insert(PursuitMap::default());
        app.update();
        prop_assert_eq!(followed, picture(&app, layer));
    }
}

/// The components of a layer that determine its place in the world.
fn place(app: &mut App, layer: Entity) {
    app.world_mut().entity_mut(layer).insert((
        TilemapGridSize { x: 10.0, y: 10.0 },
        TilemapTileSize { x: 10.0, y: 10.0 },
        TilemapType::Square,
        TilemapAnchor::BottomLeft,
        Transform::from_xyz(100.0, 0.0, 0.0),
    ));
}

fn body(app: &App, agent: Entity) -> Vec2 {
    app.world()
        .get::<Transform>(agent)
        .expect("a body")
        .translation
        .truncate()
}

#[test]
fn bodies_glide_along_their_ways_back_from_walls_and_jump_when_they_are_put_elsewhere() {
    let (mut app, layer) = app();
    app.add_plugins(TransformPlugin)
        .insert_resource(PursuitSettings {
            ticks_per_turn: 8,
            ..default()
        });
    place(&mut app, layer);
    app.update();
    let walker = (
        Cop,
        Glide,
        GridPosition::new(0, 0),
        AgentControl::Steer(IVec2::X),
    );
    let walker = app.world_mut().spawn(walker).id();
    let near = |app: &App, x: f32, y: f32| body(app, walker).distance(Vec2::new(x, y)) < 0.01;
    app.update();
    while app.world().get::<TurnClock>(layer).unwrap().tick != 0 {
        app.update();
    }
    assert!(near(&app, 105.0, 5.0), "{}", body(&app, walker));
    for _ in 0..4 {
        app.update();
    }
    assert!(near(&app, 110.0, 5.0), "half-way: {}", body(&app, walker));
    let door = tile_at(&mut app, 1, 0);
    app.world_mut().entity_mut(door).insert(Passable(false));
    app.update();
    let back = body(&app, walker).x;
    assert!(back > 105.1 && back < 109.9, "on its way back: {back}");
    for _ in 0..8 {
        app.update();
    }
    assert!(near(&app, 105.0, 5.0), "back: {}", body(&app, walker));
    app.world_mut().get_mut::<GridPosition>(walker).unwrap().0 = IVec2::new(4, 3);
    app.update();
    assert!(near(&app, 145.0, 35.0), "elsewhere: {}", body(&app, walker));
}

#[test]
fn places_and_tiles_of_a_layer_agree() {
    let (mut app, layer) = app();
    app.add_plugins(TransformPlugin);
    place(&mut app, layer);
    app.update();
    let mut geometry = app.world_mut().query::<MapPlaces>();
    let geometry = geometry.get(app.world(), layer).expect("a layer");
    assert!((geometry.spacing() - 10.0).abs() < 1e-4);
    for x in 0..SIZE.x {
        for y in 0..SIZE.y {
            let at = IVec2::new(x, y);
            assert_eq!(geometry.tile_at(geometry.center(at) + 4.9), at);
            assert_eq!(geometry.tile_at(geometry.center(at) - 4.9), at);
        }
    }
    let beside = IVec2::new(-1, 0);
    assert_eq!(geometry.tile_at(geometry.center(beside)), beside);
}

#[cfg(feature = "gizmos")]
#[test]
fn the_overlay_is_drawn_in_one_order_only() {
    use bevy::asset::AssetPlugin;
    use bevy::ecs::schedule::{LogLevel, ScheduleBuildSettings};
    use bevy::mesh::skinning::SkinnedMeshInverseBindposes;
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        AssetPlugin::default(),
        bevy::gizmos::GizmoPlugin,
        PursuitPlugin::default(),
        bevy_pursuit::debug::PursuitGizmosPlugin,
    ))
    .init_asset::<Mesh>()
    .init_asset::<SkinnedMeshInverseBindposes>()
    .edit_schedule(PostUpdate, |schedule| {
        schedule.set_build_settings(ScheduleBuildSettings {
            ambiguity_detection: LogLevel::Error,
            ..default()
        });
    });
    app.finish();
    app.cleanup();
    let layer = layer(&mut app);
    place(&mut app, layer);
    app.world_mut().spawn((Robber, GridPosition::new(4, 3)));
    app.world_mut().spawn((Cop, GridPosition::new(0, 0)));
    for _ in 0..5 {
        app.update();
    }
}

#[cfg(feature = "gizmos")]
#[test]
fn the_overlay_stays_quiet_in_an_app_without_gizmos() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        PursuitPlugin::default(),
        bevy_pursuit::debug::PursuitGizmosPlugin,
    ));
    app.finish();
    app.cleanup();
    layer(&mut app);
    app.update();
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
    let map = app.world().get::<LiveMap>(layer).unwrap();
    assert!(map.is_passable(IVec2::new(6, 0)));
    assert!(!map.is_passable(IVec2::new(5, 0)));
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
fn a_map_that_is_inserted_again_is_read_again() {
    let (mut app, layer) = app();
    let before = picture(&app, layer);
    let map = PursuitMap::of_layer(Moves::Orthogonal);
    app.world_mut().entity_mut(layer).insert(map);
    app.update();
    assert_eq!(picture(&app, layer), before);
    let status = app.world().get::<MapStatus>(layer);
    assert_eq!(status, Some(&MapStatus::Ready));
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
    let robber = app
        .world_mut()
        .spawn((Robber, GridPosition::new(4, 2)))
        .id();
    let cop = app.world_mut().spawn((Cop, GridPosition::new(0, 2))).id();
    let closed = |app: &mut App, closed: bool| {
        app.world_mut().entity_mut(door).insert(Passable(!closed));
    };
    for _ in 0..9 {
        app.update(); // the cop is on its way to (1, 2) and plans to continue through the door
    }
    closed(&mut app, true);
    for _ in 0..60 {
        app.update();
        let at = app.world().get::<GridPosition>(cop).unwrap().0;
        assert!(at.x < 2, "{at} lies behind the door");
    }
    assert!(app.world().get::<Caught>(robber).is_none());
    closed(&mut app, false);
    for _ in 0..200 {
        app.update();
    }
    let at = app.world().get::<GridPosition>(cop).unwrap().0;
    assert!(at.x > 2, "the cop waits at an open door: {at}");
    assert_eq!(picture(&app, layer)[1], ".....");
}

#[test]
fn a_door_that_closes_while_its_layer_is_disabled_is_closed_afterwards() {
    use bevy::ecs::entity_disabling::Disabled;
    let (mut app, layer) = app();
    let door = tile_at(&mut app, 0, 0);
    app.world_mut().entity_mut(layer).insert(Disabled);
    app.update();
    app.world_mut().entity_mut(door).insert(Passable(false));
    app.update();
    app.world_mut().entity_mut(layer).remove::<Disabled>();
    app.update();
    app.update();
    let map = app.world().get::<LiveMap>(layer).expect("a map");
    assert!(!map.is_passable(IVec2::ZERO));
}
