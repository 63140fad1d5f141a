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
//! | 1 | the greatest number of turns |
//! | 1 | the last turn from which a side can be guarded, 0 if all sides are open |
//! | 2 | number of shapes |
//! | 4 | number of patterns |
//! | | for each shape: number of cells (1), then the two coordinates of each cell (2) |
//! | | for each pattern, sorted: its integer (16), turns (1): 1 to 254, in Hex also 0 |
//! | 4 | CRC-32 of all bytes before |
//!
//! From its highest bits to its lowest, the integer consists of the shape (16 bits), the kind (8), the
//! condition (8), the cells of the four pieces (8 each, 255 for none), and two bits for each cell, the highest
//! cell first, cell 0 last.

use super::database::Database;
use super::hex::MAX_HEXAGONS;
use super::pattern::{Kind, MAX_CELLS, NO_PIECE, Pattern};
use super::pursuit::{MAX_COPS, MAX_GUARDED, MAX_WINDOW};
use super::shape::{Shape, Site};
use pursuit_engine::map::Moves;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"\x89PPAT\r\n\x1a";
const VERSION: u16 = 1;
/// Bytes before the shapes.
const HEADER: usize = 20;
/// Bytes of a pattern.
const ENTRY: usize = 17;

/// The greatest number of turns of a pattern. Programs that recognise patterns use 255 for no pattern.
const MOST_TURNS: u8 = 254;

/// The game to which the patterns of a file belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Connections in Hex.
    Hex,
    /// Captures on maps, by agents of speed 1.
    Pursuit {
        /// The steps that agents can take.
        moves: Moves,
        /// The greatest number of cops in a pattern.
        cops: u8,
        /// The last turn from which a side can be guarded; 0 if all sides are open.
        guarded: u8,
    },
}

/// A pattern database with the game and the depth for which it was generated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternFile {
    /// The game.
    pub subject: Subject,
    /// The greatest number of attacker moves.
    pub depth: u8,
    /// The patterns.
    pub database: Database,
}

/// Why bytes were rejected as a pattern database.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The bytes do not begin with the signature of a pattern database.
    #[error("offset 0: expected patterns (89 50 50 41 54 0d 0a 1a), found {found}")]
    NoPatterns {
        /// The first bytes.
        found: String,
    },
    /// This release does not read this version of the format.
    #[error("offset 8: expected patterns of version 1, found version {found}")]
    Version {
        /// The version.
        found: u16,
    },
    /// The file is too short or too long.
    #[error("expected {expected} bytes, found {found}")]
    Length {
        /// The length that follows from the header, or the least possible length, in bytes.
        expected: u64,
        /// The actual length, in bytes.
        found: u64,
    },
    /// The checksum does not match the bytes.
    #[error("expected the checksum {expected:08x}, found {found:08x}: the file is damaged")]
    Checksum {
        /// The checksum that the file contains.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// The bytes contradict each other.
    #[error("offset {offset}: expected {expected}, found {found}")]
    Malformed {
        /// The offset in bytes.
        offset: u64,
        /// What the format requires there.
        expected: String,
        /// What was found there.
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

    /// Reads a file and checks each pattern: the patterns are sorted and name only cells of their shapes.
    ///
    /// # Errors
    /// If the bytes are not a valid pattern file.
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
                let expected = "an integer greater than the one before";
                let found = "one that is not greater";
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

/// The part of the header that is needed to check patterns.
struct Header {
    subject: Subject,
    depth: u8,
}

impl Header {
    /// Decodes a pattern and checks that it is valid in this game.
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
            return wrong("at most the number of turns in the header", turns.into());
        }
        let least = u8::from(self.subject != Subject::Hex);
        if !(least..=MOST_TURNS).contains(&turns) {
            let expected = match self.subject {
                Subject::Hex => "0 to 254 turns",
                Subject::Pursuit { .. } => "1 to 254 turns",
            };
            return wrong(expected, turns.into());
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
            return wrong("pieces of the game on cells of the shape", found);
        }
        let is_known = |cell: usize| match pattern.code.symbol(cell) {
            None => true,
            Some(symbol) => symbol < symbols && cell < cells && !here.contains(&(cell as u8)),
        };
        if !(0..MAX_CELLS).all(is_known) {
            return wrong("valid symbols on the cells of the shape", pattern.code.0);
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

    /// Reads the header, the number of shapes and the number of patterns.
    fn header(&mut self) -> Result<(Header, usize, usize), PatternError> {
        let start = &self.bytes[..self.bytes.len().min(MAGIC.len())];
        if start != MAGIC {
            let shown: Vec<String> = start.iter().map(|byte| format!("{byte:02x}")).collect();
            let found = match start {
                [] => "nothing".to_owned(),
                _ => shown.join(" "),
            };
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
            return Err(malformed(11, "valid numbers of cops and of a turn", found));
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
                let expected = "distinct cells in order, with least coordinates 0";
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
