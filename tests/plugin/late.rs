//! No frame waits for a table. If the table is late, never comes, or its solver panics, the game
//! continues.

use crate::common;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_pursuit::debug::{DecidedBy, Reason, Source};
use bevy_pursuit::engine::game::{Rules, Speed};
use bevy_pursuit::engine::map::Terrain;
use bevy_pursuit::engine::table::Estimate;
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::{
    TableJob, TableJobs, TableSchedule, TableSettings, TableStatus, TableStatusChanged,
    TableTiming, TableWorker,
};
use common::app::{cop, robber, run, state};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The tiles where agents are placed in each tick, so that a chase does not end.
#[derive(Resource, Default)]
struct Homes(Vec<(Entity, IVec2)>);

fn begin_anew(homes: Res<Homes>, mut positions: Query<&mut GridPosition>) {
    for &(agent, home) in &homes.0 {
        if let Ok(mut position) = positions.get_mut(agent) {
            position.0 = home;
        }
    }
}

#[derive(Resource, Default)]
struct News(Vec<(Entity, u64, TableStatus)>);

/// An app whose updates are ticks of the fixed clock or frames, and whose tables the test solves.
fn app_with(worker: TableWorker, timing: TableTiming, plugin: PursuitPlugin) -> App {
    let mut app = App::new();
    app.insert_resource(worker)
        .insert_resource(PursuitSettings {
            ticks_per_turn: 1,
            tables: TableSettings {
                timing,
                ..default()
            },
            ..default()
        })
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_plugins((MinimalPlugins, plugin))
        .init_resource::<News>()
        .init_resource::<Homes>()
        .add_systems(FixedPreUpdate, begin_anew)
        .add_systems(PreUpdate, begin_anew)
        .add_systems(
            Last,
            |mut messages: MessageReader<TableStatusChanged>,
             maps: Query<&LiveMap>,
             mut news: ResMut<News>| {
                for message in messages.read() {
                    let tick = maps.get(message.map).map_or(0, LiveMap::tick);
                    news.0.push((message.map, tick, message.status.clone()));
                }
            },
        );
    app.update(); // the first update starts time and has no tick yet
    app
}

/// With jobs that the test solves or ignores.
fn by_hand(timing: TableTiming) -> (App, TableJobs) {
    let (worker, jobs) = TableWorker::by_hand();
    (app_with(worker, timing, PursuitPlugin::default()), jobs)
}

/// An empty room with a chase, in a separate pursuit.
fn chase(app: &mut App, side: u16) -> (Entity, [Entity; 2]) {
    let map = TileMap::filled(side, side, Terrain::Floor).expect("some cells");
    let map = PursuitMap::new(&map, Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let far = i32::from(side) - 1;
    let agents = [cop(app, 0, 0, 2), robber(app, far, far)];
    let corners = [IVec2::ZERO, IVec2::splat(far)];
    for (agent, corner) in agents.into_iter().zip(corners) {
        app.world_mut().entity_mut(agent).insert(OnMap(map));
        let mut homes = app.world_mut().resource_mut::<Homes>();
        homes.0.push((agent, corner));
    }
    (map, agents)
}

fn map_of(app: &App, map: Entity) -> &LiveMap {
    app.world().get::<LiveMap>(map).expect("a map")
}

fn news(app: &mut App) -> Vec<(Entity, u64, TableStatus)> {
    std::mem::take(&mut app.world_mut().resource_mut::<News>().0)
}

/// The ticks at which a table was late.
fn late(app: &mut App) -> Vec<u64> {
    let is_late = |status: &TableStatus| matches!(status, TableStatus::Late { .. });
    let all = news(app).into_iter();
    all.filter(|(.., status)| is_late(status))
        .map(|(_, tick, _)| tick)
        .collect()
}

fn expect_job(jobs: &TableJobs) -> TableJob {
    jobs.next().expect("a job")
}

#[test]
fn no_frame_waits_for_a_table_that_never_comes() {
    let (mut app, jobs) = by_hand(TableTiming::default());
    let (map, agents) = chase(&mut app, 20);
    for _ in 0..300 {
        app.update();
        assert_ne!(state(&app, agents[0]), DecidedBy::Policy(Source::Table));
    }
    assert_eq!(map_of(&app, map).tick(), 300, "they go on");
    let job = expect_job(&jobs);
    assert!(jobs.next().is_none(), "nobody asks twice");
    let since = map_of(&app, map).diverged_at().expect("it is late");
    assert_eq!(late(&mut app), [since], "told once, and at once");
    let reason = app
        .world()
        .get::<PursuitState>(agents[0])
        .map(|it| it.reason);
    assert_eq!(reason, Some(Reason::TableSoon));
    // The table comes late, and is used from the next turn on.
    job.solve();
    run(&mut app, 5);
    assert_eq!(state(&app, agents[0]), DecidedBy::Policy(Source::Table));
    assert_eq!(map_of(&app, map).diverged_at(), Some(since));
    let ready =
        |(.., status): &(Entity, u64, TableStatus)| *status == TableStatus::Ready { cops: 1 };
    assert_eq!(news(&mut app).iter().filter(|news| ready(news)).count(), 1);
}

/// The tick at which a table that nobody solves is due, for a chase that begins in the first tick.
fn due(app: &mut App) -> u64 {
    chase(app, 20);
    for _ in 0..1000 {
        app.update();
        if let Some(&tick) = late(app).first() {
            return tick;
        }
    }
    panic!("it is never late");
}

#[test]
fn ticks_are_promised_by_the_work_and_the_speed_of_the_game() {
    let rules = Rules {
        cop_speed: Speed::new(2).expect("a speed"),
        ..Rules::default()
    };
    let seconds = Estimate::new(400, &rules).expect("a small map").seconds;
    let ticks = |rate: f64, at_once: u64| 4 + at_once + (4.0 * seconds * rate).ceil() as u64;
    // The event comes in the frame after that; the number of its ticks follows from the speed of the
    // game.
    let fits = |due: u64, promised: u64, speed: u64| {
        let most = promised + 4 + 2 * speed;
        assert!((promised..=most).contains(&due), "{promised} {due}");
    };
    for speed in [1, 8] {
        let (mut app, _jobs) = by_hand(TableTiming::Scheduled(TableSchedule::default()));
        let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
        time.set_relative_speed(speed as f32);
        fits(due(&mut app), ticks(64.0 * speed as f64, 16 * speed), speed);
    }
    let (mut app, _jobs) = by_hand(TableTiming::Scheduled(TableSchedule::default()));
    app.world_mut()
        .resource_mut::<Time<Fixed>>()
        .set_timestep_hz(240.0);
    fits(due(&mut app), ticks(240.0, 60), 1);
    // In `Update` the length of the next frame is unknown.
    let (worker, _jobs) = TableWorker::by_hand();
    let plugin = PursuitPlugin::default().in_schedule(Update);
    let mut app = app_with(
        worker,
        TableTiming::Scheduled(TableSchedule::default()),
        plugin,
    );
    fits(due(&mut app), ticks(250.0, 1), 1);
    // Only the game may know it, and set the pace.
    let (worker, _jobs) = TableWorker::by_hand();
    let schedule = TableSchedule {
        ticks_per_second: Some(144),
        ..TableSchedule::default()
    };
    let mut app = app_with(worker, TableTiming::Scheduled(schedule), plugin);
    fits(due(&mut app), ticks(144.0, 0), 1);
    // Two maps share one worker.
    let (mut app, _jobs) = by_hand(TableTiming::Scheduled(TableSchedule::default()));
    let other = TileMap::filled(9, 9, Terrain::Floor).expect("some cells");
    app.world_mut()
        .spawn(PursuitMap::new(&other, Moves::Octile));
    fits(due(&mut app), ticks(128.0, 16), 1);
}

#[test]
fn a_save_that_had_a_table_does_not_wait_for_it() {
    let (mut app, jobs) = by_hand(TableTiming::default());
    let (map, agents) = chase(&mut app, 12);
    for _ in 0..100 {
        app.update();
        if let Some(job) = jobs.next() {
            job.solve();
        }
    }
    assert_eq!(state(&app, agents[0]), DecidedBy::Policy(Source::Table));
    assert_eq!(map_of(&app, map).diverged_at(), None);
    let saved = map_of(&app, map).snapshot().expect("a map");

    let (mut app, jobs) = by_hand(TableTiming::default());
    let (map, now) = chase(&mut app, 12);
    let entity_of = |then| agents.iter().position(|&agent| agent == then);
    app.world_mut()
        .restore_map(map, saved, |then| Some(now[entity_of(then)?]))
        .expect("a valid save");
    for _ in 0..20 {
        app.update();
        assert_ne!(state(&app, now[0]), DecidedBy::Policy(Source::Table));
    }
    assert!(map_of(&app, map).diverged_at().is_some());
    assert_eq!(late(&mut app).len(), 1);
    expect_job(&jobs).solve();
    run(&mut app, 5);
    assert_eq!(state(&app, now[0]), DecidedBy::Policy(Source::Table));
}

#[test]
fn of_several_maps_the_table_that_is_due_first_comes_first() {
    let (mut app, jobs) = by_hand(TableTiming::default());
    let (large, _) = chase(&mut app, 40);
    run(&mut app, 2);
    let first = expect_job(&jobs);
    assert_eq!(first.map(), large);
    // A smaller one is due sooner, and interrupts it.
    let (small, _) = chase(&mut app, 10);
    run(&mut app, 2);
    let second = expect_job(&jobs);
    assert_eq!(second.map(), small);
    // A third table is not solved at the same time, however small it is; it comes next.
    let (smallest, _) = chase(&mut app, 5);
    run(&mut app, 2);
    assert!(jobs.next().is_none());
    second.solve();
    run(&mut app, 1);
    assert_eq!(expect_job(&jobs).map(), smallest);
    run(&mut app, 60);
    let ready: Vec<Entity> = news(&mut app)
        .into_iter()
        .filter(|(.., status)| *status == TableStatus::Ready { cops: 1 })
        .map(|(map, ..)| map)
        .collect();
    assert_eq!(ready, [small], "each gets its own");
    assert!(first.is_wanted());
}

#[test]
fn a_table_that_nobody_wants_any_more_is_cancelled() {
    let (mut app, jobs) = by_hand(TableTiming::default());
    let (map, _) = chase(&mut app, 12);
    run(&mut app, 2);
    let job = expect_job(&jobs);
    assert!(job.is_wanted());
    // The settings forbid the table, and then allow it again.
    let set = |app: &mut App, solve| {
        let mut settings = app.world_mut().resource_mut::<PursuitSettings>();
        settings.tables.solve = solve;
        run(app, 5);
    };
    set(&mut app, false);
    assert!(!job.is_wanted());
    set(&mut app, true);
    assert!(job.is_wanted(), "the same one");
    set(&mut app, false);
    drop(job);
    set(&mut app, true);
    // A cancelled job is not a failure.
    let job = expect_job(&jobs);
    let refused = |(.., status): &(Entity, u64, TableStatus)| match status {
        TableStatus::Refused { reason, .. } => !reason.contains("settings"),
        _ => false,
    };
    assert!(!news(&mut app).iter().any(refused));
    // The map is despawned.
    app.world_mut().entity_mut(map).despawn();
    run(&mut app, 1);
    assert!(!job.is_wanted());
    job.solve();
    let (_, agents) = chase(&mut app, 6);
    run(&mut app, 2);
    expect_job(&jobs).solve();
    run(&mut app, 60);
    assert_eq!(state(&app, agents[0]), DecidedBy::Policy(Source::Table));
}

#[test]
fn a_panic_while_solving_is_told_and_the_game_goes_on() {
    let (mut app, jobs) = by_hand(TableTiming::default());
    let (_, agents) = chase(&mut app, 12);
    run(&mut app, 2);
    let job = expect_job(&jobs);
    let key = job.request().key;
    let panic = catch_unwind(AssertUnwindSafe(move || {
        let _job = job;
        panic!("what the test is about");
    }));
    assert!(panic.is_err());
    run(&mut app, 100);
    let refused = |(.., status): (Entity, u64, TableStatus)| match status {
        TableStatus::Refused { reason, .. } => Some(reason),
        _ => None,
    };
    let reasons: Vec<String> = news(&mut app).into_iter().filter_map(refused).collect();
    assert_eq!(reasons.len(), 1, "{reasons:?}");
    assert!(reasons[0].contains("panicked"), "{reasons:?}");
    assert_ne!(state(&app, agents[0]), DecidedBy::Policy(Source::Table));
    let reason = app
        .world()
        .get::<PursuitState>(agents[0])
        .map(|it| it.reason);
    assert_eq!(reason, Some(Reason::NoTable));
    // The robber asks for a guide now.
    while let Some(guide) = jobs.next() {
        assert_ne!(guide.request().key, key, "not again");
        guide.solve();
    }
    // Other tables are solved.
    let (_, others) = chase(&mut app, 6);
    run(&mut app, 2);
    expect_job(&jobs).solve();
    run(&mut app, 60);
    assert_eq!(state(&app, others[0]), DecidedBy::Policy(Source::Table));
}

#[test]
fn a_game_that_is_rolled_back_does_not_solve_the_same_table_again() {
    let (mut app, jobs) = by_hand(TableTiming::default());
    let (map, agents) = chase(&mut app, 12);
    run(&mut app, 3);
    let job = expect_job(&jobs);
    for _ in 0..10 {
        let saved = map_of(&app, map).snapshot().expect("a map");
        app.update();
        app.world_mut()
            .restore_map(map, saved, Some)
            .expect("a valid save");
        run(&mut app, 2);
        assert!(jobs.next().is_none());
    }
    job.solve();
    run(&mut app, 60);
    assert_eq!(state(&app, agents[0]), DecidedBy::Policy(Source::Table));
}

/// Moves a captured robber back to its start, so that the chase continues as long as the test.
fn revive(app: &mut App, [cop_id, robber]: [Entity; 2], side: u16) {
    if app.world().get::<Caught>(robber).is_some() {
        let last = i32::from(side) - 1;
        // In the corner that is farthest from the cop.
        let cop = app.world().get::<GridPosition>(cop_id).expect("a cop").0;
        let far = |place: i32| if place * 2 > last { 0 } else { last };
        app.world_mut()
            .entity_mut(robber)
            .remove::<Caught>()
            .insert(GridPosition::new(far(cop.x), far(cop.y)));
    }
}

/// The hashes of two hundred ticks, the tick from which on the run is not repeatable, and the number of
/// ticks played by a table.
fn hashes(worker: TableWorker, timing: TableTiming) -> (Vec<u64>, Option<u64>, i32) {
    let mut app = app_with(worker, timing, PursuitPlugin::default());
    let (map, agents) = chase(&mut app, 12);
    app.world_mut().resource_mut::<Homes>().0.clear();
    let (mut all, mut by_table) = (Vec::new(), 0);
    for _ in 0..200 {
        app.update();
        revive(&mut app, agents, 12);
        all.push(map_of(&app, map).position_hash());
        by_table += i32::from(state(&app, agents[0]) == DecidedBy::Policy(Source::Table));
    }
    (all, map_of(&app, map).diverged_at(), by_table)
}

#[test]
fn in_lockstep_it_makes_no_difference_who_solves() {
    let (worker, jobs) = TableWorker::by_hand();
    // Solves while the app waits, or earlier.
    let thread = std::thread::spawn(move || {
        while let Some(job) = jobs.wait() {
            job.solve();
        }
    });
    let by_hand = hashes(worker, TableTiming::Lockstep(TableSchedule::default()));
    thread.join().expect("no panic");
    assert_eq!(by_hand.1, None, "never late");
    assert!(by_hand.2 > 2, "{}", by_hand.2);
    let by_thread = hashes(
        TableWorker::default(),
        TableTiming::Lockstep(TableSchedule::default()),
    );
    assert_eq!(by_thread, by_hand);
    // Without threads, and without a clock.
    assert_eq!(
        hashes(
            TableWorker::in_slices(),
            TableTiming::Lockstep(TableSchedule::default())
        ),
        by_hand
    );
    // A table that is ready in time is used at the same tick as in an app that does not wait.
    let in_time = hashes(
        TableWorker::in_slices(),
        TableTiming::Scheduled(TableSchedule::default()),
    );
    assert_eq!(in_time, by_hand);
}

#[test]
fn without_threads_large_tables_are_solved_a_slice_a_tick() {
    let worker = TableWorker::in_slices();
    let mut app = app_with(
        worker,
        TableTiming::Scheduled(TableSchedule::default()),
        PursuitPlugin::default(),
    );
    let (_, agents) = chase(&mut app, 20);
    run(&mut app, 60);
    assert_ne!(
        state(&app, agents[0]),
        DecidedBy::Policy(Source::Table),
        "not all at once"
    );
    run(&mut app, 2000);
    assert_eq!(state(&app, agents[0]), DecidedBy::Policy(Source::Table));
}
