//! What goes to stdout and into files.

use crate::failure::Failure;
use clap::Args;
use serde::Serialize;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

/// How the results are shown.
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
    /// Prints `value` as JSON, or what `text` writes.
    pub fn print(
        self,
        value: &impl Serialize,
        text: impl FnOnce(&mut BufWriter<StdoutLock<'_>>) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let mut out = BufWriter::new(io::stdout().lock());
        if self.json {
            serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            text(&mut out)?;
        }
        out.flush()?;
        Ok(())
    }
}

/// A name and what belongs to it, in two columns.
pub fn row(out: &mut impl Write, name: &str, value: impl std::fmt::Display) -> io::Result<()> {
    writeln!(out, "{name:<24}{value}")
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

/// Bytes for people.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 * 1e-6)
}

/// Writes a file as a whole or not at all: under a temporary name beside it, then renamed.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = Temporary(path.with_file_name(name));
    let written = fs::File::create(&temporary.0).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written
        .and_then(|()| fs::rename(&temporary.0, path))
        .map_err(|error| Failure::of_file(path, &error))
}

/// A file that goes away unless it was renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // Gone already if all went well.
        let _ = fs::remove_file(&self.0);
    }
}
