//! Tables that map states to numbers, with a memory limit.

use super::spot::{KEY_BITS, Spot};

/// A number for each state that was touched. If an array of all states is small enough, it is used; otherwise
/// the table is a hash table with open addressing. A state that was never touched has the number 0.
///
/// The layout depends only on the keys and on the order of insertions.
#[derive(Debug)]
pub(super) struct Store<T> {
    layout: Layout<T>,
    limit: u64,
}

#[derive(Debug)]
enum Layout<T> {
    /// An array for one cop, with a row for each place of the robber.
    Dense { places: usize, numbers: Vec<T> },
    Hashed {
        keys: Vec<u64>,
        numbers: Vec<T>,
        len: usize,
    },
}

/// The key of a free slot of a hash table.
const FREE: u64 = u64::MAX;
/// The number of slots of a new hash table, a power of two.
const FIRST_PLACES: usize = 1 << 6;

impl<T: Copy + Default + PartialEq> Store<T> {
    /// Creates an empty table that takes at most `limit` bytes.
    pub(super) fn new(cops: usize, places: usize, limit: u64) -> Self {
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
    pub(super) fn of_keys(limit: u64) -> Self {
        Self {
            layout: Self::hashed(),
            limit,
        }
    }

    fn hashed() -> Layout<T> {
        Layout::Hashed {
            keys: vec![FREE; FIRST_PLACES],
            numbers: vec![T::default(); FIRST_PLACES],
            len: 0,
        }
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        match &self.layout {
            Layout::Dense { numbers, .. } => (numbers.len() * size_of::<T>()) as u64,
            Layout::Hashed { keys, .. } => keys.len() as u64 * Self::BYTES_OF_A_PLACE,
        }
    }

    const BYTES_OF_A_PLACE: u64 = (size_of::<u64>() + size_of::<T>()) as u64;

    /// The number of a state.
    pub(super) fn get(&self, key: u64) -> T {
        match &self.layout {
            Layout::Dense { places, numbers } => numbers[dense_index(key, *places)],
            Layout::Hashed { keys, numbers, .. } => {
                let index = find(keys, key);
                if keys[index] == key {
                    numbers[index]
                } else {
                    T::default()
                }
            }
        }
    }

    /// The number of a state, for writing; `None` if there is no memory for another state.
    pub(super) fn slot(&mut self, key: u64) -> Option<&mut T> {
        if self.is_full() {
            self.grow()?;
        }
        match &mut self.layout {
            Layout::Dense { places, numbers } => numbers.get_mut(dense_index(key, *places)),
            Layout::Hashed { keys, numbers, len } => {
                let index = find(keys, key);
                if keys[index] == FREE {
                    keys[index] = key;
                    *len += 1;
                }
                numbers.get_mut(index)
            }
        }
    }

    fn is_full(&self) -> bool {
        match &self.layout {
            Layout::Dense { .. } => false,
            Layout::Hashed { keys, len, .. } => *len * 4 >= keys.len() * 3,
        }
    }

    /// Doubles a hash table. The old and the new table exist at the same time while it grows.
    fn grow(&mut self) -> Option<()> {
        let Layout::Hashed { keys, numbers, .. } = &mut self.layout else {
            return Some(());
        };
        let places = keys.len() * 2;
        if (places + keys.len()) as u64 * Self::BYTES_OF_A_PLACE > self.limit {
            return None;
        }
        let mut new_keys = vec![FREE; places];
        let mut new_numbers = vec![T::default(); places];
        for (&key, &number) in keys.iter().zip(&*numbers) {
            if key != FREE {
                let index = find(&new_keys, key);
                new_keys[index] = key;
                new_numbers[index] = number;
            }
        }
        *keys = new_keys;
        *numbers = new_numbers;
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
            Layout::Hashed { len, .. } => *len,
        }
    }
}

/// The index of a key in an array for one cop.
fn dense_index(key: u64, places: usize) -> usize {
    let spot = Spot::of_key(key, 1);
    usize::from(spot.robber) * places + usize::from(spot.cops[0])
}

/// The slot of a key, or the free slot where it belongs. There is always a free slot.
fn find(keys: &[u64], key: u64) -> usize {
    let mask = keys.len() - 1;
    let mut index = mixed(key) as usize & mask;
    while keys[index] != key && keys[index] != FREE {
        index = (index + 1) & mask;
    }
    index
}

/// Spreads the bits of a key (the finalizer of splitmix64, G. Steele and others, 2014).
const fn mixed(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
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
