//! Parses the header and the sections of a file.

use super::bitstream::width;
use super::line::Kind;
use super::reader::{Reader, expect_checksum, malformed};
use super::{DIRECTORY, HEADER, MAGIC, SECTIONS, TableError, version};
use crate::game::{Rules, Speed};
use crate::graph::Fingerprint;
use crate::map::{Cell, Moves};
use std::num::NonZeroU8;
use std::ops::Range;

/// The content of the header, without the list of sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub rules: Rules,
    pub is_map: bool,
    pub longest: u16,
    pub fingerprint: Fingerprint,
    pub places: usize,
}

/// The location of the patterns of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dictionary {
    /// The number of bits of a pattern's index.
    pub bits: u32,
    /// For each kind, the index of its first pattern and the offset of that pattern in the file.
    pub kinds: Vec<(u32, Kind, usize)>,
}

impl Reader<'_> {
    /// Checks and reads the header, without the list of sections.
    pub(super) fn header(&self) -> Result<Header, TableError> {
        self.expect_magic(MAGIC)
            .map_err(|found| TableError::NoTable { found })?;
        let (found, expected) = (self.u16(8)?, version(self.chunk::<1>(11)?[0]));
        let wrong = Err(TableError::Version { found, expected });
        if !(version(1)..=version(u8::MAX)).contains(&found) {
            return wrong;
        }
        let checksum = self.u32(HEADER - 4)?;
        let header = &self.bytes[..HEADER - 4];
        expect_checksum("the header", 0, checksum, header)?;
        if found != expected {
            return wrong;
        }
        let length = self.u64(36)?;
        if length != self.bytes.len() as u64 {
            return Err(TableError::Length {
                expected: length,
                found: self.bytes.len() as u64,
            });
        }
        let [moves, cops, cop_speed, robber_speed] = self.chunk(10)?;
        let (moves, is_map) = match moves {
            0 => (Moves::Octile, true),
            1 => (Moves::Orthogonal, true),
            2 => (Moves::Octile, false),
            other => return Err(malformed(10, "0, 1 or 2 for the steps", other)),
        };
        let positive = |offset: u64, number: u8| {
            NonZeroU8::new(number).ok_or_else(|| malformed(offset, "a number above 0", number))
        };
        Ok(Header {
            rules: Rules {
                cops: positive(11, cops)?,
                cop_speed: Speed::from(positive(12, cop_speed)?),
                robber_speed: Speed::from(positive(13, robber_speed)?),
                moves,
            },
            is_map,
            longest: self.u16(14)?,
            fingerprint: Fingerprint::from_bits(u128::from_le_bytes(self.chunk(16)?)),
            places: self.u32(32)? as usize,
        })
    }

    /// Checks the sections and returns their ranges.
    pub(super) fn sections(&self) -> Result<[Range<usize>; SECTIONS.len()], TableError> {
        let mut sections = [const { 0..0 }; SECTIONS.len()];
        let mut end = HEADER;
        for (index, (name, section)) in SECTIONS.iter().zip(&mut sections).enumerate() {
            let entry = DIRECTORY + index * 24;
            let found: [u8; 4] = self.chunk(entry)?;
            let shown = str::from_utf8(name).unwrap_or_default();
            if found != *name {
                return Err(malformed(entry as u64, shown, found.escape_ascii()));
            }
            let (offset, length) = (self.u64(entry + 8)?, self.u64(entry + 16)?);
            if offset != end as u64 {
                return Err(malformed(entry as u64 + 8, &end.to_string(), offset));
            }
            let rest = self.bytes.len() - end;
            if length > rest as u64 {
                let expected = format!("a length up to {rest}");
                return Err(malformed(entry as u64 + 16, &expected, length));
            }
            *section = end..end + length as usize;
            end = section.end;
            let names = ["CELL", "TURN", "DICT", "SLAB", "BLCK"];
            let bytes = &self.bytes[section.clone()];
            expect_checksum(names[index], offset, self.u32(entry + 4)?, bytes)?;
        }
        if end != self.bytes.len() {
            return Err(TableError::Length {
                expected: end as u64,
                found: self.bytes.len() as u64,
            });
        }
        Ok(sections)
    }

    /// Checks the length of a section. `None` stands for a length that no file can have.
    pub(super) fn expect_length(
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
        Err(malformed(
            section.start as u64,
            &expected,
            format_args!("{} bytes", section.len()),
        ))
    }

    pub(super) fn cells(&self, section: Range<usize>) -> Vec<Cell> {
        let cells = self.bytes[section].chunks_exact(4);
        let number = |low, high| u16::from_le_bytes([low, high]);
        cells
            .map(|cell| Cell::new(number(cell[0], cell[1]), number(cell[2], cell[3])))
            .collect()
    }

    pub(super) fn histogram(&self, section: Range<usize>) -> Vec<u64> {
        let (numbers, _) = self.bytes[section].as_chunks();
        numbers
            .iter()
            .map(|&number| u64::from_le_bytes(number))
            .collect()
    }

    /// Reads the dictionaries of all boards. They have to follow each other in the order of the
    /// boards, so all lists of kinds together are no longer than the section.
    pub(super) fn dictionaries(
        &self,
        section: &Range<usize>,
        boards: usize,
    ) -> Result<Vec<Dictionary>, TableError> {
        if section.len() < boards * 8 {
            return Err(malformed(
                section.start as u64,
                &format!("the offsets of {boards} dictionaries"),
                format_args!("{} bytes", section.len()),
            ));
        }
        let mut dictionaries = Vec::with_capacity(boards);
        let mut rest = section.start + boards * 8..section.end;
        for board in 0..boards {
            let entry = section.start + board * 8;
            let (dictionary, end) = self.dictionary(section, &rest, entry)?;
            dictionaries.push(dictionary);
            rest.start = end;
        }
        Ok(dictionaries)
    }

    /// The start of the dictionary whose offset is stored at `entry`. Its two counts have to lie in
    /// `rest`.
    fn dictionary_start(
        &self,
        section: &Range<usize>,
        rest: &Range<usize>,
        entry: usize,
    ) -> Result<usize, TableError> {
        let offset = self.u64(entry)?;
        let start = usize::try_from(offset).ok();
        let start = start.and_then(|offset| section.start.checked_add(offset));
        let inside = start.filter(|&start| {
            let end = start.checked_add(8);
            rest.start <= start && end.is_some_and(|end| end <= rest.end)
        });
        inside.ok_or_else(|| {
            let first = rest.start - section.start;
            let expected = format!("an offset in the section from {first} on");
            malformed(entry as u64, &expected, offset)
        })
    }

    /// Reads the dictionary whose offset is stored at `entry`, and returns it with its end. It has
    /// to begin in `rest`, the part of the section that is not read yet, and to end in the section.
    fn dictionary(
        &self,
        section: &Range<usize>,
        rest: &Range<usize>,
        entry: usize,
    ) -> Result<(Dictionary, usize), TableError> {
        let start = self.dictionary_start(section, rest, entry)?;
        let (count, kinds) = (self.u32(start)?, self.u32(start + 4)? as usize);
        if kinds > (section.end - start) / 8 {
            return Err(malformed(
                start as u64 + 4,
                "kinds inside the section",
                kinds,
            ));
        }
        let mut list: Vec<(u32, Kind, usize)> = Vec::with_capacity(kinds);
        let mut position = start + 8 + kinds * 8;
        for index in 0..kinds {
            let entry = start + 8 + index * 8;
            let first = self.u32(entry)?;
            let [has_never, ups, jumps @ ..] = self.chunk::<4>(entry + 4)?;
            if let Some((last, kind, start)) = list.last() {
                position = first
                    .checked_sub(*last)
                    .and_then(|count| kind.bytes().checked_mul(count as usize))
                    .and_then(|bytes| start.checked_add(bytes))
                    .ok_or_else(|| malformed(entry as u64, "kinds in order", first))?;
            }
            let kind = Kind {
                has_never: has_never != 0,
                ups: ups.min(8),
                jumps: u16::from_le_bytes(jumps),
            };
            list.push((first, kind, position));
        }
        let end = list.last().map_or(position, |(first, kind, start)| {
            let bytes = kind
                .bytes()
                .saturating_mul(count.saturating_sub(*first) as usize);
            start.saturating_add(bytes)
        });
        if end > section.end {
            return Err(malformed(
                start as u64,
                "patterns inside the section",
                count,
            ));
        }
        let dictionary = Dictionary {
            bits: width(count as usize),
            kinds: list,
        };
        Ok((dictionary, end))
    }
}
