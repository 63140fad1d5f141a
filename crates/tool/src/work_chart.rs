//! A chart of the work of solvers by the length of the solution, with a line for each solver.
//!
//! It corresponds to figures 4.14 to 4.18 in Moldenhauer, "Game tree search algorithms for the game of cops and
//! robber" (2009).

#![expect(
    clippy::disallowed_methods,
    reason = "a picture: no decision depends on it"
)]

use crate::output::grouped;
use crate::play_out_lengths::{Group, Row};
use crate::svg::{self, LEFT, Position, RIGHT, TOP};

/// A panel of the chart: one kind of work.
struct Panel {
    heading: &'static str,
    unit: &'static str,
    of: fn(&Row) -> Option<f64>,
}

const PANELS: [Panel; 3] = [
    Panel {
        heading: "expansions",
        unit: "expansions",
        of: |row| row.mean.expansions,
    },
    Panel {
        heading: "touched states",
        unit: "touched states",
        of: |row| row.mean.touched,
    },
    Panel {
        heading: "milliseconds",
        unit: "ms",
        of: |row| row.mean.seconds.map(|time| 1e3 * time),
    },
];

/// The height of a panel and the distance of the tops of panels.
const PANEL: f64 = 236.0;
const DISTANCE: f64 = 276.0;

/// The mean work of a solver on the positions of a group.
struct Point<'a> {
    row: &'a Row,
    /// The middle of the group.
    turns: f64,
    work: f64,
}

/// The chart as an SVG file.
pub fn svg(rows: &[Row]) -> String {
    let heading = "Mean work for one position by the number of turns until the capture";
    let height = (PANELS.len() as f64).mul_add(DISTANCE, TOP + 32.0);
    svg::sheet_of(height, heading, |out| {
        let turns = TurnAxis::of(rows);
        for (index, panel) in PANELS.iter().enumerate() {
            let top = (index as f64).mul_add(DISTANCE, TOP);
            draw_panel(out, panel, &turns, rows, top);
        }
        let bottom = height - 20.0;
        svg::caption_at(
            out,
            bottom,
            "turns (hollow: some positions were not solved)",
        );
        for (index, name) in solvers(rows).into_iter().enumerate() {
            svg::legend(out, index, name);
        }
    })
}

/// The names of the solvers, in order of first appearance.
fn solvers(rows: &[Row]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in rows.iter().map(|row| row.solver.name()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn draw_panel(out: &mut String, panel: &Panel, turns: &TurnAxis, rows: &[Row], top: f64) {
    let points = rows.iter().filter_map(|row| point(row, panel));
    let points: Vec<Point> = points.collect();
    let work = WorkAxis::of(&points, top);
    let words = format!("mean {} (logarithmic)", panel.heading);
    svg::text(out, Position::new(LEFT, top + 10.0), "start", "", &words);
    turns.draw(out, work.top, work.bottom);
    work.draw(out);
    for (index, name) in solvers(rows).into_iter().enumerate() {
        let color = svg::color(index);
        let place = |point: &Point<'_>| Position::new(turns.x(point.turns), work.y(point.work));
        let line = points
            .iter()
            .filter(|point| point.row.solver.name() == name);
        let line: Vec<&Point> = line.collect();
        if line.is_empty() {
            continue;
        }
        svg::polyline(out, color, line.iter().map(|point| place(point)));
        for point in line {
            let Row {
                group,
                positions,
                solved,
                ..
            } = point.row;
            let (number, unit) = (rounded(point.work), panel.unit);
            let words =
                format!("{name}, {group} turns: {number} {unit}, {solved} of {positions} solved");
            let fill = if solved == positions {
                color
            } else {
                "#ffffff"
            };
            svg::ring(out, place(point), color, fill, &words);
        }
    }
}

/// The point of a row. Work of 0 has no place on a logarithmic axis, and an escape has no length.
fn point<'a>(row: &'a Row, panel: &Panel) -> Option<Point<'a>> {
    let Group::Turns { from, to } = row.group else {
        return None;
    };
    Some(Point {
        row,
        turns: f64::midpoint(from.into(), to.into()),
        work: (panel.of)(row).filter(|&work| work > 0.0)?,
    })
}

/// A number with at least two significant digits.
fn rounded(number: f64) -> String {
    if number >= 10.0 {
        return grouped(number.round() as u64);
    }
    let digits = (1.0 - number.log10().floor()).clamp(0.0, 9.0);
    format!("{number:.*}", digits as usize)
}

/// A power of ten, short enough for the margin: millions are written with M.
fn power(exponent: i32) -> String {
    let number = 10_f64.powi(exponent);
    match exponent {
        ..0 => format!("{number:.*}", exponent.unsigned_abs() as usize),
        0..6 => grouped(number.round() as u64),
        _ => format!("{} M", grouped((number * 1e-6).round() as u64)),
    }
}

/// The horizontal axis, from 0.
struct TurnAxis {
    last: f64,
}

impl TurnAxis {
    fn of(rows: &[Row]) -> Self {
        let last = rows.iter().filter_map(|row| match row.group {
            Group::Turns { to, .. } => Some(f64::from(to)),
            Group::Escapes | Group::Unknown => None,
        });
        Self {
            last: last.fold(1.0, f64::max),
        }
    }

    fn x(&self, turns: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * turns / self.last
    }

    /// Draws the vertical grid lines and their numbers, at most ten and the zero.
    fn draw(&self, out: &mut String, top: f64, bottom: f64) {
        let powers = (0..5).map(|exponent| 10_u32.pow(exponent));
        let mut steps = powers.flat_map(|power| [1, 2, 5].map(|step| step * power));
        let few = steps.find(|&step| self.last / f64::from(step) <= 10.0);
        let step = f64::from(few.unwrap_or(100_000));
        let lines = (self.last / step).floor() as u32;
        for turns in (0..=lines).map(|line| f64::from(line) * step) {
            svg::upright_in(out, self.x(turns), top, bottom, &format!("{turns}"));
        }
    }
}

/// The vertical axis of a panel: logarithmic, between powers of ten.
struct WorkAxis {
    top: f64,
    bottom: f64,
    /// The exponents of the ends.
    exponents: (i32, i32),
}

impl WorkAxis {
    fn of(points: &[Point<'_>], top: f64) -> Self {
        let work = points.iter().map(|point| point.work);
        let least = work.clone().fold(f64::INFINITY, f64::min);
        let most = work.fold(0.0, f64::max);
        let exponents = if least <= most {
            let lowest = least.log10().floor() as i32;
            (lowest, (most.log10().ceil() as i32).max(lowest + 1))
        } else {
            (0, 1)
        };
        let (top, bottom) = (top + 20.0, top + PANEL);
        Self {
            top,
            bottom,
            exponents,
        }
    }

    fn y(&self, work: f64) -> f64 {
        let (from, to) = (f64::from(self.exponents.0), f64::from(self.exponents.1));
        self.bottom - (self.bottom - self.top) * (work.log10() - from) / (to - from)
    }

    fn draw(&self, out: &mut String) {
        for exponent in self.exponents.0..=self.exponents.1 {
            svg::level(out, self.y(10_f64.powi(exponent)), &power(exponent));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play_out_lengths::Work;
    use crate::single::SolverName;

    fn row(from: u16, solver: SolverName, expansions: Option<f64>) -> Row {
        Row {
            group: Group::Turns { from, to: from + 4 },
            solver,
            positions: 2,
            solved: u64::from(expansions.is_some()),
            mean: Work {
                expansions,
                touched: None,
                seconds: Some(0.5),
            },
        }
    }

    #[test]
    fn powers_of_ten_are_equally_far_apart() {
        let rows = [1.0, 30.0, 1000.0].map(|work| row(1, SolverName::Rma, Some(work)));
        let points = rows.iter().filter_map(|row| point(row, &PANELS[0]));
        let points: Vec<Point> = points.collect();
        let axis = WorkAxis::of(&points, 0.0);
        assert_eq!(axis.exponents, (0, 3));
        let ys = [1.0, 10.0, 100.0, 1000.0].map(|work| axis.y(work));
        assert!((ys[0] - axis.bottom).abs() < 1e-9 && (ys[3] - axis.top).abs() < 1e-9);
        assert!((ys[0] - ys[1] - (ys[2] - ys[3])).abs() < 1e-9);
    }

    #[test]
    fn a_panel_has_lines_only_where_something_is_known() {
        let rows = [
            row(1, SolverName::Rma, Some(3.0)),
            row(6, SolverName::Rma, None),
        ];
        let svg = svg(&rows);
        assert_eq!(svg.matches("<polyline ").count(), 2, "none for touched");
        assert!(svg.contains("<title>rma, 1 to 5 turns: 3.0 expansions, 1 of 2 solved"));
        assert!(
            svg.contains("fill=\"#ffffff\" stroke=\"#0072b2\""),
            "hollow"
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn numbers_are_short_and_keep_two_digits() {
        let numbers = [0.004_56, 0.5, 3.0, 12.4, 12_345.6].map(rounded);
        let powers = [-3, 0, 5, 6, 10].map(power);
        assert_eq!(powers, ["0.001", "1", "100,000", "1 M", "10,000 M"]);
        assert_eq!(numbers, ["0.0046", "0.50", "3.0", "12", "12,346"]);
    }
}
