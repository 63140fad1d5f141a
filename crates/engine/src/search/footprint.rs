//! The part of a map that a result depends on.

use crate::abstraction::Hierarchy;
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// A footprint that was read but not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedFootprint {
    columns: u16,
    rows: u16,
    blocks: Vec<u64>,
}

impl TryFrom<SavedFootprint> for Footprint {
    type Error = &'static str;

    fn try_from(saved: SavedFootprint) -> Result<Self, Self::Error> {
        let SavedFootprint {
            columns,
            rows,
            blocks,
        } = saved;
        let expected = usize::from(columns) * usize::from(rows);
        if blocks.len() != expected.div_ceil(64) {
            return Err("a footprint needs a bit for each block of the map");
        }
        Ok(Self {
            columns,
            rows,
            blocks,
        })
    }
}

/// The side of a block, in cells.
const SIDE: u16 = 16;

/// The part of a map that a result depends on: if no cell in it or beside it changes, the search would
/// find the same result again. For abstract searches see [`Descent`](super::Descent).
///
/// A dependency set (T. Cazenave, *Retrograde analysis of patterns versus metaprogramming*) in blocks of
/// 16 x 16 cells: never too small, and at most one block too large on each side. Memory: a bit per
/// block.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SavedFootprint")]
pub struct Footprint {
    /// Blocks per row.
    columns: u16,
    rows: u16,
    blocks: Vec<u64>,
}

impl Footprint {
    /// The side of a block, in cells.
    pub const SIDE: u16 = SIDE;

    /// Empties the footprint, for a map of this width and height in cells.
    pub fn clear(&mut self, width: u16, height: u16) {
        self.columns = width.div_ceil(SIDE);
        self.rows = height.div_ceil(SIDE);
        let blocks = usize::from(self.columns) * usize::from(self.rows);
        self.blocks.clear();
        self.blocks.resize(blocks.div_ceil(64), 0);
    }

    /// Adds the block of a cell. Ignores a cell off the map.
    pub fn insert(&mut self, cell: Cell) {
        self.insert_rectangle(cell, cell);
    }

    /// Adds all blocks that the rectangle between two cells touches.
    pub(crate) fn insert_rectangle(&mut self, top_left: Cell, bottom_right: Cell) {
        let (left, top) = (top_left.x / SIDE, top_left.y / SIDE);
        if left >= self.columns || top >= self.rows {
            return;
        }
        let right = (bottom_right.x / SIDE).min(self.columns - 1);
        let bottom = (bottom_right.y / SIDE).min(self.rows - 1);
        for row in top..=bottom {
            let first = usize::from(row) * usize::from(self.columns);
            self.insert_run(first + usize::from(left), first + usize::from(right));
        }
    }

    /// Adds the blocks with the numbers from `first` to `last`.
    fn insert_run(&mut self, first: usize, last: usize) {
        for word in first / 64..=last / 64 {
            let from = if word == first / 64 { first % 64 } else { 0 };
            let to = if word == last / 64 { last % 64 } else { 63 };
            if from <= to
                && let Some(blocks) = self.blocks.get_mut(word)
            {
                *blocks |= (u64::MAX >> (63 - to)) & (u64::MAX << from);
            }
        }
    }

    /// Returns whether the footprint contains the block of this cell.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.block(cell.x / SIDE, cell.y / SIDE)
            .is_some_and(|block| self.blocks[block / 64] >> (block % 64) & 1 == 1)
    }

    /// Adds the blocks of another footprint of the same map.
    pub fn union(&mut self, other: &Self) {
        for (ours, theirs) in self.blocks.iter_mut().zip(&other.blocks) {
            *ours |= theirs;
        }
    }

    /// Adds the block of a cell, and returns the index of its word if the word was 0 before.
    pub(super) fn insert_block(&mut self, cell: Cell) -> Option<usize> {
        let block = self.block(cell.x / SIDE, cell.y / SIDE)?;
        let word = self.blocks.get_mut(block / 64)?;
        let was_empty = *word == 0;
        *word |= 1 << (block % 64);
        was_empty.then_some(block / 64)
    }

    /// Returns whether both footprints have a block in common. Compares only these words of the bit
    /// fields; all others of `self` are 0. Footprints of maps of different sizes count as overlapping,
    /// unless one is empty.
    pub(super) fn meets(&self, other: &Self, words: &[usize]) -> bool {
        if (self.columns, self.rows) != (other.columns, other.rows) {
            return !words.is_empty() && !other.blocks.is_empty();
        }
        let word = |of: &Self, word: usize| of.blocks.get(word).copied().unwrap_or(0);
        words
            .iter()
            .any(|&at| word(self, at) & word(other, at) != 0)
    }

    fn block(&self, column: u16, row: u16) -> Option<usize> {
        let is_there = column < self.columns && row < self.rows;
        is_there.then(|| usize::from(row) * usize::from(self.columns) + usize::from(column))
    }

    /// Adds the cells that separate two vertices of different components: the bounding rectangle of the
    /// first vertex' component, or of the second if that is smaller.
    pub(super) fn insert_parting(
        &mut self,
        graph: &Graph,
        hierarchy: &Hierarchy,
        a: Vertex,
        b: Vertex,
    ) {
        let top = hierarchy.levels() - 1;
        let part = |at| {
            let stands = hierarchy.ancestor(at, top);
            stands.map_or((graph.cell(at), graph.cell(at)), |all| {
                hierarchy.bounds(graph, top, all)
            })
        };
        let cells = |&(min, max): &(Cell, Cell)| {
            (u32::from(max.x - min.x) + 1) * (u32::from(max.y - min.y) + 1)
        };
        let (min, max) = std::cmp::min_by_key(part(a), part(b), cells);
        self.insert_rectangle(min, max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_is_its_cells() {
        let corners = |(x, y), (width, height)| (Cell::new(x, y), Cell::new(x + width, y + height));
        // More than 64 blocks in a row, and 12 rows.
        let (width, height) = (1040, 180);
        for (top_left, bottom_right) in [
            corners((0, 0), (0, 0)),
            corners((15, 15), (1, 1)),
            corners((39, 0), (900, 20)),
            corners((1000, 100), (500, 500)),
            corners((0, 0), (1039, 179)),
            corners((1040, 0), (5, 5)),
        ] {
            let [mut found, mut expected] = [Footprint::default(), Footprint::default()];
            found.clear(width, height);
            expected.clear(width, height);
            found.insert_rectangle(top_left, bottom_right);
            for y in top_left.y..=bottom_right.y {
                for x in top_left.x..=bottom_right.x {
                    expected.insert_block(Cell::new(x, y));
                }
            }
            assert_eq!(found, expected, "{top_left:?} {bottom_right:?}");
        }
    }
}
