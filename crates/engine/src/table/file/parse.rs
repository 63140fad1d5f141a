//! Parses the header and the sections of a file.

use super::bitstream::width;
use super::line::PatternKind;
use super::sections::{Unchecked, malformed, shown_start};
use super::{HEADER, HEADER_WITH_RULES, MAGIC, OTHER_RULES, TableError, version};
use crate::game::Rules;
use crate::graph::Fingerprint;
use std::ops::Range;

/// The content of the header, without the list of sections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    pub rules: Rules,
    /// Whether the game has other rules than cops and robber on one graph.
    pub has_other_rules: bool,
    pub is_map: bool,
    /// The greatest number: the longest capture time, or the longest time until the robber is away.
    pub longest: u16,
    pub fingerprint: Fingerprint,
    pub places: usize,
}

/// The location of the patterns of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PatternDirectory {
    /// The number of bits of a pattern's index.
    pub bits: u32,
    /// For each kind, the index of its first pattern and the offset of that pattern in the file.
    pub kinds: Vec<(u32, PatternKind, usize)>,
}

/// Reads the header and the sections of a table.
pub(super) struct Reader<'a>(pub Unchecked<'a>);

impl Reader<'_> {
    /// Checks and reads the header, without the list of sections.
    pub(super) fn header(&self) -> Result<Header, TableError> {
        let Self(bytes) = self;
        if !bytes.0.starts_with(&MAGIC) {
            let found = shown_start(bytes.0, MAGIC.len());
            return Err(TableError::NoTable { found });
        }
        let found = bytes.u16(8)?;
        let has_other_rules = found == OTHER_RULES;
        let expected = match found {
            OTHER_RULES => OTHER_RULES,
            _ => version(bytes.chunk::<1>(11)?[0]),
        };
        let wrong = Err(TableError::Version { found, expected });
        if !(version(1)..=OTHER_RULES).contains(&found) {
            return wrong;
        }
        let length = if has_other_rules {
            HEADER_WITH_RULES
        } else {
            HEADER
        };
        bytes.expect_header(length, 36)?;
        if found != expected {
            return wrong;
        }
        let (rules, is_map) = bytes.rules(10)?;
        Ok(Header {
            rules,
            has_other_rules,
            is_map,
            longest: bytes.u16(14)?,
            fingerprint: Fingerprint::from_bits(u128::from_le_bytes(bytes.chunk(16)?)),
            places: bytes.u32(32)? as usize,
        })
    }

    pub(super) fn histogram(&self, section: Range<usize>) -> Vec<u64> {
        let (numbers, _) = self.0.0[section].as_chunks();
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
    ) -> Result<Vec<PatternDirectory>, TableError> {
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
        let offset = self.0.u64(entry)?;
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
    ) -> Result<(PatternDirectory, usize), TableError> {
        let start = self.dictionary_start(section, rest, entry)?;
        let (count, kinds) = (self.0.u32(start)?, self.0.u32(start + 4)? as usize);
        if kinds > (section.end - start) / 8 {
            return Err(malformed(
                start as u64 + 4,
                "kinds inside the section",
                kinds,
            ));
        }
        let mut list: Vec<(u32, PatternKind, usize)> = Vec::with_capacity(kinds);
        let mut position = start + 8 + kinds * 8;
        for index in 0..kinds {
            let entry = start + 8 + index * 8;
            let first = self.0.u32(entry)?;
            let [has_never, ups, jumps @ ..] = self.0.chunk::<4>(entry + 4)?;
            if let Some((last, kind, start)) = list.last() {
                position = first
                    .checked_sub(*last)
                    .and_then(|count| kind.bytes().checked_mul(count as usize))
                    .and_then(|bytes| start.checked_add(bytes))
                    .ok_or_else(|| malformed(entry as u64, "kinds in order", first))?;
            }
            let kind = PatternKind {
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
        let dictionary = PatternDirectory {
            bits: width(count as usize),
            kinds: list,
        };
        Ok((dictionary, end))
    }
}
