//! `pursuit patterns`: generates pattern databases, and measures the cost of matching them.

use crate::failure::Failure;
use crate::game::MovesName;
use crate::input::read_patterns;
use crate::machine::memory_limit;
use crate::output::{Terminal, grouped, megabytes};
use crate::output_target::{self, OutputTarget};
use crate::pattern_match::{MatchReport, measure};
use crate::progress::Bar;
use clap::ValueEnum;
use pursuit_lab::patterns::hex::{Hex, MAX_HEXAGONS};
use pursuit_lab::patterns::pursuit::PursuitWindows;
use pursuit_lab::patterns::{Generator, PatternCount, PatternFile, PatternGame, Subject};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

/// Generate pattern databases: windows of a map in which the capture of the robber is certain
///
/// The patterns are found by retrograde analysis, smaller windows first. A pattern that smaller ones imply
/// is discarded, and patterns that are equal under the symmetries are kept once. With --game hex, the
/// patterns are connections of two stones in Hex. With --match MAP, the cost of matching is measured.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    #[arg(long, value_enum, default_value_t = GameName::Pursuit)]
    game: GameName,

    /// The largest window in columns and rows, at most 20 cells; in Hex, the greatest number of hexagons: N
    #[arg(long, value_name = "WxH", default_value = "4x3")]
    shape: String,

    /// The greatest number of cops in a pattern, 1 or 2
    #[arg(long, value_name = "K", default_value_t = 1)]
    cops: u8,

    /// The greatest number of moves of the cops, or of the side that connects
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: u8,

    /// Also generate patterns with one guarded side, guarded from the robber's first, second, ... up to its Nth move on (at
    /// most 3); 0: all sides are open
    #[arg(long, value_name = "N", default_value_t = 0)]
    guarded: u8,

    /// The allowed steps
    #[arg(long, value_enum, default_value_t = MovesName::Octile)]
    moves: MovesName,

    /// Read the patterns from a file instead of generating them; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "shape", "cops", "depth", "guarded", "moves"])]
    file: Option<PathBuf>,

    /// Measure the cost of matching in positions of a map
    #[arg(long = "match", value_name = "MAP")]
    matched: Option<PathBuf>,

    /// Write the patterns to a file (.ppat)
    #[arg(long, short, value_name = "FILE", value_parser = output_target::parser())]
    output: Option<PathBuf>,
}

#[derive(ValueEnum, Serialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum GameName {
    Pursuit,
    Hex,
}

#[derive(Serialize)]
struct Report {
    rows: Vec<Row>,
    patterns: usize,
    pattern_bytes: u64,
    seconds: f64,
    #[serde(rename = "match")]
    matched: Option<MatchReport>,
}

/// The patterns of one size: of one window, or of all shapes with the same number of hexagons.
#[derive(Serialize)]
struct Row {
    size: String,
    cells: usize,
    shapes: usize,
    /// The number of ground codes of a shape.
    possible: usize,
    /// The number of ground codes of the cells without pieces, for all shapes and placements of the pieces.
    positions: u64,
    won: Vec<u64>,
    in_one: Vec<u64>,
    in_two: Vec<u64>,
    seconds: f64,
    /// The bytes of the kept patterns.
    bytes: u64,
}

impl Row {
    fn kept(&self) -> u64 {
        [&self.won, &self.in_one, &self.in_two]
            .into_iter()
            .flatten()
            .sum()
    }
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let inputs: Vec<PathBuf> = args.matched.iter().chain(&args.file).cloned().collect();
    let target = args.output.as_deref();
    let target = target
        .map(|path| OutputTarget::check(path, &inputs))
        .transpose()?;
    let start = Instant::now();
    let (file, rows) = match (&args.file, args.game) {
        (Some(path), _) => (read_patterns(path)?, Vec::new()),
        (None, GameName::Hex) => hex(args, terminal)?,
        (None, GameName::Pursuit) => pursuit(args, terminal)?,
    };
    let seconds = start.elapsed().as_secs_f64();
    let matched = args.matched.as_ref();
    let matched = matched
        .map(|map| measure(&file, map, terminal))
        .transpose()?;
    if let Some(target) = target {
        target.write(&file.to_bytes())?;
    }
    let report = Report {
        patterns: file.database.patterns().len(),
        pattern_bytes: file.database.bytes(),
        seconds,
        rows,
        matched,
    };
    terminal.print(&report, |out| print(&report, out))
}

type Generated = (PatternFile, Vec<Row>);

fn hex(args: &Args, terminal: Terminal) -> Result<Generated, Failure> {
    let cells = args
        .shape
        .parse()
        .ok()
        .filter(|cells| (2..=MAX_HEXAGONS).contains(cells));
    let Some(cells) = cells else {
        let (most, found) = (MAX_HEXAGONS, &args.shape);
        let text = format!("--shape: expected 2 to {most} hexagons, found {found}");
        return Err(Failure::Usage(text));
    };
    generate(Hex::new(cells), Subject::Hex, args.depth, terminal)
}

fn pursuit(args: &Args, terminal: Terminal) -> Result<Generated, Failure> {
    let size = args.shape.split_once('x');
    let size = size.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let (moves, cops, guarded) = (args.moves.into(), args.cops, args.guarded);
    let game = size.and_then(|size| PursuitWindows::new(moves, cops, size, guarded));
    let Some(game) = game else {
        let text = format!(
            "expected a --shape WxH of 2 to 20 cells, --cops 1 or 2, --guarded up to 3 and moves on squares, \
             found {}, {cops}, {guarded} and {moves:?}",
            args.shape
        );
        return Err(Failure::Usage(text));
    };
    let subject = Subject::Pursuit {
        moves,
        cops,
        guarded,
    };
    generate(game, subject, args.depth, terminal)
}

/// Generates the patterns of a game, and measures the time of each shape.
fn generate<G: PatternGame>(
    game: G,
    subject: Subject,
    depth: u8,
    terminal: Terminal,
) -> Result<Generated, Failure> {
    let mut generator = Generator::new(game, depth);
    let (needed, limit) = (generator.bytes(), memory_limit());
    if needed > limit {
        let [needed, limit] = [needed, limit].map(megabytes);
        let text = format!("expected patterns that need up to {limit}, found {needed}");
        return Err(Failure::Memory(text));
    }
    let bar = Bar::new(terminal, generator.progress().shapes as u64);
    let mut rows: Vec<Row> = Vec::new();
    let mut clock = Instant::now();
    loop {
        let before = generator.progress().done;
        let progress = generator.advance(1);
        if progress.done > before {
            if let Some(count) = generator.rows().last() {
                add(&mut rows, subject, count, clock.elapsed().as_secs_f64());
            }
            clock = Instant::now();
        }
        if !bar.update(
            progress.done as u64,
            progress.shapes as u64,
            "shapes".into(),
        ) {
            return Err(Failure::Interrupted);
        }
        if progress.done == progress.shapes {
            break;
        }
    }
    let database = generator.finish();
    let file = PatternFile {
        subject,
        depth,
        database,
    };
    Ok((file, rows))
}

fn add(rows: &mut Vec<Row>, subject: Subject, count: &PatternCount, seconds: f64) {
    let size = match subject {
        Subject::Hex => count.cells.to_string(),
        Subject::Pursuit { .. } => {
            let (a, b) = count.span;
            format!("{}x{}", a.max(b), a.min(b))
        }
    };
    if rows.last().is_none_or(|row| row.size != size) {
        let none = vec![0; count.kept[0].len()];
        rows.push(Row {
            size,
            cells: count.cells,
            shapes: 0,
            possible: count.codes,
            positions: 0,
            won: none.clone(),
            in_one: none.clone(),
            in_two: none,
            seconds: 0.0,
            bytes: 0,
        });
    }
    let Some(row) = rows.last_mut() else { return };
    row.shapes += 1;
    row.positions += count.positions;
    row.seconds += seconds;
    row.bytes += 17 * count.total();
    let kinds = [&mut row.won, &mut row.in_one, &mut row.in_two];
    for (sum, more) in kinds.into_iter().zip(&count.kept) {
        for (sum, more) in sum.iter_mut().zip(more) {
            *sum += more;
        }
    }
}

fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    if !report.rows.is_empty() {
        writeln!(
            out,
            "size   shapes    possible      positions        kept   seconds         bytes  kept by turns: won / in one / in two"
        )?;
    }
    let list = |counts: &[u64]| {
        let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
        counts.join(" ")
    };
    for row in &report.rows {
        writeln!(
            out,
            "{:<5} {:>7} {:>11} {:>14} {:>11} {:>9.3} {:>13}  {} / {} / {}",
            row.size,
            row.shapes,
            grouped(row.possible as u64),
            grouped(row.positions),
            grouped(row.kept()),
            row.seconds,
            grouped(row.bytes),
            list(&row.won),
            list(&row.in_one),
            list(&row.in_two),
        )?;
    }
    writeln!(
        out,
        "patterns {}, {} bytes, {:.3} s",
        grouped(report.patterns as u64),
        grouped(report.pattern_bytes),
        report.seconds
    )?;
    match &report.matched {
        Some(found) => found.print(out),
        None => Ok(()),
    }
}
