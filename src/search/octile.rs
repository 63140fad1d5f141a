//! Breadth-first search on octile maps that generates two or three neighbours of a cell, not eight.
//!
//! A shortest path on a grid has many others of the same length beside it. Only paths that go
//! diagonally first and straight then are followed, as long as no wall is in the way: after a diagonal
//! step the same step and its two straight parts, after a straight step the same step again, and what
//! opens to its sides where a wall ends (*canonical orderings*: Sturtevant and Rabin, IJCAI 2016; the
//! pruning of jump point search: Harabor and Grastien, AAAI 2011). With steps of equal cost, and no step
//! past corners, every cell is still found at its distance: where a step is left out, another neighbour
//! of its cell at the same distance generates the cell, however that neighbour was found. This holds for
//! any number of sources.

use crate::map::Moves;

/// The number of directions of a front: the steps in the order of [`Moves::steps`], and [`START`].
pub(super) const DIRECTIONS: usize = 9;

/// The direction of a source: all of its exits are followed.
pub(super) const START: usize = 8;

/// The steps to follow from the cell at the end of a step, beside the same step: after a diagonal one
/// its straight parts, after a straight one what opens to its sides.
static TURNS: [[u8; 256]; DIRECTIONS] = turns();

/// The exits to follow from a cell at the end of `step`, beside the same step, by the set of its exits.
pub(super) fn turns_from(step: usize) -> &'static [u8; 256] {
    &TURNS[step]
}

/// For each diagonal step itself and its two straight parts.
static PARTS: [[usize; 3]; START] = all_parts();

/// A diagonal step and its two straight parts.
pub(super) fn parts(diagonal: usize) -> [usize; 3] {
    PARTS[diagonal]
}

const fn all_parts() -> [[usize; 3]; START] {
    let mut parts = [[0; 3]; START];
    let mut step = 0;
    while step < START {
        let (dx, dy) = Moves::Octile.steps()[step];
        parts[step] = [step, number(dx, 0), number(0, dy)];
        step += 1;
    }
    parts
}

/// Returns whether a step is diagonal.
pub(super) const fn is_diagonal(step: usize) -> bool {
    let steps = Moves::Octile.steps();
    step < steps.len() && steps[step].0 != 0 && steps[step].1 != 0
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

const fn turns() -> [[u8; 256]; DIRECTIONS] {
    let mut table = [[0; 256]; DIRECTIONS];
    let mut step = 0;
    while step < DIRECTIONS {
        let mut exits = 0;
        while exits < 256 {
            table[step][exits] = turns_of(step, exits as u8);
            exits += 1;
        }
        step += 1;
    }
    table
}

const fn turns_of(step: usize, exits: u8) -> u8 {
    if step == START {
        return exits;
    }
    let (dx, dy) = Moves::Octile.steps()[step];
    if dx != 0 && dy != 0 {
        return exits & (bit(dx, 0) | bit(0, dy));
    }
    let mut follow = 0;
    let sides = [(dy, dx), (-dy, -dx)];
    let mut side = 0;
    while side < 2 {
        let (sx, sy) = sides[side];
        // Floor beside the cell, and a wall beside the cell before it: a path turns the corner here.
        if exits & bit(sx, sy) != 0 && exits & bit(sx - dx, sy - dy) == 0 {
            follow |= bit(sx, sy) | bit(sx + dx, sy + dy);
        }
        side += 1;
    }
    exits & follow
}

/// For each step the difference of cell numbers, row by row.
pub(super) fn offsets(width: u16) -> [i32; 8] {
    let mut offsets = [0; 8];
    for (offset, &(dx, dy)) in offsets.iter_mut().zip(Moves::Octile.steps()) {
        *offset = dy * i32::from(width) + dx;
    }
    offsets
}
