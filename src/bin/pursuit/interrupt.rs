//! Ctrl-C, and being told to end.

use crate::failure::{self, Failure};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Would nobody look at the flag for who knows how long?
static WAITING: AtomicBool = AtomicBool::new(false);
/// Has somebody said that it was interrupted?
static SAID: AtomicBool = AtomicBool::new(false);
/// The file that has to go if the process ends at once.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// A process that was interrupted and has not ended after this time is ended.
const PATIENCE: Duration = Duration::from_millis(250);

/// From now on the first Ctrl-C (or being told to end) only sets a flag that the work looks at. The
/// second one, or the first one while it waits, ends the process at once; and so does the first one
/// if the process has not ended by itself a quarter of a second later.
pub fn watch() {
    // Where this is not possible, the system's own way of ending the process stays.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) || WAITING.load(Ordering::SeqCst) {
            end();
        }
        // Not here: this is where the second one is waited for.
        let patient = std::thread::Builder::new().spawn(|| {
            std::thread::sleep(PATIENCE);
            Failure::Interrupted.report();
            end();
        });
        // Without a thread nobody would end it later.
        if patient.is_err() {
            Failure::Interrupted.report();
            end();
        }
    });
}

pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Is this the first time that somebody wants to say so? Who looks and who has waited for that may come
/// together.
pub fn first_to_say() -> bool {
    !SAID.swap(true, Ordering::SeqCst)
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
