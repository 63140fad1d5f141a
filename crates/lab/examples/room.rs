//! What it costs that agents are solid: the time of a turn, and the turns until a capture.
//!
//! `cargo run --release -p pursuit_lab --example room`

use clap::Parser;
use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::{Dice, Distances};
use pursuit_engine::world::{
    AgentId, AgentSetup, Expansions, PursuitClock, PursuitSettings, PursuitWorld, Tactics,
};
use std::time::{Duration, Instant};

/// Games with and without solid agents.
#[derive(Parser, Debug)]
#[command(about)]
struct Args {
    /// The number of random maps.
    #[arg(long, default_value_t = 20)]
    maps: u64,

    /// The most turns of a game.
    #[arg(long, default_value_t = 400)]
    turns: u64,

    /// The budget of a tick, in expansions.
    #[arg(long, default_value_t = 10_000)]
    budget: u64,
}

/// A kind of game.
#[derive(Debug, Clone, Copy)]
struct Scene {
    side: u16,
    cops: usize,
    tactics: Tactics,
    is_solid: bool,
    seed: u64,
}

/// A world with one robber, the cells that are connected with the middle and have no cop at first, and the dice.
struct Game {
    world: PursuitWorld,
    robber: AgentId,
    free: Vec<Cell>,
    dice: Dice,
}

fn game(scene: Scene) -> Game {
    let mut dice = Dice::new(scene.seed);
    let mut map = TileMap::filled(scene.side, scene.side, Terrain::Floor).expect("some cells");
    for at in map.cells().collect::<Vec<_>>() {
        if dice.below(5) == 0 {
            map.set(at, Terrain::Wall);
        }
    }
    let mut settings = PursuitSettings {
        ticks_per_turn: 4,
        clock: PursuitClock::Turns,
        tactics: scene.tactics,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let graph = world.graph();
    let middle = graph.nearest_passable(Cell::new(scene.side / 2, scene.side / 2));
    let middle = middle.and_then(|cell| graph.vertex(cell)).expect("floor");
    let mut distances = Distances::default();
    distances.measure(graph, middle);
    let mut free: Vec<Cell> = distances
        .reachable()
        .iter()
        .map(|&at| graph.cell(at))
        .collect();
    free.sort_unstable();
    let mut add = |world: &mut PursuitWorld, side: Side| {
        let cell = free.swap_remove(dice.below(free.len()));
        world.insert(AgentSetup {
            is_solid: scene.is_solid,
            ..AgentSetup::new(side, cell)
        })
    };
    let robber = add(&mut world, Side::Robber);
    for _ in 0..scene.cops {
        add(&mut world, Side::Cops);
    }
    Game {
        world,
        robber,
        free,
        dice,
    }
}

/// Plays until the robber is captured. Returns the turns, if it is.
fn play(scene: Scene, args: &Args) -> Option<u64> {
    let Game {
        mut world, robber, ..
    } = game(scene);
    for tick in 0..4 * args.turns {
        world.begin_tick(&[]);
        world.arrive();
        if is_caught(&world, robber) {
            return Some(tick / 4);
        }
        world.decide(&mut Expansions(args.budget));
    }
    None
}

fn is_caught(world: &PursuitWorld, robber: AgentId) -> bool {
    world
        .agent(robber)
        .is_some_and(|agent| agent.caught().is_some())
}

/// The microseconds of decisions for each agent and turn, where the robber comes back elsewhere after each capture.
fn time(scene: Scene, args: &Args) -> f64 {
    let Game {
        mut world,
        robber,
        free,
        mut dice,
    } = game(scene);
    let mut time = Duration::ZERO;
    for _ in 0..4 * args.turns {
        if is_caught(&world, robber) {
            world.place(robber, free[dice.below(free.len())]);
            world.release(robber);
        }
        world.begin_tick(&[]);
        world.arrive();
        let start = Instant::now();
        world.decide(&mut Expansions(args.budget));
        time += start.elapsed();
    }
    let moves = args.turns as f64 * (scene.cops + 1) as f64;
    1e6 * time.as_secs_f64() / moves
}

fn main() {
    let args = Args::parse();
    println!(
        "{:>10} {:>5} {:>9} {:>6} {:>9} {:>7} {:>7} {:>14}",
        "map", "cops", "tactics", "solid", "captured", "turns", "median", "us/agent/turn"
    );
    let scenes = [
        (10, 2),
        (10, 4),
        (10, 8),
        (10, 30),
        (30, 4),
        (30, 16),
        (100, 300),
    ];
    for (side, cops) in scenes {
        for tactics in [Tactics::Intercept, Tactics::Chase] {
            for is_solid in [false, true] {
                let scene = |seed| Scene {
                    side,
                    cops,
                    tactics,
                    is_solid,
                    seed,
                };
                let captures: Vec<_> = (0..args.maps)
                    .map(|seed| play(scene(seed), &args))
                    .collect();
                let captured = captures.iter().flatten().count();
                let turns = captures.iter().map(|turns| turns.unwrap_or(args.turns));
                let mut turns: Vec<u64> = turns.collect();
                turns.sort_unstable();
                let mean = turns.iter().sum::<u64>() as f64 / args.maps as f64;
                let times = (0..args.maps.min(5)).map(|seed| time(scene(seed), &args));
                // The least is the one that other programs have disturbed least.
                let least = times.fold(f64::MAX, f64::min);
                println!(
                    "{:>10} {cops:>5} {:>9} {is_solid:>6} {captured:>9} {mean:>7.1} {:>7} {least:>14.2}",
                    format!("{side} x {side}"),
                    format!("{tactics:?}"),
                    turns[turns.len() / 2],
                );
            }
        }
    }
}
