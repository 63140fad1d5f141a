//! Cops that see at most twelve tiles far, and not through walls.
//!
//! They go to where they last saw the robber (`?`), and search from there. `cargo run -p pursuit_trials --example sight`

use bevy::prelude::*;
use bevy_pursuit::PlannedPath;
use bevy_pursuit::TurnClock;
use bevy_pursuit::prelude::*;
use clap::Parser;
use headless::{any, any_near, app, open_tiles, picture};
use pursuit_engine::search::Dice;
use pursuit_testkit::town;
use pursuit_trials::headless;
use std::process::ExitCode;

/// A chase with limited sight.
#[derive(Debug, Parser)]
struct Args {
    /// The maximum length of the chase in turns.
    #[arg(long, default_value_t = 100)]
    turns: u64,
    /// The number of turns between two printed maps.
    #[arg(long, default_value_t = 10)]
    every: u64,
    /// The range of the cops' sight in tiles.
    #[arg(long, default_value_t = 12)]
    sight: u16,
    /// The seed of the town and of the start positions.
    #[arg(long, default_value_t = 3)]
    seed: u64,
}

/// What the cops know about the robber.
#[derive(Resource, Default)]
struct Known {
    last_seen: Option<IVec2>,
    in_sight: bool,
    times: u32,
    captured: Option<u64>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut app = app(PursuitSettings::default());
    app.init_resource::<Known>()
        .add_observer(|_: On<Sighted>, mut known: ResMut<Known>| {
            known.in_sight = true;
            known.times += 1;
        })
        .add_observer(|_: On<LostSight>, mut known: ResMut<Known>| known.in_sight = false)
        .add_observer(|captured: On<Captured>, mut known: ResMut<Known>| {
            known.captured = Some(captured.turn);
        });
    let (map, robber) = spawn_town(app.world_mut(), &args);

    let (mut turn, mut by_reason) = (0, [0_u32; 2]);
    while turn < args.turns && app.world().resource::<Known>().captured.is_none() {
        app.update();
        let clock = *app
            .world()
            .get::<TurnClock>(map)
            .expect("a map has a clock");
        let here = app.world().get::<GridPosition>(robber).expect("an agent").0;
        let mut known = app.world_mut().resource_mut::<Known>();
        if known.in_sight {
            known.last_seen = Some(here);
        }
        if !clock.begins() {
            continue;
        }
        turn = clock.turn;
        by_reason[usize::from(known.in_sight)] += 1;
        if (turn - 1) % args.every == 0 {
            print_turn(&mut app, map, turn);
        }
    }
    let known = app.world().resource::<Known>();
    let [out, seen] = by_reason;
    println!(
        "robber sighted {} times; in sight for {seen} turns, out of sight for {out}",
        known.times
    );
    match known.captured {
        Some(turn) => println!("captured on turn {turn}"),
        None => println!("not captured"),
    }
    if known.times > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Spawns a town with a robber and three cops near it. Returns the map and the robber.
fn spawn_town(world: &mut World, args: &Args) -> (Entity, Entity) {
    let level = town::town(48, 24, args.seed);
    let map = world.spawn(PursuitMap::new(&level.map, Moves::Octile)).id();
    let (open, mut dice) = (open_tiles(&level.map), Dice::new(args.seed));
    // The robber always knows where the cops are.
    let place = any(&mut dice, &open);
    let robber = world.spawn((Robber, place)).id();
    for _ in 0..3 {
        let near = any_near(&mut dice, &open, place.0, 5);
        world.spawn((Cop, near, Sight(args.sight)));
    }
    (map, robber)
}

/// Prints the map, with the goals of the cops and the place where the robber was seen last.
fn print_turn(app: &mut App, map: Entity, turn: u64) {
    let known = app.world().resource::<Known>();
    let (last_seen, in_sight) = (known.last_seen, known.in_sight);
    let where_is_it = if in_sight { "in" } else { "out of" };
    println!("turn {turn}: robber {where_is_it} sight");
    let mut plans = app.world_mut().query_filtered::<&PlannedPath, With<Cop>>();
    let goals = plans
        .iter(app.world())
        .filter_map(|plan| plan.path.last().copied());
    let mut marks: Vec<(IVec2, char)> = goals.map(|goal| (goal, '*')).collect();
    marks.extend(last_seen.filter(|_| !in_sight).map(|at| (at, '?')));
    print!("{}", picture(app, map, &marks));
    let mut cops = app.world_mut().query_filtered::<&PursuitState, With<Cop>>();
    for state in cops.iter(app.world()) {
        println!("  cop: {:?}, {:?}", state.decided_by, state.reason);
    }
}
