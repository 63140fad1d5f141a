use super::bits::Bits;
use crate::graph::Csr;

/// Which places lead to which, board by board: a board is 64 places that make one word of a set.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    /// For each board the boards that a move from it leads to.
    links: Csr<Link>,
    /// For each link and each place of the board it leads to the places it is reached from.
    origins: Vec<[u64; 64]>,
}

/// A board that some place of another board leads to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// The board that is reached.
    pub to: u32,
    origins: u32,
    /// The places of it that are reached.
    pub reached: u64,
    /// The places of the link's own board that lead there.
    pub leaving: u64,
}

impl Reach {
    /// From the places that each place leads to.
    pub(super) fn new(moves: &Csr<u32>) -> Self {
        let mut origins: Vec<[u64; 64]> = Vec::new();
        let links = (0..moves.rows().div_ceil(64)).map(|board| {
            let mut links: Vec<Link> = Vec::new();
            for place in board * 64..moves.rows().min(board * 64 + 64) {
                for &to in moves.row(place) {
                    let known = links.iter().position(|link| link.to == to / 64);
                    let index = known.unwrap_or_else(|| {
                        links.push(Link {
                            to: to / 64,
                            origins: origins.len() as u32,
                            reached: 0,
                            leaving: 0,
                        });
                        origins.push([0; 64]);
                        links.len() - 1
                    });
                    let link = &mut links[index];
                    link.reached |= 1 << (to % 64);
                    link.leaving |= 1 << (place % 64);
                    origins[link.origins as usize][to as usize % 64] |= 1 << (place % 64);
                }
            }
            links
        });
        Self {
            links: Csr::from_rows(links),
            origins,
        }
    }

    /// The boards that a move from `board` leads to.
    pub(super) fn links(&self, board: usize) -> &[Link] {
        self.links.row(board)
    }

    /// The places of the link's own board from which a move leads to one of `places` of the other.
    #[inline]
    pub(super) fn before(&self, link: &Link, places: u64) -> u64 {
        let origins = &self.origins[link.origins as usize];
        Bits(places & link.reached).fold(0, |all, bit| all | origins[bit % 64])
    }
}
