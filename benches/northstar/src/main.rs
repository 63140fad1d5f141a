//! The same chases played by `bevy_pursuit` and by `bevy_northstar`, one after the other in one process.
//!
//! ```text
//! cargo run --release --manifest-path benches/northstar/Cargo.toml -- --pursuits 256 --ticks 4000
//! ```
//!
//! **Scene.** Pursuits of three cops (`--cops`) and a robber in one town of streets, houses and doors. Diagonal
//! steps need all four cells of their square (`NoCornerCutting` there, `Moves::Octile` here). Every
//! agent walks one cell per turn of 16 ticks, at 64 ticks per second. Five doors per second open or
//! close near some robber, but never on an agent. After a capture, the pursuit restarts elsewhere
//! with the next turn, so that the load stays the same.
//!
//! **Robbers** are the same for both: the referee plans them each turn with `DATrailMax` of
//! bevy_pursuit, outside the timed part. They know the steps of the cops in that turn, as in the rules
//! of the game. So only chasing is compared. (`--robbers` adds a run in which bevy_pursuit also plays
//! the robbers, timed.)
//!
//! **Cops** are played by one plugin or the other. Both must answer at the start of each turn, and
//! both may compute in all ticks before: the position of every agent at the end of a turn is known
//! when the turn begins.
//!
//! **Tick time** is the wall time of one run of the schedule `Update` with the systems of the plugin
//! (`NorthstarPlugin` always runs there). For bevy_northstar it includes the systems that a game needs:
//! door changes with `Grid::build`, moving agents, requesting paths. All runs are single-threaded:
//! neither Bevy nor the plugins are built with their multi-threading features, but `--features
//! parallel` builds grids and tables on all cores. Times exclude the first ticks (`--warm-up`);
//! captures include them.

mod by_northstar;
mod by_pursuit;
mod chaser;
mod referee;
mod report;
mod stopwatch;
#[path = "../../../crates/testkit/src/town.rs"]
mod town;

use bevy_northstar::prelude::PathfindMode;
use bevy_pursuit::prelude::Tactics;
use by_northstar::ByNorthstar;
use by_pursuit::ByPursuit;
use chaser::Chaser;
use clap::{Parser, ValueEnum};
use referee::Referee;
use report::Report;
use std::time::{Duration, Instant};
use town::Town;

#[derive(Parser)]
#[command(
    about = "The same chases played by bevy_pursuit and by bevy_northstar, measured side by side"
)]
struct Args {
    /// The number of pursuits, each of some cops and a robber
    #[arg(long, default_value_t = 256, value_parser = at_least_one)]
    pursuits: usize,
    /// The number of cops in each pursuit
    #[arg(long, default_value_t = 3, value_parser = at_least_one)]
    cops: usize,
    /// The number of timed ticks, 64 per second
    #[arg(long, default_value_t = 4000)]
    ticks: u64,
    /// The number of ticks before the timed ones
    #[arg(long, default_value_t = 160)]
    warm_up: u64,
    /// The side of the town in cells
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u16).range(64..=4096))]
    side: u16,
    /// The number of doors that open or close per second
    #[arg(long, default_value_t = 5)]
    doors: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of turns after which a cop of bevy_northstar requests a new path; one run for each
    #[arg(long, value_delimiter = ',', default_value = "1,4")]
    repath: Vec<u64>,
    /// The path finding modes of bevy_northstar; one run for each
    #[arg(long, value_delimiter = ',', default_value = "refined")]
    modes: Vec<Mode>,
    /// Run only one of the two plugins
    #[arg(long)]
    only: Option<Only>,
    /// The budget of bevy_pursuit, in microseconds a tick
    #[arg(long, default_value_t = 1000)]
    budget: u32,
    /// Add a run in which bevy_pursuit also plays the robbers
    #[arg(long)]
    robbers: bool,
    /// Add a run of bevy_pursuit in which all cops go straight for the robber
    #[arg(long)]
    chase: bool,
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
         after {6} ticks of warm-up; {7} door changes per second; seed {8}\n",
        args.side,
        floor.count(),
        town.doors.len(),
        args.pursuits,
        args.cops,
        args.ticks,
        args.warm_up,
        args.doors,
        args.seed
    );
    let mut chasers: Vec<Box<dyn Chaser>> = Vec::new();
    if args.only != Some(Only::Northstar) {
        let by_pursuit = |tactics, robbers| Box::new(ByPursuit::new(args.budget, tactics, robbers));
        chasers.push(by_pursuit(Tactics::Intercept, false));
        if args.chase {
            chasers.push(by_pursuit(Tactics::Chase, false));
        }
        if args.robbers {
            chasers.push(by_pursuit(Tactics::Intercept, true));
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
    let mut shares = Vec::new();
    for chaser in &mut chasers {
        let report = run(chaser.as_mut(), &town, &args);
        println!("{report}");
        shares.push(report.shares(args.warm_up + args.ticks));
    }
    println!("\n{}", report::SHARES_HEAD);
    for row in shares {
        println!("{row}");
    }
}

/// Plays the whole scene with one chaser.
fn run(chaser: &mut dyn Chaser, town: &Town, args: &Args) -> Report {
    let mut referee = Referee::new(town, (args.pursuits, args.cops), args.doors, args.seed);
    let places: Vec<_> = (0..referee.pursuits()).map(|p| referee.places(p)).collect();
    let mut app = stopwatch::app();
    let started = Instant::now();
    chaser.set_up(&mut app, &town.map, &places);
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
