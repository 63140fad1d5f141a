//! Settings from a file: loaded, loaded again, and kept when the file is wrong.

use crate::common::folder;
use bevy::asset::LoadState;
use bevy::prelude::*;
use bevy_pursuit::RobberPlanner;
use bevy_pursuit::SettingsFile;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{TableSettings, TableTiming};
use folder::{Folder, Rests, asset_app, rest_while_told, until};

const FILE: &str = "game.pursuit.ron";

fn app_with(folder: &Folder) -> (App, Handle<PursuitSettings>) {
    let mut app = asset_app(folder);
    let handle = app.world().resource::<AssetServer>().load(FILE);
    app.insert_resource(SettingsFile(Handle::clone(&handle)));
    (app, handle)
}

fn settings(app: &App) -> PursuitSettings {
    app.world().resource::<PursuitSettings>().clone()
}

fn reload(app: &App) {
    app.world().resource::<AssetServer>().reload(FILE);
}

#[test]
fn settings_are_what_the_file_says_whenever_it_is_loaded() {
    let folder = Folder::new("settings");
    let all = "(ticks_per_turn: 12, budget: Micros(500), budgets_per_frame: 3, clock: FreeRunning, stagger: false, \
               tactics: Chase, planner: DaTrailMax, plan_steps: 9, near_turns: 3, keep_turns: 5, \
               tables: (solve: false, memory: 7000000, max_bytes: 6000000, \
               max_milliseconds: 1000, timing: WhenReady, threads: 2), seed: 42)";
    folder.write(FILE, all.as_bytes());
    let (mut app, _) = app_with(&folder);
    let map = TileMap::parse("type octile\nheight 1\nwidth 3\nmap\n...\n").expect("a map");
    let map = app
        .world_mut()
        .spawn(PursuitMap::new(&map, Moves::Octile))
        .id();
    assert_eq!(settings(&app).ticks_per_turn, 1);
    until(&mut app, |app| settings(app).ticks_per_turn == 12);
    let expected = PursuitSettings {
        ticks_per_turn: 12,
        budget: TickBudget::Micros(500),
        budgets_per_frame: 3,
        clock: PursuitClock::FreeRunning,
        stagger: false,
        tactics: Tactics::Chase,
        planner: RobberPlanner::DaTrailMax,
        plan_steps: 9,
        near_turns: 3,
        keep_turns: 5,
        tables: TableSettings {
            solve: false,
            memory: 7_000_000,
            max_bytes: 6_000_000,
            max_milliseconds: 1_000,
            timing: TableTiming::WhenReady,
            threads: 2,
        },
        seed: 42,
    };
    assert_eq!(settings(&app), expected);
    let of_world = |app: &App| {
        let map = app.world().get::<LiveMap>(map).expect("a map");
        map.world().expect("a map").settings().ticks_per_turn
    };
    assert_eq!(of_world(&app), 12, "in the same tick");
    // Fields that a file does not name have their defaults.
    folder.write(FILE, b"(ticks_per_turn: 5)");
    reload(&app);
    until(&mut app, |app| settings(app).ticks_per_turn == 5);
    let expected = PursuitSettings {
        ticks_per_turn: 5,
        ..default()
    };
    assert_eq!(settings(&app), expected);
    assert_eq!(of_world(&app), 5);
}

#[test]
fn a_wrong_file_keeps_the_settings_that_there_are() {
    let folder = Folder::new("wrong");
    let (mut app, handle) = app_with(&folder);
    let failed = |app: &App| {
        let assets = app.world().resource::<AssetServer>();
        matches!(assets.load_state(&handle), LoadState::Failed(_))
    };
    until(&mut app, failed); // no file yet
    let before = settings(&app);
    folder.write(FILE, b"(ticks_per_turn: 5)");
    reload(&app);
    until(&mut app, |app| settings(app).ticks_per_turn == 5);
    let wrong: [&[u8]; 5] = [
        b"(ticks_per_turn: many)",
        b"(ticks_per_turns: 7)",
        b"(tables: (solves: true))",
        b"(ticks_per_turn: 7",
        b"\xff\xfe",
    ];
    for wrong in wrong {
        folder.write(FILE, b"(ticks_per_turn: 5)");
        reload(&app);
        until(&mut app, |app| !failed(app));
        folder.write(FILE, wrong);
        reload(&app);
        until(&mut app, failed);
        for _ in 0..3 {
            app.update();
        }
        assert_eq!(settings(&app).ticks_per_turn, 5, "{wrong:?}");
    }
    assert_ne!(settings(&app), before);
}

#[test]
fn what_the_game_sets_counts_until_the_file_is_loaded_again() {
    let folder = Folder::new("game");
    folder.write(FILE, b"(ticks_per_turn: 5)");
    let (mut app, _) = app_with(&folder);
    until(&mut app, |app| settings(app).ticks_per_turn == 5);
    app.world_mut()
        .resource_mut::<PursuitSettings>()
        .ticks_per_turn = 9;
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(settings(&app).ticks_per_turn, 9);
    reload(&app);
    until(&mut app, |app| settings(app).ticks_per_turn == 5);
}

#[test]
fn settings_that_are_loaded_while_the_plugin_rests_count_afterwards() {
    let folder = Folder::new("settings-resting");
    let (mut app, handle) = app_with(&folder);
    rest_while_told(&mut app);
    until(&mut app, |app| {
        let assets = app.world().resource::<AssetServer>();
        matches!(assets.load_state(&handle), LoadState::Failed(_)) // no file yet
    });
    app.insert_resource(Rests(true));
    folder.write(FILE, b"(ticks_per_turn: 5)");
    reload(&app);
    until(&mut app, |app| {
        let loaded = app.world().resource::<Assets<PursuitSettings>>();
        loaded.contains(&handle)
    });
    (0..10).for_each(|_| app.update()); // until the event is forgotten
    assert_eq!(settings(&app).ticks_per_turn, 1);
    app.insert_resource(Rests(false));
    (0..2).for_each(|_| app.update());
    assert_eq!(settings(&app).ticks_per_turn, 5);
}

#[test]
fn settings_that_change_while_the_plugin_rests_count_afterwards() {
    let folder = Folder::new("settings-changed-resting");
    folder.write(FILE, b"(ticks_per_turn: 5)");
    let (mut app, handle) = app_with(&folder);
    rest_while_told(&mut app);
    until(&mut app, |app| settings(app).ticks_per_turn == 5);
    app.insert_resource(Rests(true));
    folder.write(FILE, b"(ticks_per_turn: 7)");
    reload(&app);
    until(&mut app, |app| {
        let loaded = app.world().resource::<Assets<PursuitSettings>>();
        loaded
            .get(&handle)
            .is_some_and(|loaded| loaded.ticks_per_turn == 7)
    });
    (0..10).for_each(|_| app.update()); // until the event is forgotten
    app.insert_resource(Rests(false));
    (0..2).for_each(|_| app.update());
    assert_eq!(settings(&app).ticks_per_turn, 7);
}
