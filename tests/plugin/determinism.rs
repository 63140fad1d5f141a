//! A game repeats exactly, independent of the executor, the frame rate, the number of threads that solve
//! tables, the build profile and the machine.

use crate::common::bustle;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy_pursuit::debug::{DecidedBy, Reason, Source};
use bevy_pursuit::prelude::*;
use bevy_pursuit::tables::TableWorker;
use bustle::{Bustle, fold, frames_of, hashes, play};
use std::process::{Command, Stdio};

const SEED: u64 = 5;
const TICKS: usize = 10_000;

/// The hashes of the first ticks of the game, on every machine and in every build. A different hash means a different
/// game. Update them only for an intended change of the agents' decisions.
const HASHES: [(usize, u64); 4] = [
    (400, 0x5e8e_a1ae_8479_cfb7),
    (1000, 0x7167_79d6_451e_3663),
    (3000, 0x6ba3_d630_9583_3f40),
    (TICKS, 0x5831_be2f_0a86_f762),
];

/// Plays the first ticks of the game, one of those that have a hash, and compares them with it. The game is played again
/// in the usual way only to report the first tick that differs.
fn assert_same_game(mut app: App, ticks: usize, what: &str) {
    play(&mut app, ticks);
    let hash = HASHES.iter().find(|&&(first, _)| first == ticks);
    if hash == Some(&(ticks, fold(&hashes(&app)[..ticks]))) {
        return;
    }
    let mut usual = bustle::app(SEED);
    play(&mut usual, ticks);
    let mut both = hashes(&app).iter().zip(hashes(&usual));
    let differs = both.position(|(one, other)| one != other);
    panic!("{what}: the first tick that differs from the usual game is {differs:?}");
}

#[test]
fn ten_thousand_ticks_come_to_the_same_hash_on_every_machine() {
    let mut app = bustle::app(SEED);
    app.init_resource::<Seen>()
        .add_systems(FixedPostUpdate, watch);
    play(&mut app, TICKS);
    let seen = app.world().resource::<Seen>();
    // The game contains everything that can happen.
    assert!(
        seen.table > 100 && seen.search > 1000 && seen.guide > 10,
        "{seen:?}"
    );
    assert!(seen.captures > 20 && seen.unseen > 20, "{seen:?}");
    let found = HASHES.map(|(ticks, _)| (ticks, fold(&hashes(&app)[..ticks])));
    assert_eq!(found, HASHES, "found {found:#x?}");
}

/// How often each event was seen.
#[derive(Resource, Debug, Default)]
struct Seen {
    table: usize,
    guide: usize,
    search: usize,
    unseen: usize,
    captures: usize,
}

fn watch(
    states: Query<&PursuitState, Changed<PursuitState>>,
    caught: Query<(), Added<Caught>>,
    mut seen: ResMut<Seen>,
) {
    seen.captures += caught.iter().count();
    for state in &states {
        match state.decided_by {
            DecidedBy::Policy(Source::Table) => seen.table += 1,
            DecidedBy::Policy(Source::Guide) => seen.guide += 1,
            DecidedBy::Policy(Source::Search) => seen.search += 1,
            _ => {}
        }
        seen.unseen += usize::from(state.reason == Reason::OutOfSight);
    }
}

#[test]
fn the_executor_does_not_matter() {
    let mut app = bustle::app(SEED);
    app.edit_schedule(FixedUpdate, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    assert_same_game(app, 1000, "one thread");
}

#[test]
fn the_frame_rate_does_not_matter() {
    for (frame, ticks) in [(3, 400), (16, 3000), (70, 3000)] {
        let mut app = bustle::app(SEED);
        frames_of(&mut app, frame);
        assert_same_game(app, ticks, &format!("frames of {frame} ms"));
    }
}

#[test]
fn another_seed_is_another_game() {
    let [mut one, mut other] = [SEED, SEED + 1].map(bustle::app);
    play(&mut one, 100);
    play(&mut other, 100);
    assert_ne!(fold(hashes(&one)), fold(hashes(&other)));
    assert!(one.world().contains_resource::<Bustle>());
}

/// The thread pool belongs to the process, so that another number of threads needs its own process.
#[test]
fn the_number_of_threads_that_solve_tables_does_not_matter() {
    const OF_THE_CHILD: &str = "PURSUIT_TEST_THREADS";
    if std::env::var_os(OF_THE_CHILD).is_some() {
        return assert_same_game(bustle::app(SEED), 3000, "another number of threads");
    }
    // The other tests run with as many as there are cores.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let others = if cores == 1 { "2" } else { "1" };
    in_a_process_of_its_own(
        "the_number_of_threads_that_solve_tables_does_not_matter",
        [("RAYON_NUM_THREADS", others), (OF_THE_CHILD, "1")],
    );
}

/// Bevy's pools belong to the process, too. They get their threads when the first app is made.
#[test]
fn a_game_without_threads_is_the_same() {
    const OF_THE_CHILD: &str = "PURSUIT_TEST_WITHOUT_THREADS";
    if std::env::var_os(OF_THE_CHILD).is_some() {
        App::new().add_plugins(TaskPoolPlugin {
            task_pool_options: TaskPoolOptions::with_num_threads(1),
        });
        let mut app = bustle::app(SEED);
        app.insert_resource(TableWorker::in_slices());
        app.edit_schedule(FixedUpdate, |schedule| {
            schedule.set_executor(SingleThreadedExecutor::new());
        });
        return assert_same_game(app, 3000, "without threads");
    }
    in_a_process_of_its_own("a_game_without_threads_is_the_same", [(OF_THE_CHILD, "1")]);
}

/// Runs a test of this file again, with other variables.
fn in_a_process_of_its_own<const N: usize>(test: &str, variables: [(&str, &str); N]) {
    let this = std::env::current_exe().expect("this test");
    let test = format!("determinism::{test}");
    let game = Command::new(&this)
        .args(["--exact", &test])
        .envs(variables)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process");
    let game = game.wait_with_output().expect("an end");
    let printed = String::from_utf8_lossy(&game.stdout);
    assert!(game.status.success(), "{printed}");
    // Otherwise a name that matches no test would pass, too.
    assert!(printed.contains("1 passed"), "{printed}");
}
