//! The memory that reading an input takes.

use std::cell::Cell;

thread_local! {
    static MOST: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// What reading an input may hold at once: so many bytes for each byte of the input, and some in any case.
pub struct Bound {
    /// Bytes for each byte of the input.
    pub each: u64,
    /// Bytes in any case.
    pub fixed: u64,
}

/// Runs `read` on an input of `length` bytes.
///
/// # Panics
/// If it holds more memory at once than the bound allows.
pub fn bounded<T>(length: usize, bound: &Bound, read: impl FnOnce() -> T) -> T {
    let mut result = None;
    let taken = allocation_counter::measure(|| result = Some(read())).bytes_max;
    let length = length as u64;
    let (most, _) = MOST.get();
    if taken > most {
        MOST.set((taken, length));
    }
    let limit = bound.each * length + bound.fixed;
    assert!(
        taken <= limit,
        "memory: {taken} bytes for an input of {length}, limit {limit}"
    );
    result.expect("it has run")
}

/// The most bytes that an input has taken in this thread since the last call, and the length of that input.
pub fn take_most() -> (u64, u64) {
    MOST.replace((0, 0))
}
