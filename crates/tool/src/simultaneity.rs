//! `pursuit simultaneity`: compares the simultaneous game with the alternating game.

use crate::failure::Failure;
use crate::game::{AnyGame, GameArgs};
use crate::ground::AnyGraph;
use crate::output::Terminal;
use crate::output_target::{self, OutputTarget};
use crate::simultaneous::{DifferenceReport, both};
use crate::svg;
use pursuit_engine::game::Rules;
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Moves, Terrain, TileMap};
use pursuit_lab::solve::Difference;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::NonZeroU8;
use std::path::PathBuf;

/// Compare the values of the alternating game with those of the game with simultaneous moves
///
/// The comparison covers all positions that have a finite value in both games. In the alternating game,
/// the cops are to move.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// .map files, levels (.level.ron) or graphs (.edges, .g6)
    maps: Vec<PathBuf>,

    /// Also compare square octile grids without walls, of all sides in this range, for instance 3-12
    #[arg(long, value_name = "FROM-TO", value_parser = sides)]
    grids: Option<(u16, u16)>,

    /// The number of cops
    #[arg(long, value_name = "K", default_value = "1")]
    cops: NonZeroU8,

    #[command(flatten)]
    game: GameArgs,

    /// Draw the ratios as an SVG file
    #[arg(long, value_name = "FILE", value_parser = output_target::parser())]
    chart: Option<PathBuf>,
}

#[derive(Serialize)]
struct Line {
    map: String,
    vertices: usize,
    #[serde(flatten)]
    difference: DifferenceReport,
    infinite: usize,
    seconds: f64,
}

/// The greatest difference between the bounds of a position, in turns.
const TOLERANCE: f64 = 0.01;

fn sides(text: &str) -> Result<(u16, u16), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let sides = from.parse::<u16>().ok().zip(to.parse::<u16>().ok());
    let known = sides.filter(|(from, to)| (1..=*to).contains(from) && *to <= 64);
    known.ok_or_else(|| "expected FROM-TO with sides from 1 to 64".to_owned())
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    args.game.limits.threads.set()?;
    let check = |path: &PathBuf| OutputTarget::check(path, &args.maps);
    let chart = args.chart.as_ref().map(check).transpose()?;
    let limit = args.game.limits.memory();
    let mut lines = Vec::new();
    let (from, to) = args.grids.unwrap_or((1, 0));
    for side in from..=to {
        let game = grid(side, args.game.read_rules(args.cops))?;
        lines.push(line(format!("{side} x {side}"), &game, limit, terminal)?);
    }
    for map in &args.maps {
        let game = args.game.read_any_one(map, args.cops)?;
        let name = map.file_stem().unwrap_or(map.as_os_str()).to_string_lossy();
        lines.push(line(name.into_owned(), &game, limit, terminal)?);
    }
    if lines.is_empty() {
        return Err(Failure::Usage(
            "expected maps, --grids or both, found neither".to_owned(),
        ));
    }
    if let Some(chart) = chart {
        chart.write(draw(&lines).as_bytes())?;
    }
    terminal.print(&lines, |out| print(&lines, out))
}

fn print(lines: &[Line], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "map           vertices  alternating  simultaneous  mean diff.  worst diff.  mean ratio  \
         worst ratio    time"
    )?;
    for line in lines {
        let found = line.difference;
        writeln!(
            out,
            "{:<12}  {:>8}  {:>11.3}  {:>12.3}  {:>10.3}  {:>11.3}  {:>10.3}  {:>11.3}  {:>4.2} s",
            line.map,
            line.vertices,
            found.mean_alternating,
            found.mean_simultaneous,
            found.mean_difference,
            found.worst_difference,
            found.mean_ratio,
            found.worst_ratio,
            line.seconds
        )?;
    }
    Ok(())
}

/// A square grid without walls.
fn grid(side: u16, rules: Rules) -> Result<AnyGame, Failure> {
    let map = TileMap::filled(side, side, Terrain::Floor);
    let map = map.ok_or_else(|| Failure::Input(format!("no map of {side} x {side} cells")))?;
    let rules = Rules {
        moves: Moves::Octile,
        ..rules
    };
    Ok(AnyGame {
        graph: AnyGraph::Map(Graph::new(&map, Moves::Octile)),
        rules,
    })
}

fn line(map: String, game: &AnyGame, limit: u64, terminal: Terminal) -> Result<Line, Failure> {
    let both = both(game, TOLERANCE, limit, terminal)?;
    Ok(Line {
        map,
        vertices: game.ground().vertices(),
        difference: Difference::between(&both.simultaneous, &both.alternating).into(),
        infinite: both.simultaneous.infinite(),
        seconds: both.seconds,
    })
}

/// Draws a bar chart of the mean and the worst ratio of each map.
fn draw(lines: &[Line]) -> String {
    let ratios = lines.iter().map(|line| line.difference.worst_ratio);
    let most = ratios.fold(1.0, f64::max) * 1.05;
    let step = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0]
        .into_iter()
        .find(|step| most / step <= 9.0);
    let step = step.unwrap_or(100.0);
    let y = |ratio: f64| svg::BOTTOM - (svg::BOTTOM - svg::TOP) * ratio / most;
    svg::sheet(
        "Expected capture time over that of the alternating game",
        |out| {
            let mut ratio = 0.0;
            while ratio <= most {
                svg::level(out, y(ratio), &ratio.to_string());
                ratio += step;
            }
            let width = (svg::RIGHT - svg::LEFT) / lines.len() as f64;
            for (index, line) in lines.iter().enumerate() {
                let left = svg::LEFT + width * index as f64;
                let found = line.difference;
                for (bar, ratio) in [found.mean_ratio, found.worst_ratio]
                    .into_iter()
                    .enumerate()
                {
                    let _ = writeln!(
                        out,
                        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
                        left + width * (0.12 + 0.38 * bar as f64),
                        y(ratio),
                        width * 0.36,
                        svg::BOTTOM - y(ratio),
                        svg::color(bar)
                    );
                }
                let middle = svg::Position::new(left + width / 2.0, svg::BOTTOM + 20.0);
                svg::text(
                    out,
                    middle,
                    "middle",
                    "font-size=\"10\"",
                    &svg::escaped(&line.map),
                );
            }
            svg::legend(out, 0, "mean of all positions");
            svg::legend(out, 1, "worst position");
            svg::caption(out, "grid or map");
        },
    )
}
