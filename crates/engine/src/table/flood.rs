//! Backward breadth-first searches over 64 places at a time.

use super::bits::ones;
use super::reach::{Link, Reach};
use std::sync::Arc;

const NONE: u32 = u32::MAX;

/// Finds the places from which a place is reached within `speed` steps, as sets of bits. The
/// breadth-first search runs backwards and handles 64 places at a time.
#[derive(Debug)]
pub(super) struct Floods {
    reach: Arc<Reach>,
    places: usize,
    speed: u8,
    /// For each board, the links that lead to it and the boards that they come from.
    into: Vec<Vec<(u32, Link)>>,
    /// Sets that many places have in common, and for each place the index of its set or [`NONE`].
    shared: Vec<Vec<u64>>,
    shared_by: Vec<u32>,
    sharing: Option<HubSearch>,
}

/// The search for places from which one move reaches their whole component. If a place is `e` steps from
/// the place farthest from it, all places within `speed - e` steps of it have this property.
/// The middle of a longest path has nearly the smallest `e`.
#[derive(Debug)]
struct HubSearch {
    /// The places whose components are done, and a number below which there are no others.
    known: Vec<u64>,
    next: usize,
    flood: BoardSearch,
    /// The place that the flood reached last, and its distance in steps.
    last: usize,
    steps: usize,
    task: HubStage,
}

/// What the flood of [`HubSearch`] is for. Those of a component follow each other in this order.
#[derive(Debug)]
enum HubStage {
    /// Look for another component.
    Next,
    /// Find an end of a longest path.
    End,
    /// Find the other end.
    OtherEnd { end: usize },
    /// Find the first half of the path, from the other end.
    Near {
        ends: [usize; 2],
        left: usize,
        rest: usize,
    },
    /// Find the second half.
    Rest {
        from: usize,
        near: Vec<u64>,
        left: usize,
    },
    /// Find how far places are from the middle.
    Depth { middle: usize },
    /// Find the places near the middle, which share a set.
    Slack { shared: u32, left: usize },
}

/// The state of a search. The memory is reused.
#[derive(Debug)]
struct BoardSearch {
    seen: Vec<u64>,
    /// `rim` holds the places that the last step added, and `boards` the boards on which they lie.
    /// `next` and `next_boards` collect the same for the current step.
    rim: Vec<u64>,
    boards: Vec<u32>,
    next: Vec<u64>,
    next_boards: Vec<u32>,
    /// About how many words have been examined.
    looked: usize,
}

impl Floods {
    pub(super) fn new(reach: Arc<Reach>, places: usize, speed: u8, is_symmetric: bool) -> Self {
        let boards = places.div_ceil(64);
        let mut into = vec![Vec::new(); boards];
        for board in 0..boards {
            for link in reach.links(board) {
                into[link.to as usize].push((board as u32, *link));
            }
        }
        Self {
            reach,
            places,
            speed,
            into,
            shared: Vec::new(),
            shared_by: vec![NONE; places],
            sharing: is_symmetric.then(|| HubSearch::new(boards)),
        }
    }

    /// Continues to look for sets that many places have in common. Returns about how many words it examined, and 0 if
    /// nothing is left to do.
    pub(super) fn advance(&mut self) -> usize {
        let Some(mut sharing) = self.sharing.take() else {
            return 0;
        };
        let before = sharing.flood.looked;
        if sharing.advance(self) {
            let cost = sharing.flood.looked - before;
            self.sharing = Some(sharing);
            return cost.max(1);
        }
        0
    }

    /// For each board from which a move leads to board `to`: for each place of board `to`, the
    /// places of that board from which it is reached. Also returns about how many words it examined.
    pub(super) fn blocks(&self, to: usize) -> (Vec<(usize, [u64; 64])>, usize) {
        let boards = self.places.div_ceil(64);
        let mut blocks = vec![None; boards];
        let mut flood = BoardSearch::new(boards);
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
        let blocks = blocks.filter_map(|(board, block)| Some((board, block?)));
        // Each place examines a word of each board.
        (blocks.collect(), flood.looked + 64 * boards / 4)
    }
}

impl HubSearch {
    fn new(boards: usize) -> Self {
        Self {
            known: vec![0; boards],
            next: 0,
            flood: BoardSearch::new(boards),
            last: 0,
            steps: 0,
            task: HubStage::Next,
        }
    }

    /// Takes one step of a flood. Returns `false` if all components are done.
    fn advance(&mut self, floods: &mut Floods) -> bool {
        self.task = match std::mem::replace(&mut self.task, HubStage::Next) {
            HubStage::Next => {
                let is_known = |place: usize| self.known[place / 64] >> (place % 64) & 1 == 1;
                let mut places = self.next..floods.places;
                let Some(place) = places.find(|&place| !is_known(place)) else {
                    return false;
                };
                self.next = place;
                self.begin(place);
                HubStage::End
            }
            task @ (HubStage::End | HubStage::OtherEnd { .. } | HubStage::Depth { .. }) => {
                if self.grow(floods) {
                    task
                } else {
                    self.measured(floods, &task)
                }
            }
            HubStage::Near { ends, left, rest } if left > 0 => {
                self.flood.step(floods);
                let left = left - 1;
                HubStage::Near { ends, left, rest }
            }
            HubStage::Near {
                ends: [from, to],
                rest,
                ..
            } => {
                let (near, left) = (self.flood.seen.clone(), rest);
                self.flood.start(to);
                HubStage::Rest { from, near, left }
            }
            HubStage::Rest { from, near, left } if left > 0 => {
                self.flood.step(floods);
                let left = left - 1;
                HubStage::Rest { from, near, left }
            }
            HubStage::Rest { from, near, .. } => {
                let both = near
                    .iter()
                    .zip(&self.flood.seen)
                    .map(|(near, rest)| near & rest);
                let board = both.enumerate().find(|&(_, word)| word != 0);
                let place =
                    |(board, word): (usize, u64)| board * 64 + word.trailing_zeros() as usize;
                let middle = board.map_or(from, place);
                self.begin(middle);
                HubStage::Depth { middle }
            }
            HubStage::Slack { shared, left } if left > 0 && self.flood.step(floods) => {
                let left = left - 1;
                HubStage::Slack { shared, left }
            }
            HubStage::Slack { shared, .. } => {
                for place in ones(&self.flood.seen) {
                    floods.shared_by[place] = shared;
                }
                HubStage::Next
            }
        };
        true
    }

    /// What comes after a flood of a whole component.
    fn measured(&mut self, floods: &mut Floods, task: &HubStage) -> HubStage {
        match *task {
            HubStage::OtherEnd { end } => {
                let (other_end, length) = (self.last, self.steps);
                let left = length / 2;
                self.flood.start(other_end);
                let ends = [other_end, end];
                let rest = length - left;
                HubStage::Near { ends, left, rest }
            }
            HubStage::Depth { middle } => {
                let Some(left) = usize::from(floods.speed).checked_sub(self.steps) else {
                    return HubStage::Next;
                };
                let shared = floods.shared.len() as u32;
                floods.shared.push(self.flood.seen.clone());
                self.flood.start(middle);
                HubStage::Slack { shared, left }
            }
            _ => {
                for (known, seen) in self.known.iter_mut().zip(&self.flood.seen) {
                    *known |= seen;
                }
                let end = self.last;
                self.begin(end);
                HubStage::OtherEnd { end }
            }
        }
    }

    /// Starts to look for the place farthest from this one.
    fn begin(&mut self, place: usize) {
        self.flood.start(place);
        (self.last, self.steps) = (place, 0);
    }

    /// Takes a step towards the farthest place. Returns `false` if it is found.
    fn grow(&mut self, floods: &Floods) -> bool {
        let grows = self.flood.step(floods);
        if grows {
            self.steps += 1;
        }
        if let Some(&board) = self.flood.boards.first() {
            let rim = self.flood.rim[board as usize];
            self.last = board as usize * 64 + rim.trailing_zeros() as usize;
        }
        grows
    }
}

impl BoardSearch {
    fn new(boards: usize) -> Self {
        Self {
            seen: vec![0; boards],
            rim: vec![0; boards],
            boards: Vec::new(),
            next: vec![0; boards],
            next_boards: Vec::new(),
            looked: 0,
        }
    }

    fn start(&mut self, place: usize) {
        self.seen.fill(0);
        self.looked += self.seen.len() / 8;
        for board in self.boards.drain(..) {
            self.rim[board as usize] = 0;
        }
        self.seen[place / 64] = 1 << (place % 64);
        self.rim[place / 64] = 1 << (place % 64);
        self.boards.push(place as u32 / 64);
    }

    /// Adds all places from which one step leads to the rim. Returns whether there are any.
    fn step(&mut self, floods: &Floods) -> bool {
        for board in self.boards.drain(..) {
            let rim = std::mem::take(&mut self.rim[board as usize]);
            self.looked += floods.into[board as usize].len();
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
}
