use super::octile::{Cells, START, entry, exits_onward, offsets};
use crate::game::{Outcome, Side, State, Turns};
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Moves};

/// [`TrailMax`](super::TrailMax) on octile maps against a robber of one step a turn, by canonical
/// wavefronts ([`octile`](super::octile)).
///
/// The robber's wave may go by canonical paths too, although cops are in its way: no cop is slower,
/// so where it stays ahead of them on one shortest path it does so on all. Cells in which it is
/// captured as soon as it comes may be left out thereby; the capture time is that of the cell it
/// comes from, so the value stays the same.
#[derive(Debug, Clone, Default)]
pub(super) struct OctileRace {
    robber: Wave,
    /// For each cell of the robber's wave the step that led to it.
    from: Vec<u8>,
    /// One wave for each different speed of the cops, of which `waves` are in use.
    cops: Vec<Wave>,
    waves: usize,
    /// The cells some cop has reached, where there is more than one wave.
    closed: Cells,
    /// The cells of the robber's wave, and how many of them are not captured yet.
    uncaught: usize,
    start: u32,
    goal: u32,
    goal_turn: u32,
    turn: u32,
    /// Whose wave moves next: the robber's, or that of these cops.
    next: Option<usize>,
    cops_first: bool,
    width: u16,
    offsets: [i32; 8],
    expansions: u64,
    touched: u64,
}

/// A wavefront.
#[derive(Debug, Clone, Default)]
struct Wave {
    reached: Cells,
    /// The cells in the order in which they were reached.
    queue: Vec<u32>,
    /// The first cell that is not expanded.
    head: usize,
    /// The end of the cells that are expanded in this step.
    end: usize,
    speed: u8,
    /// How many steps of the turn are finished.
    steps: u8,
}

impl Wave {
    fn start(&mut self, cells: usize, vertices: usize, speed: u8) {
        self.reached.clear(cells);
        self.queue.clear();
        self.queue.reserve(vertices);
        (self.head, self.end) = (0, 0);
        self.speed = speed;
        self.steps = 0;
    }

    fn start_at(&mut self, cell: u32) {
        if self.reached.insert(cell) {
            self.queue.push(entry(cell, START));
            self.end = self.queue.len();
        }
    }

    const fn is_spent(&self) -> bool {
        self.head == self.queue.len()
    }

    /// Goes on to the next step if this one is over; `true` if the turn has had all of its steps.
    const fn end_step(&mut self) -> bool {
        if self.head < self.end {
            return false;
        }
        self.end = self.queue.len();
        self.steps += 1;
        let is_over = self.steps >= self.speed || self.is_spent();
        if is_over {
            self.steps = 0;
        }
        is_over
    }
}

impl OctileRace {
    /// Is the game one for this search?
    pub(super) fn suits(graph: &Graph, state: &State<'_>) -> bool {
        graph.moves() == Moves::Octile && state.robber.speed.steps() == 1
    }

    /// Starts the search for a state, forgetting the one before; at least one cop, none on the
    /// robber.
    pub(super) fn begin(&mut self, graph: &Graph, state: &State<'_>) {
        let cells = graph.exits().len();
        let number = |vertex: Vertex| graph.cell_index(graph.cell(vertex)) as u32;
        self.width = graph.width();
        self.offsets = offsets(self.width);
        self.start = number(state.robber.at);
        self.goal = self.start;
        self.goal_turn = 0;
        self.turn = 1;
        self.cops_first = state.to_move == Side::Cops;
        self.next = self.cops_first.then_some(0);
        (self.expansions, self.touched) = (0, 0);
        self.robber.start(cells, graph.vertices(), 1);
        self.robber.start_at(self.start);
        self.uncaught = 1;
        self.from.resize(cells, 0);
        self.waves = 0;
        for cop in state.cops {
            let speed = cop.speed.steps();
            let waves = &self.cops[..self.waves];
            let known = waves.iter().position(|wave| wave.speed == speed);
            let index = known.unwrap_or(self.waves);
            if index == self.cops.len() {
                self.cops.push(Wave::default());
            }
            if index == self.waves {
                self.cops[index].start(cells, graph.vertices(), speed);
                self.waves += 1;
            }
            self.cops[index].start_at(number(cop.at));
        }
        if self.waves > 1 {
            self.closed.clear(cells);
            for cop in state.cops {
                self.closed.insert(number(cop.at));
            }
        }
    }

    /// Searches on for at most `budget` expansions; the outcome when it is known.
    pub(super) fn advance(&mut self, graph: &Graph, mut budget: u32) -> Option<Outcome> {
        let granted = budget;
        let mut outcome = None;
        while outcome.is_none() && budget > 0 {
            outcome = match self.next {
                None => {
                    self.advance_robber(graph, &mut budget);
                    None
                }
                Some(wave) => self.advance_cops(graph, wave, &mut budget),
            };
        }
        self.expansions += u64::from(granted - budget);
        outcome
    }

    /// A step of the robber: on through cells that no cop has reached.
    fn advance_robber(&mut self, graph: &Graph, budget: &mut u32) {
        let exits = graph.exits();
        let wave = &mut self.robber;
        let closed = match &self.cops[..self.waves] {
            [cops] => &cops.reached,
            _ => &self.closed,
        };
        while *budget > 0 && wave.head < wave.end {
            let at = wave.queue[wave.head];
            wave.head += 1;
            let cell = at >> 4;
            if closed.contains(cell) {
                continue; // captured here before it could go on
            }
            *budget -= 1;
            let mut onward = exits_onward(at, exits[cell as usize]);
            self.touched += u64::from(onward.count_ones());
            while onward != 0 {
                let step = onward.trailing_zeros();
                onward &= onward - 1;
                let next = cell.wrapping_add_signed(self.offsets[step as usize]);
                if !closed.contains(next) && wave.reached.insert(next) {
                    self.from[next as usize] = step as u8;
                    self.uncaught += 1;
                    wave.queue.push(entry(next, step));
                }
            }
        }
        if wave.end_step() {
            self.next = Some(0);
            self.turn += u32::from(self.cops_first);
        }
    }

    /// A step of all cops of a speed: on to everything they have not reached.
    fn advance_cops(&mut self, graph: &Graph, index: usize, budget: &mut u32) -> Option<Outcome> {
        let exits = graph.exits();
        let is_alone = self.waves == 1;
        let wave = &mut self.cops[index];
        while *budget > 0 && wave.head < wave.end {
            let at = wave.queue[wave.head];
            wave.head += 1;
            *budget -= 1;
            let cell = at >> 4;
            let mut onward = exits_onward(at, exits[cell as usize]);
            self.touched += u64::from(onward.count_ones());
            while onward != 0 {
                let step = onward.trailing_zeros();
                onward &= onward - 1;
                let next = cell.wrapping_add_signed(self.offsets[step as usize]);
                if !wave.reached.insert(next) {
                    continue;
                }
                wave.queue.push(entry(next, step));
                let is_first = is_alone || self.closed.insert(next);
                if is_first && self.robber.reached.contains(next) {
                    self.uncaught -= 1;
                    self.goal = next;
                    self.goal_turn = self.turn;
                }
            }
        }
        if self.uncaught == 0 {
            let turns = u16::try_from(self.goal_turn).unwrap_or(u16::MAX);
            return Some(Outcome::Caught(Turns(turns)));
        }
        if wave.end_step() { self.end_turn(index) } else { None }
    }

    /// The cops of a speed have moved.
    fn end_turn(&mut self, index: usize) -> Option<Outcome> {
        if index + 1 < self.waves {
            self.next = Some(index + 1);
            return None;
        }
        self.next = None;
        self.turn += u32::from(!self.cops_first);
        let waves = &self.cops[..self.waves];
        waves.iter().all(Wave::is_spent).then_some(Outcome::Escapes)
    }

    /// Appends the way to the cell that was captured last, without the start.
    pub(super) fn path(&self, graph: &Graph, path: &mut Vec<Vertex>) {
        let width = u32::from(self.width);
        let mut cell = self.goal;
        while cell != self.start {
            let place = Cell::new((cell % width) as u16, (cell / width) as u16);
            path.extend(graph.vertex(place));
            let step = self.from[cell as usize];
            cell = cell.wrapping_add_signed(-self.offsets[usize::from(step)]);
        }
        path.reverse();
    }

    pub(super) const fn expansions(&self) -> u64 {
        self.expansions
    }

    pub(super) const fn touched(&self) -> u64 {
        self.touched
    }
}
