//! Prints results to stdout, as text or JSON.

use crate::failure::Failure;
use crate::interrupt::waiting;
use clap::Args;
use serde::Serialize;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Options for printing results and progress.
#[derive(Args, Debug, Clone, Copy)]
pub struct Terminal {
    /// Print one JSON object or list instead of text
    #[arg(long, global = true)]
    pub json: bool,

    /// Show no progress
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl Terminal {
    /// Prints `value` as JSON, or the output of `text`.
    pub fn print(
        self,
        value: &impl Serialize,
        text: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let printed = waiting(|| {
            let mut out = BufWriter::new(io::stdout().lock());
            if self.json {
                serde_json::to_writer_pretty(&mut out, value)?;
                writeln!(out)?;
            } else {
                text(&mut out)?;
            }
            out.flush()
        })?;
        Ok(printed?)
    }
}

/// Writes a name and a value in two columns.
pub fn row(out: &mut impl Write, name: &str, value: impl std::fmt::Display) -> io::Result<()> {
    writeln!(out, "{name:<24}{value}")
}

/// Writes that escapes may be captures of more turns than a table holds.
pub fn row_of_longer(out: &mut impl Write, may_take_longer: bool) -> io::Result<()> {
    if may_take_longer {
        let text = "captures that take more than 65,534 turns count as escapes";
        row(out, "note", text)?;
    }
    Ok(())
}

/// Digits in groups of three.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in MB.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 * 1e-6)
}
