//! `pursuit solve --simultaneous`: the game with simultaneous moves.

use crate::failure::Failure;
use crate::game::{AnyGame, RulesReport};
use crate::interrupt::is_interrupted;
use crate::machine::peak_memory;
use crate::mixed_table::exploitability_rows;
use crate::output::{Terminal, grouped, megabytes, row};
use crate::output_target::OutputTarget;
use crate::progress::{Bar, solve};
use pursuit_engine::solve::simultaneous::{
    MixedExploitability, MixedSolution, MixedTable, SimultaneousSolver,
};
use pursuit_engine::table::{Solution, Solver};
use pursuit_lab::solve::Difference;
use serde::Serialize;
use std::time::Instant;

#[derive(Serialize)]
struct Report {
    vertices: usize,
    #[serde(flatten)]
    rules: RulesReport,
    simultaneous: bool,
    fingerprint: String,
    /// The number of positions with interchangeable cops.
    positions: usize,
    /// The number of positions up to symmetries of the map.
    distinct: usize,
    /// The number of positions from which the cops cannot force a capture.
    infinite: usize,
    /// The bounds of the greatest finite value, in turns.
    longest_lower: f64,
    longest_upper: f64,
    sweeps: u32,
    /// The greatest difference between the bounds of a position, in turns.
    width: f64,
    #[serde(flatten)]
    difference: DifferenceReport,
    /// The exploitability of both sides as shares, not per cent.
    cops_exploitability: f64,
    robber_exploitability: f64,
    /// The time for the simultaneous game alone, without strategies and exploitability.
    seconds: f64,
    total_seconds: f64,
    peak_bytes: Option<u64>,
    file_bytes: Option<u64>,
}

/// A comparison of the values with the values of the alternating game.
#[derive(Serialize, Clone, Copy)]
pub struct DifferenceReport {
    compared: usize,
    pub mean_alternating: f64,
    pub mean_simultaneous: f64,
    pub mean_difference: f64,
    pub worst_difference: f64,
    pub mean_ratio: f64,
    pub worst_ratio: f64,
}

impl From<Difference> for DifferenceReport {
    fn from(found: Difference) -> Self {
        Self {
            compared: found.positions,
            mean_alternating: found.mean_alternating,
            mean_simultaneous: found.mean_simultaneous,
            mean_difference: found.mean_difference,
            worst_difference: found.worst_difference,
            mean_ratio: found.mean_ratio,
            worst_ratio: found.worst_ratio,
        }
    }
}

/// A solved simultaneous game, and the solution of the alternating game with which the solver began.
pub struct Both {
    pub alternating: Solution,
    pub simultaneous: MixedSolution,
    pub seconds: f64,
    sweeps: u32,
    width: f64,
}

/// Solves the alternating and the simultaneous game.
pub fn both(
    game: &AnyGame,
    tolerance: f64,
    limit: u64,
    terminal: Terminal,
) -> Result<Both, Failure> {
    let refused = |error| Failure::of_solver(error, limit);
    let arena = game.ground().arena().into();
    let alternating = Solver::new(arena, game.rules, limit).map_err(refused)?;
    let alternating = solve(alternating, None, terminal)?;
    let start = Instant::now();
    let solver = SimultaneousSolver::new(&alternating, tolerance, limit);
    let mut solver = solver.map_err(refused)?;
    let bar = Bar::new(terminal, 1);
    solver.run(|at| {
        let message = format!("sweep {}, bounds {:.4} apart", at.sweeps + 1, at.width);
        bar.update(0, 1, message)
    });
    drop(bar);
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    let progress = solver.progress();
    let simultaneous = solver.finish().ok_or_else(|| {
        let text = format!(
            "the bounds are still {} turns apart after {} sweeps",
            progress.width, progress.sweeps
        );
        Failure::Negative(text)
    })?;
    Ok(Both {
        seconds: start.elapsed().as_secs_f64(),
        sweeps: progress.sweeps,
        width: progress.width,
        alternating,
        simultaneous,
    })
}

pub fn run(
    game: &AnyGame,
    tolerance: f64,
    limit: u64,
    target: Option<&OutputTarget>,
    terminal: Terminal,
) -> Result<(), Failure> {
    let start = Instant::now();
    let both = both(game, tolerance, limit, terminal)?;
    let solution = &both.simultaneous;
    let bar = Bar::new(terminal, 1);
    let exploitability = solution.exploitability(|| bar.update(0, 1, "best responses".to_owned()));
    drop(bar);
    let exploitability = exploitability.ok_or(Failure::Interrupted)?;
    let file_bytes = match target {
        Some(target) => Some(write_table(target, solution, exploitability)?),
        None => None,
    };
    let longest = solution.longest();
    let report = Report {
        vertices: game.ground().vertices(),
        rules: game.report(),
        simultaneous: true,
        fingerprint: both.alternating.arena().fingerprint().to_string(),
        positions: solution.positions(),
        distinct: solution.distinct_positions(),
        infinite: solution.infinite(),
        longest_lower: longest.lower,
        longest_upper: longest.upper,
        sweeps: both.sweeps,
        width: both.width,
        difference: Difference::between(solution, &both.alternating).into(),
        cops_exploitability: exploitability.cops,
        robber_exploitability: exploitability.robber,
        seconds: both.seconds,
        total_seconds: start.elapsed().as_secs_f64(),
        peak_bytes: peak_memory(),
        file_bytes,
    };
    print(&report, terminal)
}

fn print(report: &Report, terminal: Terminal) -> Result<(), Failure> {
    terminal.print(report, |out| {
        row(out, "vertices", grouped(report.vertices as u128))?;
        let (all, distinct) = (
            grouped(report.positions as u128),
            grouped(report.distinct as u128),
        );
        row(
            out,
            "positions",
            format!("{all}, {distinct} but for symmetry"),
        )?;
        row(out, "infinite values", grouped(report.infinite as u128))?;
        let (lower, upper) = (report.longest_lower, report.longest_upper);
        row(
            out,
            "longest expected time",
            format!("{lower:.4} to {upper:.4} turns"),
        )?;
        row(
            out,
            "bounds",
            format!(
                "at most {:.6} turns apart, {} sweeps",
                report.width, report.sweeps
            ),
        )?;
        let found = report.difference;
        row(
            out,
            "mean value",
            format!("{:.3} turns", found.mean_simultaneous),
        )?;
        row(
            out,
            "alternating game",
            format!("{:.3} turns", found.mean_alternating),
        )?;
        let (mean, worst) = (found.mean_ratio, found.worst_ratio);
        row(out, "ratio", format!("mean {mean:.3}, worst {worst:.3}"))?;
        let exploitability = MixedExploitability {
            cops: report.cops_exploitability,
            robber: report.robber_exploitability,
        };
        exploitability_rows(out, exploitability)?;
        row(out, "time", format!("{:.3} s", report.seconds))?;
        if let Some(bytes) = report.peak_bytes {
            row(out, "peak memory", megabytes(bytes))?;
        }
        if let Some(bytes) = report.file_bytes {
            row(out, "file", megabytes(bytes))?;
        }
        row(out, "fingerprint", &report.fingerprint)
    })
}

/// Writes the strategies to a file. Returns the size in bytes.
fn write_table(
    target: &OutputTarget,
    solution: &MixedSolution,
    exploitability: MixedExploitability,
) -> Result<u64, Failure> {
    let table = MixedTable::of(solution, exploitability);
    if is_interrupted() {
        return Err(Failure::Interrupted);
    }
    target.write(table.bytes())?;
    Ok(table.bytes().len() as u64)
}
