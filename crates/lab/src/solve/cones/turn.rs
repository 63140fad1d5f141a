//! Undoes one turn of both cops and the robber, for one place of the first cop.

use super::{Cones, Reach};
use crate::solve::alone::Blocks;
use crate::solve::row::{Row, ones};
use crate::solve::shifts::{Block, LANES};

/// Sets of states before the move of the first cop, and before that of the second one.
#[derive(Debug)]
pub(super) struct Scratch {
    moved: Vec<Block>,
    stored: Vec<u64>,
    before: Vec<Block>,
    /// For each block, all states if the first cop, to move, wins alone.
    alone: Vec<Block>,
    /// For each block, all states if the first cop does not win alone with the robber to move.
    open: Vec<Block>,
    /// For each place of the robber, the words that have a state before the moves of both cops.
    words: Vec<Block>,
    /// For each place of the robber, the words that may have a state before its move.
    open_words: Vec<Block>,
    /// The blocks that have a state before a cop's move.
    wanted: Vec<u64>,
    /// For each word, the blocks that may have a state before the move of the robber.
    results: Vec<u64>,
    /// The blocks that those of a word depend on.
    needed: Vec<u64>,
    /// The blocks of the current row.
    blocks: Vec<Block>,
    /// The work so far, in blocks.
    pub(super) work: u64,
}

impl Scratch {
    pub(super) fn new(words: usize, blocks: usize) -> Self {
        let masks = blocks.div_ceil(64);
        Self {
            moved: vec![[0; LANES]; words * blocks],
            stored: vec![0; words * masks],
            before: vec![[0; LANES]; blocks + 1],
            alone: vec![[0; LANES]; blocks + 1],
            open: vec![[0; LANES]; blocks],
            words: vec![[0; LANES]; blocks + 1],
            open_words: vec![[0; LANES]; blocks],
            wanted: vec![0; masks],
            results: vec![0; words * masks],
            needed: vec![0; masks],
            blocks: Vec::new(),
            work: 0,
        }
    }
}

impl Cones {
    /// Computes a row from the level of the turn after it.
    pub(super) fn row(&self, reach: &Reach, row: usize, scratch: &mut Scratch) -> Row {
        let (words, masks) = (self.sources.rows(), self.blocks.masks);
        if self.left == 0 {
            return Row::empty(words, masks);
        }
        self.undo_first(row, scratch);
        self.prepare_alone(row, scratch);
        self.choose_blocks(reach, scratch);
        // The blocks are collected in a list that is used again, so that a row takes no more memory than it needs.
        let mut result = Row {
            stored: Vec::with_capacity(words * masks),
            starts: Vec::with_capacity(words),
            blocks: std::mem::take(&mut scratch.blocks),
        };
        for word in 0..words {
            result.starts.push(result.blocks.len() as u32);
            if self.is_needed(word, scratch) {
                self.undo_second(word, scratch);
                self.undo_robber(word, scratch, &mut result);
            }
            result.stored.resize((word + 1) * masks, 0);
        }
        let blocks = result.blocks.as_slice().into();
        scratch.blocks = std::mem::replace(&mut result.blocks, blocks);
        scratch.blocks.clear();
        result
    }

    /// Undoes the move of the first cop for all words.
    fn undo_first(&self, row: usize, scratch: &mut Scratch) {
        let Scratch {
            moved,
            stored,
            words,
            ..
        } = scratch;
        let Blocks {
            count: blocks,
            masks,
            ..
        } = self.blocks;
        stored.fill(0);
        words.fill([0; LANES]);
        for &to in self.moves.row(row) {
            let Some(from) = self.last.rows.get(to as usize) else {
                continue;
            };
            if from.blocks.is_empty() {
                continue;
            }
            for word in 0..self.sources.rows() {
                let stored = &mut stored[word * masks..(word + 1) * masks];
                let moved = &mut moved[word * blocks..(word + 1) * blocks];
                for (index, block) in from.blocks(word, masks) {
                    let (mask, bit) = (&mut stored[index / 64], 1 << (index % 64));
                    if *mask & bit == 0 {
                        *mask |= bit;
                        moved[index] = *block;
                    } else {
                        for (moved, set) in moved[index].iter_mut().zip(block) {
                            *moved |= set;
                        }
                    }
                }
            }
        }
        for (word, &origins) in self.origins.iter().enumerate() {
            for index in ones(&stored[word * masks..(word + 1) * masks]) {
                let sets = &moved[word * blocks + index];
                for (words, set) in words[index].iter_mut().zip(sets) {
                    *words |= if *set == 0 { 0 } else { origins };
                }
            }
        }
    }

    /// Records where the first cop wins alone from the place of a row.
    fn prepare_alone(&self, row: usize, scratch: &mut Scratch) {
        let cop = &self.alone[0];
        let bit = self.places[0].binary_search(&self.first[row]);
        let bit = bit.unwrap_or_default();
        let fill = |to: &mut [Block], from: &[Block], flip: u64| {
            let all = to.as_flattened_mut().iter_mut();
            for (to, from) in all.zip(from.as_flattened()) {
                *to = (from >> (bit % 64) & 1).wrapping_neg() ^ flip;
            }
        };
        fill(&mut scratch.alone, cop.moved(bit / 64), 0);
        fill(&mut scratch.open, cop.sets(bit / 64), u64::MAX);
    }

    /// Chooses the blocks that may have a state that only both cops win together.
    ///
    /// A bit for each word tells whether a place of the robber has any state before the cops' moves. The robber's
    /// move is undone for these bits first: this rules out most blocks.
    fn choose_blocks(&self, reach: &Reach, scratch: &mut Scratch) {
        let masks = self.blocks.masks;
        scratch.wanted.fill(0);
        for stored in scratch.stored.chunks(masks.max(1)) {
            for (wanted, stored) in scratch.wanted.iter_mut().zip(stored) {
                *wanted |= stored;
            }
        }
        for (index, alone) in scratch.alone.iter().enumerate() {
            if !is_empty(alone) {
                scratch.wanted[index / 64] |= 1 << (index % 64);
            }
        }
        scratch.needed.fill(0);
        self.widen(&scratch.wanted, &mut scratch.needed);
        for (needed, reached) in scratch.needed.iter_mut().zip(&reach.blocks) {
            *needed &= reached;
        }
        scratch.results.fill(0);
        for index in ones(&scratch.needed) {
            let (words, of_block) = self.open_words(index, scratch);
            scratch.open_words[index] = words;
            for word in ones(&[of_block]) {
                for word in (word..self.sources.rows()).step_by(64) {
                    if reach.words[word / 64] >> (word % 64) & 1 != 0 {
                        scratch.results[word * masks + index / 64] |= 1 << (index % 64);
                    }
                }
            }
        }
    }

    /// For each place of a block, the words that may have a state that only both cops win together, and those of
    /// all places.
    fn open_words(&self, block: usize, scratch: &Scratch) -> (Block, u64) {
        let words = scratch.words.as_flattened();
        let first = scratch.alone.as_flattened();
        let second = self.alone[1].words_at().as_flattened();
        let start = block * LANES;
        let (mut open, mut all) = ([0; LANES], 0);
        let robbers = (start..self.robbers.len()).zip(&scratch.open[block]);
        for (open, (robber, &is_open)) in open.iter_mut().zip(robbers) {
            // What the second cop wins alone after all replies is known. Other states are new.
            let mut new = words[robber] | first[robber];
            let mut won = (new | second[robber]) & is_open;
            for &to in self.blocks.steps.row(robber) {
                if won == 0 {
                    break;
                }
                let to = to as usize;
                let also = words[to] | first[to];
                new |= also;
                won &= also | second[to];
            }
            *open = won & new;
            all |= *open;
        }
        (open, all)
    }

    /// Lists the blocks that the results of a word depend on. Returns `false` if there are none.
    fn is_needed(&self, word: usize, scratch: &mut Scratch) -> bool {
        let masks = self.blocks.masks;
        let results = &scratch.results[word * masks..(word + 1) * masks];
        if results.iter().all(|&mask| mask == 0) {
            return false;
        }
        scratch.needed.fill(0);
        self.widen(results, &mut scratch.needed);
        scratch.wanted.fill(0);
        for &from in self.sources.row(word) {
            let stored = &scratch.stored[from as usize * masks..];
            for (wanted, stored) in scratch.wanted.iter_mut().zip(stored) {
                *wanted |= stored;
            }
        }
        true
    }

    /// Adds the blocks near some blocks.
    fn widen(&self, from: &[u64], to: &mut [u64]) {
        for index in ones(from) {
            for (to, near) in to.iter_mut().zip(self.blocks.near(index)) {
                *to |= near;
            }
        }
    }

    /// Undoes the move of the second cop for a word.
    fn undo_second(&self, word: usize, scratch: &mut Scratch) {
        let Blocks {
            count: blocks,
            masks,
            ..
        } = self.blocks;
        let cop = &self.alone[1];
        let moved = cop.moved(word);
        for index in ones(&scratch.needed) {
            let (mask, bit) = (index / 64, index % 64);
            let mut before = if scratch.wanted[mask] >> bit & 1 == 0 {
                [0; LANES]
            } else {
                cop.shifts().undo(word, |from: usize| {
                    let is_stored = scratch.stored[from * masks + mask] >> bit & 1 != 0;
                    is_stored.then(|| &scratch.moved[from * blocks + index])
                })
            };
            let others = moved[index].iter().zip(&scratch.alone[index]);
            for (before, (second, first)) in before.iter_mut().zip(others) {
                *before |= second | first;
            }
            scratch.before[index] = before;
            scratch.work += 1;
        }
    }

    /// Undoes the move of the robber for a word.
    fn undo_robber(&self, word: usize, scratch: &mut Scratch, row: &mut Row) {
        let before = scratch.before.as_flattened();
        let alone = self.alone[1].sets(word);
        let first_mask = row.stored.len();
        row.stored.resize(first_mask + self.blocks.masks, 0);
        let masks = self.blocks.masks;
        for index in ones(&scratch.results[word * masks..(word + 1) * masks]) {
            let first = index * LANES;
            let mut block = [0; LANES];
            let known = scratch.open_words[index].iter().zip(&alone[index]);
            let robbers = (first..self.robbers.len()).zip(known);
            for (sets, (robber, (words, second))) in block.iter_mut().zip(robbers) {
                if words >> (word % 64) & 1 == 0 {
                    continue;
                }
                *sets = before[robber] & !second;
                for &to in self.blocks.steps.row(robber) {
                    if *sets == 0 {
                        break;
                    }
                    *sets &= before[to as usize];
                }
            }
            if !is_empty(&block) {
                row.blocks.push(block);
                row.stored[first_mask + index / 64] |= 1 << (index % 64);
            }
        }
    }
}

/// Returns whether a block has no state.
fn is_empty(block: &Block) -> bool {
    block.iter().fold(0, |all, set| all | set) == 0
}
