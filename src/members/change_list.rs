//! Lists of changes that stay short while nobody reads them.

use std::collections::BTreeSet;

/// Up to this number of entries are kept as they are, and twice as many as were left after the last time that the list
/// was compacted.
const MOST: usize = 4096;

/// What has changed since the list was last read. While nobody reads it, for instance in a pause of the game,
/// the first of equal entries is kept, in the order in which they came, and entries that are out of date are dropped.
#[derive(Debug)]
pub(super) struct ChangeList<T> {
    entries: Vec<T>,
    /// The number of entries that were left when they were last compacted.
    compacted: usize,
}

impl<T> Default for ChangeList<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            compacted: 0,
        }
    }
}

impl<T: Ord + Copy> ChangeList<T> {
    /// Adds an entry. If the list is long, it keeps those that `is_current` accepts. Cost: constant on average, for
    /// lists of a limited length.
    pub(super) fn note(&mut self, entry: T, mut is_current: impl FnMut(&T) -> bool) {
        if self.entries.last() == Some(&entry) {
            return;
        }
        if self.entries.len() >= self.compacted.max(MOST) * 2 {
            let mut seen = BTreeSet::new();
            self.entries
                .retain(|&entry| is_current(&entry) && seen.insert(entry));
            self.compacted = self.entries.len();
        }
        self.entries.push(entry);
    }

    /// All entries, some more than once.
    pub(super) const fn entries(&mut self) -> &mut Vec<T> {
        &mut self.entries
    }

    /// All entries, each once, in order.
    pub(super) fn sorted(&mut self) -> &mut Vec<T> {
        self.entries.sort_unstable();
        self.entries.dedup();
        &mut self.entries
    }

    /// Returns whether nothing has changed.
    pub(super) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangeList, MOST};

    #[test]
    fn a_list_that_nobody_reads_stays_short_and_loses_nothing_that_is_current() {
        let mut list = ChangeList::default();
        let mut longest = 0;
        for number in 0..1_000_000_u32 {
            // Ten entries again and again, and others that are soon out of date.
            let entry = if number % 2 == 0 {
                number / 2 % 10
            } else {
                number
            };
            list.note(entry, |&entry| entry < 10);
            longest = longest.max(list.entries.len());
        }
        assert!(longest <= 2 * MOST, "{longest}");
        assert!((0..10).all(|entry| list.sorted().contains(&entry)));
        list.sorted().clear();
        assert!(list.is_empty());
    }
}
