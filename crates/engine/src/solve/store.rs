//! Tables that map states to numbers, with a memory limit.

use super::spot::{KEY_BITS, Spot};
use crate::graph::finalize;

/// A number for each state that was touched. If an array of all states is small enough, it is used; otherwise
/// the table is a hash table with open addressing. A state that was never touched has the number 0.
///
/// A large hash table consists of parts that grow one at a time: growing takes little time at once, and hardly
/// more memory than the table.
///
/// The order of the table depends on the keys and the order of insertions only.
#[derive(Debug)]
pub struct Store<T> {
    layout: Layout<T>,
    limit: u64,
}

#[derive(Debug)]
enum Layout<T> {
    /// An array for one cop, with a row for each place of the robber.
    Dense { places: usize, numbers: Vec<T> },
    Hashed {
        /// One, or [`PARTS`].
        parts: Vec<HashPart<T>>,
        /// The places of all parts.
        places: usize,
    },
}

/// A hash table, or the part of one for the keys whose hashes begin alike.
#[derive(Debug)]
struct HashPart<T> {
    keys: Vec<u64>,
    numbers: Vec<T>,
    len: usize,
}

/// An empty place of a hash table.
const FREE: u64 = u64::MAX;
/// The number of slots of a new hash table, a power of two.
const FIRST_PLACES: usize = 1 << 6;
/// The parts of a large hash table.
const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 6;
/// A table of this many places is cut into parts.
const LARGE: usize = 1 << 14;

impl<T: Copy + Default> HashPart<T> {
    fn new(places: usize) -> Self {
        Self {
            keys: vec![FREE; places],
            numbers: vec![T::default(); places],
            len: 0,
        }
    }

    const fn is_full(&self) -> bool {
        self.len * 4 >= self.keys.len() * 3
    }

    /// The index of a key that is there, or the free place for it. There is always a free one.
    fn index(&self, key: u64, hash: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut index = hash as usize & mask;
        while self.keys[index] != key && self.keys[index] != FREE {
            index = (index + 1) & mask;
        }
        index
    }

    fn slot(&mut self, key: u64, hash: u64) -> &mut T {
        let index = self.index(key, hash);
        if self.keys[index] == FREE {
            self.keys[index] = key;
            self.len += 1;
        }
        &mut self.numbers[index]
    }

    fn entries(&self) -> impl Iterator<Item = (u64, T)> {
        let all = self.keys.iter().copied().zip(self.numbers.iter().copied());
        all.filter(|&(key, _)| key != FREE)
    }
}

impl<T: Copy + Default + PartialEq> Store<T> {
    /// Creates an empty table that takes at most `limit` bytes.
    pub(crate) fn new(cops: usize, places: usize, limit: u64) -> Self {
        let dense = (places as u64).saturating_mul(places as u64 * size_of::<T>() as u64);
        // Keys with more bits than the keys of states are never stored in an array.
        let layout = if cops == 1 && dense <= limit / 2 {
            Layout::Dense {
                places,
                numbers: vec![T::default(); places * places],
            }
        } else {
            Self::hashed()
        };
        Self { layout, limit }
    }

    /// Creates an empty hash table for keys that are not states.
    #[must_use]
    pub fn of_keys(limit: u64) -> Self {
        Self {
            layout: Self::hashed(),
            limit,
        }
    }

    fn hashed() -> Layout<T> {
        Layout::Hashed {
            parts: vec![HashPart::new(FIRST_PLACES)],
            places: FIRST_PLACES,
        }
    }

    /// From now on it takes at most `limit` bytes, unless it has already.
    pub(crate) const fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Bytes that are taken.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.layout {
            Layout::Dense { numbers, .. } => (numbers.len() * size_of::<T>()) as u64,
            Layout::Hashed { places, .. } => *places as u64 * Self::BYTES_OF_A_PLACE,
        }
    }

    const BYTES_OF_A_PLACE: u64 = (size_of::<u64>() + size_of::<T>()) as u64;

    /// The number of a state.
    #[must_use]
    pub fn get(&self, key: u64) -> T {
        match &self.layout {
            Layout::Dense { places, numbers } => numbers[dense_index(key, *places)],
            Layout::Hashed { parts, .. } => {
                let hash = finalize(key);
                let part = &parts[part_of(hash, parts.len())];
                let index = part.index(key, hash);
                if part.keys[index] == key {
                    part.numbers[index]
                } else {
                    T::default()
                }
            }
        }
    }

    /// The number of a state, for writing; `None` if there is no memory for another state.
    pub fn slot(&mut self, key: u64) -> Option<&mut T> {
        let hash = finalize(key);
        if let Layout::Hashed { parts, .. } = &self.layout {
            let part = part_of(hash, parts.len());
            if parts[part].is_full() {
                self.grow(part)?;
            }
        }
        match &mut self.layout {
            Layout::Dense { places, numbers } => numbers.get_mut(dense_index(key, *places)),
            Layout::Hashed { parts, .. } => {
                let part = part_of(hash, parts.len());
                Some(parts[part].slot(key, hash))
            }
        }
    }

    /// Doubles a part, or cuts a table that has become large into parts. While a part moves, its old and its
    /// new place take memory.
    fn grow(&mut self, part: usize) -> Option<()> {
        let Layout::Hashed { parts, places } = &mut self.layout else {
            return Some(());
        };
        let old = &parts[part];
        let before = old.keys.len();
        let after = before * 2;
        if (*places + after) as u64 * Self::BYTES_OF_A_PLACE > self.limit {
            return None;
        }
        if parts.len() == 1 && after >= LARGE {
            let mut new: Vec<HashPart<T>> =
                (0..PARTS).map(|_| HashPart::new(after / PARTS)).collect();
            for (key, number) in old.entries() {
                let hash = finalize(key);
                *new[part_of(hash, PARTS)].slot(key, hash) = number;
            }
            *parts = new;
        } else {
            let mut new = HashPart::new(after);
            for (key, number) in old.entries() {
                *new.slot(key, finalize(key)) = number;
            }
            parts[part] = new;
        }
        *places += after - before;
        Some(())
    }

    /// The number of states that were touched; in an array, the number of states whose number is not 0.
    #[cfg(test)]
    fn len(&self) -> usize {
        match &self.layout {
            Layout::Dense { numbers, .. } => {
                let is_touched = |number: &&T| **number != T::default();
                numbers.iter().filter(is_touched).count()
            }
            Layout::Hashed { parts, .. } => parts.iter().map(|part| part.len).sum(),
        }
    }
}

/// The part of a key with this hash. The hash's first bits decide, the last ones are those of the place.
const fn part_of(hash: u64, parts: usize) -> usize {
    if parts == 1 {
        0
    } else {
        (hash >> (u64::BITS - PART_BITS)) as usize
    }
}

/// The index of a key in an array for one cop.
fn dense_index(key: u64, places: usize) -> usize {
    let spot = Spot::of_key(key, 1);
    usize::from(spot.robber) * places + usize::from(spot.cops[0])
}

const _: () = assert!(KEY_BITS < 64, "no key is FREE");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_again_however_much_the_table_grows() {
        for mut store in [Store::<u32>::new(1, 100, 1 << 30), Store::of_keys(1 << 30)] {
            for number in 1..5000_u32 {
                let spot = Spot::new((number % 100) as u16, &[(number / 100) as u16]);
                *store.slot(spot.key(1)).expect("memory") = number;
            }
            for number in 1..5000_u32 {
                let spot = Spot::new((number % 100) as u16, &[(number / 100) as u16]);
                assert_eq!(store.get(spot.key(1)), number);
            }
            assert_eq!(store.len(), 4999);
            assert_eq!(store.get(Spot::new(99, &[99]).key(1)), 0);
        }
    }

    #[test]
    fn a_table_never_takes_more_than_its_limit() {
        let limit = 100_000;
        let mut store = Store::<u64>::of_keys(limit);
        let taken = (0..1_000_000).take_while(|&key| store.slot(key).is_some());
        assert!(taken.count() > 1000);
        assert!(store.bytes() <= limit);
    }
}
