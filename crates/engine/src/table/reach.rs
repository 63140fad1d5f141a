//! The places that each place leads to, as sets of bits.

use super::bits::Bits;
use super::flood::Floods;
use super::sweep::{Threads, map};
use crate::graph::Csr;
use std::cmp::Reverse;
use std::sync::Arc;

/// The places that each place leads to, board by board. A board is 64 consecutive places, which
/// form one word of a set.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    /// For each board, the links to the boards that a move from it leads to.
    links: Csr<Link>,
    /// For each link and each place of its target board, the places from which a move leads there.
    origins: Vec<[u64; 64]>,
}

/// A connection from one board to a board that a move leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// The target board.
    pub to: u32,
    origins: u32,
    /// The places of the target board that are reached.
    pub reached: u64,
    /// The places of the source board from which a move leads to the target board.
    pub leaving: u64,
}

/// The memory of a link and its origins, in bytes.
pub(super) const BYTES_OF_A_LINK: u64 = 24 + 512;

/// The greatest number of boards between two checks of the memory.
const BOARDS_AT_ONCE: usize = 64;

const NONE: u32 = u32::MAX;

/// Finds the places that each place leads to in one move, board by board.
#[derive(Debug)]
pub(super) struct ReachBuilder {
    reach: Reach,
    /// The index of the link from the present board to each board, or [`NONE`] if there is no link.
    link_to: Vec<u32>,
}

impl ReachBuilder {
    /// Starts for agents on this number of places.
    pub(super) fn new(places: usize) -> Self {
        Self {
            reach: Reach {
                links: Csr::from_rows(std::iter::empty::<[Link; 0]>()),
                origins: Vec::new(),
            },
            link_to: vec![NONE; places.div_ceil(64)],
        }
    }

    /// Processes another board of agents that move from each place to the places that `moves` lists. Returns about how
    /// many words it wrote.
    pub(super) fn advance(&mut self, moves: &Csr<u32>) -> usize {
        let Reach {
            links: all,
            origins,
        } = &mut self.reach;
        let (board, mut steps) = (all.rows(), 0);
        let mut links: Vec<Link> = Vec::new();
        for place in board * 64..moves.rows().min(board * 64 + 64) {
            steps += moves.row(place).len();
            for &to in moves.row(place) {
                let index = &mut self.link_to[to as usize / 64];
                if *index == NONE {
                    *index = links.len() as u32;
                    links.push(Link {
                        to: to / 64,
                        origins: origins.len() as u32,
                        reached: 0,
                        leaving: 0,
                    });
                    origins.push([0; 64]);
                }
                let link = &mut links[*index as usize];
                link.reached |= 1 << (to % 64);
                link.leaving |= 1 << (place % 64);
                origins[link.origins as usize][to as usize % 64] |= 1 << (place % 64);
            }
        }
        for link in &links {
            self.link_to[link.to as usize] = NONE;
        }
        all.push(&links);
        steps / 4 + 8 * links.len()
    }

    pub(super) const fn is_done(&self) -> bool {
        self.reach.links.rows() == self.link_to.len()
    }

    /// The memory of what is found so far, in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        self.reach.bytes()
    }

    /// The result, once it is done.
    pub(super) fn finish(mut self) -> Reach {
        self.reach.origins.shrink_to_fit();
        self.reach
    }
}

/// Finds the places that each place leads to in a move of several steps, some boards at a time.
#[derive(Debug)]
pub(super) struct FastReach {
    floods: Floods,
    links: Vec<Vec<Link>>,
    origins: Vec<[u64; 64]>,
    /// The number of boards that are done.
    done: usize,
    /// About the number of words that a board takes.
    cost: usize,
}

impl FastReach {
    /// Starts for moves of up to `speed` steps, each of which is a move of `reach`. Every place has to lead to itself. If
    /// `is_symmetric`, every step leads both ways; then places from which one move reaches a whole component need no
    /// flood.
    pub(super) fn new(reach: Arc<Reach>, places: usize, speed: u8, is_symmetric: bool) -> Self {
        Self {
            floods: Floods::new(reach, places, speed, is_symmetric),
            links: vec![Vec::new(); places.div_ceil(64)],
            origins: Vec::new(),
            done: 0,
            cost: 1,
        }
    }

    /// Continues until about `budget` words are read or written, and returns how many. One flood for each place, in
    /// parallel with the feature `parallel` if the budget is worth it.
    pub(super) fn advance(&mut self, budget: usize) -> usize {
        let shared = self.floods.advance();
        if shared > 0 {
            return shared;
        }
        let most = (budget / self.cost).clamp(1, BOARDS_AT_ONCE);
        let most = if self.done == 0 { 1 } else { most };
        let some = self.done..self.links.len().min(self.done + most);
        let (first, floods) = (self.done, &self.floods);
        let threads = Threads::of_slice(budget);
        let found = map(threads, some.clone().collect(), |_, to| floods.blocks(to));
        let mut spent = 0;
        for (to, (blocks, cost)) in (first..).zip(found) {
            spent += cost;
            for (board, block) in blocks {
                self.links[board].push(Link::new(to as u32, self.origins.len() as u32, &block));
                self.origins.push(block);
            }
        }
        self.done = some.end;
        self.cost = (spent / some.len().max(1)).max(1);
        spent
    }

    pub(super) const fn is_done(&self) -> bool {
        self.done == self.links.len()
    }

    /// The memory of what is found so far, in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        self.origins.len() as u64 * BYTES_OF_A_LINK
    }

    /// The result, once it is done.
    pub(super) fn finish(mut self) -> Reach {
        self.origins.shrink_to_fit();
        // Links that solve most positions come first, above all the link from the board to itself:
        // they leave less work for the others.
        for (board, links) in (0..).zip(&mut self.links) {
            links.sort_by_key(|link: &Link| {
                let most = Reverse((link.leaving.count_ones(), link.reached.count_ones()));
                (link.to != board, most, link.to)
            });
        }
        Reach {
            links: Csr::from_rows(self.links.into_iter()),
            origins: self.origins,
        }
    }
}

impl Reach {
    /// Computes the reach of moves of up to `speed` steps, as [`FastReach`] does. Returns `None` if the result would need
    /// more than `limit` bytes.
    pub(super) fn within(
        self: &Arc<Self>,
        places: usize,
        speed: u8,
        is_symmetric: bool,
        limit: u64,
    ) -> Option<Arc<Self>> {
        if speed == 1 {
            return Some(Arc::clone(self));
        }
        let mut fast = FastReach::new(Arc::clone(self), places, speed, is_symmetric);
        while !fast.is_done() {
            fast.advance(usize::MAX);
            if fast.bytes() > limit {
                return None;
            }
        }
        Some(fast.finish().into())
    }

    /// The memory of the links and their origins, in bytes.
    pub(super) const fn bytes(&self) -> u64 {
        self.origins.len() as u64 * BYTES_OF_A_LINK
    }

    /// The links from a board.
    pub(super) fn links(&self, board: usize) -> &[Link] {
        self.links.row(board)
    }

    /// The places of the source board from which a move leads to one of `places` on the target
    /// board.
    #[inline]
    pub(super) fn before(&self, link: &Link, places: u64) -> u64 {
        let origins = &self.origins[link.origins as usize];
        Bits(places & link.reached).fold(0, |all, bit| all | origins[bit % 64])
    }
}

impl Link {
    fn new(to: u32, origins: u32, block: &[u64; 64]) -> Self {
        let reached = (0..).zip(block).filter(|(_, word)| **word != 0);
        Self {
            to,
            origins,
            reached: reached.fold(0, |all, (bit, _)| all | 1_u64 << bit),
            leaving: block.iter().fold(0, |all, word| all | word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{BallSearch, steps_of};
    use proptest::prelude::*;

    fn one_step(steps: &Csr<u32>) -> Arc<Reach> {
        let mut builder = ReachBuilder::new(steps.rows());
        while !builder.is_done() {
            builder.advance(steps);
        }
        builder.finish().into()
    }

    /// All pairs of places of which the first leads to the second according to `before`.
    fn pairs(reach: &Reach, places: usize) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for board in 0..places.div_ceil(64) {
            for link in reach.links(board) {
                let (mut reached, mut leaving) = (0, 0);
                for to in 0..64 {
                    let before = reach.before(link, 1 << to);
                    reached |= u64::from(before != 0) << to;
                    leaving |= before;
                    let from = Bits(before).map(|bit| board * 64 + bit);
                    pairs.extend(from.map(|from| (from, link.to as usize * 64 + to)));
                }
                assert_eq!((link.reached, link.leaving), (reached, leaving));
            }
        }
        pairs.sort_unstable();
        pairs
    }

    fn assert_walks(places: usize, arcs: &[(usize, usize)], is_symmetric: bool, speed: u8) {
        let steps = steps_of(places, arcs);
        let mut walk = BallSearch::new(places);
        let mut expected = Vec::new();
        for place in 0..places {
            let ball = walk.within(&steps, place, speed, |_| false).iter();
            expected.extend(ball.map(|&to| (place, to as usize)));
        }
        expected.sort_unstable();
        let reach = one_step(&steps).within(places, speed, is_symmetric, u64::MAX);
        assert_eq!(
            pairs(&reach.expect("no limit"), places),
            expected,
            "speed {speed}"
        );
    }

    fn both_ways(arcs: &[(usize, usize)]) -> Vec<(usize, usize)> {
        arcs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect()
    }

    proptest! {
        #[test]
        fn moves_of_many_steps_are_walks(
            places in 1_usize..200,
            arcs in prop::collection::vec((0_usize..200, 0_usize..200), 0..400),
            speed in prop_oneof![1_u8..6, Just(255)],
        ) {
            let arcs: Vec<_> = arcs.iter().map(|arc| (arc.0 % places, arc.1 % places)).collect();
            assert_walks(places, &arcs, false, speed);
            assert_walks(places, &both_ways(&arcs), true, speed);
        }
    }

    #[test]
    fn a_speed_that_just_covers_a_path_or_just_does_not() {
        for places in [129_usize, 130] {
            let path: Vec<_> = (1..places).map(|place| (place - 1, place)).collect();
            for speed in [63, 64, 65, 66, 96, 127, 128, 129, 130, 255] {
                assert_walks(places, &both_ways(&path), true, speed);
                assert_walks(places, &path, false, speed);
            }
        }
    }

    #[test]
    fn too_many_links_are_refused() {
        let places = 1000;
        let path: Vec<_> = (1..places).map(|place| (place - 1, place)).collect();
        let reach = one_step(&steps_of(places, &both_ways(&path)));
        // Each of the 16 boards is linked to itself and to its neighbours.
        let links = 16 + 2 * 15;
        let within = |limit| reach.within(places, 2, true, limit).map(|_| ());
        assert_eq!(within(links * BYTES_OF_A_LINK), Some(()));
        assert_eq!(within(links * BYTES_OF_A_LINK - 1), None);
    }
}
