//! Reads input: files or stdin, levels, tables and cells.

use crate::failure::Failure;
use crate::ground::AnyGraph;
use crate::interrupt::waiting;
use crate::output::Terminal;
use crate::progress::Bar;
use pursuit_engine::endgame::{EndgameShapes, ShapesReader};
use pursuit_engine::graph::{Digraph, Graph};
use pursuit_engine::map::{Cell, Moves, PursuitLevel};
use pursuit_engine::solve::simultaneous::MixedTable;
use pursuit_engine::table::{CaptureTimes as _, Table};
use pursuit_lab::graph::{edge_list, graph6};
use pursuit_lab::patterns::PatternFile;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

/// The file name that stands for stdin.
pub const STDIN: &str = "-";

/// The bytes of a file, or of stdin for `-`.
fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = waiting(|| {
        if path == Path::new(STDIN) {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map(|_| bytes)
        } else {
            fs::read(path)
        }
    })?;
    bytes.map_err(|error| Failure::of_file(path, &error))
}

/// The text of a file, or of stdin for `-`.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let error = io::Error::new(io::ErrorKind::InvalidData, error.utf8_error());
        Failure::of_file(path, &error)
    })
}

/// Refuses `-` for two files, because stdin can be read only once.
pub fn expect_one_stdin(first: &Path, second: &Path) -> Result<(), Failure> {
    if first == second && first == Path::new(STDIN) {
        let text = "expected - for at most one file, found it twice: stdin can be read once";
        return Err(Failure::Usage(text.to_owned()));
    }
    Ok(())
}

/// Reads a map or level for a command to which both sides are alike.
pub fn read_level(path: &Path) -> Result<PursuitLevel, Failure> {
    let level = read_any_level(path)?;
    if level.is_alike_for_both_sides() {
        return Ok(level);
    }
    Err(Failure::Input(format!(
        "{}: expected a level without exits and cells for one side only, which `solve` and `verify` know, found some",
        path.display()
    )))
}

/// Reads a map or level.
pub fn read_any_level(path: &Path) -> Result<PursuitLevel, Failure> {
    let level = PursuitLevel::parse(&read_text(path)?);
    level.map_err(|error| Failure::Input(error.in_file(path.display().to_string()).to_string()))
}

/// Returns whether a file is a graph by its name: a list of edges (.edges), or a line in graph6 format (.g6).
pub fn is_graph_file(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("edges" | "g6"))
}

/// Reads a map or level, or a graph if the file is one by its name: what all commands open that take either. `moves`:
/// the steps on a level.
pub fn read_any(
    path: &Path,
    moves: impl FnOnce(&PursuitLevel) -> Moves,
) -> Result<AnyGraph, Failure> {
    if is_graph_file(path) {
        return read_graph(path).map(AnyGraph::Edges);
    }
    let level = read_level(path)?;
    let moves = moves(&level);
    Ok(AnyGraph::Map(Graph::new(&level.initial_map(), moves)))
}

/// Reads a file that is a graph by its name.
pub fn read_graph(path: &Path) -> Result<Digraph, Failure> {
    let text = read_text(path)?;
    let failure = |error: String| Failure::Input(format!("{}:{error}", path.display()));
    if path
        .extension()
        .is_some_and(|extension| extension == "edges")
    {
        return edge_list::parse(&text).map_err(|error| failure(error.to_string()));
    }
    let graphs: Result<Vec<Digraph>, _> = graph6::parse_lines(&text).collect();
    let mut graphs = graphs.map_err(|error| failure(error.to_string()))?;
    match (graphs.pop(), graphs.len()) {
        (Some(graph), 0) => Ok(graph),
        (_, others) => {
            let found = if others == 0 {
                "none".to_owned()
            } else {
                (others + 1).to_string()
            };
            Err(failure(format!("1:1: expected one graph, found {found}")))
        }
    }
}

/// Reads a pattern database from a file, or from stdin for `-`.
pub fn read_patterns(path: &Path) -> Result<PatternFile, Failure> {
    let file = PatternFile::from_bytes(&read_bytes(path)?);
    file.map_err(|error| Failure::Input(format!("{}: {error}", path.display())))
}

/// Reads shapes of endgames from a file, or from stdin for `-`, and checks all values of their tables.
pub fn read_shapes(path: &Path, terminal: Terminal) -> Result<EndgameShapes, Failure> {
    let bytes = read_bytes(path)?;
    let mut reader =
        ShapesReader::new(bytes.into()).map_err(|error| Failure::of_table(path, &error))?;
    let bar = Bar::new(terminal, 0);
    let mut is_done = false;
    while !is_done {
        let progress = reader.advance();
        let progress = progress.map_err(|error| Failure::of_table(path, &error))?;
        if !bar.working(progress, "shapes") {
            return Err(Failure::Interrupted);
        }
        is_done = progress.done;
    }
    Ok(reader.finish().unwrap_or_default())
}

/// A table and the path of its file.
pub struct TableFile<'a> {
    path: &'a Path,
    pub table: Table,
}

/// A table of either game.
pub enum AnyTable<'a> {
    Exact(TableFile<'a>),
    Mixed(MixedTable),
}

/// Reads a table of either game from a file, or from stdin for `-`.
pub fn read_table(path: &Path) -> Result<AnyTable<'_>, Failure> {
    let bytes = read_bytes(path)?;
    if MixedTable::is_kind_of(&bytes) {
        let table = MixedTable::from_bytes(bytes.into());
        let table = table.map_err(|error| Failure::of_table(path, &error))?;
        return Ok(AnyTable::Mixed(table));
    }
    exact_table(path, bytes).map(AnyTable::Exact)
}

/// Reads a table of the alternating game from a file, or from stdin for `-`.
pub fn read_exact_table(path: &Path) -> Result<TableFile<'_>, Failure> {
    exact_table(path, read_bytes(path)?)
}

fn exact_table(path: &Path, bytes: Vec<u8>) -> Result<TableFile<'_>, Failure> {
    let table = Table::from_bytes(bytes.into());
    let table = table.map_err(|error| Failure::of_table(path, &error))?;
    Ok(TableFile { path, table })
}

impl TableFile<'_> {
    /// Reads the map or graph of the table. Refuses one that the table was not solved for.
    pub fn graph_of(&self, path: &Path) -> Result<AnyGraph, Failure> {
        let graph = read_any(path, |_| self.table.rules().moves)?;
        let fits = self.table.expect_map(graph.ground().fingerprint());
        fits.map_err(|error| Failure::of_table(self.path, &error))?;
        Ok(graph)
    }
}

/// An error at a position of a file.
pub fn wrong(path: &Path, place: impl std::fmt::Display, expected: &str, found: &str) -> Failure {
    let path = path.display();
    Failure::Input(format!(
        "{path}:{place}: expected {expected}, found {found}"
    ))
}

/// Parses a cell `X,Y`.
pub fn cell(text: &str) -> Result<Cell, String> {
    let parsed = text
        .split_once(',')
        .and_then(|(x, y)| Some(Cell::new(x.trim().parse().ok()?, y.trim().parse().ok()?)));
    parsed.ok_or_else(|| "expected X,Y: a column and a row, both from 0".into())
}
