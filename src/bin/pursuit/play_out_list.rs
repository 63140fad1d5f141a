//! `pursuit play-out --positions`: solves many positions, and reports the work for each.

use crate::failure::Failure;
use crate::game::GameArgs;
use crate::output::Terminal;
use crate::play_out::ValueReport;
use crate::position_output::print_with;
use crate::positions::Positions;
use crate::single::{Answer, Limit, Single, SolverName};
use bevy_pursuit::game::Outcome;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Row {
    /// The number of the line in the file, counted from 1 after the header.
    position: usize,
    #[serde(flatten)]
    value: ValueReport,
    expansions: u64,
    touched: u64,
    bytes: u64,
    seconds: f64,
}

/// The columns that are appended to the columns of the file.
const COLUMNS: [&str; 7] = [
    "turns",
    "lower",
    "upper",
    "expansions",
    "touched",
    "bytes",
    "seconds",
];

pub fn run(
    map: &Path,
    positions: &Path,
    game: &GameArgs,
    solver: SolverName,
    limit: Limit,
    terminal: Terminal,
) -> Result<(), Failure> {
    let positions = Positions::read(positions)?;
    let game = game.read(map, positions.cops()?)?;
    let records = positions.records.iter();
    let agents = records.map(|record| positions.agents(record, &game.graph));
    let agents: Vec<_> = agents.collect::<Result<_, _>>()?;
    let answers = agents.iter().map(|(robber, cops)| {
        let single = Single {
            graph: &game.graph,
            rules: game.rules,
            robber: *robber,
            cops,
        };
        single.solve(solver, limit, terminal)
    });
    let answers: Vec<Answer> = answers.collect::<Result<_, _>>()?;
    if terminal.json {
        let rows = (1..).zip(&answers).map(|(position, answer)| Row {
            position,
            value: ValueReport::of(answer),
            expansions: answer.effort.expansions,
            touched: answer.effort.touched,
            bytes: answer.effort.bytes,
            seconds: answer.seconds,
        });
        let rows: Vec<Row> = rows.collect();
        return terminal.print(&rows, |_| Ok(()));
    }
    print_with(&positions, COLUMNS, answers.iter().map(fields))
}

fn fields(answer: &Answer) -> [String; COLUMNS.len()] {
    let bounds = answer.bounds;
    let value = bounds.value().map(|value| value.to_string());
    let upper = match (bounds.upper, &value) {
        (Outcome::Escapes, None) => String::new(),
        (upper, _) => upper.to_string(),
    };
    [
        value.unwrap_or_default(),
        bounds.lower.to_string(),
        upper,
        answer.effort.expansions.to_string(),
        answer.effort.touched.to_string(),
        answer.effort.bytes.to_string(),
        format!("{:.6}", answer.seconds),
    ]
}
