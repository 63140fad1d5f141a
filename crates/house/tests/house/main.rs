//! Rules of the project that no compiler checks: what may depend on what, and that the documents agree
//! with the code.

use std::fs;
use std::path::{Path, PathBuf};

mod code;
mod documents;
mod modules;
mod named;
mod parameters;
mod prelude;
mod rungs;
mod vocabulary;
mod world;

fn root() -> PathBuf {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    own.join("../..").canonicalize().expect("the repository")
}

/// The sources of a package below `crates`, or of the plugin.
fn package(name: &str) -> Vec<PathBuf> {
    let folder = if name == "plugin" {
        root()
    } else {
        root().join("crates").join(name)
    };
    sources(&folder.join("src"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn lines_with(files: impl Iterator<Item = PathBuf>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for path in files {
        for line in fs::read_to_string(&path).expect("readable").lines() {
            let code = line.split("//").next().unwrap_or_default();
            if words.iter().any(|word| code.contains(word)) {
                found.push(format!("{}: {line}", path.display()));
            }
        }
    }
    found
}
