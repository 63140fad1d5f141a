//! The states that one cop wins alone, wherever the other cop is.

use super::row::{Row, ones};
use super::shifts::{Block, LANES, Shifts};
use pursuit_engine::graph::Csr;
use pursuit_engine::solve::ReachableGraph;

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
    /// For each word, the blocks of `sets` that have grown by the last turn, as bits.
    grown: Vec<u64>,
    /// For each word, the blocks of `moved` that have grown in the current turn, as bits.
    moved_grown: Vec<u64>,
    /// The blocks that may grow in the current word, as bits.
    open: Vec<u64>,
    /// The steps that are done in the current turn.
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
        self.near.len() * 8 + (self.steps.item_count() + self.steps.rows()) * 4
    }
}

impl Alone {
    /// Prepares the immediate captures. `places` are those of the cop, in ascending order.
    pub(super) fn new(
        graph: &ReachableGraph,
        places: &[u16],
        robbers: &[u16],
        blocks: &Blocks,
    ) -> Self {
        let words = places.len().div_ceil(64);
        let bit = |place| {
            places
                .binary_search(place)
                .map_or(u32::MAX, |bit| bit as u32)
        };
        Self {
            shifts: Shifts::new(graph, places),
            bit_of: robbers.iter().map(bit).collect(),
            words,
            blocks: blocks.count,
            sets: vec![[0; LANES]; words * blocks.count],
            moved: vec![[0; LANES]; words * (blocks.count + 1)],
            words_at: vec![[0; LANES]; blocks.count + 1],
            grown: vec![0; words * blocks.masks],
            moved_grown: vec![0; words * blocks.masks],
            open: vec![0; blocks.masks],
            done: 0,
        }
    }

    /// The bytes that the sets take for this number of places of a cop, not counting the shifts.
    pub(super) fn bytes(places: usize, blocks: usize) -> usize {
        let words = places.div_ceil(64);
        let sets = words * (2 * blocks + 1) + (blocks + 1) * 2;
        sets * size_of::<Block>() + words * blocks.div_ceil(64) * 16
    }

    pub(super) const fn words(&self) -> usize {
        self.words
    }

    pub(super) const fn shifts(&self) -> &Shifts {
        &self.shifts
    }

    /// Goes on with the next word of a turn. `is_first` is set in the turn of the immediate captures. Returns the work
    /// in blocks, or `None` if the turn is complete.
    ///
    /// The sets only grow from turn to turn. A block is left out if nothing that it depends on has grown.
    pub(super) fn step(&mut self, blocks: &Blocks, is_first: bool) -> Option<usize> {
        let step = self.done;
        if step == 2 * self.words {
            return None;
        }
        self.done += 1;
        // All moves of the cop are undone before the first reply is.
        let work = match step.checked_sub(self.words) {
            Some(word) if is_first => self.capture(word, blocks),
            Some(word) => self.undo_robber(word, blocks),
            None if is_first => 0,
            None => self.undo_cop(step, blocks.masks),
        };
        Some(1 + work)
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

    /// Records the immediate captures. Returns the work in blocks.
    fn capture(&mut self, word: usize, blocks: &Blocks) -> usize {
        for (robber, &captor) in self.bit_of.iter().enumerate() {
            if captor as usize / 64 == word {
                let block = robber / LANES;
                self.sets[word * self.blocks + block][robber % LANES] |= 1 << (captor % 64);
                self.grown[word * blocks.masks + block / 64] |= 1 << (block % 64);
            }
        }
        self.blocks
    }

    /// Returns the work in blocks.
    fn undo_cop(&mut self, word: usize, masks: usize) -> usize {
        self.open.fill(0);
        for from in self.shifts.sources(word) {
            let grown = &self.grown[from * masks..(from + 1) * masks];
            for (open, grown) in self.open.iter_mut().zip(grown) {
                *open |= grown;
            }
        }
        let moved_grown = &mut self.moved_grown[word * masks..(word + 1) * masks];
        moved_grown.fill(0);
        let mut work = 0;
        for block in ones(&self.open) {
            work += 1;
            let sets = |from: usize| Some(&self.sets[from * self.blocks + block]);
            let origins = self.shifts.undo(word, sets);
            let moved = &mut self.moved[word * (self.blocks + 1) + block];
            if *moved == origins {
                continue;
            }
            for (words, set) in self.words_at[block].iter_mut().zip(origins) {
                *words |= if set == 0 { 0 } else { 1 << (word % 64) };
            }
            *moved = origins;
            moved_grown[block / 64] |= 1 << (block % 64);
        }
        work
    }

    /// Returns the work in blocks.
    fn undo_robber(&mut self, word: usize, blocks: &Blocks) -> usize {
        let masks = word * blocks.masks..(word + 1) * blocks.masks;
        self.open.fill(0);
        for block in ones(&self.moved_grown[masks.clone()]) {
            for (open, near) in self.open.iter_mut().zip(blocks.near(block)) {
                *open |= near;
            }
        }
        let stride = self.blocks + 1;
        let moved = self.moved[word * stride..(word + 1) * stride].as_flattened();
        let sets = &mut self.sets[word * self.blocks..(word + 1) * self.blocks];
        let grown = &mut self.grown[masks];
        grown.fill(0);
        let mut work = 0;
        for block in ones(&self.open) {
            work += 1;
            let robbers = block * LANES..self.bit_of.len();
            let mut has_grown = false;
            for (robber, set) in robbers.zip(&mut sets[block]) {
                let steps = blocks.steps.row(robber).iter();
                let won = steps.fold(moved[robber], |won, &to| won & moved[to as usize]);
                has_grown |= won & !*set != 0;
                *set |= won;
            }
            grown[block / 64] |= u64::from(has_grown) << (block % 64);
        }
        work
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
