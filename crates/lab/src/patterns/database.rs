//! A pattern database: sorted integers, found by binary search.

use super::pattern::{Code, Kind, Pattern, Pieces};
use super::shape::Shape;
use std::ops::Range;

/// The patterns of a game, sorted as integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    shapes: Vec<Shape>,
    patterns: Vec<Pattern>,
    groups: Vec<Group>,
}

/// A group of patterns that differ only in their codes, and the masks of these codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The number of the shape.
    pub shape: u16,
    /// What the patterns conclude.
    pub kind: Kind,
    /// The external condition.
    pub condition: u8,
    /// Where the pieces stand.
    pub pieces: Pieces,
    range: Range<usize>,
    masks: Vec<u64>,
}

impl Database {
    /// Creates a database. Of patterns with equal keys, the one with the fewest turns is kept.
    #[must_use]
    pub fn new(shapes: Vec<Shape>, mut patterns: Vec<Pattern>) -> Self {
        patterns.sort_by_key(|pattern| (pattern.key(), pattern.turns));
        patterns.dedup_by_key(|pattern| pattern.key());
        let place = |pattern: &Pattern| pattern.key() >> 64;
        let mut groups = Vec::new();
        let mut start = 0;
        for chunk in patterns.chunk_by(|a, b| place(a) == place(b)) {
            let range = start..start + chunk.len();
            start = range.end;
            let mut masks: Vec<u64> = chunk.iter().map(|pattern| pattern.code.mask()).collect();
            masks.sort_unstable_by_key(|mask| (mask.count_ones(), *mask));
            masks.dedup();
            groups.push(Group {
                shape: chunk[0].shape,
                kind: chunk[0].kind,
                condition: chunk[0].condition,
                pieces: chunk[0].pieces,
                range,
                masks,
            });
        }
        Self {
            shapes,
            patterns,
            groups,
        }
    }

    /// The shapes, smaller ones first.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The patterns in the order of their integers.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The groups of patterns that differ in their codes only.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The patterns of a group.
    #[must_use]
    pub(crate) fn patterns_of(&self, group: &Group) -> &[Pattern] {
        self.patterns.get(group.range.clone()).unwrap_or_default()
    }

    /// Returns the fewest turns of all patterns of a group that fit a window. Every cell of the window has a symbol.
    ///
    /// Cost: one binary search for each mask of the group.
    #[must_use]
    pub fn find(&self, group: &Group, window: Code) -> Option<u8> {
        let patterns = self.patterns_of(group);
        let turns = group.masks.iter().filter_map(|mask| {
            let code = window.0 & mask;
            let found = patterns
                .binary_search_by_key(&code, |pattern| pattern.code.0)
                .ok()?;
            Some(patterns[found].turns)
        });
        turns.min()
    }

    /// Returns the same as [`find`](Self::find), but tests one pattern after another.
    #[must_use]
    pub fn scan(&self, group: &Group, window: Code) -> Option<u8> {
        let patterns = self.patterns_of(group).iter();
        let fitting = patterns.filter(|pattern| window.is_special_case_of(pattern.code));
        fitting.map(|pattern| pattern.turns).min()
    }

    /// The bytes of the integers and turns: 17 for each pattern.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        17 * self.patterns.len() as u64
    }
}
