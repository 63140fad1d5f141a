//! `TrailMax` on octile maps by canonical wavefronts.

#![expect(
    clippy::inline_always,
    clippy::needless_bitwise_bool,
    reason = "measured: branches that are often guessed wrong cost twice the time"
)]

use super::footprint::Footprint;
use super::octile::{DIRECTIONS, START, is_diagonal, offsets, parts, turns_from};
use crate::game::{Outcome, Side, State, Step, Turns, Work};
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Moves};
use std::ops::Range;

/// [`TrailMax`](super::TrailMax) on octile maps against a robber of one step per turn and cops of a
/// single speed, by canonical wavefronts ([`octile`](super::octile)).
///
/// The robber's wave may follow canonical paths too, although cops are in its way: no cop is slower, and
/// a robber that stays ahead of them on one shortest path does so on all of them. Cells where the robber
/// is captured on arrival may be left out: their capture time equals that of the previous cell, so that
/// the value stays the same.
///
/// This race has its own storage, unlike the other races ([`frontier`](super::frontier)). A wave keeps a
/// list of places for each direction, so that the inner loops have a fixed direction and almost no
/// mispredicted branches. One 16-bit mark per cell serves both sides and the way back.
#[derive(Debug, Clone, Default)]
pub(super) struct OctileRace {
    marks: CellMarks,
    robber: Front,
    cops: Front,
    cop_speed: u8,
    /// The number of completed steps of the cops' turn.
    cop_steps: u8,
    start: u32,
    /// The top left and bottom right corners of a rectangle around all agents.
    corners: [Cell; 2],
    /// The cells of the cops.
    team: Vec<Cell>,
    /// The turns after which a search ends; 0 for none.
    limit: u32,
    /// The robber's goal if the limit ended the search.
    aim: Option<u32>,
    is_cops_step: bool,
    cops_first: bool,
    width: u16,
    expansions: u64,
}

/// Which sides have been at each place. Places are cell numbers plus a margin, so that a step off the
/// map still has a place.
#[derive(Debug, Clone, Default)]
struct CellMarks {
    /// The mark of each place, above `base`: [`COP`], [`ROBBER`], and the step that led the robber
    /// there. Values up to the base belong to earlier searches.
    values: Vec<u16>,
    base: u16,
    offsets: [i32; 8],
    /// The place of cell 0.
    margin: u32,
    /// The number of places of the robber's wave.
    taken: usize,
    /// The places of the robber's wave that cops have reached, in order.
    caught: Vec<u32>,
    /// The length of `caught` when the cops' turn began.
    caught_before: usize,
    turn: u32,
    touched: u64,
}

const COP: u16 = 1;
const ROBBER: u16 = 2;
/// The first bit of the step in a mark.
const STEP: u16 = 2;
/// One more than the greatest mark above the base.
const NEXT_BASE: u16 = 1 << 6;

/// The places that a wave reached in its last step, by direction of the step.
#[derive(Debug, Clone, Default)]
struct Front {
    now: [List; DIRECTIONS],
    next: [List; DIRECTIONS],
    /// Places with the exits to follow in addition to the same step.
    corners: Vec<(u32, u8)>,
    /// A bit for each list of `now` with places that are not yet expanded.
    live: u16,
    /// The list being expanded, and the number of its places that are done.
    direction: usize,
    done: usize,
}

/// Places; entries beyond `len` are spare room.
#[derive(Debug, Clone, Default)]
struct List {
    places: Vec<u32>,
    len: usize,
}

impl List {
    /// Makes room for `more` places.
    fn reserve(&mut self, more: usize) {
        if self.places.len() < self.len + more {
            self.places.resize((self.len + more).next_power_of_two(), 0);
        }
    }

    /// Appends a place if `fresh`. There has to be room. Uses no branch, since it would often be
    /// mispredicted.
    #[inline(always)]
    fn push(&mut self, place: u32, fresh: bool) {
        self.places[self.len] = place;
        self.len += usize::from(fresh);
    }
}

impl CellMarks {
    fn start(&mut self, graph: &Graph) {
        let margin = usize::from(graph.width()) + 1;
        let places = graph.exits().len() + 2 * margin;
        if self.values.len() != places || self.base > u16::MAX - 2 * NEXT_BASE {
            self.values.clear();
            self.values.resize(places, 0);
            self.base = 0;
        }
        self.base += NEXT_BASE;
        self.margin = margin as u32;
        self.offsets = offsets(graph.width());
        self.taken = 0;
        self.caught.clear();
        self.caught_before = 0;
        self.turn = 1;
        self.touched = 0;
    }

    fn place(&self, graph: &Graph, vertex: Vertex) -> u32 {
        graph.cell_index(graph.cell(vertex)) as u32 + self.margin
    }

    /// Returns whether a cop has reached the place.
    fn is_cops(&self, place: u32) -> bool {
        is_cops(&self.values, self.base, place)
    }

    /// Adds a place to a wave; `false` if the wave already has it, or if it is not free for the robber.
    fn take<const COPS: bool>(&mut self, place: u32, step: usize) -> bool {
        let (fresh, is_caught) = take::<COPS>(&mut self.values, self.base, place, true, step);
        if is_caught {
            self.caught.push(place);
        }
        self.taken += usize::from(!COPS & fresh);
        fresh
    }
}

/// Returns whether a cop has reached the place.
#[inline(always)]
fn is_cops(marks: &[u16], base: u16, place: u32) -> bool {
    marks[place as usize].max(base) & COP != 0
}

/// Adds a place to a wave if it is open. Returns whether it is new to the wave (and free for the
/// robber), and whether a cop captures the robber's wave there.
#[inline(always)]
fn take<const COPS: bool>(
    marks: &mut [u16],
    base: u16,
    place: u32,
    open: bool,
    step: usize,
) -> (bool, bool) {
    let mark = &mut marks[place as usize];
    let known = (*mark).max(base);
    if COPS {
        let fresh = open & (known & COP == 0);
        *mark = known | u16::from(fresh);
        (fresh, fresh & (known & ROBBER != 0))
    } else {
        let fresh = open & (known == base);
        let taken = known | ROBBER | (step as u16) << STEP;
        *mark = if fresh { taken } else { known };
        (fresh, false)
    }
}

impl Front {
    fn start(&mut self) {
        for list in self.now.iter_mut().chain(&mut self.next) {
            list.len = 0;
        }
        self.corners.clear();
        self.live = 0;
        (self.direction, self.done) = (0, 0);
    }

    fn start_at(&mut self, place: u32) {
        self.now[START].reserve(1);
        self.now[START].push(place, true);
        self.live = 1 << START;
    }

    /// Returns whether nothing is left to expand, between two steps.
    const fn is_spent(&self) -> bool {
        self.live == 0
    }

    /// Expands the rest of the step, as far as the budget allows; `true` if the step is over.
    fn step<const COPS: bool>(
        &mut self,
        marks: &mut CellMarks,
        exits: &[u8],
        budget: &mut u32,
    ) -> bool {
        while self.live != 0 {
            self.direction = self.live.trailing_zeros() as usize;
            let left = self.now[self.direction].len - self.done;
            let places = self.done..self.done + left.min(*budget as usize);
            *budget -= places.len() as u32;
            self.done = places.end;
            self.expand::<COPS>(marks, exits, places);
            if self.done < self.now[self.direction].len {
                return false;
            }
            // Only after the whole list, so that the result does not depend on slices.
            self.turn_corners::<COPS>(marks);
            self.live &= self.live - 1;
            self.done = 0;
        }
        for (direction, (now, next)) in self.now.iter_mut().zip(&mut self.next).enumerate() {
            std::mem::swap(now, next);
            next.len = 0;
            self.live |= u16::from(now.len > 0) << direction;
        }
        true
    }

    fn expand<const COPS: bool>(
        &mut self,
        marks: &mut CellMarks,
        exits: &[u8],
        places: Range<usize>,
    ) {
        match self.direction {
            START => self.expand_starts::<COPS>(marks, exits, places),
            step if is_diagonal(step) => self.expand_diagonal::<COPS>(marks, exits, places),
            _ => self.expand_straight::<COPS>(marks, exits, places),
        }
    }

    fn expand_starts<const COPS: bool>(
        &mut self,
        marks: &mut CellMarks,
        exits: &[u8],
        places: Range<usize>,
    ) {
        let starts = std::mem::take(&mut self.now[START]);
        for &place in &starts.places[places] {
            let is_captured = !COPS && marks.is_cops(place);
            if !is_captured {
                let exits = exits[(place - marks.margin) as usize];
                self.turn_to::<COPS>(marks, place, exits);
            }
        }
        self.now[START] = starts;
    }

    fn expand_straight<const COPS: bool>(
        &mut self,
        marks: &mut CellMarks,
        exits: &[u8],
        places: Range<usize>,
    ) {
        let step = self.direction;
        let (offset, turns) = (marks.offsets[step], turns_from(step));
        let (base, margin) = (marks.base, marks.margin);
        let values = marks.values.as_mut_slice();
        let (now, next) = (&self.now[step], &mut self.next[step]);
        marks.touched += places.len() as u64;
        next.reserve(places.len());
        let before = next.len;
        for &place in &now.places[places] {
            if !COPS && is_cops(values, base, place) {
                continue; // captured here before it could move on
            }
            let exits = exits[(place - margin) as usize];
            let to = place.wrapping_add_signed(offset);
            let open = exits >> step & 1 != 0;
            let (fresh, is_caught) = take::<COPS>(values, base, to, open, step);
            next.push(to, fresh);
            if is_caught {
                marks.caught.push(to);
            }
            let turns = turns[usize::from(exits)];
            if turns != 0 {
                self.corners.push((place, turns));
            }
        }
        marks.taken += if COPS { 0 } else { next.len - before };
    }

    fn expand_diagonal<const COPS: bool>(
        &mut self,
        marks: &mut CellMarks,
        exits: &[u8],
        places: Range<usize>,
    ) {
        let steps = parts(self.direction);
        let offsets = steps.map(|step| marks.offsets[step]);
        let (base, margin) = (marks.base, marks.margin);
        let values = marks.values.as_mut_slice();
        let now = &self.now[self.direction];
        let Ok([diagonal, across, along]) = self.next.get_disjoint_mut(steps) else {
            return; // a diagonal step and its parts are three
        };
        marks.touched += 3 * places.len() as u64;
        let mut lists = [diagonal, across, along];
        let mut taken = 0;
        for list in &mut lists {
            list.reserve(places.len());
        }
        for &place in &now.places[places] {
            if !COPS && is_cops(values, base, place) {
                continue;
            }
            let exits = exits[(place - margin) as usize];
            for part in 0..3 {
                let to = place.wrapping_add_signed(offsets[part]);
                let open = exits >> steps[part] & 1 != 0;
                let (fresh, is_caught) = take::<COPS>(values, base, to, open, steps[part]);
                lists[part].push(to, fresh);
                taken += usize::from(fresh);
                if is_caught {
                    marks.caught.push(to);
                }
            }
        }
        marks.taken += if COPS { 0 } else { taken };
    }

    /// Follows the exits that were deferred.
    fn turn_corners<const COPS: bool>(&mut self, marks: &mut CellMarks) {
        if self.corners.is_empty() {
            return;
        }
        let mut corners = std::mem::take(&mut self.corners);
        for (place, turns) in corners.drain(..) {
            self.turn_to::<COPS>(marks, place, turns);
        }
        self.corners = corners;
    }

    /// Adds the places that some steps lead to. Rare: only where walls end.
    #[cold]
    fn turn_to<const COPS: bool>(&mut self, marks: &mut CellMarks, place: u32, mut steps: u8) {
        marks.touched += u64::from(steps.count_ones());
        while steps != 0 {
            let step = steps.trailing_zeros() as usize;
            steps &= steps - 1;
            let to = place.wrapping_add_signed(marks.offsets[step]);
            let fresh = marks.take::<COPS>(to, step);
            self.next[step].reserve(1);
            self.next[step].push(to, fresh);
        }
    }
}

impl OctileRace {
    /// Returns whether this search can solve the game.
    pub(super) fn suits(graph: &Graph, state: &State<'_>) -> bool {
        let speed = state.cops.first().map(|cop| cop.speed);
        graph.moves() == Moves::Octile
            && graph.has_plain_steps()
            && state.robber.speed.steps() == 1
            && state.cops.iter().all(|cop| Some(cop.speed) == speed)
    }

    /// Starts the search for a state with at least one cop and none on the robber. Forgets the previous
    /// search.
    pub(super) fn begin(&mut self, graph: &Graph, state: &State<'_>) {
        self.marks.start(graph);
        self.width = graph.width();
        self.cops_first = state.to_move == Side::Cops;
        self.is_cops_step = self.cops_first;
        self.cop_steps = 0;
        self.expansions = 0;
        self.robber.start();
        self.start = self.marks.place(graph, state.robber.at);
        self.marks.take::<false>(self.start, START);
        self.robber.start_at(self.start);
        self.cops.start();
        let robber = graph.cell(state.robber.at);
        self.corners = [robber, robber];
        self.team.clear();
        self.aim = None;
        for cop in state.cops {
            let cell = graph.cell(cop.at);
            self.team.push(cell);
            let Cell { x, y } = cell;
            let [least, most] = &mut self.corners;
            (least.x, least.y) = (least.x.min(x), least.y.min(y));
            (most.x, most.y) = (most.x.max(x), most.y.max(y));
            self.cop_speed = cop.speed.steps();
            let place = self.marks.place(graph, cop.at);
            if self.marks.take::<true>(place, START) {
                self.cops.start_at(place);
            }
        }
    }

    /// Continues for at most `budget` expansions.
    pub(super) fn advance(&mut self, graph: &Graph, mut budget: u32) -> Step<Outcome> {
        let granted = budget;
        let mut outcome = Step::Working;
        while outcome.is_working() && budget > 0 {
            if self.is_cops_step {
                outcome = self.advance_cops(graph, &mut budget);
            } else {
                self.advance_robber(graph, &mut budget);
            }
        }
        self.expansions += u64::from(granted - budget);
        outcome
    }

    /// A step of the robber, through cells that no cop has reached.
    fn advance_robber(&mut self, graph: &Graph, budget: &mut u32) {
        let marks = &mut self.marks;
        if self.robber.step::<false>(marks, graph.exits(), budget) {
            self.is_cops_step = true;
            self.marks.turn += u32::from(self.cops_first);
        }
    }

    /// A step of all cops, to all adjacent cells that they have not reached.
    fn advance_cops(&mut self, graph: &Graph, budget: &mut u32) -> Step<Outcome> {
        let is_over = self
            .cops
            .step::<true>(&mut self.marks, graph.exits(), budget);
        // Only after whole steps, so that the expansions do not depend on slices.
        if !is_over {
            return Step::Working;
        }
        if self.marks.caught.len() == self.marks.taken {
            let turns = u16::try_from(self.marks.turn).unwrap_or(u16::MAX);
            return Step::Done(Outcome::Caught(Turns(turns)));
        }
        self.cop_steps += 1;
        let is_spent = self.cops.is_spent();
        if self.cop_steps == self.cop_speed || is_spent {
            self.cop_steps = 0;
            self.is_cops_step = false;
            self.marks.turn += u32::from(!self.cops_first);
            self.marks.caught_before = self.marks.caught.len();
            if !is_spent && self.limit > 0 && self.marks.turn > self.limit {
                self.aim = self.farthest(graph);
                let turns = u16::try_from(self.marks.turn).unwrap_or(u16::MAX);
                return match self.aim {
                    Some(_) => Step::Done(Outcome::Caught(Turns(turns))),
                    None => Step::Working,
                };
            }
        }
        if is_spent {
            Step::Done(Outcome::Escapes)
        } else {
            Step::Working
        }
    }

    /// The place on the rim of the robber's wave where the robber is free and the nearest cop is farthest away in a
    /// straight line.
    fn farthest(&self, graph: &Graph) -> Option<u32> {
        let rim = self.robber.now.iter().chain(&self.robber.next);
        let rim = rim.flat_map(|list| &list.places[..list.len]).copied();
        let free = rim.filter(|&place| !self.marks.is_cops(place));
        let far = |place: u32| {
            let cell = self.vertex(graph, place).map(|vertex| graph.cell(vertex))?;
            let cops = self.team.iter().map(|cop| cop.squared_distance(cell));
            cops.min()
        };
        free.max_by_key(|&place| (far(place), std::cmp::Reverse(place)))
    }

    /// Limits each search from now on to `turns` turns; 0 for no limit. If the limit ends a search, the
    /// robber's goal is the free place where the nearest cop is farthest.
    pub(super) const fn limit_turns(&mut self, turns: u32) {
        self.limit = turns;
    }

    /// Appends the path, without the start, to the cell where the robber is known to stay free longest:
    /// once the search is done, the cell that was captured last, and before that a cell of the frontier.
    pub(super) fn path(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        let front = self.robber.now.iter().chain(&self.robber.next);
        let front = front.filter_map(|list| list.places[..list.len].last());
        let free = front.copied().find(|&place| !self.marks.is_cops(place));
        let goal = self.aim.or(free).or(self.marks.caught.last().copied());
        let mut place = goal.unwrap_or(self.start);
        while place != self.start {
            path.extend(self.vertex(graph, place));
            place = self.before(place);
        }
        path.reverse();
    }

    /// The top left and bottom right corners of a rectangle around the robber's start and all places where cops capture
    /// it; `None` if the robber is free somewhere.
    pub(super) fn caught_corners(&self) -> Option<[Cell; 2]> {
        if self.marks.caught.len() < self.marks.taken {
            return None;
        }
        let places = self.marks.caught.iter().copied().chain([self.start]);
        let cells = places.map(|place| self.cell(place));
        let around = |[least, most]: [Cell; 2], Cell { x, y }: Cell| {
            let least = Cell::new(least.x.min(x), least.y.min(y));
            [least, Cell::new(most.x.max(x), most.y.max(y))]
        };
        let start = [Cell::new(u16::MAX, u16::MAX), Cell::new(0, 0)];
        Some(cells.fold(start, around))
    }

    /// The place before another one on the robber's path.
    fn before(&self, place: u32) -> u32 {
        let step = (self.marks.values[place as usize] - self.marks.base) >> STEP;
        place.wrapping_add_signed(-self.marks.offsets[usize::from(step)])
    }

    fn cell(&self, place: u32) -> Cell {
        let (cell, width) = (place - self.marks.margin, u32::from(self.width));
        Cell::new((cell % width) as u16, (cell / width) as u16)
    }

    fn vertex(&self, graph: &Graph, place: u32) -> Option<Vertex> {
        graph.vertex(self.cell(place))
    }

    /// Appends the cells that were captured in the last turn, with the robber's steps to them.
    pub(super) fn goals(&self, graph: &Graph, goals: &mut Vec<(Vertex, u32)>) {
        for &goal in &self.marks.caught[self.marks.caught_before..] {
            let (mut place, mut steps) = (goal, 0);
            while place != self.start {
                place = self.before(place);
                steps += 1;
            }
            goals.extend(self.vertex(graph, goal).map(|goal| (goal, steps)));
        }
    }

    /// Adds the cells that a wave has reached.
    pub(super) fn footprint(&self, graph: &Graph, footprint: &mut Footprint) {
        /// The side of a block of a footprint.
        const SIDE: usize = 16;
        let cells = self.marks.margin as usize..;
        let Some(marks) = self.marks.values.get(cells) else {
            return; // not begun
        };
        // No agent can have gone farther.
        let reach = u64::from(self.marks.turn + 1) * u64::from(self.cop_speed.max(1));
        let reach = u16::try_from(reach).unwrap_or(u16::MAX);
        let [least, most] = self.corners;
        let top = least.y.saturating_sub(reach);
        let bottom = most.y.saturating_add(reach).min(graph.height() - 1);
        let left = usize::from(least.x.saturating_sub(reach)) / SIDE * SIDE;
        let right = usize::from(most.x.saturating_add(reach).min(graph.width() - 1));
        let rows = marks.chunks_exact(usize::from(self.width.max(1)));
        let rows = rows.zip(0..graph.height());
        let rows = rows.skip(top.into()).take(usize::from(bottom - top) + 1);
        for (row, y) in rows {
            let row = &row[left..=right];
            for (block, x) in row.chunks(SIDE).zip((left as u16..).step_by(SIDE)) {
                if block.iter().fold(0, |most, &mark| mark.max(most)) > self.marks.base {
                    footprint.insert(Cell::new(x, y));
                }
            }
        }
    }

    pub(super) const fn turn(&self) -> u32 {
        self.marks.turn
    }

    pub(super) const fn work(&self) -> Work {
        Work {
            expansions: self.expansions,
            touched: self.marks.touched,
        }
    }
}
