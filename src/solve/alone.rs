//! The states that one cop wins alone, wherever the other cop is.

use super::field::Field;
use super::row::Row;
use super::shifts::{Block, LANES, Shifts};
use crate::graph::Csr;

/// For one cop, the states with the robber to move in which it captures alone within a number of turns.
///
/// A word has a bit for each of 64 places of the cop. The sets are those of a game with this cop only: they are
/// computed once for each number of turns, and hold for every place of the other cop.
#[derive(Debug)]
pub(super) struct Alone {
    shifts: Shifts,
    /// For each place of the robber, its index among those of the cop.
    bit_of: Vec<u32>,
    words: usize,
    blocks: usize,
    /// For each word and block, the states that are won with the robber to move.
    sets: Vec<Block>,
    /// For each word and block, and one block beyond, the states that are won with the cop to move.
    moved: Vec<Block>,
    /// For each block, and one beyond, the words that have a state in `moved`, as bits modulo 64.
    words_at: Vec<Block>,
    /// For each word, whether its sets have grown by the last turn.
    has_grown: Vec<bool>,
    /// For each word, whether its sets may grow by the turn in work.
    is_new: Vec<bool>,
    /// The steps that are done in the turn in work.
    done: usize,
}

/// The places of the robber in blocks.
#[derive(Debug)]
pub(super) struct Blocks {
    /// The robber's steps as indices. A place that is not listed has an index beyond all blocks.
    pub(super) steps: Csr<u32>,
    pub(super) count: usize,
    /// The number of masks that hold a bit for each block.
    pub(super) masks: usize,
    /// For each block, the blocks that the robber's steps lead to or come from, and itself, as bits.
    near: Vec<u64>,
}

impl Blocks {
    pub(super) fn new(steps: Csr<u32>) -> Self {
        let blocks = steps.rows().div_ceil(LANES);
        let masks = blocks.div_ceil(64);
        let mut near = vec![0; blocks * masks];
        for robber in 0..steps.rows() {
            let from = robber / LANES;
            near[from * masks + from / 64] |= 1 << (from % 64);
            for &to in steps.row(robber) {
                let to = to as usize / LANES;
                if to < blocks {
                    near[from * masks + to / 64] |= 1 << (to % 64);
                    near[to * masks + from / 64] |= 1 << (from % 64);
                }
            }
        }
        Self {
            steps,
            count: blocks,
            masks,
            near,
        }
    }

    /// The blocks near a block, as bits.
    pub(super) fn near(&self, block: usize) -> &[u64] {
        &self.near[block * self.masks..(block + 1) * self.masks]
    }

    pub(super) fn bytes(&self) -> usize {
        self.near.len() * 8 + (self.steps.len() + self.steps.rows()) * 4
    }
}

impl Alone {
    /// Prepares the captures at hand. `places` are those of the cop, in ascending order.
    pub(super) fn new(field: &Field, places: &[u16], robbers: &[u16], blocks: &Blocks) -> Self {
        let words = places.len().div_ceil(64);
        let bit = |place| {
            places
                .binary_search(place)
                .map_or(u32::MAX, |bit| bit as u32)
        };
        Self {
            shifts: Shifts::new(field, places),
            bit_of: robbers.iter().map(bit).collect(),
            words,
            blocks: blocks.count,
            sets: vec![[0; LANES]; words * blocks.count],
            moved: vec![[0; LANES]; words * (blocks.count + 1)],
            words_at: vec![[0; LANES]; blocks.count + 1],
            has_grown: vec![false; words],
            is_new: vec![false; words],
            done: 0,
        }
    }

    /// The bytes that the sets take for so many places of a cop, not counting the shifts.
    pub(super) fn bytes(places: usize, blocks: usize) -> usize {
        let words = places.div_ceil(64);
        words * (2 * blocks + 1) * size_of::<Block>() + (blocks + 1) * 2 * size_of::<Block>()
    }

    pub(super) const fn words(&self) -> usize {
        self.words
    }

    pub(super) const fn shifts(&self) -> &Shifts {
        &self.shifts
    }

    /// Goes on with the next word of a turn; `is_first` in the turn of the captures at hand. Returns `false` if
    /// the turn is complete.
    pub(super) fn step(&mut self, blocks: &Blocks, is_first: bool) -> bool {
        let step = self.done;
        if step == 2 * self.words {
            return false;
        }
        self.done += 1;
        // All moves of the cop are undone before the first reply is.
        if let Some(word) = step.checked_sub(self.words) {
            self.has_grown[word] = self.is_new[word] && self.undo_robber(word, blocks);
        } else {
            let has_grown = |from: usize| self.has_grown[from];
            self.is_new[step] = is_first || self.shifts.sources(step).any(has_grown);
            if self.is_new[step] && !is_first {
                self.undo_cop(step);
            }
        }
        true
    }

    /// Ends a turn. Returns the states that are won.
    pub(super) fn end_turn(&mut self, blocks: &Blocks) -> Row {
        self.done = 0;
        let mut row = Row::default();
        for sets in self.sets.chunks(self.blocks.max(1)) {
            row.starts.push(row.blocks.len() as u32);
            let first = row.stored.len();
            row.stored.resize(first + blocks.masks, 0);
            for (index, block) in sets.iter().enumerate() {
                if *block != [0; LANES] {
                    row.stored[first + index / 64] |= 1 << (index % 64);
                    row.blocks.push(*block);
                }
            }
        }
        row
    }

    fn undo_cop(&mut self, word: usize) {
        for block in 0..self.blocks {
            let sets = |from: usize| Some(&self.sets[from * self.blocks + block]);
            let origins = self.shifts.undo(word, sets);
            for (words, set) in self.words_at[block].iter_mut().zip(origins) {
                *words |= if set == 0 { 0 } else { 1 << (word % 64) };
            }
            self.moved[word * (self.blocks + 1) + block] = origins;
        }
    }

    /// Returns whether the sets of a word have grown.
    fn undo_robber(&mut self, word: usize, blocks: &Blocks) -> bool {
        let stride = self.blocks + 1;
        let moved = self.moved[word * stride..(word + 1) * stride].as_flattened();
        let sets = &mut self.sets[word * self.blocks..(word + 1) * self.blocks];
        let sets = sets.as_flattened_mut();
        let mut has_grown = false;
        for ((robber, &captor), set) in self.bit_of.iter().enumerate().zip(sets) {
            let steps = blocks.steps.row(robber).iter();
            let mut won = steps.fold(moved[robber], |won, &to| won & moved[to as usize]);
            if captor / 64 == word as u32 {
                won |= 1 << (captor % 64);
            }
            has_grown |= won != *set;
            *set = won;
        }
        has_grown
    }

    /// For each block, the states of a word that are won with the cop to move.
    pub(super) fn moved(&self, word: usize) -> &[Block] {
        &self.moved[word * (self.blocks + 1)..(word + 1) * (self.blocks + 1)]
    }

    /// For each block, the states of a word that are won with the robber to move.
    pub(super) fn sets(&self, word: usize) -> &[Block] {
        &self.sets[word * self.blocks..(word + 1) * self.blocks]
    }

    /// For each place of the robber, the words that have a state that is won with the cop to move, as bits modulo
    /// 64.
    pub(super) fn words_at(&self) -> &[Block] {
        &self.words_at
    }
}
