//! Mixers of 64 bits, the same on every machine.

/// The bits of the golden ratio: an odd number without a pattern. Multiples of it stay far apart, however many there are.
pub(crate) const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes a number into a hash: one multiplication, for hashes of many numbers.
pub(crate) const fn mix(hash: u64, number: u64) -> u64 {
    let mixed = (hash ^ number).wrapping_mul(GOLDEN_RATIO);
    mixed ^ mixed >> 29
}

/// Makes each bit of a number depend on all of its bits: the finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) const fn finalize(number: u64) -> u64 {
    let mixed = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// A step of SplitMix64: consecutive numbers give unrelated ones.
pub(crate) const fn split_mix(number: u64) -> u64 {
    finalize(number.wrapping_add(GOLDEN_RATIO))
}
