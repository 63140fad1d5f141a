//! Handles Ctrl-C and termination signals.

use crate::failure::{self, Failure};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether the process may block on input or output, without checking the flag.
static WAITING: AtomicBool = AtomicBool::new(false);
/// Whether the interrupt has been reported.
static REPORTED: AtomicBool = AtomicBool::new(false);
/// The file to remove if the process exits immediately.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The time that an interrupted process has to finish by itself.
const PATIENCE: Duration = Duration::from_millis(250);

/// Installs the signal handler. The first Ctrl-C (or termination signal) sets a flag that the work
/// checks. The process exits immediately on the second signal, on the first one while it waits for
/// input or output, and a quarter of a second after the first one.
pub fn watch() {
    // If no handler can be installed, the default action of the system remains.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) || WAITING.load(Ordering::SeqCst) {
            end();
        }
        // In another thread, because this one must handle the second signal.
        let timer = std::thread::Builder::new().spawn(|| {
            std::thread::sleep(PATIENCE);
            Failure::Interrupted.report();
            end();
        });
        // Without the thread, the process might never exit.
        if timer.is_err() {
            Failure::Interrupted.report();
            end();
        }
    });
}

pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Returns `true` in the first call, so that the interrupt is reported once even if the main thread and
/// the timer thread report it concurrently.
pub fn is_first_report() -> bool {
    !REPORTED.swap(true, Ordering::SeqCst)
}

/// Runs input or output that may block on another process. During it, an interrupt exits immediately.
pub fn waiting<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    WAITING.store(true, Ordering::SeqCst);
    // An interrupt before the store did not see `WAITING` and only set its flag.
    let result = if is_interrupted() {
        Err(Failure::Interrupted)
    } else {
        Ok(work())
    };
    WAITING.store(false, Ordering::SeqCst);
    result
}

/// Sets the file to remove if the process exits immediately.
pub fn set_temporary(path: Option<PathBuf>) {
    *temporary() = path;
}

fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end() -> ! {
    // Stays locked, so that no other temporary file is created meanwhile.
    let temporary = temporary();
    if let Some(path) = &*temporary {
        let _ = fs::remove_file(path);
    }
    std::process::exit(failure::INTERRUPTED.into())
}
