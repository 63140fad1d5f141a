use super::Footprint;
use crate::map::Cell;

/// The blocks of a map in which cells have changed or beside which they have: what footprints are tested
/// against, each once, however many cells have changed.
///
/// Takes no memory once it has held as many blocks.
#[derive(Debug, Clone, Default)]
pub struct ChangedBlocks {
    blocks: Footprint,
    /// The words of the bit field that are not 0.
    words: Vec<usize>,
}

impl ChangedBlocks {
    /// Empties it, for a map of a width and a height in cells. Cost: a bit a block.
    pub fn clear(&mut self, width: u16, height: u16) {
        self.blocks.clear(width, height);
        self.words.clear();
    }

    /// A cell has changed.
    pub fn insert(&mut self, cell: Cell) {
        let before = |at: u16| at.saturating_sub(1);
        let after = |at: u16| at.saturating_add(1);
        for x in [before(cell.x), after(cell.x)] {
            for y in [before(cell.y), after(cell.y)] {
                self.words.extend(self.blocks.insert_block(Cell::new(x, y)));
            }
        }
    }

    /// Would one of the changes change the result that the footprint is of? The same as
    /// [`Footprint::is_touched_by`] for each changed cell. Also `true` for the footprint of a map of
    /// another size, unless it is of none.
    ///
    /// Cost: a word for each 64 blocks in which something has changed.
    #[must_use]
    pub fn touch(&self, footprint: &Footprint) -> bool {
        self.blocks.meets(footprint, &self.words)
    }

    /// Has something changed in the block of a cell, or beside the block?
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.blocks.contains(cell)
    }
}
