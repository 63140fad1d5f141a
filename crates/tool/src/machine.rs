//! Limits on threads and memory.

use crate::failure::Failure;
use clap::Args;
use std::fs;

/// The memory limit in bytes if the system does not report its free memory.
const DEFAULT_MEMORY: u64 = 4_000_000_000;

/// Limits on memory and threads.
#[derive(Args, Debug, Clone, Copy)]
pub struct Limits {
    /// The memory limit of the work, in units of 10^9 bytes [default: four fifths of the free memory].
    /// Not included: input files, about 45 bytes per cell of a map, and 16 MB for the program
    #[arg(long, value_name = "GB", value_parser = gigabytes)]
    memory: Option<u64>,

    #[command(flatten)]
    pub threads: Threads,
}

/// The number of threads.
#[derive(Args, Debug, Clone, Copy)]
pub struct Threads {
    /// The number of threads, which does not affect the results [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Limits {
    /// The memory limit in bytes.
    pub fn memory(self) -> u64 {
        self.memory.unwrap_or_else(memory_limit)
    }
}

/// The memory limit in bytes where none is given: four fifths of the free memory.
pub fn memory_limit() -> u64 {
    let free = field("/proc/meminfo", "MemAvailable:").map(|free| free / 5 * 4);
    free.unwrap_or(DEFAULT_MEMORY)
}

impl Threads {
    /// Sets the number of threads. Must be called before any other work.
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

/// The peak memory of this process in bytes; `None` if the system does not report it.
pub fn peak_memory() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// Reads a field, given in kB, of a Linux `/proc` file. Returns bytes.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
