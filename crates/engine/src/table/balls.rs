//! The places that a cop can reach in one turn from each place.

use crate::game::Speed;
use crate::graph::{BallSearch, Csr};

const NONE: u32 = u32::MAX;

/// For each place, the list of places that an agent of a given speed can reach in one turn.
///
/// All places from which one move reaches everything that any number of moves can reach share one
/// list.
#[derive(Debug, Clone)]
pub(super) struct Balls {
    /// `list_of` gives the list of each place. `rank_of` gives the index of each list in `shared`,
    /// or [`NONE`] if only one place has the list.
    list_of: Vec<u32>,
    lists: Csr<u32>,
    rank_of: Vec<u32>,
    shared: Vec<u32>,
}

/// Computes [`Balls`], place by place.
#[derive(Debug)]
pub(super) struct BallsBuilder {
    walk: BallSearch,
    balls: Balls,
    /// For each place, a list that contains it and that no step leaves.
    closed: Vec<u32>,
}

impl BallsBuilder {
    pub(super) fn new(places: usize) -> Self {
        Self {
            walk: BallSearch::new(places),
            balls: Balls::none(),
            closed: vec![NONE; places],
        }
    }

    /// Processes another place. `steps` hold for each place the place itself and its neighbours. Returns about how many
    /// words it read, or `None` if all lists together are longer than `limit`. Time: linear in the places reached and
    /// their steps.
    pub(super) fn advance(
        &mut self,
        steps: &Csr<u32>,
        speed: Speed,
        limit: usize,
    ) -> Option<usize> {
        let Balls {
            list_of,
            lists,
            rank_of,
            shared,
        } = &mut self.balls;
        let place = list_of.len();
        let ball = self.walk.within(steps, place, speed.steps(), |_| false);
        let cost = 1 + ball.len();
        // The ball of a place lies within every closed list that contains the place. If both
        // have the same number of places, they are equal.
        let known = self.closed[place];
        if known != NONE && lists.row(known as usize).len() == ball.len() {
            list_of.push(known);
            if rank_of[known as usize] == NONE {
                rank_of[known as usize] = shared.len() as u32;
                shared.push(known);
            }
            return Some(cost);
        }
        if lists.item_count() + ball.len() > limit.min(u32::MAX as usize) {
            return None;
        }
        let list = lists.rows() as u32;
        lists.push(ball);
        list_of.push(list);
        rank_of.push(NONE);
        if self.walk.is_closed(steps) {
            for &place in lists.row(list as usize) {
                self.closed[place as usize] = list;
            }
        }
        Some(cost)
    }

    pub(super) const fn is_done(&self) -> bool {
        self.balls.list_of.len() == self.closed.len()
    }

    /// The result, once it is done.
    pub(super) fn finish(self) -> Balls {
        self.balls
    }
}

impl Balls {
    /// Computes the lists for `steps`, as [`BallsBuilder`] does. Returns `None` if all lists together are longer than
    /// `limit`.
    pub(super) fn new(steps: &Csr<u32>, speed: Speed, limit: usize) -> Option<Self> {
        let mut builder = BallsBuilder::new(steps.rows());
        while !builder.is_done() {
            builder.advance(steps, speed, limit)?;
        }
        Some(builder.finish())
    }

    /// Creates an empty instance, without places.
    pub(super) fn none() -> Self {
        Self {
            list_of: Vec::new(),
            lists: Csr::from_rows(std::iter::empty::<[u32; 0]>()),
            rank_of: Vec::new(),
            shared: Vec::new(),
        }
    }

    /// The length of the longest list.
    pub(super) fn longest(&self) -> usize {
        let lists = (0..self.lists.rows()).map(|list| self.lists.row(list).len());
        lists.max().unwrap_or(0)
    }

    /// The places that an agent can reach from a place, including the place itself.
    pub(super) fn row(&self, place: usize) -> &[u32] {
        self.lists.row(self.list_of[place] as usize)
    }

    /// The index of the shared list of a place, or `None` if its list is not shared.
    pub(super) fn shared_by(&self, place: usize) -> Option<usize> {
        let rank = self.rank_of[self.list_of[place] as usize];
        (rank != NONE).then_some(rank as usize)
    }

    /// The number of shared lists.
    pub(super) const fn shared(&self) -> usize {
        self.shared.len()
    }

    /// The shared list with an index.
    pub(super) fn shared_list(&self, rank: usize) -> &[u32] {
        self.lists.row(self.shared[rank] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::steps_of;
    use proptest::prelude::*;

    fn speed(steps: u8) -> Speed {
        Speed::new(steps).expect("a speed")
    }

    proptest! {
        #[test]
        fn balls_are_walks(
            places in 1_usize..30,
            arcs in prop::collection::vec((0_usize..30, 0_usize..30), 0..60),
            most in prop_oneof![1_u8..6, Just(255)],
        ) {
            let arcs: Vec<_> = arcs.iter().map(|arc| (arc.0 % places, arc.1 % places)).collect();
            let steps = steps_of(places, &arcs);
            let balls = Balls::new(&steps, speed(most), usize::MAX).expect("no limit");
            let mut walk = BallSearch::new(places);
            for place in 0..places {
                let sorted = |places: &[u32]| {
                    let mut sorted = places.to_vec();
                    sorted.sort_unstable();
                    sorted
                };
                let expected = sorted(walk.within(&steps, place, most, |_| false));
                prop_assert_eq!(sorted(balls.row(place)), expected);
            }
        }
    }

    #[test]
    fn a_component_that_the_speed_covers_is_stored_once() {
        let places = 200;
        let arcs: Vec<_> = (1..places).flat_map(|a| [(a - 1, a), (a, a - 1)]).collect();
        let steps = steps_of(places, &arcs);
        let all = Balls::new(&steps, speed(199), 200).expect("one list");
        assert_eq!((all.lists.rows(), all.shared()), (1, 1));
        assert!((0..200).all(|place| all.shared_by(place) == Some(0)));
        assert!(Balls::new(&steps, speed(199), 199).is_none());
        // Each of the two ends reaches every place except the other end.
        let nearly = Balls::new(&steps, speed(198), 200 + 199 + 199).expect("three lists");
        assert_eq!((nearly.lists.rows(), nearly.shared()), (3, 1));
        assert_eq!(
            [0, 1, 198, 199].map(|place| nearly.shared_by(place)),
            [None, Some(0), Some(0), None]
        );
        assert!(Balls::new(&steps, speed(198), 200 + 199 + 198).is_none());
    }
}
