//! `pursuit values`.

use crate::failure::Failure;
use crate::game::GameArgs;
use crate::output::Terminal;
use crate::positions::Positions;
use crate::progress::solve;
use bevy_pursuit::game::{Outcome, Turns};
use bevy_pursuit::table::{Arena, Solver};
use csv::StringRecord;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::io::{self, Write as _};
use std::path::PathBuf;

const NOTES: &str = "\
The file has the columns robber_x,robber_y,cop1_x,cop1_y[,cop2_x,cop2_y...]; all its columns are
passed through as they are. The column turns is added at the end: the capture time in turns with the
cops to move, inf if the robber escapes. A column of this name in the file stays where it is, so that
the last one is ours; --check compares the two.

JSON: a list of one object for each position; an escape is null, and a column turns of the file is
called given_turns.";

/// Print positions with their capture times
#[derive(clap::Args, Debug)]
#[command(after_help = NOTES)]
pub struct Args {
    /// A .map file or a level (.level.ron)
    map: PathBuf,

    /// A file with a header and a position on each line, or - for stdin
    #[arg(long, value_name = "FILE.csv")]
    positions: PathBuf,

    /// Compare with the column turns of the file instead of printing the positions; the exit code
    /// is 1 if one differs
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
            match field.trim().parse::<u64>() {
                Ok(number) => map.serialize_entry(name, &number)?,
                Err(_) => map.serialize_entry(name, field)?,
            }
        }
        map.serialize_entry("turns", &turns(self.value))?;
        map.end()
    }
}

const fn turns(value: Outcome) -> Option<u16> {
    match value {
        Outcome::Caught(Turns(turns)) => Some(turns),
        Outcome::Escapes => None,
    }
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let mut positions = Positions::read(&args.positions)?;
    if let Some(cops) = args.game.cops() {
        positions.take_cops(cops)?;
    }
    let game = args.game.read(&args.map, positions.cops())?;
    // What is wrong with a position is said before the work.
    let agents = positions.records.iter();
    let agents = agents.map(|record| positions.agents(record, &game.graph));
    let agents = agents.collect::<Result<Vec<_>, _>>()?;
    let limit = args.game.limits.memory();
    let solver = Solver::new(Arena::of_map(&game.graph).into(), game.rules, limit)?;
    let solution = solve(solver, None, terminal)?;
    let records = positions.records.iter().zip(&agents);
    let rows: Vec<Row> = records
        .map(|(record, (robber, cops))| Row {
            header: &positions.header,
            record,
            value: solution.value(*robber, cops).unwrap_or(Outcome::Escapes),
        })
        .collect();
    if args.check {
        check(&positions, &rows, terminal)
    } else if terminal.json {
        terminal.print(&rows, |_| Ok(()))
    } else {
        print(&positions.header, &rows)
    }
}

fn print(header: &StringRecord, rows: &[Row<'_>]) -> Result<(), Failure> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    let write = |fields: &StringRecord, last: &str, out: &mut csv::Writer<_>| {
        out.write_record(fields.iter().chain([last]))
    };
    write(header, "turns", &mut out).map_err(io::Error::from)?;
    for row in rows {
        write(row.record, &row.value.to_string(), &mut out).map_err(io::Error::from)?;
    }
    out.flush()?;
    Ok(())
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
