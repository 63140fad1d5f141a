//! `pursuit endgames`: how early captures are proven, on maps of any size.

use crate::columns::{Column, Named, column, greatest, mean, sum, write_table};
use crate::failure::Failure;
use crate::game::{Game, GameArgs};
use crate::interrupt::is_interrupted;
use crate::output::Terminal;
use crate::positions::Positions;
use crate::progress::Bar;
use crate::starts::{expect_one_stdin, name, positions_of};
use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::eval::{Announced, Announcements, Draw, ExperimentError, RegionCost, Start};
use bevy_pursuit::policy::Ground;
use bevy_pursuit::policy::robber::RobberKind;
use serde::Serialize;
use std::num::{NonZeroU8, NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Instant;

const NOTES: &str = "\
The cops play as a team until a local table proves a capture, and then by the proof. A capture is announced in
the first turn with a proof; its lead is the number of turns from there to the capture. A promise is broken if
a proof is lost, if its bound does not fall, or if the capture comes late: that never happens.

A region is the part of the map of which a table is made. Its time includes the choice of the region. Other
threads disturb times: measure them with --threads 1.

JSON: a list with one object per map. Shares are fractions, leads are in turns, times in milliseconds, null
means that a value does not exist.";

/// Turns of lead that count as early.
const EARLY: u32 = 5;

/// Play a team of cops and count the captures that were proven beforehand
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// .map files or levels (.level.ron); - reads one of them from stdin
    #[arg(required = true, value_name = "MAP")]
    maps: Vec<PathBuf>,

    /// A file with a header line and one position per line, or a folder with a file NAME.csv for each
    /// map NAME.map; may be repeated [default: random positions]
    #[arg(long, value_name = "FILE.csv|FOLDER")]
    positions: Vec<PathBuf>,

    /// The number of cops: the first ones of the file, and further ones at random places
    #[arg(long, value_name = "K", default_value = "2")]
    cops: NonZeroU8,

    /// The number of games, at most one for each position of a file
    #[arg(long, value_name = "N", default_value = "100")]
    games: NonZeroUsize,

    /// The robber, as in eval, but none that needs a table
    #[arg(long, value_name = "ROBBER", default_value = "trailmax")]
    robber: RobberKind,

    /// The turn limit of a game
    #[arg(long, value_name = "N", default_value = "600")]
    turns: NonZeroU32,

    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value = "0")]
    seed: u64,

    #[command(flatten)]
    game: GameArgs,
}

/// The figures of a map.
#[derive(Debug, Serialize)]
struct Row {
    map: String,
    vertices: usize,
    cops: u8,
    robber: String,
    games: u64,
    captures: u64,
    announced: Option<f64>,
    early: Option<f64>,
    broken: u64,
    lead_mean: Option<f64>,
    lead_median: Option<u32>,
    lead_max: Option<u32>,
    turns_mean: Option<f64>,
    regions: u64,
    region_vertices_mean: Option<f64>,
    region_ms_mean: Option<f64>,
    region_ms_p99: Option<f64>,
    region_ms_max: Option<f64>,
    region_bytes_max: Option<u64>,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    expect_one_stdin(&args.maps, &args.positions)?;
    args.game.limits.threads.set()?;
    let mut rows = Vec::new();
    for map in &args.maps {
        let game = args.game.read_one(map, args.cops)?;
        let name = name(map);
        let starts = starts(args, &game, &name)?;
        rows.push(play(args, &game, name, &starts, terminal)?);
    }
    terminal.print(&rows, |out| {
        let columns: Vec<&Column<Row>> = COLUMNS.iter().collect();
        write_table(out, &rows, &columns)
    })
}

/// The positions that games start from.
fn starts(args: &Args, game: &Game, name: &str) -> Result<Vec<Start>, Failure> {
    let mut draw = Draw::new(&game.graph, args.seed);
    let cops = usize::from(args.cops.get());
    let mut starts = Vec::new();
    if args.positions.is_empty() {
        let numbers = 0..args.games.get() as u64;
        starts.extend(numbers.filter_map(|number| draw.start(number, cops)));
    } else {
        let file = positions_of(&args.positions, args.maps.len(), name)?;
        let mut positions = Positions::read(&file)?;
        positions.take_cops(args.cops.min(positions.cops()?))?;
        for (number, record) in (0..).zip(positions.records.iter().take(args.games.get())) {
            let (robber, cops_at) = positions.agents(record, &game.graph)?;
            let mut start = Start {
                robber,
                cops: cops_at,
            };
            draw.complete(number, &mut start, cops);
            starts.push(start);
        }
    }
    starts.retain(|start| !start.cops.contains(&start.robber));
    Ok(starts)
}

/// Plays all games on a map.
fn play(
    args: &Args,
    game: &Game,
    name: String,
    starts: &[Start],
    terminal: Terminal,
) -> Result<Row, Failure> {
    let hierarchy = Hierarchy::new(&game.graph);
    let announcements = Announcements {
        ground: Ground {
            graph: &game.graph,
            hierarchy: Some(&hierarchy),
            guide: None,
        },
        rules: game.rules,
        turns: args.turns.get(),
        seed: args.seed,
    };
    let start = Instant::now();
    let clock = || start.elapsed().as_nanos() as u64;
    let bar = Bar::new(terminal, starts.len() as u64);
    let what = format!("{name}: games");
    let go_on = |at| bar.working(at, &what);
    let played = announcements.run(starts, || args.robber.policy(), clock, go_on);
    let played = played.map_err(|error| match error {
        ExperimentError::Cancelled => Failure::Interrupted,
        error => Failure::Input(format!("{name}: {error}")),
    })?;
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    let (vertices, cops) = (game.graph.vertices(), args.cops.get());
    Ok(Row::new(
        name,
        vertices,
        cops,
        args.robber.to_string(),
        &played,
    ))
}

impl Row {
    fn new(map: String, vertices: usize, cops: u8, robber: String, games: &[Announced]) -> Self {
        let captures: Vec<&Announced> = games
            .iter()
            .filter(|game| game.captured.is_some())
            .collect();
        let mut leads: Vec<u32> = captures.iter().filter_map(|game| game.lead()).collect();
        leads.sort_unstable();
        let early = leads.iter().filter(|&&lead| lead >= EARLY).count();
        let share =
            |part: usize| (!captures.is_empty()).then(|| part as f64 / captures.len() as f64);
        let regions: Vec<&RegionCost> = games.iter().flat_map(|game| &game.regions).collect();
        let mut times: Vec<u64> = regions.iter().map(|region| region.nanoseconds).collect();
        times.sort_unstable();
        let ms = |nanoseconds: u64| nanoseconds as f64 * 1e-6;
        let of_all = |of: &dyn Fn(&RegionCost) -> f64| {
            let numbers: Vec<f64> = regions.iter().map(|region| of(region)).collect();
            (!numbers.is_empty()).then(|| mean(&numbers))
        };
        let turns: Vec<f64> = captures
            .iter()
            .filter_map(|game| game.captured.map(f64::from))
            .collect();
        let lead_numbers: Vec<f64> = leads.iter().copied().map(f64::from).collect();
        Self {
            map,
            vertices,
            cops,
            robber,
            games: games.len() as u64,
            captures: captures.len() as u64,
            announced: share(leads.len()),
            early: share(early),
            broken: games.iter().filter(|game| game.is_broken).count() as u64,
            lead_mean: (!leads.is_empty()).then(|| mean(&lead_numbers)),
            lead_median: leads.get(leads.len() / 2).copied(),
            lead_max: leads.last().copied(),
            turns_mean: (!turns.is_empty()).then(|| mean(&turns)),
            regions: regions.len() as u64,
            region_vertices_mean: of_all(&|region| region.vertices as f64),
            region_ms_mean: of_all(&|region| ms(region.nanoseconds)),
            region_ms_p99: times.get(times.len() * 99 / 100).copied().map(ms),
            region_ms_max: times.last().copied().map(ms),
            region_bytes_max: regions.iter().map(|region| region.bytes).max(),
        }
    }
}

impl Named for Row {
    const HEADINGS: &'static [&'static str] = &["map", "robber"];

    fn map(&self) -> &str {
        &self.map
    }

    fn others(&self) -> Vec<String> {
        vec![self.robber.clone()]
    }
}

const PERCENT: f64 = 100.0;

const COLUMNS: [Column<Row>; 11] = [
    column(["", "games"], 0, |row| Some(row.games as f64), sum),
    column(["", "captures"], 0, |row| Some(row.captures as f64), sum),
    column(
        ["announced", "%"],
        1,
        |row| row.announced.map(|share| share * PERCENT),
        mean,
    ),
    column(
        ["% 5 turns", "before"],
        1,
        |row| row.early.map(|share| share * PERCENT),
        mean,
    ),
    column(
        ["promises", "broken"],
        0,
        |row| Some(row.broken as f64),
        sum,
    ),
    column(["lead", "mean"], 1, |row| row.lead_mean, mean),
    column(["turns to", "capture"], 1, |row| row.turns_mean, mean),
    column(["", "regions"], 0, |row| Some(row.regions as f64), sum),
    column(["ms / region", "mean"], 1, |row| row.region_ms_mean, mean),
    column(["", "p99"], 1, |row| row.region_ms_p99, greatest),
    column(
        ["MB / region", "most"],
        1,
        |row| row.region_bytes_max.map(|bytes| bytes as f64 * 1e-6),
        greatest,
    ),
];
