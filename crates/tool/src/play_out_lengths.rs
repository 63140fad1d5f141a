//! `pursuit play-out --by-turns`: the mean work of solvers by the length of the solution.

use crate::failure::Failure;
use crate::output::{Terminal, grouped};
use crate::play_out_list::List;
use crate::single::{Answer, Limit, SolverName};
use pursuit_engine::game::{Outcome, Turns};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroU16;

/// Positions whose solutions are about equally long.
#[derive(Serialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(tag = "group", rename_all = "lowercase")]
pub enum Group {
    /// The cops capture after so many turns.
    Turns { from: u16, to: u16 },
    /// The robber escapes.
    Escapes,
    /// No solver has found the value within its limits.
    Unknown,
}

/// The work of a solver on a group of positions.
#[derive(Serialize, Debug)]
pub struct Row {
    #[serde(flatten)]
    pub group: Group,
    pub solver: SolverName,
    /// The number of positions.
    pub positions: u64,
    /// The number of those that the solver solved.
    pub solved: u64,
    /// The means over the solved positions, or `None` if there are none.
    #[serde(flatten)]
    pub mean: Work<Option<f64>>,
}

#[derive(Serialize, Debug, Default, Clone, Copy)]
pub struct Work<T> {
    pub expansions: T,
    pub touched: T,
    pub seconds: T,
}

#[derive(Default)]
struct Sum {
    positions: u64,
    solved: u64,
    work: Work<f64>,
}

/// Solves all positions with all solvers, and returns the mean work of each solver for each group.
pub fn measure(
    lists: &[List],
    solvers: &[SolverName],
    width: NonZeroU16,
    limit: Limit,
    terminal: Terminal,
) -> Result<Vec<Row>, Failure> {
    let mut sums: BTreeMap<(Group, usize), Sum> = BTreeMap::new();
    let positions = lists
        .iter()
        .flat_map(|list| (0..list.len()).map(move |index| (list, index)));
    for (list, index) in positions {
        // The solvers take turns, so that other work of the machine disturbs the times of all alike.
        let answers = solvers
            .iter()
            .map(|&solver| list.solve(index, solver, limit, terminal));
        let answers: Vec<Answer> = answers.collect::<Result<_, _>>()?;
        let value = answers.iter().find_map(|answer| answer.bounds.value());
        let group = Group::of(value, width);
        for (solver, answer) in answers.iter().enumerate() {
            sums.entry((group, solver)).or_default().add(answer);
        }
    }
    let rows = sums.into_iter().map(|((group, solver), sum)| Row {
        group,
        solver: solvers[solver],
        positions: sum.positions,
        solved: sum.solved,
        mean: sum.mean(),
    });
    Ok(rows.collect())
}

impl Group {
    /// The group of a value. A position that begins with a capture takes no work, so it is not mixed with others.
    fn of(value: Option<Outcome>, width: NonZeroU16) -> Self {
        match value {
            None => Self::Unknown,
            Some(Outcome::Escapes | Outcome::Away(_)) => Self::Escapes,
            Some(Outcome::Caught(Turns(0))) => Self::Turns { from: 0, to: 0 },
            Some(Outcome::Caught(Turns(turns))) => {
                let from = (turns - 1) / width * width.get() + 1;
                let to = from.saturating_add(width.get() - 1);
                Self::Turns { from, to }
            }
        }
    }
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Turns { from, to } if from == to => from.fmt(f),
            Self::Turns { from, to } => write!(f, "{from} to {to}"),
            Self::Escapes => Outcome::Escapes.fmt(f),
            Self::Unknown => f.write_str("not known"),
        }
    }
}

impl Sum {
    fn add(&mut self, answer: &Answer) {
        self.positions += 1;
        // The work up to a limit says little about the work for the value.
        if answer.bounds.value().is_some() {
            self.solved += 1;
            self.work.expansions += answer.effort.work.expansions as f64;
            self.work.touched += answer.effort.work.touched as f64;
            self.work.seconds += answer.seconds;
        }
    }

    fn mean(&self) -> Work<Option<f64>> {
        let mean = |sum: f64| (self.solved > 0).then(|| sum / self.solved as f64);
        Work {
            expansions: mean(self.work.expansions),
            touched: mean(self.work.touched),
            seconds: mean(self.work.seconds),
        }
    }
}

pub fn print(rows: &[Row], terminal: Terminal) -> Result<(), Failure> {
    terminal.print(&rows, |out| write_rows(rows, out))
}

fn write_rows(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{:<12}{:<10}{:>10}{:>9}{:>14}{:>16}{:>14}",
        "turns", "solver", "positions", "solved", "expansions", "touched", "milliseconds"
    )?;
    let whole = |mean: Option<f64>| {
        let text = mean.map(|mean| grouped(mean.round() as u64));
        text.unwrap_or_else(|| "-".to_owned())
    };
    for row in rows {
        let time = row.mean.seconds.map(|time| format!("{:.4}", 1e3 * time));
        writeln!(
            out,
            "{:<12}{:<10}{:>10}{:>9}{:>14}{:>16}{:>14}",
            row.group.to_string(),
            row.solver.name(),
            grouped(row.positions),
            grouped(row.solved),
            whole(row.mean.expansions),
            whole(row.mean.touched),
            time.as_deref().unwrap_or("-"),
        )?;
    }
    Ok(())
}
