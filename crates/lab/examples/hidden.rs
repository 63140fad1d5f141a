//! Robbers that the cops have to search for first: how many the cops capture, and how fast.
//!
//! ```sh
//! cargo run --release -p pursuit_lab --example hidden -- --games 60
//! ```
//!
//! All agents start at random places of random maps. Cops see eight columns and rows; robbers see as far, or everything.

use clap::Parser;
use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{AgentRecord, AgentSetup, Expansions, PursuitSettings, PursuitWorld};
use pursuit_testkit::town;
use std::error::Error;
use std::path::PathBuf;

/// Plays chases in which the cops have limited sight
#[derive(Parser, Debug)]
struct Args {
    /// Files of maps, instead of random towns and buildings of 64 x 64 cells
    maps: Vec<PathBuf>,

    /// The number of games for each kind of map, number of cops and sight of the robber
    #[arg(long, default_value_t = 60)]
    games: u64,

    /// The numbers of cops
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 5])]
    cops: Vec<usize>,

    /// The sight of the cops in columns and rows
    #[arg(long, default_value_t = 8)]
    sight: u16,

    /// The turn limit of a game
    #[arg(long, default_value_t = 1_000)]
    turns: u64,

    /// The budget of a tick, in expansions
    #[arg(long, default_value_t = 10_000)]
    budget: u64,

    /// The first seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Plays a game. Returns the number of turns, which is the limit if the robber is not captured.
fn play(map: &TileMap, seed: u64, cops: usize, robber_sight: Option<u16>, args: &Args) -> u64 {
    let dice = &mut Dice::new(seed);
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let settings = PursuitSettings {
        seed,
        ..PursuitSettings::default()
    };
    let length = u64::from(settings.ticks_per_turn);
    let mut world = PursuitWorld::new(map, Moves::Octile, settings);
    let robber = world.insert(AgentSetup {
        sight: robber_sight,
        ..AgentSetup::new(Side::Robber, free[dice.below(free.len())])
    });
    for _ in 0..cops {
        world.insert(AgentSetup {
            sight: Some(args.sight),
            ..AgentSetup::new(Side::Cops, free[dice.below(free.len())])
        });
    }
    for _ in 0..args.turns * length {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(args.budget));
        if let Some(catch) = world.agent(robber).and_then(AgentRecord::caught) {
            return catch.turn;
        }
    }
    args.turns
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let kinds: Vec<String> = if args.maps.is_empty() {
        ["town", "rooms"].map(String::from).into()
    } else {
        let names = args.maps.iter().map(|path| path.display().to_string());
        names.collect()
    };
    println!("| map | sight of the robber | cops | captured | mean turns | median |");
    println!("|---|---|---|---|---|---|");
    for (index, kind) in kinds.iter().enumerate() {
        let stored = args.maps.get(index).map(std::fs::read_to_string);
        let stored = stored.transpose()?.map(|text| TileMap::parse(&text));
        let stored = stored.transpose()?;
        for robber_sight in [Some(0), Some(args.sight), None] {
            for &cops in &args.cops {
                let game = |seed: u64| {
                    let random = || match index {
                        0 => town::town(64, 64, seed).map,
                        _ => town::rooms(64, 64, seed).map,
                    };
                    let map = stored.clone().unwrap_or_else(random);
                    play(&map, seed, cops, robber_sight, &args)
                };
                let seeds = args.seed..args.seed + args.games;
                let mut turns: Vec<u64> = run(seeds, game);
                turns.sort_unstable();
                let captured = turns.iter().filter(|&&turns| turns < args.turns).count();
                let mean = turns.iter().sum::<u64>() as f64 / turns.len().max(1) as f64;
                let median = turns.get(turns.len() / 2).copied().unwrap_or_default();
                let sight = robber_sight.map_or("all".into(), |sight| sight.to_string());
                println!(
                    "| {kind} | {sight} | {cops} | {captured} of {} | {mean:.0} | {median} |",
                    args.games
                );
            }
        }
    }
    Ok(())
}

#[cfg(feature = "parallel")]
fn run(seeds: std::ops::Range<u64>, game: impl Fn(u64) -> u64 + Send + Sync) -> Vec<u64> {
    use rayon::prelude::*;
    seeds.into_par_iter().map(game).collect()
}

#[cfg(not(feature = "parallel"))]
fn run(seeds: std::ops::Range<u64>, game: impl Fn(u64) -> u64) -> Vec<u64> {
    seeds.map(game).collect()
}
