//! The results of `pursuit eval` as a table and as JSON.

use crate::chart::Point;
use crate::columns::{Column, Named, by_name, column, greatest, mean, sum, write_table};
use crate::dial_chart;
use crate::failure::Failure;
use crate::output::Terminal;
use pursuit_lab::eval::Performance;
use serde::Serialize;
use std::fmt;

/// The results of a robber on a map. Times are in microseconds.
#[derive(Serialize, Debug, Clone)]
pub struct Row {
    map: String,
    policy: String,
    /// The difficulty level, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<f32>,
    vertices: usize,
    games: u64,
    mean_ratio: Option<f64>,
    endless: u64,
    lost: u64,
    turns: u64,
    calls: u64,
    expansions_per_call: Option<f64>,
    expansions_per_turn: Option<f64>,
    touched_per_call: Option<f64>,
    touched_per_turn: Option<f64>,
    us_mean: Option<f64>,
    us_p99: Option<f64>,
    us_max: Option<f64>,
    us_mean_decision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploitability: Option<f64>,
}

impl Row {
    pub fn new(map: &str, policy: impl fmt::Display, vertices: usize, found: &Performance) -> Self {
        let microseconds = |nanoseconds: f64| nanoseconds * 1e-3;
        let percentile = |percent| found.call_time(percent).map(|time| time as f64 * 1e-3);
        Self {
            map: map.to_owned(),
            policy: policy.to_string(),
            difficulty: None,
            vertices,
            games: found.games,
            mean_ratio: found.mean_ratio(),
            endless: found.endless,
            lost: found.lost,
            turns: found.decisions,
            calls: found.calls,
            expansions_per_call: found.per_call(found.expansions),
            expansions_per_turn: found.per_decision(found.expansions),
            touched_per_call: found.per_call(found.touched),
            touched_per_turn: found.per_decision(found.touched),
            us_mean: found.mean_call_time().map(microseconds),
            us_p99: percentile(99),
            us_max: percentile(100),
            us_mean_decision: found.mean_decision_time().map(microseconds),
            exploitability: None,
        }
    }

    /// A number as a fraction of the map's vertices.
    fn share(&self, number: Option<f64>) -> Option<f64> {
        number.map(|number| number / self.vertices as f64)
    }
}

impl Named for Row {
    const HEADINGS: &'static [&'static str] = &["map", "robber"];

    fn map(&self) -> &str {
        &self.map
    }

    /// The policy and the difficulty.
    fn others(&self) -> Vec<String> {
        vec![match self.difficulty {
            Some(level) => format!("{}@{level}", self.policy),
            None => self.policy.clone(),
        }]
    }
}

const PERCENT: f64 = 100.0;

const COLUMNS: [Column<Row>; 13] = [
    column(["", "games"], 0, |row| Some(row.games as f64), sum),
    column(["", "endless"], 0, |row| Some(row.endless as f64), sum),
    column(["", "lost"], 0, |row| Some(row.lost as f64), sum),
    column(
        ["optimal", "%"],
        2,
        |row| row.mean_ratio.map(|ratio| ratio * PERCENT),
        mean,
    ),
    column(
        ["expanded/v", "per call"],
        4,
        |row| row.share(row.expansions_per_call),
        mean,
    ),
    column(
        ["", "per turn"],
        4,
        |row| row.share(row.expansions_per_turn),
        mean,
    ),
    column(
        ["touched/v", "per call"],
        3,
        |row| row.share(row.touched_per_call),
        mean,
    ),
    column(
        ["", "per turn"],
        3,
        |row| row.share(row.touched_per_turn),
        mean,
    ),
    column(["us / call", "mean"], 1, |row| row.us_mean, mean),
    column(["", "p99"], 1, |row| row.us_p99, greatest),
    column(["", "max"], 1, |row| row.us_max, greatest),
    column(["us / turn", "mean"], 2, |row| row.us_mean_decision, mean),
    column(
        ["exploit-", "able %"],
        2,
        |row| row.exploitability.map(|share| share * PERCENT),
        mean,
    ),
];

/// Prints a row for each map and robber and, for several maps, the averages of each robber.
pub fn print(rows: &[Row], exploitability: bool, terminal: Terminal) -> Result<(), Failure> {
    terminal.print(&rows, |out| {
        let has_endless = rows.iter().any(|row| row.endless > 0);
        let shown = |column: &&Column<Row>| match column.heading {
            [_, "endless" | "lost"] => has_endless,
            ["exploit-", _] => exploitability,
            _ => true,
        };
        let columns: Vec<&Column<Row>> = COLUMNS.iter().filter(shown).collect();
        write_table(out, rows, &columns)
    })
}

/// The points of the chart, without robbers that have no games or no expansions.
pub fn points(rows: &[Row]) -> Vec<Point> {
    let average = |rows: &[&Row], of: &dyn Fn(&Row) -> Option<f64>| {
        let numbers: Vec<f64> = rows.iter().filter_map(|row| of(row)).collect();
        Some(mean(&numbers)).filter(|mean| *mean > 0.0)
    };
    let point = |rows: Vec<&Row>| {
        Some(Point {
            name: rows[0].policy.clone(),
            cost: average(&rows, &|row| row.share(row.expansions_per_turn))?,
            quality: average(&rows, &|row| row.mean_ratio)?,
        })
    };
    by_name(rows).into_iter().filter_map(point).collect()
}

/// The points of the difficulty chart.
pub fn dial_points(rows: &[Row]) -> Vec<dial_chart::Point> {
    let point = |rows: Vec<&Row>| {
        let ratios: Vec<f64> = rows.iter().filter_map(|row| row.mean_ratio).collect();
        Some(dial_chart::Point {
            robber: rows[0].policy.clone(),
            level: rows[0].difficulty?,
            survival: Some(mean(&ratios)).filter(|mean| mean.is_finite())?,
        })
    };
    by_name(rows).into_iter().filter_map(point).collect()
}
