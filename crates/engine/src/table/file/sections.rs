//! Files in sections: the list of sections with their checksums, as it is written, and as it is read from bytes that
//! have not been checked.

use super::TableError;
use crate::game::{Rules, Speed};
use crate::map::{Cell, Moves};
use std::num::NonZeroU8;
use std::ops::Range;

/// The bytes of an entry in the list of sections: name, checksum, offset and length.
pub(crate) const SECTION_ENTRY: usize = 24;

/// Appends the list of sections, the checksum of all bytes up to there, and the sections. The bytes before are the
/// header without the list.
pub(crate) fn append<const N: usize>(
    bytes: &mut Vec<u8>,
    names: [&str; N],
    sections: &[Vec<u8>; N],
) {
    let mut offset = bytes.len() + N * SECTION_ENTRY + 4;
    for (name, section) in names.iter().zip(sections) {
        bytes.extend(name.as_bytes());
        bytes.extend(crc32fast::hash(section).to_le_bytes());
        bytes.extend((offset as u64).to_le_bytes());
        bytes.extend((section.len() as u64).to_le_bytes());
        offset += section.len();
    }
    bytes.extend(crc32fast::hash(bytes).to_le_bytes());
    for section in sections {
        bytes.extend_from_slice(section);
    }
}

/// Reads bytes that have not been checked.
#[derive(Clone, Copy)]
pub(crate) struct Unchecked<'a>(pub &'a [u8]);

impl Unchecked<'_> {
    /// Reads `N` bytes at an offset.
    pub(crate) fn chunk<const N: usize>(&self, offset: usize) -> Result<[u8; N], TableError> {
        let chunk = self.0.get(offset..).and_then(<[u8]>::first_chunk);
        chunk.copied().ok_or_else(|| TableError::Length {
            expected: offset as u64 + N as u64,
            found: self.0.len() as u64,
        })
    }

    pub(crate) fn u16(&self, offset: usize) -> Result<u16, TableError> {
        self.chunk(offset).map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&self, offset: usize) -> Result<u32, TableError> {
        self.chunk(offset).map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&self, offset: usize) -> Result<u64, TableError> {
        self.chunk(offset).map(u64::from_le_bytes)
    }

    pub(crate) fn f64(&self, offset: usize) -> Result<f64, TableError> {
        self.chunk(offset).map(f64::from_le_bytes)
    }

    /// Checks the checksum at the end of a header of `header` bytes, and the length of the file, which the header
    /// states at an offset.
    pub(crate) fn expect_header(&self, header: usize, length: usize) -> Result<(), TableError> {
        let checksum = self.u32(header - 4)?;
        expect_checksum("the header", 0, checksum, &self.0[..header - 4])?;
        self.expect_length_of_file(self.u64(length)?)
    }

    fn expect_length_of_file(&self, expected: u64) -> Result<(), TableError> {
        let found = self.0.len() as u64;
        if expected == found {
            return Ok(());
        }
        Err(TableError::Length { expected, found })
    }

    /// The rules in the four bytes from an offset on, and whether the file is of a map and not of a graph: steps, cops,
    /// speed of the cops, speed of the robber.
    pub(crate) fn rules(&self, offset: usize) -> Result<(Rules, bool), TableError> {
        let [moves, cops, cop_speed, robber_speed] = self.chunk(offset)?;
        let at = |byte: usize| (offset + byte) as u64;
        let (moves, is_map) = match (moves, Moves::of_number(moves)) {
            (_, Some(moves)) => (moves, true),
            (2, None) => (Moves::Octile, false),
            (other, None) => return Err(malformed(at(0), "0 to 8 for the steps", other)),
        };
        let positive = |byte: usize, number: u8| {
            NonZeroU8::new(number).ok_or_else(|| malformed(at(byte), "a number above 0", number))
        };
        let rules = Rules {
            cops: positive(1, cops)?,
            cop_speed: Speed::from(positive(2, cop_speed)?),
            robber_speed: Speed::from(positive(3, robber_speed)?),
            moves,
        };
        Ok((rules, is_map))
    }

    /// Checks the sections and returns their ranges. The list of sections begins at `directory`, and the sections
    /// follow a header of `header` bytes, one after the other, to the end of the file.
    pub(crate) fn sections<const N: usize>(
        &self,
        names: [&'static str; N],
        directory: usize,
        header: usize,
    ) -> Result<[Range<usize>; N], TableError> {
        let mut sections = [const { 0..0 }; N];
        let mut end = header;
        for (index, (name, section)) in names.into_iter().zip(&mut sections).enumerate() {
            let entry = directory + index * SECTION_ENTRY;
            let found: [u8; 4] = self.chunk(entry)?;
            if found != *name.as_bytes() {
                return Err(malformed(entry as u64, name, found.escape_ascii()));
            }
            let (offset, length) = (self.u64(entry + 8)?, self.u64(entry + 16)?);
            if offset != end as u64 {
                return Err(malformed(entry as u64 + 8, &end.to_string(), offset));
            }
            let rest = self.0.len().saturating_sub(end);
            if length > rest as u64 {
                let expected = format!("a length up to {rest}");
                return Err(malformed(entry as u64 + 16, &expected, length));
            }
            *section = end..end + length as usize;
            end = section.end;
            let bytes = &self.0[section.clone()];
            expect_checksum(name, offset, self.u32(entry + 4)?, bytes)?;
        }
        self.expect_length_of_file(end as u64)?;
        Ok(sections)
    }

    /// The cells of a section, four bytes each.
    pub(crate) fn cells(&self, section: Range<usize>) -> Vec<Cell> {
        let (cells, _) = self.0[section].as_chunks::<4>();
        let number = |low, high| u16::from_le_bytes([low, high]);
        cells
            .iter()
            .map(|cell| Cell::new(number(cell[0], cell[1]), number(cell[2], cell[3])))
            .collect()
    }
}

/// Checks the length of a section. `None` stands for a length that no file can have.
pub(crate) fn expect_section_length(
    section: &Range<usize>,
    expected: Option<u128>,
    what: &str,
) -> Result<(), TableError> {
    if expected == Some(section.len() as u128) {
        return Ok(());
    }
    let expected = match expected {
        Some(bytes) => format!("{what} ({bytes} bytes)"),
        None => format!("{what}, more than there can be"),
    };
    let found = format_args!("{} bytes", section.len());
    Err(malformed(section.start as u64, &expected, found))
}

/// The first `count` bytes as they are shown in an error.
pub(crate) fn shown_start(bytes: &[u8], count: usize) -> String {
    let start = bytes.iter().take(count);
    let shown: Vec<String> = start.map(|byte| format!("{byte:02x}")).collect();
    if shown.is_empty() {
        "nothing".to_owned()
    } else {
        shown.join(" ")
    }
}

/// Checks the CRC-32 of bytes that begin at an offset of the file.
pub(crate) fn expect_checksum(
    section: &'static str,
    offset: u64,
    expected: u32,
    bytes: &[u8],
) -> Result<(), TableError> {
    let found = crc32fast::hash(bytes);
    if found == expected {
        return Ok(());
    }
    Err(TableError::Checksum {
        section,
        offset,
        expected,
        found,
    })
}

/// The error for bytes that contradict each other.
pub(crate) fn malformed(offset: u64, expected: &str, found: impl ToString) -> TableError {
    TableError::Malformed {
        offset,
        expected: expected.to_owned(),
        found: found.to_string(),
    }
}
