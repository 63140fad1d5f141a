//! `pursuit doors`: which door or link of a level changes it most.

use crate::failure::Failure;
use crate::game::{GameArgs, RulesReport};
use crate::input::read_level;
use crate::interrupt::is_interrupted;
use crate::output::Terminal;
use crate::output_target::{self, OutputTarget};
use crate::progress::Bar;
use crate::svg::{self, Position};
use pursuit_engine::game::Rules;
use pursuit_engine::graph::Graph;
use pursuit_engine::map::TileMap;
use pursuit_lab::eval::{AnalysisError, AnalysisProgress, analyze, level_changes};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::NonZeroU8;
use std::path::PathBuf;

const NOTES: &str = "\
Each line is the level after one change: a door that is open at the start closes, one that is closed
opens, and a link closes. Everything else is as at the start. The lines are in the order of how much
they change: first the share of positions with a capture, then the mean number of turns.

The mean is that of all positions with a capture. Positions count only if the cops and the robber are
in the same component of the map.";

/// Find the door or link that changes a level most
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// A level (.level.ron), or - for stdin
    level: PathBuf,

    /// The number of cops
    #[arg(long, value_name = "K", default_value = "1")]
    cops: NonZeroU8,

    #[command(flatten)]
    game: GameArgs,

    /// Draw the lines as bars. A device or a pipe is written to directly; - is refused, because stdout is for the report
    #[arg(long, value_name = "FILE.svg", value_parser = output_target::parser())]
    picture: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    rules: RulesReport,
    start: Line,
    /// The changes, the greatest first.
    changes: Vec<Change>,
}

/// A level in one state of its doors and links.
#[derive(Serialize, Clone, Copy)]
struct Line {
    /// The share of positions from which the cops capture the robber, from 0 to 1.
    captured: f64,
    /// The mean number of turns of a capture; `None` if there is no capture.
    mean_turns: Option<f64>,
    longest_turns: u16,
}

#[derive(Serialize)]
struct Change {
    name: String,
    opens: bool,
    #[serde(flatten)]
    line: Line,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let check = |path| OutputTarget::check(path, std::slice::from_ref(&args.level));
    let target = args.picture.as_deref().map(check).transpose()?;
    args.game.limits.threads.set()?;
    let level = read_level(&args.level)?;
    let rules = Rules {
        moves: args.game.moves_on(&level),
        ..args.game.read_rules(args.cops)
    };
    let changes = level_changes(&level);
    if changes.is_empty() {
        let path = args.level.display();
        return Err(Failure::Input(format!(
            "{path}: expected doors or links, found none"
        )));
    }
    let bar = Bar::new(terminal, 1 + changes.len() as u64);
    let measure = |map: &TileMap, name: &str| -> Result<Line, Failure> {
        let go_on = |at: AnalysisProgress| bar.solving(at.solver, &format!("{name}: "));
        let graph = Graph::new(map, rules.moves);
        let limit = args.game.limits.memory();
        let found = analyze(&graph, rules, limit, go_on).map_err(|error| match error {
            AnalysisError::Cancelled => Failure::Interrupted,
            AnalysisError::Table(_) | AnalysisError::TooLarge { .. } => {
                Failure::Memory(error.to_string()).named(&args.level)
            }
            error => Failure::Input(format!("{}: {error}", args.level.display())),
        })?;
        let captures = found.positions - found.escapes;
        Ok(Line {
            captured: captures as f64 / found.positions.max(1) as f64,
            mean_turns: found.mean(),
            longest_turns: found.longest().0,
        })
    };
    let start = measure(&level.initial_map(), "as at the start")?;
    let changes = changes.into_iter().map(|change| {
        let line = measure(&change.map, &change.name)?;
        let (name, opens) = (change.name, change.opens);
        Ok(Change { name, opens, line })
    });
    let mut changes: Vec<Change> = changes.collect::<Result<_, Failure>>()?;
    changes.sort_by(|a, b| b.line.differs(start).total_cmp(&a.line.differs(start)));
    drop(bar);
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    let report = Report {
        rules: rules.into(),
        start,
        changes,
    };
    if let Some(target) = target {
        target.write(picture(&report).as_bytes())?;
    }
    terminal.print(&report, |out| print(out, &report))
}

impl Line {
    /// By how much a line differs from another one: a hundredth of the positions counts as much as any number of turns.
    fn differs(self, from: Self) -> f64 {
        let share = (self.captured - from.captured).abs();
        let mean = |line: Self| line.mean_turns.unwrap_or(0.0);
        let turns = (mean(self) - mean(from)).abs();
        (share * 1e6).round() + turns.min(9_999.0) / 1e4
    }
}

impl Change {
    fn title(&self) -> String {
        let does = if self.opens { "opens" } else { "closes" };
        format!("{} {does}", self.name)
    }
}

fn print(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let titles = report.changes.iter().map(Change::title);
    let titles: Vec<String> = std::iter::once("as at the start".to_owned())
        .chain(titles)
        .collect();
    let wide = titles.iter().map(|title| title.chars().count()).max();
    let wide = wide.unwrap_or_default();
    writeln!(out, "{:wide$}  captured   mean  longest", "")?;
    let lines =
        std::iter::once(report.start).chain(report.changes.iter().map(|change| change.line));
    for (title, line) in titles.iter().zip(lines) {
        let share = line.captured * 100.0;
        let mean = line
            .mean_turns
            .map_or("-".to_owned(), |mean| format!("{mean:.2}"));
        writeln!(
            out,
            "{title:wide$}  {share:7.2}%  {mean:>5}  {:>7}",
            line.longest_turns
        )?;
    }
    Ok(())
}

/// Bars of the share of positions with a capture, the state at the start above the changes.
fn picture(report: &Report) -> String {
    const ROW: f64 = 30.0;
    const NAMES: f64 = 320.0;
    let rows = 1 + report.changes.len();
    let height = svg::TOP + ROW * rows as f64 + 40.0;
    svg::sheet_of(
        height,
        "Positions from which the cops capture the robber",
        |out| {
            let titles = report.changes.iter().map(Change::title);
            let titles = std::iter::once("as at the start".to_owned()).chain(titles);
            let lines = std::iter::once(report.start);
            let lines = lines.chain(report.changes.iter().map(|change| change.line));
            for (index, (title, line)) in titles.zip(lines).enumerate() {
                let y = svg::TOP + ROW * index as f64;
                let (x, width) = (NAMES, (svg::RIGHT - NAMES) * line.captured);
                let color = svg::color(usize::from(index > 0));
                // Writing to a string cannot fail.
                let _ = writeln!(
                    out,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"20\" fill=\"{color}\"/>"
                );
                let name = Position::new(NAMES - 10.0, y + 15.0);
                svg::text(out, name, "end", "", &svg::escaped(&title));
                let mean = line
                    .mean_turns
                    .map_or(String::new(), |mean| format!(", mean {mean:.1} turns"));
                let words = format!("{:.1} %{mean}", line.captured * 100.0);
                svg::text(
                    out,
                    Position::new(x + width + 8.0, y + 15.0),
                    "start",
                    "",
                    &words,
                );
            }
        },
    )
}
