//! Output files: checked before the work, written completely or not at all.

use crate::failure::Failure;
use crate::input::STDIN;
use crate::interrupt::waiting;
use crate::temporary::Temporary;
use clap::builder::{PathBufValueParser, TypedValueParser};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The maximum number of links in a chain, as in Linux.
const MAX_LINKS: usize = 40;

/// Parses the path of an output file. Refuses `-`, because stdout is for the report.
pub fn parser() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            Err("stdout is for the report: expected a file (./- for a file named -)")
        } else {
            Ok(path)
        }
    })
}

/// The destination of a result.
pub struct OutputTarget {
    given: PathBuf,
    destination: Destination,
}

enum Destination {
    /// A file to create or replace, with all links resolved.
    File(PathBuf),
    /// A device or a pipe to write to.
    Stream,
}

impl OutputTarget {
    /// Checks that a file can be written there and is not one of `inputs`. Leaves no trace.
    pub fn check(path: &Path, inputs: &[PathBuf]) -> Result<Self, Failure> {
        let destination = Destination::of(path).map_err(|error| Failure::of_file(path, &error))?;
        if let Destination::File(file) = &destination {
            if let Some(input) = inputs.iter().find(|input| is_same(file, input)) {
                let (path, input) = (path.display(), input.display());
                let text = format!("{path}: expected another file than the input, found {input}");
                return Err(Failure::Usage(text));
            }
            Temporary::beside(file).map_err(|error| Failure::of_file(path, &error))?;
        }
        let given = path.to_owned();
        Ok(Self { given, destination })
    }

    /// Writes the result; a file is written completely or not at all.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let written = match &self.destination {
            Destination::File(file) => {
                Temporary::beside(file).and_then(|new| new.replace(file, bytes))
            }
            Destination::Stream => waiting(|| {
                let stream = File::options().write(true).open(&self.given);
                stream.and_then(|mut stream| stream.write_all(bytes))
            })?,
        };
        written.map_err(|error| Failure::of_file(&self.given, &error))
    }
}

/// Returns whether a file, with all links resolved, is an input.
fn is_same(file: &Path, input: &Path) -> bool {
    // On systems with this file, it links to the file behind stdin.
    let is_stdin = input == Path::new(STDIN);
    let input = if is_stdin {
        Path::new("/dev/stdin")
    } else {
        input
    };
    fs::canonicalize(input).is_ok_and(|input| input == file)
}

impl Destination {
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

/// Resolves a link to a file that does not exist yet. Returns a path that is not a link unchanged.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
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
