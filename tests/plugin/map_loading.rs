//! A new or loaded map is prepared within the budget, and reports when it is ready.

use bevy::ecs::entity::EntityHashMap;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_ecs_tilemap::prelude::{TilePos, TilemapId, TilemapSize};
use bevy_pursuit::debug::PursuitDiagnostics;
use bevy_pursuit::engine::map::Terrain;
use bevy_pursuit::prelude::*;
use bevy_pursuit::{MapStatus, TurnClock};

#[derive(Resource, Default)]
struct Told(Vec<Entity>);

pub(crate) fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, PursuitPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(PursuitSettings {
            ticks_per_turn: 4,
            ..default()
        })
        .init_resource::<Told>()
        .add_observer(|ready: On<MapReady>, mut told: ResMut<Told>| told.0.push(ready.map));
    app.update(); // the first update starts time and has no tick yet
    app
}

fn open(width: u16, height: u16) -> TileMap {
    TileMap::filled(width, height, Terrain::Floor).expect("a map")
}

fn status(app: &App, map: Entity) -> MapStatus {
    *app.world().get::<MapStatus>(map).expect("a map")
}

fn told(app: &App) -> &[Entity] {
    &app.world().resource::<Told>().0
}

pub(crate) fn layer(app: &mut App, side: u32) -> Entity {
    let size = TilemapSize { x: side, y: side };
    let layer = app.world_mut().spawn(size).id();
    let tiles = (0..side * side).map(move |at| {
        let (x, y) = (at % side, at / side);
        (TilePos { x, y }, TilemapId(layer), Passable(at % 7 != 3))
    });
    let tiles: Vec<_> = tiles.collect();
    app.world_mut().spawn_batch(tiles);
    layer
}

/// Runs until a map is ready. Returns the number of ticks that exceeded the budget and the number of all
/// ticks.
pub(crate) fn wait(app: &mut App, map: Entity) -> (usize, usize) {
    let (mut over, mut ticks) = (0, 0);
    while status(app, map) != MapStatus::Ready {
        app.update();
        ticks += 1;
        // At most one piece more.
        let spent = app.world().resource::<PursuitDiagnostics>().tick.expansions;
        over += usize::from(spent > 10_000 + 600);
        assert!(ticks < 2000, "{:?}", status(app, map));
    }
    (over, ticks)
}

#[test]
fn a_small_map_is_ready_in_the_tick_in_which_it_comes() {
    let mut app = app();
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&open(30, 30), Moves::Octile))
        .id();
    assert_eq!(status(&app, map), MapStatus::Empty);
    app.update();
    assert_eq!(status(&app, map), MapStatus::Ready);
    assert_eq!(told(&app), [map]);
    let layer = layer(&mut app, 20);
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    app.update();
    assert_eq!(status(&app, layer), MapStatus::Ready);
    assert_eq!(told(&app), [map, layer]);
}

#[test]
fn a_large_map_takes_some_ticks_none_of_which_exceeds_the_budget() {
    let mut app = app();
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&open(200, 200), Moves::Octile))
        .id();
    let cop = app.world_mut().spawn((Cop, GridPosition::new(3, 3))).id();
    app.world_mut().spawn((Robber, GridPosition::new(150, 150)));
    app.update();
    assert_eq!(status(&app, map), MapStatus::Building);
    let at = |app: &App| app.world().get::<GridPosition>(cop).expect("a cop").0;
    assert_eq!(at(&app), IVec2::new(3, 3));
    let (over, ticks) = wait(&mut app, map);
    assert_eq!(over, 0);
    assert!((5..40).contains(&ticks), "{ticks}");
    assert_eq!(told(&app), [map]);
    for _ in 0..40 {
        app.update();
    }
    assert_ne!(at(&app), IVec2::new(3, 3), "it plays");
}

#[test]
fn a_large_layer_is_read_in_slices_and_takes_the_edits_of_meanwhile() {
    for is_late in [false, true] {
        let mut app = app();
        let layer = layer(&mut app, 150);
        if is_late {
            // The tiles are known before there is a map.
            for _ in 0..100 {
                app.update();
            }
        }
        app.world_mut()
            .entity_mut(layer)
            .insert(PursuitMap::default());
        app.update();
        assert_eq!(status(&app, layer), MapStatus::Reading);
        let mut tiles = app.world_mut().query::<(Entity, &TilePos)>();
        let tiles: Vec<_> = tiles
            .iter(app.world())
            .map(|(tile, pos)| (tile, UVec2::from(*pos).as_ivec2()))
            .collect();
        let mut changed = Vec::new();
        let mut ticks = 0;
        while status(&app, layer) != MapStatus::Ready {
            // A tile that has probably been read, and one that has not.
            for index in [ticks * 37 % 500, tiles.len() - 1 - ticks * 31 % 500] {
                let (tile, at) = tiles[index];
                let open = ticks % 2 == 0;
                app.world_mut().entity_mut(tile).insert(Passable(open));
                changed.push((tile, at));
            }
            if ticks % 5 == 2 {
                let (tile, _) = tiles[1000 + ticks];
                app.world_mut().despawn(tile);
            }
            app.update();
            ticks += 1;
            assert!(ticks < 300);
        }
        app.update();
        let mut last = app.world_mut().query::<(&TilePos, &Passable)>();
        let open: std::collections::BTreeSet<(i32, i32)> = last
            .iter(app.world())
            .filter(|(_, passable)| passable.0)
            .map(|(pos, _)| (pos.y.cast_signed(), pos.x.cast_signed()))
            .collect();
        let map = app.world().get::<LiveMap>(layer).expect("a map");
        for (y, x) in (0..150).flat_map(|y| (0..150).map(move |x| (y, x))) {
            let at = IVec2::new(x, y);
            assert_eq!(
                map.is_passable(at),
                open.contains(&(y, x)),
                "{at} {is_late}"
            );
        }
    }
}

/// No matter how many tiles of other layers are waiting to be read.
#[test]
fn a_map_that_the_game_replaces_while_its_layer_is_read_stays() {
    let mut app = app();
    let layer = layer(&mut app, 150);
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    app.update();
    assert_eq!(status(&app, layer), MapStatus::Reading);
    let map = PursuitMap::new(&open(9, 5), Moves::Octile);
    app.world_mut().entity_mut(layer).insert(map);
    wait(&mut app, layer);
    for _ in 0..200 {
        app.update();
    }
    let map = app.world().get::<LiveMap>(layer).expect("a map");
    let graph = map.world().expect("it plays").graph();
    assert_eq!((graph.width(), graph.height()), (9, 5));
}

#[test]
fn a_small_layer_among_many_large_ones_is_ready_soon() {
    let mut app = app();
    let large: Vec<Entity> = (0..6).map(|_| layer(&mut app, 110)).collect();
    let small = layer(&mut app, 12);
    for &layer in large.iter().chain([&small]) {
        app.world_mut()
            .entity_mut(layer)
            .insert(PursuitMap::default());
    }
    let (over, ticks) = wait(&mut app, small);
    assert_eq!(over, 0);
    assert!(ticks <= 8, "{ticks} ticks for 144 tiles");
    let is_ready = |app: &App, layer: &&Entity| status(app, **layer) == MapStatus::Ready;
    assert!(!large.iter().any(|layer| is_ready(&app, &layer)));
    // One that goes while it is read takes nobody along.
    app.world_mut().despawn(large[2]);
    for &layer in large.iter().filter(|&&layer| layer != large[2]) {
        wait(&mut app, layer);
        let map = app.world().get::<LiveMap>(layer).expect("a map");
        let open = (0..110 * 110).filter(|at| at % 7 != 3);
        let at = |at: i32| IVec2::new(at % 110, at / 110);
        assert!(open.clone().all(|it| map.is_passable(at(it))));
        assert_eq!(
            map.world().expect("a world").graph().vertices(),
            open.count()
        );
    }
}

#[test]
fn what_happens_to_a_layer_that_loads_counts_before_it_is_played_on() {
    for when in [0, 3, 6, 9, 12, 15, 18, 21, 24] {
        let mut app = app();
        app.world_mut().resource_mut::<PursuitSettings>().budget = TickBudget::Expansions(500);
        let first = layer(&mut app, 60);
        app.world_mut()
            .entity_mut(first)
            .insert(PursuitMap::default());
        app.update();
        let second = layer(&mut app, 150);
        app.world_mut()
            .entity_mut(second)
            .insert(PursuitMap::default());
        for _ in 0..when {
            app.update();
        }
        assert_ne!(status(&app, first), MapStatus::Ready, "{when}");
        let mut tiles = app.world_mut().query::<(Entity, &TilePos, &TilemapId)>();
        let (tile, ..) = tiles
            .iter(app.world())
            .find(|(_, pos, of)| **pos == TilePos { x: 0, y: 0 } && of.0 == first)
            .expect("a tile");
        app.world_mut().entity_mut(tile).insert(Passable(false));
        let wall = TilePos { x: 3, y: 0 };
        app.world_mut()
            .spawn((wall, TilemapId(first), Passable(true)));
        wait(&mut app, first);
        let map = app.world().get::<LiveMap>(first).expect("a map");
        assert!(!map.is_passable(IVec2::ZERO), "{when}");
        assert!(map.is_passable(IVec2::new(3, 0)), "{when}");
    }
}

#[test]
fn a_second_map_leaves_half_of_the_budget_to_the_first() {
    let mut app = app();
    let first = app
        .world_mut()
        .spawn(PursuitMap::new(&open(30, 30), Moves::Octile))
        .id();
    app.world_mut()
        .spawn((Cop, GridPosition::new(3, 3), OnMap(first)));
    app.world_mut()
        .spawn((Robber, GridPosition::new(20, 20), OnMap(first)));
    wait(&mut app, first);
    let second = app
        .world_mut()
        .spawn(PursuitMap::new(&open(250, 250), Moves::Octile))
        .id();
    let mut ticks = 0;
    let turn = |app: &App| app.world().get::<TurnClock>(first).expect("a map").turn;
    let before = turn(&app);
    while status(&app, second) != MapStatus::Ready {
        app.update();
        ticks += 1;
        let diagnostics = app.world().resource::<PursuitDiagnostics>();
        assert!(
            diagnostics.tick.expansions <= 10_000 + 600,
            "{diagnostics:?}"
        );
        assert!(ticks < 300);
    }
    assert!(ticks > 20, "{ticks}: no test of what it should test");
    assert!(
        turn(&app) >= before + ticks / 4 - 1,
        "the first one plays on"
    );
}

#[test]
fn agents_stand_while_a_layer_of_another_size_is_read() {
    let mut app = app();
    let layer = layer(&mut app, 100);
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    let cop = app.world_mut().spawn((Cop, GridPosition::new(3, 3))).id();
    app.world_mut().spawn((Robber, GridPosition::new(80, 80)));
    wait(&mut app, layer);
    for _ in 0..20 {
        app.update();
    }
    let at = |app: &App| app.world().get::<GridPosition>(cop).expect("a cop").0;
    let size = TilemapSize { x: 90, y: 100 };
    app.world_mut().entity_mut(layer).insert(size);
    app.update();
    let stood = at(&app);
    assert_eq!(status(&app, layer), MapStatus::Reading);
    while status(&app, layer) != MapStatus::Ready {
        assert_eq!(at(&app), stood);
        app.update();
    }
    for _ in 0..20 {
        app.update();
    }
    assert_ne!(at(&app), stood);
    assert_eq!(told(&app), [layer, layer]);
}

/// An agent's components match its world, even in the tick in which the new map becomes ready.
#[test]
fn a_way_on_a_layer_that_gets_another_size_is_not_shown_any_more() {
    let mut app = app();
    let layer = layer(&mut app, 20);
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    let cop = app.world_mut().spawn((Cop, GridPosition::new(2, 2))).id();
    app.world_mut().spawn((Robber, GridPosition::new(18, 18)));
    let shown = |app: &App| app.world().get::<NextStep>(cop).expect("a cop").path.len();
    let known = |app: &App| {
        let map = app.world().get::<LiveMap>(layer).expect("a map");
        let mut agents = map.world().expect("a world").agents();
        let same = agents.find(|(_, agent)| agent.setup().user == cop.to_bits());
        same.map_or(0, |(_, agent)| agent.way().len())
    };
    for wait in 0..4 {
        for _ in 0..8 + wait {
            app.update();
        }
        let size = TilemapSize {
            x: 20 - wait,
            y: 20,
        };
        app.world_mut().entity_mut(layer).insert(size);
        for _ in 0..4 {
            app.update();
            assert_eq!(shown(&app), known(&app), "after {wait}");
        }
    }
}

#[test]
fn a_clone_of_a_tile_counts_too() {
    let mut app = app();
    let layer = layer(&mut app, 10);
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    app.update();
    let passable = |app: &App| {
        let map = app.world().get::<LiveMap>(layer).expect("a map");
        map.is_passable(IVec2::ZERO)
    };
    let mut tiles = app.world_mut().query::<(Entity, &TilePos)>();
    let (tile, _) = tiles
        .iter(app.world())
        .find(|(_, pos)| **pos == TilePos { x: 0, y: 0 })
        .expect("a tile");
    let clone = app.world_mut().entity_mut(tile).clone_and_spawn();
    app.update();
    app.world_mut().despawn(tile);
    app.update();
    assert!(passable(&app), "the clone is left");
    app.world_mut().despawn(clone);
    app.update();
    assert!(!passable(&app));
}

#[test]
fn a_new_map_that_takes_over_a_saved_game_is_announced() {
    let mut app = app();
    let map = || PursuitMap::new(&open(8, 8), Moves::Octile);
    let first = app.world_mut().spawn(map()).id();
    app.update();
    let saved = app.world().get::<LiveMap>(first).expect("a map");
    let saved = saved.snapshot().expect("a game");
    let second = app.world_mut().spawn(map()).id();
    let restored = app.world_mut().restore_map(second, saved.clone(), Some);
    restored.expect("a sound one");
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(app.world().resource::<Told>().0, [first, second]);
    // A map in play that goes back is not new.
    app.world_mut()
        .restore_map(second, saved, Some)
        .expect("a sound one");
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(app.world().resource::<Told>().0, [first, second]);
}

#[test]
fn a_saved_game_goes_on_as_it_was_once_its_layer_is_read() {
    let mut app = app();
    app.init_resource::<ReadyMaps>()
        .add_observer(|on: On<MapReady>, mut maps: ResMut<ReadyMaps>| maps.0.push(on.map));
    let first = layer(&mut app, 80);
    app.world_mut()
        .entity_mut(first)
        .insert(PursuitMap::default());
    let agents = [
        app.world_mut().spawn((Cop, GridPosition::new(4, 4))).id(),
        app.world_mut()
            .spawn((Robber, GridPosition::new(60, 61)))
            .id(),
    ];
    wait(&mut app, first);
    for _ in 0..30 {
        app.update();
    }
    let map = app.world().get::<LiveMap>(first).expect("a map");
    let snapshot = map.snapshot().expect("a game");
    app.world_mut().despawn(first);
    let second = layer(&mut app, 80);
    app.world_mut()
        .entity_mut(second)
        .insert(PursuitMap::default());
    let restored = app.world_mut().restore_map(second, snapshot.clone(), Some);
    restored.expect("a sound one");
    while status(&app, second) != MapStatus::Ready {
        assert_eq!(app.world().resource::<ReadyMaps>().0, [first], "too early");
        app.update();
        assert!(
            agents
                .iter()
                .all(|&agent| app.world().get_entity(agent).is_ok())
        );
    }
    let map = app.world().get::<LiveMap>(second).expect("a map");
    // It becomes ready in the next tick.
    assert_eq!(map.tick(), snapshot.tick() + 1);
    assert!(map.world().is_some_and(|world| world.hierarchy().is_some()));
    let kept = map.world().expect("a world").agents();
    assert!(
        kept.filter(|(_, agent)| !agent.way().is_empty()).count() > 0,
        "ways are kept"
    );
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(app.world().resource::<ReadyMaps>().0, [first, second]);
}

/// Reading a layer costs a part of the budget. A saved game that waits for the layer still gets the whole budget in its first
/// tick, as a game without a layer does.
#[test]
fn a_saved_game_gets_the_budget_of_the_tick_in_which_its_layer_is_read() {
    const SIDE: u32 = 40;
    let app = || {
        let mut app = app();
        app.world_mut().resource_mut::<PursuitSettings>().budget = TickBudget::Expansions(400);
        app
    };
    let mut game = app();
    let first = layer(&mut game, SIDE);
    let map = PursuitMap::default();
    game.world_mut().entity_mut(first).insert(map);
    let robber = game.world_mut().spawn((Robber, GridPosition::new(30, 31)));
    let robber = robber.id();
    for at in [2, 5, 37, 20] {
        game.world_mut().spawn((Cop, GridPosition::new(at, 4)));
    }
    wait(&mut game, first);
    for _ in 0..40 {
        game.update();
        let map = game.world().get::<LiveMap>(first).expect("a map");
        let snapshot = map.snapshot().expect("a game");
        let hashes = [true, false].map(|has_layer| {
            let mut app = app();
            let map = if has_layer {
                layer(&mut app, SIDE)
            } else {
                app.world_mut().spawn_empty().id()
            };
            let world = app.world_mut();
            world.entity_mut(map).insert(PursuitMap::default());
            let mut now = EntityHashMap::default();
            for agent in snapshot.agents() {
                let before = Entity::from_bits(agent.setup().user);
                let new = if before == robber {
                    world.spawn(Robber)
                } else {
                    world.spawn(Cop)
                };
                now.insert(before, new.id());
            }
            let restored = world.restore_map(map, snapshot.clone(), |then| now.get(&then).copied());
            restored.expect("a sound one");
            let mut hashes = Vec::new();
            while hashes.len() < 24 {
                app.update();
                let map = app.world().get::<LiveMap>(map).expect("a map");
                if map.tick() > snapshot.tick() {
                    hashes.push(map.position_hash());
                }
            }
            hashes
        });
        assert_eq!(hashes[0], hashes[1], "saved after tick {}", snapshot.tick());
    }
}

/// The maps of which the game was told that they are ready.
#[derive(Resource, Default)]
struct ReadyMaps(Vec<Entity>);

#[test]
fn a_small_layer_with_a_saved_game_is_ready_once() {
    let mut app = app();
    app.init_resource::<ReadyMaps>()
        .add_observer(|on: On<MapReady>, mut maps: ResMut<ReadyMaps>| maps.0.push(on.map));
    let first = layer(&mut app, 12);
    app.world_mut()
        .entity_mut(first)
        .insert(PursuitMap::default());
    wait(&mut app, first);
    let map = app.world().get::<LiveMap>(first).expect("a map");
    let snapshot = map.snapshot().expect("a game");
    app.world_mut().despawn(first);
    let second = layer(&mut app, 12);
    app.world_mut()
        .entity_mut(second)
        .insert(PursuitMap::default());
    let restored = app.world_mut().restore_map(second, snapshot, Some);
    restored.expect("a sound one");
    for _ in 0..4 {
        app.update();
    }
    assert_eq!(app.world().resource::<ReadyMaps>().0, [first, second]);
}

/// Tiles count from the bottom and cells from the top, so that a tile is another cell on a map of
/// another height.
#[test]
fn orders_and_errands_are_for_the_map_that_comes() {
    let mut app = app();
    let map = PursuitMap::new(&open(20, 20), Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let walker = app
        .world_mut()
        .spawn((
            Cop,
            GridPosition::new(3, 3),
            AgentControl::WalkTo(IVec2::new(6, 3)),
        ))
        .id();
    let ordered = app.world_mut().spawn((Cop, GridPosition::new(9, 2))).id();
    for _ in 0..3 {
        app.update();
    }
    let large = PursuitMap::new(&open(300, 260), Moves::Octile);
    let order = MoveOrder(vec![IVec2::new(10, 2)]);
    app.world_mut().entity_mut(map).insert(large);
    app.world_mut().entity_mut(ordered).insert(order);
    app.update();
    assert_ne!(status(&app, map), MapStatus::Ready, "it takes some ticks");
    assert!(app.world().get::<MoveOrder>(ordered).is_some(), "it waits");
    wait(&mut app, map);
    for _ in 0..80 {
        app.update();
    }
    let at = |agent| app.world().get::<GridPosition>(agent).expect("an agent").0;
    assert_eq!(at(walker), IVec2::new(6, 3));
    assert_eq!(at(ordered), IVec2::new(10, 2));
}

#[test]
fn settings_of_while_a_layer_is_read_again_count_once_it_is_ready() {
    let mut app = app();
    let layer = layer(&mut app, 150);
    app.world_mut()
        .entity_mut(layer)
        .insert(PursuitMap::default());
    wait(&mut app, layer);
    // The same tiles as before.
    let size = *app.world().get::<TilemapSize>(layer).expect("a layer");
    app.world_mut().entity_mut(layer).remove::<TilemapSize>();
    app.update();
    app.world_mut().entity_mut(layer).insert(size);
    app.update();
    assert_eq!(status(&app, layer), MapStatus::Reading);
    let mut settings = app.world_mut().resource_mut::<PursuitSettings>();
    settings.ticks_per_turn = 9;
    app.update();
    assert_eq!(status(&app, layer), MapStatus::Reading);
    wait(&mut app, layer);
    app.update();
    let map = app.world().get::<LiveMap>(layer).expect("a map");
    let world = map.world().expect("a map that is ready");
    assert_eq!(world.settings().ticks_per_turn, 9);
}
