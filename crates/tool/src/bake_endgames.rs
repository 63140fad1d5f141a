//! `pursuit bake-endgames`: solves the shapes of regions that come up in games, and stores them.

use crate::columns::{Column, Named, column, sum, write_table};
use crate::endgame_games::GamesArgs;
use crate::failure::Failure;
use crate::output::{Terminal, grouped, megabytes};
use crate::output_target::{self, OutputTarget};
use serde::Serialize;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

const NOTES: &str = "\
Games are played as by endgames. Each region that is solved in one of them is stored by its shape, with its table:
regions that are equal but for their place, and for turns and reflections, are stored once. With --shapes the shapes
of another file are kept, and not solved again. The maps are played one after the other, in batches of 64 games
that do not know each other's shapes.

JSON: an object with a list of one object per map, and the number of shapes and bytes of the file.";

/// Play games and store the endgames that come up by their shape
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    #[command(flatten)]
    games: GamesArgs,

    /// Write the shapes with their tables to a file (.pend)
    #[arg(long, short, value_name = "FILE", value_parser = output_target::parser())]
    output: PathBuf,
}

/// What came up on a map.
#[derive(Debug, Serialize)]
struct Row {
    map: String,
    games: u64,
    /// Regions that were solved, and those whose shape was known.
    solved: u64,
    found: u64,
    /// Shapes that no map before had, nor the file of shapes.
    shapes: u64,
    seconds: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    maps: Vec<Row>,
    shapes: usize,
    bytes: usize,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    args.games.begin()?;
    let target = OutputTarget::check(&args.output, &args.games.inputs()?)?;
    let (mut shapes, _) = args.games.shapes(terminal)?;
    let mut maps = Vec::new();
    for map in &args.games.maps {
        let on_map = args.games.on_map(map)?;
        let (start, before) = (Instant::now(), shapes.len());
        let robber = || args.games.robber.policy();
        let (games, known) = on_map.play(terminal, |games, clock, go_on| {
            games.bake(
                &on_map.starts,
                std::mem::take(&mut shapes),
                robber,
                clock,
                go_on,
            )
        })?;
        shapes = known;
        maps.push(Row {
            map: on_map.name,
            games: games.len() as u64,
            solved: games.iter().map(|game| game.regions.len() as u64).sum(),
            found: games.iter().map(|game| game.found).sum(),
            shapes: (shapes.len() - before) as u64,
            seconds: start.elapsed().as_secs_f64(),
        });
    }
    let bytes = shapes.to_bytes();
    target.write(&bytes)?;
    let report = Report {
        maps,
        shapes: shapes.len(),
        bytes: bytes.len(),
    };
    terminal.print(&report, |out| {
        let columns: Vec<&Column<Row>> = COLUMNS.iter().collect();
        write_table(out, &report.maps, &columns)?;
        let (shapes, bytes) = (grouped(report.shapes as u64), report.bytes as u64);
        writeln!(out, "shapes {shapes}, {}", megabytes(bytes))
    })
}

impl Named for Row {
    const HEADINGS: &'static [&'static str] = &["map"];

    fn map(&self) -> &str {
        &self.map
    }

    fn others(&self) -> Vec<String> {
        Vec::new()
    }
}

const COLUMNS: [Column<Row>; 5] = [
    column(["", "games"], 0, |row| Some(row.games as f64), sum),
    column(["regions", "solved"], 0, |row| Some(row.solved as f64), sum),
    column(["shape", "known"], 0, |row| Some(row.found as f64), sum),
    column(["new", "shapes"], 0, |row| Some(row.shapes as f64), sum),
    column(["", "seconds"], 1, |row| Some(row.seconds), sum),
];
