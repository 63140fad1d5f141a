//! Handles tables of mixed strategies in `pursuit info`, `probe` and `verify`.

use crate::failure::Failure;
use crate::game::RulesReport;
use crate::ground::AnyGraph;
use crate::input::read_any;
use crate::interrupt::is_interrupted;
use crate::output::{Terminal, grouped, megabytes, row};
use crate::probe::expect_cops;
use crate::progress::Bar;
use pursuit_engine::map::Cell;
use pursuit_engine::solve::simultaneous::{MixedExploitability, MixedTable, MixedVerifyError};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

#[derive(Serialize)]
struct Info {
    simultaneous: bool,
    vertices: usize,
    #[serde(flatten)]
    rules: RulesReport,
    is_map: bool,
    fingerprint: String,
    positions: usize,
    infinite: usize,
    longest_lower: f64,
    longest_upper: f64,
    cops_exploitability: f64,
    robber_exploitability: f64,
    file_bytes: usize,
}

pub fn info(table: &MixedTable, terminal: Terminal) -> Result<(), Failure> {
    let rules = table.rules();
    let (mut infinite, mut longest) = (0, (0.0, 0.0));
    for value in table.values() {
        if value.lower.is_finite() && value.upper > longest.1 {
            longest = (value.lower, value.upper);
        }
        infinite += usize::from(value.lower.is_infinite());
    }
    let mut shown = RulesReport::from(rules);
    if !table.is_map() {
        shown.moves = None;
    }
    let report = Info {
        simultaneous: true,
        vertices: table.places(),
        rules: shown,
        is_map: table.is_map(),
        fingerprint: table.fingerprint().to_string(),
        positions: table.positions(),
        infinite,
        longest_lower: longest.0,
        longest_upper: longest.1,
        cops_exploitability: table.exploitability().cops,
        robber_exploitability: table.exploitability().robber,
        file_bytes: table.bytes().len(),
    };
    terminal.print(&report, |out| {
        row(out, "game", "simultaneous moves")?;
        row(out, "vertices", grouped(report.vertices as u128))?;
        row(out, "cops", rules.cops)?;
        row(out, "cop speed", rules.cop_speed.steps())?;
        row(out, "robber speed", rules.robber_speed.steps())?;
        row(out, "positions", grouped(report.positions as u128))?;
        row(out, "infinite values", grouped(report.infinite as u128))?;
        let (lower, upper) = (report.longest_lower, report.longest_upper);
        row(
            out,
            "longest expected time",
            format!("{lower:.4} to {upper:.4} turns"),
        )?;
        exploitability_rows(out, table.exploitability())?;
        row(out, "size", megabytes(report.file_bytes as u64))?;
        row(out, "fingerprint", &report.fingerprint)
    })
}

/// Prints how much opponents that know the strategies gain.
pub fn exploitability_rows(out: &mut impl Write, found: MixedExploitability) -> io::Result<()> {
    let share = |share: f64| format!("at most {:.4} %", 100.0 * share);
    row(out, "cops exploitable by", share(found.cops))?;
    row(out, "robber exploitable by", share(found.robber))
}

/// Reads the map or graph of a table.
fn graph_of(file: &Path, map: &Path, table: &MixedTable) -> Result<AnyGraph, Failure> {
    let graph = read_any(map, |_| table.rules().moves)?;
    let fits = table.expect_map(graph.ground().fingerprint());
    fits.map_err(|error| Failure::of_table(file, &error))?;
    Ok(graph)
}

#[derive(Serialize)]
struct Probe {
    /// The bounds on the expected number of turns until capture; `None` if the cops cannot force one.
    lower: Option<f64>,
    upper: Option<f64>,
    robber: Vec<Play>,
    cops: Vec<Play>,
}

/// A move of a side: the cells to which its agents move, in the given order.
#[derive(Serialize)]
struct Play {
    to: Vec<(u16, u16)>,
    probability: f64,
}

pub fn probe(
    file: &Path,
    map: &Path,
    table: &MixedTable,
    robber: Cell,
    cops: &[Cell],
    terminal: Terminal,
) -> Result<(), Failure> {
    graph_of(file, map, table)?;
    expect_cops(file, table.rules(), cops)?;
    let place = |cell: Cell| {
        let place = table.place(cell);
        place.ok_or_else(|| {
            Failure::Input(format!("{},{} is a wall or off the map", cell.x, cell.y))
        })
    };
    let robber = place(robber)?;
    let cops = cops
        .iter()
        .map(|&cop| place(cop))
        .collect::<Result<Vec<_>, _>>()?;
    let found = table
        .value_at(robber, &cops)
        .zip(table.strategies_at(robber, &cops));
    let Some((value, played)) = found else {
        return Err(Failure::Input(format!(
            "{}: the table has no value for this position",
            file.display()
        )));
    };
    let play = |to: &[usize], probability| {
        let cells = to.iter().map(|&to| table.cells().get(to));
        Play {
            to: cells
                .map(|cell| cell.map_or((0, 0), |cell| (cell.x, cell.y)))
                .collect(),
            probability,
        }
    };
    let finite = |turns: f64| turns.is_finite().then_some(turns);
    let (robber, cops) = (played.robber.iter(), played.cops.iter());
    let report = Probe {
        lower: finite(value.lower),
        upper: finite(value.upper),
        robber: robber.map(|&(to, share)| play(&[to], share)).collect(),
        cops: cops.map(|(to, share)| play(to, *share)).collect(),
    };
    print_probe(&report, terminal)
}

fn print_probe(report: &Probe, terminal: Terminal) -> Result<(), Failure> {
    terminal.print(report, |out| {
        let turns = match report.lower.zip(report.upper) {
            Some((lower, upper)) => format!("{lower:.4} to {upper:.4}"),
            None => "inf".to_owned(),
        };
        row(out, "expected turns", turns)?;
        for (side, plays) in [("robber", &report.robber), ("cops", &report.cops)] {
            for (index, play) in plays.iter().enumerate() {
                let to: Vec<String> = play.to.iter().map(|(x, y)| format!("{x},{y}")).collect();
                let share = format!("{:>9.5} %  {}", 100.0 * play.probability, to.join(" "));
                row(out, if index == 0 { side } else { "" }, share)?;
            }
        }
        Ok(())
    })
}

#[derive(Serialize)]
struct Verified {
    positions: u64,
    malformed: u64,
    wrong: u64,
    /// The greatest loss of one turn with the stored strategies, in turns.
    loss: f64,
    right: bool,
    seconds: f64,
}

pub fn verify(
    file: &Path,
    map: &Path,
    table: &MixedTable,
    limit: u64,
    terminal: Terminal,
) -> Result<(), Failure> {
    let graph = graph_of(file, map, table)?;
    let start = Instant::now();
    let bar = Bar::new(terminal, 1);
    let all = table.positions() as u64;
    let arena = graph.ground().arena().into();
    let found = table.verify(arena, limit, |done| {
        bar.update(done, all, "positions".to_owned())
    });
    drop(bar);
    let found = found.map_err(|error| match error {
        MixedVerifyError::Memory(error) => Failure::Memory(error.to_string()).named(file),
        MixedVerifyError::Table(error) => Failure::of_table(file, &error),
        error => Failure::Input(error.to_string()),
    })?;
    let Some(found) = found.filter(|_| !is_interrupted()) else {
        return Err(Failure::Interrupted);
    };
    let report = Verified {
        positions: found.positions,
        malformed: found.malformed,
        wrong: found.wrong,
        loss: found.loss,
        right: found.is_right(),
        seconds: start.elapsed().as_secs_f64(),
    };
    terminal.print(&report, |out| {
        row(out, "positions", grouped(report.positions))?;
        row(out, "malformed", grouped(report.malformed))?;
        row(out, "wrong", grouped(report.wrong))?;
        row(
            out,
            "loss in a turn",
            format!("at most {:.2e} turns", report.loss),
        )?;
        row(out, "time", format!("{:.3} s", report.seconds))
    })?;
    match found.first {
        None => Ok(()),
        Some((robber, position)) => {
            let cell = table.cells().get(robber);
            let robber = cell.map_or(robber.to_string(), |cell| format!("{},{}", cell.x, cell.y));
            let text = format!("position {position}, robber {robber}: wrong");
            Err(Failure::Negative(text))
        }
    }
}
