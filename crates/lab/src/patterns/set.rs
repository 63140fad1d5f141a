//! Sets of ground codes, stored as bits.

/// A set of numbers below a fixed length, one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeSet {
    words: Vec<u64>,
    length: usize,
}

impl CodeSet {
    /// The empty set of numbers below `length`.
    #[must_use]
    pub fn empty(length: usize) -> Self {
        Self {
            words: vec![0; length.div_ceil(64)],
            length,
        }
    }

    /// The set of all numbers below `length`.
    #[must_use]
    pub fn full(length: usize) -> Self {
        let mut all = Self {
            words: vec![u64::MAX; length.div_ceil(64)],
            length,
        };
        if let Some(last) = all.words.last_mut().filter(|_| !length.is_multiple_of(64)) {
            *last = (1 << (length % 64)) - 1;
        }
        all
    }

    /// The set of the numbers below `length` for which `holds` returns `true`.
    #[must_use]
    pub fn of(length: usize, holds: impl Fn(usize) -> bool) -> Self {
        let mut set = Self::empty(length);
        for code in (0..length).filter(|&code| holds(code)) {
            set.insert(code);
        }
        set
    }

    /// Adds a number below the length.
    pub fn insert(&mut self, code: usize) {
        debug_assert!(code < self.length);
        self.words[code / 64] |= 1 << (code % 64);
    }

    /// Returns whether a number is in the set.
    #[must_use]
    pub fn contains(&self, code: usize) -> bool {
        let word = self.words.get(code / 64).copied().unwrap_or(0);
        word >> (code % 64) & 1 == 1
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns whether all numbers of the set are in `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        let mut pairs = self.words.iter().zip(&other.words);
        pairs.all(|(here, there)| here & !there == 0)
    }

    /// Adds all numbers of `other`.
    pub fn add(&mut self, other: &Self) {
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Adds all numbers that are in both `a` and `b`.
    pub(crate) fn add_common(&mut self, a: &Self, b: &Self) {
        for (word, (a, b)) in self.words.iter_mut().zip(a.words.iter().zip(&b.words)) {
            *word |= a & b;
        }
    }

    /// Keeps only the numbers of `other`.
    pub fn keep(&mut self, other: &Self) {
        for (word, &kept) in self.words.iter_mut().zip(&other.words) {
            *word &= kept;
        }
    }

    /// Keeps only the numbers that are in `other` or not in `unless`.
    pub(crate) fn keep_unless(&mut self, other: &Self, unless: &Self) {
        let pairs = other.words.iter().zip(&unless.words);
        for (word, (kept, condition)) in self.words.iter_mut().zip(pairs) {
            *word &= kept | !condition;
        }
    }

    /// The numbers that are not in `other`.
    pub fn outside<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let words = self.words.iter().zip(&other.words).enumerate();
        words.flat_map(|(index, (here, there))| {
            let mut rest = here & !there;
            std::iter::from_fn(move || {
                let bit = (rest > 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(64 * index + bit)
            })
        })
    }

    /// Removes the numbers of `other`.
    pub fn remove(&mut self, other: &Self) {
        for (word, &gone) in self.words.iter_mut().zip(&other.words) {
            *word &= !gone;
        }
    }

    /// The bytes of the set.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        8 * self.words.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        for length in [1, 63, 64, 65, 243] {
            let even = CodeSet::of(length, |code| code % 2 == 0);
            let odd = CodeSet::of(length, |code| code % 2 == 1);
            let mut all = even.clone();
            all.add(&odd);
            assert_eq!(all, CodeSet::full(length));
            all.remove(&odd);
            assert_eq!(all, even);
            assert!(even.is_subset(&CodeSet::full(length)));
            assert!(!CodeSet::full(length).is_subset(&odd));
            let mut some = CodeSet::full(length);
            let outside: Vec<usize> = some.outside(&odd).collect();
            assert_eq!(outside, (0..length).step_by(2).collect::<Vec<_>>());
            some.keep_unless(&even, &odd);
            assert_eq!(some, even, "odd numbers only if they are even");
            let mut none = CodeSet::empty(length);
            none.add_common(&even, &odd);
            assert!(none.is_empty() && none.bytes() == length.div_ceil(64) * 8);
        }
    }
}
