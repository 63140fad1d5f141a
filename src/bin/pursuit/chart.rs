//! A chart of robbers: how well they survive against what they compute, as figure 5.17 of the thesis.

use std::fmt::Write as _;

/// A robber on average over some maps.
pub struct Point {
    /// Its algorithm and parameters: `trailmax:5`.
    pub robber: String,
    /// Vertices expanded a turn, as a share of those of the map; above 0.
    pub expanded: f64,
    /// Survival over optimum, at most 1.
    pub optimality: f64,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 600.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 720.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 524.0;

const INK: &str = "#1f2430";
const PALE: &str = "#6b7280";
const GRID: &str = "#e5e7eb";
/// One colour after another for the algorithms, told apart by most eyes (Okabe and Ito, 2008; the
/// yellow darker, for white paper).
const COLORS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#b8860b", "#000000", "#7a5195",
];

/// The chart as an SVG file. The best robbers are at the top, the cheapest ones at the left.
pub fn svg(points: &[Point]) -> String {
    let axes = Axes::of(points);
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"13\" fill=\"{INK}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    axes.draw(&mut out);
    let mut labels = Labels::default();
    for (index, family) in families(points).iter().enumerate() {
        draw_family(&mut out, &axes, family, index, &mut labels);
    }
    out.push_str("</svg>\n");
    out
}

/// The points of each algorithm, the cheapest first; the algorithms in the order they come in.
fn families(points: &[Point]) -> Vec<Vec<&Point>> {
    let mut families: Vec<Vec<&Point>> = Vec::new();
    for point in points {
        let same = |family: &&mut Vec<&Point>| name(family[0]).0 == name(point).0;
        match families.iter_mut().find(same) {
            Some(family) => family.push(point),
            None => families.push(vec![point]),
        }
    }
    for family in &mut families {
        family.sort_by(|a, b| a.expanded.total_cmp(&b.expanded));
    }
    families
}

/// The algorithm and its parameters.
fn name(point: &Point) -> (&str, &str) {
    point.robber.split_once(':').unwrap_or((&point.robber, ""))
}

/// Draws the line of an algorithm, its points with their parameters and its entry of the legend.
fn draw_family(
    out: &mut String,
    axes: &Axes,
    family: &[&Point],
    index: usize,
    labels: &mut Labels,
) {
    let color = COLORS[index % COLORS.len()];
    let place = |point: &Point| (axes.x(point.expanded), axes.y(point.optimality));
    let corner = |point: &&Point| {
        let (x, y) = place(point);
        format!("{x:.1},{y:.1}")
    };
    let line: Vec<String> = family.iter().map(corner).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" \
         stroke-opacity=\"0.5\"/>",
        line.join(" ")
    );
    for point in family {
        let (x, y) = place(point);
        let (robber, percent) = (escaped(&point.robber), 100.0 * point.optimality);
        let expanded = percentage(point.expanded);
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{color}\"><title>{robber}: \
             {percent:.2} % of the optimum, {expanded} of the vertices a turn</title></circle>"
        );
    }
    // The ends of the line come first: where there is little room, they matter most.
    let ends_first = family.iter().rev().take(1).chain(family);
    for point in ends_first {
        let ((x, y), parameters) = (place(point), name(point).1);
        // Below the line, which mostly rises: who computes more survives longer.
        let at = (x + 7.0, y + 13.0);
        if !parameters.is_empty() && labels.have_room(at, parameters) {
            let style = format!("font-size=\"11\" fill=\"{color}\"");
            text(out, at, "start", &style, &escaped(parameters));
        }
    }
    let (x, y) = (RIGHT + 28.0, TOP + 8.0 + 24.0 * index as f64);
    let _ = writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{color}\"/>"
    );
    let algorithm = escaped(name(family[0]).0);
    text(out, (x + 14.0, y + 4.5), "start", "", &algorithm);
}

/// Where there are words already: left, right and foot of each.
#[derive(Default)]
struct Labels(Vec<(f64, f64, f64)>);

impl Labels {
    /// Is there room for words that begin at a place? If so, it is taken.
    fn have_room(&mut self, (left, foot): (f64, f64), words: &str) -> bool {
        // About as wide as digits of 11 pixels are.
        let right = left + 7.0 * words.chars().count() as f64;
        let overlaps = |other: &(f64, f64, f64)| {
            left < other.1 && other.0 < right && (foot - other.2).abs() < 12.0
        };
        let free = !self.0.iter().any(overlaps);
        if free {
            self.0.push((left, right, foot));
        }
        free
    }
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, more: &str, words: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {more}>{words}</text>"
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// A share for people.
fn percentage(share: f64) -> String {
    let percent = 100.0 * share;
    // As many digits as the first one that is not 0 needs, but for what floating point adds.
    let digits = (-(percent * 1.000_001).log10().floor()).clamp(0.0, 9.0);
    format!("{percent:.*} %", digits as usize)
}

/// What is where: expansions from left to right, each tenfold as wide, optimality upwards.
struct Axes {
    /// Where the steps of 1, 2 and 5 times a power of ten begin and end that hold all points.
    expanded: (f64, f64),
    /// The lowest optimality and the distance of lines, in %; the top is 100.
    lowest: f64,
    step: f64,
}

impl Axes {
    fn of(points: &[Point]) -> Self {
        let expanded = points.iter().map(|point| point.expanded);
        let least = expanded.clone().fold(f64::INFINITY, f64::min);
        let most = expanded.fold(0.0, f64::max);
        let (least, most) = if least <= most {
            (least, most)
        } else {
            (0.1, 1.0)
        };
        let optimality = points.iter().map(|point| 100.0 * point.optimality);
        let worst = optimality.fold(99.0, f64::min);
        let steps = [0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
        let few = steps.into_iter().find(|step| (100.0 - worst) / step <= 8.0);
        let step = few.unwrap_or(20.0);
        Self {
            // A little room on both sides.
            expanded: (round_down(least / 1.3), round_up(most * 1.3)),
            lowest: ((worst - 0.2 * step) / step).floor() * step,
            step,
        }
    }

    fn x(&self, expanded: f64) -> f64 {
        let (from, to) = (self.expanded.0.ln(), self.expanded.1.ln());
        LEFT + (RIGHT - LEFT) * (expanded.ln() - from) / (to - from)
    }

    fn y(&self, optimality: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * (100.0 * optimality - self.lowest) / (100.0 - self.lowest)
    }

    /// Draws the lines, their numbers and what they say.
    fn draw(&self, out: &mut String) {
        let line = |out: &mut String, from: (f64, f64), to: (f64, f64)| {
            let _ = writeln!(
                out,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{GRID}\"/>",
                from.0, from.1, to.0, to.1
            );
        };
        let pale = format!("fill=\"{PALE}\"");
        let rows = ((100.0 - self.lowest) / self.step).round() as u32;
        let digits = usize::from(self.step < 1.0);
        for percent in (0..=rows).map(|row| self.lowest + f64::from(row) * self.step) {
            let y = self.y(percent / 100.0);
            line(out, (LEFT, y), (RIGHT, y));
            let number = format!("{percent:.digits$} %");
            text(out, (LEFT - 10.0, y + 4.5), "end", &pale, &number);
        }
        for share in self.shares() {
            let x = self.x(share);
            line(out, (x, TOP), (x, BOTTOM));
            text(out, (x, BOTTOM + 20.0), "middle", &pale, &percentage(share));
        }
        let middle = f64::midpoint(LEFT, RIGHT);
        let below = "vertices expanded a turn, of those of the map (logarithmic)";
        text(out, (middle, BOTTOM + 50.0), "middle", "", below);
        let heading = "Survival against optimal cops, of what an optimal robber survives";
        let bold = "font-size=\"16\" font-weight=\"600\"";
        text(out, (LEFT, TOP - 24.0), "start", bold, heading);
    }

    /// Where the lines are that stand upright.
    fn shares(&self) -> Vec<f64> {
        let (from, to) = self.expanded;
        let wide = (to / from).log10() > 3.0;
        let exponents = from.log10().floor() as i32..=to.log10().ceil() as i32;
        let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all = exponents
            .flat_map(|exponent| steps.iter().map(move |step| step * 10_f64.powi(exponent)));
        // Floating point may put the ends a little beside themselves.
        all.filter(|share| (from * 0.999..=to * 1.001).contains(share))
            .collect()
    }
}

/// The greatest 1, 2 or 5 times a power of ten that is not above a number.
fn round_down(number: f64) -> f64 {
    let power = 10_f64.powf(number.log10().floor());
    let step = [5.0, 2.0].into_iter().find(|step| step * power <= number);
    step.unwrap_or(1.0) * power
}

/// The least 1, 2 or 5 times a power of ten that is not below a number.
fn round_up(number: f64) -> f64 {
    let power = 10_f64.powf(number.log10().floor());
    let step = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|step| step * power >= number);
    step.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_percentages_are_round() {
        let steps = [0.013, 0.02, 0.3, 7.0].map(|number| (round_down(number), round_up(number)));
        let expected = [(0.01, 0.02), (0.02, 0.02), (0.2, 0.5), (5.0, 10.0)];
        for (found, expected) in steps.into_iter().zip(expected) {
            assert!((found.0 / expected.0 - 1.0).abs() < 1e-9, "{found:?}");
            assert!((found.1 / expected.1 - 1.0).abs() < 1e-9, "{found:?}");
        }
        let shares = [2.0, 0.5, 0.01, 0.001, 0.000_2].map(percentage);
        assert_eq!(shares, ["200 %", "50 %", "1 %", "0.1 %", "0.02 %"]);
    }
}
