//! Breadth-first searches backwards, 64 places at a time.

use super::reach::{Link, Reach};

const NONE: u32 = u32::MAX;

/// From where places are reached in some steps, as sets of bits: a breadth-first search backwards
/// that looks at 64 places at a time.
pub(super) struct Floods<'a> {
    reach: &'a Reach,
    places: usize,
    speed: u8,
    /// For each board the links that lead to it, with the boards they come from.
    into: Vec<Vec<(u32, Link)>>,
    /// Sets that many places share, and which of them each place has, if any.
    shared: Vec<Vec<u64>>,
    shared_by: Vec<u32>,
}

/// A search, in memory that is used again.
struct Flood {
    seen: Vec<u64>,
    /// What the last step has added, and the boards where it has.
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

    /// For each board that a move leads from to board `to`, for each place of that the places it is
    /// reached from.
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

    /// Finds places from which a move leads to all of their component. If a place is `e` steps from
    /// the farthest one, those within `speed - e` steps of it are such places; the middle of a
    /// longest path has about the least `e`.
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

    /// A place halfway from one end of a shortest way of some length to the other.
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

    /// Adds all places from which a step leads to the rim. Returns whether there are any.
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

    /// A place that is as many steps away as any, and how many.
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
