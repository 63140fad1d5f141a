//! `pursuit tournament`: every cop policy against every robber policy.

use crate::chart;
use crate::failure::Failure;
use crate::game::{Game, GameArgs};
use crate::ground;
use crate::input::read_exact_table;
use crate::interrupt::is_interrupted;
use crate::output::Terminal;
use crate::output_target::{self, OutputTarget};
use crate::played::{Cops, PlayedArgs, players};
use crate::positions::Positions;
use crate::progress::{Bar, solve};
use crate::robber::{Robber, guide, guide_of_cops, retract_guide};
use crate::starts::{expect_one_stdin, inputs, name, positions_of};
use crate::tournament_report::{self, Row};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::Rules;
use pursuit_engine::policy::{Ground, Guide, RetractGuide, SharedTable};
use pursuit_engine::table::{Arena, CaptureTimes as _, Estimate, Progress, Solver};
use pursuit_lab::CopPolicy;
use pursuit_lab::eval::{
    Contest, CopExploitability, Draw, ExperimentError, ExploitError, Players, Score, Start,
    Tournament, cop_exploitability,
};
use std::collections::BTreeSet;
use std::num::{NonZeroU8, NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

const NOTES: &str = "\
Each policy of the cops plays against each robber from the same positions, the cops to move. The game is
solved first, or its table is read from --tables. If it is too large for the memory limit, the optimum is
unknown, nobody can play optimally, and all else works. Where it is known, positions from which an optimal
robber escapes are skipped and counted; positions in which a cop is already on the robber always are.

Cops are optimal, which plays by the table; team, what the plugin plays by default without a table, until a
capture is proven; endgame, the same with proofs; unguided, a team without a guide; pairs, what the plugin plays
by a table of two cops, pairs-search, without a guide, and pairs-rules, by table values alone; interception,
over abstract levels, and interception-map, on the map alone; straight, what the plugin plays with
Tactics::Chase; chase, shortest paths; cover, which leaves the robber as few cells as possible; played, the
cops of a live world, with the tables and guides that --settings allow and the work of a tick that --budget
allows. Team, endgame, unguided, pairs and played remember past turns; team-memoryless and
unguided-memoryless do not. Robbers are those of eval.

Ratios are turns until capture over those of optimal play. The capture ratio and the worst ratio are over
the captures; the survival ratio is over all games, and a game without capture counts with its turn limit.
Times are those of a joint decision of all cops. Other threads disturb them: measure them with --threads 1.
Averages give each map the same weight; for worst and p99 they show the maximum.

JSON: a list with one object per map, cops and robber. Rates and ratios are fractions, times are in
microseconds; null means that a value does not exist or is not known. The names that end in low and high
are 95 % confidence intervals: Wilson's for rates, those of a normal distribution for mean ratios.
escapes, only with --exploitability, counts the positions from which a robber that knows the policy is never
captured. captured_50 and so on are the shares of games with a capture within so many turns.";

/// Play cops against robbers: capture rates, capture times and computation of each pair
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// .map files or levels (.level.ron); - reads one of them from stdin
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,

    /// A file with a header line and one position per line, or a folder with a file NAME.csv for each
    /// map NAME.map; may be repeated, with one file per map, of the same name
    #[arg(
        long,
        required_unless_present = "random",
        value_name = "FILE.csv|FOLDER"
    )]
    positions: Vec<PathBuf>,

    /// Play from this many random positions instead, in which all cops can reach the robber
    #[arg(long, value_name = "N", conflicts_with = "positions")]
    random: Option<NonZeroUsize>,

    /// The cops to play, separated by commas
    #[arg(long, required = true, value_delimiter = ',', value_name = "LIST")]
    cops: Vec<Cops>,

    /// The robbers to play, separated by commas
    #[arg(long, required = true, value_delimiter = ',', value_name = "LIST")]
    robbers: Vec<Robber>,

    /// The number of cops: the first ones of the file, and if it has fewer, further ones at random places
    /// from which they can reach the robber [default: all cops of the file, 2 with --random]
    #[arg(long, value_name = "K")]
    cop_count: Option<NonZeroU8>,

    /// Play only the first positions of each file
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroUsize>,

    /// The turn limit of all games [default: 10 times the optimum, 600 where it is unknown]
    #[arg(long, value_name = "N")]
    turns: Option<NonZeroU32>,

    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,

    /// A folder with solved tables: NAME.K.ptab for a map NAME.map and K cops. What is missing is solved
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,

    /// Add a robber best-response to each policy of the cops, which knows the policy: capture rate and ratios
    /// over all positions that optimal cops win, or with =starts over the positions that are played from. For the
    /// starts the tool decides only the positions that games can reach, and needs no table
    #[arg(long, value_name = "POSITIONS", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    exploitability: Option<ResponseFrom>,

    /// The maximum number of positions of the game on an abstract level that is solved for guided robbers, and for two
    /// cops without a retract
    #[arg(long, value_name = "N", default_value = "64000000")]
    guide_positions: NonZeroU64,

    /// The maximum number of positions of the game on a retract that is solved for the cops team, endgame and pairs
    #[arg(long, value_name = "N", default_value = "2500000000")]
    retract_positions: NonZeroU64,

    /// Draw a chart of capture rate against time with a point for each pair, averaged over the maps, and a line
    /// for each policy of the cops. A device or a pipe is written to directly; - is refused, because stdout
    /// is for the report
    #[arg(long, value_name = "FILE.svg", value_parser = output_target::parser())]
    chart: Option<PathBuf>,

    #[command(flatten)]
    played: PlayedArgs,

    #[command(flatten)]
    game: GameArgs,
}

/// The positions from which a best response is computed.
#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum ResponseFrom {
    /// All positions that optimal cops win.
    All,
    /// The positions that are played from.
    Starts,
}

/// A map and the positions for it.
struct Level<'a> {
    path: &'a Path,
    name: String,
    game: Game,
    /// Those of the file, if there is one, with all of its cops that take part.
    starts: Vec<Start>,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    expect_one_stdin(&args.maps, &args.positions)?;
    if let Some(cops) = args.cops.iter().find(|cops| !cops.is_memoryless())
        && args.exploitability.is_some()
    {
        return Err(Failure::Usage(format!(
            "--exploitability: expected cops whose moves depend on the position only, found {cops}"
        )));
    }
    let check = |path: &PathBuf| {
        let files = match args.random {
            Some(_) => args.maps.clone(),
            None => inputs(&args.maps, &args.positions)?,
        };
        OutputTarget::check(path, &files)
    };
    let target = args.chart.as_ref().map(check).transpose()?;
    args.game.limits.threads.set()?;
    // Errors in maps and positions are reported before any map is solved.
    let levels = args.maps.iter().map(|map| read_level(args, map));
    let levels = levels.collect::<Result<Vec<_>, _>>()?;
    let mut rows = Vec::new();
    for level in &levels {
        rows.extend(play(args, level, terminal)?);
    }
    if let Some(target) = target {
        let points = tournament_report::points(&rows);
        target.write(chart::svg(&points, &chart::COPS).as_bytes())?;
    }
    tournament_report::print(&rows, terminal)
}

fn read_level<'a>(args: &Args, path: &'a Path) -> Result<Level<'a>, Failure> {
    let name = name(path);
    if args.random.is_some() {
        const TWO: NonZeroU8 = NonZeroU8::MIN.saturating_add(1);
        let game = args.game.read_one(path, args.cop_count.unwrap_or(TWO))?;
        let starts = Vec::new();
        return Ok(Level {
            path,
            name,
            game,
            starts,
        });
    }
    let mut positions = Positions::read(&positions_of(&args.positions, args.maps.len(), &name)?)?;
    let given = positions.cops()?;
    let cops = args.cop_count.unwrap_or(given);
    positions.take_cops(cops.min(given))?;
    if let Some(limit) = args.limit {
        positions.records.truncate(limit.get());
    }
    let game = args.game.read_one(path, cops)?;
    let mut draw = Draw::new(&game.graph, args.seed);
    let mut starts = Vec::with_capacity(positions.records.len());
    for (number, record) in (0..).zip(&positions.records) {
        let (robber, cops_at) = positions.agents(record, ground::Ground::Map(&game.graph))?;
        let mut start = Start {
            robber,
            cops: cops_at,
        };
        if cops > given {
            draw.complete(number, &mut start, cops.get());
        }
        starts.push(start);
    }
    Ok(Level {
        path,
        name,
        game,
        starts,
    })
}

/// Plays all pairs on a map.
fn play(args: &Args, level: &Level<'_>, terminal: Terminal) -> Result<Vec<Row>, Failure> {
    let (graph, rules) = (&level.game.graph, level.game.rules);
    let (tables, limit) = find_tables(args, level, terminal)?;
    let hierarchy = Hierarchy::new(graph);
    let (guide, retract) = find_guides(args, level, &hierarchy, limit, terminal)?;
    let table = tables.iter().find(|table| table.times.rules() == rules);
    let tournament = Tournament {
        ground: Ground {
            graph,
            hierarchy: Some(&hierarchy),
            guide: guide.as_ref(),
            retract: retract.as_ref(),
        },
        rules,
        table,
        turns: args.turns.map(NonZeroU32::get),
        seed: args.seed,
    };
    let contest = match args.random {
        Some(wanted) => tournament.draw(wanted.get()),
        None => tournament.contest(level.starts.iter().cloned()),
    };
    let contest = contest.map_err(|error| failure(level, "positions", &error))?;
    let live = args.played.settings()?;
    let mut rows = Vec::new();
    for &cops in &args.cops {
        for robber in &args.robbers {
            let makers = || players(cops, robber, rules, &tables, &live);
            let pair = format!("{cops} against {robber}");
            let score = score(&tournament, &contest, makers, level, &pair, terminal)?;
            let count = rules.cops.get();
            let skipped = contest.lost;
            rows.push(Row::new(&level.name, cops, robber, count, skipped, &score));
        }
        if let Some(positions) = args.exploitability {
            let policy = || match cops {
                Cops::Kind(kind) => kind.policy(rules.cops, &tables),
                Cops::Played => None,
            };
            let from = match positions {
                ResponseFrom::All => None,
                ResponseFrom::Starts => Some(&contest),
            };
            let found = exploit(&tournament, policy, level, from, cops, limit, terminal)?;
            let count = rules.cops.get();
            rows.push(Row::of_best_response(&level.name, cops, count, &found));
        }
    }
    Ok(rows)
}

/// The guides that the policies need: of an abstract level, and of a retract. Either may be missing.
fn find_guides(
    args: &Args,
    level: &Level<'_>,
    hierarchy: &Hierarchy,
    limit: u64,
    terminal: Terminal,
) -> Result<(Option<Guide>, Option<RetractGuide>), Failure> {
    let (graph, rules) = (&level.game.graph, level.game.rules);
    // All policies that use a retract use one for the same number of cops.
    let by_cops = args.cops.iter().find_map(|kind| kind.retract(rules.cops));
    let retract = match by_cops {
        Some(cops) => {
            let (rules, most) = (Rules { cops, ..rules }, args.retract_positions);
            retract_guide(level.path, graph, rules, most, limit, terminal)?
        }
        None => None,
    };
    let is_for_cops = by_cops.is_some_and(|cops| cops.get() == 2) && retract.is_none();
    let positions = args.guide_positions;
    let guide = if args.robbers.iter().any(Robber::is_guided) {
        guide(level.path, hierarchy, rules, positions, limit, terminal)?
    } else if is_for_cops {
        guide_of_cops(level.path, hierarchy, rules, positions, limit, terminal)?
    } else {
        None
    };
    Ok((guide, retract))
}

/// The tables that the policies need and that of the game, if it can be had, and the memory that is left.
fn find_tables(
    args: &Args,
    level: &Level<'_>,
    terminal: Terminal,
) -> Result<(Vec<SharedTable>, u64), Failure> {
    let (rules, mut limit) = (level.game.rules, args.game.limits.memory());
    let arena = Arc::new(Arena::of_map(&level.game.graph));
    let by_robber = args.robbers.iter().filter(|robber| robber.is_optimal());
    let by_robber = by_robber.map(|_| rules.cops);
    let by_cops = args.cops.iter().filter_map(|cops| cops.table(rules.cops));
    let by_response = args
        .exploitability
        .filter(|&from| from == ResponseFrom::All);
    let by_response = by_response.map(|_| rules.cops);
    let needed: BTreeSet<NonZeroU8> = by_cops.chain(by_robber).chain(by_response).collect();
    let mut wanted = needed.clone();
    wanted.insert(rules.cops);
    let mut tables = Vec::new();
    for cops in wanted {
        let rules = Rules { cops, ..rules };
        if let Some(table) = read(args, level, &arena, rules)? {
            tables.push(table);
            continue;
        }
        let solver = Solver::new(Arc::clone(&arena), rules, limit);
        let refused = |error| Failure::of_solver(error, limit).named(level.path);
        match solver {
            Ok(solver) => {
                let solution = Arc::new(solve(solver, None, terminal)?);
                // It stays in memory, so its size is no longer available to others.
                let kept = Estimate::new(arena.places(), &rules);
                limit = limit.saturating_sub(kept.map_or(limit, |table| table.solution_bytes()));
                tables.push(solution.into());
            }
            Err(error) if needed.contains(&cops) => return Err(refused(error)),
            Err(error) if !terminal.quiet => {
                eprintln!("{}; the optimum is unknown", refused(error));
            }
            Err(_) => {}
        }
    }
    Ok((tables, limit))
}

/// Reads a table of a map from the folder of tables, if it is there.
fn read(
    args: &Args,
    level: &Level<'_>,
    arena: &Arc<Arena>,
    rules: Rules,
) -> Result<Option<SharedTable>, Failure> {
    let file = |folder: &PathBuf| folder.join(format!("{}.{}.ptab", level.name, rules.cops));
    let Some(path) = args.tables.as_ref().map(file).filter(|path| path.exists()) else {
        return Ok(None);
    };
    let table = read_exact_table(&path)?.table;
    let fits = table.expect_arena(arena);
    fits.map_err(|error| Failure::of_table(&path, &error))?;
    if table.rules() != rules {
        let path = path.display();
        let found = table.rules();
        return Err(Failure::Input(format!(
            "{path}: expected a table of {} cops of speed {} and a robber of speed {}, found {} of {} and {}",
            rules.cops,
            rules.cop_speed.steps(),
            rules.robber_speed.steps(),
            found.cops,
            found.cop_speed.steps(),
            found.robber_speed.steps()
        )));
    }
    Ok(Some(SharedTable {
        times: Arc::new(table),
        arena: Arc::clone(arena),
    }))
}

/// Plays a pair on a map.
fn score(
    tournament: &Tournament<'_>,
    contest: &Contest,
    players: impl Fn() -> Option<Players<'static>>,
    level: &Level<'_>,
    pair: &str,
    terminal: Terminal,
) -> Result<Score, Failure> {
    let start = Instant::now();
    let clock = || start.elapsed().as_nanos() as u64;
    let bar = Bar::new(terminal, contest.games() as u64);
    let what = format!("{} {pair}: games", level.name);
    let go_on = |at| bar.working(at, &what);
    let played = tournament.run(contest, players, clock, go_on);
    let played = played.map_err(|error| match error {
        ExperimentError::Cancelled => Failure::Interrupted,
        error => failure(level, pair, &error),
    })?;
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    Ok(Score::of(&played))
}

/// Computes a best response to a policy of the cops, from the starts of a contest or from all positions.
fn exploit(
    tournament: &Tournament<'_>,
    policy: impl Fn() -> Option<Box<dyn CopPolicy>>,
    level: &Level<'_>,
    from: Option<&Contest>,
    cops: Cops,
    limit: u64,
    terminal: Terminal,
) -> Result<CopExploitability, Failure> {
    let pair = format!("{cops} against best-response");
    let bar = Bar::new(terminal, 0);
    let what = format!("{} {pair}: ", level.name);
    let (ground, seed) = (tournament.ground, tournament.seed);
    let go_on = |at: Progress| match at.turn.0 {
        0 => bar.working(at, &format!("{what}positions")),
        _ => bar.solving(at, &what),
    };
    let found = match (from, tournament.table) {
        (Some(contest), _) => tournament.response_from_starts(contest, policy, limit, go_on),
        (None, Some(table)) => cop_exploitability(table, ground, policy, seed, limit, go_on),
        (None, None) => Err(ExploitError::NoTable),
    };
    let found = found.map_err(|error| match error {
        ExploitError::Cancelled => Failure::Interrupted,
        ExploitError::Solve(error) => Failure::of_solver(error, limit).named(level.path),
        ExploitError::TooLarge { .. } => {
            Failure::Memory(format!("{pair}: {error}")).named(level.path)
        }
        error => failure(level, &pair, &error),
    })?;
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    Ok(found)
}

/// The failure of games on a map.
fn failure(level: &Level<'_>, what: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!("{}: {what}: {error}", level.path.display()))
}
