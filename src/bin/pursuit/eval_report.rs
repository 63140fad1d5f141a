//! The results of `pursuit eval` as a table and as JSON.

use crate::chart::Point;
use crate::dial_chart;
use crate::failure::Failure;
use crate::output::Terminal;
use bevy_pursuit::eval::Performance;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

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

    /// The policy and the difficulty as text.
    fn robber(&self) -> String {
        match self.difficulty {
            Some(level) => format!("{}@{level}", self.policy),
            None => self.policy.clone(),
        }
    }

    /// A number as a fraction of the map's vertices.
    fn share(&self, number: Option<f64>) -> Option<f64> {
        number.map(|number| number / self.vertices as f64)
    }
}

/// A column of the table: its two heading lines, decimal places, value and average.
struct Column {
    heading: [&'static str; 2],
    digits: usize,
    of: fn(&Row) -> Option<f64>,
    average: fn(&[f64]) -> f64,
}

const fn column(
    heading: [&'static str; 2],
    digits: usize,
    of: fn(&Row) -> Option<f64>,
    average: fn(&[f64]) -> f64,
) -> Column {
    Column {
        heading,
        digits,
        of,
        average,
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn sum(numbers: &[f64]) -> f64 {
    numbers.iter().sum()
}

fn greatest(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(0.0, f64::max)
}

const PERCENT: f64 = 100.0;

const COLUMNS: [Column; 13] = [
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
        let shown = |column: &&Column| match column.heading {
            [_, "endless" | "lost"] => has_endless,
            ["exploit-", _] => exploitability,
            _ => true,
        };
        let columns: Vec<&Column> = COLUMNS.iter().filter(shown).collect();
        write_table(out, rows, &columns)
    })
}

fn write_table(out: &mut impl Write, rows: &[Row], columns: &[&Column]) -> io::Result<()> {
    let maps = count(rows.iter().map(|row| &row.map));
    let average = format!("mean of {maps} maps");
    let names = rows.iter().map(|row| row.map.len()).max().unwrap_or(0);
    let names = names.max(if maps > 1 { average.len() } else { 0 }).max(3);
    let policies = rows.iter().map(|row| row.robber().len());
    let policies = policies.max().unwrap_or(0).max(6);
    for (line, first) in [["", ""], ["map", "robber"]].iter().enumerate() {
        write!(out, "{:<names$}  {:<policies$}", first[0], first[1])?;
        for column in columns {
            write!(out, "  {:>10}", column.heading[line])?;
        }
        writeln!(out)?;
    }
    let write_row = |out: &mut dyn Write, map: &str, policy: &str, rows: &[&Row]| {
        write!(out, "{map:<names$}  {policy:<policies$}")?;
        for column in columns {
            let numbers: Vec<f64> = rows.iter().filter_map(|row| (column.of)(row)).collect();
            if numbers.is_empty() {
                write!(out, "  {:>10}", "-")?;
            } else {
                let number = (column.average)(&numbers);
                write!(out, "  {number:>10.*}", column.digits)?;
            }
        }
        writeln!(out)
    };
    for row in rows {
        write_row(out, &row.map, &row.robber(), &[row])?;
    }
    if maps > 1 {
        for rows in by_policy(rows) {
            write_row(out, &average, &rows[0].robber(), &rows)?;
        }
    }
    Ok(())
}

/// The rows of each policy and difficulty, in order of first appearance.
fn by_policy(rows: &[Row]) -> Vec<Vec<&Row>> {
    let mut policies: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let is_same = |rows: &&mut Vec<&Row>| {
            (&rows[0].policy, rows[0].difficulty) == (&row.policy, row.difficulty)
        };
        match policies.iter_mut().find(is_same) {
            Some(rows) => rows.push(row),
            None => policies.push(vec![row]),
        }
    }
    policies
}

/// The points of the chart, without robbers that have no games or no expansions.
pub fn points(rows: &[Row]) -> Vec<Point> {
    let average = |rows: &[&Row], of: &dyn Fn(&Row) -> Option<f64>| {
        let numbers: Vec<f64> = rows.iter().filter_map(|row| of(row)).collect();
        Some(mean(&numbers)).filter(|mean| *mean > 0.0)
    };
    let point = |rows: Vec<&Row>| {
        Some(Point {
            robber: rows[0].policy.clone(),
            expanded: average(&rows, &|row| row.share(row.expansions_per_turn))?,
            optimality: average(&rows, &|row| row.mean_ratio)?,
        })
    };
    by_policy(rows).into_iter().filter_map(point).collect()
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
    by_policy(rows).into_iter().filter_map(point).collect()
}

/// The number of distinct names.
fn count<'a>(names: impl Iterator<Item = &'a String>) -> usize {
    names.collect::<std::collections::BTreeSet<_>>().len()
}
