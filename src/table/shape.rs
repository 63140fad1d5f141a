//! How positions are laid out in memory.

/// Where the positions of the cops stand: which word, and which bit of it.
///
/// The cops' positions form a matrix: its columns are the places of the last cop, 64 to a word (a
/// *board*); its rows are the places of the one before. Cops are interchangeable, so a row ends with
/// the board that holds its own column: what lies beyond is the mirror image of what is there.
/// Further cops (three and more) are a number of such matrices, the *prefixes*. One cop alone has
/// one row.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub cops: usize,
    pub places: usize,
    /// Words that hold one bit for each place.
    pub boards: usize,
    /// The number of matrices.
    pub prefixes: usize,
    /// Where each row of a matrix starts, in words; one more for the end.
    row_words: Vec<u32>,
    /// The row of each word of a matrix.
    row_of_word: Vec<u32>,
}

impl Shape {
    /// A shape whose [`Self::size`] fits into memory.
    pub(super) fn new(places: usize, cops: usize) -> Self {
        let boards = places.div_ceil(64);
        let (mut row_words, mut row_of_word) = (vec![0], Vec::new());
        let rows = if cops == 1 { 1 } else { places };
        for row in 0..rows {
            let length = if cops == 1 { boards } else { row / 64 + 1 };
            row_of_word.extend(std::iter::repeat_n(row as u32, length));
            row_words.push(row_of_word.len() as u32);
        }
        Self {
            cops,
            places,
            boards,
            prefixes: places.pow(cops.saturating_sub(2) as u32),
            row_words,
            row_of_word,
        }
    }

    /// The words of a shape without making it, `None` on overflow.
    pub(super) fn size(places: u128, cops: u32) -> Option<u128> {
        let boards = places.div_ceil(64);
        if cops < 2 {
            return Some(boards);
        }
        // Full blocks of 64 rows, then the rest.
        let (blocks, rest) = (places / 64, places % 64);
        let words = 64 * blocks * (blocks + 1) / 2 + rest * boards;
        words.checked_mul(places.checked_pow(cops - 2)?)
    }

    /// Rows of a matrix.
    pub(super) const fn rows(&self) -> usize {
        self.row_words.len() - 1
    }

    const fn words_per_prefix(&self) -> usize {
        self.row_of_word.len()
    }

    /// The number of words.
    pub(super) const fn words(&self) -> usize {
        self.words_per_prefix() * self.prefixes
    }

    /// The number of rows of all matrices.
    pub(super) const fn all_rows(&self) -> usize {
        self.rows() * self.prefixes
    }

    /// The word of a row, by its number among all matrices, and a board; `None` beyond the diagonal.
    pub(super) fn word(&self, row: usize, board: usize) -> Option<usize> {
        let (prefix, row) = (row / self.rows(), row % self.rows());
        let word = self.row_words[row] as usize + board;
        (word < self.row_words[row + 1] as usize).then(|| prefix * self.words_per_prefix() + word)
    }

    /// The row, by its number among all matrices, and the board of a word.
    pub(super) fn locate(&self, word: usize) -> (usize, usize) {
        let prefix = word / self.words_per_prefix();
        let word = word % self.words_per_prefix();
        let row = self.row_of_word[word] as usize;
        let board = word - self.row_words[row] as usize;
        (prefix * self.rows() + row, board)
    }

    /// The bits of a board that are places.
    pub(super) const fn board_mask(&self, board: usize) -> u64 {
        match self.places - board * 64 {
            rest @ 0..64 => (1 << rest) - 1,
            _ => u64::MAX,
        }
    }

    /// How many orders of the last two cops a position of the word stands for: on the diagonal both
    /// have their own.
    pub(super) const fn weight(&self, row: usize, board: usize) -> u64 {
        if self.cops > 1 && row % self.rows() / 64 > board {
            2
        } else {
            1
        }
    }

    /// The places of the cops that a row fixes: all but the last.
    pub(super) fn fixed_cops(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let mut rest = row;
        (1..self.cops).map(move |_| {
            let place = rest % self.places;
            rest /= self.places;
            place
        })
    }

    /// The word and the bit of a position. Sorts `cops`.
    pub(super) fn position(&self, cops: &mut [usize]) -> Option<(usize, usize)> {
        cops.sort_unstable();
        let (&last, others) = cops.split_first()?;
        // The least place is the column, the next one the row, the others the prefix.
        let places = others.iter().rev();
        let row = places.fold(0, |row, place| row * self.places + place);
        Some((self.word(row, last / 64)?, last % 64))
    }
}
