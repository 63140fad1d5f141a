//! What the plugin takes when there is a lot to do, and whether everybody keeps to the rules then.
//! `cargo run --release --example stress`
//!
//! 256 pursuits of three cops and a robber on 512 x 512 cells, 16 ticks a turn, five door changes a
//! second, 1 ms a tick. It prints the time of a tick, who decided, how old plans are and how chases
//! end. `-- --table`: 10,000 agents served from one exact table. `-- --door`: how long a chase goes
//! without its table when a door moves, at 64 ticks per second. `-- --solving MAP`: how long frames take while
//! tables of a map are being solved in the background.
//!
//! Ends with an error if anybody breaks a rule or gets no decision, or if a tick is slower than
//! `--limit-ms` says.

#[path = "../common/headless.rs"]
mod headless;
#[path = "../common/referee.rs"]
mod referee;
#[path = "../common/town.rs"]
mod town;

mod crowd;
mod door;
mod report;
mod solving;

use bevy_pursuit::prelude::TickBudget;
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;

/// Many pursuits, much to do.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
struct Args {
    /// 10,000 agents on one map with an exact table.
    #[arg(long)]
    table: bool,
    /// One pursuit, a door, and how soon the exact table is back.
    #[arg(long)]
    door: bool,
    /// Ticks to measure; 64 are a second of play.
    #[arg(long, default_value_t = 2_000)]
    ticks: u64,
    /// What is random depends on it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The budget of a tick in microseconds.
    #[arg(long, default_value_t = 1_000)]
    budget_us: u32,
    /// The budget of a tick in expansions, in place of microseconds: repeatable.
    #[arg(long)]
    budget_expansions: Option<u32>,
    /// How many pursuits, in place of 256 or, with a table, 5,000.
    #[arg(long)]
    pursuits: Option<u32>,
    /// The side of the town, in cells.
    #[arg(long, default_value_t = 512)]
    side: u16,
    /// Cops start so many columns and rows from their robber at most, and robbers that were captured
    /// come back so near.
    #[arg(long, default_value_t = 64)]
    within: u32,
    /// Fail if more than one tick in 1,000 takes longer on a core.
    #[arg(long)]
    limit_ms: Option<f64>,
    /// With `--door`: use a table as soon as it is there, not at a tick that can be told beforehand.
    #[arg(long)]
    when_ready: bool,
    /// Frame times while tables of this map (MovingAI) are being solved one after another.
    #[arg(long)]
    solving: Option<PathBuf>,
    /// With `--solving`: solve none, for comparison.
    #[arg(long)]
    no_tables: bool,
    /// With `--solving`: how many threads solve, 0 for one less than there are cores.
    #[arg(long, default_value_t = 0)]
    threads: u32,
}

impl Args {
    fn budget(&self) -> TickBudget {
        self.budget_expansions
            .map_or(TickBudget::Micros(self.budget_us), TickBudget::Expansions)
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let result = if let Some(map) = &args.solving {
        solving::run(&args, map)
    } else if args.door {
        door::run(&args)
    } else {
        crowd::run(&args)
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
