//! Temporary files, written beside the file that they replace.
//!
//! The writing process holds a file lock on its temporary file. The system releases the lock when the
//! process ends in any way, so an unlocked temporary file is abandoned. A process number in the name
//! could not show this: numbers are reused, and differ between containers.

use crate::interrupt::set_temporary;
use std::fs::{self, DirEntry, File, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

const PREFIX: &str = ".pursuit-";
const SUFFIX: &str = ".tmp";
/// The number of hexadecimal digits between prefix and suffix.
const DIGITS: usize = 16;

/// A temporary file, removed on drop unless it has replaced its target.
pub struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    /// Creates a temporary file beside `file`, with the same mode if `file` exists. Removes the temporary
    /// files of killed processes.
    pub fn beside(file: &Path) -> io::Result<Self> {
        remove_abandoned(file);
        let mode = match fs::metadata(file) {
            Ok(found) => Some(found.permissions()),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let new = Self::locked(file)?;
        // Set before there is any content to read.
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
            // On a file system without locks, other processes cannot lock the file to remove it either.
            let _ = new.file.lock();
            // Before the lock, another process may have removed the file as abandoned.
            if new.path.try_exists()? {
                return Ok(new);
            }
        }
    }

    /// Writes the content and replaces `file`.
    pub fn replace(mut self, file: &Path, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.sync_all()?;
        fs::rename(&self.path, file)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Fails after a successful rename, because the file is gone.
        let _ = fs::remove_file(&self.path);
        set_temporary(None);
    }
}

/// Removes the temporary files beside `file` whose processes were killed.
fn remove_abandoned(file: &Path) {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // A folder may be writable but not readable. Files that cannot be removed stay.
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten().filter(is_temporary) {
        let path = entry.path();
        // Opened for writing, because some file systems lock only such files. A temporary file that was
        // to replace a read-only file is itself read-only.
        let opened = File::options().write(true).open(&path);
        let Ok(abandoned) = opened.or_else(|_| File::open(&path)) else {
            continue;
        };
        match abandoned.try_lock() {
            // Removed while locked, because its creator checks for it under the lock.
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
    let is_temporary = number.is_some_and(|number| {
        number.len() == DIGITS && number.bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    // Regular files only: opening a pipe would block.
    is_temporary && entry.file_type().is_ok_and(|kind| kind.is_file())
}
