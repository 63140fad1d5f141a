//! `pursuit info`: the header of a table.

use crate::failure::Failure;
use crate::game::RulesReport;
use crate::input::{AnyTable, read_table};
use crate::mixed_table;
use crate::output::{Terminal, grouped, megabytes, row};
use pursuit_engine::table::{CaptureTimes as _, Estimate};
use serde::Serialize;
use std::path::PathBuf;

/// Describe the content of a table
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A table (.ptab), or - for stdin
    file: PathBuf,
}

#[derive(Serialize)]
struct Report {
    vertices: usize,
    #[serde(flatten)]
    rules: RulesReport,
    is_map: bool,
    fingerprint: String,
    states: u128,
    /// Like `escapes`, `None` for a game with exits or other rules, some of whose positions are illegal: the file does not
    /// count them.
    positions: Option<u64>,
    escapes: Option<u64>,
    /// The number of positions for each number of turns until the robber is away.
    away_histogram: Vec<u64>,
    longest_turns: u16,
    file_bytes: usize,
    bits_per_state: f64,
    /// The number of positions for each capture time from 0 turns, with distinguishable cops.
    histogram: Vec<u64>,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let table = match read_table(&args.file)? {
        AnyTable::Exact(file) => file.table,
        AnyTable::Mixed(table) => return mixed_table::info(&table, terminal),
    };
    let (vertices, rules) = (table.places(), table.rules());
    let estimate = Estimate::new(vertices, &rules);
    let estimate = estimate.map_err(|error| Failure::Input(error.to_string()))?;
    let states = estimate.states;
    let positions = (vertices as u64).saturating_pow(u32::from(rules.cops.get()) + 1);
    let counts = table.histogram().iter();
    // Saturating, because the counts come from an unverified file.
    let solved = counts.fold(0_u64, |all, &count| all.saturating_add(count));
    let file_bytes = table.bytes().len();
    let mut shown = RulesReport::from(rules);
    if !table.is_map() {
        shown.moves = None;
    }
    let report = Report {
        vertices,
        rules: shown,
        is_map: table.is_map(),
        fingerprint: table.fingerprint().to_string(),
        states,
        positions: Some(positions).filter(|_| table.is_plain()),
        escapes: Some(positions.saturating_sub(solved)).filter(|_| table.is_plain()),
        away_histogram: table.away_histogram().to_vec(),
        longest_turns: table.longest().0,
        file_bytes,
        bits_per_state: file_bytes as f64 * 8.0 / states as f64,
        histogram: table.histogram().to_vec(),
    };
    terminal.print(&report, |out| {
        row(out, "vertices", grouped(report.vertices as u128))?;
        row(out, "cops", rules.cops)?;
        row(out, "cop speed", rules.cop_speed.steps())?;
        row(out, "robber speed", rules.robber_speed.steps())?;
        let moves = if report.is_map {
            format!("{:?}", rules.moves).to_lowercase()
        } else {
            "the edges of a graph".to_owned()
        };
        row(out, "steps", moves)?;
        row(out, "states", grouped(report.states))?;
        if let (Some(escapes), Some(all)) = (report.escapes, report.positions) {
            let (escapes, all) = (grouped(escapes), grouped(all));
            row(out, "escapes", format!("{escapes} of {all} positions"))?;
        } else {
            row(out, "captured", format!("{} positions", grouped(solved)))?;
        }
        if let Some(turns) = table.longest_away() {
            let counts = report.away_histogram.iter();
            let away = counts.fold(0_u64, |all, &count| all.saturating_add(count));
            let away = grouped(away);
            row(
                out,
                "away",
                format!("{away} positions, at most {} turns", turns.0),
            )?;
        }
        let longest = format!("{} turns", report.longest_turns);
        row(out, "longest capture time", longest)?;
        row(out, "size", megabytes(report.file_bytes as u64))?;
        row(
            out,
            "bits per state",
            format!("{:.4}", report.bits_per_state),
        )?;
        row(out, "fingerprint", &report.fingerprint)
    })
}
