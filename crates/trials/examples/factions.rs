//! Foxes that hunt hens and flee from snakes, with more and less fear.
//!
//! `cargo run --release -p pursuit_trials --example factions -- --chart factions.svg`

use bevy::prelude::*;
use bevy_pursuit::Faction;
use bevy_pursuit::prelude::*;
use chart::{Chart, Line};
use clap::Parser;
use headless::{app, open_tiles, percent};
use pursuit_engine::search::Dice;
use pursuit_testkit::town;
use pursuit_trials::chart;
use pursuit_trials::headless;
use std::path::PathBuf;
use std::process::ExitCode;

/// Games with more and less fear.
#[derive(Debug, Parser)]
struct Args {
    /// The length of a game in turns.
    #[arg(long, default_value_t = 200)]
    turns: u64,
    /// The number of games, each on a map of its own.
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// The steps to the nearest snake within which a fox flees.
    #[arg(long, value_delimiter = ',', default_value = "0,1,2,4,6,8,12,16")]
    fears: Vec<u8>,
    /// Draw the shares of captured foxes and hens to this file.
    #[arg(long)]
    chart: Option<PathBuf>,
}

const FOX: u8 = 0;
const HEN: u8 = 1;
const SNAKE: u8 = 2;

/// How many agents of each faction play.
const FOXES: u32 = 4;
const HENS: u32 = 12;
const SNAKES: u32 = 2;

const TICKS_PER_TURN: u32 = 4;

/// The captured foxes and hens of all games.
#[derive(Resource, Default)]
struct Captures {
    foxes: u64,
    hens: u64,
}

fn main() -> ExitCode {
    let args = Args::parse();
    println!("fears  hens captured  foxes captured");
    let rows: Vec<(f64, f64, f64)> = args.fears.iter().map(|&fears| play(&args, fears)).collect();
    if let Some(file) = &args.chart {
        let line = |name, of: fn(&(f64, f64, f64)) -> f64| {
            Line::new(name, rows.iter().map(|row| (row.0, of(row))).collect())
        };
        let chart = Chart {
            heading: format!("{FOXES} foxes that hunt {HENS} hens and flee from {SNAKES} snakes"),
            below: "steps to a snake within which a fox flees".to_owned(),
            is_linear: false,
            lines: vec![
                line("hens captured", |row| row.1),
                line("foxes captured", |row| row.2),
            ],
        };
        if let Err(error) = std::fs::write(file, chart.to_svg()) {
            eprintln!("error: {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Plays all games with some fear of the foxes, and prints a line.
fn play(args: &Args, fears: u8) -> (f64, f64, f64) {
    let mut captures = Captures::default();
    for seed in 0..args.games {
        let played = game(args, fears, seed);
        captures.foxes += played.foxes;
        captures.hens += played.hens;
    }
    let share = |captured, many: u32| percent(captured, args.games * u64::from(many));
    let (hens, foxes) = (share(captures.hens, HENS), share(captures.foxes, FOXES));
    println!("{fears:>5}  {hens:>11.1} %  {foxes:>12.1} %");
    (fears.into(), hens, foxes)
}

fn game(args: &Args, fears: u8, seed: u64) -> Captures {
    let mut app = app(PursuitSettings {
        ticks_per_turn: TICKS_PER_TURN,
        ..default()
    });
    app.init_resource::<Captures>().add_observer(
        |captured: On<Captured>, factions: Query<&Faction>, mut captures: ResMut<Captures>| {
            let faction = factions.get(captured.robber).map(|faction| faction.own);
            captures.foxes += u64::from(faction == Ok(FOX));
            captures.hens += u64::from(faction == Ok(HEN));
        },
    );
    let level = town::rooms(48, 48, seed);
    app.world_mut()
        .spawn(PursuitMap::new(&level.map, Moves::Octile));
    let (open, mut dice) = (open_tiles(&level.map), Dice::new(seed));
    let fox = Faction {
        fears,
        ..Faction::new(FOX, [HEN])
    };
    let all = [
        (fox, FOXES, 2),
        (Faction::new(HEN, []), HENS, 1),
        (Faction::new(SNAKE, [FOX]), SNAKES, 2),
    ];
    for (faction, many, speed) in all {
        for _ in 0..many {
            let at = GridPosition(open[dice.below(open.len())]);
            app.world_mut().spawn((faction, at, PursuitSpeed(speed)));
        }
    }
    for _ in 0..args.turns * u64::from(TICKS_PER_TURN) {
        app.update();
    }
    app.world_mut()
        .remove_resource::<Captures>()
        .unwrap_or_default()
}
