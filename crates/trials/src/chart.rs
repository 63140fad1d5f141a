//! A chart of percentages against a quantity, as an SVG file.

#![expect(clippy::disallowed_methods, reason = "a picture")]

use std::fmt::Write as _;

const LEFT: f64 = 64.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 344.0;

/// Distinguishable with colour vision deficiencies (M. Okabe and K. Ito, "Color universal design",
/// 2008), and also by their marks.
const COLORS: [&str; 3] = ["#0072b2", "#d55e00", "#009e73"];

/// A chart of lines, in %.
pub struct Chart {
    pub heading: String,
    /// The caption of the horizontal axis.
    pub below: String,
    /// Whether the horizontal axis is linear, and not logarithmic.
    pub is_linear: bool,
    pub lines: Vec<Line>,
}

/// A line through points: a number and a percentage.
pub struct Line {
    name: &'static str,
    points: Vec<(f64, f64)>,
}

impl Line {
    pub const fn new(name: &'static str, points: Vec<(f64, f64)>) -> Self {
        Self { name, points }
    }

    /// Writes the line with its marks and its entry in the legend. `x` places a number on the axis.
    fn write(&self, out: &mut String, index: usize, x: &dyn Fn(f64) -> f64) -> std::fmt::Result {
        let color = COLORS[index % COLORS.len()];
        let corners = self.points.iter().map(|&(at, share)| (x(at), y(share)));
        let corners: Vec<(f64, f64)> = corners.collect();
        let path: Vec<String> = corners
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let path = path.join(" ");
        writeln!(
            out,
            "<polyline points=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
        )?;
        for &corner in &corners {
            mark(out, index, corner, color)?;
        }
        let entry = (RIGHT + 24.0, TOP + 12.0 + 24.0 * index as f64);
        mark(out, index, entry, color)?;
        writeln!(
            out,
            "<text x=\"{}\" y=\"{}\">{}</text>",
            entry.0 + 12.0,
            entry.1 + 4.5,
            self.name
        )
    }
}

impl Chart {
    pub fn to_svg(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        self.write_frame(out)?;
        let numbers = || {
            self.lines
                .iter()
                .flat_map(|line| &line.points)
                .map(|point| point.0)
        };
        let least = numbers()
            .filter(|&number| number > 0.0)
            .fold(f64::MAX, f64::min);
        let most = numbers().fold(least, f64::max);
        // 0 is placed left of the smallest positive number, at the distance of a factor of √10.
        let first = least.min(most) / 10.0_f64.sqrt();
        let is_linear = self.is_linear;
        let x = |number: f64| {
            if is_linear {
                return LEFT + 12.0 + (RIGHT - LEFT - 24.0) * number / most;
            }
            let length = (most / first).ln().max(f64::MIN_POSITIVE);
            LEFT + 12.0 + (RIGHT - LEFT - 24.0) * (number.max(first) / first).ln() / length
        };
        let ticks = self.lines.first().map_or(&[][..], |line| &line.points);
        for &(number, _) in ticks {
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#6b7280\">{number}</text>",
                x(number),
                BOTTOM + 20.0
            )?;
        }
        for (index, line) in self.lines.iter().enumerate() {
            line.write(out, index, &x)?;
        }
        writeln!(out, "</svg>")
    }

    /// Writes the heading, the scale of shares and the label of the horizontal axis.
    fn write_frame(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\" width=\"720\" height=\"400\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#1f2430\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"26\" font-size=\"16\" font-weight=\"600\">{}</text>",
            self.heading
        )?;
        for share in [0, 25, 50, 75, 100] {
            let y = y(share.into());
            writeln!(
                out,
                "<line x1=\"{LEFT}\" y1=\"{y}\" x2=\"{RIGHT}\" y2=\"{y}\" stroke=\"#e5e7eb\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#6b7280\">{share} %</text>",
                LEFT - 8.0,
                y + 4.5
            )?;
        }
        let middle = f64::midpoint(LEFT, RIGHT);
        let below = BOTTOM + 44.0;
        writeln!(
            out,
            "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{}</text>",
            self.below
        )
    }
}

fn y(share: f64) -> f64 {
    BOTTOM - (BOTTOM - TOP) * share / 100.0
}

/// A circle for the first line, a square for the others.
fn mark(out: &mut String, index: usize, (x, y): (f64, f64), color: &str) -> std::fmt::Result {
    if index == 0 {
        writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{color}\"/>"
        )
    } else {
        let (x, y) = (x - 4.0, y - 4.0);
        writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"8\" height=\"8\" fill=\"{color}\"/>"
        )
    }
}
