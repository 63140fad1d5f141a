//! `pursuit endgames`: how early captures are proven, on maps of any size.

use crate::columns::{Column, Named, column, greatest, mean, sum, write_table};
use crate::endgame_games::GamesArgs;
use crate::failure::Failure;
use crate::output::Terminal;
use pursuit_lab::eval::{Announced, RegionCost};
use serde::Serialize;
use std::sync::Arc;

const NOTES: &str = "\
The cops play as a team until a local table proves a capture, and then by the proof. A capture is announced in
the first turn with a proof; its lead is the number of turns from there to the capture. A promise is broken if
a proof is lost, if its bound does not fall, or if the capture comes late: that never happens.

A region is the part of the map of which a table is made. With --shapes, regions whose shape is on file are counted
apart: they need no table. The time of a region includes its choice. Other threads disturb times: measure them
with --threads 1.

A graph is a list of edges (.edges): the number of vertices, then one edge a line, `A B` in both directions or
`A > B` from A to B only; or one line in graph6 format (.g6). On a graph each cop runs to where the robber survives
shortest in a race, until there is a proof. The robber is trailmax.

JSON: a list with one object per map. Shares are fractions, leads are in turns, times in milliseconds, null
means that a value does not exist.";

/// Turns of lead that count as early.
const EARLY: u32 = 5;

/// Play a team of cops and count the captures that were proven beforehand
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,
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
    regions_known: u64,
    region_vertices_mean: Option<f64>,
    region_ms_mean: Option<f64>,
    region_ms_p99: Option<f64>,
    region_ms_max: Option<f64>,
    region_bytes_max: Option<u64>,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    args.games.begin()?;
    let (shapes, _) = args.games.shapes(terminal)?;
    let shapes = Arc::new(shapes);
    let mut rows = Vec::new();
    for map in &args.games.maps {
        if let Some(graph) = args.games.on_graph(map, terminal)? {
            let (cops, robber) = (args.games.cops.get(), args.games.robber.to_string());
            let row = Row::new(graph.name, graph.vertices, cops, robber, &graph.played);
            rows.push(row);
            continue;
        }
        let on_map = args.games.on_map(map)?;
        let robber = || args.games.robber.policy();
        let played = on_map.play(terminal, |games, clock, go_on| {
            games.run(&on_map.starts, &shapes, robber, clock, go_on)
        })?;
        let (vertices, cops) = (on_map.game.graph.vertices(), args.games.cops.get());
        let robber = args.games.robber.to_string();
        rows.push(Row::new(on_map.name, vertices, cops, robber, &played));
    }
    terminal.print(&rows, |out| {
        let columns: Vec<&Column<Row>> = COLUMNS.iter().collect();
        write_table(out, &rows, &columns)
    })
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
            regions_known: games.iter().map(|game| game.found).sum(),
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

const COLUMNS: [Column<Row>; 12] = [
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
    column(
        ["shape", "known"],
        0,
        |row| Some(row.regions_known as f64),
        sum,
    ),
    column(["ms / region", "mean"], 1, |row| row.region_ms_mean, mean),
    column(["", "p99"], 1, |row| row.region_ms_p99, greatest),
    column(
        ["MB / region", "most"],
        1,
        |row| row.region_bytes_max.map(|bytes| bytes as f64 * 1e-6),
        greatest,
    ),
];
