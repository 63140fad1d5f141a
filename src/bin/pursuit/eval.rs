//! `pursuit eval`.

use crate::chart;
use crate::dial_chart;
use crate::eval_report::{self, Row};
use crate::failure::Failure;
use crate::game::{Game, GameArgs};
use crate::interrupt::is_interrupted;
use crate::output::Terminal;
use crate::positions::Positions;
use crate::progress::{Bar, solve};
use crate::target::{self, OutputTarget};
use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::eval::{
    Experiment, ExperimentError, ExploitError, Performance, Start, exploitability,
};
use bevy_pursuit::policy::robber::{DialledRobber, Difficulty, OptimalRobber, RobberKind};
use bevy_pursuit::policy::{Ground, Guide, GuideSolver, RobberPolicy};
use bevy_pursuit::table::{Arena, Estimate, Solution, Solver};
use std::fmt;
use std::num::{NonZeroU8, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

const NOTES: &str = "\
The cops play by the exact values of the map, which is solved first. Survival is counted in plies, the
moves of either side, as in the papers: 2t - 1 if the cops capture with their move t. Positions in
which a cop stands on the robber are left out. Where an optimal robber would escape there is no ratio;
such positions are counted as endless, and those in which the robber is captured all the same as lost.

Robbers: optimal, which plays by the exact values, and the algorithms of the library by name and
parameters, such as trailmax:5. With --difficulty each plays as well as the dial says: from 1, full
strength, down to 0.4 more and more of its moves are second best, and below it notices cops late and
from a short way off only. A call is a move for which something was computed; a robber that follows a
plan for m turns calls once in m turns. Expansions and touched vertices are those of the algorithm, in
the table as a share of the map's vertices. Times are disturbed by other threads: --threads 1 for
those. The averages count each map the same; of p99 and max they show the greatest.

--best-response: exploitability is 1 less the mean, over all positions in which the cops cannot
capture at once, of the plies that the robber lasts against cops that know what it does over those
of an optimal robber. Only for robbers that keep no plans.

JSON: a list of one object for each map and robber. mean_ratio and exploitability are fractions of
1, times are in microseconds, expansions and touched are numbers; null stands for what there is none of.";

/// Play robbers against optimal cops: how long they survive, and what they compute for it
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// .map files or levels (.level.ron), one of them - for stdin
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,

    /// A file with a header and a position on each line, or a folder with a file NAME.csv for each
    /// map NAME.map; may be given several times, with a file for each map of the same name
    #[arg(long, required = true, value_name = "FILE.csv|FOLDER")]
    positions: Vec<PathBuf>,

    /// The robbers to play with, separated by commas
    #[arg(long, required = true, value_delimiter = ',', value_name = "LIST")]
    robbers: Vec<Robber>,

    /// Play each robber at these positions of the difficulty dial, from 0 (hardly runs) to 1 (full
    /// strength), separated by commas
    #[arg(long, value_delimiter = ',', value_name = "LIST", value_parser = dial_position)]
    difficulty: Vec<f32>,

    /// The number of cops: those of the first columns; left out, as many as the file has
    #[arg(long, value_name = "K")]
    cops: Option<NonZeroU8>,

    /// Play only the first positions of each file
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroUsize>,

    /// Where random numbers of the robbers start
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,

    /// The most positions of the abstract game that is solved for robbers that are guided
    #[arg(long, value_name = "N", default_value = "64000000")]
    guide_positions: NonZeroU64,

    /// Say as well how much cops gain that know the robber
    #[arg(long)]
    best_response: bool,

    /// Draw a chart of survival against expansions, a point for each robber on average over the maps;
    /// with --difficulty one of survival against the dial, a line for each robber.
    /// A device or a pipe is written into; - is refused, since stdout is for the report
    #[arg(long, value_name = "FILE.svg", value_parser = target::parser())]
    chart: Option<PathBuf>,

    #[command(flatten)]
    game: GameArgs,
}

/// A robber by name.
#[derive(Debug, Clone, PartialEq)]
enum Robber {
    /// Plays by the table.
    Optimal,
    Kind(RobberKind),
}

impl FromStr for Robber {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "optimal" => Ok(Self::Optimal),
            text => match text.parse() {
                Ok(kind) => Ok(Self::Kind(kind)),
                Err(error) => Err(format!("{error}; or optimal")),
            },
        }
    }
}

impl fmt::Display for Robber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal => f.write_str("optimal"),
            Self::Kind(kind) => kind.fmt(f),
        }
    }
}

impl Robber {
    fn policy(&self, solution: &Arc<Solution>) -> Box<dyn RobberPolicy> {
        match self {
            Self::Optimal => {
                let arena = Arc::clone(solution.arena());
                Box::new(OptimalRobber::new(Arc::clone(solution) as _, arena))
            }
            Self::Kind(kind) => kind.policy(),
        }
    }

    /// Does it keep plans? Those that are not known here show when they play.
    const fn keeps_plans(&self) -> bool {
        matches!(self, Self::Kind(kind) if !kind.is_memoryless())
    }

    /// Does it go by a guide?
    const fn is_guided(&self) -> bool {
        matches!(self, Self::Kind(RobberKind::Guided { .. }))
    }
}

/// A position of the difficulty dial.
fn dial_position(text: &str) -> Result<f32, String> {
    let level = text.trim().parse().ok();
    let level = level.filter(|level| (0.0..=1.0).contains(level));
    level.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A robber and how well it plays.
#[derive(Debug, Clone, Copy)]
struct Contestant<'a> {
    robber: &'a Robber,
    /// A position of the difficulty dial.
    level: Option<f32>,
}

impl fmt::Display for Contestant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.robber.fmt(f)?;
        self.level.map_or(Ok(()), |level| write!(f, "@{level}"))
    }
}

impl Contestant<'_> {
    fn policy(&self, solution: &Arc<Solution>) -> Box<dyn RobberPolicy> {
        let policy = self.robber.policy(solution);
        match self.level {
            Some(level) => Box::new(DialledRobber::new(policy, Difficulty::level(level))),
            None => policy,
        }
    }

    /// Does it keep plans, or does what it has seen before or chance count?
    fn has_memory(&self) -> bool {
        self.robber.keeps_plans() || self.level.is_some_and(|level| level < 1.0)
    }

    fn expect_no_memory(&self, has_memory: bool) -> Result<(), Failure> {
        if has_memory {
            return Err(Failure::Usage(format!(
                "--best-response: expected robbers that decide each turn by the position alone, \
                 found {self}, which does not"
            )));
        }
        Ok(())
    }
}

impl Args {
    /// Each robber at each position of the dial.
    fn contestants(&self) -> Vec<Contestant<'_>> {
        let mut contestants = Vec::new();
        for robber in &self.robbers {
            if self.difficulty.is_empty() {
                let level = None;
                contestants.push(Contestant { robber, level });
            }
            for level in self.difficulty.iter().copied().map(Some) {
                contestants.push(Contestant { robber, level });
            }
        }
        contestants
    }
}

/// A map and where the games on it start.
struct PursuitLevel<'a> {
    path: &'a Path,
    name: String,
    game: Game,
    starts: Vec<Start>,
}

impl PursuitLevel<'_> {
    /// What is wrong with a robber on this map.
    fn failure(&self, robber: Contestant<'_>, error: &dyn fmt::Display) -> Failure {
        Failure::Input(format!("{}: {robber}: {error}", self.path.display()))
    }
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    if args.best_response {
        for robber in args.contestants() {
            robber.expect_no_memory(robber.has_memory())?;
        }
    }
    expect_one_stdin(args)?;
    let target = args.chart.as_deref();
    let check = |path| OutputTarget::check(path, &inputs(args)?);
    let target = target.map(check).transpose()?;
    args.game.limits.threads.set()?;
    // What is wrong with a map or a position is said before the work.
    let levels = args.maps.iter().map(|map| read_level(args, map));
    let levels = levels.collect::<Result<Vec<_>, _>>()?;
    let mut rows = Vec::new();
    for level in &levels {
        rows.extend(play(args, level, terminal)?);
    }
    if let Some(target) = target {
        let svg = if args.difficulty.is_empty() {
            chart::svg(&eval_report::points(&rows))
        } else {
            dial_chart::svg(&eval_report::dial_points(&rows))
        };
        target.write(svg.as_bytes())?;
    }
    eval_report::print(&rows, args.best_response, terminal)
}

fn expect_one_stdin(args: &Args) -> Result<(), Failure> {
    let files: Vec<&PathBuf> = args.maps.iter().chain(&args.positions).collect();
    for (index, file) in files.iter().enumerate() {
        for other in &files[..index] {
            crate::input::expect_one_stdin(file, other)?;
        }
    }
    Ok(())
}

/// All files that are read: the maps, and the positions for each.
fn inputs(args: &Args) -> Result<Vec<PathBuf>, Failure> {
    let positions = args.maps.iter().map(|map| positions_of(args, &name(map)));
    let maps = args.maps.iter().cloned().map(Ok);
    maps.chain(positions).collect()
}

fn read_level<'a>(args: &Args, path: &'a Path) -> Result<PursuitLevel<'a>, Failure> {
    let name = name(path);
    let mut positions = Positions::read(&positions_of(args, &name)?)?;
    if let Some(cops) = args.cops {
        positions.take_cops(cops)?;
    }
    if let Some(limit) = args.limit {
        positions.records.truncate(limit.get());
    }
    let game = args.game.read_one(path, positions.cops()?)?;
    let records = positions.records.iter();
    let starts = records.map(|record| {
        let (robber, cops) = positions.agents(record, &game.graph)?;
        Ok(Start { robber, cops })
    });
    Ok(PursuitLevel {
        path,
        name,
        starts: starts.collect::<Result<_, Failure>>()?,
        game,
    })
}

/// The name of a map: that of its file without the end.
fn name(path: &Path) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let file = file.to_string_lossy();
    let ends = [".level.ron", ".map", ".csv"];
    let stem = ends.iter().find_map(|end| file.strip_suffix(end));
    stem.unwrap_or(&file).to_owned()
}

/// The file with the positions for a map.
fn positions_of(args: &Args, map: &str) -> Result<PathBuf, Failure> {
    if let ([file], [_]) = (&args.positions[..], &args.maps[..])
        && !file.is_dir()
    {
        return Ok(file.clone());
    }
    let candidates = args.positions.iter().map(|path| {
        if path.is_dir() {
            path.join(format!("{map}.csv"))
        } else {
            path.clone()
        }
    });
    let mut candidates = candidates.filter(|path| path.exists() && name(path) == map);
    candidates.next().ok_or_else(|| {
        let places: Vec<String> = args
            .positions
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let places = places.join(", ");
        Failure::Input(format!(
            "{map}: expected positions in a file {map}.csv, found none in {places}"
        ))
    })
}

/// Plays all robbers on a map.
fn play(args: &Args, level: &PursuitLevel<'_>, terminal: Terminal) -> Result<Vec<Row>, Failure> {
    let (game, limit) = (&level.game, args.game.limits.memory());
    let solver = Solver::new(Arena::of_map(&game.graph).into(), game.rules, limit);
    let solver = solver.map_err(|error| Failure::of_solver(error, limit).named(level.path))?;
    let solution = Arc::new(solve(solver, None, terminal)?);
    // What is kept is no longer there for anything else.
    let kept =
        Estimate::new(game.graph.vertices(), &game.rules).map(|table| table.solution_bytes());
    let limit = limit.saturating_sub(kept.unwrap_or(limit));
    let hierarchy = Hierarchy::new(&game.graph);
    let guide = if args.robbers.iter().any(Robber::is_guided) {
        guide(args, level, &hierarchy, limit, terminal)?
    } else {
        None
    };
    let limit = guide.as_ref().map_or(limit, |guide| {
        let table = Estimate::new(guide.vertices(), &guide.rules());
        limit.saturating_sub(table.map_or(limit, |table| table.solution_bytes()))
    });
    let ground = Ground {
        graph: &game.graph,
        hierarchy: Some(&hierarchy),
        guide: guide.as_ref(),
    };
    let row = |robber| row(args, level, ground, &solution, robber, limit, terminal);
    args.contestants().into_iter().map(row).collect()
}

/// Solves the abstraction of a map.
fn guide(
    args: &Args,
    level: &PursuitLevel<'_>,
    hierarchy: &Hierarchy,
    limit: u64,
    terminal: Terminal,
) -> Result<Option<Guide>, Failure> {
    let rules = level.game.rules;
    let solver = GuideSolver::new(hierarchy, rules, args.guide_positions.get(), limit);
    let solver = solver.map_err(|error| Failure::of_solver(error, limit).named(level.path))?;
    let Some(mut solver) = solver else {
        if !terminal.quiet {
            let name = &level.name;
            eprintln!(
                "{name}: no abstract level to go by, robbers that are guided play TrailMax(1)"
            );
        }
        return Ok(None);
    };
    let bar = Bar::new(terminal, 0);
    let what = format!("{}, abstract: ", level.name);
    solver.run(|progress| bar.solving(progress, &what));
    solver
        .finish()
        .map_or(Err(Failure::Interrupted), |guide| Ok(Some(guide)))
}

/// Plays a robber on a map.
fn row(
    args: &Args,
    level: &PursuitLevel<'_>,
    ground: Ground<'_>,
    solution: &Arc<Solution>,
    robber: Contestant<'_>,
    limit: u64,
    terminal: Terminal,
) -> Result<Row, Failure> {
    let (name, start) = (format!("{} {robber}: ", level.name), Instant::now());
    let clock = || start.elapsed().as_nanos() as u64;
    let experiment = Experiment {
        ground,
        times: &**solution,
        arena: solution.arena(),
        seed: args.seed,
    };
    let games = level.starts.len() as u64;
    let bar = Bar::new(terminal, games);
    let policy = || robber.policy(solution);
    let played = experiment.run(&level.starts, policy, clock, |at| {
        bar.working(at, &format!("{name}games"))
    });
    let played = played.map_err(|error| match error {
        ExperimentError::Cancelled => Failure::Interrupted,
        error => level.failure(robber, &error),
    })?;
    let performance = Performance::of(&played);
    let vertices = ground.graph.vertices();
    let mut row = Row::new(&level.name, robber.robber, vertices, &performance);
    row.difficulty = robber.level;
    if args.best_response {
        robber.expect_no_memory(performance.calls < performance.decisions)?;
        let policy = &mut *robber.policy(solution);
        let what = format!("{name}best response, ");
        let found = exploitability(solution, ground, policy, args.seed, limit, |at| {
            match at.turn.0 {
                0 => bar.working(at, &format!("{what}positions")),
                _ => bar.solving(at, &what),
            }
        });
        let found = found.map_err(|error| match error {
            ExploitError::Cancelled => Failure::Interrupted,
            ExploitError::Solve(error) => Failure::of_solver(error, limit).named(level.path),
            error => level.failure(robber, &error),
        })?;
        row.exploitability = Some(found.exploitability());
    }
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    Ok(row)
}
