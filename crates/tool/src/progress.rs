//! Progress bars on stderr.

use crate::failure::Failure;
use crate::interrupt::is_interrupted;
use crate::output::Terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pursuit_engine::table::{Estimate, Progress, Solution, Solver};
use std::time::Duration;

/// A bar on stderr if that is a terminal.
pub struct Bar(ProgressBar);

impl Bar {
    pub fn new(terminal: Terminal, length: u64) -> Self {
        let target = if terminal.quiet {
            ProgressDrawTarget::hidden()
        } else {
            // Draws nothing if stderr is not a terminal.
            ProgressDrawTarget::stderr()
        };
        let bar = ProgressBar::with_draw_target(Some(length), target);
        let style = ProgressStyle::with_template(
            "{wide_bar} {percent:>3} %  {msg}  {elapsed}, about {eta} left",
        );
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(bar)
    }

    /// Shows the progress. Returns whether to continue.
    pub fn update(&self, done: u64, length: u64, message: String) -> bool {
        self.0.set_length(length);
        self.0.set_position(done);
        self.0.set_message(message);
        !is_interrupted()
    }

    /// [`update`](Self::update) for work on positions that does not proceed by turns.
    pub fn working(&self, work: Progress, what: &str) -> bool {
        self.update(work.solved, work.positions, what.to_owned())
    }

    /// [`update`](Self::update) for solving a table.
    pub fn solving(&self, table: Progress, what: &str) -> bool {
        let turn = table.turn.0;
        self.update(table.solved, table.positions, format!("{what}turn {turn}"))
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Solves a table, with a bar that first shows the estimated cost.
pub fn solve(
    mut solver: Solver,
    estimate: Option<Estimate>,
    terminal: Terminal,
) -> Result<Solution, Failure> {
    let bar = Bar::new(terminal, solver.progress().positions);
    if let Some(estimate) = estimate {
        let (seconds, bytes) = (estimate.seconds, estimate.bytes as f64 * 1e-9);
        let message = format!("estimate: {seconds:.0} s on one core, {bytes:.2} GB;");
        bar.0.set_message(message);
    }
    solver.run(|progress| bar.solving(progress, ""));
    solver.finish().ok_or(Failure::Interrupted)
}
