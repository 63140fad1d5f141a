//! A chart of policies: how good they are against what they cost.
//!
//! That of robbers corresponds to figure 5.17 in Moldenhauer, "Game tree search algorithms for the game of cops and
//! robber" (2009).

#![expect(
    clippy::disallowed_methods,
    reason = "a picture: no decision depends on it"
)]

use crate::svg::{self, LEFT, Position, RIGHT, Survival};

/// The averages of a policy over several maps.
pub struct Point {
    /// The algorithm and its parameters: `trailmax:5`.
    pub name: String,
    /// What it costs, above 0.
    pub cost: f64,
    /// How good it is, at most 1.
    pub quality: f64,
}

/// What the axes of a chart mean.
pub struct Meaning {
    pub heading: &'static str,
    /// The caption of the costs.
    pub caption: &'static str,
    /// What a quality in percent is a percentage of, in a tooltip.
    pub quality: &'static str,
    /// A cost as text.
    pub cost: fn(f64) -> String,
    /// What follows a cost in a tooltip.
    pub unit: &'static str,
}

/// Robbers: survival against expansions.
pub const ROBBERS: Meaning = Meaning {
    heading: "Survival against optimal cops, relative to an optimal robber",
    caption: "expansions per turn, relative to the vertices of the map (logarithmic)",
    quality: "of the optimum",
    cost: percentage,
    unit: " of the vertices per turn",
};

/// Cops: capture rate against time.
pub const COPS: Meaning = Meaning {
    heading: "Games with a capture within the turn limit",
    caption: "microseconds per decision of all cops (logarithmic)",
    quality: "captured",
    cost: |time| format!("{}", (time * 100.0).round() / 100.0),
    unit: " us per decision",
};

/// The chart as an SVG file. The best robbers are at the top, the cheapest ones at the left.
pub fn svg(points: &[Point], meaning: &'static Meaning) -> String {
    svg::sheet(meaning.heading, |out| {
        let axes = Axes::of(points, meaning);
        axes.draw(out);
        let mut labels = Labels::default();
        for (index, family) in families(points).iter().enumerate() {
            draw_family(out, &axes, family, index, &mut labels);
        }
    })
}

/// The points of each algorithm, the cheapest first.
fn families(points: &[Point]) -> Vec<Vec<&Point>> {
    let mut families = svg::lines(points, |point| name(point).0);
    for family in &mut families {
        family.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    }
    families
}

/// The algorithm and its parameters.
fn name(point: &Point) -> (&str, &str) {
    point.name.split_once(':').unwrap_or((&point.name, ""))
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
    let place = |point: &Point| Position::new(axes.x(point.cost), axes.quality.y(point.quality));
    svg::polyline(out, color, family.iter().map(|point| place(point)));
    for point in family {
        let Meaning {
            quality,
            cost,
            unit,
            ..
        } = axes.meaning;
        let (percent, cost) = (100.0 * point.quality, cost(point.cost));
        let words = format!("{}: {percent:.2} % {quality}, {cost}{unit}", point.name);
        svg::dot(out, place(point), color, &words);
    }
    // The ends of the line are labelled first, because they matter most if there is little room.
    let ends_first = family.iter().rev().take(1).chain(family);
    for point in ends_first {
        let (at, parameters) = (place(point), name(point).1);
        // Below the line, which usually rises: more computation means longer survival.
        let at = Position::new(at.x + 7.0, at.y + 13.0);
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
    fn reserve(&mut self, at: Position, words: &str) -> bool {
        let Position {
            x: left,
            y: baseline,
        } = at;
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

/// The axes: costs to the right, logarithmic; quality upwards.
struct Axes {
    meaning: &'static Meaning,
    /// The ends of the axis, both 1, 2 or 5 times a power of ten.
    costs: (f64, f64),
    quality: Survival,
}

impl Axes {
    fn of(points: &[Point], meaning: &'static Meaning) -> Self {
        let costs = points.iter().map(|point| point.cost);
        let least = costs.clone().fold(f64::INFINITY, f64::min);
        let most = costs.fold(0.0, f64::max);
        let (least, most) = if least <= most {
            (least, most)
        } else {
            (0.1, 1.0)
        };
        Self {
            // With a margin on both sides.
            costs: (round_down(least / 1.3), round_up(most * 1.3)),
            quality: Survival::of(points.iter().map(|point| point.quality)),
            meaning,
        }
    }

    fn x(&self, cost: f64) -> f64 {
        let (from, to) = (self.costs.0.ln(), self.costs.1.ln());
        LEFT + (RIGHT - LEFT) * (cost.ln() - from) / (to - from)
    }

    /// Draws the grid lines, their numbers and the captions.
    fn draw(&self, out: &mut String) {
        self.quality.draw(out);
        for cost in self.uprights() {
            svg::upright(out, self.x(cost), &(self.meaning.cost)(cost));
        }
        svg::caption(out, self.meaning.caption);
    }

    /// The positions of the vertical grid lines.
    fn uprights(&self) -> Vec<f64> {
        let (from, to) = self.costs;
        let wide = (to / from).log10() > 3.0;
        let exponents = from.log10().floor() as i32..=to.log10().ceil() as i32;
        let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let all = exponents
            .flat_map(|exponent| steps.iter().map(move |step| step * 10_f64.powi(exponent)));
        // The tolerance allows for rounding errors at the ends.
        all.filter(|cost| (from * 0.999..=to * 1.001).contains(cost))
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
