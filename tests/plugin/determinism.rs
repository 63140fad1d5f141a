//! A game repeats exactly, independent of the executor, the frame rate, the number of threads that solve
//! tables, the build profile and the machine.

use crate::common::bustle;
use bevy::ecs::schedule::SingleThreadedExecutor;
use bevy::prelude::*;
use bevy_pursuit::plugin::Reason;
use bevy_pursuit::prelude::*;
use bustle::{Bustle, fold, frames_of, hashes, play};
use std::process::{Command, Stdio};

const SEED: u64 = 5;
const TICKS: usize = 10_000;

/// The hash of 10,000 ticks, on every machine and in every build. A different hash means a different
/// game. Update it only for an intended change of the agents' decisions.
const HASH: u64 = 0xb486_ee40_20cc_ca05;

/// Reports the first tick in which two games differ.
fn compare(one: &[u64], other: &[u64], what: &str) {
    let differs = one.iter().zip(other).position(|(one, other)| one != other);
    assert_eq!(differs, None, "{what}: the first tick that differs");
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
    assert_eq!(
        fold(hashes(&app)),
        HASH,
        "the hash is {:#x}",
        fold(hashes(&app))
    );
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
    let mut steady = bustle::app(SEED);
    play(&mut steady, 1000);
    let mut app = bustle::app(SEED);
    app.edit_schedule(FixedUpdate, |schedule| {
        schedule.set_executor(SingleThreadedExecutor::new());
    });
    play(&mut app, 1000);
    compare(hashes(&app), hashes(&steady), "one thread");
}

#[test]
fn the_frame_rate_does_not_matter() {
    let mut steady = bustle::app(SEED);
    play(&mut steady, 3000);
    for (frame, ticks) in [(3, 400), (16, 3000), (70, 3000)] {
        let mut app = bustle::app(SEED);
        frames_of(&mut app, frame);
        play(&mut app, ticks);
        compare(
            hashes(&app),
            hashes(&steady),
            &format!("frames of {frame} ms"),
        );
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

/// The thread pool belongs to the process, so that each number of threads needs its own process.
#[test]
fn the_number_of_threads_that_solve_tables_does_not_matter() {
    let this = std::env::current_exe().expect("this test");
    let test = "determinism::ten_thousand_ticks_come_to_the_same_hash_on_every_machine";
    // The test itself runs with as many as there are cores.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let others = if cores == 1 { "2" } else { "1" };
    let game = Command::new(&this)
        .args(["--exact", test])
        .env("RAYON_NUM_THREADS", others)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process");
    let game = game.wait_with_output().expect("an end");
    let printed = String::from_utf8_lossy(&game.stdout);
    assert!(game.status.success(), "{printed}");
    // Otherwise a name that matches no test would pass, too.
    assert!(printed.contains("1 passed"), "{printed}");
}
