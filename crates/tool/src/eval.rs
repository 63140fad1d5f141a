//! `pursuit eval`: how well robbers play, measured against optimal cops.

use crate::chart;
use crate::dial_chart;
use crate::eval_report::{self, Row};
use crate::failure::Failure;
use crate::game::{Game, GameArgs};
use crate::ground;
use crate::interrupt::is_interrupted;
use crate::output::Terminal;
use crate::output_target::{self, OutputTarget};
use crate::positions::Positions;
use crate::progress::{Bar, solve};
use crate::robber::{Robber, guide};
use crate::starts::{expect_one_stdin, inputs, name, positions_of};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::policy::{Ground, SharedTable};
use pursuit_engine::table::{Arena, Estimate, Solution, Solver};
use pursuit_lab::RobberPolicy;
use pursuit_lab::eval::{
    Experiment, ExperimentError, ExploitError, Performance, Start, exploitability,
};
use pursuit_lab::robber::{DialledRobber, Difficulty};
use std::fmt;
use std::num::{NonZeroU8, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

const NOTES: &str = "\
The map is solved first, and the cops play by its exact values. Survival is counted in plies, the moves
of either side: 2t - 1 if the cops capture with their move t. Positions in which a cop is already on
the robber are skipped. A position in which an optimal robber would escape has no ratio: it counts as
endless, and also as lost if the robber is captured nevertheless.

Robbers are optimal, which plays by the exact values, and the algorithms of the library by name and
parameters, such as trailmax:5. --difficulty weakens each robber: from 1 (full strength) down to 0.4 it
plays more and more second-best moves, below 0.4 it also notices cops late and only at a short
distance. A call is a move that needed a computation: a robber that follows each plan for m turns makes
one call every m turns. Expansions and touched vertices are counted by the algorithm; the table shows
them relative to the number of vertices of the map. Other threads disturb times: measure them with
--threads 1. Averages give each map the same weight; for p99 and max they show the maximum.

--best-response: exploitability is 1 minus the mean of a ratio over all positions in which the cops
cannot capture at once: the plies that the robber survives against cops that know its policy, divided
by the plies of an optimal robber. Only for robbers that keep no plans.

JSON: a list with one object per map and robber. mean_ratio and exploitability are fractions of 1,
times are in microseconds, expansions and touched are absolute; null means that a value does not exist.";

/// Play robbers against optimal cops: measure their survival and their computation
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// .map files or levels (.level.ron); - reads one of them from stdin
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,

    /// A file with a header line and one position per line, or a folder with a file NAME.csv for each
    /// map NAME.map; may be repeated, with one file per map, of the same name
    #[arg(long, required = true, value_name = "FILE.csv|FOLDER")]
    positions: Vec<PathBuf>,

    /// The robbers to play, separated by commas
    #[arg(long, required = true, value_delimiter = ',', value_name = "LIST")]
    robbers: Vec<Robber>,

    /// Play each robber at these difficulty levels, from 0 (hardly runs) to 1 (full strength), separated
    /// by commas
    #[arg(long, value_delimiter = ',', value_name = "LIST", value_parser = difficulty_level)]
    difficulty: Vec<f32>,

    /// The number of cops, taken from the first columns [default: all cops of the file]
    #[arg(long, value_name = "K")]
    cops: Option<NonZeroU8>,

    /// Play only the first positions of each file
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroUsize>,

    /// The seed of the robbers' random numbers
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,

    /// The maximum number of positions of the abstract game that is solved for guided robbers
    #[arg(long, value_name = "N", default_value = "64000000")]
    guide_positions: NonZeroU64,

    /// Also compute how much cops gain by knowing the robber's policy
    #[arg(long)]
    best_response: bool,

    /// Draw a chart of survival against expansions with a point for each robber, averaged over the maps;
    /// with --difficulty a chart of survival against difficulty with a line for each robber.
    /// A device or a pipe is written to directly; - is refused, because stdout is for the report
    #[arg(long, value_name = "FILE.svg", value_parser = output_target::parser())]
    chart: Option<PathBuf>,

    #[command(flatten)]
    game: GameArgs,
}

/// Parses a difficulty level.
fn difficulty_level(text: &str) -> Result<f32, String> {
    let level = text.trim().parse().ok();
    let level = level.filter(|level| (0.0..=1.0).contains(level));
    level.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// A robber at a difficulty level.
#[derive(Debug, Clone, Copy)]
struct Contestant<'a> {
    robber: &'a Robber,
    /// The difficulty level; `None` is full strength.
    level: Option<f32>,
}

impl fmt::Display for Contestant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.robber.fmt(f)?;
        self.level.map_or(Ok(()), |level| write!(f, "@{level}"))
    }
}

impl Contestant<'_> {
    fn policy(&self, table: &SharedTable) -> Box<dyn RobberPolicy> {
        let policy = self.robber.policy(table);
        match self.level {
            Some(level) => Box::new(DialledRobber::new(policy, Difficulty::level(level))),
            None => policy,
        }
    }

    /// Returns whether moves depend on anything but the position: plans, earlier sightings or chance.
    fn has_memory(&self) -> bool {
        self.robber.keeps_plans() || self.level.is_some_and(|level| level < 1.0)
    }

    fn expect_no_memory(&self, has_memory: bool) -> Result<(), Failure> {
        if has_memory {
            return Err(Failure::Usage(format!(
                "--best-response: expected robbers whose moves depend on the position only, \
                 found {self}, whose moves do not"
            )));
        }
        Ok(())
    }
}

impl Args {
    /// Each robber at each difficulty level.
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

/// A map and the start positions of its games.
struct MapStarts<'a> {
    path: &'a Path,
    name: String,
    game: Game,
    starts: Vec<Start>,
}

impl MapStarts<'_> {
    /// The failure of a robber on this map.
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
    expect_one_stdin(&args.maps, &args.positions)?;
    let target = args.chart.as_deref();
    let check = |path| OutputTarget::check(path, &inputs(&args.maps, &args.positions)?);
    let target = target.map(check).transpose()?;
    args.game.limits.threads.set()?;
    // Errors in maps and positions are reported before any map is solved.
    let levels = args.maps.iter().map(|map| read_level(args, map));
    let levels = levels.collect::<Result<Vec<_>, _>>()?;
    let mut rows = Vec::new();
    for level in &levels {
        rows.extend(play(args, level, terminal)?);
    }
    if let Some(target) = target {
        let svg = if args.difficulty.is_empty() {
            chart::svg(&eval_report::points(&rows), &chart::ROBBERS)
        } else {
            dial_chart::svg(&eval_report::dial_points(&rows))
        };
        target.write(svg.as_bytes())?;
    }
    eval_report::print(&rows, args.best_response, terminal)
}

fn read_level<'a>(args: &Args, path: &'a Path) -> Result<MapStarts<'a>, Failure> {
    let name = name(path);
    let mut positions = Positions::read(&positions_of(&args.positions, args.maps.len(), &name)?)?;
    if let Some(cops) = args.cops {
        positions.take_cops(cops)?;
    }
    if let Some(limit) = args.limit {
        positions.records.truncate(limit.get());
    }
    let game = args.game.read_one(path, positions.cops()?)?;
    let records = positions.records.iter();
    let starts = records.map(|record| {
        let (robber, cops) = positions.agents(record, ground::Ground::Map(&game.graph))?;
        Ok(Start { robber, cops })
    });
    Ok(MapStarts {
        path,
        name,
        starts: starts.collect::<Result<_, Failure>>()?,
        game,
    })
}

/// Plays all robbers on a map.
fn play(args: &Args, level: &MapStarts<'_>, terminal: Terminal) -> Result<Vec<Row>, Failure> {
    let (game, limit) = (&level.game, args.game.limits.memory());
    let solver = Solver::new(Arena::of_map(&game.graph).into(), game.rules, limit);
    let solver = solver.map_err(|error| Failure::of_solver(error, limit).named(level.path))?;
    let solution = Arc::new(solve(solver, None, terminal)?);
    // The solution stays in memory, so its size is no longer available to others.
    let kept =
        Estimate::new(game.graph.vertices(), &game.rules).map(|table| table.solution_bytes());
    let limit = limit.saturating_sub(kept.unwrap_or(limit));
    let hierarchy = Hierarchy::new(&game.graph);
    let guide = if args.robbers.iter().any(Robber::is_guided) {
        guide(
            level.path,
            &hierarchy,
            game.rules,
            args.guide_positions,
            limit,
            terminal,
        )?
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
        retract: None,
    };
    let row = |robber| row(args, level, ground, &solution, robber, limit, terminal);
    args.contestants().into_iter().map(row).collect()
}

/// Plays a robber on a map.
fn row(
    args: &Args,
    level: &MapStarts<'_>,
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
    let table = SharedTable::from(Arc::clone(solution));
    let policy = || robber.policy(&table);
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
