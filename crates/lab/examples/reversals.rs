//! `cargo run --release -p pursuit_lab --example reversals -- [--only TEXT] [MAP...]`: how often agents turn back while
//! nothing changes.
//!
//! Cops hunt a player that stands, or that trembles over the border of two tiles, by each of the tactics and with budgets
//! of 0, 250 and 10,000 expansions; and a robber flees from a player that stands. 20 maps of streets, rooms and halls, or
//! the maps that are named. A reversal is a step back to the tile that the step before has left. Printed are the reversals
//! in 100 turns of an agent: the mean, and the worst game.

use clap::Parser;
use pursuit_engine::map::{PursuitLevel, TileMap};
use pursuit_engine::search::seed_of;
use pursuit_engine::world::{PursuitClock, Tactics};
use pursuit_testkit::reversals::{Game, Player, Who};
use pursuit_testkit::town::{rooms, town};
use std::path::PathBuf;

const BUDGETS: [u64; 3] = [0, 250, 10_000];

#[derive(Debug, Parser)]
struct Args {
    /// Only games whose line contains this text.
    #[arg(long, default_value = "")]
    only: String,
    /// Maps to play on.
    maps: Vec<PathBuf>,
}

fn main() {
    let args = Args::parse();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a readable map");
        PursuitLevel::parse(&text).expect("a map").initial_map()
    };
    let named: Vec<TileMap> = args.maps.iter().map(read).collect();
    let made = || (0..10).flat_map(|seed| [town(64, 64, seed).map, rooms(48, 48, seed).map]);
    let maps: Vec<TileMap> = if named.is_empty() {
        made().collect()
    } else {
        named
    };
    let tactics = [
        Tactics::Intercept,
        Tactics::Chase,
        Tactics::Ahead(4),
        Tactics::Flank,
        Tactics::Shy(4),
        Tactics::Keep(4),
        Tactics::Surround,
    ];
    let mut all: Vec<Who> = Vec::new();
    for tactics in tactics {
        all.extend([1, 2, 4].map(|many| Who::Cops(tactics, many)));
    }
    all.push(Who::Robber);
    let clocks = [
        PursuitClock::Turns,
        PursuitClock::FreeRunning,
        PursuitClock::Simultaneous,
    ];
    for who in all {
        for player in [Player::Stands, Player::Trembles] {
            for clock in clocks {
                let line = format!("{who:?}, {player:?}, {clock:?}:");
                if !line.contains(&args.only) {
                    continue;
                }
                print!("{line}");
                for budget in BUDGETS {
                    let (mut sum, mut worst) = (0.0, 0.0_f64);
                    for (number, map) in maps.iter().enumerate() {
                        let seed = seed_of([number as u64, budget]);
                        let game = Game {
                            who,
                            player,
                            clock,
                            budget,
                            seed,
                        };
                        let rate = game.reversals(map);
                        sum += rate;
                        worst = worst.max(rate);
                    }
                    let mean = sum / maps.len() as f64;
                    print!(" {mean:.2} ({worst:.1})");
                }
                println!();
            }
        }
    }
}
