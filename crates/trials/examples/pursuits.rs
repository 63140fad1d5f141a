//! Several pursuits at once, on two maps.
//!
//! Three independent pursuits share one map: one on the `Turns` clock, one on the free-running clock, one with a
//! player. A fourth is on the second map. `cargo run -p pursuit_trials --example pursuits`

use bevy::prelude::*;
use bevy_pursuit::PursuitAgents;
use bevy_pursuit::prelude::*;
use clap::Parser;
use headless::{app, level, picture};
use pursuit_trials::headless;
use std::process::ExitCode;

const YARD: [&str; 11] = [
    "..................",
    ".####..####..####.",
    ".#........#.....#.",
    ".#..####..#..#..#.",
    "....#........#....",
    ".#..#..####..#..#.",
    ".#.....#.....#..#.",
    ".####..####..####.",
    "..................",
    ".####.#########.#.",
    "..................",
];

const CELLAR: [&str; 5] = [
    ".........", //
    ".##.#.##.",
    ".........",
    ".##.#.##.",
    ".........",
];

/// Several pursuits on two maps.
#[derive(Debug, Parser)]
struct Args {
    /// The length in ticks; a turn is 16 ticks.
    #[arg(long, default_value_t = 640)]
    ticks: u64,
    /// The number of ticks between two printed maps.
    #[arg(long, default_value_t = 160)]
    every: u64,
}

/// Captures, by pursuit and turn.
#[derive(Resource, Default)]
struct Captures(Vec<(u32, u64)>);

fn main() -> ExitCode {
    let args = Args::parse();
    let mut app = app(PursuitSettings::default());
    app.init_resource::<Captures>().add_observer(note_capture);
    let yard = PursuitMap::new(&level(&YARD), Moves::Octile);
    let yard = app.world_mut().spawn(yard).id();
    let cellar = PursuitMap::new(&level(&CELLAR), Moves::Orthogonal);
    let cellar = app.world_mut().spawn(cellar).id();
    let player = spawn_agents(app.world_mut(), yard, cellar);
    for tick in 0..args.ticks {
        // A game would do this on key presses, at any time.
        let directions = [IVec2::NEG_X, IVec2::NEG_Y, IVec2::X, IVec2::Y];
        let direction = directions[(tick / 64) as usize % 4];
        let steer = AgentControl::Steer(direction);
        if app.world().get::<AgentControl>(player) != Some(&steer) {
            app.world_mut().entity_mut(player).insert(steer);
        }
        app.update();
        if tick % args.every == 0 {
            println!("tick {tick}, yard");
            print!("{}", picture(&mut app, yard, &[]));
            println!("tick {tick}, cellar");
            print!("{}", picture(&mut app, cellar, &[]));
        }
    }
    print_sources(&mut app, yard);
    let captures = &app.world().resource::<Captures>().0;
    let is_over = |number| captures.iter().any(|&(pursuit, _)| pursuit == number);
    println!("{} captures", captures.len());
    if is_over(0) && is_over(1) {
        ExitCode::SUCCESS
    } else {
        eprintln!("error: not all pursuits have ended");
        ExitCode::FAILURE
    }
}

fn note_capture(
    captured: On<Captured>,
    agents: Query<&InPursuit>,
    pursuits: Query<&Pursuit>,
    mut captures: ResMut<Captures>,
) {
    let pursuit = agents.get(captured.robber).map(|pursuit| pursuit.0);
    let pursuit = pursuit.and_then(|pursuit| pursuits.get(pursuit));
    let number = pursuit.map_or(0, |pursuit| pursuit.0);
    println!("  pursuit {number}: captured on turn {}", captured.turn);
    captures.0.push((number, captured.turn));
}

/// Spawns the agents of four pursuits and returns the player.
fn spawn_agents(world: &mut World, yard: Entity, cellar: Entity) -> Entity {
    let at = GridPosition::new;
    // Agents without a pursuit of their own belong to the default pursuit of their map.
    world.spawn_batch([0, 1, 2].map(|x| (Cop, at(x, 0), OnMap(yard))));
    world.spawn((Robber, at(17, 10), OnMap(yard)));
    world.spawn((Cop, at(8, 4), OnMap(cellar), PursuitSpeed(2)));
    world.spawn((Robber, at(0, 0), OnMap(cellar)));
    // On the free-running clock, an agent moves as soon as its step is over. The cop takes a quarter
    // less time for a step.
    world.spawn((
        Pursuit(1),
        PursuitClock::FreeRunning,
        related!(PursuitAgents[
            (Cop, at(0, 10), OnMap(yard), TicksPerStep(12)),
            (Robber, at(5, 6), OnMap(yard), TicksPerStep(16)),
        ]),
    ));
    // A cop chases the player, who walks around the yard.
    let pursuit = InPursuit(world.spawn((Pursuit(2), Tactics::Chase)).id());
    world.spawn((Cop, at(17, 0), pursuit, OnMap(yard), PursuitSpeed(2)));
    let player = (Robber, at(5, 10), pursuit, OnMap(yard), PursuitSpeed(2));
    world.spawn(player).id()
}

fn print_sources(app: &mut App, yard: Entity) {
    let mut agents = app
        .world_mut()
        .query::<(Option<&InPursuit>, &OnMap, Has<Robber>, &PursuitState)>();
    println!("source of the last decisions");
    for (pursuit, on, is_robber, state) in agents.iter(app.world()) {
        let place = if on.0 == yard { "yard" } else { "cellar" };
        let who = if is_robber { "robber" } else { "cop" };
        let PursuitState {
            decided_by, reason, ..
        } = state;
        let pursuit = pursuit.and_then(|pursuit| app.world().get::<Pursuit>(pursuit.0));
        let number = pursuit.map_or(0, |pursuit| pursuit.0);
        println!("  {place}, pursuit {number}, {who}: {decided_by:?} ({reason:?})");
    }
}
