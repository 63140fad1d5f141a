//! The failures of subcommands, and the exit codes.

use crate::interrupt;
use pursuit_engine::table::{SolveError, TableError};
use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

pub const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    a verification or comparison failed
  2    wrong usage
  3    invalid input (a map, positions, a table), or a file that cannot be read or written
  4    not enough memory
  130  interrupted";

/// The exit code after an interrupt.
pub const INTERRUPTED: u8 = 130;

#[derive(Debug)]
pub enum Failure {
    /// The arguments contradict each other.
    Usage(String),
    /// A verification or comparison failed.
    Negative(String),
    /// The input is invalid, or a file cannot be read or written.
    Input(String),
    /// The work needs more memory than allowed.
    Memory(String),
    Interrupted,
    /// The reader of stdout has closed the pipe.
    ClosedPipe,
}

impl Failure {
    /// A file that cannot be read or written.
    pub fn of_file(path: &Path, error: &io::Error) -> Self {
        Self::Input(format!("{}: {error}", path.display()))
    }

    /// A table that is invalid or does not fit.
    pub fn of_table(path: &Path, error: &TableError) -> Self {
        Self::Input(format!("{}: {error}", path.display()))
    }

    /// A table that cannot be solved with `limit` bytes of memory.
    pub fn of_solver(error: SolveError, limit: u64) -> Self {
        let text = describe(error, limit);
        match error {
            SolveError::TooLarge { .. } | SolveError::TooManyVertices { .. } => Self::Memory(text),
            _ => Self::Input(text),
        }
    }

    /// Returns the failure with the name of its file.
    pub fn named(self, path: &Path) -> Self {
        let named = |text| format!("{}: {text}", path.display());
        match self {
            Self::Memory(text) => Self::Memory(named(text)),
            Self::Input(text) => Self::Input(named(text)),
            other => other,
        }
    }

    /// Prints the failure to stderr and returns the exit code.
    pub fn report(&self) -> ExitCode {
        let code = match self {
            Self::ClosedPipe => return ExitCode::SUCCESS,
            Self::Negative(_) => 1,
            Self::Usage(_) => 2,
            Self::Input(_) => 3,
            Self::Memory(_) => 4,
            Self::Interrupted if !interrupt::is_first_report() => return INTERRUPTED.into(),
            Self::Interrupted => INTERRUPTED,
        };
        // If stderr is closed, the message is lost.
        let _ = writeln!(io::stderr(), "pursuit: {self}");
        ExitCode::from(code)
    }
}

/// Why a table cannot be solved with `limit` bytes of memory. An error whose requirement overflows
/// 64 bits does not contain the limit, so it is added here.
pub fn describe(error: SolveError, limit: u64) -> String {
    match error {
        SolveError::TooLarge {
            vertices,
            cops,
            needed: needed @ u64::MAX,
            ..
        } => SolveError::TooLarge {
            vertices,
            cops,
            needed,
            limit,
        }
        .to_string(),
        _ => error.to_string(),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Usage(text) | Self::Negative(text) | Self::Input(text) | Self::Memory(text) => {
                text
            }
            Self::Interrupted => "interrupted",
            Self::ClosedPipe => "stdout is closed",
        })
    }
}

/// An error when writing to stdout.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Input(format!("stdout: {error}")),
        }
    }
}
