//! Why a subcommand ends early, and the exit codes.

use crate::interrupt;
use bevy_pursuit::table::{SolveError, TableError};
use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

pub const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    a verification or a comparison failed
  2    wrong usage
  3    bad input (a map, positions, a table), or a file that cannot be read or written
  4    it would not fit into memory
  130  interrupted";

/// The exit code of an interrupt.
pub const INTERRUPTED: u8 = 130;

#[derive(Debug)]
pub enum Failure {
    /// Arguments that do not go together.
    Usage(String),
    /// What was to be checked is not so.
    Negative(String),
    /// Input that is wrong, or a file that cannot be read or written.
    Input(String),
    /// More memory than allowed.
    Memory(String),
    Interrupted,
    /// Nobody reads any further.
    ClosedPipe,
}

impl Failure {
    /// A file that cannot be read or written.
    pub fn of_file(path: &Path, error: &io::Error) -> Self {
        Self::Input(format!("{}: {error}", path.display()))
    }

    /// A table that is not taken.
    pub fn of_table(path: &Path, error: &TableError) -> Self {
        Self::Input(format!("{}: {error}", path.display()))
    }

    /// A table that is not solved with `limit` bytes of memory.
    pub fn of_solver(error: SolveError, limit: u64) -> Self {
        let text = describe(error, limit);
        match error {
            SolveError::TooLarge { .. } | SolveError::TooManyVertices { .. } => Self::Memory(text),
            _ => Self::Input(text),
        }
    }

    /// The same with the file that it is about, where there are several.
    pub fn named(self, path: &Path) -> Self {
        let named = |text| format!("{}: {text}", path.display());
        match self {
            Self::Memory(text) => Self::Memory(named(text)),
            Self::Input(text) => Self::Input(named(text)),
            other => other,
        }
    }

    /// A word about it on stderr, and its exit code.
    pub fn report(&self) -> ExitCode {
        let code = match self {
            Self::ClosedPipe => return ExitCode::SUCCESS,
            Self::Negative(_) => 1,
            Self::Usage(_) => 2,
            Self::Input(_) => 3,
            Self::Memory(_) => 4,
            Self::Interrupted if !interrupt::first_to_say() => return INTERRUPTED.into(),
            Self::Interrupted => INTERRUPTED,
        };
        // Without a stderr there is nobody to tell.
        let _ = writeln!(io::stderr(), "pursuit: {self}");
        ExitCode::from(code)
    }
}

/// Why a table is not solved with `limit` bytes of memory, in words. Where the figures cannot be
/// counted the error does not know the limit.
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
            Self::ClosedPipe => "nobody reads stdout",
        })
    }
}

/// An error of writing to stdout.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Input(format!("stdout: {error}")),
        }
    }
}
