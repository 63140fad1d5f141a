//! Lists of moves, by where they lead.

/// Moves that are given, turned around: for each position those from which the move leads there.
///
/// Positions fall into blocks of one size that no move leaves. 8 bytes a position.
#[derive(Debug, Clone)]
pub(super) struct Preimages {
    block_size: usize,
    /// For each block one more than its size.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Preimages {
    /// The image of a position that has no move.
    pub(super) const NONE: u32 = u32::MAX;

    /// Without blocks, but with memory for this number of them.
    pub(super) fn new(blocks: usize, block_size: usize) -> Self {
        Self {
            block_size,
            starts: Vec::with_capacity(blocks * (block_size + 1)),
            items: Vec::with_capacity(blocks * block_size),
        }
    }

    /// Adds a block: for each of its positions where the move leads, as numbers within the block.
    /// Linear time, by counting.
    pub(super) fn push(&mut self, images: &[u32]) {
        let first = self.starts.len();
        self.starts.resize(first + self.block_size + 1, 0);
        let starts = &mut self.starts[first..];
        let moves = images.iter().enumerate();
        let moves = moves.filter(|(_, image)| **image != Self::NONE);
        for (_, &image) in moves.clone() {
            starts[image as usize] += 1;
        }
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        // Each is where its list ends; filled from behind it becomes where the list begins.
        let items = self.items.len();
        self.items.resize(items + self.block_size, Self::NONE);
        for (position, &image) in moves.rev() {
            let start = &mut starts[image as usize];
            *start -= 1;
            self.items[items + *start as usize] = position as u32;
        }
    }

    /// The positions of a block whose moves lead to one of it, in order.
    pub(super) fn of(&self, block: usize, image: usize) -> &[u32] {
        let starts = &self.starts[block * (self.block_size + 1) + image..];
        let items = &self.items[block * self.block_size..];
        &items[starts[0] as usize..starts[1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order_block_by_block() {
        let mut preimages = Preimages::new(2, 4);
        preimages.push(&[2, 0, Preimages::NONE, 2]);
        preimages.push(&[3, 3, 3, 3]);
        let block = |block| [0, 1, 2, 3].map(|image| preimages.of(block, image).to_vec());
        assert_eq!(block(0), [vec![1], vec![], vec![0, 3], vec![]]);
        assert_eq!(block(1), [vec![], vec![], vec![], vec![0, 1, 2, 3]]);
    }
}
