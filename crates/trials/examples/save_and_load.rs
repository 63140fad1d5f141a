//! Saving, rolling back and loading a chase.
//!
//! A chase is saved as text, continued, rolled back and continued again: both continuations are equal,
//! to the last tile. Then the saved game is loaded into a new app. `cargo run -p pursuit_trials --example save_and_load`

use bevy::prelude::*;
use bevy_pursuit::prelude::*;
use clap::Parser;
use headless::{any, app, in_lockstep, open_tiles};
use pursuit_engine::search::Dice;
use pursuit_engine::world::Snapshot;
use pursuit_testkit::town;
use pursuit_trials::headless;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

/// Saves a chase and restores it.
#[derive(Debug, Parser)]
struct Args {
    /// The number of ticks before saving, and of each continuation.
    #[arg(long, default_value_t = 500)]
    ticks: u64,
    /// The seed of the town and of the start positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let level = town::town(96, 64, args.seed);
    let mut app = app(in_lockstep());
    let map = PursuitMap::new(&level.map, Moves::Octile);
    let map = app.world_mut().spawn(map).id();
    let (open, mut dice) = (open_tiles(&level.map), Dice::new(args.seed));
    for number in 1..=8 {
        let pursuit = InPursuit(app.world_mut().spawn(Pursuit(number)).id());
        app.world_mut()
            .spawn((Robber, any(&mut dice, &open), pursuit));
        for _ in 0..3 {
            app.world_mut().spawn((Cop, any(&mut dice, &open), pursuit));
        }
    }
    hashes(&mut app, map, args.ticks);

    let started = Instant::now();
    let snapshot = app.world().get::<LiveMap>(map).and_then(LiveMap::snapshot);
    let snapshot = snapshot.expect("a map with cells");
    let taken = started.elapsed();
    let text = serde_json::to_string(&snapshot).expect("a snapshot is plain data");
    let bytes = postcard::to_allocvec(&snapshot).expect("a snapshot is plain data");
    println!(
        "tick {}: {} open tiles, 32 agents; snapshot {taken:.0?}, JSON {} kB, binary {} kB, both {:.0?}",
        snapshot.tick(),
        open.len(),
        text.len() / 1000,
        bytes.len() / 1000,
        started.elapsed()
    );
    let first = hashes(&mut app, map, args.ticks);

    // Rollback in the same app, with the same entities.
    let started = Instant::now();
    let snapshot: Snapshot = serde_json::from_str(&text).expect("a valid snapshot");
    app.world_mut()
        .restore_map(map, snapshot, Some)
        .expect("it is of this version");
    println!(
        "tick {}: rolled back in {:.0?}",
        headless::world_of(&app, map).tick(),
        started.elapsed()
    );
    let second = hashes(&mut app, map, args.ticks);
    println!("same continuation: {}", first == second);

    let third = loaded(&text, args.ticks);
    println!("same continuation in another app: {}", first == third);
    if first == second && first == third {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Plays some ticks and returns the hash of each.
fn hashes(app: &mut App, map: Entity, ticks: u64) -> Vec<u64> {
    let mut hashes = Vec::new();
    for _ in 0..ticks {
        app.update();
        let map = app.world().get::<LiveMap>(map);
        hashes.push(map.map_or(0, LiveMap::position_hash));
    }
    hashes
}

/// Loads the chase into a new app and continues it.
fn loaded(text: &str, ticks: u64) -> Vec<u64> {
    let mut app = app(in_lockstep());
    let snapshot: Snapshot = serde_json::from_str(text).expect("a valid snapshot");
    // A game would read the other components of each agent from its own saved game. Here, it is only
    // the role.
    let roles = roles(&snapshot);
    let world = app.world_mut();
    let map = world.spawn(PursuitMap::default()).id();
    // The snapshot restores the pursuits.
    let now: BTreeMap<Entity, Entity> = roles
        .iter()
        .map(|(&before, is_robber)| {
            let entity = if *is_robber {
                world.spawn(Robber)
            } else {
                world.spawn(Cop)
            };
            (before, entity.id())
        })
        .collect();
    let restored = world.restore_map(map, snapshot, |before| now.get(&before).copied());
    restored.expect("it is of this version");
    hashes(&mut app, map, ticks)
}

/// Returns for each saved entity whether it was a robber.
fn roles(snapshot: &Snapshot) -> BTreeMap<Entity, bool> {
    use pursuit_engine::game::Side;
    use pursuit_engine::world::PursuitWorld;
    let world = PursuitWorld::from_snapshot(snapshot.clone()).expect("it is of this version");
    let agents = world.agents().map(|(_, agent)| {
        let setup = agent.setup();
        let is_robber = setup.side == Side::Robber;
        (Entity::from_bits(setup.user), is_robber)
    });
    agents.collect()
}
