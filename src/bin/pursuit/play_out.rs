//! `pursuit play-out`: the value of one position and an optimal line of play.

use crate::failure::Failure;
use crate::game::GameArgs;
use crate::input::cell;
use crate::line_picture;
use crate::output::{Terminal, grouped, megabytes, row};
use crate::output_target::{self, OutputTarget};
use crate::play_out_lengths;
use crate::play_out_list::{self, List};
use crate::single::{Answer, Limit, Single, SolverName};
use crate::starts::{expect_one_stdin, inputs, name, positions_of};
use crate::work_chart;
use bevy_pursuit::game::Outcome;
use bevy_pursuit::graph::{Graph, Vertex};
use bevy_pursuit::map::Cell;
use clap::ArgGroup;
use serde::Serialize;
use std::io::{self, Write};
use std::num::{NonZeroU8, NonZeroU16, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Solve one position exactly, without a table of the map: its value and an optimal line of play
///
/// The value is the number of cop moves until capture with the cops to move, or inf if the robber escapes. If
/// a limit of time or memory stops the solver early, the bounds proven so far are printed. This is not a failure.
///
/// With --positions, all positions of a file are solved, each within the limits. They are printed as
/// comma-separated values with the work for each position. With --by-turns, the mean work of each method is
/// printed for all positions of about the same number of turns.
///
/// The JSON output has turns (null if the robber escapes), or lower and upper (null if no capture is proven). The
/// line of play is a list with the cells of the cops and of the robber after each turn. With --by-turns it is a
/// list with one object per group and method. The group is turns with its limits from and to, escapes, or unknown if
/// no method found the value. Means are over the positions that the method solved, null if there are none.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("what").required(true).args(["robber", "positions"]))]
pub struct Args {
    /// A .map file or a level (.level.ron), or - for stdin; several with --by-turns
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,

    /// The position of the robber
    #[arg(long, value_name = "X,Y", value_parser = cell, requires = "cop")]
    robber: Option<Cell>,

    /// The position of a cop; repeat for each cop
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    cop: Vec<Cell>,

    /// Solve all positions of a file with the columns `robber_x,robber_y,cop1_x,cop1_y[,cop2_x,cop2_y...]`,
    /// or - for stdin; or of a folder with a file NAME.csv for each map NAME.map. May be repeated for several maps
    #[arg(long, value_name = "FILE.csv|FOLDER", conflicts_with_all = ["cop", "picture"])]
    positions: Vec<PathBuf>,

    /// Solve only the first positions of each file
    #[arg(long, value_name = "N", conflicts_with = "robber")]
    limit: Option<NonZeroUsize>,

    /// The method; several with --by-turns, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "rma")]
    solver: Vec<SolverName>,

    /// Print the mean work by the number of turns, in groups of so many turns [default: 1]
    #[arg(
        long,
        value_name = "WIDTH",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1",
        conflicts_with = "robber"
    )]
    by_turns: Option<NonZeroU16>,

    /// Draw a chart of the mean work by the number of turns, with a line for each method. A device or a pipe is
    /// written to directly; - is refused, because stdout is for the report
    #[arg(
        long,
        value_name = "FILE.svg",
        value_parser = output_target::parser(),
        requires = "by_turns",
        conflicts_with = "robber"
    )]
    chart: Option<PathBuf>,

    #[command(flatten)]
    game: GameArgs,

    /// Stop after this time in seconds for each position and method [default: never]
    #[arg(long, value_name = "T", value_parser = seconds)]
    limit_seconds: Option<Duration>,

    /// Draw the line of play on the map, as a PNG file
    #[arg(long, value_name = "FILE", value_parser = output_target::parser())]
    picture: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit.ok_or_else(|| "expected a number of seconds above 0".into())
}

/// The value if it is proven, otherwise its bounds.
#[derive(Serialize, Debug, Clone, Copy)]
#[serde(untagged)]
pub enum ValueReport {
    Exact {
        turns: Option<u16>,
    },
    Bounds {
        lower: Option<u16>,
        upper: Option<u16>,
    },
}

/// The cells of all agents after a turn.
#[derive(Serialize)]
struct TurnReport {
    cops: Vec<(u16, u16)>,
    robber: (u16, u16),
}

#[derive(Serialize)]
struct Report {
    solver: SolverName,
    vertices: usize,
    #[serde(flatten)]
    value: ValueReport,
    line: Vec<TurnReport>,
    expansions: u64,
    touched: u64,
    bytes: u64,
    seconds: f64,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let limit = Limit {
        memory: args.game.limits.memory(),
        time: args.limit_seconds,
    };
    expect_one_stdin(&args.maps, &args.positions)?;
    if let Some(width) = args.by_turns {
        return run_by_turns(args, width, limit, terminal);
    }
    let map = only(&args.maps, "map")?;
    let &solver = only(&args.solver, "method")?;
    if args.positions.is_empty() {
        return run_single(args, map, solver, limit, terminal);
    }
    args.game.limits.threads.set()?;
    let list = read_list(args, map)?;
    play_out_list::run(&list, solver, limit, terminal)
}

/// The only one of a list.
fn only<'a, T>(list: &'a [T], what: &str) -> Result<&'a T, Failure> {
    if let [one] = list {
        return Ok(one);
    }
    let found = list.len();
    let text = format!("expected one {what} without --by-turns, found {found}");
    Err(Failure::Usage(text))
}

fn read_list(args: &Args, map: &Path) -> Result<List, Failure> {
    let positions = positions_of(&args.positions, args.maps.len(), &name(map))?;
    List::read(map, &positions, &args.game, args.limit)
}

fn run_by_turns(
    args: &Args,
    width: NonZeroU16,
    limit: Limit,
    terminal: Terminal,
) -> Result<(), Failure> {
    for (index, &solver) in args.solver.iter().enumerate() {
        if args.solver[..index].contains(&solver) {
            let name = solver.name();
            let text = format!("--solver: expected each method once, found {name} again");
            return Err(Failure::Usage(text));
        }
    }
    let check = |path| OutputTarget::check(path, &inputs(&args.maps, &args.positions)?);
    let target = args.chart.as_deref().map(check).transpose()?;
    args.game.limits.threads.set()?;
    // Errors in maps and positions are reported before any position is solved.
    let lists = args.maps.iter().map(|map| read_list(args, map));
    let lists: Vec<List> = lists.collect::<Result<_, _>>()?;
    let rows = play_out_lengths::measure(&lists, &args.solver, width, limit, terminal)?;
    if let Some(target) = target {
        target.write(work_chart::svg(&rows).as_bytes())?;
    }
    play_out_lengths::print(&rows, terminal)
}

fn run_single(
    args: &Args,
    map: &Path,
    solver: SolverName,
    limit: Limit,
    terminal: Terminal,
) -> Result<(), Failure> {
    let check = |path: &Path| OutputTarget::check(path, &args.maps);
    let target = args.picture.as_deref().map(check).transpose()?;
    let cops = u8::try_from(args.cop.len()).ok().and_then(NonZeroU8::new);
    let cops = cops.ok_or_else(|| {
        let found = args.cop.len();
        Failure::Usage(format!("expected 1 to {} cops, found {found}", u8::MAX))
    })?;
    let game = args.game.read(map, cops)?;
    let graph = &game.graph;
    let robber = args.robber.unwrap_or_default();
    let robber = vertex(map, graph, "robber", robber)?;
    let on = args.cop.iter().map(|&cell| vertex(map, graph, "cop", cell));
    let on: Vec<Vertex> = on.collect::<Result<_, _>>()?;
    let single = Single {
        graph,
        rules: game.rules,
        robber,
        cops: &on,
    };
    let answer = single.solve(solver, limit, terminal)?;
    if let Some(target) = target {
        target.write(&line_picture::png(graph, robber, &on, &answer.line)?)?;
    }
    let report = report(graph, solver, &answer);
    terminal.print(&report, |out| print(&report, &answer, out))
}

/// The vertex of an agent's cell.
fn vertex(map: &Path, graph: &Graph, agent: &str, cell: Cell) -> Result<Vertex, Failure> {
    graph.vertex(cell).ok_or_else(|| {
        let (map, width, height) = (map.display(), graph.width(), graph.height());
        let Cell { x, y } = cell;
        let (expected, found) = if graph.is_on_map(cell) {
            ("a passable cell".to_owned(), format!("a wall at {x},{y}"))
        } else {
            (
                format!("a cell of the {width} x {height} map"),
                format!("{x},{y}"),
            )
        };
        Failure::Input(format!(
            "{map}: {agent}: expected {expected}, found {found}"
        ))
    })
}

impl ValueReport {
    pub fn of(answer: &Answer) -> Self {
        let turns = |outcome| match outcome {
            Outcome::Caught(turns) => Some(turns.0),
            Outcome::Escapes => None,
        };
        match answer.bounds.value() {
            Some(value) => Self::Exact {
                turns: turns(value),
            },
            None => Self::Bounds {
                lower: turns(answer.bounds.lower),
                upper: turns(answer.bounds.upper),
            },
        }
    }
}

fn report(graph: &Graph, solver: SolverName, answer: &Answer) -> Report {
    let at = |vertex: Vertex| {
        let Cell { x, y } = graph.cell(vertex);
        (x, y)
    };
    let line = answer.line.iter().map(|turn| TurnReport {
        cops: turn.cops.iter().map(|&cop| at(cop)).collect(),
        robber: at(turn.robber),
    });
    Report {
        solver,
        vertices: graph.vertices(),
        value: ValueReport::of(answer),
        line: line.collect(),
        expansions: answer.effort.expansions,
        touched: answer.effort.touched,
        bytes: answer.effort.bytes,
        seconds: answer.seconds,
    }
}

fn print(report: &Report, answer: &Answer, out: &mut impl Write) -> io::Result<()> {
    if let Some(value) = answer.bounds.value() {
        row(out, "turns", value)?;
    } else {
        row(out, "lower", answer.bounds.lower)?;
        let upper = match answer.bounds.upper {
            Outcome::Escapes => "not known".to_owned(),
            upper @ Outcome::Caught(_) => upper.to_string(),
        };
        row(out, "upper", upper)?;
    }
    row(out, "expansions", grouped(report.expansions))?;
    row(out, "touched", grouped(report.touched))?;
    row(out, "memory", megabytes(report.bytes))?;
    row(out, "seconds", format!("{:.3}", report.seconds))?;
    for (index, turn) in report.line.iter().enumerate() {
        let cops: Vec<String> = turn.cops.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let (x, y) = turn.robber;
        let name = format!("turn {}", index + 1);
        row(
            out,
            &name,
            format!("cops {}  robber {x},{y}", cops.join(" ")),
        )?;
    }
    Ok(())
}
