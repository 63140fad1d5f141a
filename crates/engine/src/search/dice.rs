//! Repeatable random choices.

use crate::graph::split_mix;
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
    numbers.fold(0, |seed, number| split_mix(seed ^ number))
}
