//! The places that each place leads to, as sets of bits.

use super::bits::Bits;
use super::flood::Floods;
use super::sweep::map;
use crate::graph::Csr;
use std::cmp::Reverse;

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

/// The number of boards between two checks of the memory.
const BOARDS_AT_ONCE: usize = 64;

const NONE: u32 = u32::MAX;

impl Reach {
    /// Creates the reach of agents that move from each place to the places that `moves` lists.
    pub(super) fn new(moves: &Csr<u32>) -> Self {
        let mut origins: Vec<[u64; 64]> = Vec::new();
        let boards = moves.rows().div_ceil(64);
        // The index of the link from this board to each board, or [`NONE`] if there is no link.
        let mut link_to = vec![NONE; boards];
        let links = (0..boards).map(|board| {
            let mut links: Vec<Link> = Vec::new();
            for place in board * 64..moves.rows().min(board * 64 + 64) {
                for &to in moves.row(place) {
                    let index = &mut link_to[to as usize / 64];
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
                link_to[link.to as usize] = NONE;
            }
            links
        });
        Self {
            links: Csr::from_rows(links),
            origins,
        }
    }

    /// Computes the reach of moves of up to `speed` steps, each of which is a move of this reach.
    /// Every place has to lead to itself. Returns `None` if the result would need more than `limit`
    /// bytes.
    ///
    /// Time: one flood for each place, in parallel with the feature `parallel`. If `is_symmetric`,
    /// every step leads both ways; then places from which one move reaches a whole component need
    /// no flood.
    pub(super) fn within(
        &self,
        places: usize,
        speed: u8,
        is_symmetric: bool,
        limit: u64,
    ) -> Option<Self> {
        if speed == 1 {
            return Some(self.clone());
        }
        // A longer move reaches at least as much.
        if self.bytes() > limit {
            return None;
        }
        let boards = places.div_ceil(64);
        let floods = Floods::new(self, places, speed, is_symmetric);
        let mut origins = Vec::new();
        let mut links = vec![Vec::new(); boards];
        for first in (0..boards).step_by(BOARDS_AT_ONCE) {
            let some = (first..boards.min(first + BOARDS_AT_ONCE)).collect();
            for (to, blocks) in (first as u32..).zip(map(some, |_, to| floods.blocks(to))) {
                for (board, block) in blocks {
                    links[board].push(Link::new(to, origins.len() as u32, &block));
                    origins.push(block);
                }
            }
            if origins.len() as u64 * BYTES_OF_A_LINK > limit {
                return None;
            }
        }
        origins.shrink_to_fit();
        // Links that solve most positions come first, above all the link from the board to itself:
        // they leave less work for the others.
        for (board, links) in (0..).zip(&mut links) {
            links.sort_by_key(|link: &Link| {
                let most = Reverse((link.leaving.count_ones(), link.reached.count_ones()));
                (link.to != board, most, link.to)
            });
        }
        Some(Self {
            links: Csr::from_rows(links.into_iter()),
            origins,
        })
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
    use crate::table::walk::{Walk, steps_of};
    use proptest::prelude::*;

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
        let mut walk = Walk::new(places);
        let mut expected = Vec::new();
        for place in 0..places {
            let ball = walk.within(&steps, place, speed, |_| false).iter();
            expected.extend(ball.map(|&to| (place, to as usize)));
        }
        expected.sort_unstable();
        let reach = Reach::new(&steps).within(places, speed, is_symmetric, u64::MAX);
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
        let reach = Reach::new(&steps_of(places, &both_ways(&path)));
        // Each of the 16 boards is linked to itself and to its neighbours.
        let links = 16 + 2 * 15;
        let within = |limit| reach.within(places, 2, true, limit).map(|_| ());
        assert_eq!(within(links * BYTES_OF_A_LINK), Some(()));
        assert_eq!(within(links * BYTES_OF_A_LINK - 1), None);
    }
}
