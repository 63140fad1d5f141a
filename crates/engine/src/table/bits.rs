//! Iterators over the bits that are set in words.

/// Iterates over the indices of the bits that are set in a word, in ascending order.
#[derive(Debug, Clone)]
pub(super) struct Bits(pub u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Iterates over the indices of the bits that are set in a slice of words, in ascending order.
pub(super) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let words = words.iter().enumerate();
    words.flat_map(|(index, &word)| Bits(word).map(move |bit| index * 64 + bit))
}

/// A set of places: one bit for each, board by board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlaceSet(Vec<u64>);

impl PlaceSet {
    /// The empty set for this number of places.
    pub(super) fn new(places: usize) -> Self {
        Self(vec![0; places.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    pub(super) fn remove(&mut self, place: usize) {
        self.0[place / 64] &= !(1 << (place % 64));
    }

    pub(super) fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// The places of a board.
    pub(super) fn board(&self, board: usize) -> u64 {
        self.0[board]
    }

    /// The places in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.0)
    }

    /// The words of the set, of 64 places each.
    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    /// The set with these words. `None` if it has a place beyond the last.
    pub(super) fn of_words(places: usize, words: Vec<u64>) -> Option<Self> {
        let set = Self(words);
        let is_below = set.iter().last().is_none_or(|last| last < places);
        is_below.then_some(set)
    }

    /// The number of places.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}
