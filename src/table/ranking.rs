//! Numbers for sets of interchangeable cops.

/// Numbers for sets of interchangeable cops: combinations with repetition (C.
/// Moldenhauer's thesis, section 3.2), counted in colexicographic order (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
///
/// Sets are given as places in ascending order.
#[derive(Debug, Clone)]
pub(super) struct Ranking {
    /// For each cop `i` and place `c` what the sets of `i + 1` cops on places below `c` count: if each
    /// counts 1, their number, c + i over i + 1.
    below: Vec<Vec<usize>>,
}

impl Ranking {
    /// For sets of up to this number of cops. The number of sets has to fit into a `usize`.
    pub(super) fn new(places: usize, cops: usize) -> Self {
        Self::weighted((0..=places).collect(), cops)
    }

    /// The same for sets that count differently, by the least of their places: `below` says for each
    /// place, and for the number of places, what the lesser ones count together.
    pub(super) fn weighted(below: Vec<usize>, cops: usize) -> Self {
        let mut levels = vec![below];
        for cop in 1..cops {
            let mut sum = 0;
            let sums = levels[cop - 1].iter().map(|&count| {
                sum += count;
                sum
            });
            let level = sums.collect();
            levels.push(level);
        }
        levels.truncate(cops);
        Self { below: levels }
    }

    /// What all sets of a number of cops count together.
    pub(super) fn len(&self, cops: usize) -> usize {
        let level = cops.checked_sub(1).map(|level| &self.below[level]);
        level.map_or(1, |level| level.last().copied().unwrap_or(0))
    }

    /// The number of a set, below [`Self::len`]: what those before it count. Time: linear in the cops.
    pub(super) fn rank(&self, cops: &[usize]) -> usize {
        let cops = self.below.iter().zip(cops);
        cops.map(|(below, &cop)| below[cop]).sum()
    }

    /// The number of the set with another cop. Time: linear in the cops.
    pub(super) fn rank_with(&self, cops: &[usize], other: usize) -> usize {
        let (mut rank, mut level) = (0, 0);
        while let Some(&cop) = cops.get(level).filter(|&&cop| cop <= other) {
            rank += self.below[level][cop];
            level += 1;
        }
        let rest = self.below[level + 1..].iter().zip(&cops[level..]);
        rank + self.below[level][other] + rest.map(|(below, &cop)| below[cop]).sum::<usize>()
    }

    /// The set of a number. Time: k log n.
    pub(super) fn unrank(&self, rank: usize, cops: &mut [usize]) {
        let mut rest = rank;
        for (level, cop) in cops.iter_mut().enumerate().rev() {
            *cop = self.last(level, rest);
            rest -= self.below(level, *cop);
        }
    }

    /// The last place of the set of `level + 1` cops with a number. Time: log n.
    pub(super) fn last(&self, level: usize, rank: usize) -> usize {
        let below = &self.below[level];
        below[..below.len() - 1].partition_point(|&below| below <= rank) - 1
    }

    /// What the sets of `level + 1` cops below a place count.
    pub(super) fn below(&self, level: usize, place: usize) -> usize {
        self.below[level][place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets of cops, in order.
    fn sets(places: usize, cops: u32) -> Vec<Vec<usize>> {
        let tuples = 0..places.pow(cops);
        let digits = |code: usize| (0..cops).map(move |cop| code / places.pow(cop) % places);
        let tuples = tuples.map(|code| digits(code).collect::<Vec<_>>());
        // Read as numbers with the last cop first they are in order.
        tuples.filter(|cops| cops.is_sorted()).collect()
    }

    #[test]
    fn ranks_count_the_sets_one_by_one() {
        for places in 1..=7 {
            let ranking = Ranking::new(places, 4);
            for cops in 1..=4 {
                let sets = sets(places, cops);
                assert_eq!(ranking.len(cops as usize), sets.len());
                for (rank, set) in sets.iter().enumerate() {
                    assert_eq!(ranking.rank(set), rank);
                    let mut found = vec![0; set.len()];
                    ranking.unrank(rank, &mut found);
                    assert_eq!(found, *set);
                    for cop in 0..set.len() {
                        let mut others = set.clone();
                        let other = others.remove(cop);
                        assert_eq!(ranking.rank_with(&others, other), rank);
                    }
                }
            }
        }
    }

    #[test]
    fn sets_count_what_their_least_place_says() {
        let weight = |place: usize| place / 3 + 1;
        for places in 1..=7 {
            let below = (0..=places).map(|end| (0..end).map(weight).sum()).collect();
            let ranking = Ranking::weighted(below, 3);
            for cops in 1..=3 {
                let mut rank = 0;
                for set in sets(places, cops) {
                    assert_eq!(ranking.rank(&set), rank);
                    rank += weight(set[0]);
                }
                assert_eq!(ranking.len(cops as usize), rank);
            }
        }
    }

    #[test]
    fn there_is_one_set_of_no_cops_and_none_without_places() {
        assert_eq!(Ranking::new(0, 1).len(1), 0);
        assert_eq!(Ranking::new(0, 3).len(3), 0);
        assert_eq!(Ranking::new(5, 0).len(0), 1);
        assert_eq!(Ranking::new(1, 255).len(255), 1);
    }
}
