//! `pursuit predator-prey`: the predator-prey game of Cazenave.

use crate::failure::Failure;
use crate::machine::Limits;
use crate::output::Terminal;
use crate::progress::Bar;
use bevy_pursuit::table::PredatorPrey;
use serde::Serialize;
use std::io::Write as _;
use std::num::NonZeroU8;
use std::time::Instant;

/// Count the positions of each depth of the predator-prey game
///
/// Three predators, which may not share a cell, and a prey move by straight steps on an empty board
/// (T. Cazenave, "Multi-Agent Retrograde Analysis", table 1).
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The side of the board, in cells
    #[arg(long, value_name = "N")]
    size: NonZeroU8,

    #[command(flatten)]
    limits: Limits,
}

#[derive(Serialize)]
struct Report {
    size: u8,
    depths: Vec<Depth>,
    /// Positions from which the prey is never captured.
    escapes: u64,
    total: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Depth {
    depth: usize,
    count: u64,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    args.limits.threads.set()?;
    let start = Instant::now();
    let limit = args.limits.memory();
    let game = PredatorPrey::new(args.size, limit);
    let mut game = game.map_err(|error| Failure::of_solver(error, limit))?;
    let bar = Bar::new(terminal, game.progress().positions);
    game.run(|progress| bar.solving(progress, ""));
    drop(bar);
    let found = game.finish().ok_or(Failure::Interrupted)?;
    let seconds = start.elapsed().as_secs_f64();
    let counts = found.histogram.iter().enumerate();
    let report = Report {
        size: args.size.get(),
        depths: counts
            .map(|(depth, &count)| Depth { depth, count })
            .collect(),
        escapes: found.escapes(),
        total: found.positions,
        seconds,
    };
    terminal.print(&report, |out| {
        for Depth { depth, count } in &report.depths {
            writeln!(out, "{depth} {count}")?;
        }
        if report.escapes > 0 {
            writeln!(out, "inf {}", report.escapes)?;
        }
        writeln!(out, "total {}", report.total)?;
        writeln!(out, "seconds {seconds:.3}")
    })
}
