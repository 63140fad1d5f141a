//! The same work on many items, on one thread or all.

use std::ops::Add;

/// What some work has come to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    /// Words of positions looked at.
    pub looked: usize,
    /// Positions solved.
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

/// Below this many items threads are not worth their waking up.
#[cfg(feature = "parallel")]
const WORTH_THREADS: usize = 16;

/// Does `work` on each item, in any order, with memory that `scratch` makes; `first` is the number
/// of the first item.
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

/// `work` of each item, in the order of the items.
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
