//! Numbers sets of interchangeable cops.

/// Numbers sets of interchangeable cops, that is combinations with repetition (C. Moldenhauer,
/// *Game tree search algorithms for the game of cops and robber*, 2009, section 3.2), in
/// colexicographic order (D. Knuth, *The Art of Computer Programming* 4A, section 7.2.1.3).
///
/// A set is given by its places in ascending order. Each set has a weight, and its rank is the
/// total weight of the sets before it. With weights of 1, ranks are consecutive numbers.
#[derive(Debug, Clone)]
pub struct Ranking {
    /// `below[i][c]` is the total weight of the sets of `i + 1` cops whose places are all below
    /// `c`. With weights of 1 this is their number, `binomial(c + i, i + 1)`.
    below: Vec<Vec<usize>>,
}

impl Ranking {
    /// Creates a ranking of the sets of up to `cops` cops, with weights of 1. The number of sets
    /// has to fit into a `usize`.
    pub(crate) fn new(places: usize, cops: usize) -> Self {
        Self::weighted((0..=places).collect(), cops)
    }

    /// Creates a ranking in which the weight of a set is the weight of its least place. `below[c]`
    /// is the total weight of the places below `c`, for `c` from 0 to the number of places.
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

    /// The total weight of all sets of `cops` cops.
    pub(crate) fn len(&self, cops: usize) -> usize {
        let level = cops.checked_sub(1).map(|level| &self.below[level]);
        level.map_or(1, |level| level.last().copied().unwrap_or(0))
    }

    /// The rank of a set: the total weight of the sets before it. Time: linear in the cops.
    pub(crate) fn rank(&self, cops: &[usize]) -> usize {
        let cops = self.below.iter().zip(cops);
        cops.map(|(below, &cop)| below[cop]).sum()
    }

    /// The rank of the set that consists of `cops` and one more cop. Time: linear in the cops.
    pub(super) fn rank_with(&self, cops: &[usize], other: usize) -> usize {
        let (mut rank, mut level) = (0, 0);
        while let Some(&cop) = cops.get(level).filter(|&&cop| cop <= other) {
            rank += self.below[level][cop];
            level += 1;
        }
        let rest = self.below[level + 1..].iter().zip(&cops[level..]);
        rank + self.below[level][other] + rest.map(|(below, &cop)| below[cop]).sum::<usize>()
    }

    /// Writes the set with a rank into `cops`. Time: k log n for k cops and n places.
    pub(crate) fn unrank(&self, rank: usize, cops: &mut [usize]) {
        let mut rest = rank;
        for (level, cop) in cops.iter_mut().enumerate().rev() {
            *cop = self.last(level, rest);
            rest -= self.below(level, *cop);
        }
    }

    /// The last place of the set of `level + 1` cops with a rank. Time: log n for n places.
    pub(super) fn last(&self, level: usize, rank: usize) -> usize {
        let below = &self.below[level];
        below[..below.len() - 1].partition_point(|&below| below <= rank) - 1
    }

    /// The total weight of the sets of `level + 1` cops whose places are all below `place`.
    pub(super) fn below(&self, level: usize, place: usize) -> usize {
        self.below[level][place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sets of cops in colexicographic order.
    fn sets(places: usize, cops: u32) -> Vec<Vec<usize>> {
        let tuples = 0..places.pow(cops);
        let digits = |code: usize| (0..cops).map(move |cop| code / places.pow(cop) % places);
        let tuples = tuples.map(|code| digits(code).collect::<Vec<_>>());
        // The codes read each tuple as a number whose leading digit is the last cop, so the order
        // of the codes is colexicographic.
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
