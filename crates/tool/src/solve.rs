//! `pursuit solve`: the capture times of a map.

use crate::failure::Failure;
use crate::game::{GameArgs, RulesReport};
use crate::input::is_graph_file;
use crate::interrupt::is_interrupted;
use crate::machine::peak_memory;
use crate::output::{Terminal, grouped, megabytes, row, row_of_longer};
use crate::output_target::{self, OutputTarget};
use crate::progress::solve;
use crate::simultaneous;
use pursuit_engine::game::Rules;
use pursuit_engine::table::{Arena, Estimate, Solution, Solver, Table};
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Instant;

/// Compute the capture times of all positions of a map
///
/// JSON: states counts the positions with the cops to move, with interchangeable cops; positions and
/// escapes count them with distinguishable cops. `may_take_longer` says whether escapes may be captures of more than
/// 65,534 turns, which a table does not hold.
///
/// A graph (.edges, .g6) is solved, too. Its table serves `info` and `verify`; games play on maps.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A .map file, a level (.level.ron) or a graph (.edges, .g6), or - for a map from stdin
    map: PathBuf,

    /// The number of cops
    #[arg(long, value_name = "K", default_value = "1")]
    cops: NonZeroU8,

    #[command(flatten)]
    game: GameArgs,

    /// Both sides move simultaneously: expected capture times between bounds, and mixed strategies
    #[arg(long)]
    simultaneous: bool,

    /// How far bounds of expected capture times may be apart, in turns
    #[arg(long, value_name = "TURNS", default_value = "0.01", requires = "simultaneous", value_parser = tolerance)]
    tolerance: f64,

    /// Write the table to a file, which is replaced once the table is complete. A device or a pipe is
    /// written to directly; - is refused, because stdout is for the report
    #[arg(long, short, value_name = "FILE", value_parser = output_target::parser())]
    output: Option<PathBuf>,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(turns) if turns > 0.0 && turns.is_finite() => Ok(turns),
        _ => Err("expected a number of turns above 0".into()),
    }
}

#[derive(Serialize)]
struct Report {
    vertices: usize,
    #[serde(flatten)]
    rules: RulesReport,
    fingerprint: String,
    states: u128,
    positions: u64,
    escapes: u64,
    longest_turns: u16,
    /// The number of positions from which the robber reaches an exit.
    away: u64,
    longest_away: Option<u16>,
    may_take_longer: bool,
    seconds: f64,
    states_per_second: f64,
    peak_bytes: u64,
    file_bytes: Option<u64>,
    bits_per_state: Option<f64>,
}

pub fn run(args: &Args, terminal: Terminal) -> Result<(), Failure> {
    let target = args.output.as_deref();
    let check = |path| OutputTarget::check(path, std::slice::from_ref(&args.map));
    let target = target.map(check).transpose()?;
    let limit = args.game.limits.memory();
    if args.simultaneous || is_graph_file(&args.map) {
        let game = args.game.read_any(&args.map, args.cops)?;
        if args.simultaneous {
            return simultaneous::run(&game, args.tolerance, limit, target.as_ref(), terminal);
        }
        let arena = game.ground().arena();
        return solve_on(
            arena,
            game.rules,
            game.report(),
            target.as_ref(),
            args,
            terminal,
        );
    }
    args.game.limits.threads.set()?;
    let (arena, rules) = args.game.read_arena(&args.map, args.cops)?;
    solve_on(arena, rules, rules.into(), target.as_ref(), args, terminal)
}

fn solve_on(
    arena: Arena,
    rules: Rules,
    rules_report: RulesReport,
    target: Option<&OutputTarget>,
    args: &Args,
    terminal: Terminal,
) -> Result<(), Failure> {
    let limit = args.game.limits.memory();
    let refused = |error| Failure::of_solver(error, limit);
    let fingerprint = arena.fingerprint();
    let estimate = Estimate::new(arena.places(), &rules);
    let estimate = estimate.and_then(|estimate| estimate.within(limit));
    let estimate = estimate.map_err(refused)?;
    let start = Instant::now();
    let solver = Solver::new(arena.into(), rules, limit);
    let solver = solver.map_err(refused)?;
    let solution = solve(solver, Some(estimate), terminal)?;
    let seconds = start.elapsed().as_secs_f64();
    let file_bytes = match target {
        Some(target) => Some(write_table(target, &solution)?),
        None => None,
    };
    let report = Report {
        vertices: solution.arena().places(),
        rules: rules_report,
        fingerprint: fingerprint.to_string(),
        states: estimate.states,
        positions: solution.positions(),
        escapes: solution.escapes(),
        longest_turns: solution.longest().0,
        away: solution.away_histogram().iter().sum(),
        longest_away: solution.longest_away().map(|turns| turns.0),
        may_take_longer: solution.may_take_longer(),
        seconds,
        states_per_second: estimate.states as f64 / seconds,
        peak_bytes: peak_memory().unwrap_or(estimate.bytes),
        file_bytes,
        bits_per_state: file_bytes.map(|bytes| bytes as f64 * 8.0 / estimate.states as f64),
    };
    terminal.print(&report, |out| print(&report, out))
}

fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    row(out, "vertices", grouped(report.vertices as u128))?;
    row(out, "states", grouped(report.states))?;
    let (escapes, all) = (grouped(report.escapes), grouped(report.positions));
    row(out, "escapes", format!("{escapes} of {all} positions"))?;
    row(
        out,
        "longest capture time",
        format!("{} turns", report.longest_turns),
    )?;
    if let Some(turns) = report.longest_away {
        let away = grouped(report.away);
        row(
            out,
            "away",
            format!("{away} positions, at most {turns} turns"),
        )?;
    }
    row_of_longer(out, report.may_take_longer)?;
    row(out, "time", format!("{:.3} s", report.seconds))?;
    row(
        out,
        "states per second",
        format!("{:.1} million", report.states_per_second * 1e-6),
    )?;
    row(out, "peak memory", megabytes(report.peak_bytes))?;
    if let (Some(bytes), Some(bits)) = (report.file_bytes, report.bits_per_state) {
        row(
            out,
            "file",
            format!("{}, {bits:.4} bits per state", megabytes(bytes)),
        )?;
    }
    row(out, "fingerprint", &report.fingerprint)
}

/// Packs a solution into a file. Returns the size in bytes.
fn write_table(target: &OutputTarget, solution: &Solution) -> Result<u64, Failure> {
    let table = Table::of(solution);
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    target.write(table.bytes())?;
    Ok(table.bytes().len() as u64)
}
