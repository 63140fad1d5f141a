//! `pursuit play-out`: the value of one position and an optimal line of play.

use crate::failure::Failure;
use crate::game::GameArgs;
use crate::ground::Ground;
use crate::input::cell;
use crate::line_picture;
use crate::output::{Terminal, grouped, megabytes, row};
use crate::output_target::{self, OutputTarget};
use crate::play_out_lengths;
use crate::play_out_list::{self, List};
use crate::single::{Answer, Limit, Single, SolverName, Stop};
use crate::starts::{expect_one_stdin, inputs, name, positions_of};
use crate::work_chart;
use clap::ArgGroup;
use pursuit_engine::game::Outcome;
use pursuit_engine::graph::Vertex;
use pursuit_engine::map::Cell;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::num::{NonZeroU8, NonZeroU16, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Solve one position exactly, without a table of the map: its value and an optimal line of play
///
/// The value is the number of cop moves until capture with the cops to move, or inf if the robber escapes. If
/// a limit of time or memory stops the solver early, the bounds proven so far are printed with the limit that stopped it.
/// This is not a failure.
///
/// With --positions, all positions of a file are solved, each within the limits. They are printed as
/// comma-separated values with the work for each position. With --by-turns, the mean work of each method is
/// printed for all positions of about the same number of turns.
///
/// The JSON output has turns (null if the robber escapes), or lower and upper (null if no capture is proven) and the
/// limit in `stopped_by` (memory, time, or turns if the value exceeds 32,767 turns). The
/// line of play is a list with the cells of the cops and of the robber after each turn. With --by-turns it is a
/// list with one object per group and method. The group is turns with its limits from and to, escapes, or unknown if
/// no method found the value. Means are over the positions that the method solved, null if there are none.
#[derive(clap::Args, Debug)]
#[command(group = ArgGroup::new("what").required(true).args(["robber", "positions"]))]
pub struct Args {
    /// A .map file or a level (.level.ron), or - for stdin; several with --by-turns. For one position also a graph
    /// (.edges, .g6)
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,

    /// The position of the robber; on a graph the number of a vertex
    #[arg(long, value_name = "X,Y", value_parser = place, requires = "cop")]
    robber: Option<Place>,

    /// The position of a cop; repeat for each cop
    #[arg(long, value_name = "X,Y", value_parser = place)]
    cop: Vec<Place>,

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

/// A cell of a map, or a vertex of a graph.
#[derive(Serialize, Debug, Clone, Copy)]
#[serde(untagged)]
enum Place {
    Cell(u16, u16),
    Vertex(u32),
}

fn place(text: &str) -> Result<Place, String> {
    let vertex = text.trim().parse().map(Place::Vertex);
    vertex.or_else(|_| cell(text).map(|cell| Place::Cell(cell.x, cell.y)))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(x, y) => write!(f, "{x},{y}"),
            Self::Vertex(number) => write!(f, "{number}"),
        }
    }
}

/// The cells of all agents after a turn.
#[derive(Serialize)]
struct TurnReport {
    cops: Vec<Place>,
    robber: Place,
}

#[derive(Serialize)]
struct Report {
    solver: SolverName,
    vertices: usize,
    #[serde(flatten)]
    value: ValueReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_by: Option<Stop>,
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
    let game = args.game.read_any(map, cops)?;
    if target.is_some() {
        game.expect_map(map, "--picture")?;
    }
    let ground = game.ground();
    let robber = args.robber.unwrap_or(Place::Cell(0, 0));
    let robber = vertex(map, ground, "robber", robber)?;
    let on = args.cop.iter().map(|&at| vertex(map, ground, "cop", at));
    let on: Vec<Vertex> = on.collect::<Result<_, _>>()?;
    let single = Single {
        ground,
        rules: game.rules,
        robber,
        cops: &on,
    };
    let answer = single.solve(solver, limit, terminal)?;
    if let (Some(target), Ground::Map(graph)) = (target, ground) {
        target.write(&line_picture::png(graph, robber, &on, &answer.line)?)?;
    }
    let report = report(ground, solver, &answer);
    terminal.print(&report, |out| print(&report, &answer, limit, out))
}

/// The vertex of an agent.
fn vertex(map: &Path, ground: Ground<'_>, agent: &str, at: Place) -> Result<Vertex, Failure> {
    let graph = match (ground, at) {
        (Ground::Map(graph), Place::Cell(..)) => graph,
        (Ground::Map(_), Place::Vertex(number)) => {
            let text = format!("--{agent}: expected X,Y on a map, found {number}");
            return Err(Failure::Usage(text));
        }
        (Ground::Edges(graph), at) => {
            let known = match at {
                Place::Vertex(number) => graph.vertex(number),
                Place::Cell(..) => None,
            };
            return known.ok_or_else(|| {
                let (map, vertices) = (map.display(), graph.vertices());
                Failure::Input(format!(
                    "{map}: {agent}: expected the number of a vertex below {vertices}, found {at}"
                ))
            });
        }
    };
    let cell = match at {
        Place::Cell(x, y) => Cell::new(x, y),
        Place::Vertex(_) => Cell::default(),
    };
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
            Outcome::Escapes | Outcome::Away(_) => None,
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

fn report(ground: Ground<'_>, solver: SolverName, answer: &Answer) -> Report {
    let at = |vertex: Vertex| match ground {
        Ground::Map(graph) => {
            let Cell { x, y } = graph.cell(vertex);
            Place::Cell(x, y)
        }
        Ground::Edges(_) => Place::Vertex(vertex.index() as u32),
    };
    let line = answer.line.iter().map(|turn| TurnReport {
        cops: turn.cops.iter().map(|&cop| at(cop)).collect(),
        robber: at(turn.robber),
    });
    Report {
        solver,
        vertices: ground.vertices(),
        value: ValueReport::of(answer),
        stopped_by: answer.stopped,
        line: line.collect(),
        expansions: answer.effort.work.expansions,
        touched: answer.effort.work.touched,
        bytes: answer.effort.bytes,
        seconds: answer.seconds,
    }
}

fn print(report: &Report, answer: &Answer, limit: Limit, out: &mut impl Write) -> io::Result<()> {
    if let Some(value) = answer.bounds.value() {
        row(out, "turns", value)?;
    } else {
        row(out, "lower", answer.bounds.lower)?;
        let upper = match answer.bounds.upper {
            Outcome::Escapes | Outcome::Away(_) => "not known".to_owned(),
            upper @ Outcome::Caught(_) => upper.to_string(),
        };
        row(out, "upper", upper)?;
    }
    if let Some(stop) = answer.stopped {
        row(out, "stopped by", limit.named(stop))?;
    }
    row(out, "expansions", grouped(report.expansions))?;
    row(out, "touched", grouped(report.touched))?;
    row(out, "memory", megabytes(report.bytes))?;
    row(out, "seconds", format!("{:.3}", report.seconds))?;
    for (index, turn) in report.line.iter().enumerate() {
        let cops: Vec<String> = turn.cops.iter().map(ToString::to_string).collect();
        let robber = turn.robber;
        let name = format!("turn {}", index + 1);
        row(
            out,
            &name,
            format!("cops {}  robber {robber}", cops.join(" ")),
        )?;
    }
    Ok(())
}
