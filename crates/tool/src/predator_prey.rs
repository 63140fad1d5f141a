//! `pursuit predator-prey`: the predator-prey game of Cazenave.

use crate::failure::Failure;
use crate::machine::Limits;
use crate::output::Terminal;
use crate::progress::Bar;
use pursuit_engine::solve::PositionError;
use pursuit_lab::predator_prey::PredatorPrey;
use pursuit_lab::predator_prey::PredatorPreySearch;
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

    /// Search one position, too, by iterative deepening: the prey in an upper corner, two predators in the
    /// other one and one below them. Prints the time of each depth beside that of the paper's table 3
    /// (7 x 7 cells, 1.9 GHz)
    #[arg(long)]
    search: bool,

    #[command(flatten)]
    limits: Limits,
}

/// Cumulative seconds of each depth from 1 for 7 x 7 cells, as in the paper's table 3.
const PAPER_SECONDS: [f64; 12] = [
    0.006_094,
    0.006_181,
    0.007_001,
    0.013_914,
    0.046_882,
    0.162_278,
    0.492_648,
    1.453_308,
    4.410_059,
    12.724_911,
    91.924_769,
    164.675_883,
];
/// The board of that table.
const PAPER_SIZE: u8 = 7;

#[derive(Serialize)]
struct SearchReport {
    depth: u8,
    /// Positions whose moves were generated, all depths so far.
    expansions: u64,
    /// All depths so far.
    seconds: f64,
    paper_seconds: Option<f64>,
}

#[derive(Serialize)]
struct Report {
    size: u8,
    depths: Vec<Depth>,
    /// Positions from which the prey is never captured.
    escapes: u64,
    total: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Vec<SearchReport>>,
}

#[derive(Serialize)]
struct Depth {
    depth: usize,
    count: u64,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    args.limits.threads.set()?;
    let limit = args.limits.memory();
    let search = args.search.then(|| search(args.size, limit, terminal));
    let search = search.transpose()?;
    let start = Instant::now();
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
        search,
    };
    terminal.print(&report, |out| {
        for Depth { depth, count } in &report.depths {
            writeln!(out, "{depth} {count}")?;
        }
        if report.escapes > 0 {
            writeln!(out, "inf {}", report.escapes)?;
        }
        writeln!(out, "total {}", report.total)?;
        writeln!(out, "seconds {seconds:.3}")?;
        for row in report.search.iter().flatten() {
            let SearchReport { depth, seconds, .. } = row;
            write!(out, "search {depth} {seconds:.6}")?;
            match row.paper_seconds {
                Some(paper) => writeln!(out, " {paper:.6}")?,
                None => writeln!(out)?,
            }
        }
        Ok(())
    })
}

/// Searches the paper's position depth by depth until it is solved.
fn search(size: NonZeroU8, limit: u64, terminal: Terminal) -> Result<Vec<SearchReport>, Failure> {
    let start = Instant::now();
    let search = PredatorPreySearch::of_paper(size, limit);
    let mut search = search.map_err(|error| match error {
        PositionError::TooLarge { .. } => Failure::Memory(error.to_string()),
        _ => Failure::Usage(error.to_string()),
    })?;
    let bar = Bar::new(terminal, 0);
    let mut rows = Vec::new();
    while search.solved().is_none() {
        let message = format!("search to depth {}", search.depth() + 1);
        let searched = search.deepen(|done| bar.update(done, done, message.clone()));
        searched.ok_or(Failure::Interrupted)?;
        let depth = search.depth();
        let paper = PAPER_SECONDS.get(usize::from(depth) - 1).copied();
        rows.push(SearchReport {
            depth,
            expansions: search.expansions(),
            seconds: start.elapsed().as_secs_f64(),
            paper_seconds: paper.filter(|_| size.get() == PAPER_SIZE),
        });
    }
    Ok(rows)
}
