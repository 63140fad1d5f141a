//! Backward breadth-first searches over 64 places at a time.

use super::reach::{Link, Reach};

const NONE: u32 = u32::MAX;

/// Finds the places from which a place is reached within `speed` steps, as sets of bits. The
/// breadth-first search runs backwards and handles 64 places at a time.
pub(super) struct Floods<'a> {
    reach: &'a Reach,
    places: usize,
    speed: u8,
    /// For each board, the links that lead to it and the boards that they come from.
    into: Vec<Vec<(u32, Link)>>,
    /// Sets that many places have in common, and for each place the index of its set or [`NONE`].
    shared: Vec<Vec<u64>>,
    shared_by: Vec<u32>,
}

/// The state of a search. The memory is reused.
struct Flood {
    seen: Vec<u64>,
    /// `rim` holds the places that the last step added, and `boards` the boards on which they lie.
    /// `next` and `next_boards` collect the same for the step under way.
    rim: Vec<u64>,
    boards: Vec<u32>,
    next: Vec<u64>,
    next_boards: Vec<u32>,
}

impl<'a> Floods<'a> {
    pub(super) fn new(reach: &'a Reach, places: usize, speed: u8, is_symmetric: bool) -> Self {
        let boards = places.div_ceil(64);
        let mut into = vec![Vec::new(); boards];
        for board in 0..boards {
            for link in reach.links(board) {
                into[link.to as usize].push((board as u32, *link));
            }
        }
        let mut floods = Self {
            reach,
            places,
            speed,
            into,
            shared: Vec::new(),
            shared_by: vec![NONE; places],
        };
        if is_symmetric {
            floods.share();
        }
        floods
    }

    /// For each board from which a move leads to board `to`: for each place of board `to`, the
    /// places of that board from which it is reached.
    pub(super) fn blocks(&self, to: usize) -> Vec<(usize, [u64; 64])> {
        let boards = self.places.div_ceil(64);
        let mut blocks = vec![None; boards];
        let mut flood = Flood::new(boards);
        for place in to * 64..self.places.min(to * 64 + 64) {
            let set = match self.shared_by[place] {
                NONE => {
                    flood.start(place);
                    for _ in 0..self.speed {
                        if !flood.step(self) {
                            break;
                        }
                    }
                    &flood.seen
                }
                shared => &self.shared[shared as usize],
            };
            for (block, &word) in blocks.iter_mut().zip(set) {
                if word != 0 {
                    block.get_or_insert([0; 64])[place % 64] = word;
                }
            }
        }
        let blocks = blocks.into_iter().enumerate();
        blocks
            .filter_map(|(board, block)| Some((board, block?)))
            .collect()
    }

    /// Finds places from which one move reaches their whole component. If a place is `e` steps from
    /// the place farthest from it, all places within `speed - e` steps of it have this property.
    /// The middle of a longest path has nearly the smallest `e`.
    fn share(&mut self) {
        let boards = self.places.div_ceil(64);
        let mut flood = Flood::new(boards);
        let mut known = vec![0_u64; boards];
        for place in 0..self.places {
            if known[place / 64] >> (place % 64) & 1 == 1 {
                continue;
            }
            let (end, _) = flood.farthest(self, place);
            for (known, seen) in known.iter_mut().zip(&flood.seen) {
                *known |= seen;
            }
            let (other_end, length) = flood.farthest(self, end);
            let middle = self.middle(&mut flood, other_end, end, length);
            let (_, depth) = flood.farthest(self, middle);
            let Some(slack) = usize::from(self.speed).checked_sub(depth) else {
                continue;
            };
            let shared = self.shared.len() as u32;
            self.shared.push(flood.seen.clone());
            flood.start(middle);
            for _ in 0..slack {
                if !flood.step(self) {
                    break;
                }
            }
            for place in super::bits::ones(&flood.seen) {
                self.shared_by[place] = shared;
            }
        }
    }

    /// A place halfway along a shortest path from `from` to `to`, which is `length` steps long.
    fn middle(&self, flood: &mut Flood, from: usize, to: usize, length: usize) -> usize {
        let half = length / 2;
        let around = |flood: &mut Flood, place, steps| {
            flood.start(place);
            for _ in 0..steps {
                flood.step(self);
            }
            flood.seen.clone()
        };
        let near = around(flood, from, half);
        let rest = around(flood, to, length - half);
        let mut both = near.iter().zip(&rest).map(|(near, rest)| near & rest);
        let board = both.position(|word| word != 0).unwrap_or(from / 64);
        let word = near[board] & rest[board];
        if word == 0 {
            return from;
        }
        board * 64 + word.trailing_zeros() as usize
    }
}

impl Flood {
    fn new(boards: usize) -> Self {
        Self {
            seen: vec![0; boards],
            rim: vec![0; boards],
            boards: Vec::new(),
            next: vec![0; boards],
            next_boards: Vec::new(),
        }
    }

    fn start(&mut self, place: usize) {
        self.seen.fill(0);
        for board in self.boards.drain(..) {
            self.rim[board as usize] = 0;
        }
        self.seen[place / 64] = 1 << (place % 64);
        self.rim[place / 64] = 1 << (place % 64);
        self.boards.push(place as u32 / 64);
    }

    /// Adds all places from which one step leads to the rim. Returns whether there are any.
    fn step(&mut self, floods: &Floods<'_>) -> bool {
        for board in self.boards.drain(..) {
            let rim = std::mem::take(&mut self.rim[board as usize]);
            for (from, link) in &floods.into[board as usize] {
                let before = floods.reach.before(link, rim);
                let new = before & !self.seen[*from as usize];
                if new != 0 {
                    let next = &mut self.next[*from as usize];
                    if *next == 0 {
                        self.next_boards.push(*from);
                    }
                    *next |= new;
                }
            }
        }
        for &board in &self.next_boards {
            self.seen[board as usize] |= self.next[board as usize];
        }
        std::mem::swap(&mut self.rim, &mut self.next);
        std::mem::swap(&mut self.boards, &mut self.next_boards);
        !self.boards.is_empty()
    }

    /// A place at the greatest distance from `place`, and this distance in steps.
    fn farthest(&mut self, floods: &Floods<'_>, place: usize) -> (usize, usize) {
        self.start(place);
        let (mut last, mut steps) = (place, 0);
        while self.step(floods) {
            steps += 1;
            if let Some(&board) = self.boards.first() {
                last = board as usize * 64 + self.rim[board as usize].trailing_zeros() as usize;
            }
        }
        (last, steps)
    }
}
