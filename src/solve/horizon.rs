//! TIDA* followed by retrograde analysis of the states within reach.

use super::bounds::{MOST_TURNS, NEVER, Span};
use super::cones::{Answer, Cones};
use super::deepening::Deepening;
use super::field::Field;
use super::method::Method;
use super::solver::{Effort, Status};
use super::spot::Spot;

/// A search of a position with two cops: TIDA* for a short time, then [`Cones`] with a rising number of turns.
///
/// TIDA* soon finds values that equal its lower bound, and gives a good lower bound otherwise. `Cones` takes a
/// time that depends little on the position, but grows fast with the number of turns. If it needs too much
/// memory, TIDA* goes on.
#[derive(Debug)]
pub(super) struct Horizon {
    search: Deepening,
    /// The number of expansions of TIDA* for each position.
    time: u64,
    /// The expansions after which TIDA* stops.
    opening: u64,
    cones: Option<Box<Cones>>,
    phase: Phase,
    span: Span,
    /// The states after the cops' moves and after the replies so far.
    pub line: Vec<Spot>,
    memory: u64,
    /// The work of earlier analyses.
    spent: Effort,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Search,
    Cones {
        limit: u16,
    },
    /// The line is to be extended from a state with this value.
    Line {
        spot: Spot,
        turns: u16,
    },
    Done,
}

/// The number of expansions of TIDA* before the analysis. They take about a quarter of a second.
const OPENING: u64 = 15 << 12;
/// The first analysis asks for the lower bound of TIDA*, which most often is the value. Each further one looks
/// this part of the lower bound beyond it: a greater value would take yet another analysis.
const SLACK: u16 = 5;

impl Horizon {
    /// Creates a search that takes at most `memory` bytes, including the field.
    pub(super) fn new(field: &Field, memory: u64) -> Self {
        Self::with_opening(field, memory, OPENING)
    }

    /// Creates a search in which TIDA* has this number of expansions.
    fn with_opening(field: &Field, memory: u64, time: u64) -> Self {
        let search = Deepening::new(field, Method::Cones, memory);
        let mut horizon = Self {
            span: search.span(),
            search,
            time,
            opening: 0,
            cones: None,
            phase: Phase::Search,
            line: Vec::new(),
            memory,
            spent: Effort::default(),
        };
        horizon.open(field);
        horizon
    }

    fn open(&mut self, field: &Field) {
        let (_, robber_speed) = field.speeds();
        let is_supported = field.cops == 2 && robber_speed == 1;
        self.opening = if is_supported {
            self.search.effort().expansions + self.time
        } else {
            u64::MAX
        };
        self.phase = Phase::Search;
        self.cones = None;
        self.span = self.search.span();
        self.line.clear();
    }

    pub(super) const fn span(&self) -> Span {
        self.span
    }

    pub(super) fn effort(&self) -> Effort {
        let search = self.search.effort();
        let (expansions, touched, bytes) = match &self.cones {
            Some(cones) => (cones.expansions, cones.touched, cones.bytes()),
            None => (0, 0, 0),
        };
        Effort {
            expansions: search.expansions + self.spent.expansions + expansions,
            touched: search.touched + self.spent.touched + touched,
            bytes: search.bytes + bytes,
        }
    }

    pub(super) fn work(&self) -> u64 {
        let cones = self.effort().expansions - self.search.effort().expansions;
        self.search.work() + cones * WORK_OF_AN_EXPANSION
    }

    /// Goes on from another position, the start of the field from now on.
    pub(super) fn move_on(&mut self, field: &Field) {
        let follows = self.line.get(1).is_some_and(|&spot| spot == field.start);
        if self.phase == Phase::Done && follows && self.line.get(2).is_some() {
            self.line.drain(..2);
            self.span = Span::exactly(self.span.upper.saturating_sub(1));
            return;
        }
        self.drop_cones();
        self.search.move_on(field);
        self.open(field);
    }

    pub(super) fn cop_move(&mut self, field: &Field) -> Option<Spot> {
        match self.line.first() {
            Some(&after) => Some(after),
            None => self.search.cop_move(field),
        }
    }

    /// Continues until about `budget` more states are expanded.
    pub(super) fn advance(&mut self, field: &Field, budget: u64) -> Status {
        let end = self.effort().expansions.saturating_add(budget);
        loop {
            let done = self.effort().expansions;
            let left = end.saturating_sub(done);
            match self.phase {
                Phase::Done => return Status::Done,
                _ if left == 0 => return Status::Running,
                Phase::Search => {
                    if self.search(field, left) == Status::OutOfMemory {
                        return Status::OutOfMemory;
                    }
                }
                Phase::Cones { limit } => self.analyse(field, limit, left),
                Phase::Line { spot, turns } => self.extend(field, spot, turns, left),
            }
        }
    }

    /// Lets TIDA* go on, to the end of its time.
    fn search(&mut self, field: &Field, budget: u64) -> Status {
        let left = self.opening.saturating_sub(self.search.effort().expansions);
        let status = if left == 0 {
            Status::Running
        } else {
            self.search.advance(field, budget.min(left))
        };
        self.span = self.span.narrowed(self.search.span());
        if status == Status::Done {
            self.line.clone_from(&self.search.line);
            self.phase = Phase::Done;
        } else if self.search.effort().expansions >= self.opening {
            self.ask(field);
        }
        status
    }

    /// Starts to ask whether the cops win within a number of turns.
    fn ask(&mut self, field: &Field) {
        let Span { lower, upper } = self.span;
        let is_first = lower == self.search.span().lower;
        let slack = if is_first { 0 } else { lower / SLACK };
        let limit = (lower + slack).min(upper);
        if limit >= MOST_TURNS || field.start.is_capture() {
            self.search_on();
        } else {
            self.phase = Phase::Cones { limit };
            self.set_cones(field, field.start, limit);
        }
    }

    /// Gives the analysis up.
    fn search_on(&mut self) {
        self.drop_cones();
        self.opening = u64::MAX;
        self.phase = Phase::Search;
    }

    fn set_cones(&mut self, field: &Field, spot: Spot, limit: u16) {
        self.drop_cones();
        let memory = self.memory.saturating_sub(self.search.effort().bytes);
        self.cones = Some(Box::new(Cones::new(field, spot, limit, memory)));
    }

    fn drop_cones(&mut self) {
        if let Some(cones) = self.cones.take() {
            self.spent.expansions += cones.expansions;
            self.spent.touched += cones.touched;
        }
    }

    fn analyse(&mut self, field: &Field, limit: u16, budget: u64) {
        let Some(cones) = &mut self.cones else {
            return;
        };
        match cones.advance(field, budget) {
            Answer::Running => {}
            Answer::Later => {
                self.span.lower = limit + 1;
                self.ask(field);
            }
            Answer::Never => {
                self.span = Span::exactly(NEVER);
                self.drop_cones();
                self.phase = Phase::Done;
            }
            Answer::Full => self.search_on(),
            Answer::Value(value) => {
                self.span = Span::exactly(value);
                let (spot, turns) = cones.play(field, &mut self.line, field.start, value);
                self.go_on(field, spot, turns);
            }
        }
    }

    /// Goes on with the line from a state.
    fn go_on(&mut self, field: &Field, spot: Spot, turns: u16) {
        self.phase = if turns == 0 {
            self.drop_cones();
            Phase::Done
        } else {
            self.set_cones(field, spot, turns);
            Phase::Line { spot, turns }
        };
    }

    fn extend(&mut self, field: &Field, from: Spot, value: u16, budget: u64) {
        let Some(cones) = &mut self.cones else {
            return;
        };
        match cones.advance(field, budget) {
            Answer::Running => {}
            Answer::Later | Answer::Never | Answer::Full => {
                self.line.clear();
                self.phase = Phase::Done;
            }
            Answer::Value(_) => {
                let (spot, turns) = cones.play(field, &mut self.line, from, value);
                self.go_on(field, spot, turns);
            }
        }
    }
}

/// The work of an expansion of [`Cones`], in expansions of single vertices.
const WORK_OF_AN_EXPANSION: u64 = 32;

#[cfg(test)]
mod tests {
    use super::super::rma::Rma;
    use super::*;
    use crate::game::{Agent, Side, Speed, State};
    use crate::graph::{Digraph, Network, Vertex};

    const MEMORY: u64 = 1 << 24;

    fn field(graph: &Digraph, places: [usize; 3], speed: u8, memory: u64) -> Field {
        let agent = |at, speed| Agent {
            at: Vertex::from_index(at),
            speed: Speed::new(speed).expect("above 0"),
        };
        let state = State {
            robber: agent(places[0], 1),
            cops: &[agent(places[1], speed), agent(places[2], speed)],
            to_move: Side::Cops,
        };
        Field::new(graph, &state, memory).expect("a position")
    }

    /// A board of 9 x 9 cells with holes, whose sides are joined if it is a torus.
    fn board(is_torus: bool, holes: &[u32]) -> Digraph {
        const SIDE: u32 = 9;
        let mut edges = Vec::new();
        for cell in 0..SIDE * SIDE {
            let (x, y) = (cell % SIDE, cell / SIDE);
            for (dx, dy) in [(1, 0), (0, 1)] {
                let is_inside = x + dx < SIDE && y + dy < SIDE;
                let next = (y + dy) % SIDE * SIDE + (x + dx) % SIDE;
                if (is_inside || is_torus) && !holes.contains(&cell) && !holes.contains(&next) {
                    edges.push((cell, next));
                }
            }
        }
        Digraph::undirected(SIDE * SIDE, &edges).expect("vertices of the graph")
    }

    fn one_way_ring_with_chords() -> Digraph {
        let arcs = (0..70_u32).flat_map(|at| [(at, (at + 1) % 70), (at, (at * 11 + 3) % 70)]);
        let arcs: Vec<(u32, u32)> = arcs.filter(|(tail, head)| tail != head).collect();
        Digraph::directed(70, &arcs).expect("vertices of the graph")
    }

    /// Solves by the analysis alone, in slices, and checks the bounds on the way and the line at the end.
    fn assert_solved(graph: &Digraph, places: [usize; 3], speed: u8, slice: u64) -> Option<Effort> {
        let field = field(graph, places, speed, MEMORY);
        let mut rma = Rma::new(&field, MEMORY);
        assert_eq!(rma.advance(&field, u64::MAX), Status::Done);
        let value = rma.span().lower;
        let mut search = Horizon::with_opening(&field, MEMORY, 0);
        while search.advance(&field, slice) == Status::Running {
            let Span { lower, upper } = search.span();
            assert!(
                lower <= value && value <= upper,
                "{places:?}: {lower} to {upper}"
            );
            assert!(search.effort().bytes <= MEMORY);
        }
        assert_eq!(
            search.span(),
            Span::exactly(value),
            "{places:?}, speed {speed}"
        );
        if value == NEVER {
            return None;
        }
        assert_eq!(
            search.line.len().div_ceil(2),
            usize::from(value),
            "{places:?}"
        );
        let mut spot = field.start;
        for (index, &next) in search.line.iter().enumerate() {
            if index % 2 == 0 {
                assert!(field.find_joint_move(spot, |after| after == next).is_some());
            } else {
                let mut replies = Vec::new();
                field.robber_moves(spot, &mut replies);
                assert!(replies.contains(&next.robber) && next.cops == spot.cops);
                let left = usize::from(value) - index.div_ceil(2);
                let later = [next.robber, next.cops[0], next.cops[1]]
                    .map(|place| field.vertex(place).index());
                let field = self::field(graph, later, speed, MEMORY);
                let mut rma = Rma::new(&field, MEMORY);
                rma.advance(&field, u64::MAX);
                assert_eq!(
                    usize::from(rma.span().lower),
                    left,
                    "{places:?}, turn {index}"
                );
            }
            spot = next;
        }
        assert!(spot.is_capture() || value == 0);
        Some(search.effort())
    }

    #[test]
    fn the_analysis_agrees_with_a_backward_search_from_the_captures() {
        let graphs = [
            board(false, &[20, 21, 22, 24, 30, 39, 48, 50, 51, 60]),
            board(false, &[]),
            board(true, &[10, 40, 41]),
            one_way_ring_with_chords(),
        ];
        for (graph, board) in graphs.iter().enumerate() {
            let vertices = board.slots();
            for trial in 0..24 {
                let number = (graph * 24 + trial) * 7919 + 13;
                let places = [
                    number % vertices,
                    number / 7 % vertices,
                    number / 31 % vertices,
                ];
                if board.neighbours(Vertex::from_index(places[0])).is_empty() {
                    continue;
                }
                let speed = 1 + u8::from(trial % 3 == 2);
                let whole = assert_solved(board, places, speed, u64::MAX);
                if trial % 6 == 0 {
                    assert_eq!(assert_solved(board, places, speed, 3), whole, "{places:?}");
                }
            }
        }
    }

    #[test]
    fn without_memory_the_bounds_stay_valid() {
        let graph = board(false, &[20, 21, 22, 24, 30, 39, 48, 50, 51, 60]);
        let places = [80, 0, 4];
        let field = field(&graph, places, 1, MEMORY);
        let mut rma = Rma::new(&field, MEMORY);
        rma.advance(&field, u64::MAX);
        let value = rma.span().lower;
        for memory in (16..22).map(|bits| 1 << bits) {
            let mut search = Horizon::with_opening(&field, memory, 0);
            while search.advance(&field, 100) == Status::Running {
                assert!(search.effort().bytes <= memory.max(1 << 17));
            }
            let Span { lower, upper } = search.span();
            assert!(lower <= value && value <= upper);
        }
    }
}
