//! Threads and memory.

use crate::failure::Failure;
use clap::Args;
use std::fs;

/// What is allowed where nothing tells how much memory there is, in bytes.
const CAUTIOUS: u64 = 4_000_000_000;

/// What the work may take.
#[derive(Args, Debug, Clone, Copy)]
pub struct Limits {
    /// The memory that it may take, in units of 10^9 bytes; left out, four fifths of what is free.
    /// What is read comes on top: files, some 45 bytes for each cell of a map, 16 MB for the program
    #[arg(long, value_name = "GB", value_parser = gigabytes)]
    memory: Option<u64>,

    #[command(flatten)]
    pub threads: Threads,
}

/// How many threads there are.
#[derive(Args, Debug, Clone, Copy)]
pub struct Threads {
    /// The number of threads; left out, one for each core. The results are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Limits {
    /// Bytes of memory.
    pub fn memory(self) -> u64 {
        let free = || field("/proc/meminfo", "MemAvailable:").map(|free| free / 5 * 4);
        self.memory.or_else(free).unwrap_or(CAUTIOUS)
    }
}

impl Threads {
    /// Has to come before any work.
    pub fn set(self) -> Result<(), Failure> {
        let Some(threads) = self.threads else {
            return Ok(());
        };
        rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(threads))
            .build_global()
            .map_err(|error| Failure::Memory(format!("{threads} threads: {error}")))
    }
}

fn gigabytes(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1e9 => Ok((number * 1e9) as u64),
        _ => Err("expected a number above 0".into()),
    }
}

/// The most memory that this process has taken so far, in bytes; `None` where the system does not
/// say.
pub fn peak_memory() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// A line of a file of Linux, in kB there, in bytes here.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
