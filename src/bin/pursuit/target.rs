//! Files out: looked at before the work, written as a whole or not at all.

use crate::failure::Failure;
use crate::interrupt::{set_temporary, waiting};
use clap::builder::{PathBufValueParser, TypedValueParser};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// So many links are followed, as Linux does.
const LINKS: usize = 40;

/// The path of a result on the command line. stdout is for the report, so that there is no `-`.
pub fn parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            Err("stdout is for the report: expected a file, ./- for one of this name")
        } else {
            Ok(path)
        }
    })
}

/// Where a result goes.
pub struct Target {
    asked: PathBuf,
    place: Place,
}

enum Place {
    /// A file to make or to replace, behind all links.
    File(PathBuf),
    /// A device or a pipe to write into.
    Stream,
}

impl Target {
    /// Looks whether a file can be written there. Leaves no trace.
    pub fn check(path: &Path) -> Result<Self, Failure> {
        let place = Place::of(path).and_then(|place| {
            if let Place::File(file) = &place {
                Temporary::beside(file)?;
            }
            Ok(place)
        });
        let place = place.map_err(|error| Failure::of_file(path, &error))?;
        let asked = path.to_owned();
        Ok(Self { asked, place })
    }

    /// Writes it: a file as a whole or not at all.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match &self.place {
            Place::File(file) => Temporary::beside(file).and_then(|new| new.replace(file, bytes)),
            Place::Stream => waiting(|| {
                let stream = File::options().write(true).open(&self.asked);
                stream.and_then(|mut stream| stream.write_all(bytes))
            })?,
        };
        written.map_err(|error| Failure::of_file(&self.asked, &error))
    }
}

impl Place {
    fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => fs::canonicalize(path).map(Self::File),
            Ok(_) => Ok(Self::Stream),
            Err(error) if error.kind() == ErrorKind::NotFound => follow(path).map(Self::File),
            Err(error) => Err(error),
        }
    }
}

/// Where a link leads to that leads to nothing yet; a path that is no link is returned as it is.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let is_folder = path.to_string_lossy().ends_with(std::path::is_separator);
        if is_folder || path.file_name().is_none() {
            return Err(ErrorKind::NotADirectory.into());
        }
        let Ok(next) = fs::read_link(&path) else {
            return Ok(path);
        };
        path.pop();
        path.push(next);
    }
    Err(io::Error::other("too many links"))
}

/// A file beside another that goes away unless it takes the place of that.
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    fn beside(file: &Path) -> io::Result<Self> {
        let path = file.with_file_name(format!(".pursuit-{}.tmp", std::process::id()));
        set_temporary(Some(path.clone()));
        // Left by a process that had the same number and could not clean up.
        let _ = fs::remove_file(&path);
        match File::options().write(true).create_new(true).open(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(error) => {
                set_temporary(None);
                Err(error)
            }
        }
    }

    fn replace(mut self, file: &Path, bytes: &[u8]) -> io::Result<()> {
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
