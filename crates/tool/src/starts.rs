//! The files of the maps and positions that games start from.

use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// Refuses `-` for several maps or files of positions.
pub fn expect_one_stdin(maps: &[PathBuf], positions: &[PathBuf]) -> Result<(), Failure> {
    let files: Vec<&PathBuf> = maps.iter().chain(positions).collect();
    for (index, file) in files.iter().enumerate() {
        for other in &files[..index] {
            crate::input::expect_one_stdin(file, other)?;
        }
    }
    Ok(())
}

/// All input files: the maps, and the positions for each.
pub fn inputs(maps: &[PathBuf], positions: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let positions_of = |map: &PathBuf| positions_of(positions, maps.len(), &name(map));
    let files = maps.iter().map(positions_of);
    maps.iter().cloned().map(Ok).chain(files).collect()
}

/// The name of a map: its file name without the extension.
pub fn name(path: &Path) -> String {
    let file = path.file_name().unwrap_or(path.as_os_str());
    let file = file.to_string_lossy();
    let ends = [".level.ron", ".map", ".csv", ".edges", ".g6"];
    let stem = ends.iter().find_map(|end| file.strip_suffix(end));
    stem.unwrap_or(&file).to_owned()
}

/// The file with the positions for one of so many maps.
pub fn positions_of(positions: &[PathBuf], maps: usize, map: &str) -> Result<PathBuf, Failure> {
    if let ([file], 1) = (positions, maps)
        && !file.is_dir()
    {
        return Ok(file.clone());
    }
    let candidates = positions.iter().map(|path| {
        if path.is_dir() {
            path.join(format!("{map}.csv"))
        } else {
            path.clone()
        }
    });
    let mut candidates = candidates.filter(|path| path.exists() && name(path) == map);
    candidates.next().ok_or_else(|| {
        let places: Vec<String> = positions
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let places = places.join(", ");
        Failure::Input(format!(
            "{map}: expected positions in a file {map}.csv, found none in {places}"
        ))
    })
}
