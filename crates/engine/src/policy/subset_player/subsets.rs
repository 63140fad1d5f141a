//! Goes through all subsets of a given size, in a fixed order.

/// The first subset of some size: its elements in ascending order.
pub(super) fn first(size: usize, subset: &mut Vec<usize>) {
    subset.clear();
    subset.extend(0..size);
}

/// Makes this the next subset of `0..all` in lexicographic order; `false` after the last one.
pub(super) fn advance(subset: &mut [usize], all: usize) -> bool {
    let size = subset.len();
    let Some(at) = (0..size).rfind(|&at| subset[at] + size - at < all) else {
        return false;
    };
    let next = subset[at] + 1;
    for (element, value) in subset[at..].iter_mut().zip(next..) {
        *element = value;
    }
    true
}

/// The number of subsets of some size, capped at `most`.
pub(super) fn count(all: usize, size: usize, most: usize) -> usize {
    if size > all {
        return 0;
    }
    let mut count = 1_usize;
    for taken in 0..size.min(all - size) {
        // A product of binomials: the division leaves no rest.
        count = count.saturating_mul(all - taken) / (taken + 1);
        if count > most {
            return most;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_counted_through() {
        for all in 0_usize..8 {
            for size in 0..=all {
                let with_size = |bits: &u32| bits.count_ones() as usize == size;
                let expected = (0..1_u32 << all).filter(with_size);
                let elements = |bits: u32| (0..all).filter(|e| bits >> e & 1 == 1).collect();
                let mut expected: Vec<Vec<usize>> = expected.map(elements).collect();
                expected.sort();
                let (mut subset, mut found) = (Vec::new(), Vec::new());
                first(size, &mut subset);
                loop {
                    found.push(subset.clone());
                    if !advance(&mut subset, all) {
                        break;
                    }
                }
                assert_eq!(found, expected, "{size} of {all}");
                assert_eq!(count(all, size, 1000), expected.len());
                assert_eq!(count(all, size, 3), expected.len().min(3));
            }
        }
        assert_eq!(count(2, 3, 10), 0);
        assert_eq!(count(10_000, 5_000, 10), 10);
    }
}
