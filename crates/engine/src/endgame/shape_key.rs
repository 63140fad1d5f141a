//! The key of a local table: the rules and the shape that it depends on, as bytes.

use super::cell_shape::CellShape;
use super::growth;
use super::region::Region;
use super::shape::{MayLeave, Shape};
use crate::game::{Rules, Speed};
use crate::map::{Cell, Moves};
use crate::table::TableError;
use crate::table::file::sections::{Unchecked, malformed};
use std::num::NonZeroU8;

/// Bytes before the cells.
const HEADER: usize = 7;
/// Bytes of a cell.
const CELL: usize = 6;

/// The key of a local table: the rules and the shape, in the form of a [file](super::shapes_file).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShapeKey(Vec<u8>);

/// What a local table depends on.
pub(super) struct LocalGame {
    pub(super) rules: Rules,
    pub(super) outside: MayLeave,
    pub(super) shape: CellShape,
}

impl ShapeKey {
    /// The key of a region of this shape; `None` if it does not lie on a map. Files hold shapes of maps only.
    pub(super) fn new(region: &Region, shape: &Shape) -> Option<Self> {
        let Shape::Cells(shape) = shape else {
            return None;
        };
        let (rules, cells) = (region.rules(), shape.cells());
        let mut bytes = Vec::with_capacity(HEADER + CELL * cells.len());
        bytes.extend([
            shape.moves().number(),
            rules.cops.get(),
            rules.cop_speed.steps(),
            rules.robber_speed.steps(),
            match region.outside() {
                MayLeave::ForRobber => 0,
                MayLeave::ForCops => 1,
            },
        ]);
        bytes.extend((cells.len() as u16).to_le_bytes());
        for (cell, exits, is_guarded) in cells {
            bytes.extend(cell.y.to_le_bytes());
            bytes.extend(cell.x.to_le_bytes());
            bytes.extend([exits, u8::from(is_guarded)]);
        }
        Some(Self(bytes))
    }

    /// The bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Reads the key that begins at an offset, and decodes it.
    pub(super) fn read(
        reader: Unchecked<'_>,
        offset: usize,
    ) -> Result<(Self, LocalGame), TableError> {
        let [moves, cops, cop_speed, robber_speed, outside] = reader.chunk(offset)?;
        let count = usize::from(reader.u16(offset + 5)?);
        let at = |index: usize| (offset + index) as u64;
        let moves = Moves::of_number(moves)
            .ok_or_else(|| malformed(at(0), "0, 1 or 3 to 8 for the steps", moves))?;
        let steps = match moves {
            Moves::Orthogonal => 0b1111,
            Moves::Octile | Moves::Hexagonal(_) => u8::MAX,
        };
        let positive = |index: usize, number: u8| {
            NonZeroU8::new(number).ok_or_else(|| malformed(at(index), "a number above 0", number))
        };
        let rules = Rules {
            cops: positive(1, cops)?,
            cop_speed: Speed::from(positive(2, cop_speed)?),
            robber_speed: Speed::from(positive(3, robber_speed)?),
            moves,
        };
        let outside = match outside {
            0 => MayLeave::ForRobber,
            1 => MayLeave::ForCops,
            other => return Err(malformed(at(4), "0 or 1 for who may leave", other)),
        };
        let most = growth::most_vertices(rules.cops.get());
        if !(1..=most).contains(&count) {
            let expected = format!("1 to {most} cells for {cops} cops");
            return Err(malformed(at(5), &expected, count));
        }
        let mut cells = Vec::with_capacity(count);
        for index in 0..count {
            let start = offset + HEADER + CELL * index;
            let (y, x) = (reader.u16(start)?, reader.u16(start + 2)?);
            let [exits, guard] = reader.chunk(start + 4)?;
            if exits & !steps != 0 || guard > 1 {
                let found = format!("{exits:#04x} and {guard}");
                let expected = "a set of steps, and 0 or 1 for a guard";
                return Err(malformed(start as u64 + 4, expected, found));
            }
            cells.push((Cell::new(x, y), exits, guard == 1));
        }
        let expected = "different cells row by row, from row 0 and column 0";
        let shape = CellShape::of_cells(moves, cells.into_iter())
            .ok_or_else(|| malformed(at(HEADER), expected, "others"))?;
        let end = offset + HEADER + CELL * count;
        let bytes = reader.0.get(offset..end).unwrap_or_default();
        let game = LocalGame {
            rules,
            outside,
            shape,
        };
        Ok((Self(bytes.to_vec()), game))
    }
}
