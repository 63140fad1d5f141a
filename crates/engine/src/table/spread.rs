//! Passes a joint move of two or more cops backwards through intermediate sets, one cop after
//! another.

use super::balls::Balls;
use super::bits::{Bits, ones};
use super::reach::Reach;
use super::shape::PlacementIndex;
use super::slab::{Fresh, release};

const NO_BLOCK: u32 = u32::MAX;

/// Sets of positions that are filled in any order of the robber's places and read in ascending
/// order.
#[derive(Debug)]
pub(super) struct SortedSets {
    words: Vec<u64>,
    marks: Vec<u64>,
}

impl SortedSets {
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

/// Working memory.
#[derive(Debug)]
pub(super) struct SpreadScratch {
    merge: SortedSets,
    /// `moved` holds the origins of the cops that have moved, and `waiting` the destinations of the
    /// others. Both are sorted.
    moved: Vec<usize>,
    waiting: Vec<usize>,
    rows: Vec<usize>,
}

impl SpreadScratch {
    pub(super) fn new(places: usize) -> Self {
        Self {
            merge: SortedSets::new(places),
            moved: Vec::new(),
            waiting: Vec::new(),
            rows: Vec::new(),
        }
    }
}

/// The lists through which the positions of a turn pass while the cops' moves are undone.
///
/// The cops move in the order of their origins, the least first. Only the origins of the cops that
/// have moved and the destinations of the other cops matter. Both are sets of interchangeable cops,
/// so there is one row of lists for each pair of such sets. Rows that cannot lead to origins in
/// ascending order stay empty: those in which every origin of some waiting cop's destination is
/// less than the greatest origin so far.
#[derive(Debug)]
pub(super) struct Spread {
    /// For each pair of boards, the index in `blocks` of the block of 64 x 64 placements of the two
    /// least cops, or [`NO_BLOCK`] if its mirror image is not needed.
    block_of: Vec<u32>,
    /// The pair of boards (row, column) of each of these blocks.
    blocks: Vec<(u32, u32)>,
    /// The mirror images: for each set of the other cops, each block and each place of the block's
    /// column, one list.
    mirrored: Vec<Vec<Fresh>>,
    /// For each board that a cop of the row moves to, how many boards (counted from 0) can hold the
    /// least cop's origin, which cannot be beyond the origin of the other cop.
    width: Vec<u32>,
    /// For each place, the greatest place from which a cop reaches it; empty for two cops.
    last_origin: Vec<u32>,
    /// For each number of cops of the row that have moved in addition to the least cop, the lists
    /// of all rows and boards.
    levels: Vec<Vec<Vec<Fresh>>>,
    /// The lists of the last level after the last cop has moved, too: one list for each shared list
    /// of places, each set of the cops between the least and the last, and each board.
    unions: Vec<Vec<Fresh>>,
}

impl Spread {
    pub(super) fn new(shape: &PlacementIndex, cops: &Reach, balls: &Balls) -> Self {
        let boards = shape.boards;
        // For each board, the boards from which a move leads to it.
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
                // In the mirror image the two cops have exchanged boards: the row's cop is on board
                // `column`, and the column's cop on board `row`. The image is needed if a move from
                // a stored word leads to it.
                if greatest(column) >= least(row) {
                    block_of[row * boards + column] = blocks.len() as u32;
                    blocks.push((row as u32, column as u32));
                }
            }
        }
        let others = shape.ranking().len(shape.cops - 2);
        let levels = 0..shape.cops - 1;
        let rows = levels.map(|moved| level_rows(shape, moved));
        Self {
            mirrored: vec![Vec::new(); others * blocks.len() * 64],
            block_of,
            blocks,
            width: (0..boards).map(|board| greatest(board) + 1).collect(),
            last_origin: if shape.cops > 2 {
                last_origins(shape, balls)
            } else {
                Vec::new()
            },
            levels: rows.map(|rows| vec![Vec::new(); rows * boards]).collect(),
            unions: vec![Vec::new(); balls.shared() * others * boards],
        }
    }

    /// The number of blocks over all sets of the other cops.
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

    /// The pass that undoes the least cop's move, and the lists that it fills.
    pub(super) fn least_cop_mut(&mut self) -> (LeastCopPass<'_>, &mut [Vec<Fresh>]) {
        let pass = LeastCopPass {
            block_of: &self.block_of,
            blocks: self.blocks.len(),
            mirrored: &self.mirrored,
            width: &self.width,
        };
        (pass, &mut self.levels[0])
    }

    /// The pass that undoes the move of the next cop of the row after `moved` cops, and the lists
    /// that it fills.
    pub(super) fn digit_mut(&mut self, moved: usize) -> (DigitPass<'_>, &mut [Vec<Fresh>]) {
        let (done, rest) = self.levels.split_at_mut(moved + 1);
        let pass = DigitPass {
            moved,
            last_origin: &self.last_origin,
            from: &done[moved],
        };
        (pass, &mut rest[0])
    }

    /// Frees the lists that have been read for the last time in this turn.
    pub(super) fn digit_done(&mut self, moved: usize) {
        for list in &mut self.levels[moved] {
            *list = Vec::new();
        }
    }

    /// The lists that [`unite`] reads, and the lists that it fills.
    pub(super) fn unions_mut(&mut self) -> (&[Vec<Fresh>], &mut [Vec<Fresh>]) {
        let last = self.levels.last().map_or(&[][..], |lists| lists);
        (last, &mut self.unions)
    }

    /// The number of lists that [`unite`] fills.
    pub(super) const fn unions(&self) -> usize {
        self.unions.len()
    }

    /// The lists from which the positions of a word are solved: the lists of all rows that the
    /// word's last cop reaches.
    pub(super) fn before<'a>(
        &'a self,
        shape: &PlacementIndex,
        balls: &'a Balls,
        row: usize,
        board: usize,
    ) -> impl Iterator<Item = &'a [Fresh]> + 'a {
        let (others, last) = shape.split(row);
        let (places, boards) = (shape.places, shape.boards);
        let shared = balls.shared_by(last);
        let sets = shape.ranking().len(shape.cops - 2);
        let union = shared.map(|rank| &*self.unions[(rank * sets + others) * boards + board]);
        let from = self.levels.last().map_or(&[][..], |lists| lists);
        let rows = balls.row(last).iter().filter(move |_| union.is_none());
        let rows = rows.map(move |&to| others * places + to as usize);
        let lists = rows.map(move |row| &*from[row * boards + board]);
        union.into_iter().chain(lists)
    }
}

/// The number of rows of lists after `moved` cops of the row have moved.
pub(super) fn level_rows(shape: &PlacementIndex, moved: usize) -> usize {
    let waiting = shape.cops - 1 - moved;
    shape.ranking().len(moved) * shape.ranking().len(waiting)
}

/// For each place, the greatest place from which a cop reaches it.
fn last_origins(shape: &PlacementIndex, balls: &Balls) -> Vec<u32> {
    let mut last = vec![0; shape.places];
    for place in 0..shape.places {
        for &to in balls.row(place) {
            last[to as usize] = place as u32;
        }
    }
    last
}

/// Mirrors blocks at the diagonal.
pub(super) struct MirrorPass<'a> {
    blocks: &'a [(u32, u32)],
}

impl MirrorPass<'_> {
    /// Fills the 64 lists of the mirror image of a block. Returns the number of words examined.
    pub(super) fn block(
        &self,
        shape: &PlacementIndex,
        block: usize,
        fresh: &[Vec<Fresh>],
        lines: &mut [SortedSets],
        image: &mut [Vec<Fresh>],
    ) -> usize {
        let mut others = vec![0; shape.cops - 2];
        let set = block / self.blocks.len();
        shape.ranking().unrank(set, &mut others);
        let (row, column) = self.blocks[block % self.blocks.len()];
        if column as usize >= shape.boards_of(&others) {
            // One of the other cops is on an earlier board than both cops of the block.
            return 1;
        }
        let mut looked = 0;
        let first = row as usize * 64;
        for (line, place) in (first..shape.places.min(first + 64)).enumerate() {
            let word = shape.word_with(&others, place, column as usize);
            for new in &fresh[word] {
                looked += 1 + new.cops.count_ones() as usize / BITS_OF_A_WORD;
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

/// The number of bits that are mirrored in the time in which a word is examined.
const BITS_OF_A_WORD: usize = 8;

/// Undoes the move of the least cop.
pub(super) struct LeastCopPass<'a> {
    block_of: &'a [u32],
    blocks: usize,
    mirrored: &'a [Vec<Fresh>],
    width: &'a [u32],
}

impl LeastCopPass<'_> {
    /// Fills the lists of a row, one list for each board. Returns the number of words examined.
    pub(super) fn row(
        &self,
        shape: &PlacementIndex,
        cops: &Reach,
        row: usize,
        fresh: &[Vec<Fresh>],
        scratch: &mut SpreadScratch,
        lists: &mut [Vec<Fresh>],
    ) -> usize {
        let SpreadScratch { merge, waiting, .. } = scratch;
        waiting.resize(shape.cops - 1, 0);
        shape.ranking().unrank(row, waiting);
        let width = waiting.iter().map(|cop| self.width[cop / 64] as usize);
        let width = width.min().unwrap_or(0);
        let mut looked = 0;
        for (board, list) in lists.iter_mut().enumerate() {
            list.clear();
            if board >= width {
                continue;
            }
            for link in cops.links(board) {
                for new in self.fresh(shape, waiting, link.to as usize, fresh) {
                    looked += 1;
                    merge.add(new.robber, cops.before(link, new.cops));
                }
            }
            merge.drain_into(list);
        }
        looked
    }

    /// The new positions of a row and board, whether they are stored there or as a mirror image.
    fn fresh<'b>(
        &'b self,
        shape: &PlacementIndex,
        row: &[usize],
        board: usize,
        fresh: &'b [Vec<Fresh>],
    ) -> &'b [Fresh] {
        if let Some(word) = shape.word(row, board) {
            return &fresh[word];
        }
        let Some((&least, others)) = row.split_first() else {
            return &[];
        };
        match self.block_of[board * shape.boards + least / 64] {
            NO_BLOCK => &[],
            block => {
                let set = shape.ranking().rank(others);
                &self.mirrored[(set * self.blocks + block as usize) * 64 + least % 64]
            }
        }
    }
}

/// Undoes the move of one more cop of the row.
pub(super) struct DigitPass<'a> {
    moved: usize,
    last_origin: &'a [u32],
    from: &'a [Vec<Fresh>],
}

impl DigitPass<'_> {
    /// Fills the lists of a row, one list for each board. Returns the number of words examined.
    pub(super) fn row(
        &self,
        shape: &PlacementIndex,
        balls: &Balls,
        row: usize,
        scratch: &mut SpreadScratch,
        lists: &mut [Vec<Fresh>],
    ) -> usize {
        let ranking = shape.ranking();
        let SpreadScratch {
            merge,
            moved,
            waiting,
            rows,
        } = scratch;
        moved.resize(self.moved + 1, 0);
        waiting.resize(shape.cops - 2 - self.moved, 0);
        let sets = ranking.len(waiting.len());
        ranking.unrank(row / sets, moved);
        ranking.unrank(row % sets, waiting);
        let Some((&cop, others)) = moved.split_last() else {
            return 0;
        };
        if waiting
            .iter()
            .any(|&waiting| (self.last_origin[waiting] as usize) < cop)
        {
            return 1;
        }
        let first = ranking.rank(others) * ranking.len(waiting.len() + 1);
        let to = balls.row(cop).iter();
        rows.clear();
        rows.extend(to.map(|&to| first + ranking.rank_with(waiting, to as usize)));
        let boards = shape.boards_of(moved);
        let mut looked = 0;
        for (board, list) in lists[..boards].iter_mut().enumerate() {
            looked += merge_rows(shape, rows.iter().copied(), board, self.from, merge, list);
        }
        looked
    }
}

/// Undoes the last cop's move for all places that share a list: fills the list of
/// [`Spread::unions_mut`] at `index`. Returns the number of words examined.
pub(super) fn unite(
    shape: &PlacementIndex,
    balls: &Balls,
    index: usize,
    from: &[Vec<Fresh>],
    scratch: &mut SpreadScratch,
    list: &mut Vec<Fresh>,
) -> usize {
    let sets = shape.ranking().len(shape.cops - 2);
    let (board, index) = (index % shape.boards, index / shape.boards);
    let (others, rank) = (index % sets, index / sets);
    let places = balls.shared_list(rank).iter();
    let rows = places.map(|&place| others * shape.places + place as usize);
    merge_rows(shape, rows, board, from, &mut scratch.merge, list)
}

/// Fills a list with the union of the lists of some rows on one board. Returns the number of words
/// examined.
fn merge_rows(
    shape: &PlacementIndex,
    rows: impl Iterator<Item = usize>,
    board: usize,
    from: &[Vec<Fresh>],
    merge: &mut SortedSets,
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
