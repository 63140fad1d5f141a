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
