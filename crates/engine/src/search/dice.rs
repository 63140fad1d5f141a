//! Repeatable random choices.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng as _;

/// Repeatable random choices: the same seed gives the same choices on every machine.
#[derive(Debug, Clone)]
pub struct Dice {
    random: Pcg32,
}

impl Dice {
    /// Choices that depend on `seed` alone.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        // Any number will do.
        const STREAM: u64 = 1;
        Self {
            random: Pcg32::new(seed, STREAM),
        }
    }

    /// A number below `end`, all equally likely up to a difference of 1 in 2^32 / `end`; 0 if `end`
    /// is 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = end.min(u32::MAX as usize) as u64;
        ((u64::from(self.random.next_u32()) * end) >> 32) as usize
    }

    /// A random element of a list; `None` if the list is empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> Option<T> {
        list.get(self.below(list.len())).copied()
    }
}

/// A seed made from other numbers. A change of any number, or of their order, changes all of its bits.
#[must_use]
pub fn seed_of(numbers: impl IntoIterator<Item = u64>) -> u64 {
    let numbers = numbers.into_iter();
    numbers.fold(0, |seed, number| mix(seed ^ number))
}

/// A step of SplitMix64 (Steele, Lea and Flood, 2014): consecutive numbers give unrelated
/// ones.
const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
