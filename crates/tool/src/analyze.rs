//! `pursuit analyze`: how hard a level is.

use crate::failure::{Failure, describe};
use crate::game::{AnyGame, GameArgs, RulesReport};
use crate::ground::{AnyGraph, arena_of};
use crate::heat_map;
use crate::input::{is_graph_file, read_any_level};
use crate::interrupt::is_interrupted;
use crate::output::{Terminal, grouped, row, row_of_longer};
use crate::output_target::{self, OutputTarget};
use crate::progress::Bar;
use pursuit_engine::game::{Outcome, Turns};
use pursuit_engine::graph::{Digraph, Vertex};
use pursuit_engine::map::{Cell, PursuitLevel};
use pursuit_engine::table::SolveError;
use pursuit_lab::eval::{
    AnalysisError, AnalysisProgress, CopNumber, Statistics, Undecided, analyze, analyze_graph,
    cop_number, cop_number_of_arena, cop_number_of_map,
};
use pursuit_lab::graph::{dismantle, pitfalls};
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

const NOTES: &str = "\
Of a level with exits, kinds of agents, or tiles for one side, only the cop number is found: the robber may
start anywhere but on an exit.

The cop number assumes cops and a robber of speed 1; all other results use the given number of cops
and the given speeds. Connected components of a map are analyzed one by one, with the cops and the
robber in the same component.

JSON: cop_number is null if it is not known exactly; cop_number_at_least is its known lower bound.
pitfalls, dismantled and core are null if some edges lead one way only.
capture_time, search_time and worst_turns are null if the robber escapes. may_take_longer says whether escapes may be
captures of more than 65,534 turns, which a table does not hold. On a graph, search_cops are numbers of vertices.

If a table does not fit into memory, the results that need no table are still printed, and the exit
code is 4. In JSON the fields from positions to histogram are then missing.";

/// Analyze how hard a level is: cop number, capture times, pitfalls
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// A .map file, a level (.level.ron) or a graph (.edges, .g6), or - for a map from stdin
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
    /// The number of pitfalls of the map; like the next two, `None` if some edges lead one way only.
    pitfalls: Option<usize>,
    /// The number of vertices deleted by deleting pitfalls until none is left.
    dismantled: Option<usize>,
    /// The number of vertices that remain.
    core: Option<usize>,
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
    may_take_longer: bool,
    search_cops: Vec<JsonPlace>,
    /// The longest capture time over all start cells of the robber; `None` if it escapes.
    worst_turns: Option<u16>,
    /// The number of start cells with this capture time, or from which the robber escapes.
    worst_cells: usize,
    histogram: Vec<u64>,
}

/// A cell of a map, or a vertex of a graph.
#[derive(Serialize)]
#[serde(untagged)]
enum JsonPlace {
    Cell { x: u16, y: u16 },
    Vertex(usize),
}

impl From<Cell> for JsonPlace {
    fn from(Cell { x, y }: Cell) -> Self {
        Self::Cell { x, y }
    }
}

impl From<Vertex> for JsonPlace {
    fn from(vertex: Vertex) -> Self {
        Self::Vertex(vertex.index())
    }
}

impl fmt::Display for JsonPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell { x, y } => write!(f, "({x}, {y})"),
            Self::Vertex(number) => write!(f, "{number}"),
        }
    }
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let target = args.png.as_deref();
    let check = |path| OutputTarget::check(path, std::slice::from_ref(&args.map));
    let target = target.map(check).transpose()?;
    if let Some(level) = level_of_sides(&args.map)? {
        return print_sides(args, &level, terminal);
    }
    let game = args.game.read_any(&args.map, args.cops)?;
    if target.is_some() {
        game.expect_map(&args.map, "--png")?;
    }
    let limit = args.game.limits.memory();
    let start = Instant::now();
    let bar = Bar::new(terminal, 1);
    let go_on = |at: AnalysisProgress| bar.solving(at.solver, "capture times: ");
    let number_on = |at: AnalysisProgress| {
        let (cops, vertices) = (at.cops, at.vertices);
        bar.solving(at.solver, &format!("{cops} cops on {vertices} vertices: "))
    };
    let (times, unsolved, cop_number) = match &game.graph {
        AnyGraph::Map(graph) => {
            let found = analyze(graph, game.rules, limit, go_on);
            let (statistics, unsolved) = unless_unsolved(found, &args.map)?;
            let cop_number = cop_number_of_map(graph, limit, number_on);
            if let (Some(target), Some(found)) = (target, &statistics)
                && !is_interrupted()
            {
                let (width, height) = (graph.width(), graph.height());
                target.write(&heat_map::png(width, height, &found.by_robber)?)?;
            }
            (statistics.as_ref().map(Times::of), unsolved, cop_number)
        }
        AnyGraph::Edges(graph) => {
            let found = analyze_graph(graph, game.rules, limit, go_on);
            let (statistics, unsolved) = unless_unsolved(found, &args.map)?;
            let number = cop_number(graph, limit, number_on);
            (statistics.as_ref().map(Times::of), unsolved, number)
        }
    };
    drop(bar);
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    let mut report = report(&game, cop_number, limit);
    report.times = times;
    report.seconds = start.elapsed().as_secs_f64();
    print(&report, cop_number, terminal)?;
    unsolved.map_or(Ok(()), |error| Err(Failure::of_solver(error, limit)))
}

/// The level of a file, if it treats the two sides differently. (A level from stdin can be read only once.)
fn level_of_sides(map: &Path) -> Result<Option<PursuitLevel>, Failure> {
    if is_graph_file(map) || map == Path::new("-") {
        return Ok(None);
    }
    let level = read_any_level(map)?;
    Ok(Some(level).filter(|level| !level.is_alike_for_both_sides()))
}

/// What is known of a level that treats the two sides differently.
#[derive(Serialize)]
struct SidesReport {
    vertices: usize,
    exits: usize,
    cop_number: Option<u8>,
    cop_number_at_least: u8,
    cop_number_note: Option<String>,
    seconds: f64,
}

fn print_sides(args: &Args, level: &PursuitLevel, terminal: Terminal) -> Result<(), Failure> {
    if args.png.is_some() {
        let text = "expected no --png for a level with exits or tiles for one side";
        return Err(Failure::Usage(text.to_owned()));
    }
    args.game.limits.threads.set()?;
    let (limit, start) = (args.game.limits.memory(), Instant::now());
    let moves = args.game.moves_on(level);
    let arena = arena_of(level, moves);
    let arena =
        arena.map_err(|error| Failure::Input(format!("{}: {error}", args.map.display())))?;
    let arena = Arc::new(arena);
    let bar = Bar::new(terminal, 1);
    let number = cop_number_of_arena(&arena, moves, limit, |at| {
        bar.solving(at.solver, &format!("{} cops: ", at.cops))
    });
    drop(bar);
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    let (exact, at_least, note) = parts_of(number, limit);
    let report = SidesReport {
        vertices: arena.places(),
        exits: arena.exits().count(),
        cop_number: exact,
        cop_number_at_least: at_least,
        cop_number_note: note,
        seconds: start.elapsed().as_secs_f64(),
    };
    terminal.print(&report, |out| {
        row(out, "vertices", grouped(report.vertices as u128))?;
        row(out, "exits", grouped(report.exits as u128))?;
        match &report.cop_number_note {
            Some(note) => row(out, "cop number", format!("{number} ({note})"))?,
            None => row(out, "cop number", number)?,
        }
        row(out, "time", format!("{:.3} s", report.seconds))
    })
}

/// A cop number if it is known exactly, its lower bound, and why it is not known.
fn parts_of(number: CopNumber, limit: u64) -> (Option<u8>, u8, Option<String>) {
    match number {
        CopNumber::Exactly(cops) => (Some(cops), cops, None),
        CopNumber::MoreThan(cops) => (None, cops + 1, None),
        CopNumber::AtLeast { cops, because } => {
            let note = match because {
                Undecided::Table(error) => describe(error, limit),
                because => because.to_string(),
            };
            (None, cops, Some(note))
        }
    }
}

/// The statistics, or why there is no table: without it, all other results are still available.
fn unless_unsolved<V>(
    found: Result<Statistics<V>, AnalysisError>,
    map: &Path,
) -> Result<(Option<Statistics<V>>, Option<SolveError>), Failure> {
    match found {
        Ok(statistics) => Ok((Some(statistics), None)),
        Err(AnalysisError::Table(error)) => Ok((None, Some(error))),
        Err(AnalysisError::Cancelled) => Err(Failure::Interrupted),
        Err(error @ AnalysisError::TooLarge { .. }) => {
            Err(Failure::Memory(error.to_string()).named(map))
        }
        Err(error) => Err(Failure::Input(format!("{}: {error}", map.display()))),
    }
}

/// The results that need no table.
fn report(game: &AnyGame, cop_number: CopNumber, limit: u64) -> Report {
    let of_map;
    let graph = match &game.graph {
        AnyGraph::Map(graph) => {
            of_map = Digraph::of_map(graph).0;
            &of_map
        }
        AnyGraph::Edges(graph) => graph,
    };
    // Pitfalls are those of undirected graphs.
    let undirected = Some(graph).filter(|graph| graph.is_symmetric());
    let dismantled = undirected.map(dismantle);
    let (exact, at_least, note) = parts_of(cop_number, limit);
    Report {
        vertices: graph.vertices(),
        components: graph.components().len(),
        rules: game.report(),
        cop_number: exact,
        cop_number_at_least: at_least,
        cop_number_note: note,
        pitfalls: undirected.map(|graph| pitfalls(graph).len()),
        dismantled: dismantled.as_ref().map(|found| found.order.len()),
        core: dismantled.as_ref().map(|found| found.core.len()),
        times: None,
        seconds: 0.0,
    }
}

impl Times {
    fn of<V: Copy>(statistics: &Statistics<V>) -> Self
    where
        JsonPlace: From<V>,
    {
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
            may_take_longer: statistics.may_take_longer(),
            search_cops: search.map_or(Vec::new(), |search| {
                let cops = search.cops.iter();
                cops.map(|&cop| JsonPlace::from(cop)).collect()
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
        Outcome::Escapes | Outcome::Away(_) => None,
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
        if let (Some(pitfalls), Some(core)) = (report.pitfalls, report.core) {
            row(out, "pitfalls", grouped(pitfalls as u128))?;
            row(out, "core", format!("{} vertices", grouped(core as u128)))?;
        }
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
        row_of_longer(out, self.may_take_longer)?;
        row(out, "capture time", in_turns(self.capture_time))?;
        let longest = format!("{} turns", self.longest_turns);
        row(out, "longest capture", longest)?;
        if let Some(mean) = self.mean_turns {
            row(out, "mean capture", format!("{mean:.2} turns"))?;
        }
        row(out, "search time", in_turns(self.search_time))?;
        let cells = self.search_cops.iter();
        let cells: Vec<String> = cells.map(ToString::to_string).collect();
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
