//! A chart of robbers: survival against expansions.
//!
//! It corresponds to figure 5.17 in Moldenhauer, "Game tree search algorithms for the game of cops and
//! robber" (2009).

#![expect(
    clippy::disallowed_methods,
    reason = "a picture: no decision depends on it"
)]

use crate::svg::{self, LEFT, RIGHT, Survival};

/// The averages of a robber over several maps.
pub struct Point {
    /// The algorithm and its parameters: `trailmax:5`.
    pub robber: String,
    /// Expansions per turn, as a fraction of the vertices of the map; above 0.
    pub expanded: f64,
    /// Survival as a fraction of the optimum, at most 1.
    pub optimality: f64,
}

/// The chart as an SVG file. The best robbers are at the top, the cheapest ones at the left.
pub fn svg(points: &[Point]) -> String {
    let heading = "Survival against optimal cops, relative to an optimal robber";
    svg::sheet(heading, |out| {
        let axes = Axes::of(points);
        axes.draw(out);
        let mut labels = Labels::default();
        for (index, family) in families(points).iter().enumerate() {
            draw_family(out, &axes, family, index, &mut labels);
        }
    })
}

/// The points of each algorithm, the cheapest first; algorithms in order of first appearance.
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

/// Draws the line of an algorithm, its points with their parameters, and its legend entry.
fn draw_family(
    out: &mut String,
    axes: &Axes,
    family: &[&Point],
    index: usize,
    labels: &mut Labels,
) {
    let color = svg::color(index);
    let place = |point: &Point| (axes.x(point.expanded), axes.survival.y(point.optimality));
    svg::polyline(out, color, family.iter().map(|point| place(point)));
    for point in family {
        let (percent, expanded) = (100.0 * point.optimality, percentage(point.expanded));
        let words = format!(
            "{}: {percent:.2} % of the optimum, {expanded} of the vertices per turn",
            point.robber
        );
        svg::dot(out, place(point), color, &words);
    }
    // The ends of the line are labelled first, because they matter most if there is little room.
    let ends_first = family.iter().rev().take(1).chain(family);
    for point in ends_first {
        let ((x, y), parameters) = (place(point), name(point).1);
        // Below the line, which usually rises: more computation means longer survival.
        let at = (x + 7.0, y + 13.0);
        if !parameters.is_empty() && labels.reserve(at, parameters) {
            let style = format!("font-size=\"11\" fill=\"{color}\"");
            svg::text(out, at, "start", &style, &svg::escaped(parameters));
        }
    }
    svg::legend(out, index, name(family[0]).0);
}

/// The areas that labels already occupy.
#[derive(Default)]
struct Labels(Vec<LabelArea>);

struct LabelArea {
    left: f64,
    right: f64,
    baseline: f64,
}

impl Labels {
    /// Reserves the area of a label that starts at a point, unless it overlaps another label. Returns
    /// whether it was free.
    fn reserve(&mut self, (left, baseline): (f64, f64), words: &str) -> bool {
        // The approximate width of digits at a font size of 11 pixels.
        let right = left + 7.0 * words.chars().count() as f64;
        let overlaps = |other: &LabelArea| {
            left < other.right && other.left < right && (baseline - other.baseline).abs() < 12.0
        };
        let free = !self.0.iter().any(overlaps);
        if free {
            self.0.push(LabelArea {
                left,
                right,
                baseline,
            });
        }
        free
    }
}

/// A fraction as a percentage with one significant digit, at least to whole percents.
fn percentage(share: f64) -> String {
    let percent = 100.0 * share;
    // The factor compensates for rounding errors.
    let digits = (-(percent * 1.000_001).log10().floor()).clamp(0.0, 9.0);
    format!("{percent:.*} %", digits as usize)
}

/// The axes: expansions to the right, logarithmic; optimality upwards.
struct Axes {
    /// The ends of the axis, both 1, 2 or 5 times a power of ten.
    expanded: (f64, f64),
    survival: Survival,
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
        Self {
            // With a margin on both sides.
            expanded: (round_down(least / 1.3), round_up(most * 1.3)),
            survival: Survival::of(points.iter().map(|point| point.optimality)),
        }
    }

    fn x(&self, expanded: f64) -> f64 {
        let (from, to) = (self.expanded.0.ln(), self.expanded.1.ln());
        LEFT + (RIGHT - LEFT) * (expanded.ln() - from) / (to - from)
    }

    /// Draws the grid lines, their numbers and the captions.
    fn draw(&self, out: &mut String) {
        self.survival.draw(out);
        for share in self.shares() {
            svg::upright(out, self.x(share), &percentage(share));
        }
        svg::caption(
            out,
            "expansions per turn, relative to the vertices of the map (logarithmic)",
        );
    }

    /// The positions of the vertical grid lines.
    fn shares(&self) -> Vec<f64> {
        let (from, to) = self.expanded;
        let wide = (to / from).log10() > 3.0;
        let exponents = from.log10().floor() as i32..=to.log10().ceil() as i32;
        let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all = exponents
            .flat_map(|exponent| steps.iter().map(move |step| step * 10_f64.powi(exponent)));
        // The tolerance allows for rounding errors at the ends.
        all.filter(|share| (from * 0.999..=to * 1.001).contains(share))
            .collect()
    }
}

/// Rounds down to 1, 2 or 5 times a power of ten.
fn round_down(number: f64) -> f64 {
    let power = 10_f64.powf(number.log10().floor());
    let step = [5.0, 2.0].into_iter().find(|step| step * power <= number);
    step.unwrap_or(1.0) * power
}

/// Rounds up to 1, 2 or 5 times a power of ten.
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
