//! Applies the same work to many items, on one thread or on all.

use std::ops::Add;

/// The result of some work.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SweepCount {
    /// The number of words of positions examined.
    pub looked: usize,
    /// The number of positions solved.
    pub solved: u64,
}

impl Add for SweepCount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            looked: self.looked + other.looked,
            solved: self.solved + other.solved,
        }
    }
}

impl From<usize> for SweepCount {
    fn from(looked: usize) -> Self {
        Self { looked, solved: 0 }
    }
}

/// With fewer items than this, waking up the threads costs more than it gains.
#[cfg(feature = "parallel")]
const WORTH_THREADS: usize = 16;

/// The least work of a slice that is spread over threads, in words of positions: about a millisecond.
const SLICE_WORTH_THREADS: usize = 1 << 15;

/// Who works on the items. The results are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Threads {
    /// The calling thread alone. It never waits for another thread, which may not have a core at the moment: a frame
    /// would be late.
    One,
    /// All threads of the pool, with the feature `parallel`.
    All,
}

impl Threads {
    /// Who works on a slice of about this number of words. Small slices are those of a game's frame.
    pub(super) const fn of_slice(words: usize) -> Self {
        if words < SLICE_WORTH_THREADS {
            Self::One
        } else {
            Self::All
        }
    }
}

/// Applies `work` to each item, in any order, and adds up the results. Each thread has memory made
/// by `scratch`. `first` is the index of the first item.
pub(super) fn sweep<T: Send, S>(
    threads: Threads,
    items: Vec<T>,
    first: usize,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, T) -> SweepCount + Sync + Send,
) -> SweepCount {
    #[cfg(not(feature = "parallel"))]
    let _ = threads;
    #[cfg(feature = "parallel")]
    if threads == Threads::All && items.len() >= WORTH_THREADS {
        use rayon::prelude::*;
        return items
            .into_par_iter()
            .enumerate()
            .map_init(scratch, |scratch, (index, item)| {
                work(scratch, first + index, item)
            })
            .reduce(SweepCount::default, Add::add);
    }
    let mut scratch = scratch();
    let items = items.into_iter().enumerate();
    items.fold(SweepCount::default(), |count, (index, item)| {
        count + work(&mut scratch, first + index, item)
    })
}

/// Applies `work` to each item and returns the results in the order of the items.
pub(super) fn map<T: Send, R: Send>(
    threads: Threads,
    items: Vec<T>,
    work: impl Fn(usize, T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(not(feature = "parallel"))]
    let _ = threads;
    #[cfg(feature = "parallel")]
    if threads == Threads::All && items.len() > 1 {
        use rayon::prelude::*;
        let items = items.into_par_iter().enumerate();
        return items.map(|(index, item)| work(index, item)).collect();
    }
    let items = items.into_iter().enumerate();
    items.map(|(index, item)| work(index, item)).collect()
}
