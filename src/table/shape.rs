//! How positions are laid out in memory.

use super::ranking::Ranking;

/// Where the positions of the cops stand: which word, and which bit of it.
///
/// Cops are interchangeable, so their places are sorted. The least of them is the *column*: 64
/// columns make a word (a *board*). The others are the *row*; rows are numbered by a [`Ranking`]. A
/// row ends with the board that holds its least place: what lies beyond is stored in another row, its
/// *mirror image*. In the last board of a row some columns are greater than that place; these few
/// positions are stored twice and more. One cop alone has one row.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub cops: usize,
    pub places: usize,
    /// Words that hold one bit for each place.
    pub boards: usize,
    /// Numbers of sets of up to as many cops as there are in a row.
    rows: Ranking,
    /// Where the boards of a row start, in words.
    words: Ranking,
    /// The row of each word, as far as all its cops but the least stand on place 0.
    row_of_word: Vec<u32>,
}

/// How many positions with distinguished cops the positions of a word stand for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    /// That of each position, if `mixed` is `None`.
    pub each: u64,
    /// The least place of the row on this board, and the weight of the position there. Positions of
    /// greater columns count nothing, since they are stored elsewhere, too.
    pub mixed: Option<(u32, u64)>,
}

impl Weights {
    /// How many positions with distinguished cops these stand for.
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

impl Shape {
    /// A shape whose [`Self::size`] fits into memory.
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

    /// The words of a shape without making it, `None` on overflow.
    pub(super) fn size(places: u128, cops: u32) -> Option<u128> {
        let boards = places.div_ceil(64);
        match cops {
            0 | 1 => Some(boards),
            2 => {
                // Full blocks of 64 rows, then the rest.
                let (blocks, rest) = (places / 64, places % 64);
                Some(64 * blocks * (blocks + 1) / 2 + rest * boards)
            }
            // Board b is in all rows whose places are 64 b and more.
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

    /// Numbers for the cops of a row and for fewer.
    pub(super) const fn ranking(&self) -> &Ranking {
        &self.rows
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows.len(self.cops - 1)
    }

    /// The boards of the row with these cops, in order: from the first to one beyond the last.
    #[inline]
    pub(super) fn boards_of(&self, row: &[usize]) -> usize {
        row.first().map_or(self.boards, |least| least / 64 + 1)
    }

    /// The word of a row, by its cops in order, and a board; `None` for a mirror image.
    #[inline]
    pub(super) fn word(&self, row: &[usize], board: usize) -> Option<usize> {
        (board < self.boards_of(row)).then(|| self.words.rank(row) + board)
    }

    /// The word of the row with one more cop, and a board, which has to be one of the row.
    pub(super) fn word_with(&self, row: &[usize], cop: usize, board: usize) -> usize {
        self.words.rank_with(row, cop) + board
    }

    /// The number of the row of a word, and the board.
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

    /// The number of a row without its last cop, and that cop. For two cops and more.
    pub(super) fn split(&self, row: usize) -> (usize, usize) {
        if self.cops == 2 {
            return (0, row);
        }
        let level = self.cops - 2;
        let last = self.rows.last(level, row);
        (row - self.rows.below(level, last), last)
    }

    /// The cops of a row, in order: all but the least.
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

    /// How many orders of the cops the positions of a row and board stand for.
    pub(super) fn weights(&self, row: &[usize], board: usize) -> Weights {
        let is_last = board + 1 == self.boards_of(row);
        let all = |each| Weights { each, mixed: None };
        match row {
            [] => all(1),
            // In the last board both orders are stored.
            [_] => all(if is_last { 1 } else { 2 }),
            [least, ..] => {
                // All orders of the cops, then as many less as there are of those that share a place.
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

    /// The word of a position, and the place of its least cop, which is the bit. Sorts `cops`.
    #[inline]
    pub(super) fn position(&self, cops: &mut [usize]) -> Option<(usize, usize)> {
        cops.sort_unstable();
        let (&least, row) = cops.split_first()?;
        Some((self.word(row, least / 64)?, least))
    }
}

/// The sets of interchangeable cops, n + k - 1 over k; `None` on overflow.
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
            let shape = Shape::new(places, cops);
            let size = Shape::size(places as u128, cops as u32);
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
        let shape = Shape::new(70, 3);
        let (word, place) = shape.position(&mut [69, 3, 65]).expect("a position");
        assert_eq!((shape.locate(word).1, place), (0, 3));
        assert_eq!(shape.cops_of(shape.locate(word).0), [65, 69]);
    }
}
