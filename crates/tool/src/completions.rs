//! `pursuit completions`: shell completion scripts.

use crate::Cli;
use crate::failure::Failure;
use crate::interrupt::waiting;
use clap::CommandFactory as _;
use clap_complete::Shell;
use std::io::{self, Write as _};

/// Print a completion script for a shell
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    shell: Shell,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pursuit", &mut script);
    let written = waiting(|| {
        let mut out = io::stdout().lock();
        out.write_all(&script).and_then(|()| out.flush())
    })?;
    Ok(written?)
}
