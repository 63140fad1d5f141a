//! Reverse Minimax A*: searches backwards from the captures, those nearest to the position first.

use super::bounds::{MOST_TURNS, NEVER, Span};
use super::reachable_graph::{ReachableGraph, UNREACHABLE};
use super::seeds::Clock;
use super::solver::{OutOfMemory, SolverEffort, SolverStep};
use super::spot::Spot;
use super::store::Store;
use crate::game::Step;

/// Reverse Minimax A* (C. Moldenhauer's thesis, section 4.4, figures 4.9 and 4.10).
///
/// A state with the cops to move has a value once one of their moves leads to a state that has a value. A state
/// with the robber to move has a value once all of its moves lead to states that have values. States are
/// expanded in order of the sum of their value and the least number of turns from the start (`Clock`). The
/// queue consists of buckets, since all sums are whole numbers.
///
/// This heuristic differs by at most one turn over a move of the cops and a reply, and never grows over a
/// reply. A state is therefore never in an earlier bucket than the state from which it was found, the first
/// value that is taken from a bucket is the least one, and no state is expanded twice. This answers a question
/// that the thesis leaves open (section 4.6): with such a backward heuristic, RMA* never expands a state again.
///
/// The thesis also leaves open whether all captures have to be in the queue from the beginning. Here, a capture
/// enters the bucket of the turn in which it first comes within reach of the robber and the cops.
#[derive(Debug)]
pub struct Rma {
    clock: Clock,
    states: Store<u32>,
    queue: Queue,
    /// The present bucket, which is a lower bound on the value of the start.
    bound: u16,
    value: Option<u16>,
    is_full: bool,
    /// Whether some values exceed the greatest number of turns that is counted.
    is_too_long: bool,
    effort: SolverEffort,
    fixed_bytes: u64,
    limit: u64,
    moves: Vec<u16>,
    origins: Vec<u16>,
}

/// The mask of the value in a number. The lower half of a number stores the least value found so far and
/// whether it is final. The upper half stores one more than the number of the robber's replies without a value;
/// it is 0 as long as no value of a reply is known.
const VALUE: u32 = MOST_TURNS as u32;
const IS_FINAL: u32 = 1 << 15;
const REPLIES: u32 = 16;

/// The states to be expanded, by bucket.
#[derive(Debug, Default)]
struct Queue {
    cops_to_move: Vec<Vec<u64>>,
    replies: Vec<Vec<u64>>,
    bytes: u64,
    len: usize,
}

impl Queue {
    /// Adds a state. Returns `false` if the queue would then take more than `limit` bytes.
    fn push(&mut self, is_reply: bool, bucket: u16, key: u64, limit: u64) -> bool {
        let buckets = if is_reply {
            &mut self.replies
        } else {
            &mut self.cops_to_move
        };
        let index = usize::from(bucket);
        if buckets.len() <= index {
            let more = index + 1 - buckets.len();
            self.bytes += (more * size_of::<Vec<u64>>()) as u64;
            buckets.resize_with(index + 1, Vec::new);
        }
        let bucket = &mut buckets[index];
        if bucket.len() == bucket.capacity() {
            let more = bucket.len().max(16);
            // While a list is moved, its old memory is still in use.
            let bytes = (more * size_of::<u64>()) as u64;
            if self.bytes + 2 * bytes > limit {
                return false;
            }
            bucket.reserve_exact(more);
            self.bytes += bytes;
        }
        bucket.push(key);
        self.len += 1;
        true
    }

    /// Takes a state out of a bucket. States with the robber to move come first.
    fn pop(&mut self, bucket: u16) -> Option<(bool, u64)> {
        for (is_reply, buckets) in [(true, &mut self.replies), (false, &mut self.cops_to_move)] {
            let bucket = buckets.get_mut(usize::from(bucket));
            if let Some(key) = bucket.and_then(Vec::pop) {
                self.len -= 1;
                return Some((is_reply, key));
            }
        }
        None
    }

    /// Frees the memory of a bucket that will stay empty.
    fn release(&mut self, bucket: u16) {
        for buckets in [&mut self.replies, &mut self.cops_to_move] {
            if let Some(bucket) = buckets.get_mut(usize::from(bucket)) {
                self.bytes -= (bucket.capacity() * size_of::<u64>()) as u64;
                *bucket = Vec::new();
            }
        }
    }
}

impl Rma {
    /// Creates a search that takes at most `limit` bytes, including the graph.
    #[must_use]
    pub fn new(graph: &ReachableGraph, limit: u64) -> Self {
        let clock = Clock::new(graph);
        let fixed_bytes = graph.bytes() + clock.bytes();
        let value = graph.start.is_capture().then_some(0);
        let states = Store::new(
            graph.cops,
            graph.places(),
            limit.saturating_sub(fixed_bytes),
        );
        Self {
            clock,
            states,
            queue: Queue::default(),
            bound: 0,
            value,
            is_full: false,
            is_too_long: false,
            effort: SolverEffort::default(),
            fixed_bytes,
            limit,
            moves: Vec::new(),
            origins: Vec::new(),
        }
    }

    /// The proven bounds of the start.
    #[must_use]
    pub fn span(&self) -> Span {
        match self.value {
            Some(value) => Span::exactly(value),
            None => Span {
                lower: self.bound.max(1),
                upper: NEVER,
            },
        }
    }

    /// The effort so far.
    #[must_use]
    pub fn effort(&self) -> SolverEffort {
        SolverEffort {
            bytes: self.fixed_bytes + self.states.bytes() + self.queue.bytes,
            ..self.effort
        }
    }

    /// Continues until about `budget` more states are expanded.
    pub fn advance(&mut self, graph: &ReachableGraph, budget: u64) -> SolverStep {
        let end = self.effort.work.expansions.saturating_add(budget);
        let start = graph.start.key(graph.cops);
        while self.value.is_none() && !self.is_full && self.effort.work.expansions < end {
            match self.queue.pop(self.bound) {
                None => self.next_bucket(graph),
                Some((true, key)) => self.expand_reply(graph, key),
                Some((false, key)) if key == start => self.value = Some(self.bound),
                Some((false, key)) => self.expand(graph, key),
            }
        }
        match self.value {
            Some(_) => Step::Done(Ok(())),
            None if self.is_full => Step::Done(Err(OutOfMemory)),
            None => Step::Working,
        }
    }

    /// The value of a state with the robber to move, if all replies have values.
    fn reply_value(&self, graph: &ReachableGraph, spot: Spot, moves: &mut Vec<u16>) -> Option<u16> {
        if self.states.get(spot.key(graph.cops)) >> REPLIES != 1 {
            return None;
        }
        graph.robber_moves(spot, moves);
        let values = moves.iter().map(|&robber| {
            let key = spot.with_robber(robber).key(graph.cops);
            (self.states.get(key) & VALUE) as u16
        });
        values.max()
    }

    /// An optimal line from the start: the states after each move of the cops and after each reply. It is empty
    /// if the value is not known or the robber escapes.
    #[must_use]
    pub fn line(&self, graph: &ReachableGraph) -> Vec<Spot> {
        let mut line = Vec::new();
        let mut moves = Vec::new();
        let mut spot = graph.start;
        let Some(value) = self.value.filter(|&value| value != NEVER) else {
            return line;
        };
        for turns in (0..value).rev() {
            // Every state on an optimal line has its value.
            let after = graph.find_joint_move(spot, |after| {
                let value = self.reply_value(graph, after, &mut moves);
                value.is_some_and(|value| value <= turns)
            });
            let Some(after) = after else {
                return Vec::new();
            };
            line.push(after);
            if turns == 0 {
                break;
            }
            graph.robber_moves(after, &mut moves);
            let reply = moves.iter().find(|&&robber| {
                let key = after.with_robber(robber).key(graph.cops);
                (self.states.get(key) & VALUE) as u16 == turns
            });
            let Some(&robber) = reply else {
                return Vec::new();
            };
            spot = after.with_robber(robber);
            line.push(spot);
        }
        line
    }

    fn next_bucket(&mut self, graph: &ReachableGraph) {
        self.queue.release(self.bound);
        let is_last = self.bound >= self.clock.last_turn();
        let is_exhausted = is_last && self.queue.len == 0;
        if is_exhausted && !self.is_too_long {
            self.value = Some(NEVER);
            return;
        }
        if is_exhausted || self.bound == MOST_TURNS {
            self.is_full = true;
            return;
        }
        self.bound += 1;
        let limit = self.room();
        let (queue, bound) = (&mut self.queue, self.bound);
        let mut has_room = true;
        self.clock.captures(bound, |spot| {
            has_room = queue.push(true, bound, spot.key(graph.cops), limit);
            has_room
        });
        self.is_full = !has_room;
    }

    /// The bytes that the queue may take.
    fn room(&self) -> u64 {
        let taken = self.fixed_bytes + self.states.bytes();
        self.limit.saturating_sub(taken)
    }

    /// The numbers of a state, to be changed; `None` if there is no memory for it beside the queue.
    fn state(&mut self, key: u64) -> Option<&mut u32> {
        let taken = self.fixed_bytes + self.queue.bytes;
        self.states.set_limit(self.limit.saturating_sub(taken));
        self.states.slot(key)
    }

    /// A state with the robber to move has its value: so have those from which the cops move there.
    fn expand_reply(&mut self, graph: &ReachableGraph, key: u64) {
        self.effort.work.expansions += 1;
        let spot = Spot::of_key(key, graph.cops);
        let value = self.bound - self.clock.turns_to_reply(spot) + 1;
        let [a, b, c] = spot.cops.map(|cop| graph.cop_origins(cop));
        let mut before = spot;
        let once = [u32::from(spot.cops[0])];
        for &first in a {
            before.cops = [first as u16; 3];
            for &second in if graph.cops > 1 { b } else { &once } {
                if graph.cops > 1 {
                    before.cops[1] = second as u16;
                    before.cops[2] = second as u16;
                }
                for &third in if graph.cops > 2 { c } else { &once } {
                    if graph.cops > 2 {
                        before.cops[2] = third as u16;
                    }
                    self.offer(graph, before, value);
                }
            }
        }
    }

    /// Stores a value for a state with the cops to move, if it is the least so far.
    fn offer(&mut self, graph: &ReachableGraph, spot: Spot, value: u16) {
        if spot.is_capture() {
            return;
        }
        self.effort.work.touched += 1;
        let turns = self.clock.turns_to(spot);
        let bucket = value.saturating_add(turns);
        if bucket > MOST_TURNS {
            self.is_too_long |= turns != UNREACHABLE;
            return;
        }
        let key = spot.key(graph.cops);
        let Some(state) = self.state(key) else {
            self.is_full = true;
            return;
        };
        let known = (*state & VALUE) as u16;
        if *state & IS_FINAL == 0 && (known == 0 || value < known) {
            *state = *state & !VALUE | u32::from(value);
            let room = self.room();
            self.is_full |= !self.queue.push(false, bucket, key, room);
        }
    }

    /// Counts the value of a state with the cops to move as a reply in all states from which the robber can
    /// move there.
    fn expand(&mut self, graph: &ReachableGraph, key: u64) {
        let Some(state) = self.state(key) else {
            self.is_full = true;
            return;
        };
        if *state & IS_FINAL != 0 {
            return;
        }
        *state |= IS_FINAL;
        self.effort.work.expansions += 1;
        let spot = Spot::of_key(key, graph.cops);
        let mut origins = std::mem::take(&mut self.origins);
        graph.robber_origins(spot, &mut origins);
        for &robber in &origins {
            self.effort.work.touched += 1;
            self.count_reply(graph, spot.with_robber(robber));
        }
        self.origins = origins;
    }

    /// Counts one more reply with a value for a state with the robber to move.
    fn count_reply(&mut self, graph: &ReachableGraph, spot: Spot) {
        let key = spot.key(graph.cops);
        let mut moves = std::mem::take(&mut self.moves);
        if let Some(state) = self.state(key) {
            let mut left = *state >> REPLIES;
            if left == 0 {
                graph.robber_moves(spot, &mut moves);
                left = moves.len() as u32 + 1;
            }
            left -= 1;
            *state = *state & (VALUE | IS_FINAL) | left << REPLIES;
            if left == 1 {
                graph.robber_moves(spot, &mut moves);
                self.close_reply(graph, spot, &moves);
            }
        } else {
            self.is_full = true;
        }
        self.moves = moves;
    }

    /// Gives a state whose replies all have values the greatest of these values.
    fn close_reply(&mut self, graph: &ReachableGraph, spot: Spot, moves: &[u16]) {
        let values = moves.iter().map(|&robber| {
            let state = self.states.get(spot.with_robber(robber).key(graph.cops));
            (state & VALUE) as u16
        });
        let value = values.max().unwrap_or_default();
        let turns = self.clock.turns_to_reply(spot);
        let bucket = value.saturating_add(turns);
        if bucket > MOST_TURNS {
            self.is_too_long |= turns != UNREACHABLE;
        } else {
            let room = self.room();
            let key = spot.key(graph.cops);
            self.is_full |= !self.queue.push(true, bucket, key, room);
        }
    }
}
