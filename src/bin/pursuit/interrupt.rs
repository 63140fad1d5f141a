//! Ctrl-C, and being told to end.

use crate::failure::{self, Failure};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Would nobody look at the flag for who knows how long?
static WAITING: AtomicBool = AtomicBool::new(false);
/// The file that has to go if the process ends at once.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on the first Ctrl-C (or being told to end) only sets a flag that the work looks at. The
/// second one, or the first one while it waits, ends the process at once.
pub fn watch() {
    // Where this is not possible, the system's own way of ending the process stays.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) || WAITING.load(Ordering::SeqCst) {
            end();
        }
    });
}

pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Reads or writes what may have to wait for another process: an interrupt ends this one at once.
pub fn waiting<T>(work: impl FnOnce() -> T) -> Result<T, Failure> {
    WAITING.store(true, Ordering::SeqCst);
    // Whoever has set the flag before saw nobody waiting.
    let result = if is_interrupted() {
        Err(Failure::Interrupted)
    } else {
        Ok(work())
    };
    WAITING.store(false, Ordering::SeqCst);
    result
}

/// From now on this file, or none, has to go if the process ends at once.
pub fn set_temporary(path: Option<PathBuf>) {
    *temporary() = path;
}

fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn end() -> ! {
    // Locked to the end, so that no other one is made meanwhile.
    let temporary = temporary();
    if let Some(path) = &*temporary {
        let _ = fs::remove_file(path);
    }
    std::process::exit(failure::INTERRUPTED.into())
}
