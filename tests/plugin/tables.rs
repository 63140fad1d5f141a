//! Exact tables in apps: as assets, and solved while the game runs.

use crate::common;
use crate::common::chase;
use crate::common::folder;
use bevy::asset::LoadState;
use bevy::ecs::entity_disabling::Disabled;
use bevy::prelude::*;
use bevy_pursuit::debug::{DecidedBy, FreeFor, Reason, Source};
use bevy_pursuit::engine::game::{Rules, Speed};
use bevy_pursuit::engine::graph::Graph;
use bevy_pursuit::engine::map::{Cell, Terrain};
use bevy_pursuit::engine::search::Dice;
use bevy_pursuit::engine::table::{Arena, CaptureTimes as _, Estimate, Solver, Table};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::TableHandle;
use bevy_pursuit::tables::{
    PursuitTable, PursuitTables, TableSchedule, TableSettings, TableStatus, TableStatusChanged,
    TableTiming,
};
use common::app::*;
use folder::{Folder, Rests, asset_app, rest_while_told, until};

/// Two halls with two passages between them, one of which has a door.
const HALLS: [&str; 5] = [
    "....#....", //
    "....#....",
    ".........",
    "....#....",
    ".........",
];
const DOOR: IVec2 = IVec2::new(4, 2);

fn halls(door: bool) -> TileMap {
    let mut map = common::map(&HALLS);
    if !door {
        map.set(Cell::new(4, 2), Terrain::Wall);
    }
    map
}

/// A cop of speed 2, which wins on all of these maps, against a robber.
fn rules() -> Rules {
    Rules {
        cop_speed: Speed::new(2).expect("a speed"),
        ..Rules::default()
    }
}

/// The table for these rules, as a file.
fn table_of(map: &TileMap) -> Vec<u8> {
    let graph = Graph::new(map, Moves::Octile);
    let solver = Solver::new(Arena::of_map(&graph).into(), rules(), 1 << 28);
    let mut solver = solver.expect("a small map");
    solver.run(|_| true);
    let table = Table::of(&solver.finish().expect("done"));
    table.bytes().to_vec()
}

/// An app with a chase in the halls and these table files, in which no tables are solved.
fn app_with(folder: &Folder, files: &[&str]) -> (App, Entity, [Entity; 2]) {
    let mut app = asset_app(folder);
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .tables
        .solve = false;
    let assets = app.world().resource::<AssetServer>().clone();
    let tables = files.iter().map(|&file| assets.load(file.to_owned()));
    let tables: Vec<Handle<PursuitTable>> = tables.collect();
    let tables: PursuitTables = tables.into_iter().collect();
    let map = PursuitMap::new(&halls(true), Moves::Octile);
    let map = app.world_mut().spawn((map, tables)).id();
    let robber = robber(&mut app, 8, 4);
    let cop = cop(&mut app, 0, 0, 2);
    // The chase must not end before a file is loaded, so that it restarts in each tick.
    let begin = move |mut positions: Query<&mut GridPosition>| {
        for (agent, at) in [(robber, IVec2::new(8, 4)), (cop, IVec2::ZERO)] {
            positions.get_mut(agent).expect("an agent").0 = at;
        }
    };
    app.add_systems(FixedUpdate, begin.before(PursuitSystems::Sync));
    (app, map, [cop, robber])
}

fn all_by(app: &App, agents: [Entity; 2], decided_by: DecidedBy) -> bool {
    agents.iter().all(|&agent| state(app, agent) == decided_by)
}

fn handles(app: &App, map: Entity) -> Vec<Handle<PursuitTable>> {
    let tables = app.world().get::<PursuitTables>(map).expect("a map");
    let exact = tables.0.iter().map(|table| match table {
        TableHandle::Exact(table) => table.clone(),
        other => panic!("no exact table: {other:?}"),
    });
    exact.collect()
}

fn set_passable(app: &mut App, map: Entity, at: IVec2, passable: bool) {
    let mut map = app.world_mut().get_mut::<LiveMap>(map).expect("a map");
    map.set_passable(at, passable);
}

fn set_door(app: &mut App, map: Entity, open: bool) {
    set_passable(app, map, DOOR, open);
}

fn until_loaded(app: &mut App, handle: &Handle<PursuitTable>) {
    let assets = |app: &App| {
        app.world()
            .resource::<Assets<PursuitTable>>()
            .contains(handle)
    };
    until(app, assets);
}

fn in_full(app: &App, agent: Entity) -> &PursuitState {
    app.world().get::<PursuitState>(agent).expect("an agent")
}

#[test]
fn a_table_that_is_loaded_is_used_at_once() {
    let folder = Folder::new("loaded");
    folder.write("open.ptab", &table_of(&halls(true)));
    let (mut app, map, agents) = app_with(&folder, &["open.ptab"]);
    let handle = handles(&app, map).remove(0);
    until_loaded(&mut app, &handle);
    app.update();
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Table)));
    let free_for = in_full(&app, agents[1]).free_for();
    assert!(
        matches!(free_for, FreeFor::Exactly(_) | FreeFor::Ever),
        "{free_for:?}"
    );
}

#[test]
fn a_table_that_is_loaded_while_the_plugin_rests_is_used_afterwards() {
    let folder = Folder::new("resting");
    let (mut app, map, agents) = app_with(&folder, &["open.ptab"]);
    let handle = handles(&app, map).remove(0);
    rest_while_told(&mut app);
    until(&mut app, |app| {
        let assets = app.world().resource::<AssetServer>();
        matches!(assets.load_state(&handle), LoadState::Failed(_)) // no file yet
    });
    app.insert_resource(Rests(true));
    folder.write("open.ptab", &table_of(&halls(true)));
    app.world().resource::<AssetServer>().reload("open.ptab");
    until_loaded(&mut app, &handle);
    (0..10).for_each(|_| app.update()); // until the event is forgotten
    app.insert_resource(Rests(false));
    (0..2).for_each(|_| app.update());
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Table)));
}

#[test]
fn a_table_that_changes_while_the_plugin_rests_is_taken_back_and_the_new_one_used() {
    let folder = Folder::new("changed-resting");
    // A table of another map is of no use here.
    folder.write("open.ptab", &table_of(&halls(false)));
    let (mut app, map, agents) = app_with(&folder, &["open.ptab"]);
    let handle = handles(&app, map).remove(0);
    rest_while_told(&mut app);
    until_loaded(&mut app, &handle);
    (0..4).for_each(|_| app.update());
    assert!(!all_by(&app, agents, DecidedBy::Policy(Source::Table)));
    app.insert_resource(Rests(true));
    folder.write("open.ptab", &table_of(&halls(true)));
    app.world().resource::<AssetServer>().reload("open.ptab");
    let fingerprint = Graph::new(&halls(true), Moves::Octile).fingerprint();
    until(&mut app, |app| {
        let tables = app.world().resource::<Assets<PursuitTable>>();
        tables
            .get(&handle)
            .is_some_and(|table| table.0.fingerprint() == fingerprint)
    });
    (0..10).for_each(|_| app.update()); // until the event is forgotten
    app.insert_resource(Rests(false));
    (0..2).for_each(|_| app.update());
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Table)));
}

#[test]
fn each_state_of_the_doors_has_a_table_of_its_own() {
    let folder = Folder::new("doors");
    folder.write("open.ptab", &table_of(&halls(true)));
    folder.write("closed.ptab", &table_of(&halls(false)));
    let (mut app, map, agents) = app_with(&folder, &["open.ptab", "closed.ptab"]);
    until(&mut app, |app| {
        all_by(app, agents, DecidedBy::Policy(Source::Table))
    });
    let two = handles(&app, map);
    until(&mut app, |app| {
        let assets = app.world().resource::<Assets<PursuitTable>>();
        two.iter().all(|handle| assets.contains(handle))
    });
    for open in [false, true, false] {
        set_door(&mut app, map, open);
        app.update();
        assert!(
            all_by(&app, agents, DecidedBy::Policy(Source::Table)),
            "in the same tick: {open}"
        );
    }
    // A third state, for which there is no table.
    set_passable(&mut app, map, IVec2::new(4, 3), true);
    app.update();
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Search)));
    assert_eq!(in_full(&app, agents[0]).reason, Reason::NoTable);
}

#[test]
fn tables_that_are_taken_away_are_used_no_more() {
    let folder = Folder::new("away");
    folder.write("open.ptab", &table_of(&halls(true)));
    let (mut app, map, agents) = app_with(&folder, &["open.ptab"]);
    until(&mut app, |app| {
        all_by(app, agents, DecidedBy::Policy(Source::Table))
    });
    let handle = handles(&app, map);
    app.world_mut()
        .entity_mut(map)
        .insert(PursuitTables::default());
    app.update();
    assert!(
        all_by(&app, agents, DecidedBy::Policy(Source::Search)),
        "none in the list"
    );
    app.world_mut()
        .entity_mut(map)
        .insert(PursuitTables::from_iter(handle));
    app.update();
    assert!(
        all_by(&app, agents, DecidedBy::Policy(Source::Table)),
        "again"
    );
    app.world_mut().entity_mut(map).remove::<PursuitTables>();
    app.update();
    assert!(
        all_by(&app, agents, DecidedBy::Policy(Source::Search)),
        "no list"
    );
}

#[test]
fn a_disabled_map_takes_a_changed_list_of_tables() {
    let folder = Folder::new("disabled");
    folder.write("open.ptab", &table_of(&halls(true)));
    let (mut app, map, agents) = app_with(&folder, &["open.ptab"]);
    until(&mut app, |app| {
        all_by(app, agents, DecidedBy::Policy(Source::Table))
    });
    // The handles live on elsewhere, so that no event tells of them.
    let handles = handles(&app, map);
    let lists = [Vec::new(), handles].map(PursuitTables::from_iter);
    for (list, source) in lists.into_iter().zip([Source::Search, Source::Table]) {
        app.world_mut().entity_mut(map).insert(Disabled);
        app.update();
        app.world_mut().entity_mut(map).insert(list);
        app.update();
        app.world_mut().entity_mut(map).remove::<Disabled>();
        app.update();
        assert!(
            all_by(&app, agents, DecidedBy::Policy(source)),
            "{source:?}"
        );
    }
}

#[test]
fn of_two_handles_of_one_table_one_is_enough() {
    let folder = Folder::new("twice");
    let table = table_of(&halls(true));
    folder.write("one.ptab", &table);
    folder.write("other.ptab", &table);
    let (mut app, map, agents) = app_with(&folder, &["one.ptab", "other.ptab"]);
    let both = handles(&app, map);
    for handle in &both {
        until_loaded(&mut app, handle);
    }
    app.update();
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Table)));
    let [one, other] = [both[0].clone(), both[1].clone()];
    // Whichever is removed, and in whatever order they were added, the other one stays.
    for (list, expected) in [
        (vec![other.clone()], DecidedBy::Policy(Source::Table)),
        (
            vec![one.clone(), other.clone()],
            DecidedBy::Policy(Source::Table),
        ),
        (vec![one.clone()], DecidedBy::Policy(Source::Table)),
        (vec![], DecidedBy::Policy(Source::Search)),
        (
            vec![other.clone(), one.clone()],
            DecidedBy::Policy(Source::Table),
        ),
        (vec![one.clone()], DecidedBy::Policy(Source::Table)),
        // The same handle twice.
        (
            vec![one.clone(), one.clone()],
            DecidedBy::Policy(Source::Table),
        ),
        (vec![one.clone()], DecidedBy::Policy(Source::Table)),
    ] {
        let number = list.len();
        app.world_mut()
            .entity_mut(map)
            .insert(PursuitTables::from_iter(list));
        for _ in 0..3 {
            app.update();
            assert!(all_by(&app, agents, expected), "{number} handles");
        }
    }
    // The file of one of them is replaced by another table.
    app.world_mut()
        .entity_mut(map)
        .insert(PursuitTables::from_iter([one, other]));
    app.update();
    folder.write("one.ptab", &table_of(&halls(false)));
    app.world().resource::<AssetServer>().reload("one.ptab");
    set_door(&mut app, map, false);
    until(&mut app, |app| {
        all_by(app, agents, DecidedBy::Policy(Source::Table))
    });
    set_door(&mut app, map, true);
    app.update();
    assert!(
        all_by(&app, agents, DecidedBy::Policy(Source::Table)),
        "the other file's"
    );
}

#[test]
fn a_table_of_another_map_is_not_used() {
    let folder = Folder::new("another");
    folder.write("another.ptab", &table_of(&halls(false)));
    let (mut app, map, agents) = app_with(&folder, &["another.ptab"]);
    let handle = handles(&app, map).remove(0);
    until_loaded(&mut app, &handle);
    run(&mut app, 3);
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Search)));
}

#[test]
fn a_corrupt_file_is_refused_and_the_game_goes_on() {
    let folder = Folder::new("corrupt");
    let mut bytes = table_of(&halls(true));
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    folder.write("corrupt.ptab", &bytes);
    folder.write("short.ptab", &bytes[..20]);
    folder.write("sound.ptab", &table_of(&halls(true)));
    let (mut app, map, agents) = app_with(&folder, &["corrupt.ptab", "short.ptab", "none.ptab"]);
    let three = handles(&app, map);
    until(&mut app, |app| {
        let assets = app.world().resource::<AssetServer>();
        let failed = |handle| matches!(assets.load_state(handle), LoadState::Failed(_));
        three.iter().all(failed)
    });
    run(&mut app, 3);
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Search)));
    let sound = app.world().resource::<AssetServer>().load("sound.ptab");
    let mut tables = app
        .world_mut()
        .get_mut::<PursuitTables>(map)
        .expect("a map");
    tables.0.push(TableHandle::Exact(sound));
    until(&mut app, |app| {
        all_by(app, agents, DecidedBy::Policy(Source::Table))
    });
}

#[test]
fn a_file_that_has_changed_is_taken_when_it_is_loaded_again() {
    let folder = Folder::new("changed");
    folder.write("level.ptab", &table_of(&halls(false)));
    let (mut app, map, agents) = app_with(&folder, &["level.ptab"]);
    let handle = handles(&app, map).remove(0);
    until_loaded(&mut app, &handle);
    run(&mut app, 3);
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Search)));
    folder.write("level.ptab", &table_of(&halls(true)));
    app.world().resource::<AssetServer>().reload("level.ptab");
    until(&mut app, |app| {
        all_by(app, agents, DecidedBy::Policy(Source::Table))
    });
    // Its former content is not in use any more.
    set_door(&mut app, map, false);
    app.update();
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Search)));
    // A corrupt file leaves the current table in use.
    set_door(&mut app, map, true);
    app.update();
    folder.write("level.ptab", b"no table");
    app.world().resource::<AssetServer>().reload("level.ptab");
    until(&mut app, |app| {
        let assets = app.world().resource::<AssetServer>();
        matches!(assets.load_state(&handle), LoadState::Failed(_))
    });
    run(&mut app, 3);
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Table)));
}

// Tables that are solved while the game runs.

#[derive(Resource, Default)]
struct News(Vec<(u64, TableStatus)>);

/// An app with a chase on a level of some 700 vertices.
fn solving_app(limits: TableSettings) -> (App, Entity, [Entity; 2]) {
    let mut app = app();
    app.insert_resource(PursuitSettings {
        ticks_per_turn: 4,
        tables: limits,
        ..default()
    })
    .init_resource::<News>()
    .add_systems(
        FixedPostUpdate,
        |mut messages: MessageReader<TableStatusChanged>,
         maps: Query<&LiveMap>,
         mut news: ResMut<News>| {
            for message in messages.read() {
                let tick = maps.get(message.map).expect("a map").tick();
                news.0.push((tick, message.status.clone()));
            }
        },
    );
    let mut map = chase::noise(&mut Dice::new(2), 32, 28, 20);
    for cell in [
        Cell::new(31, 27),
        Cell::new(1, 0),
        Cell::new(0, 1),
        Cell::new(30, 27),
    ] {
        map.set(cell, Terrain::Floor);
    }
    let vertices = map.cells().filter(|&cell| map.is_passable(cell)).count();
    assert!((650..750).contains(&vertices), "{vertices}");
    let map = PursuitMap::new(&map, Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let robber = robber(&mut app, 0, 27);
    let cop = cop(&mut app, 31, 0, 2);
    (app, map, [cop, robber])
}

fn news(app: &mut App) -> Vec<(u64, TableStatus)> {
    std::mem::take(&mut app.world_mut().resource_mut::<News>().0)
}

/// Apps in tests run faster than the clock.
fn lockstep() -> TableSettings {
    TableSettings {
        timing: TableTiming::Lockstep(TableSchedule::default()),
        ..TableSettings::default()
    }
}

/// The number of ticks within which a table of one cop on 750 vertices has to be in use: four ticks, a
/// quarter of a second for a slow frame, four times its estimate, a turn to request it, and a turn to
/// use it.
fn promised() -> u64 {
    let estimate = Estimate::new(750, &rules()).expect("a small map");
    4 + 16 + (estimate.seconds * 4.0 * 64.0).ceil() as u64 + 4 + 4
}

#[test]
fn a_table_is_in_use_soon_after_a_door_has_moved() {
    let (mut app, map, agents) = solving_app(lockstep());
    for change in 0..4 {
        if change > 0 {
            // The chase restarts, so that it does not end before there is a table.
            for (agent, x, y) in [(agents[0], 31, 0), (agents[1], 0, 27)] {
                app.world_mut()
                    .entity_mut(agent)
                    .remove::<Caught>()
                    .insert(GridPosition::new(x, y));
            }
            // A cell switches between wall and floor, twice.
            set_passable(&mut app, map, IVec2::new(1, 27), change % 2 == 0);
        }
        for _ in 0..promised() {
            app.update();
            let idle = |&agent: &Entity| state(&app, agent) == DecidedBy::default();
            assert!(!agents.iter().any(idle), "change {change}");
        }
        assert!(
            all_by(&app, agents, DecidedBy::Policy(Source::Table)),
            "change {change} after {} ticks",
            promised()
        );
        let told: Vec<TableStatus> = news(&mut app)
            .into_iter()
            .map(|(_, status)| status)
            .filter(|status| {
                // The restarted chase has no table for a moment.
                let uses = [
                    TableStatus::InUse { pursuit: map },
                    TableStatus::OutOfUse { pursuit: map },
                ];
                !uses.contains(status)
            })
            .collect();
        // From the third change on, the map is in an earlier state, and the agents continue by its
        // table.
        let expected = match change {
            0 | 1 => vec![
                TableStatus::Solving { cops: 1 },
                TableStatus::Ready { cops: 1 },
            ],
            _ => Vec::new(),
        };
        assert_eq!(told, expected, "change {change}");
    }
}

#[test]
fn until_the_table_is_there_they_go_by_search() {
    let (mut app, _, agents) = solving_app(lockstep());
    app.update();
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Search)));
    assert_eq!(in_full(&app, agents[0]).reason, Reason::TableSoon);
    assert_eq!(
        news(&mut app).first(),
        Some(&(1, TableStatus::Solving { cops: 1 }))
    );
    until(&mut app, |app| {
        all_by(app, agents, DecidedBy::Policy(Source::Table))
    });
    news(&mut app);
    // A table for two cops would take longer than allowed.
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .tables
        .max_milliseconds = 0;
    let second = cop(&mut app, 30, 0, 2);
    until(&mut app, |app| state(app, second) != DecidedBy::default());
    assert_eq!(state(&app, second), DecidedBy::Policy(Source::Search));
    let all = news(&mut app);
    assert!(
        all.iter()
            .any(|(_, status)| matches!(status, TableStatus::OutOfUse { .. })),
        "{all:?}"
    );
    let refused = |status: &TableStatus| matches!(status, TableStatus::Refused { cops: 2, .. });
    assert!(all.iter().any(|(_, status)| refused(status)), "{all:?}");
}

#[test]
fn a_table_comes_as_soon_as_it_is_ready_where_runs_need_not_repeat() {
    let limits = TableSettings {
        timing: TableTiming::WhenReady,
        ..TableSettings::default()
    };
    let (mut app, _, agents) = solving_app(limits);
    let [cop, robber] = agents;
    let starts = agents.map(|agent| (agent, at(&app, agent)));
    // On a busy machine the chase may end before the table is ready, so that it restarts.
    let restart = move |captured: On<Captured>, mut commands: Commands| {
        commands.entity(captured.robber).remove::<Caught>();
        for (agent, at) in starts {
            commands.entity(agent).insert(GridPosition(at));
        }
    };
    app.add_observer(restart);
    assert_ne!(at(&app, cop), at(&app, robber));
    until(&mut app, |app| {
        all_by(app, agents, DecidedBy::Policy(Source::Table))
    });
    assert!(
        news(&mut app)
            .iter()
            .any(|(_, status)| *status == TableStatus::Ready { cops: 1 })
    );
}

#[test]
fn no_tables_are_solved_where_the_settings_forbid_it() {
    let limits = TableSettings {
        solve: false,
        ..TableSettings::default()
    };
    let (mut app, _, agents) = solving_app(limits);
    run(&mut app, 40);
    assert!(all_by(&app, agents, DecidedBy::Policy(Source::Search)));
    let all = news(&mut app);
    let refused = |status: &TableStatus| matches!(status, TableStatus::Refused { .. });
    assert!(all.iter().all(|(_, status)| refused(status)), "{all:?}");
}
