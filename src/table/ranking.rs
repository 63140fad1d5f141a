//! Numbers for sets of interchangeable cops.

/// Numbers for the positions of interchangeable cops: combinations with repetition (C.
/// Moldenhauer's thesis, section 3.2), counted in colexicographic order (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
#[derive(Debug, Clone)]
pub(super) struct Ranking {
    places: usize,
    /// For each cop `i` and place `c` the number of sets of `i + 1` cops on places below `c`:
    /// c + i over i + 1.
    sets: Vec<Vec<usize>>,
}

impl Ranking {
    /// For at least one cop. The number of sets has to fit into a `usize`.
    pub(super) fn new(places: usize, cops: usize) -> Self {
        let mut sets: Vec<Vec<usize>> = vec![(0..=places).collect()];
        for cop in 1..cops {
            let fewer = &sets[cop - 1];
            let mut sum = 0;
            let sums = fewer.iter().map(|&count| {
                sum += count;
                sum
            });
            let row = sums.collect();
            sets.push(row);
        }
        Self { places, sets }
    }

    /// The number of sets of cops.
    pub(super) fn len(&self) -> usize {
        self.sets.last().map_or(0, |row| row[self.places])
    }

    /// The number of a set, below [`Self::len`]. Sorts the cops. Time: k log k.
    pub(super) fn rank(&self, cops: &mut [u32]) -> usize {
        cops.sort_unstable();
        let cops = self.sets.iter().zip(cops.iter());
        cops.map(|(sets, &cop)| sets[cop as usize]).sum()
    }

    /// The set of a number, in ascending order. Time: k log n.
    pub(super) fn unrank(&self, rank: usize, cops: &mut [u32]) {
        let mut rest = rank;
        for (sets, cop) in self.sets.iter().zip(cops).rev() {
            let place = sets[..self.places].partition_point(|&below| below <= rest) - 1;
            rest -= sets[place];
            *cop = place as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_sets_one_by_one() {
        for places in 1..=7_u32 {
            for cops in 1..=4_u32 {
                let ranking = Ranking::new(places as usize, cops as usize);
                let tuples = 0..places.pow(cops);
                let digits = |code: u32| (0..cops).map(move |cop| code / places.pow(cop) % places);
                let tuples = tuples.map(|code| digits(code).collect::<Vec<_>>());
                // Read as numbers with the last cop first they are in order.
                let sets: Vec<_> = tuples.filter(|cops| cops.is_sorted()).collect();
                assert_eq!(ranking.len(), sets.len());
                for (rank, set) in sets.iter().enumerate() {
                    let mut backwards: Vec<u32> = set.iter().rev().copied().collect();
                    assert_eq!(ranking.rank(&mut backwards), rank);
                    ranking.unrank(rank, &mut backwards);
                    assert_eq!(backwards, *set);
                }
            }
        }
    }

    #[test]
    fn without_places_there_are_no_sets() {
        assert_eq!(Ranking::new(0, 1).len(), 0);
        assert_eq!(Ranking::new(0, 3).len(), 0);
        assert_eq!(Ranking::new(1, 255).len(), 1);
    }
}
