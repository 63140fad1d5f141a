//! The cops of a joint move go one after another through intermediate sets (two cops and more).

use super::balls::Balls;
use super::bits::{Bits, ones};
use super::reach::Reach;
use super::shape::Shape;
use super::slab::{Fresh, release};

const NO_BLOCK: u32 = u32::MAX;

/// Sets for places of the robber that are filled in any order, and emptied in order.
#[derive(Debug)]
pub(super) struct Merge {
    words: Vec<u64>,
    marks: Vec<u64>,
}

impl Merge {
    pub(super) fn new(places: usize) -> Self {
        Self {
            words: vec![0; places],
            marks: vec![0; places.div_ceil(64)],
        }
    }

    fn add(&mut self, robber: u16, cops: u64) {
        if cops != 0 {
            self.words[usize::from(robber)] |= cops;
            self.marks[usize::from(robber / 64)] |= 1 << (robber % 64);
        }
    }

    fn drain_into(&mut self, list: &mut Vec<Fresh>) {
        let Self { words, marks } = self;
        list.extend(ones(marks).map(|robber| Fresh {
            robber: robber as u16,
            cops: std::mem::take(&mut words[robber]),
        }));
        marks.fill(0);
        release(list);
    }
}

/// The positions of a turn on their way through the cops' moves.
#[derive(Debug)]
pub(super) struct Spread {
    /// Which blocks of 64 x 64 positions of the last two cops have a mirror image that is needed:
    /// their number, for each pair of boards.
    block_of: Vec<u32>,
    /// The pairs of boards (row, column) of these blocks.
    blocks: Vec<(u32, u32)>,
    /// For each matrix, block and column the mirror image: a row beyond the diagonal.
    mirrored: Vec<Vec<Fresh>>,
    /// For each row the boards to its right that some move of the cops needs.
    width: Vec<u32>,
    /// For each row and board the positions from which the cops that have moved get into those of
    /// the turn.
    before: Vec<Vec<Fresh>>,
    next: Vec<Vec<Fresh>>,
    /// The same with the first cop moved, for each list of places that is shared, each other row of the
    /// cops between, and each board.
    unions: Vec<Vec<Fresh>>,
}

impl Spread {
    pub(super) fn new(shape: &Shape, cops: &Reach, balls: &Balls) -> Self {
        let boards = shape.boards;
        // A board is led to from these.
        let mut origins = vec![Vec::new(); boards];
        for board in 0..boards {
            for link in cops.links(board) {
                origins[link.to as usize].push(board as u32);
            }
        }
        let greatest = |board: usize| origins[board].iter().max().map_or(0, |&origin| origin);
        let least = |board: usize| origins[board].iter().min().map_or(0, |&origin| origin);
        let mut block_of = vec![NO_BLOCK; boards * boards];
        let mut blocks = Vec::new();
        for row in 0..boards {
            for column in 0..row {
                // Its image has `column` for a row. Moves lead from it to a word that is stored.
                if greatest(column) >= least(row) {
                    block_of[row * boards + column] = blocks.len() as u32;
                    blocks.push((row as u32, column as u32));
                }
            }
        }
        Self {
            mirrored: vec![Vec::new(); shape.prefixes * blocks.len() * 64],
            block_of,
            blocks,
            width: (0..boards).map(|board| greatest(board) + 1).collect(),
            before: vec![Vec::new(); shape.all_rows() * boards],
            unions: vec![Vec::new(); balls.shared() * shape.prefixes * boards],
            next: vec![
                Vec::new();
                if shape.cops > 2 {
                    shape.all_rows() * boards
                } else {
                    0
                }
            ],
        }
    }

    /// The number of blocks of all matrices.
    pub(super) const fn mirrors(&self) -> usize {
        self.mirrored.len() / 64
    }

    pub(super) fn mirrors_mut(&mut self) -> (MirrorPass<'_>, &mut [Vec<Fresh>]) {
        (
            MirrorPass {
                blocks: &self.blocks,
            },
            &mut self.mirrored,
        )
    }

    /// The lists of what is reached with the last cop's move.
    pub(super) fn last_cop_mut(&mut self) -> (LastCopPass<'_>, &mut [Vec<Fresh>]) {
        let pass = LastCopPass {
            block_of: &self.block_of,
            blocks: self.blocks.len(),
            mirrored: &self.mirrored,
            width: &self.width,
        };
        (pass, &mut self.before)
    }

    pub(super) fn digit_mut(&mut self) -> (&[Vec<Fresh>], &mut [Vec<Fresh>]) {
        (&self.before, &mut self.next)
    }

    pub(super) fn digit_done(&mut self) {
        std::mem::swap(&mut self.before, &mut self.next);
    }

    /// The lists that [`unite`] reads, and those that it fills.
    pub(super) fn unions_mut(&mut self) -> (&[Vec<Fresh>], &mut [Vec<Fresh>]) {
        (&self.before, &mut self.unions)
    }

    /// The number of lists of [`Self::unions_mut`].
    pub(super) const fn unions(&self) -> usize {
        self.unions.len()
    }

    /// The lists from which a word is settled: of all rows that the first cop gets to.
    pub(super) fn before<'a>(
        &'a self,
        shape: &Shape,
        balls: &'a Balls,
        row: usize,
        board: usize,
    ) -> impl Iterator<Item = &'a [Fresh]> + 'a {
        // The first cop's places are as many rows apart as there are prefixes.
        let (stride, boards) = (shape.prefixes, shape.boards);
        let shared = balls.shared_by(row / stride);
        let union =
            shared.map(|rank| &*self.unions[(rank * stride + row % stride) * boards + board]);
        let rows = rows_after(shape, balls, stride, row).filter(move |_| union.is_none());
        let lists = rows.map(move |row| &*self.before[row * boards + board]);
        union.into_iter().chain(lists)
    }
}

/// Mirrors blocks at the diagonal.
pub(super) struct MirrorPass<'a> {
    blocks: &'a [(u32, u32)],
}

impl MirrorPass<'_> {
    /// Fills the 64 lists of a block's image. Returns the words looked at.
    pub(super) fn block(
        &self,
        shape: &Shape,
        block: usize,
        fresh: &[Vec<Fresh>],
        lines: &mut [Merge],
        image: &mut [Vec<Fresh>],
    ) -> usize {
        let prefix = block / self.blocks.len();
        let (row, column) = self.blocks[block % self.blocks.len()];
        let mut looked = 0;
        for line in 0..64 {
            let place = row as usize * 64 + line;
            if place >= shape.places {
                break;
            }
            let Some(word) = shape.word(prefix * shape.rows() + place, column as usize) else {
                continue;
            };
            for new in &fresh[word] {
                looked += 1;
                for bit in Bits(new.cops) {
                    lines[bit].add(new.robber, 1 << line);
                }
            }
        }
        for (line, list) in lines.iter_mut().zip(image) {
            list.clear();
            line.drain_into(list);
        }
        looked
    }
}

/// Moves the last cop.
pub(super) struct LastCopPass<'a> {
    block_of: &'a [u32],
    blocks: usize,
    mirrored: &'a [Vec<Fresh>],
    width: &'a [u32],
}

impl LastCopPass<'_> {
    /// Fills the lists of a row, one for each board. Returns the words looked at.
    pub(super) fn row(
        &self,
        shape: &Shape,
        cops: &Reach,
        row: usize,
        fresh: &[Vec<Fresh>],
        merge: &mut Merge,
        lists: &mut [Vec<Fresh>],
    ) -> usize {
        let mut looked = 0;
        let width = self.width[row % shape.places / 64] as usize;
        for (board, list) in lists.iter_mut().enumerate() {
            list.clear();
            if board >= width {
                continue;
            }
            for link in cops.links(board) {
                for new in self.fresh(shape, row, link.to as usize, fresh) {
                    looked += 1;
                    merge.add(new.robber, cops.before(link, new.cops));
                }
            }
            merge.drain_into(list);
        }
        looked
    }

    /// What is new in a row and board, on either side of the diagonal.
    fn fresh<'b>(
        &'b self,
        shape: &Shape,
        row: usize,
        board: usize,
        fresh: &'b [Vec<Fresh>],
    ) -> &'b [Fresh] {
        if let Some(word) = shape.word(row, board) {
            return &fresh[word];
        }
        let (prefix, place) = (row / shape.places, row % shape.places);
        match self.block_of[board * shape.boards + place / 64] {
            NO_BLOCK => &[],
            block => &self.mirrored[(prefix * self.blocks + block as usize) * 64 + place % 64],
        }
    }
}

/// Moves the first cop from all places that share a list: fills the list of a number of
/// [`Spread::unions_mut`]. Returns the words looked at.
pub(super) fn unite(
    shape: &Shape,
    balls: &Balls,
    index: usize,
    from: &[Vec<Fresh>],
    merge: &mut Merge,
    list: &mut Vec<Fresh>,
) -> usize {
    let (board, index) = (index % shape.boards, index / shape.boards);
    let (base, rank) = (index % shape.prefixes, index / shape.prefixes);
    let places = balls.shared_list(rank).iter();
    let rows = places.map(|&place| base + place as usize * shape.prefixes);
    merge_rows(shape, rows, board, from, merge, list)
}

/// Moves the cop whose places are `stride` rows apart: fills the list of a row and board with what
/// stands in the rows that it gets to. Returns the words looked at.
pub(super) fn move_digit(
    shape: &Shape,
    balls: &Balls,
    stride: usize,
    index: usize,
    from: &[Vec<Fresh>],
    merge: &mut Merge,
    list: &mut Vec<Fresh>,
) -> usize {
    let rows = rows_after(shape, balls, stride, index / shape.boards);
    merge_rows(shape, rows, index % shape.boards, from, merge, list)
}

/// Fills a list with all that stands in some rows of a board. Returns the words looked at.
fn merge_rows(
    shape: &Shape,
    rows: impl Iterator<Item = usize>,
    board: usize,
    from: &[Vec<Fresh>],
    merge: &mut Merge,
    list: &mut Vec<Fresh>,
) -> usize {
    let mut looked = 0;
    list.clear();
    for row in rows {
        for new in &from[row * shape.boards + board] {
            looked += 1;
            merge.add(new.robber, new.cops);
        }
    }
    merge.drain_into(list);
    looked
}

/// The rows that a move of the cop whose places are `stride` rows apart leads to.
pub(super) fn rows_after<'a>(
    shape: &Shape,
    balls: &'a Balls,
    stride: usize,
    row: usize,
) -> impl Iterator<Item = usize> + 'a {
    let place = row / stride % shape.places;
    let base = row - place * stride;
    balls
        .row(place)
        .iter()
        .map(move |&to| base + to as usize * stride)
}
