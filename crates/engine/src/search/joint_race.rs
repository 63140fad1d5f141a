//! `TrailMax` for many joint moves of the cops at once.

#[cfg(test)]
mod tests;

use super::sliced::{FOUND, STALE, SearchStep};
use crate::game::{Agent, Speed, Step, Work};
use crate::graph::{Graph, Network, Vertex};
use crate::map::Cell;

/// A set of joint moves: a bit for each.
pub(crate) type MoveSet = u128;

/// The most joint moves that one race evaluates.
pub(crate) const MOST_MOVES: usize = MoveSet::BITS as usize;

/// Bits of a count of vertices for each joint move.
const COUNT_BITS: usize = 24;

/// Turns for which memory is reserved: most races are shorter.
const LONG: usize = 512;

/// What a race found out about one joint move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Evaluated {
    /// The value of `TrailMax` after the move, with the robber to move: on its best path, the robber is captured by the
    /// cops' move of this number. `None` if the robber escapes.
    pub turns: Option<u32>,
    /// How many vertices the robber reaches before the cops.
    pub covered: u32,
}

/// A rectangle that the robber is expected not to leave in a race, and the turns that the race is expected to take at
/// most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The top left and the bottom right cell.
    pub(crate) corners: [Cell; 2],
    pub(crate) turns: u32,
}

impl Bounds {
    /// The steps from a cell to the rectangle without walls.
    fn steps_from(&self, cell: Cell) -> u32 {
        let [least, most] = self.corners;
        let apart = |at: u16, least: u16, most: u16| {
            u32::from(least.saturating_sub(at).max(at.saturating_sub(most)))
        };
        apart(cell.x, least.x, most.x).max(apart(cell.y, least.y, most.y))
    }
}

/// Runs the race of [`Race`](super::Race) for up to [`MOST_MOVES`] joint moves of the cops in one pass.
///
/// All joint moves start from positions a step apart, so that their waves reach a vertex within a few turns of each
/// other. Each vertex holds a machine word with a bit for each joint move, and one expansion serves all joint moves
/// whose waves reach the vertex in the same turn (the idea of multi-source breadth-first search: M. Then et al., *The
/// more the merrier: efficient multi-source graph traversal*, VLDB 2014).
///
/// Runs in slices, and any slicing gives the same result.
///
/// Cost: about three expansions for each vertex that a side reaches. Memory: 64 bytes per vertex, and 32 more for each
/// speed of cops. It is cleared by visiting the vertices that were reached, so that a short race on a large map is
/// cheap.
#[derive(Debug, Clone, Default)]
pub(crate) struct JointRace {
    robber: Front,
    /// The joint moves in which the robber reaches a vertex before the cops.
    held: Vec<MoveSet>,
    cops: Vec<Front>,
    /// How many of `cops` are in use.
    waves: usize,
    /// The joint moves in which some cop has reached a vertex.
    closed: Vec<MoveSet>,
    /// The vertices that the robber has held in some joint move.
    roamed: Vec<Vertex>,
    /// The vertices whose words are not all zero.
    reached: Vec<Vertex>,
    /// For each turn, the joint moves in which a vertex of the robber was closed.
    caught: Vec<MoveSet>,
    /// Vertices that the robber holds and no cop has closed, over all joint moves.
    open: u64,
    counts: Counts,
    all: MoveSet,
    turn: usize,
    /// The limit in turns; 0 for none.
    limit: usize,
    /// Whether the limit has ended the race, and the joint moves in which the robber is free then.
    is_cut: bool,
    free: MoveSet,
    phase: Phase,
    is_done: bool,
    is_out_of_bounds: bool,
    slots: usize,
    work: Work,
}

/// The side whose wave moves next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Robber,
    /// The wave of cops with this index.
    Cops(usize),
}

/// A wave of agents of one speed.
#[derive(Debug, Clone, Default)]
struct Front {
    speed: u32,
    /// The steps made in this turn.
    steps: u32,
    /// The layer that is being expanded, and the progress of the expansion.
    layer: Vec<(Vertex, MoveSet)>,
    at: usize,
    /// The vertices of the next layer, and their joint moves by vertex.
    next: Vec<Vertex>,
    bits: Vec<MoveSet>,
    /// The joint moves in which the wave has reached a vertex. The robber's are in `held`.
    visited: Vec<MoveSet>,
}

impl Front {
    fn start(&mut self, speed: Speed, slots: usize) {
        self.speed = speed.steps().into();
        self.steps = 0;
        self.layer.clear();
        self.at = 0;
        for vertex in self.next.drain(..) {
            self.bits[vertex.index()] = 0;
        }
        // Each vertex is in a layer once.
        self.layer.reserve(slots);
        self.next.reserve(slots);
        if self.bits.len() < slots {
            self.bits.resize(slots, 0);
            self.visited.resize(slots, 0);
        }
    }

    /// Adds joint moves to a vertex of the next layer.
    #[inline]
    fn push(&mut self, vertex: Vertex, moves: MoveSet) {
        let bits = &mut self.bits[vertex.index()];
        if *bits == 0 {
            self.next.push(vertex);
        }
        *bits |= moves;
    }

    /// Goes on to the next layer. Returns whether the turn is over.
    fn end_step(&mut self) -> bool {
        self.layer.clear();
        self.at = 0;
        let Self {
            layer, next, bits, ..
        } = self;
        let take = |vertex: Vertex| (vertex, std::mem::take(&mut bits[vertex.index()]));
        layer.extend(next.drain(..).map(take));
        self.steps += 1;
        let is_over = self.layer.is_empty() || self.steps >= self.speed;
        if is_over {
            self.steps = 0;
        }
        is_over
    }
}

/// A count for each joint move, bit by bit: plane `i` holds bit `i` of all counts.
#[derive(Debug, Clone, Default)]
struct Counts {
    planes: [MoveSet; COUNT_BITS],
}

impl Counts {
    /// Adds one for each joint move of a set. Cost: two planes on average.
    #[inline]
    fn add(&mut self, mut moves: MoveSet) {
        for plane in &mut self.planes {
            if moves == 0 {
                return;
            }
            let carry = *plane & moves;
            *plane ^= moves;
            moves = carry;
        }
    }

    fn get(&self, index: usize) -> u32 {
        let bit = |(place, plane): (usize, &MoveSet)| ((plane >> index & 1) as u32) << place;
        self.planes.iter().enumerate().map(bit).sum()
    }
}

impl JointRace {
    /// Starts the race for `moves` joint moves, at most [`MOST_MOVES`]. `cops` tells where cops stand
    /// after their move: an agent, and the joint moves that take it there. The robber is to move.
    ///
    /// # Panics
    /// If an agent stands on a vertex of another, larger graph.
    pub(crate) fn begin(
        &mut self,
        graph: &impl Network,
        robber: Agent,
        moves: usize,
        cops: impl Iterator<Item = (Agent, MoveSet)>,
    ) {
        let slots = graph.slots();
        self.clear(slots);
        self.all = match MOST_MOVES.saturating_sub(moves) {
            0 => MoveSet::MAX,
            rest => MoveSet::MAX >> rest,
        };
        for (cop, moves) in cops {
            let moves = moves & self.all;
            let speed = u32::from(cop.speed.steps());
            let of_speed = self.cops[..self.waves]
                .iter()
                .position(|w| w.speed == speed);
            let wave = of_speed.unwrap_or_else(|| {
                if self.cops.len() == self.waves {
                    self.cops.push(Front::default());
                }
                self.cops[self.waves].start(cop.speed, slots);
                self.waves += 1;
                self.waves - 1
            });
            let (wave, at) = (&mut self.cops[wave], cop.at.index());
            let new = moves & !wave.visited[at];
            wave.visited[at] |= new;
            self.closed[at] |= moves;
            self.reached.push(cop.at);
            wave.push(cop.at, new);
        }
        for wave in &mut self.cops[..self.waves] {
            wave.end_step();
            wave.steps = 0;
        }
        self.robber.start(robber.speed, slots);
        let free = self.all & !self.closed[robber.at.index()];
        self.held[robber.at.index()] = free;
        self.reached.push(robber.at);
        self.roamed.push(robber.at);
        self.counts.add(free);
        self.open = u64::from(free.count_ones());
        self.robber.push(robber.at, free);
        self.robber.end_step();
        self.robber.steps = 0;
        self.is_done = self.open == 0;
    }

    /// Forgets the previous race, and makes room.
    fn clear(&mut self, slots: usize) {
        for vertex in self.reached.drain(..) {
            let at = vertex.index();
            (self.held[at], self.closed[at]) = (0, 0);
            for wave in &mut self.cops[..self.waves] {
                wave.visited[at] = 0;
            }
        }
        if self.held.len() < slots {
            self.held.resize(slots, 0);
            self.closed.resize(slots, 0);
        }
        self.reached.reserve(slots);
        self.roamed.clear();
        self.roamed.reserve(slots);
        self.slots = slots;
        self.waves = 0;
        self.caught.clear();
        self.caught.reserve(LONG);
        self.caught.push(0);
        self.counts = Counts::default();
        self.turn = 0;
        self.is_cut = false;
        self.is_out_of_bounds = false;
        self.free = 0;
        self.phase = Phase::Robber;
        self.work = Work::NONE;
    }

    /// Limits each race from now on to `turns` turns; 0 for no limit.
    pub(crate) fn limit_turns(&mut self, turns: u16) {
        self.limit = turns.into();
    }

    /// Continues for at most `budget` expansions.
    pub(crate) fn advance(&mut self, graph: &impl Network, budget: u32) -> SearchStep {
        self.run(
            graph,
            budget,
            u32::MAX,
            |_| 0,
            None::<fn(&Self, MoveSet) -> bool>,
        )
    }

    /// Continues for at most `budget` expansions on a map.
    ///
    /// Bounds have to be the same in all slices of a race. Cops that can no longer come to the rectangle in time are left
    /// out, which does not change the results. If the race does not stay within the bounds, it ends without results and
    /// [is out of bounds](Self::is_out_of_bounds). The robber has to begin within the rectangle.
    ///
    /// After each turn, once the robber is captured in some joint move, `is_settled` is asked whether the race may end. It is
    /// given the joint moves in which the robber is free; their [evaluation](Self::evaluated) is a lower bound then. The
    /// evaluation of all others is final.
    pub(crate) fn advance_on_map(
        &mut self,
        graph: &Graph,
        bounds: Option<&Bounds>,
        budget: u32,
        is_settled: Option<impl FnMut(&Self, MoveSet) -> bool>,
    ) -> SearchStep {
        let turns = bounds.map_or(u32::MAX, |bounds| bounds.turns);
        let apart = |vertex| bounds.map_or(0, |bounds| bounds.steps_from(graph.cell(vertex)));
        self.run(graph, budget, turns, apart, is_settled)
    }

    /// Whether the race has ended because it would have left its bounds.
    pub(crate) const fn is_out_of_bounds(&self) -> bool {
        self.is_out_of_bounds
    }

    /// Continues. `apart` tells the steps from a vertex to the part of the map that the robber may not leave, and the race
    /// may take `turns` turns.
    fn run(
        &mut self,
        graph: &impl Network,
        budget: u32,
        turns: u32,
        apart: impl Fn(Vertex) -> u32,
        mut is_settled: Option<impl FnMut(&Self, MoveSet) -> bool>,
    ) -> SearchStep {
        if graph.slots() != self.slots {
            return STALE;
        }
        let end = self.work.expansions + u64::from(budget);
        while !self.is_done {
            if self.work.expansions >= end {
                return Step::Working;
            }
            match self.phase {
                Phase::Robber => self.advance_robber(graph, end, turns, &apart),
                Phase::Cops(wave) => {
                    let is_over = self.advance_cops(graph, wave, turns, end, &apart);
                    if let Some(is_settled) = is_settled.as_mut().filter(|_| is_over) {
                        self.settle(is_settled);
                    }
                }
            }
        }
        FOUND
    }

    fn advance_robber(
        &mut self,
        graph: &impl Network,
        end: u64,
        turns: u32,
        apart: impl Fn(Vertex) -> u32,
    ) {
        let wave = &mut self.robber;
        while let Some(&(vertex, moves)) = wave.layer.get(wave.at) {
            if self.work.expansions >= end {
                return;
            }
            wave.at += 1;
            let moves = moves & !self.closed[vertex.index()];
            if moves == 0 {
                continue;
            }
            let neighbours = graph.neighbours(vertex);
            self.work.expansions += 1;
            self.work.touched += neighbours.len() as u64;
            for &next in neighbours {
                let at = next.index();
                let (held, closed) = (self.held[at], self.closed[at]);
                let new = moves & !held & !closed;
                if new == 0 {
                    continue;
                }
                if apart(next) > 0 {
                    (self.is_done, self.is_out_of_bounds) = (true, true);
                    return;
                }
                if held | closed == 0 {
                    self.reached.push(next);
                }
                if held == 0 {
                    self.roamed.push(next);
                }
                self.held[at] = held | new;
                self.open += u64::from(new.count_ones());
                self.counts.add(new);
                wave.push(next, new);
            }
        }
        if wave.end_step() {
            self.turn += 1;
            self.caught.push(0);
            self.phase = Phase::Cops(0);
            if self.turn > turns as usize {
                (self.is_done, self.is_out_of_bounds) = (true, true);
            }
        }
    }

    fn advance_cops(
        &mut self,
        graph: &impl Network,
        index: usize,
        turns: u32,
        end: u64,
        apart: impl Fn(Vertex) -> u32,
    ) -> bool {
        let wave = &mut self.cops[index];
        let left = turns.saturating_sub(self.turn as u32).saturating_add(1);
        let reach = left.saturating_mul(wave.speed);
        while let Some(&(vertex, moves)) = wave.layer.get(wave.at) {
            if self.work.expansions >= end {
                return false;
            }
            wave.at += 1;
            if apart(vertex) > reach {
                continue;
            }
            let neighbours = graph.neighbours(vertex);
            self.work.expansions += 1;
            self.work.touched += neighbours.len() as u64;
            for &next in neighbours {
                let at = next.index();
                let visited = wave.visited[at];
                let new = moves & !visited;
                if new == 0 {
                    continue;
                }
                let (held, closed) = (self.held[at], self.closed[at]);
                if visited | held | closed == 0 {
                    self.reached.push(next);
                }
                wave.visited[at] = visited | new;
                wave.push(next, new);
                let caught = new & !closed & held;
                self.closed[at] = closed | new;
                if caught != 0 {
                    self.caught[self.turn] |= caught;
                    self.open -= u64::from(caught.count_ones());
                }
            }
        }
        if !wave.end_step() {
            return false;
        }
        let (next, waves) = (index + 1, &self.cops[..self.waves]);
        if next < waves.len() {
            self.phase = Phase::Cops(next);
            return false;
        }
        self.phase = Phase::Robber;
        let is_spent = waves.iter().all(|wave| wave.layer.is_empty());
        self.is_done = self.open == 0 || is_spent && self.robber.layer.is_empty();
        if !self.is_done && self.limit > 0 && self.turn >= self.limit {
            (self.is_done, self.is_cut) = (true, true);
            self.free = self.find_free();
        }
        !self.is_done
    }

    /// The joint moves in which the robber is free.
    fn find_free(&self) -> MoveSet {
        let free = self.roamed.iter().map(|vertex| {
            let at = vertex.index();
            self.held[at] & !self.closed[at]
        });
        free.fold(0, |all, moves| all | moves)
    }

    /// Ends the race after a turn if it is settled.
    fn settle(&mut self, is_settled: &mut impl FnMut(&Self, MoveSet) -> bool) {
        let free = self.find_free();
        if free == self.all {
            return;
        }
        (self.is_cut, self.free) = (true, free);
        self.is_done = is_settled(self, free);
        if !self.is_done {
            (self.is_cut, self.free) = (false, 0);
        }
    }

    /// What was found out about a joint move, once the race is done. Cost: linear in the turns of the race.
    pub(crate) fn evaluated(&self, index: usize) -> Evaluated {
        let bit: MoveSet = 1 << index;
        let is_open = |vertex: &Vertex| {
            let at = vertex.index();
            self.held[at] & !self.closed[at] & bit != 0
        };
        if self.free & bit != 0 {
            return Evaluated {
                turns: Some(self.turn as u32 + 1),
                covered: self.counts.get(index),
            };
        }
        let escapes = !self.is_cut && self.open > 0 && self.reached.iter().any(is_open);
        let turns = self.caught.iter().rposition(|moves| moves & bit != 0);
        Evaluated {
            turns: (!escapes).then(|| turns.unwrap_or(0) as u32),
            covered: self.counts.get(index),
        }
    }

    /// The work since the race began, for all joint moves at once.
    pub(crate) const fn work(&self) -> Work {
        self.work
    }
}
