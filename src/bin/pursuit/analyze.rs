//! `pursuit analyze`: how hard a level is.

use crate::failure::{Failure, describe};
use crate::game::{Game, GameArgs, RulesReport};
use crate::heat_map;
use crate::interrupt::is_interrupted;
use crate::output::{Terminal, grouped, row};
use crate::output_target::{self, OutputTarget};
use crate::progress::Bar;
use bevy_pursuit::eval::{
    AnalysisError, AnalysisProgress, CopNumber, Statistics, Undecided, analyze, cop_number_of_map,
};
use bevy_pursuit::game::{Outcome, Turns};
use bevy_pursuit::graph::{Digraph, dismantle, pitfalls};
use bevy_pursuit::map::Cell;
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Instant;

const NOTES: &str = "\
The cop number assumes cops and a robber of speed 1; all other results use the given number of cops
and the given speeds. Connected components of a map are analyzed one by one, with the cops and the
robber in the same component.

JSON: cop_number is null if it is not known exactly; cop_number_at_least is its known lower bound.
capture_time, search_time and worst_turns are null if the robber escapes.

If a table does not fit into memory, the results that need no table are still printed, and the exit
code is 4. In JSON the fields from positions to histogram are then missing.";

/// Analyze how hard a level is: cop number, capture times, pitfalls
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// A .map file or a level (.level.ron), or - for stdin
    map: PathBuf,

    /// The number of cops
    #[arg(long, value_name = "K", default_value = "1")]
    cops: NonZeroU8,

    #[command(flatten)]
    game: GameArgs,

    /// Draw the longest capture time for each start cell of the robber. A device or a pipe is written
    /// to directly; - is refused, because stdout is for the report
    #[arg(long, value_name = "FILE.png", value_parser = output_target::parser())]
    png: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report {
    vertices: usize,
    components: usize,
    #[serde(flatten)]
    rules: RulesReport,
    cop_number: Option<u8>,
    cop_number_at_least: u8,
    cop_number_note: Option<String>,
    /// The number of pitfalls of the map.
    pitfalls: usize,
    /// The number of vertices deleted by deleting pitfalls until none is left.
    dismantled: usize,
    /// The number of vertices that remain.
    core: usize,
    /// The results that need the table.
    #[serde(flatten)]
    times: Option<Times>,
    seconds: f64,
}

#[derive(Serialize)]
struct Times {
    positions: u64,
    escapes: u64,
    capture_time: Option<u16>,
    longest_turns: u16,
    mean_turns: Option<f64>,
    search_time: Option<u16>,
    search_cops: Vec<JsonCell>,
    /// The longest capture time over all start cells of the robber; `None` if it escapes.
    worst_turns: Option<u16>,
    /// The number of start cells with this capture time, or from which the robber escapes.
    worst_cells: usize,
    histogram: Vec<u64>,
}

#[derive(Serialize)]
struct JsonCell {
    x: u16,
    y: u16,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let target = args.png.as_deref();
    let check = |path| OutputTarget::check(path, std::slice::from_ref(&args.map));
    let target = target.map(check).transpose()?;
    let game = args.game.read(&args.map, args.cops)?;
    let limit = args.game.limits.memory();
    let start = Instant::now();
    let bar = Bar::new(terminal, 1);
    let found = analyze(&game.graph, game.rules, limit, |at| {
        bar.solving(at.solver, "capture times: ")
    });
    // Without the table, all other results are still available.
    let (statistics, unsolved) = match found {
        Ok(statistics) => (Some(statistics), None),
        Err(AnalysisError::Table(error)) => (None, Some(error)),
        Err(AnalysisError::Cancelled) => return Err(Failure::Interrupted),
        Err(error @ AnalysisError::TooLarge { .. }) => {
            return Err(Failure::Memory(error.to_string()).named(&args.map));
        }
        Err(error) => return Err(Failure::Input(format!("{}: {error}", args.map.display()))),
    };
    let cop_number = cop_number_of_map(&game.graph, limit, |at: AnalysisProgress| {
        let (cops, vertices) = (at.cops, at.vertices);
        bar.solving(at.solver, &format!("{cops} cops on {vertices} vertices: "))
    });
    drop(bar);
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    if let (Some(target), Some(statistics)) = (target, &statistics) {
        let (width, height) = (game.graph.width(), game.graph.height());
        target.write(&heat_map::png(width, height, &statistics.by_robber)?)?;
    }
    let mut report = report(&game, cop_number, limit);
    report.times = statistics.as_ref().map(Times::from);
    report.seconds = start.elapsed().as_secs_f64();
    print(&report, cop_number, terminal)?;
    unsolved.map_or(Ok(()), |error| Err(Failure::of_solver(error, limit)))
}

/// The results that need no table.
fn report(game: &Game, cop_number: CopNumber, limit: u64) -> Report {
    let (graph, _) = Digraph::of_map(&game.graph);
    let dismantled = dismantle(&graph);
    let (exact, at_least, note) = match cop_number {
        CopNumber::Exactly(cops) => (Some(cops), cops, None),
        CopNumber::MoreThan(cops) => (None, cops + 1, None),
        CopNumber::AtLeast { cops, because } => {
            let note = match because {
                Undecided::Table(error) => describe(error, limit),
                because => because.to_string(),
            };
            (None, cops, Some(note))
        }
    };
    Report {
        vertices: graph.vertices(),
        components: graph.components().len(),
        rules: game.rules.into(),
        cop_number: exact,
        cop_number_at_least: at_least,
        cop_number_note: note,
        pitfalls: pitfalls(&graph).len(),
        dismantled: dismantled.order.len(),
        core: dismantled.core.len(),
        times: None,
        seconds: 0.0,
    }
}

impl From<&Statistics<Cell>> for Times {
    fn from(statistics: &Statistics<Cell>) -> Self {
        let outcomes = || statistics.by_robber.iter().map(|&(_, outcome)| outcome);
        let worst = outcomes().max();
        let search = statistics.search.as_ref();
        Self {
            positions: statistics.positions,
            escapes: statistics.escapes,
            capture_time: turns(statistics.capture_time()),
            longest_turns: statistics.longest().0,
            mean_turns: statistics.mean(),
            search_time: search.map(|search| search.turns.0),
            search_cops: search.map_or(Vec::new(), |search| {
                let cops = search.cops.iter();
                cops.map(|cop| JsonCell { x: cop.x, y: cop.y }).collect()
            }),
            worst_turns: worst.and_then(turns),
            worst_cells: outcomes().filter(|&outcome| Some(outcome) == worst).count(),
            histogram: statistics.histogram.clone(),
        }
    }
}

const fn turns(outcome: Outcome) -> Option<u16> {
    match outcome {
        Outcome::Caught(Turns(turns)) => Some(turns),
        Outcome::Escapes => None,
    }
}

fn print(report: &Report, cop_number: CopNumber, terminal: Terminal) -> Result<(), Failure> {
    terminal.print(report, |out| {
        row(out, "vertices", grouped(report.vertices as u128))?;
        row(out, "components", grouped(report.components as u128))?;
        match &report.cop_number_note {
            Some(note) => row(out, "cop number", format!("{cop_number} ({note})"))?,
            None => row(out, "cop number", cop_number)?,
        }
        row(out, "pitfalls", grouped(report.pitfalls as u128))?;
        let core = grouped(report.core as u128);
        row(out, "core", format!("{core} vertices"))?;
        if let Some(times) = &report.times {
            times.print(out)?;
        }
        row(out, "time", format!("{:.3} s", report.seconds))
    })
}

impl Times {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let in_turns = |turns: Option<u16>| {
            turns.map_or("inf (the robber escapes)".to_owned(), |turns| {
                format!("{turns} turns")
            })
        };
        let (escapes, all) = (grouped(self.escapes), grouped(self.positions));
        row(out, "escapes", format!("{escapes} of {all} positions"))?;
        row(out, "capture time", in_turns(self.capture_time))?;
        let longest = format!("{} turns", self.longest_turns);
        row(out, "longest capture", longest)?;
        if let Some(mean) = self.mean_turns {
            row(out, "mean capture", format!("{mean:.2} turns"))?;
        }
        row(out, "search time", in_turns(self.search_time))?;
        let cells = self.search_cops.iter();
        let cells: Vec<String> = cells
            .map(|cell| format!("({}, {})", cell.x, cell.y))
            .collect();
        if !cells.is_empty() {
            row(out, "best cop positions", cells.join(" "))?;
        }
        let (worst, cells) = (
            in_turns(self.worst_turns),
            grouped(self.worst_cells as u128),
        );
        let best = format!("{worst}, from {cells} cells");
        row(out, "best robber positions", best)
    }
}
