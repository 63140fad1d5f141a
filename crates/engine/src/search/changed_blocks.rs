//! The blocks of a map that edits have changed.

use super::Footprint;
use crate::map::Cell;

/// The blocks of a map in which or beside which cells have changed. A footprint is tested against them
/// once, however many cells have changed.
///
/// Does not allocate once it has held as many blocks.
#[derive(Debug, Clone, Default)]
pub struct ChangedBlocks {
    blocks: Footprint,
    /// The indices of the words of the bit field that are not 0.
    words: Vec<usize>,
}

impl ChangedBlocks {
    /// Empties the set, for a map of this width and height in cells. Cost: a bit per block.
    pub fn clear(&mut self, width: u16, height: u16) {
        self.blocks.clear(width, height);
        self.words.clear();
    }

    /// Adds a cell that has changed.
    pub fn insert(&mut self, cell: Cell) {
        let before = |at: u16| at.saturating_sub(1);
        let after = |at: u16| at.saturating_add(1);
        for x in [before(cell.x), after(cell.x)] {
            for y in [before(cell.y), after(cell.y)] {
                self.words.extend(self.blocks.insert_block(Cell::new(x, y)));
            }
        }
    }

    /// Returns whether one of the changes may alter the result with this footprint: whether the footprint has a block
    /// in or beside which a cell has changed. A cell beside a block counts, because the search has not seen the walls
    /// around its footprint. Also `true` for the footprint of a map of another size, unless it is empty.
    ///
    /// Cost: a word for each 64 blocks in which something has changed.
    #[must_use]
    pub fn touch(&self, footprint: &Footprint) -> bool {
        self.blocks.meets(footprint, &self.words)
    }

    /// Returns whether a cell has changed in the block of this cell or beside that block.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.blocks.contains(cell)
    }
}
