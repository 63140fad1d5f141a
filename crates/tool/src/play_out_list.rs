//! `pursuit play-out --positions`: solves many positions, and reports the work for each.

use crate::failure::Failure;
use crate::game::{AnyGame, GameArgs};
use crate::output::Terminal;
use crate::play_out::ValueReport;
use crate::position_output::print_with;
use crate::positions::Positions;
use crate::single::{Answer, Limit, Single, SolverName};
use pursuit_engine::game::Outcome;
use pursuit_engine::graph::Vertex;
use serde::Serialize;
use std::num::NonZeroUsize;
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

/// A map or graph, and the positions on it.
pub struct List {
    positions: Positions,
    game: AnyGame,
    /// The robber and the cops of each position.
    agents: Vec<(Vertex, Vec<Vertex>)>,
}

impl List {
    /// Reads a map or graph and its positions, at most the first `most` of the file.
    pub fn read(
        map: &Path,
        positions: &Path,
        game: &GameArgs,
        most: Option<NonZeroUsize>,
    ) -> Result<Self, Failure> {
        let mut positions = Positions::read(positions)?;
        if let Some(most) = most {
            positions.records.truncate(most.get());
        }
        let game = game.read_any_one(map, positions.cops()?)?;
        let records = positions.records.iter();
        let agents = records.map(|record| positions.agents(record, game.ground()));
        let agents = agents.collect::<Result<_, _>>()?;
        Ok(Self {
            positions,
            game,
            agents,
        })
    }

    pub const fn len(&self) -> usize {
        self.agents.len()
    }

    /// Solves the position with this index.
    pub fn solve(
        &self,
        index: usize,
        solver: SolverName,
        limit: Limit,
        terminal: Terminal,
    ) -> Result<Answer, Failure> {
        let (robber, cops) = &self.agents[index];
        let single = Single {
            ground: self.game.ground(),
            rules: self.game.rules,
            robber: *robber,
            cops,
        };
        single.solve(solver, limit, terminal)
    }
}

pub fn run(
    list: &List,
    solver: SolverName,
    limit: Limit,
    terminal: Terminal,
) -> Result<(), Failure> {
    let answers = (0..list.len()).map(|index| list.solve(index, solver, limit, terminal));
    let answers: Vec<Answer> = answers.collect::<Result<_, _>>()?;
    if terminal.json {
        let rows = (1..).zip(&answers).map(|(position, answer)| Row {
            position,
            value: ValueReport::of(answer),
            expansions: answer.effort.work.expansions,
            touched: answer.effort.work.touched,
            bytes: answer.effort.bytes,
            seconds: answer.seconds,
        });
        let rows: Vec<Row> = rows.collect();
        return terminal.print(&rows, |_| Ok(()));
    }
    print_with(&list.positions, COLUMNS, answers.iter().map(fields))
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
        answer.effort.work.expansions.to_string(),
        answer.effort.work.touched.to_string(),
        answer.effort.bytes.to_string(),
        format!("{:.6}", answer.seconds),
    ]
}
