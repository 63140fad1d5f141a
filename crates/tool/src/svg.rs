//! Drawing primitives of the charts: the sheet, text, legends and the survival axis, as SVG.

use std::fmt::Write as _;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 600.0;

/// The edges of the plot area.
pub const LEFT: f64 = 76.0;
pub const RIGHT: f64 = 720.0;
pub const TOP: f64 = 56.0;
pub const BOTTOM: f64 = 524.0;

const INK: &str = "#1f2430";
const PALE: &str = "#6b7280";
const GRID: &str = "#e5e7eb";
/// The colours of lines. The first ones are distinguishable with colour vision deficiencies (M. Okabe
/// and K. Ito, "Color universal design", 2008; the yellow is darker, for a white background).
const COLORS: [&str; 12] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b8860b", "#000000", "#7a5195",
    "#8c564b", "#17a2a2", "#e0115f", "#6b8e23",
];

/// A position on the sheet, from its top left.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    pub x: f64,
    pub y: f64,
}

impl Position {
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
}

/// The colour of the line with this index, from 0.
pub const fn color(index: usize) -> &'static str {
    COLORS[index % COLORS.len()]
}

/// The points of each line, lines in order of first appearance. `name`: which line a point is on.
pub fn lines<P>(points: &[P], name: impl Fn(&P) -> &str) -> Vec<Vec<&P>> {
    let mut lines: Vec<Vec<&P>> = Vec::new();
    for point in points {
        match lines.iter_mut().find(|line| name(line[0]) == name(point)) {
            Some(line) => line.push(point),
            None => lines.push(vec![point]),
        }
    }
    lines
}

/// An SVG file: a white sheet with a heading, filled by `draw`.
pub fn sheet(heading: &str, draw: impl FnOnce(&mut String)) -> String {
    sheet_of(HEIGHT, heading, draw)
}

/// A sheet of another height.
pub fn sheet_of(height: f64, heading: &str, draw: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"13\" fill=\"{INK}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let bold = "font-size=\"16\" font-weight=\"600\"";
    let at = Position::new(LEFT, TOP - 24.0);
    text(&mut out, at, "start", bold, heading);
    draw(&mut out);
    out.push_str("</svg>\n");
    out
}

pub fn text(out: &mut String, at: Position, anchor: &str, more: &str, words: &str) {
    let Position { x, y } = at;
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {more}>{words}</text>"
    );
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Draws a line through the points.
pub fn polyline(out: &mut String, color: &str, points: impl Iterator<Item = Position>) {
    let corner = |at: Position| format!("{:.1},{:.1}", at.x, at.y);
    let corners: Vec<String> = points.map(corner).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" \
         stroke-opacity=\"0.5\"/>",
        corners.join(" ")
    );
}

/// Draws a point with a tooltip.
pub fn dot(out: &mut String, at: Position, color: &str, words: &str) {
    let Position { x, y } = at;
    let words = escaped(words);
    let _ = writeln!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{color}\"><title>{words}</title></circle>"
    );
}

/// Draws a smaller point with a tooltip, in the colours of its edge and its inside.
pub fn ring(out: &mut String, at: Position, edge: &str, inside: &str, words: &str) {
    let Position { x, y } = at;
    let words = escaped(words);
    let _ = writeln!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{inside}\" stroke=\"{edge}\"><title>{words}</title></circle>"
    );
}

/// Draws the legend entry with this index, from 0.
pub fn legend(out: &mut String, index: usize, name: &str) {
    let (x, y) = (RIGHT + 28.0, TOP + 8.0 + 24.0 * index as f64);
    let color = color(index);
    let _ = writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{color}\"/>"
    );
    let beside = Position::new(x + 14.0, y + 4.5);
    text(out, beside, "start", "", &escaped(name));
}

/// Draws a vertical grid line and its number on the horizontal axis.
pub fn upright(out: &mut String, x: f64, number: &str) {
    upright_in(out, x, TOP, BOTTOM, number);
}

/// Draws a vertical grid line between two heights.
pub fn upright_in(out: &mut String, x: f64, top: f64, bottom: f64, number: &str) {
    grid(out, Position::new(x, top), Position::new(x, bottom));
    let pale = format!("fill=\"{PALE}\"");
    let below = Position::new(x, bottom + 20.0);
    text(out, below, "middle", &pale, number);
}

/// Draws a horizontal grid line and its number on the vertical axis.
pub fn level(out: &mut String, y: f64, number: &str) {
    grid(out, Position::new(LEFT, y), Position::new(RIGHT, y));
    let pale = format!("fill=\"{PALE}\"");
    let beside = Position::new(LEFT - 10.0, y + 4.5);
    text(out, beside, "end", &pale, number);
}

/// Draws the caption of the horizontal axis.
pub fn caption(out: &mut String, words: &str) {
    caption_at(out, BOTTOM + 50.0, words);
}

/// Draws the caption of the horizontal axis at a height.
pub fn caption_at(out: &mut String, y: f64, words: &str) {
    let middle = Position::new(f64::midpoint(LEFT, RIGHT), y);
    text(out, middle, "middle", "", words);
}

fn grid(out: &mut String, from: Position, to: Position) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{GRID}\"/>",
        from.x, from.y, to.x, to.y
    );
}

/// The vertical axis: survival relative to the optimum, or a capture rate, up to 100 %.
pub struct Survival {
    /// The lowest grid line, in %.
    lowest: f64,
    /// The distance of grid lines, in %.
    step: f64,
}

impl Survival {
    /// An axis whose range contains these fractions.
    pub fn of(shares: impl Iterator<Item = f64>) -> Self {
        let worst = shares.map(|share| 100.0 * share).fold(99.0, f64::min);
        let steps = [0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
        let few = steps.into_iter().find(|step| (100.0 - worst) / step <= 8.0);
        let step = few.unwrap_or(20.0);
        Self {
            // With a margin below.
            lowest: (((worst - 0.2 * step) / step).floor() * step).max(0.0),
            step,
        }
    }

    pub fn y(&self, share: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * (100.0 * share - self.lowest) / (100.0 - self.lowest)
    }

    pub fn draw(&self, out: &mut String) {
        let rows = ((100.0 - self.lowest) / self.step).round() as u32;
        let digits = usize::from(self.step < 1.0);
        for percent in (0..=rows).map(|row| self.lowest + f64::from(row) * self.step) {
            let number = format!("{percent:.digits$} %");
            level(out, self.y(percent / 100.0), &number);
        }
    }
}
