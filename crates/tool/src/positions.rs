//! Reads lists of positions from comma-separated values.

use crate::failure::Failure;
use crate::ground::Ground;
use crate::input::{read_text, wrong};
use csv::StringRecord;
use pursuit_engine::graph::{Digraph, Graph, Vertex};
use pursuit_engine::map::{Cell, TextPosition};
use std::collections::HashSet;
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};

/// A file of positions: its text and the columns of the agents.
pub struct Positions {
    path: PathBuf,
    text: String,
    pub header: StringRecord,
    pub records: Vec<StringRecord>,
    robber: Columns,
    cops: Vec<Columns>,
}

/// The indices of the columns of an agent.
#[derive(Clone, Copy)]
enum Columns {
    /// Of a cell of a map.
    Cell { x: usize, y: usize },
    /// Of the number of a vertex of a graph.
    Vertex(usize),
}

impl Positions {
    /// Reads a file, or stdin for `-`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = read_text(path)?;
        // Some spreadsheets write a byte-order mark at the start of a file.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let refused = |error: csv::Error| refused(path, &error);
        let header = reader.headers().map_err(refused)?.clone();
        let records: Result<Vec<_>, _> = reader.records().collect();
        let records = records.map_err(refused)?;
        expect_each_once(path, &header)?;
        let column = |name: &str| header.iter().position(|column| column.trim() == name);
        let on_graph = column("robber").is_some() && column("robber_x").is_none();
        let found = |name: &str| -> Option<Columns> {
            if on_graph {
                return column(name).map(Columns::Vertex);
            }
            let x = column(&format!("{name}_x"))?;
            let y = column(&format!("{name}_y"))?;
            Some(Columns::Cell { x, y })
        };
        let agent = |name: &str| {
            found(name).ok_or_else(|| {
                let expected = if on_graph {
                    format!("a column {name}")
                } else {
                    format!("columns {name}_x and {name}_y")
                };
                let found: Vec<&str> = header.iter().collect();
                wrong(path, "1:1", &expected, &found.join(","))
            })
        };
        let robber = agent("robber")?;
        // The numbers of cops must have no gaps.
        let numbers = header.iter().filter_map(|column| cop_of(column, on_graph));
        let last = numbers.max().unwrap_or(1);
        let cops = (1..=last.max(1)).map(|cop| agent(&format!("cop{cop}")));
        let cops = cops.collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            path: path.to_owned(),
            robber,
            cops,
            records,
            header,
            text,
        })
    }

    /// The number of cops with columns.
    pub fn cops(&self) -> Result<NonZeroU8, Failure> {
        let cops = self.cops.len();
        let fits = u8::try_from(cops).ok().and_then(NonZeroU8::new);
        fits.ok_or_else(|| {
            let expected = format!("columns of 1 to {} cops", u8::MAX);
            wrong(&self.path, "1:1", &expected, &cops.to_string())
        })
    }

    /// Keeps the first cops only. The columns of the others are then ordinary columns.
    pub fn take_cops(&mut self, cops: NonZeroU8) -> Result<(), Failure> {
        let wanted = usize::from(cops.get());
        if self.cops.len() < wanted {
            let (expected, found) = (format!("columns of {cops} cops"), self.cops.len());
            return Err(wrong(&self.path, "1:1", &expected, &found.to_string()));
        }
        self.cops.truncate(wanted);
        Ok(())
    }

    /// The robber and the cops of a position.
    pub fn agents(
        &self,
        record: &StringRecord,
        ground: Ground<'_>,
    ) -> Result<(Vertex, Vec<Vertex>), Failure> {
        let vertex = |columns| match (columns, ground) {
            (Columns::Cell { x, y }, Ground::Map(map)) => self.vertex_of_map(record, x, y, map),
            (Columns::Vertex(index), Ground::Edges(graph)) => {
                self.vertex_of_graph(record, index, graph)
            }
            (Columns::Cell { .. }, Ground::Edges(_)) => {
                Err(self.wrong_columns("columns robber and cop1 for a graph"))
            }
            (Columns::Vertex(_), Ground::Map(_)) => {
                Err(self.wrong_columns("columns robber_x and robber_y for a map"))
            }
        };
        let robber = vertex(self.robber)?;
        let cops = self.cops.iter().map(|&cop| vertex(cop));
        Ok((robber, cops.collect::<Result<_, _>>()?))
    }

    fn wrong_columns(&self, expected: &str) -> Failure {
        let found: Vec<&str> = self.header.iter().collect();
        wrong(&self.path, "1:1", expected, &found.join(","))
    }

    fn number(&self, record: &StringRecord, index: usize) -> Result<u32, Failure> {
        let field = record[index].trim();
        field.parse().map_err(|_| {
            let place = self.place(record, index);
            wrong(&self.path, place, "a number from 0", &format!("{field:?}"))
        })
    }

    fn vertex_of_graph(
        &self,
        record: &StringRecord,
        index: usize,
        graph: &Digraph,
    ) -> Result<Vertex, Failure> {
        let number = self.number(record, index)?;
        graph.vertex(number).ok_or_else(|| {
            let expected = format!("the number of a vertex below {}", graph.vertices());
            self.wrong_field(record, index, &expected, &number.to_string())
        })
    }

    /// The vertex whose column and row are in the fields `x` and `y`.
    fn vertex_of_map(
        &self,
        record: &StringRecord,
        x: usize,
        y: usize,
        map: &Graph,
    ) -> Result<Vertex, Failure> {
        let (column, row) = (self.number(record, x)?, self.number(record, y)?);
        let cell = u16::try_from(column).ok().zip(u16::try_from(row).ok());
        let cell = cell.map(|(x, y)| Cell::new(x, y));
        let (width, height) = (map.width(), map.height());
        cell.and_then(|cell| map.vertex(cell)).ok_or_else(|| {
            let on_map = cell.is_some_and(|cell| cell.x < width && cell.y < height);
            let (expected, what) = if on_map {
                ("a passable cell".to_owned(), "a wall at ")
            } else {
                (format!("a cell of the {width} x {height} map"), "")
            };
            let found = format!("{what}({column}, {row})");
            wrong(&self.path, self.place(record, x), &expected, &found)
        })
    }

    /// An error in a field.
    pub fn wrong_field(
        &self,
        record: &StringRecord,
        index: usize,
        expected: &str,
        found: &str,
    ) -> Failure {
        wrong(&self.path, self.place(record, index), expected, found)
    }

    /// The position in the file where a field of a record starts.
    fn place(&self, record: &StringRecord, index: usize) -> TextPosition {
        let start = record.position().map_or(0, csv::Position::byte) as usize;
        let (mut quoted, mut commas) = (false, 0);
        let mut place = TextPosition::new(1, 1);
        let mut begun = false;
        for (at, symbol) in self.text.char_indices() {
            // Empty lines may precede the record.
            begun |= at >= start && !matches!(symbol, '\r' | '\n');
            if begun && commas == index {
                break;
            }
            if symbol == '\n' {
                place = TextPosition::new(place.line + 1, 1);
            } else {
                place.column += 1;
            }
            if begun {
                quoted ^= symbol == '"';
                commas += usize::from(symbol == ',' && !quoted);
            }
        }
        place
    }
}

/// Refuses duplicate column names, which would be ambiguous.
fn expect_each_once(path: &Path, header: &StringRecord) -> Result<(), Failure> {
    let names: Vec<&str> = header.iter().map(str::trim).collect();
    let mut seen = HashSet::new();
    // Columns without a name are never looked up.
    let duplicate = names
        .iter()
        .position(|&name| !name.is_empty() && !seen.insert(name));
    match duplicate {
        None => Ok(()),
        Some(index) => {
            let found = format!("{:?} again, as column {}", names[index], index + 1);
            Err(wrong(path, "1:1", "each column once", &found))
        }
    }
}

/// The number of the cop that a column belongs to.
fn cop_of(column: &str, on_graph: bool) -> Option<usize> {
    let name = column.trim().strip_prefix("cop")?;
    let number = if on_graph {
        Some(name)
    } else {
        name.strip_suffix("_x").or_else(|| name.strip_suffix("_y"))
    };
    number?.parse().ok()
}

/// Converts an error of the csv reader.
fn refused(path: &Path, error: &csv::Error) -> Failure {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => {
            let line = pos.as_ref().map_or(1, csv::Position::line);
            let expected = format!("{expected_len} fields as in line 1");
            wrong(path, format!("{line}:1"), &expected, &len.to_string())
        }
        _ => Failure::Input(format!("{}: {error}", path.display())),
    }
}
