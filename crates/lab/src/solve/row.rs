//! Sets of states of two cops and a robber, for one place of the first cop.

use super::shifts::{Block, LANES};

/// The states of a level for one place of the first cop: sets of places of the second cop, for each word of
/// such places and each block of places of the robber. Empty blocks are not stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row {
    /// For each word, the blocks that are stored, as bits.
    pub(super) stored: Vec<u64>,
    /// For each word, the index of its first block.
    pub(super) starts: Vec<u32>,
    pub(super) blocks: Vec<Block>,
}

impl Row {
    /// A row without a state.
    pub(super) fn empty(words: usize, masks: usize) -> Self {
        Self {
            stored: vec![0; words * masks],
            starts: vec![0; words],
            blocks: Vec::new(),
        }
    }

    /// Returns whether it has the state with these places, as indices.
    pub(super) fn contains(&self, bit: usize, robber: u32, masks: usize) -> bool {
        let robber = robber as usize;
        let mut blocks = self.blocks(bit / 64, masks);
        let block = blocks.find(|&(index, _)| index == robber / LANES);
        block.is_some_and(|(_, block)| block[robber % LANES] >> (bit % 64) & 1 != 0)
    }

    pub(super) fn bytes(&self) -> u64 {
        let bytes = size_of::<Self>()
            + size_of_val(self.stored.as_slice())
            + size_of_val(self.starts.as_slice())
            + self.blocks.capacity() * size_of::<Block>();
        bytes as u64
    }

    /// The blocks of a word, each with its index.
    pub(super) fn blocks(
        &self,
        word: usize,
        masks: usize,
    ) -> impl Iterator<Item = (usize, &Block)> {
        let stored = &self.stored[word * masks..(word + 1) * masks];
        ones(stored).zip(&self.blocks[self.starts[word] as usize..])
    }
}

/// The indices of the bits that are set.
pub(super) fn ones(masks: &[u64]) -> impl Iterator<Item = usize> {
    masks.iter().enumerate().flat_map(|(index, &mask)| {
        let mut rest = mask;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(index * 64 + bit)
        })
    })
}
