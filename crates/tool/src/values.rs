//! `pursuit values`: the capture times of a list of positions.

use crate::failure::Failure;
use crate::game::{AnyGame, GameArgs};
use crate::input::expect_one_stdin;
use crate::output::Terminal;
use crate::position_output::print_with;
use crate::positions::Positions;
use crate::progress::solve;
use csv::StringRecord;
use pursuit_engine::game::{Outcome, Turns};
use pursuit_engine::graph::Vertex;
use pursuit_engine::table::Solver;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::io::Write as _;
use std::num::NonZeroU8;
use std::path::PathBuf;

const NOTES: &str = "\
The file has the columns robber_x,robber_y,cop1_x,cop1_y[,cop2_x,cop2_y...]. All its columns are copied
unchanged. On a graph, its columns are robber,cop1[,cop2...]: numbers of vertices. The column turns is
added at the end: the capture time in turns with the cops to move, inf if the robber escapes. If the
file already has a column turns, the last one is the computed one; --check compares the two.

JSON: a list with one object per position. An escape is null, and a column turns of the file is renamed
given_turns. A copied field is a number if it is written like a JSON integer (7, but not 007), otherwise
a string.";

/// Print positions with their capture times
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// A .map file, a level (.level.ron) or a graph (.edges, .g6), or - for a map from stdin
    map: PathBuf,

    /// The number of cops, taken from the first columns [default: all cops of the file]
    #[arg(long, value_name = "K")]
    cops: Option<NonZeroU8>,

    /// A file with a header line and one position per line, or - for stdin
    #[arg(long, value_name = "FILE.csv")]
    positions: PathBuf,

    /// Compare with the column turns of the file instead of printing the positions; exit with code 1
    /// if a value differs
    #[arg(long)]
    check: bool,

    #[command(flatten)]
    game: GameArgs,
}

/// A position and its value.
struct Row<'a> {
    header: &'a StringRecord,
    record: &'a StringRecord,
    value: Outcome,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.record.len() + 1))?;
        for (name, field) in self.header.iter().zip(self.record) {
            let name = match name.trim() {
                "turns" => "given_turns",
                name => name,
            };
            match field.parse::<u64>() {
                Ok(number) if number.to_string() == field => map.serialize_entry(name, &number)?,
                _ => map.serialize_entry(name, field)?,
            }
        }
        map.serialize_entry("turns", &turns(self.value))?;
        map.end()
    }
}

const fn turns(value: Outcome) -> Option<u16> {
    match value {
        Outcome::Caught(Turns(turns)) => Some(turns),
        Outcome::Escapes | Outcome::Away(_) => None,
    }
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    expect_one_stdin(&args.map, &args.positions)?;
    let mut positions = Positions::read(&args.positions)?;
    if let Some(cops) = args.cops {
        positions.take_cops(cops)?;
    }
    if terminal.json {
        expect_unique_json_names(&positions)?;
    }
    let game = args.game.read_any(&args.map, positions.cops()?)?;
    // Errors in positions are reported before the map is solved.
    let agents = positions.records.iter();
    let agents = agents.map(|record| positions.agents(record, game.ground()));
    let agents = agents.collect::<Result<Vec<_>, _>>()?;
    let rows = rows(args, &positions, &game, &agents, terminal)?;
    if args.check {
        check(&positions, &rows, terminal)
    } else if terminal.json {
        terminal.print(&rows, |_| Ok(()))
    } else {
        let turns = rows.iter().map(|row| [row.value.to_string()]);
        print_with(&positions, ["turns"], turns)
    }
}

/// Refuses columns `turns` and `given_turns` in the same file, because JSON renames the first to the
/// second.
fn expect_unique_json_names(positions: &Positions) -> Result<(), Failure> {
    let header = &positions.header;
    let column = |wanted: &str| header.iter().position(|name| name.trim() == wanted);
    match column("turns").and(column("given_turns")) {
        None => Ok(()),
        Some(index) => {
            let expected = "no column given_turns beside turns for JSON";
            Err(positions.wrong_field(header, index, expected, "both"))
        }
    }
}

/// All positions with their values. Solves nothing if there are no positions.
fn rows<'a>(
    args: &Args,
    positions: &'a Positions,
    game: &AnyGame,
    agents: &[(Vertex, Vec<Vertex>)],
    terminal: Terminal,
) -> Result<Vec<Row<'a>>, Failure> {
    if agents.is_empty() {
        return Ok(Vec::new());
    }
    let limit = args.game.limits.memory();
    let solver = Solver::new(game.ground().arena().into(), game.rules, limit);
    let solver = solver.map_err(|error| Failure::of_solver(error, limit))?;
    let solution = solve(solver, None, terminal)?;
    let records = positions.records.iter().zip(agents);
    let rows = records.map(|(record, (robber, cops))| {
        let value = solution.value(*robber, cops);
        let header = &positions.header;
        let value = value.ok_or_else(|| {
            positions.wrong_field(record, 0, "a position of the game", "one without a value")
        })?;
        Ok(Row {
            header,
            record,
            value,
        })
    });
    rows.collect()
}

#[derive(serde::Serialize)]
struct Report {
    positions: usize,
    differences: usize,
}

fn check(positions: &Positions, rows: &[Row<'_>], terminal: Terminal) -> Result<(), Failure> {
    let mut names = positions.header.iter();
    let column = names.position(|name| name.trim() == "turns");
    let column = column.ok_or_else(|| {
        let header = &positions.header;
        let found: Vec<&str> = header.iter().collect();
        positions.wrong_field(
            header,
            0,
            "a column turns to compare with",
            &found.join(","),
        )
    })?;
    let differs = |row: &&Row| row.record[column].trim() != row.value.to_string();
    let differences = rows.iter().filter(differs).count();
    let report = Report {
        positions: rows.len(),
        differences,
    };
    terminal.print(&report, |out| {
        writeln!(out, "{} positions, {differences} differences", rows.len())
    })?;
    match rows.iter().find(differs) {
        None => Ok(()),
        Some(row) => {
            let (expected, found) = (row.value.to_string(), row.record[column].trim());
            let place = positions.wrong_field(row.record, column, &expected, found);
            Err(Failure::Negative(place.to_string()))
        }
    }
}
