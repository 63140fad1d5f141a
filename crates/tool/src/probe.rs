//! `pursuit probe`: looks up a position in a table.

use crate::failure::Failure;
use crate::ground::AnyGraph;
use crate::input::{AnyTable, cell, expect_one_stdin, read_table};
use crate::mixed_table;
use crate::output::{Terminal, row};
use clap::ValueEnum;
use pursuit_engine::game::{Agent, Outcome, Rules, Side, Speed, State, Turns};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Cell;
use pursuit_engine::policy::TablePlayer;
use pursuit_engine::table::{Arena, CaptureTimes as _};
use serde::Serialize;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Look a position up in a table: its value and all optimal moves
///
/// The value is the number of cop moves until capture. If the robber escapes, its optimal moves are
/// those that keep it free; for the cops all moves are then optimal. Cops are interchangeable: joint
/// moves that lead to the same set of cells are listed once.
///
/// For a table of the game with simultaneous moves, the answer is the expected number of turns until capture between
/// bounds, and the moves of both sides with their probabilities.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A table (.ptab), or - for stdin
    file: PathBuf,

    /// The map that the table was solved for, or - for stdin
    map: PathBuf,

    /// The position of the robber
    #[arg(long, value_name = "X,Y", value_parser = cell)]
    robber: Cell,

    /// The position of a cop; repeat for each cop
    #[arg(long, value_name = "X,Y", value_parser = cell, required = true)]
    cop: Vec<Cell>,

    /// The side to move
    #[arg(long, value_enum, default_value_t = Turn::Cops)]
    turn: Turn,
}

#[derive(ValueEnum, Serialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Turn {
    Cops,
    Robber,
}

#[derive(Serialize)]
struct Report {
    turn: Turn,
    /// The number of cop moves until capture, null if the robber escapes.
    turns: Option<u16>,
    /// For each move, the cells where it leads the cops in the given order, or the robber. Joint moves
    /// that lead to the same set of cells appear once.
    moves: Vec<Vec<(u16, u16)>>,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    expect_one_stdin(&args.file, &args.map)?;
    let table = match read_table(&args.file)? {
        AnyTable::Exact(table) => table,
        AnyTable::Mixed(table) => {
            let (file, map) = (&args.file, &args.map);
            return mixed_table::probe(file, map, &table, args.robber, &args.cop, terminal);
        }
    };
    let AnyGraph::Map(graph) = table.graph_of(&args.map)? else {
        let text = format!("{}: expected a map, found a graph", args.map.display());
        return Err(Failure::Usage(text));
    };
    let arena = Arena::of_map(&graph);
    let table = table.table;
    let fits = table.expect_arena(&arena);
    fits.map_err(|error| Failure::of_table(&args.file, &error))?;
    expect_cops(&args.file, table.rules(), &args.cop)?;
    let rules = table.rules();
    let robber = agent(&graph, args.robber, rules.robber_speed)?;
    let cops = args.cop.iter();
    let cops: Result<Vec<Agent>, Failure> = cops
        .map(|&cop| agent(&graph, cop, rules.cop_speed))
        .collect();
    let state = State {
        robber,
        cops: &cops?,
        to_move: match args.turn {
            Turn::Cops => Side::Cops,
            Turn::Robber => Side::Robber,
        },
    };
    let mut player = TablePlayer::default();
    let found = match args.turn {
        Turn::Cops => player
            .all_cop_moves(&table, &arena, &graph, &state)
            .map(|(value, moves)| (value, each_once(moves))),
        Turn::Robber => player
            .all_robber_moves(&table, &arena, &graph, &state)
            .map(|(value, moves)| (value, moves.into_iter().map(|to| vec![to]).collect())),
    };
    let Some((value, moves)) = found else {
        let file = args.file.display();
        return Err(Failure::Input(format!(
            "{file}: no value for this position"
        )));
    };
    let cells = |ends: &Vec<Vertex>| {
        let cells = ends.iter().map(|&end| graph.cell(end));
        cells.map(|cell| (cell.x, cell.y)).collect()
    };
    let report = Report {
        turn: args.turn,
        turns: match value {
            Outcome::Caught(Turns(turns)) => Some(turns),
            Outcome::Escapes | Outcome::Away(_) => None,
        },
        moves: moves.iter().map(cells).collect(),
    };
    print(&report, value, terminal)
}

fn print(report: &Report, value: Outcome, terminal: Terminal) -> Result<(), Failure> {
    terminal.print(report, |out| {
        row(out, "turns", value)?;
        for (index, cells) in report.moves.iter().enumerate() {
            let cells: Vec<String> = cells.iter().map(|(x, y)| format!("{x},{y}")).collect();
            row(
                out,
                if index == 0 { "best moves" } else { "" },
                cells.join(" "),
            )?;
        }
        Ok(())
    })
}

/// Keeps the first of all joint moves that lead to the same set of places.
fn each_once(mut moves: Vec<Vec<Vertex>>) -> Vec<Vec<Vertex>> {
    let mut seen = HashSet::new();
    moves.retain(|ends| {
        let mut ends = ends.clone();
        ends.sort_unstable();
        seen.insert(ends)
    });
    moves
}

/// Checks that the number of cops is that of the table.
pub fn expect_cops(file: &Path, rules: Rules, cops: &[Cell]) -> Result<(), Failure> {
    let (expected, found) = (usize::from(rules.cops.get()), cops.len());
    if expected == found {
        return Ok(());
    }
    let file = file.display();
    let cops = if expected == 1 { "cop" } else { "cops" };
    Err(Failure::Input(format!(
        "{file} is for {expected} {cops}: expected --cop {expected} times, found {found}"
    )))
}

fn agent(graph: &Graph, cell: Cell, speed: Speed) -> Result<Agent, Failure> {
    let at = graph.vertex(cell);
    at.map(|at| Agent { at, speed })
        .ok_or_else(|| Failure::Input(format!("{},{} is a wall or off the map", cell.x, cell.y)))
}
