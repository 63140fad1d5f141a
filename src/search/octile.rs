//! Breadth-first search on octile maps that looks at two or three neighbours of a cell, not eight.
//!
//! A shortest path on a grid has many others of the same length beside it. Of those only the ones
//! are followed that go diagonally first and straight then, as long as no wall is in the way: after
//! a diagonal step the same step and its two straight parts, after a straight step the same step
//! again, and what opens to its sides where a wall ends (*canonical orderings*: Sturtevant and
//! Rabin, IJCAI 2016; the pruning of jump point search: Harabor and Grastien, AAAI 2011). With steps
//! of equal cost, and no step past corners, every cell is still found at its distance: where a step
//! is left out, the cell that it leads to has another neighbour at the same distance that generates
//! it, whichever way that one was found. So it holds for any number of sources as well.

use crate::map::Moves;

/// How a source was come to: from nowhere.
pub(super) const START: u32 = 8;

/// A cell by its number with the step that led to it: `cell << 4 | step`. There are fewer than 2^25
/// cells.
pub(super) const fn entry(cell: u32, step: u32) -> u32 {
    cell << 4 | step
}

/// For the step that led to a cell and the exits of the cell: the exits to follow.
static ONWARD: [[u8; 256]; 9] = onward();

/// The exits to follow from a cell with `exits` that `step` has led to.
pub(super) fn exits_onward(step: u32, exits: u8) -> u8 {
    ONWARD[(step & 15).min(START) as usize][usize::from(exits)]
}

/// The number of a step in the order of [`Moves::steps`].
const fn number(dx: i32, dy: i32) -> usize {
    let steps = Moves::Octile.steps();
    let mut at = 0;
    while at < steps.len() && !(steps[at].0 == dx && steps[at].1 == dy) {
        at += 1;
    }
    at
}

const fn bit(dx: i32, dy: i32) -> u8 {
    1 << number(dx, dy)
}

const fn onward() -> [[u8; 256]; 9] {
    let mut table = [[0; 256]; 9];
    let mut step = 0;
    while step <= START as usize {
        let mut exits = 0;
        while exits < 256 {
            table[step][exits] = onward_from(step, exits as u8);
            exits += 1;
        }
        step += 1;
    }
    table
}

const fn onward_from(step: usize, exits: u8) -> u8 {
    if step == START as usize {
        return exits;
    }
    let (dx, dy) = Moves::Octile.steps()[step];
    if dx != 0 && dy != 0 {
        return exits & (bit(dx, dy) | bit(dx, 0) | bit(0, dy));
    }
    let mut follow = bit(dx, dy);
    let sides = [(dy, dx), (-dy, -dx)];
    let mut side = 0;
    while side < 2 {
        let (sx, sy) = sides[side];
        // Beside the cell is floor, beside the cell before it a wall: the corner is turned here.
        if exits & bit(sx, sy) != 0 && exits & bit(sx - dx, sy - dy) == 0 {
            follow |= bit(sx, sy) | bit(sx + dx, sy + dy);
        }
        side += 1;
    }
    exits & follow
}

/// For each step how far it leads in numbers of cells.
pub(super) fn offsets(width: u16) -> [i32; 8] {
    let mut offsets = [0; 8];
    for (offset, &(dx, dy)) in offsets.iter_mut().zip(Moves::Octile.steps()) {
        *offset = dy * i32::from(width) + dx;
    }
    offsets
}

/// A set of cells by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Cells(Vec<u64>);

impl Cells {
    /// Empties the set and makes room for `cells` cells.
    pub(super) fn clear(&mut self, cells: usize) {
        self.0.clear();
        self.0.resize(cells.div_ceil(64), 0);
    }

    pub(super) fn contains(&self, cell: u32) -> bool {
        self.0[(cell >> 6) as usize] >> (cell & 63) & 1 == 1
    }

    /// Adds a cell; `false` if it was there.
    pub(super) fn insert(&mut self, cell: u32) -> bool {
        let (word, bit) = (&mut self.0[(cell >> 6) as usize], 1 << (cell & 63));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
