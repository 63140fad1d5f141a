//! The cost of the plugin under heavy load, with a check of all rules.
//!
//! `cargo run --release -p pursuit_trials --example stress`: 256 pursuits of three cops and a robber on 512 x 512 cells,
//! 16 ticks per turn, five door changes per second, a budget of 1 ms per tick. Prints tick times, the
//! sources of decisions, the age of plans and the outcome of the chases.
//!
//! - `-- --together`: the same agents in one pursuit. `--free-running` and `--sight` change the rules.
//! - `-- --table`: 10,000 agents that play from one exact table.
//! - `-- --door`: how long a chase has no table after a door moves, at 64 ticks per second.
//! - `-- --solving MAP`: frame times while tables of a map are solved in the background.
//!
//! Fails if an agent breaks a rule or receives no decision, or if ticks are slower than `--limit-ms`.

mod crowd;
mod door;
mod report;
mod solving;

use bevy_pursuit::prelude::TickBudget;
use clap::Parser;
use pursuit_testkit::referee;
use pursuit_testkit::town;
use pursuit_trials::headless;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures the plugin under heavy load.
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
struct Args {
    /// Run 10,000 agents on one map with an exact table.
    #[arg(long)]
    table: bool,
    /// Run one pursuit and measure how soon its exact table is replaced after a door has moved.
    #[arg(long)]
    door: bool,
    /// The number of ticks to measure, 64 per second of play.
    #[arg(long, default_value_t = 2_000)]
    ticks: u64,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The budget of a tick in microseconds.
    #[arg(long, default_value_t = 1_000)]
    budget_us: u32,
    /// The budget of a tick in expansions instead of microseconds, for reproducible runs.
    #[arg(long)]
    budget_expansions: Option<u32>,
    /// The number of pursuits [default: 256, with --table 5,000].
    #[arg(long)]
    pursuits: Option<u32>,
    /// All agents take part in one pursuit, in which each cop chooses its robber.
    #[arg(long)]
    together: bool,
    /// Each agent has its own time per step, instead of turns.
    #[arg(long)]
    free_running: bool,
    /// How many columns and rows on each side agents see [default: everything].
    #[arg(long)]
    sight: Option<u16>,
    /// The side of the town, in cells.
    #[arg(long, default_value_t = 512)]
    side: u16,
    /// The maximum distance, in columns and rows, between a robber and the start positions of its cops,
    /// and between a captured robber and its new position.
    #[arg(long, default_value_t = 64)]
    within: u32,
    /// Fail if more than one tick in 1,000 takes longer than this, excluding time waiting for a core.
    #[arg(long)]
    limit_ms: Option<f64>,
    /// With `--door`: use a table as soon as it is ready, instead of at a predictable tick.
    #[arg(long)]
    when_ready: bool,
    /// Measure frame times while tables of this map (MovingAI) are solved one after another.
    #[arg(long)]
    solving: Option<PathBuf>,
    /// With `--solving`: solve no tables, for comparison.
    #[arg(long)]
    no_tables: bool,
    /// With `--solving`: the number of solver threads, 0 for one less than the number of cores.
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
