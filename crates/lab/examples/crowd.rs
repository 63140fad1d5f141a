//! Captures by the number of cops: robbers that come back elsewhere after each capture.
//!
//! `cargo run --release -p pursuit_lab --example crowd -- --help`

use clap::{Parser, ValueEnum};
use crowd::{Game, Played, Scene};
use pursuit_engine::map::{Moves, PursuitLevel, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{PursuitClock, PursuitSettings, TickBudget};
use pursuit_testkit::crowd;
use pursuit_testkit::town;
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Instant;

/// Cops that start from a corner start in the first so many free cells.
const CORNER: usize = 60;

#[derive(ValueEnum, Debug, Clone, Copy)]
enum Clock {
    Turns,
    Simultaneous,
    FreeRunning,
}

/// The captures of teams of cops of several sizes.
#[derive(Parser, Debug)]
#[command(about)]
struct Args {
    /// The numbers of cops.
    #[arg(default_values_t = [3, 4, 8, 16, 24, 40, 100, 300])]
    cops: Vec<usize>,

    /// `town`, `rooms`, `caves`, `open`, or a MovingAI .map file or a level file (.level.ron).
    #[arg(long, default_value = "town")]
    map: PathBuf,

    /// The width and height of maps that are made.
    #[arg(long, default_value_t = 100)]
    side: u16,

    /// Agents do not step diagonally.
    #[arg(long)]
    orthogonal: bool,

    #[arg(long, default_value_t = 1)]
    robbers: usize,

    /// The cops start in one corner.
    #[arg(long)]
    corner: bool,

    #[arg(long, value_enum, default_value_t = Clock::Turns)]
    clock: Clock,

    /// Default: that of the settings.
    #[arg(long)]
    ticks_per_turn: Option<NonZeroU8>,

    /// The budget of a tick, in expansions. Default: that of the settings.
    #[arg(long)]
    budget: Option<u32>,

    #[arg(long, default_value_t = 800)]
    turns: u64,

    #[arg(long, default_value_t = 5)]
    seeds: u64,

    #[arg(long, default_value_t = 1)]
    first_seed: u64,
}

impl Args {
    fn settings(&self) -> PursuitSettings {
        let mut settings = PursuitSettings {
            clock: match self.clock {
                Clock::Turns => PursuitClock::Turns,
                Clock::Simultaneous => PursuitClock::Simultaneous,
                Clock::FreeRunning => PursuitClock::FreeRunning,
            },
            ..PursuitSettings::default()
        };
        if let Some(ticks) = self.ticks_per_turn {
            settings.ticks_per_turn = ticks.get().into();
        }
        if let Some(budget) = self.budget {
            settings.budget = TickBudget::Expansions(budget);
        }
        settings
    }

    fn map(&self, dice: &mut Dice) -> Result<TileMap, Box<dyn std::error::Error>> {
        Ok(match self.map.to_str() {
            Some("town") => crowd::town(self.side, dice),
            Some("caves") => crowd::caves(self.side, dice),
            Some("rooms") => town::rooms(self.side, self.side, dice.below(1 << 16) as u64).map,
            Some("open") => TileMap::filled(self.side, self.side, Terrain::Floor)
                .ok_or("no map has this size")?,
            _ => {
                let text = std::fs::read_to_string(&self.map)?;
                if self.map.extension().is_some_and(|end| end == "ron") {
                    PursuitLevel::parse(&text)?.initial_map()
                } else {
                    TileMap::parse(&text)?
                }
            }
        })
    }

    fn play(&self, cops: usize, seed: u64) -> Result<Played, Box<dyn std::error::Error>> {
        let mut dice = Dice::new(seed);
        let settings = self.settings();
        let budget = match settings.budget {
            TickBudget::Expansions(budget) => budget.into(),
            TickBudget::Micros(_) => 10_000,
        };
        let scene = Scene {
            map: self.map(&mut dice)?,
            moves: if self.orthogonal {
                Moves::Orthogonal
            } else {
                Moves::Octile
            },
            cops,
            robbers: self.robbers,
            corner: self.corner.then_some(CORNER),
            settings,
        };
        Ok(Game::new(&scene, dice).play(self.turns, budget))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let seeds = args.first_seed..args.first_seed + args.seeds;
    println!("{} turns, seeds {seeds:?}", args.turns);
    println!("cops  captures  of each seed  share a tile  expansions a turn  us a cop and turn");
    for &cops in &args.cops {
        let start = Instant::now();
        let games = seeds.clone().map(|seed| args.play(cops, seed));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let seconds = start.elapsed().as_secs_f64();
        let mean = |value: fn(&Played) -> f64| {
            games.iter().map(value).sum::<f64>() / games.len().max(1) as f64
        };
        let captures: Vec<u32> = games.iter().map(|game| game.captures).collect();
        let turns = args.turns as f64;
        println!(
            "{cops:4}  {:8.1}  {captures:?}  {:5.1} %  {:9.0}  {:6.1}",
            mean(|game| f64::from(game.captures)),
            100.0 * mean(Played::share),
            mean(|game| game.spent as f64) / turns,
            seconds * 1e6 / (turns * args.seeds as f64 * cops as f64),
        );
    }
    Ok(())
}
