//! The section `RULE`: what the values of a table with other rules mean, and which positions have one.

use super::TableError;
use super::sections::{Unchecked, expect_section_length, malformed};
use crate::game::{Judged, Side, Variant};
use crate::table::Solution;
use crate::table::bits::PlaceSet;
use std::ops::Range;

/// The rules of a table that differ from cops and robber on one graph.
///
/// The arcs and the pairs of captures are not among them: the fingerprint stands for these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::table) struct TableRules {
    /// The number of values that are turns until capture. The others are turns until the robber is
    /// away.
    pub captures: usize,
    variant: Variant,
    cop_ground: PlaceSet,
    robber_ground: PlaceSet,
    exits: PlaceSet,
}

/// The bytes before the sets of places.
const FIXED: usize = 6;

impl TableRules {
    /// The rules of a solution; `None` for cops and robber on one graph.
    pub(super) fn of(solution: &Solution) -> Option<Self> {
        let rules = solution.arena().rules()?;
        Some(Self {
            captures: solution.histogram().len(),
            variant: rules.variant,
            cop_ground: rules.cop_ground.clone(),
            robber_ground: rules.robber_ground.clone(),
            exits: rules.exits.clone(),
        })
    }

    /// The bytes of the section.
    pub(super) fn encode(&self) -> Vec<u8> {
        let Variant {
            reach,
            distinct,
            judged,
        } = self.variant;
        let mut bytes = (self.captures as u32).to_le_bytes().to_vec();
        let judged = u8::from(judged == Judged::AfterRobber);
        bytes.extend([reach, u8::from(distinct) | judged << 1]);
        for set in [&self.cop_ground, &self.robber_ground, &self.exits] {
            bytes.extend(set.words().iter().flat_map(|word| word.to_le_bytes()));
        }
        bytes
    }

    /// Reads the section of a table with this number of places, whose values are below `numbers`.
    pub(super) fn read(
        bytes: Unchecked<'_>,
        section: &Range<usize>,
        places: usize,
        numbers: usize,
    ) -> Result<Self, TableError> {
        let words = places.div_ceil(64);
        let length = FIXED + 3 * 8 * words;
        expect_section_length(
            section,
            Some(length as u128),
            "rules and three sets of places",
        )?;
        let start = section.start;
        let captures = bytes.u32(start)? as usize;
        if captures == 0 || captures > numbers {
            let expected = format!("a number of capture times from 1 to {numbers}");
            return Err(malformed(start as u64, &expected, captures));
        }
        let [reach, flags] = bytes.chunk(start + 4)?;
        if flags > 3 {
            return Err(malformed(start as u64 + 5, "flags up to 3", flags));
        }
        let set = |index: usize| {
            let at = start + FIXED + index * 8 * words;
            let set: Result<Vec<u64>, _> =
                (0..words).map(|word| bytes.u64(at + 8 * word)).collect();
            let set = PlaceSet::of_words(places, set?);
            set.ok_or_else(|| malformed(at as u64, "a set of places", "places beyond the last"))
        };
        Ok(Self {
            captures,
            variant: Variant {
                reach,
                distinct: flags & 1 == 1,
                judged: if flags & 2 == 2 {
                    Judged::AfterRobber
                } else {
                    Judged::EachMove
                },
            },
            cop_ground: set(0)?,
            robber_ground: set(1)?,
            exits: set(2)?,
        })
    }

    /// Returns whether a position of sorted cops can occur.
    pub(super) fn is_legal(&self, robber: usize, cops: &[usize]) -> bool {
        let stand = cops.iter().all(|&cop| self.cop_ground.contains(cop));
        let shared = self.variant.distinct && cops.windows(2).any(|pair| pair[0] == pair[1]);
        self.robber_ground.contains(robber) && stand && !shared
    }

    /// What counts as a capture, and where cops may stand.
    pub(super) const fn variant(&self) -> Variant {
        self.variant
    }

    /// The places where an agent of a side may stand.
    pub(super) const fn ground(&self, side: Side) -> &PlaceSet {
        match side {
            Side::Cops => &self.cop_ground,
            Side::Robber => &self.robber_ground,
        }
    }

    /// The places where an uncaptured robber has won.
    pub(super) const fn exits(&self) -> &PlaceSet {
        &self.exits
    }
}
