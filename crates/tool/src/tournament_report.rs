//! The results of `pursuit tournament` as a table and as JSON.

use crate::chart::Point;
use crate::columns::{Column, Named, by_name, column, greatest, mean, sum, write_table};
use crate::failure::Failure;
use crate::output::Terminal;
use pursuit_lab::eval::{CopExploitability, Score};
use serde::Serialize;
use std::fmt;

/// The results of a cop policy against a robber policy on a map. Times are in microseconds.
#[derive(Serialize, Debug, Clone)]
pub struct Row {
    map: String,
    cops: String,
    robber: String,
    cop_count: u8,
    games: u64,
    /// The positions that are not won for the cops, which are skipped.
    skipped: u64,
    capture_rate: Option<f64>,
    capture_rate_low: Option<f64>,
    capture_rate_high: Option<f64>,
    capture_ratio: Option<f64>,
    capture_ratio_low: Option<f64>,
    capture_ratio_high: Option<f64>,
    worst_ratio: Option<f64>,
    survival_ratio: Option<f64>,
    survival_ratio_low: Option<f64>,
    survival_ratio_high: Option<f64>,
    turns_mean: Option<f64>,
    captured_50: Option<f64>,
    captured_100: Option<f64>,
    captured_200: Option<f64>,
    captured_400: Option<f64>,
    us_mean: Option<f64>,
    us_p99: Option<f64>,
    /// The positions in which the best-responding robber escapes for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    escapes: Option<u64>,
}

impl Row {
    pub fn new(
        map: &str,
        cops: impl fmt::Display,
        robber: impl fmt::Display,
        cop_count: u8,
        skipped: u64,
        score: &Score,
    ) -> Self {
        let (rate, ratio) = (score.capture_rate(), score.capture_ratio());
        let survival = score.survival_ratio();
        Self {
            map: map.to_owned(),
            cops: cops.to_string(),
            robber: robber.to_string(),
            cop_count,
            games: score.games,
            skipped,
            capture_rate: rate.map(|rate| rate.mean),
            capture_rate_low: rate.map(|rate| rate.low),
            capture_rate_high: rate.map(|rate| rate.high),
            capture_ratio: ratio.map(|ratio| ratio.mean),
            capture_ratio_low: ratio.map(|ratio| ratio.low),
            capture_ratio_high: ratio.map(|ratio| ratio.high),
            worst_ratio: score.worst_ratio(),
            survival_ratio: survival.map(|ratio| ratio.mean),
            survival_ratio_low: survival.map(|ratio| ratio.low),
            survival_ratio_high: survival.map(|ratio| ratio.high),
            turns_mean: score.mean_turns(),
            captured_50: score.captured_within(50),
            captured_100: score.captured_within(100),
            captured_200: score.captured_within(200),
            captured_400: score.captured_within(400),
            us_mean: score.mean_time().map(|time| time * 1e-3),
            us_p99: score.time(99).map(|time| time as f64 * 1e-3),
            escapes: None,
        }
    }

    /// The row of the robber that knows the policy. The figures are over all positions, and exact.
    pub fn of_best_response(
        map: &str,
        cops: impl fmt::Display,
        cop_count: u8,
        found: &CopExploitability,
    ) -> Self {
        let robber = "best-response";
        let captures = found.positions - found.escapes;
        let share = captures as f64 / found.positions as f64;
        Self {
            games: found.positions,
            capture_rate: (found.positions > 0).then_some(share),
            capture_ratio: found.mean_ratio,
            worst_ratio: found.worst_ratio,
            escapes: Some(found.escapes),
            ..Self::new(map, cops, robber, cop_count, 0, &Score::default())
        }
    }
}

impl Named for Row {
    const HEADINGS: &'static [&'static str] = &["map", "cops", "robber"];

    fn map(&self) -> &str {
        &self.map
    }

    fn others(&self) -> Vec<String> {
        vec![self.cops.clone(), self.robber.clone()]
    }
}

const PERCENT: f64 = 100.0;

fn percent(share: Option<f64>) -> Option<f64> {
    share.map(|share| share * PERCENT)
}

const COLUMNS: [Column<Row>; 10] = [
    column(["", "games"], 0, |row| Some(row.games as f64), sum),
    column(["", "skipped"], 0, |row| Some(row.skipped as f64), sum),
    column(["caught", "%"], 1, |row| percent(row.capture_rate), mean),
    column(["turns /", "optimum"], 3, |row| row.capture_ratio, mean),
    column(["", "worst"], 2, |row| row.worst_ratio, greatest),
    column(["survived /", "optimum"], 3, |row| row.survival_ratio, mean),
    column(["turns to", "capture"], 1, |row| row.turns_mean, mean),
    column(
        ["% within", "100 turns"],
        1,
        |row| percent(row.captured_100),
        mean,
    ),
    column(["us / move", "mean"], 1, |row| row.us_mean, mean),
    column(["", "p99"], 1, |row| row.us_p99, greatest),
];

/// Prints a row for each map and pair of policies and, for several maps, the averages of each pair.
pub fn print(rows: &[Row], terminal: Terminal) -> Result<(), Failure> {
    terminal.print(&rows, |out| {
        let columns: Vec<&Column<Row>> = COLUMNS.iter().collect();
        write_table(out, rows, &columns)
    })
}

/// The points of the chart: one for each pair of policies, averaged over the maps, without best responses.
pub fn points(rows: &[Row]) -> Vec<Point> {
    let average = |rows: &[&Row], of: fn(&Row) -> Option<f64>| {
        let numbers: Vec<f64> = rows.iter().filter_map(|row| of(row)).collect();
        Some(mean(&numbers)).filter(|mean| mean.is_finite())
    };
    let point = |rows: Vec<&Row>| {
        Some(Point {
            name: format!("{}:{}", rows[0].cops, rows[0].robber),
            cost: average(&rows, |row| row.us_mean).filter(|time| *time > 0.0)?,
            quality: average(&rows, |row| row.capture_rate)?,
        })
    };
    by_name(rows).into_iter().filter_map(point).collect()
}
