//! Applies the same work to many items, on one thread or on all.

use std::ops::Add;

/// The result of some work.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    /// The number of words of positions examined.
    pub looked: usize,
    /// The number of positions solved.
    pub solved: u64,
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            looked: self.looked + other.looked,
            solved: self.solved + other.solved,
        }
    }
}

impl From<usize> for Count {
    fn from(looked: usize) -> Self {
        Self { looked, solved: 0 }
    }
}

/// With fewer items than this, waking up the threads costs more than it gains.
#[cfg(feature = "parallel")]
const WORTH_THREADS: usize = 16;

/// Applies `work` to each item, in any order, and adds up the results. Each thread has memory made
/// by `scratch`. `first` is the index of the first item.
pub(super) fn sweep<T: Send, S>(
    items: Vec<T>,
    first: usize,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, T) -> Count + Sync + Send,
) -> Count {
    #[cfg(feature = "parallel")]
    if items.len() >= WORTH_THREADS {
        use rayon::prelude::*;
        return items
            .into_par_iter()
            .enumerate()
            .map_init(scratch, |scratch, (index, item)| {
                work(scratch, first + index, item)
            })
            .reduce(Count::default, Add::add);
    }
    let mut scratch = scratch();
    let items = items.into_iter().enumerate();
    items.fold(Count::default(), |count, (index, item)| {
        count + work(&mut scratch, first + index, item)
    })
}

/// Applies `work` to each item and returns the results in the order of the items.
pub(super) fn map<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(usize, T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        let items = items.into_par_iter().enumerate();
        items.map(|(index, item)| work(index, item)).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        let items = items.into_iter().enumerate();
        items.map(|(index, item)| work(index, item)).collect()
    }
}
