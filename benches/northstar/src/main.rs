//! The same chases by `bevy_pursuit` and by `bevy_northstar`, in one process, one after the other.
//!
//! ```text
//! cargo run --release --manifest-path benches/northstar/Cargo.toml -- --pursuits 256 --ticks 4000
//! ```
//!
//! **The scene.** Pursuits of three cops and a robber on one town of streets, houses and doors; octile
//! steps that need all four cells at a corner (`NoCornerCutting` there, `Moves::Octile` here); every
//! agent goes one cell in a turn of 16 ticks, 64 ticks a second. Five doors a second open or close
//! near some robber, but never on somebody. Where a robber is captured, its pursuit begins anew
//! somewhere else with the next turn, so that the load stays the same.
//!
//! **The robbers** are the same for both: `DATrailMax` of bevy_pursuit's core, planned anew each turn
//! by the referee, outside the timed part, with the cops' steps of that turn known, as the rules of
//! the game have it. So only chasing is compared. (`--robbers` adds a run in which bevy_pursuit plays
//! the robbers as well, timed.)
//!
//! **The cops** are the one plugin's or the other's. Both are asked at the start of each turn, and
//! both may think in all ticks before it: where everybody will be at the end of a turn is known
//! when it begins.
//!
//! **A tick's time** is the wall time of one run of the schedule `Update` with the plugin's systems in
//! it (where `NorthstarPlugin` always is) and, for bevy_northstar, those that a game needs for it:
//! door changes with `Grid::build`, moving agents, asking for paths. One thread: neither this bench's
//! Bevy nor either plugin is built with its features for several, unless `--features parallel`
//! builds grids and tables on all cores. The first ticks (`--warm-up`) are not in the times, but
//! their captures count.

mod by_northstar;
mod by_pursuit;
mod chaser;
mod referee;
mod report;
mod stopwatch;
#[path = "../../../examples/common/town.rs"]
mod town;

use bevy_northstar::prelude::PathfindMode;
use by_northstar::ByNorthstar;
use by_pursuit::ByPursuit;
use chaser::Chaser;
use clap::{Parser, ValueEnum};
use referee::Referee;
use report::Report;
use std::time::{Duration, Instant};
use town::Town;

#[derive(Parser)]
#[command(about = "The same chases by bevy_pursuit and by bevy_northstar, measured side by side")]
struct Args {
    /// Pursuits of three cops and a robber
    #[arg(long, default_value_t = 256, value_parser = at_least_one)]
    pursuits: usize,
    /// Ticks that are timed, 64 a second
    #[arg(long, default_value_t = 4000)]
    ticks: u64,
    /// Ticks before those
    #[arg(long, default_value_t = 160)]
    warm_up: u64,
    /// Cells a side of the town
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u16).range(64..=4096))]
    side: u16,
    /// Doors that open or close in a second
    #[arg(long, default_value_t = 5)]
    doors: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Turns after which a cop of bevy_northstar asks for a new path; a run for each
    #[arg(long, value_delimiter = ',', default_value = "1,4")]
    repath: Vec<u64>,
    /// How bevy_northstar finds paths; a run for each
    #[arg(long, value_delimiter = ',', default_value = "refined")]
    modes: Vec<Mode>,
    /// Only one of the two
    #[arg(long)]
    only: Option<Only>,
    /// One more run in which bevy_pursuit plays the robbers as well
    #[arg(long)]
    robbers: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    Refined,
    Coarse,
    AStar,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    Pursuit,
    Northstar,
}

impl From<Mode> for PathfindMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Refined => Self::Refined,
            Mode::Coarse => Self::Coarse,
            Mode::AStar => Self::AStar,
        }
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}

fn main() {
    let args = Args::parse();
    let town = town::town(args.side, args.side, args.seed);
    let floor = town.map.cells().filter(|&cell| town.map.is_passable(cell));
    println!(
        "{0} x {0} cells, {1} of them floor, {2} doors; {3} pursuits of {4} cops and a robber; {5} ticks \
         after {6} to warm up; {7} doors a second; seed {8}\n",
        args.side,
        floor.count(),
        town.doors.len(),
        args.pursuits,
        referee::COPS,
        args.ticks,
        args.warm_up,
        args.doors,
        args.seed
    );
    let mut chasers: Vec<Box<dyn Chaser>> = Vec::new();
    if args.only != Some(Only::Northstar) {
        chasers.push(Box::new(ByPursuit::with_robbers(false)));
        if args.robbers {
            chasers.push(Box::new(ByPursuit::with_robbers(true)));
        }
    }
    if args.only != Some(Only::Pursuit) {
        for &mode in &args.modes {
            for &repath in &args.repath {
                chasers.push(Box::new(ByNorthstar::new(mode.into(), repath)));
            }
        }
    }
    println!("{}", Report::HEAD);
    for chaser in &mut chasers {
        println!("{}", run(chaser.as_mut(), &town, &args));
    }
}

/// The whole scene with one chaser.
fn run(chaser: &mut dyn Chaser, town: &Town, args: &Args) -> Report {
    let mut referee = Referee::new(town, args.pursuits, args.doors, args.seed);
    let places: Vec<_> = (0..referee.pursuits()).map(|p| referee.places(p)).collect();
    let mut app = stopwatch::app();
    let started = Instant::now();
    chaser.set_up(&mut app, &town.map, &places);
    app.finish();
    app.cleanup();
    let set_up = started.elapsed();

    let mut times: Vec<Duration> = Vec::new();
    let mut door_times: Vec<Duration> = Vec::new();
    for tick in 0..args.warm_up + args.ticks {
        let edits = referee.doors(tick);
        chaser.swing(app.world_mut(), &edits);
        let beginning = |chaser: &dyn Chaser| -> Vec<usize> {
            let pursuits = 0..args.pursuits;
            pursuits.filter(|&p| chaser.turn_begins(tick, p)).collect()
        };
        let beginning = beginning(chaser);
        for &pursuit in &beginning {
            let at = referee.places(pursuit).robber;
            chaser.robber_arrives(app.world_mut(), pursuit, at);
        }

        let time = stopwatch::tick(&mut app);

        for &pursuit in &beginning {
            let steps = chaser.steps(app.world_mut(), pursuit);
            let ruling = referee.turn(tick, pursuit, &steps);
            chaser.follow(app.world_mut(), pursuit, &ruling);
        }
        if tick >= args.warm_up {
            times.push(time);
            if !edits.is_empty() {
                door_times.push(time);
            }
        }
    }
    let remarks = chaser.remarks(app.world());
    Report {
        label: chaser.label(),
        set_up,
        times,
        door_times,
        tally: referee.tally,
        remarks,
    }
}
