//! Files that are written beside the one that they are to replace.
//!
//! Whoever writes one holds the system's lock on it. The lock goes with the process, however that ends, so that a
//! file without one is nobody's: numbers of processes are given out anew, and mean nothing in another container.

use crate::interrupt::set_temporary;
use std::fs::{self, DirEntry, File, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

const PREFIX: &str = ".pursuit-";
const SUFFIX: &str = ".tmp";
/// Hexadecimal digits between the two.
const DIGITS: usize = 16;

/// A file beside another that goes away unless it takes the place of that.
pub struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// Makes one beside `file`, with the mode of that if there is such a file. Removes those of processes
    /// that were killed.
    pub fn beside(file: &Path) -> io::Result<Self> {
        remove_left_behind(file);
        let mode = match fs::metadata(file) {
            Ok(found) => Some(found.permissions()),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let new = Self::locked(file)?;
        // Before there is anything to read in it.
        if let Some(mode) = mode {
            new.file.set_permissions(mode)?;
        }
        Ok(new)
    }

    fn locked(file: &Path) -> io::Result<Self> {
        loop {
            let number = RandomState::new().hash_one(file);
            let path = file.with_file_name(format!("{PREFIX}{number:0DIGITS$x}{SUFFIX}"));
            set_temporary(Some(path.clone()));
            let made = File::options().write(true).create_new(true).open(&path);
            let file = match made {
                Ok(file) => file,
                Err(error) => {
                    set_temporary(None);
                    if error.kind() == ErrorKind::AlreadyExists {
                        continue;
                    }
                    return Err(error);
                }
            };
            let new = Self { path, file };
            // Where a file system knows no locks, nobody gets one to remove it either.
            let _ = new.file.lock();
            // Another process may have taken it for one left behind until it had its lock.
            if new.path.try_exists()? {
                return Ok(new);
            }
        }
    }

    /// Writes it and puts it where `file` is.
    pub fn replace(mut self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.sync_all()?;
        fs::rename(&self.path, file)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Gone already if all went well.
        let _ = fs::remove_file(&self.path);
        set_temporary(None);
    }
}

/// Removes the files beside `file` whose processes were killed before they could.
fn remove_left_behind(file: &Path) {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // A folder may be one to write into and not one to list. What cannot be removed may stay.
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten().filter(is_temporary) {
        let path = entry.path();
        // What was to replace a read-only file is one itself. Some file systems lock only what can be
        // written.
        let opened = File::options().write(true).open(&path);
        let Ok(left) = opened.or_else(|_| File::open(&path)) else {
            continue;
        };
        match left.try_lock() {
            // Removed while it is locked: whoever makes one looks for it under the lock.
            Ok(()) => {
                let _ = fs::remove_file(&path);
            }
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}

fn is_temporary(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let number = name
        .to_str()
        .and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    let is_ours = number.is_some_and(|number| {
        number.len() == DIGITS && number.bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    // No link, and no pipe, where opening would wait.
    is_ours && entry.file_type().is_ok_and(|kind| kind.is_file())
}
