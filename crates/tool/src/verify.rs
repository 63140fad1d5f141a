//! `pursuit verify`: checks every value of a table.

use crate::failure::Failure;
use crate::ground::{AnyGraph, arena_of};
use crate::input::{AnyTable, expect_one_stdin, read_any_level, read_table};
use crate::interrupt::is_interrupted;
use crate::machine::Limits;
use crate::mixed_table;
use crate::output::{Terminal, grouped, row};
use crate::progress::Bar;
use pursuit_engine::table::{CaptureTimes as _, Table, VerifyError, WrongValue};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Check every entry of a table by looking one turn ahead
///
/// Checks all positions, with moves computed from the map and not from the solver's sets. Exits with
/// code 1 if a value is wrong, and with 3 if the table belongs to another map or graph.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A table (.ptab), or - for stdin
    file: PathBuf,

    /// The map or graph that the table was solved for, or - for a map from stdin
    map: PathBuf,

    #[command(flatten)]
    limits: Limits,
}

#[derive(Serialize)]
struct Report {
    positions: u64,
    wrong: u64,
    /// The first number of turns whose count in the header does not match the values, or null.
    wrong_count_of_turns: Option<u16>,
    right: bool,
    seconds: f64,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    expect_one_stdin(&args.file, &args.map)?;
    args.limits.threads.set()?;
    let table = match read_table(&args.file)? {
        AnyTable::Exact(table) => table,
        AnyTable::Mixed(table) => {
            let limit = args.limits.memory();
            return mixed_table::verify(&args.file, &args.map, &table, limit, terminal);
        }
    };
    let start = Instant::now();
    let bar = Bar::new(terminal, 1);
    let limit = args.limits.memory();
    let go_on = |at| bar.working(at, "positions");
    let (table, found) = if table.table.is_plain() {
        let graph = table.graph_of(&args.map)?;
        let table = table.table;
        let found = match &graph {
            AnyGraph::Map(graph) => table.verify(graph, limit, go_on),
            AnyGraph::Edges(graph) => table.verify_digraph(graph, limit, go_on),
        };
        (table, found)
    } else {
        let table = table.table;
        let arena = arena_of(&read_any_level(&args.map)?, table.rules().moves);
        let named = |error| Failure::Input(format!("{}: {error}", args.map.display()));
        let found = table.verify_arena(&arena.map_err(named)?, limit, go_on);
        (table, found)
    };
    let found = found.map_err(|error| match error {
        VerifyError::Memory(error) => Failure::Memory(error.to_string()).named(&args.file),
        VerifyError::Table(error) => Failure::of_table(&args.file, &error),
        error => Failure::Input(error.to_string()),
    })?;
    drop(bar);
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    let report = Report {
        positions: found.positions,
        wrong: found.wrong,
        wrong_count_of_turns: found.wrong_count,
        right: found.is_right(),
        seconds: start.elapsed().as_secs_f64(),
    };
    terminal.print(&report, |out| {
        row(out, "positions", grouped(report.positions))?;
        row(out, "wrong", grouped(report.wrong))?;
        row(out, "time", format!("{:.3} s", report.seconds))
    })?;
    if let Some(wrong) = &found.first {
        return Err(Failure::Negative(describe(&table, wrong)));
    }
    match found.wrong_count {
        Some(turns) => Err(Failure::Negative(format!(
            "the header has a wrong number of positions with {turns} turns"
        ))),
        None => Ok(()),
    }
}

/// Describes a wrong value.
fn describe(table: &Table, wrong: &WrongValue) -> String {
    let cell = |place: usize| match table.cells().get(place) {
        Some(cell) => format!("{},{}", cell.x, cell.y),
        None => place.to_string(),
    };
    let turns = |turns: Option<u16>| turns.map_or("inf".to_owned(), |turns| turns.to_string());
    let cops: Vec<String> = wrong.cops.iter().map(|&place| cell(place)).collect();
    format!(
        "robber {}, cops {}: expected {} turns, found {}",
        cell(wrong.robber),
        cops.join(" "),
        turns(wrong.expected),
        turns(wrong.found)
    )
}
