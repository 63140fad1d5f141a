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

/// Memory to work with.
#[derive(Debug)]
pub(super) struct Scratch {
    merge: Merge,
    /// The cops that have moved, in order, and those that have not.
    moved: Vec<usize>,
    waiting: Vec<usize>,
    rows: Vec<usize>,
}

impl Scratch {
    pub(super) fn new(places: usize) -> Self {
        Self {
            merge: Merge::new(places),
            moved: Vec::new(),
            waiting: Vec::new(),
            rows: Vec::new(),
        }
    }
}

/// The positions of a turn on their way through the cops' moves, backwards.
///
/// The cops move in the order of the places that they come from, the least first. What matters
/// is where those that have moved come from, and where the others get to. Both are sets of
/// interchangeable cops, so each pair of sets has one row of lists. Rows that do not lead to
/// cops in order stay empty: the last one that has moved must not be beyond the places from which
/// the others can come.
#[derive(Debug)]
pub(super) struct Spread {
    /// Which blocks of 64 x 64 positions of the two least cops have a mirror image that is needed:
    /// their number, for each pair of boards.
    block_of: Vec<u32>,
    /// The pairs of boards (row, column) of these blocks.
    blocks: Vec<(u32, u32)>,
    /// For each set of the other cops, each block and column the mirror image.
    mirrored: Vec<Vec<Fresh>>,
    /// For each board of a cop in a row the boards of the least cop that some move of both needs.
    width: Vec<u32>,
    /// For each place the last one from which a cop gets there; empty for two cops.
    last_origin: Vec<u32>,
    /// For each number of cops of the row that have moved beside the least: the lists of all rows
    /// and boards.
    levels: Vec<Vec<Vec<Fresh>>>,
    /// The lists of the last level with the last cop moved, too, for each list of places that is
    /// shared, each set of the cops between, and each board.
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

    /// The number of blocks of all sets of the other cops.
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

    /// The lists of what is reached with the least cop's move.
    pub(super) fn least_cop_mut(&mut self) -> (LeastCopPass<'_>, &mut [Vec<Fresh>]) {
        let pass = LeastCopPass {
            block_of: &self.block_of,
            blocks: self.blocks.len(),
            mirrored: &self.mirrored,
            width: &self.width,
        };
        (pass, &mut self.levels[0])
    }

    /// The lists with `moved` cops of the row moved, and those with one more, to be filled.
    pub(super) fn digit_mut(&mut self, moved: usize) -> (DigitPass<'_>, &mut [Vec<Fresh>]) {
        let (done, rest) = self.levels.split_at_mut(moved + 1);
        let pass = DigitPass {
            moved,
            last_origin: &self.last_origin,
            from: &done[moved],
        };
        (pass, &mut rest[0])
    }

    /// Gives the memory of lists back that have been read for the last time in this turn.
    pub(super) fn digit_done(&mut self, moved: usize) {
        for list in &mut self.levels[moved] {
            *list = Vec::new();
        }
    }

    /// The lists that [`unite`] reads, and those that it fills.
    pub(super) fn unions_mut(&mut self) -> (&[Vec<Fresh>], &mut [Vec<Fresh>]) {
        let last = self.levels.last().map_or(&[][..], |lists| lists);
        (last, &mut self.unions)
    }

    /// The number of lists of [`Self::unions_mut`].
    pub(super) const fn unions(&self) -> usize {
        self.unions.len()
    }

    /// The lists from which a word is settled: of all rows that its last cop gets to.
    pub(super) fn before<'a>(
        &'a self,
        shape: &Shape,
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

/// The rows of lists with `moved` cops of the row moved.
pub(super) fn level_rows(shape: &Shape, moved: usize) -> usize {
    let waiting = shape.cops - 1 - moved;
    shape.ranking().len(moved) * shape.ranking().len(waiting)
}

/// For each place the last one from which a cop gets there.
fn last_origins(shape: &Shape, balls: &Balls) -> Vec<u32> {
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
    /// Fills the 64 lists of a block's image. Returns the words looked at.
    pub(super) fn block(
        &self,
        shape: &Shape,
        block: usize,
        fresh: &[Vec<Fresh>],
        lines: &mut [Merge],
        image: &mut [Vec<Fresh>],
    ) -> usize {
        let mut others = vec![0; shape.cops - 2];
        let set = block / self.blocks.len();
        shape.ranking().unrank(set, &mut others);
        let (row, column) = self.blocks[block % self.blocks.len()];
        if column as usize >= shape.boards_of(&others) {
            // One of the other cops is less than both.
            return 1;
        }
        let mut looked = 0;
        let first = row as usize * 64;
        for (line, place) in (first..shape.places.min(first + 64)).enumerate() {
            let word = shape.word_with(&others, place, column as usize);
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

/// Moves the least cop.
pub(super) struct LeastCopPass<'a> {
    block_of: &'a [u32],
    blocks: usize,
    mirrored: &'a [Vec<Fresh>],
    width: &'a [u32],
}

impl LeastCopPass<'_> {
    /// Fills the lists of a row, one for each board. Returns the words looked at.
    pub(super) fn row(
        &self,
        shape: &Shape,
        cops: &Reach,
        row: usize,
        fresh: &[Vec<Fresh>],
        scratch: &mut Scratch,
        lists: &mut [Vec<Fresh>],
    ) -> usize {
        let Scratch { merge, waiting, .. } = scratch;
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

    /// What is new in a row and board, stored or as a mirror image.
    fn fresh<'b>(
        &'b self,
        shape: &Shape,
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

/// Moves another cop of the row.
pub(super) struct DigitPass<'a> {
    moved: usize,
    last_origin: &'a [u32],
    from: &'a [Vec<Fresh>],
}

impl DigitPass<'_> {
    /// Fills the lists of a row, one for each board. Returns the words looked at.
    pub(super) fn row(
        &self,
        shape: &Shape,
        balls: &Balls,
        row: usize,
        scratch: &mut Scratch,
        lists: &mut [Vec<Fresh>],
    ) -> usize {
        let ranking = shape.ranking();
        let Scratch {
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

/// Moves the last cop from all places that share a list: fills the list of a number of
/// [`Spread::unions_mut`]. Returns the words looked at.
pub(super) fn unite(
    shape: &Shape,
    balls: &Balls,
    index: usize,
    from: &[Vec<Fresh>],
    scratch: &mut Scratch,
    list: &mut Vec<Fresh>,
) -> usize {
    let sets = shape.ranking().len(shape.cops - 2);
    let (board, index) = (index % shape.boards, index / shape.boards);
    let (others, rank) = (index % sets, index / sets);
    let places = balls.shared_list(rank).iter();
    let rows = places.map(|&place| others * shape.places + place as usize);
    merge_rows(shape, rows, board, from, &mut scratch.merge, list)
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
