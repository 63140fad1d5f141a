//! The layout of cop placements in memory.

use super::ranking::Ranking;

/// Maps each placement of the cops to a word and to a bit of this word.
///
/// Cops are interchangeable, so their places are sorted. The least place is the *column*, and 64
/// consecutive columns form a word (a *board*). The other places are the *row*; a [`Ranking`]
/// numbers the rows. A row ends with the board that contains its least place: on later boards the
/// column would be greater than that place, and such a placement, a *mirror image*, is stored in
/// the row of its sorted places. On the last board of a row some columns are greater than the row's
/// least place; these few placements are stored more than once. A single cop has one row.
#[derive(Debug, Clone)]
pub(super) struct PlacementIndex {
    pub cops: usize,
    pub places: usize,
    /// The number of words that hold one bit for each place.
    pub boards: usize,
    /// The numbers of rows, and of sets of fewer cops than a row has.
    rows: Ranking,
    /// The first word of each row.
    words: Ranking,
    /// The least place of a row, indexed by a word's number minus the contributions of the row's
    /// other cops. With two cops this is the row of each word.
    row_of_word: Vec<u32>,
}

/// The number of placements with distinguished cops that each placement of a word represents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    /// The weight of every placement if `mixed` is `None`, and otherwise of the columns below the
    /// least place of the row.
    pub each: u64,
    /// The least place of the row as a bit of this board, and the weight of the placement in that
    /// column. Greater columns weigh nothing, since these placements are stored elsewhere as well.
    pub mixed: Option<(u32, u64)>,
}

impl Weights {
    /// The total weight of `positions`, a set of placements of the word.
    pub(super) fn count(&self, positions: u64) -> u64 {
        let all = |positions: u64| self.each * u64::from(positions.count_ones());
        match self.mixed {
            None => all(positions),
            Some((least, weight)) => {
                let less = positions & ((1 << least) - 1);
                all(less) + weight * (positions >> least & 1)
            }
        }
    }
}

impl PlacementIndex {
    /// Creates a shape. The caller has checked that [`Self::size`] words fit into memory.
    pub(super) fn new(places: usize, cops: usize) -> Self {
        let (mut starts, mut row_of_word) = (vec![0], Vec::new());
        if cops > 1 {
            for row in 0..places {
                row_of_word.extend(std::iter::repeat_n(row as u32, row / 64 + 1));
                starts.push(row_of_word.len());
            }
        }
        Self {
            cops,
            places,
            boards: places.div_ceil(64),
            rows: Ranking::new(places, cops - 1),
            words: Ranking::weighted(starts, cops - 1),
            row_of_word,
        }
    }

    /// The number of words of a shape, computed without creating it; `None` on overflow.
    pub(super) fn size(places: u128, cops: u32) -> Option<u128> {
        let boards = places.div_ceil(64);
        match cops {
            0 | 1 => Some(boards),
            2 => {
                // Full blocks of 64 rows, then the rest.
                let (blocks, rest) = (places / 64, places % 64);
                Some(64 * blocks * (blocks + 1) / 2 + rest * boards)
            }
            // Board b belongs to all rows whose places are all at least 64 b.
            _ => (0..boards).try_fold(0_u128, |words, board| {
                words.checked_add(count_sets(places - board * 64, u128::from(cops) - 1)?)
            }),
        }
    }

    /// The number of words.
    pub(super) fn words(&self) -> usize {
        match self.cops {
            1 => self.boards,
            cops => self.words.len(cops - 1),
        }
    }

    /// The numbers of rows, and of sets of fewer cops than a row has.
    pub(super) const fn ranking(&self) -> &Ranking {
        &self.rows
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows.len(self.cops - 1)
    }

    /// The number of boards of the row with these cops, which are sorted. They are the boards from
    /// 0 on.
    #[inline]
    pub(super) fn boards_of(&self, row: &[usize]) -> usize {
        row.first().map_or(self.boards, |least| least / 64 + 1)
    }

    /// The word of a row, given by its sorted cops, and a board; `None` if the placements are
    /// mirror images, which are not stored there.
    #[inline]
    pub(super) fn word(&self, row: &[usize], board: usize) -> Option<usize> {
        (board < self.boards_of(row)).then(|| self.words.rank(row) + board)
    }

    /// The word of the row that consists of `row` and one more cop. `board` has to be a board of
    /// that row.
    pub(super) fn word_with(&self, row: &[usize], cop: usize, board: usize) -> usize {
        self.words.rank_with(row, cop) + board
    }

    /// The number of the row of a word, and its board.
    #[inline]
    pub(super) fn locate(&self, word: usize) -> (usize, usize) {
        if self.cops == 1 {
            return (0, word);
        }
        let (mut row, mut rest) = (0, word);
        for level in (1..self.cops - 1).rev() {
            let last = self.words.last(level, rest);
            rest -= self.words.below(level, last);
            row += self.rows.below(level, last);
        }
        let least = self.row_of_word[rest] as usize;
        (row + least, rest - self.words.below(0, least))
    }

    /// Splits a row into the number of the row without its last cop and that cop. Requires at least
    /// two cops.
    pub(super) fn split(&self, row: usize) -> (usize, usize) {
        if self.cops == 2 {
            return (0, row);
        }
        let level = self.cops - 2;
        let last = self.rows.last(level, row);
        (row - self.rows.below(level, last), last)
    }

    /// The sorted cops of a row: all cops but the least.
    pub(super) fn cops_of(&self, row: usize) -> Vec<usize> {
        let mut cops = vec![0; self.cops - 1];
        self.rows.unrank(row, &mut cops);
        cops
    }

    /// The bits of a board that are places.
    pub(super) const fn board_mask(&self, board: usize) -> u64 {
        match self.places - board * 64 {
            rest @ 0..64 => (1 << rest) - 1,
            _ => u64::MAX,
        }
    }

    /// The weights of the placements of a row and board: in how many orders the cops can stand
    /// there.
    pub(super) fn weights(&self, row: &[usize], board: usize) -> Weights {
        let is_last = board + 1 == self.boards_of(row);
        let all = |each| Weights { each, mixed: None };
        match row {
            [] => all(1),
            // The last board stores both orders.
            [_] => all(if is_last { 1 } else { 2 }),
            [least, ..] => {
                // The number of permutations of the cops, divided by those that exchange cops on
                // the same place.
                let (mut orders, mut alike) = (1_u128, 0);
                for (index, cop) in row.iter().enumerate() {
                    let is_another = index == 0 || row[index - 1] != *cop;
                    alike = if is_another { 1 } else { alike + 1 };
                    orders = orders * (index as u128 + 1) / alike;
                }
                let orders = orders * self.cops as u128;
                let on_least = row.iter().take_while(|cop| *cop == least).count() as u128;
                Weights {
                    each: orders as u64,
                    mixed: is_last.then(|| ((least % 64) as u32, (orders / (on_least + 1)) as u64)),
                }
            }
        }
    }

    /// The word of a placement, and the place of its least cop, which determines the bit. Sorts
    /// `cops`. `None` if there are no cops.
    #[inline]
    pub(super) fn position(&self, cops: &mut [usize]) -> Option<(usize, usize)> {
        cops.sort_unstable();
        let (&least, row) = cops.split_first()?;
        Some((self.word(row, least / 64)?, least))
    }
}

/// The number of sets of k interchangeable cops on n places, `binomial(n + k - 1, k)`. `None` on
/// overflow.
pub(super) fn count_sets(places: u128, cops: u128) -> Option<u128> {
    (0..cops).try_fold(1_u128, |sets, cop| {
        Some(sets.checked_mul(places + cop)? / (cop + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbered_by_row_and_board_and_count_each_position_once() {
        for (places, cops) in [
            (0, 1),
            (130, 1),
            (130, 2),
            (70, 3),
            (5, 4),
            (66, 3),
            (1, 9),
            (0, 3),
        ] {
            let shape = PlacementIndex::new(places, cops);
            let size = PlacementIndex::size(places as u128, cops as u32);
            assert_eq!(size, Some(shape.words() as u128));
            let (mut word, mut counted) = (0, 0);
            for row in 0..shape.rows() {
                let others = shape.cops_of(row);
                assert_eq!(shape.ranking().rank(&others), row);
                for board in 0..shape.boards {
                    let stored = board < shape.boards_of(&others);
                    assert_eq!(shape.word(&others, board), stored.then_some(word));
                    if !stored {
                        continue;
                    }
                    assert_eq!(shape.locate(word), (row, board));
                    counted += shape.weights(&others, board).count(shape.board_mask(board));
                    word += 1;
                }
                if let Some((&last, rest)) = others.split_last() {
                    assert_eq!(shape.split(row), (shape.ranking().rank(rest), last));
                }
            }
            assert_eq!(word, shape.words());
            assert_eq!(counted, (places as u64).pow(cops as u32), "{places} {cops}");
        }
    }

    #[test]
    fn a_position_is_found_in_any_order_of_its_cops() {
        let shape = PlacementIndex::new(70, 3);
        let (word, place) = shape.position(&mut [69, 3, 65]).expect("a position");
        assert_eq!((shape.locate(word).1, place), (0, 3));
        assert_eq!(shape.cops_of(shape.locate(word).0), [65, 69]);
    }
}
