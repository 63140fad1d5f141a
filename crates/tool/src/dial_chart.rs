//! A chart of robbers of graded difficulty: survival against the difficulty level.

use crate::svg::{self, LEFT, Position, RIGHT, Survival};

/// The averages of a robber at a difficulty level over several maps.
pub struct Point {
    /// The algorithm and its parameters: `trailmax:5`.
    pub robber: String,
    /// The difficulty level, from 0 to 1.
    pub level: f32,
    /// Survival as a fraction of the optimum, at most 1.
    pub survival: f64,
}

/// The chart as an SVG file, with a line for each robber.
pub fn svg(points: &[Point]) -> String {
    let heading = "Survival against optimal cops by difficulty, relative to an optimal robber";
    svg::sheet(heading, |out| {
        let survival = Survival::of(points.iter().map(|point| point.survival));
        survival.draw(out);
        for tenth in (0..=10_u8).step_by(2) {
            let level = f32::from(tenth) / 10.0;
            svg::upright(out, x(level), &format!("{level}"));
        }
        svg::caption(
            out,
            "difficulty, from 0 (the robber hardly runs) to 1 (full strength)",
        );
        for (index, line) in lines(points).iter().enumerate() {
            let color = svg::color(index);
            let place = |point: &Point| Position::new(x(point.level), survival.y(point.survival));
            svg::polyline(out, color, line.iter().map(|point| place(point)));
            for point in line {
                let percent = 100.0 * point.survival;
                let words = format!(
                    "{} at {}: {percent:.2} % of the optimum",
                    point.robber, point.level
                );
                svg::dot(out, place(point), color, &words);
            }
            svg::legend(out, index, &line[0].robber);
        }
    })
}

fn x(level: f32) -> f64 {
    LEFT + (RIGHT - LEFT) * f64::from(level)
}

/// The points of each robber, the weakest first.
fn lines(points: &[Point]) -> Vec<Vec<&Point>> {
    let mut lines = svg::lines(points, |point| &point.robber);
    for line in &mut lines {
        line.sort_by(|a, b| a.level.total_cmp(&b.level));
    }
    lines
}
