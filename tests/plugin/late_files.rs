//! Files that are loaded while agents play make a run depend on the disk, and the map says so.

use crate::common::app::*;
use bevy::asset::AssetPlugin;
use bevy::prelude::*;
use bevy_pursuit::SettingsFile;
use bevy_pursuit::engine::game::{Rules, Speed};
use bevy_pursuit::engine::graph::Graph;
use bevy_pursuit::engine::table::{Arena, Solver, Table};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::TableHandle;
use bevy_pursuit::tables::{PursuitTable, PursuitTables};

fn files() -> App {
    let mut app = App::new();
    let mut settings = turns_of(4);
    settings.tables.solve = false;
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        PursuitPlugin::default(),
    ))
    .insert_resource(bevy::time::TimeUpdateStrategy::FixedTimesteps(1))
    .insert_resource(settings);
    app.finish();
    app.cleanup();
    app.update();
    app
}

fn table() -> Table {
    let graph = Graph::new(&crate::common::map(&YARD), Moves::Octile);
    let rules = Rules {
        cop_speed: Speed::new(2).expect("a speed"),
        ..Rules::default()
    };
    let solver = Solver::new(Arena::of_map(&graph).into(), rules, 1 << 28);
    let mut solver = solver.expect("a small map");
    solver.run(|_| true);
    Table::of(&solver.finish().expect("done"))
}

fn diverged(app: &App, map: Entity) -> Option<u64> {
    app.world()
        .get::<LiveMap>(map)
        .expect("a map")
        .diverged_at()
}

fn play(app: &mut App) {
    cop(app, 0, 0, 2);
    robber(app, 9, 6);
}

#[test]
fn a_table_that_comes_while_agents_play_is_told() {
    for (ticks_alone, ticks, expected) in [
        (0, 0, None),
        (20, 0, None),
        (0, 20, Some(21)),
        (5, 20, Some(26)),
    ] {
        let mut app = files();
        let assets = app.world().resource::<Assets<PursuitTable>>();
        let handle = assets.reserve_handle();
        let map = yard(&mut app);
        let tables = PursuitTables(vec![TableHandle::Exact(handle.clone())]);
        app.world_mut().entity_mut(map).insert(tables);
        run(&mut app, ticks_alone);
        if ticks > 0 {
            play(&mut app);
        }
        run(&mut app, ticks);
        let mut assets = app.world_mut().resource_mut::<Assets<PursuitTable>>();
        assets
            .insert(handle.id(), PursuitTable(table()))
            .expect("a reserved handle");
        if ticks == 0 {
            app.update();
            play(&mut app);
        }
        run(&mut app, 5);
        let found = diverged(&app, map);
        assert_eq!(
            found.is_some(),
            expected.is_some(),
            "{found:?} {expected:?}"
        );
        // Assets reach the map one tick later at most.
        assert!(
            found.zip(expected).is_none_or(|(a, b)| a.abs_diff(b) <= 1),
            "{found:?}"
        );
    }
}

#[test]
fn a_table_that_the_game_names_later_is_an_input() {
    let mut app = files();
    let mut assets = app.world_mut().resource_mut::<Assets<PursuitTable>>();
    let handle = assets.add(PursuitTable(table()));
    let map = yard(&mut app);
    play(&mut app);
    run(&mut app, 20);
    let tables = PursuitTables(vec![TableHandle::Exact(handle)]);
    app.world_mut().entity_mut(map).insert(tables);
    run(&mut app, 5);
    assert_eq!(diverged(&app, map), None);
}

#[test]
fn settings_that_come_while_agents_play_are_told() {
    for is_late in [false, true] {
        let mut app = files();
        let assets = app.world().resource::<Assets<PursuitSettings>>();
        let handle = assets.reserve_handle();
        app.insert_resource(SettingsFile(handle.clone()));
        let map = yard(&mut app);
        run(&mut app, 5);
        if is_late {
            play(&mut app);
            run(&mut app, 5);
        }
        let mut settings = turns_of(8);
        settings.tables.solve = false;
        let mut assets = app.world_mut().resource_mut::<Assets<PursuitSettings>>();
        assets
            .insert(handle.id(), settings)
            .expect("a reserved handle");
        app.update();
        if !is_late {
            play(&mut app);
        }
        run(&mut app, 5);
        assert_eq!(diverged(&app, map).is_some(), is_late);
    }
}
