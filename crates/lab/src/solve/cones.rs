//! Retrograde analysis of all states that two cops and a robber can reach within a number of turns.

use super::alone::{Alone, Blocks};
use super::row::Row;
use super::shifts::{Block, LANES};
pub(super) use narrow::{Confined, Narrow};
pub(super) use near::Part;
use near::{Near, gathered, groups, indices, moves_between, steps_between};
use pursuit_engine::game::Work;
use pursuit_engine::graph::Csr;
use pursuit_engine::solve::ReachableGraph;
use pursuit_engine::solve::Spot;
use std::sync::atomic::{AtomicUsize, Ordering};
use turn::Scratch;

mod narrow;
mod near;
mod turn;

/// The states of a level with the robber to move that the cops win in time.
#[derive(Debug, Default)]
struct Level {
    /// What each cop wins alone, wherever the other one is. The places of each cop are in ascending order.
    alone: Vec<Row>,
    /// What only both win together, for each place of the first cop.
    rows: Vec<Row>,
    bytes: u64,
}

/// The states that are considered after a number of turns.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reach {
    /// The places of the first cop: the first ones of its list.
    rows: usize,
    /// The words of places of the second cop, as bits.
    words: Vec<u64>,
    /// The blocks of places of the robber, as bits.
    blocks: Vec<u64>,
}

/// The number of parts into which the work is split for threads. It is the same on all machines, so that the memory is
/// the same, too.
const PARTS: usize = 8;

/// A slice ends when less than this part of its budget is left.
const LEFT_OVER: u64 = 8;

/// The blocks per expansion. An expansion then takes about as long as one of the other searches.
const BLOCKS_OF_AN_EXPANSION: u64 = 1 << 7;
/// The work of a row without a block, in blocks.
const BLOCKS_OF_A_ROW: u64 = 1 << 4;

/// Finds within which number of turns, up to a limit, the cops win from a start.
///
/// After `t` turns, an agent is within `t` moves of its start. The analysis goes from the last turn back to the
/// first one. On each level it considers all states within these cones, as sets: a word holds a bit for each of
/// 64 places of the second cop. Undoing a move of the first cop takes a union of rows, a move of the second cop
/// some [shifts](super::shifts::Shifts), and a move of the robber an intersection. Blocks of states of which none
/// is won take neither time nor memory. What a cop wins [alone](Alone) does not depend on the other cop, and is
/// stored apart: the sets hold only what both win together.
///
/// All states in the sets are won in time, whatever the limit is. Conversely, a state that is won in time is in the
/// sets if a game from the start can reach it in time.
#[derive(Debug)]
pub(super) struct Cones {
    start: Spot,
    limit: u16,
    /// Whether some places within reach are left out, and the robber escapes where it leaves its places.
    is_narrow: bool,
    /// Whether the robber is confined to some of the places within its reach.
    is_confined: bool,
    /// Whether no agent reaches further places after the limit.
    is_whole: bool,
    /// The places of the first cop by the turns that it needs.
    first: Vec<u16>,
    /// For each place of the first cop, its moves as indices.
    moves: Csr<u32>,
    /// The places of both cops, in ascending order.
    places: [Vec<u16>; 2],
    /// What each cop wins alone.
    alone: [Alone; 2],
    /// For each word of the second cop, the words that its moves lead to.
    sources: Csr<u32>,
    /// For each word of the second cop, the words from which its moves lead there, as bits modulo 64.
    origins: Vec<u64>,
    /// The places of the robber. Each block of them is near together.
    robbers: Vec<u16>,
    /// For each place, its index among those of the robber, or [`NOWHERE`].
    robber_at: Vec<u32>,
    blocks: Blocks,
    /// What is within reach after each number of turns.
    reach: Vec<Reach>,
    /// The number of turns that are left on the present level.
    left: u16,
    last: Level,
    /// The current level.
    next: Option<Level>,
    /// The levels of the first turns, the latest ones first.
    kept: Vec<Level>,
    scratch: Vec<Scratch>,
    memory: u64,
    fixed_bytes: u64,
    scratch_bytes: u64,
    /// The work so far, in blocks.
    work: u64,
    pub spent: Work,
}

const NOWHERE: u32 = u32::MAX;

/// What a step of the analysis tells about the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Running,
    /// The value; in a narrow analysis, an upper bound.
    Value(u16),
    /// The value exceeds the limit; in a narrow analysis, it has no proof within the limit.
    Later,
    /// The robber escapes.
    Never,
    /// The memory does not suffice.
    Full,
}

/// For each word of the second cop, the words that its moves lead to.
fn sources(cop: &Alone) -> Csr<u32> {
    Csr::from_rows((0..cop.words()).map(|word| {
        let mut sources: Vec<u32> = cop.shifts().sources(word).map(|word| word as u32).collect();
        sources.dedup();
        sources
    }))
}

/// For each word of the second cop, the words from which its moves lead there, as bits modulo 64.
fn origins(sources: &Csr<u32>) -> Vec<u64> {
    let mut origins = vec![0; sources.rows()];
    for word in 0..sources.rows() {
        for &to in sources.row(word) {
            origins[to as usize] |= 1 << (word % 64);
        }
    }
    origins
}

/// The bytes that are taken by what each cop wins alone.
fn bytes_alone(places: &[Vec<u16>; 2], blocks: &Blocks) -> usize {
    let sizes = places.iter();
    let sizes = sizes.map(|places| Alone::bytes(places.len(), blocks.count));
    sizes.sum()
}

impl Cones {
    /// Prepares an analysis within `memory` bytes.
    pub(super) fn new(
        graph: &ReachableGraph,
        start: Spot,
        limit: u16,
        memory: u64,
        part: Part<'_>,
    ) -> Self {
        let near = Near::new(graph, start, limit, part);
        let [(firsts, first_turns), (second, second_turns)] = near.cops;
        let (robbers, robber_turns) = near.robber;
        let mut first = firsts.clone();
        first.sort_by_key(|&place| first_turns[usize::from(place)]);
        let robbers = gathered(graph, &robbers);
        let reach = (0..=limit).map(|turn| Reach {
            rows: first.partition_point(|&place| first_turns[usize::from(place)] <= turn),
            words: groups(&second, &second_turns, turn, 64),
            // The robber moves after the cops.
            blocks: groups(&robbers, &robber_turns, turn.saturating_sub(1), LANES),
        });
        let reach: Vec<Reach> = reach.collect();
        let moves = moves_between(graph, &first);
        let robber_at = indices(graph, &robbers);
        let blocks = Blocks::new(steps_between(graph, &robbers, &robber_at, near.is_confined));
        let places = [firsts, second];
        let alone_bytes = bytes_alone(&places, &blocks);
        let words = places[1].len().div_ceil(64);
        let scratch_bytes = (2 * words + 6) * (blocks.count + 1) * (size_of::<Block>() + 8) * PARTS;
        let tables = graph.places() * 8 + (moves.item_count() + robbers.len()) * 8 + blocks.bytes();
        let reach_bytes = usize::from(limit) * (blocks.masks + words) * 8;
        let fixed_bytes = (scratch_bytes + alone_bytes + tables + reach_bytes) as u64;
        let fits = fixed_bytes <= memory;
        let alone = places.each_ref().map(|places| {
            let places = if fits { places.as_slice() } else { &[] };
            Alone::new(graph, places, &robbers, &blocks)
        });
        let fixed_bytes = fixed_bytes + alone.iter().map(|cop| cop.shifts().bytes()).sum::<u64>();
        let sources = sources(&alone[1]);
        let mut cones = Self {
            start,
            limit,
            is_narrow: near.is_narrow,
            is_confined: near.is_confined,
            is_whole: near.is_whole,
            moves,
            origins: origins(&sources),
            sources,
            fixed_bytes,
            scratch_bytes: scratch_bytes as u64,
            alone,
            robbers,
            robber_at,
            blocks,
            reach,
            first,
            places,
            left: 0,
            last: Level::default(),
            next: None,
            kept: Vec::new(),
            scratch: Vec::new(),
            memory,
            // The preparation takes about as long as this number of blocks.
            work: fixed_bytes / (4 * size_of::<Block>()) as u64,
            spent: Work::NONE,
        };
        cones.begin();
        cones
    }

    /// Begins the first level, if there is memory for the work.
    fn begin(&mut self) {
        if self.fixed_bytes <= self.memory {
            let scratch = || Scratch::new(self.sources.rows(), self.blocks.count);
            self.scratch = std::iter::repeat_with(scratch).take(PARTS).collect();
            self.next = Some(Level::default());
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let levels = self.kept.iter().chain([&self.last]).chain(&self.next);
        self.fixed_bytes + levels.map(|level| level.bytes).sum::<u64>()
    }

    /// Whether some places within reach are left out, so that only captures are proven.
    pub(super) const fn is_narrow(&self) -> bool {
        self.is_narrow
    }

    /// Whether the robber is confined to some of its places, so that values are lower bounds.
    pub(super) const fn is_confined(&self) -> bool {
        self.is_confined
    }

    /// Frees what only a further analysis needs.
    pub(super) fn end(&mut self) {
        self.scratch = Vec::new();
        self.fixed_bytes -= std::mem::take(&mut self.scratch_bytes).min(self.fixed_bytes);
    }

    /// Continues for about `budget` expansions.
    pub(super) fn advance(&mut self, graph: &ReachableGraph, budget: u64) -> Answer {
        let end = self.spent.expansions.saturating_add(budget.max(1));
        loop {
            let Some(level) = self.next.take() else {
                return Answer::Full;
            };
            if level.alone.is_empty() {
                if self.bytes() + self.most_bytes_alone() > self.memory {
                    return Answer::Full;
                }
                let is_over = self.spent.expansions >= end;
                let level = if is_over {
                    level
                } else {
                    self.fill_alone(level)
                };
                self.next = Some(level);
                if is_over {
                    return Answer::Running;
                }
                continue;
            }
            let reach = &self.reach[usize::from(self.limit - self.left)];
            if level.rows.len() < reach.rows {
                // The last rows of a slice would be too few for several threads.
                let is_over = self.spent.expansions + budget / LEFT_OVER >= end;
                let rows = if is_over {
                    0
                } else {
                    self.affordable(&level, end - self.spent.expansions)
                };
                let level = self.fill(level, rows);
                self.next = (is_over || rows > 0).then_some(level);
                if is_over {
                    return Answer::Running;
                }
                continue;
            }
            let is_same = self.left > 0
                && self.reach.last() == Some(reach)
                && self.last.alone == level.alone
                && self.last.rows == level.rows;
            self.keep(level);
            if self.is_won(graph, self.start, self.left + 1) {
                return Answer::Value(self.left + 1);
            }
            if is_same && !self.is_narrow && self.is_whole {
                return Answer::Never;
            }
            if is_same || self.left + 1 >= self.limit {
                return Answer::Later;
            }
            self.left += 1;
            self.next = Some(Level::default());
        }
    }

    /// Stores a complete level. Earlier levels are kept for the line of play as far as they take little memory.
    fn keep(&mut self, level: Level) {
        if self.left > 0 {
            let last = std::mem::take(&mut self.last);
            self.kept.push(last);
        }
        self.last = level;
        if self.is_narrow {
            // The proof serves the cops to the end.
            return;
        }
        let mut bytes: u64 = self.kept.iter().map(|level| level.bytes).sum();
        // The levels of the first turns are the smallest.
        let most = self.memory / 8;
        let mut dropped = 0;
        while bytes > most && self.kept.len() > dropped + LEAST_KEPT {
            bytes -= self.kept[dropped].bytes;
            dropped += 1;
        }
        self.kept.drain(..dropped);
    }

    /// The number of rows that a budget allows, and that certainly fit into the memory.
    fn affordable(&self, level: &Level, budget: u64) -> usize {
        let reach = &self.reach[usize::from(self.limit - self.left)];
        let count = |masks: &[u64]| masks.iter().map(|mask| mask.count_ones()).sum::<u32>();
        let blocks = count(&reach.words) as usize * count(&reach.blocks) as usize;
        let words = self.sources.rows();
        let most =
            blocks * size_of::<Block>() + words * (self.blocks.masks * 8 + 4) + size_of::<Row>();
        let left = self.memory.saturating_sub(self.bytes() + level.bytes);
        let fit = left / (most as u64).max(1);
        let wanted = budget.saturating_mul(BLOCKS_OF_AN_EXPANSION) / blocks.max(1) as u64;
        usize::try_from(wanted.max(1).min(fit)).unwrap_or(usize::MAX)
    }

    /// The bytes that may be taken by what each cop wins alone on a level.
    fn most_bytes_alone(&self) -> u64 {
        bytes_alone(&self.places, &self.blocks) as u64
    }

    /// Computes what each cop wins alone on a level, a word at a time.
    fn fill_alone(&mut self, mut level: Level) -> Level {
        let blocks = &self.blocks;
        let mut cops = self.alone.iter_mut();
        if let Some(work) = cops.find_map(|cop| cop.step(blocks, self.left == 0)) {
            self.work += work as u64;
            self.spent.expansions = self.work.div_ceil(BLOCKS_OF_AN_EXPANSION);
        } else {
            let ends = self.alone.iter_mut().map(|cop| cop.end_turn(blocks));
            level.alone = ends.collect();
            level.bytes += level.alone.iter().map(Row::bytes).sum::<u64>();
        }
        level
    }

    /// Computes some more rows of the current level.
    fn fill(&mut self, mut level: Level, rows: usize) -> Level {
        let reach = &self.reach[usize::from(self.limit - self.left)];
        let done = level.rows.len();
        let rows = rows.min(reach.rows - done);
        level.rows.resize_with(done + rows, Row::default);
        let mut scratch = std::mem::take(&mut self.scratch);
        // Rows differ much in their work, so each thread takes the next one when it is ready.
        let next = AtomicUsize::new(0);
        let run = |scratch: &mut Scratch| {
            let taken = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let taken = taken.take_while(|&row| row < rows);
            let computed = taken.map(|row| (row, self.row(reach, done + row, scratch)));
            computed.collect()
        };
        #[cfg(feature = "parallel")]
        let computed: Vec<Vec<(usize, Row)>> = {
            use rayon::prelude::*;
            scratch.par_iter_mut().with_max_len(1).map(run).collect()
        };
        #[cfg(not(feature = "parallel"))]
        let computed: Vec<Vec<(usize, Row)>> = scratch.iter_mut().map(run).collect();
        for (row, computed) in computed.into_iter().flatten() {
            level.rows[done + row] = computed;
        }
        self.scratch = scratch;
        let new = &level.rows[done..];
        let blocks: usize = new.iter().map(|row| row.blocks.len()).sum();
        level.bytes += new.iter().map(Row::bytes).sum::<u64>();
        for scratch in &mut self.scratch {
            self.work += std::mem::take(&mut scratch.work);
        }
        self.work += rows as u64 * BLOCKS_OF_A_ROW;
        self.spent.expansions = self.work.div_ceil(BLOCKS_OF_AN_EXPANSION);
        self.spent.touched += (blocks * LANES * 64) as u64;
        level
    }

    /// Returns whether a state with the robber to move is known to be won within `turns` turns.
    fn is_reply_won(&self, spot: Spot, turns: u16) -> bool {
        if spot.is_capture() {
            return true;
        }
        let bits = [0, 1].map(|cop| self.places[cop].binary_search(&spot.cops[cop]));
        let ([Ok(first), Ok(second)], Some(level)) = (bits, self.level(turns)) else {
            return false;
        };
        let robber = self.robber_at[usize::from(spot.robber)];
        let masks = self.blocks.masks;
        let row = self.first.iter().position(|&place| place == spot.cops[0]);
        let row = row.and_then(|row| level.rows.get(row));
        level.alone[0].contains(first, robber, masks)
            || level.alone[1].contains(second, robber, masks)
            || row.is_some_and(|row| row.contains(second, robber, masks))
    }

    fn level(&self, turns: u16) -> Option<&Level> {
        match usize::from(self.left.checked_sub(turns)?) {
            0 => Some(&self.last),
            back => self.kept.get(self.kept.len().checked_sub(back)?),
        }
    }

    /// Returns whether a state with the cops to move is known to be won within `turns` turns.
    pub(super) fn is_won(&self, graph: &ReachableGraph, spot: Spot, turns: u16) -> bool {
        spot.is_capture() || self.cop_move(graph, spot, turns).is_some()
    }

    /// A move of the cops that wins within `turns` turns, if one is known.
    pub(super) fn cop_move(&self, graph: &ReachableGraph, spot: Spot, turns: u16) -> Option<Spot> {
        let left = turns.checked_sub(1)?;
        graph.find_joint_move(spot, |after| self.is_reply_won(after, left))
    }

    /// Returns whether a state with the cops to move is known not to be won within `turns` turns. A game from the start
    /// must be able to reach the state early enough for these turns to be within the limit.
    pub(super) fn is_lost(&self, graph: &ReachableGraph, spot: Spot, turns: u16) -> bool {
        let is_kept = turns == 0 || self.level(turns - 1).is_some();
        let is_inside = self.robber_at[usize::from(spot.robber)] != NOWHERE;
        !self.is_narrow && is_kept && is_inside && !self.is_won(graph, spot, turns)
    }

    /// Adds the turns of optimal play from `spot`, whose value is `turns`, to a line, as long as their levels
    /// are kept. Returns where the line ends and the number of turns that are left there. The analysis must not
    /// be narrow.
    pub(super) fn play(
        &self,
        graph: &ReachableGraph,
        line: &mut Vec<Spot>,
        mut spot: Spot,
        mut turns: u16,
    ) -> (Spot, u16) {
        let mut moves = Vec::new();
        while turns > 0 {
            if turns > 2 && self.level(turns - 3).is_none() {
                break;
            }
            let Some(after) = self.cop_move(graph, spot, turns) else {
                break;
            };
            if after.is_capture() {
                line.push(after);
                return (after, 0);
            }
            graph.robber_moves(after, &mut moves);
            let mut replies = moves.iter().map(|&robber| after.with_robber(robber));
            let is_longest = |reply: &Spot| turns == 1 || !self.is_won(graph, *reply, turns - 2);
            let Some(reply) = replies.find(is_longest) else {
                break;
            };
            line.extend([after, reply]);
            spot = reply;
            turns -= 1;
        }
        (spot, turns)
    }
}

/// The number of levels before the last one that the first turn of a line needs.
const LEAST_KEPT: usize = 2;
