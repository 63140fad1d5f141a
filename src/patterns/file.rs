//! Pattern databases as bytes: the file format `.ppat`, version 1.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `89 50 50 41 54 0D 0A 1A`: the letters `PPAT` between bytes that a text conversion would change |
//! | 2 | version: 1 |
//! | 1 | game: 0 Hex, 1 pursuit with octile steps, 2 pursuit with orthogonal steps |
//! | 1 | cops, 0 in Hex |
//! | 1 | the most turns |
//! | 1 | the turn from which a side is guarded at the latest, 0 if sides are open |
//! | 2 | number of shapes |
//! | 4 | number of patterns |
//! | | for each shape: number of cells (1), then the two coordinates of each cell (2) |
//! | | for each pattern, sorted: its integer (16), turns (1) |
//! | 4 | CRC-32 of all bytes before |
//!
//! The integer has, from its highest bits on: shape (16 bits), kind (8), condition (8), cells of the
//! four pieces (8 each, 255 for none), and two bits for each cell from the highest one down to cell 0.

use super::database::Database;
use super::hex::MAX_HEXAGONS;
use super::pattern::{Kind, MAX_CELLS, NO_PIECE, Pattern};
use super::pursuit::{MAX_COPS, MAX_GUARDED, MAX_WINDOW};
use super::shape::{Shape, Site};
use crate::map::Moves;
use crate::table::file::sections::shown_start;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"\x89PPAT\r\n\x1a";
const VERSION: u16 = 1;
/// Bytes before the shapes.
const HEADER: usize = 20;
/// Bytes of a pattern.
const ENTRY: usize = 17;

/// The game that patterns are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Connections in Hex.
    Hex,
    /// Captures on maps, by agents of speed 1.
    Pursuit {
        /// The steps that agents can take.
        moves: Moves,
        /// The most cops of a pattern.
        cops: u8,
        /// The turn from which a side is guarded at the latest; 0 if all sides are open.
        guarded: u8,
    },
}

/// A pattern database and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternFile {
    /// The game.
    pub subject: Subject,
    /// The most moves of the attacker.
    pub depth: u8,
    /// The patterns.
    pub database: Database,
}

/// Why bytes are not taken for a pattern database.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It does not begin like one.
    #[error("offset 0: expected patterns (89 50 50 41 54 0d 0a 1a), found {found}")]
    NoPatterns {
        /// The first bytes.
        found: String,
    },
    /// It is of a version that this release does not read.
    #[error("offset 8: expected patterns of version 1, found version {found}")]
    Version {
        /// The version.
        found: u16,
    },
    /// It ends too early, or goes on where it should end.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// How long it says it is, or at least has to be.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// The checksum is wrong.
    #[error("the checksum is {expected:08x}, found {found:08x}: damaged")]
    Checksum {
        /// What the file says.
        expected: u32,
        /// What the bytes have.
        found: u32,
    },
    /// The bytes contradict each other.
    #[error("offset {offset}: expected {expected}, found {found}")]
    Malformed {
        /// Where.
        offset: u64,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
}

impl PatternFile {
    /// The bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (game, cops, guarded) = match self.subject {
            Subject::Hex => (0, 0, 0),
            Subject::Pursuit {
                moves,
                cops,
                guarded,
            } => (1 + u8::from(moves == Moves::Orthogonal), cops, guarded),
        };
        let (shapes, patterns) = (self.database.shapes(), self.database.patterns());
        let mut bytes = Vec::with_capacity(HEADER + ENTRY * patterns.len() + 4096);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([game, cops, self.depth, guarded]);
        bytes.extend((shapes.len() as u16).to_le_bytes());
        bytes.extend((patterns.len() as u32).to_le_bytes());
        for shape in shapes {
            bytes.push(shape.cells() as u8);
            for (x, y) in shape.sites() {
                bytes.extend([x.to_le_bytes()[0], y.to_le_bytes()[0]]);
            }
        }
        for pattern in patterns {
            bytes.extend(pattern.key().to_le_bytes());
            bytes.push(pattern.turns);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a file. Each pattern is checked: a database that was read is sorted and names only cells of
    /// its shapes.
    ///
    /// # Errors
    /// If the bytes are no valid file of patterns.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PatternError> {
        let mut reader = Reader { bytes, at: 0 };
        let (header, shapes, patterns) = reader.header()?;
        let shapes = reader.shapes(shapes, header.subject)?;
        let expected = reader.at as u64 + ENTRY as u64 * patterns as u64 + 4;
        if expected != bytes.len() as u64 {
            return Err(length(expected, bytes));
        }
        let mut found: Vec<Pattern> = Vec::with_capacity(patterns);
        for _ in 0..patterns {
            let offset = reader.at as u64;
            let key = u128::from_le_bytes(reader.chunk()?);
            let [turns] = reader.chunk()?;
            let pattern = header.pattern(key, turns, &shapes, offset)?;
            if found.last().is_some_and(|last| last.key() >= key) {
                let [expected, found] = ["a greater integer than the one before", "no such"];
                return Err(malformed(offset, expected, found));
            }
            found.push(pattern);
        }
        Ok(Self {
            subject: header.subject,
            depth: header.depth,
            database: Database::new(shapes, found),
        })
    }
}

/// What the first bytes tell.
struct Header {
    subject: Subject,
    depth: u8,
}

impl Header {
    /// The pattern of an integer, if it is one of this game.
    fn pattern(
        &self,
        key: u128,
        turns: u8,
        shapes: &[Shape],
        offset: u64,
    ) -> Result<Pattern, PatternError> {
        let wrong = |expected: &str, found: u64| Err(malformed(offset, expected, found));
        let Some(pattern) = Pattern::of_key(key, turns) else {
            return wrong("a kind below 3", (key >> 104) as u64 & 0xff);
        };
        let Some(shape) = shapes.get(usize::from(pattern.shape)) else {
            return wrong("the number of a shape", pattern.shape.into());
        };
        if turns > self.depth {
            return wrong("as many turns as the file says at most", turns.into());
        }
        let (pieces, conditions, kinds, symbols) = match self.subject {
            Subject::Hex => (2..=2, 1, 3, 3),
            Subject::Pursuit { cops, guarded, .. } => (2..=1 + cops, 1 + 4 * guarded, 2, 2),
        };
        if pattern.condition >= conditions {
            return wrong("a condition of the game", pattern.condition.into());
        }
        if pattern.kind as u8 >= kinds {
            return wrong("a kind of the game", pattern.kind as u64);
        }
        let count = pattern
            .pieces
            .iter()
            .take_while(|&&piece| piece != NO_PIECE)
            .count();
        let cells = shape.cells();
        let (here, gone) = pattern.pieces.split_at(count);
        let is_here = here.iter().all(|&piece| usize::from(piece) < cells)
            && gone.iter().all(|&piece| piece == NO_PIECE)
            && pieces.contains(&(count as u8))
            && !here.iter().skip(1).any(|piece| Some(piece) == here.first());
        if !is_here {
            let found = u32::from_be_bytes(pattern.pieces).into();
            return wrong("pieces of the game on the shape", found);
        }
        let is_known = |cell: usize| match pattern.code.symbol(cell) {
            None => true,
            Some(symbol) => symbol < symbols && cell < cells && !here.contains(&(cell as u8)),
        };
        if !(0..MAX_CELLS).all(is_known) {
            return wrong("symbols of the game on the shape", pattern.code.0);
        }
        Ok(pattern)
    }
}

/// Reads bytes that have not been checked.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], PatternError> {
        let chunk = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        let chunk = chunk.ok_or_else(|| length((self.at + N) as u64, self.bytes))?;
        self.at += N;
        Ok(*chunk)
    }

    /// The header, and the numbers of shapes and patterns.
    fn header(&mut self) -> Result<(Header, usize, usize), PatternError> {
        if !self.bytes.starts_with(&MAGIC) {
            let found = shown_start(self.bytes, MAGIC.len());
            return Err(PatternError::NoPatterns { found });
        }
        self.at = MAGIC.len();
        let found = u16::from_le_bytes(self.chunk()?);
        if found != VERSION {
            return Err(PatternError::Version { found });
        }
        if self.bytes.len() < HEADER + 4 {
            return Err(length((HEADER + 4) as u64, self.bytes));
        }
        let (rest, last) = self.bytes.split_at(self.bytes.len() - 4);
        let expected = last.first_chunk().map_or(0, |sum| u32::from_le_bytes(*sum));
        let found = crc32fast::hash(rest);
        if expected != found {
            return Err(PatternError::Checksum { expected, found });
        }
        let [game, cops, depth, guarded] = self.chunk()?;
        let pursuit = |moves| Subject::Pursuit {
            moves,
            cops,
            guarded,
        };
        let subject = match game {
            0 => Subject::Hex,
            1 => pursuit(Moves::Octile),
            2 => pursuit(Moves::Orthogonal),
            other => return Err(malformed(10, "0, 1 or 2 for the game", other)),
        };
        let cops_fit = match subject {
            Subject::Hex => cops == 0 && guarded == 0,
            Subject::Pursuit { .. } => (1..=MAX_COPS).contains(&cops) && guarded <= MAX_GUARDED,
        };
        if !cops_fit {
            let found = format!("{cops} cops, guarded from turn {guarded}");
            return Err(malformed(11, "cops and guards of the game", found));
        }
        let shapes = u16::from_le_bytes(self.chunk()?);
        let patterns = u32::from_le_bytes(self.chunk()?);
        let header = Header { subject, depth };
        Ok((header, shapes.into(), patterns as usize))
    }

    fn shapes(&mut self, count: usize, subject: Subject) -> Result<Vec<Shape>, PatternError> {
        let mut shapes = Vec::new();
        for _ in 0..count {
            let offset = self.at as u64;
            let [cells] = self.chunk()?;
            if usize::from(cells) > MAX_CELLS || cells == 0 {
                return Err(malformed(offset, "1 to 32 cells", cells));
            }
            let mut sites: Vec<Site> = Vec::new();
            for _ in 0..cells {
                let [x, y] = self.chunk()?;
                let site = (i8::from_le_bytes([x]), i8::from_le_bytes([y]));
                let is_near = |at: i8| (0..MAX_CELLS as i8).contains(&at);
                if !is_near(site.0) || !is_near(site.1) {
                    let found = format!("{},{}", site.0, site.1);
                    return Err(malformed(offset, "coordinates from 0 to 31", found));
                }
                sites.push(site);
            }
            let shape = Shape::new(&sites);
            if shape.sites() != sites {
                let expected = "different cells in order, the least coordinates 0";
                return Err(malformed(offset, expected, format_args!("{sites:?}")));
            }
            let (width, height) = shape.span();
            let is_window = shape == Shape::rectangle(width, height) && shape.cells() <= MAX_WINDOW;
            if subject != Subject::Hex && !is_window {
                let expected = "a rectangle of up to 20 cells";
                return Err(malformed(offset, expected, format_args!("{sites:?}")));
            }
            shapes.push(shape);
        }
        Ok(shapes)
    }
}

fn length(expected: u64, bytes: &[u8]) -> PatternError {
    PatternError::Length {
        expected,
        found: bytes.len() as u64,
    }
}

fn malformed(offset: u64, expected: &str, found: impl std::fmt::Display) -> PatternError {
    PatternError::Malformed {
        offset,
        expected: expected.to_owned(),
        found: found.to_string(),
    }
}

const _: () = assert!(MAX_HEXAGONS <= MAX_CELLS && Kind::ALL.len() == 3);
