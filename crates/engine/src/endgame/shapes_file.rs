//! Shapes with their tables as bytes: the file format `.pend`, version 1.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `89 50 45 4E 44 0D 0A 1A`: the letters `PEND` between bytes that a text conversion would change |
//! | 2 | version: 1 |
//! | 4 | number of shapes |
//! | | the shapes, in ascending order of the bytes of their keys |
//! | 4 | CRC-32 of all bytes before |
//!
//! A shape is a key, the length of its table (4), and the table. The key says what the table depends on:
//!
//! | bytes | what |
//! |---|---|
//! | 1 | steps: 0 octile, 1 orthogonal, 3 to 8 hexagons, in the order of [`HexLayout::ALL`](crate::map::HexLayout::ALL) |
//! | 1 | number of players |
//! | 1 | speed of the players |
//! | 1 | speed of the robber |
//! | 1 | who may leave the region: 0 the robber, which has then escaped; 1 the players |
//! | 2 | number of cells |
//! | 6 each | the cells, row by row: row (2), column (2), the steps that lead from the cell on the map, one bit for each in the order of [`Moves::steps`](crate::map::Moves::steps) (1), and 1 if a guard stands there or captures there at once, or else 0 (1) |
//!
//! The eight symmetries of a region have one shape: the one whose cells are least in this order. The table is a [`.ptab`
//! file](mod@crate::table::file) of a graph that is no map, with fingerprint 0. Its places are the cells along a
//! Hilbert curve, and then one place more for all that is outside.
//!
//! # What can be trusted
//!
//! A table is a promise: a capture that it announces must come. A checksum finds damage but no forgery, so reading
//! checks more: each value of each table has to follow from the values of its successors, by the verifier of the module
//! `table`. The table of a shape that passes has exactly the values that the solver would have found. *Proof.* Let v be
//! values with v = 0 where a cop stands on the robber, and elsewhere v = 1 + the least over the joint moves of the
//! greatest over the answers. A position of finite v has a move after which each answer has a smaller value, so the
//! capture comes within v turns: no value is below the true one. Conversely, let t be the true value. For t = 0, v is 0
//! as well. A position of true value t has a move after which each answer has a true value of at most t - 1; by
//! induction v is the same there, so v is at most t. A game therefore behaves the same whether a table was read or
//! solved.

use super::shape_key::{LocalGame, ShapeKey};
use super::shapes::EndgameShapes;
use crate::table::file::sections::{Unchecked, expect_checksum, malformed, shown_start};
use crate::table::{
    CaptureTimes as _, Progress, Table, TableError, Verification, VerifyError, WrongValue,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"\x89PEND\r\n\x1a";
const VERSION: u16 = 1;
/// Bytes before the shapes.
const HEADER: usize = 14;
/// The most bytes that checking a table takes.
const MOST_BYTES: u64 = 1 << 28;

/// Reads a file of shapes, one shape at a time.
///
/// Cost: the checksum at once; then, for each shape, the check of all its values, which takes about four times as long
/// as solving it. For 170 cells and two players this is some 90 ms of one core, on all cores with the feature
/// `parallel`.
#[derive(Debug)]
pub struct ShapesReader {
    bytes: Arc<[u8]>,
    /// Where the next shape begins.
    at: usize,
    count: usize,
    shapes: EndgameShapes,
    last: Option<ShapeKey>,
}

impl ShapesReader {
    /// Begins to read the bytes of a file.
    ///
    /// # Errors
    /// If the bytes are not a file of shapes of this version, or are damaged.
    pub fn new(bytes: Arc<[u8]>) -> Result<Self, TableError> {
        let reader = Unchecked(&bytes);
        if !bytes.starts_with(&MAGIC) {
            let expected = "endgames (89 50 45 4e 44 0d 0a 1a)";
            return Err(malformed(0, expected, shown_start(&bytes, MAGIC.len())));
        }
        let (found, expected) = (reader.u16(8)?, VERSION);
        if found != expected {
            return Err(TableError::Version { found, expected });
        }
        let count = reader.u32(10)? as usize;
        let end = bytes.len().saturating_sub(4).max(HEADER);
        let checksum = reader.u32(end)?;
        expect_checksum("the file", 0, checksum, &bytes[..end])?;
        let mut reader = Self {
            at: HEADER,
            count,
            shapes: EndgameShapes::default(),
            last: None,
            bytes,
        };
        reader.expect_end()?;
        Ok(reader)
    }

    /// The offset of the checksum, where the shapes end.
    fn end(&self) -> usize {
        self.bytes.len() - 4
    }

    /// Checks that the file ends after the last shape.
    fn expect_end(&mut self) -> Result<(), TableError> {
        if self.shapes.len() == self.count && self.at != self.end() {
            return Err(TableError::Length {
                expected: self.at as u64 + 4,
                found: self.bytes.len() as u64,
            });
        }
        Ok(())
    }

    /// Reads and checks the next shape, if there is one.
    ///
    /// # Errors
    /// If the shape or its table is malformed, or if a value of the table does not follow from its successors.
    pub fn advance(&mut self) -> Result<Progress, TableError> {
        if self.shapes.len() < self.count {
            let reader = Unchecked(&self.bytes[..self.end()]);
            let (key, game) = ShapeKey::read(reader, self.at)?;
            if self.last.as_ref().is_some_and(|last| *last >= key) {
                let [expected, found] = ["a greater key than the one before", "no such"];
                return Err(malformed(self.at as u64, expected, found));
            }
            let start = self.at + key.bytes().len() + 4;
            let length = reader.u32(start - 4)? as usize;
            let end = start.saturating_add(length);
            let bytes = reader.0.get(start..end).ok_or_else(|| {
                let expected = format!("a length up to {}", reader.0.len() - start);
                malformed(start as u64 - 4, &expected, length)
            })?;
            let table = Table::from_bytes(bytes.into()).map_err(|error| moved(error, start))?;
            game.expect(&table, start as u64)?;
            self.at = end;
            self.last = Some(key.clone());
            self.shapes.insert(key, Arc::new(table));
            self.expect_end()?;
        }
        Ok(Progress::of_work(
            self.shapes.len() as u64,
            self.count as u64,
        ))
    }

    /// The shapes; `None` until all shapes are read.
    #[must_use]
    pub fn finish(self) -> Option<EndgameShapes> {
        (self.shapes.len() == self.count).then_some(self.shapes)
    }
}

impl LocalGame {
    /// Checks that a table has exactly the values of this game. It begins at an offset of the file.
    fn expect(&self, table: &Table, offset: u64) -> Result<(), TableError> {
        let (rules, found) = (self.rules, table.rules());
        let of = |rules: crate::game::Rules| {
            let speeds = [rules.cop_speed, rules.robber_speed];
            let [cops, robber] = speeds.map(crate::game::Speed::steps);
            format!("{} players, speeds {cops} and {robber}", rules.cops)
        };
        if of(rules) != of(found) {
            return Err(malformed(offset + 11, &of(rules), of(found)));
        }
        let steps = self.shape.steps(self.outside);
        let checked = table.verify_part(&steps.robber, &steps.cops, &steps.guards, MOST_BYTES);
        let checked: Verification = checked.map_err(|error| match error {
            VerifyError::Table(error) => moved(error, offset as usize),
            VerifyError::Memory(error) => malformed(offset, "a table that can be checked", error),
        })?;
        if let Some(wrong) = checked.first {
            let WrongValue { robber, cops, .. } = &wrong;
            let turns = |turns: Option<u16>| {
                turns.map_or("an escape".to_owned(), |turns| format!("{turns} turns"))
            };
            let expected = turns(wrong.expected);
            let expected =
                format!("{expected} for the robber on place {robber} and players on {cops:?}");
            return Err(malformed(offset, &expected, turns(wrong.found)));
        }
        match checked.wrong_count {
            None => Ok(()),
            Some(turns) => {
                let expected = format!("the number of positions of {turns} turns");
                Err(malformed(offset, &expected, "another number"))
            }
        }
    }
}

/// The error of a table that begins at an offset of the file.
fn moved(error: TableError, start: usize) -> TableError {
    let start = start as u64;
    match error {
        TableError::Malformed {
            offset,
            expected,
            found,
        } => TableError::Malformed {
            offset: offset + start,
            expected,
            found,
        },
        TableError::Checksum {
            section,
            offset,
            expected,
            found,
        } => TableError::Checksum {
            section,
            offset: offset + start,
            expected,
            found,
        },
        TableError::NoTable { found } => {
            malformed(start, "a table (89 50 54 41 42 0d 0a 1a)", found)
        }
        TableError::Length { expected, found } => {
            malformed(start, &format!("a table of {expected} bytes"), found)
        }
        other => malformed(start, "the table of the shape", other),
    }
}

/// The bytes of a file.
pub(super) fn encode(tables: &BTreeMap<ShapeKey, Arc<Table>>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((tables.len() as u32).to_le_bytes());
    for (key, table) in tables {
        bytes.extend_from_slice(key.bytes());
        bytes.extend((table.bytes().len() as u32).to_le_bytes());
        bytes.extend_from_slice(table.bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}
