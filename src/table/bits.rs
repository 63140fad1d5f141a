//! The bits of words that are set.

/// The numbers of the bits of a word that are set, from the lowest.
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

/// The numbers of the bits of many words that are set, in order.
pub(super) fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let words = words.iter().enumerate();
    words.flat_map(|(index, &word)| Bits(word).map(move |bit| index * 64 + bit))
}
