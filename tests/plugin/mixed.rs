//! Tables of mixed strategies as assets of apps.

use crate::common;
use crate::common::mixed;
use bevy::asset::LoadState;
use bevy::prelude::*;
use bevy_pursuit::debug::{DecidedBy, Source};
use bevy_pursuit::engine::graph::Graph;
use bevy_pursuit::engine::map::{Cell, Terrain};
use bevy_pursuit::engine::table::{Arena, Solver, Table};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{PursuitMixedTable, PursuitTable};
use bevy_pursuit::tables::{PursuitTables, TableHandle};
use common::app::*;
use common::folder::{Folder, asset_app, until};

const DRAWN: DecidedBy = DecidedBy::Policy(Source::MixedTable);
const DOOR: IVec2 = IVec2::new(2, 1);

fn room(door: bool) -> TileMap {
    let mut map = common::map(&["..#..", ".....", "....."]);
    if !door {
        map.set(Cell::new(2, 1), Terrain::Wall);
    }
    map
}

fn table_of(map: &TileMap) -> Vec<u8> {
    mixed::table(map, mixed::rules(1, 1)).bytes().to_vec()
}

/// An exact table of the same game.
fn exact_table_of(map: &TileMap) -> Vec<u8> {
    let graph = Graph::new(map, Moves::Octile);
    let solver = Solver::new(Arena::of_map(&graph).into(), mixed::rules(1, 1), 1 << 28);
    let mut solver = solver.expect("a small map");
    solver.run(|_| true);
    Table::of(&solver.finish().expect("done")).bytes().to_vec()
}

/// An app with a chase in the room and these files. A captured robber starts again.
fn app_with(folder: &Folder, seed: u64, files: &[&str]) -> (App, Entity, [Entity; 2]) {
    let mut app = asset_app(folder);
    app.init_resource::<Captures>()
        .add_observer(|captured: On<Captured>, mut captures: ResMut<Captures>| {
            captures.0.push((captured.robber, captured.turn));
        })
        .add_observer(start_again);
    let mut settings = app.world_mut().resource_mut::<PursuitSettings>();
    settings.tables.solve = false;
    settings.seed = seed;
    let assets = app.world().resource::<AssetServer>().clone();
    let tables = files.iter().map(|&file| assets.load(file.to_owned()));
    let tables = PursuitTables(tables.map(TableHandle::Mixed).collect());
    let map = PursuitMap::new(&room(true), Moves::Octile);
    let map = (map, tables, PursuitClock::Simultaneous);
    let map = app.world_mut().spawn(map).id();
    let robber = robber(&mut app, 4, 2);
    let cop = cop(&mut app, 0, 0, 1);
    (app, map, [cop, robber])
}

fn start_again(
    captured: On<Captured>,
    mut positions: Query<&mut GridPosition>,
    mut commands: Commands,
) {
    for (agent, at) in [
        (captured.robber, IVec2::new(4, 2)),
        (captured.cop, IVec2::ZERO),
    ] {
        positions.get_mut(agent).expect("an agent").0 = at;
    }
    commands.entity(captured.robber).remove::<Caught>();
}

fn all_drawn(app: &App, agents: [Entity; 2]) -> bool {
    agents.iter().all(|&agent| state(app, agent) == DRAWN)
}

fn handles(app: &App, map: Entity) -> Vec<Handle<PursuitMixedTable>> {
    let tables = app.world().get::<PursuitTables>(map).expect("a map");
    let mixed = tables.0.iter().map(|table| match table {
        TableHandle::Mixed(table) => table.clone(),
        other => panic!("no table of mixed strategies: {other:?}"),
    });
    mixed.collect()
}

fn until_loaded(app: &mut App, map: Entity) {
    let all = handles(app, map);
    until(app, |app| {
        let assets = app.world().resource::<Assets<PursuitMixedTable>>();
        all.iter().all(|handle| assets.contains(handle))
    });
}

fn set_door(app: &mut App, map: Entity, open: bool) {
    let mut map = app.world_mut().get_mut::<LiveMap>(map).expect("a map");
    map.set_passable(DOOR, open);
}

#[test]
fn a_pursuit_draws_from_the_table_of_each_state_of_the_doors() {
    let folder = Folder::new("mixed");
    folder.write("open.ptab", &table_of(&room(true)));
    folder.write("shut.ptab", &table_of(&room(false)));
    let (mut app, map, agents) = app_with(&folder, 1, &["open.ptab"]);
    until_loaded(&mut app, map);
    run(&mut app, 2);
    assert!(all_drawn(&app, agents));
    for _ in 0..400 {
        let before = agents.map(|agent| at(&app, agent));
        let captures = capture_turns(&app).len();
        app.update();
        assert!(all_drawn(&app, agents));
        let starts_again = capture_turns(&app).len() > captures;
        for (agent, before) in agents.into_iter().zip(before) {
            let far = at(&app, agent) - before;
            assert!(far.abs().max_element() <= 1 || starts_again, "one step");
        }
    }
    assert!(capture_turns(&app).len() > 10, "{:?}", capture_turns(&app));
    set_door(&mut app, map, false);
    app.update();
    assert!(!all_drawn(&app, agents), "in the same tick");
    let shut = app.world().resource::<AssetServer>().load("shut.ptab");
    let mut tables = app.world_mut().get_mut::<PursuitTables>(map);
    tables
        .as_mut()
        .expect("a map")
        .0
        .push(TableHandle::Mixed(shut));
    until_loaded(&mut app, map);
    run(&mut app, 2);
    assert!(all_drawn(&app, agents));
    set_door(&mut app, map, true);
    app.update();
    assert!(all_drawn(&app, agents), "in the same tick");
    app.world_mut().entity_mut(map).remove::<PursuitTables>();
    run(&mut app, 2);
    assert!(!all_drawn(&app, agents), "no list");
}

#[test]
fn files_that_are_no_tables_of_mixed_strategies_are_refused_with_the_reason() {
    let folder = Folder::new("mixed-corrupt");
    let mut bytes = table_of(&room(true));
    folder.write("sound.ptab", &bytes);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    folder.write("corrupt.ptab", &bytes);
    folder.write("exact.ptab", &exact_table_of(&room(true)));
    folder.write("foreign.ptab", &table_of(&room(false)));
    let files = ["corrupt.ptab", "exact.ptab", "foreign.ptab"];
    let (mut app, map, agents) = app_with(&folder, 1, &files);
    let all = handles(&app, map);
    let message = |app: &App, handle: &Handle<PursuitMixedTable>| {
        let assets = app.world().resource::<AssetServer>();
        match assets.load_state(handle) {
            LoadState::Failed(error) => Some(error.to_string()),
            _ => None,
        }
    };
    until(&mut app, |app| {
        let assets = app.world().resource::<Assets<PursuitMixedTable>>();
        let failed = all.iter().filter(|handle| message(app, handle).is_some());
        failed.count() == 2 && assets.contains(&all[2])
    });
    let of = |app: &App, index: usize| message(app, &all[index]).expect("it has failed");
    assert!(of(&app, 0).contains("checksum"), "{}", of(&app, 0));
    assert!(of(&app, 1).contains("mixed strategies"), "{}", of(&app, 1));
    // A table of mixed strategies is no exact one either.
    let other = app.world().resource::<AssetServer>().load("sound.ptab");
    let other: Handle<PursuitTable> = other;
    until(&mut app, |app| {
        let assets = app.world().resource::<AssetServer>();
        matches!(assets.load_state(&other), LoadState::Failed(_))
    });
    run(&mut app, 3);
    for agent in agents {
        assert!(matches!(state(&app, agent), DecidedBy::Policy(_)));
        assert_ne!(state(&app, agent), DRAWN, "of another map");
    }
    let sound = app.world().resource::<AssetServer>().load("sound.ptab");
    let mut tables = app.world_mut().get_mut::<PursuitTables>(map);
    tables
        .as_mut()
        .expect("a map")
        .0
        .push(TableHandle::Mixed(sound));
    until(&mut app, |app| all_drawn(app, agents));
}

#[test]
fn the_seed_of_the_settings_decides_the_draws() {
    let folder = Folder::new("mixed-seed");
    let table = mixed::table(&room(true), mixed::rules(1, 1));
    let play = |seed| {
        let (mut app, map, agents) = app_with(&folder, seed, &[]);
        // Without a file, the table is there before the first turn.
        let mut assets = app.world_mut().resource_mut::<Assets<PursuitMixedTable>>();
        let table = assets.add(PursuitMixedTable((*table).clone()));
        let tables = PursuitTables(vec![TableHandle::Mixed(table)]);
        app.world_mut().entity_mut(map).insert(tables);
        let mut trail = Vec::new();
        for _ in 0..200 {
            app.update();
            trail.push(agents.map(|agent| at(&app, agent)));
        }
        assert!(all_drawn(&app, agents));
        (trail, capture_turns(&app))
    };
    let first = play(3);
    assert_eq!(first, play(3));
    assert_ne!(first, play(4));
}
