//! TIDA* followed by retrograde analysis of the states within reach.

use super::bounds::{MOST_TURNS, NEVER, Span};
use super::cones::{Answer, Cones, Narrow};
use super::deepening::Deepening;
use super::field::Field;
use super::method::Method;
use super::solver::{Effort, Status};
use super::spot::Spot;

mod line;

/// A search of a position with two cops: TIDA* for a short time, then [`Cones`] with a rising number of turns.
///
/// TIDA* soon finds values that equal its lower bound, and gives a good lower bound otherwise. `Cones` takes a
/// time that depends little on the position, but grows fast with the number of turns. A [narrow](Narrow)
/// analysis comes first: it takes a fraction of the time, and proves an upper bound. This is the value if it
/// equals the lower bound; otherwise, a full analysis asks for a better value. If it needs too much memory, TIDA*
/// goes on.
#[derive(Debug)]
pub(super) struct Horizon {
    search: Deepening,
    /// The number of expansions of TIDA* for each position.
    time: u64,
    /// The expansions after which TIDA* stops.
    opening: u64,
    /// The analysis in work.
    cones: Option<Box<Cones>>,
    /// The narrow analysis that has proven the upper bound.
    proof: Option<Box<Cones>>,
    /// The greatest limit within which a narrow analysis has found no proof.
    tried: u16,
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
    /// A narrow analysis looks for a proof of a capture.
    Narrow {
        limit: u16,
    },
    Cones {
        limit: u16,
    },
    /// The line is to be extended from a state with this value, by moves of the proof.
    Proof {
        spot: Spot,
        turns: u16,
    },
    /// TIDA* is asked, until it has done a number of expansions, whether reply number `reply` in `spot` lasts
    /// `turns` turns.
    Reply {
        spot: Spot,
        after: Spot,
        turns: u16,
        reply: usize,
        until: u64,
    },
    /// The line is to be extended from a state with this value, by a full analysis.
    Line {
        spot: Spot,
        turns: u16,
    },
    Done,
}

/// The number of expansions of TIDA* before the analysis. They take about a twentieth of a second. Further ones
/// seldom raise the lower bound.
const OPENING: u64 = 1 << 13;
/// The first analysis asks for the lower bound of TIDA*, which most often is the value. Each further one looks
/// this part of the lower bound beyond it: a greater value would take yet another analysis.
const SLACK: u16 = 5;
/// Narrow analyses end at this multiple of the lower bound: the robber then most often escapes.
const MOST_NARROW: u16 = 3;

/// The limit after a limit that was too low.
fn further(limit: u16) -> u16 {
    limit + (limit / SLACK).max(1)
}

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
            proof: None,
            tried: 0,
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
        self.span = self.search.span();
        self.tried = 0;
        self.line.clear();
    }

    pub(super) const fn span(&self) -> Span {
        self.span
    }

    pub(super) fn effort(&self) -> Effort {
        let mut effort = self.search.effort();
        effort.expansions += self.spent.expansions;
        effort.touched += self.spent.touched;
        for cones in [&self.cones, &self.proof].into_iter().flatten() {
            effort.expansions += cones.expansions;
            effort.touched += cones.touched;
            effort.bytes += cones.bytes();
        }
        effort
    }

    pub(super) fn work(&self) -> u64 {
        let cones = self.effort().expansions - self.search.effort().expansions;
        self.search.work() + cones * WORK_OF_AN_EXPANSION
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
                Phase::Narrow { limit } => self.narrow(field, limit, left),
                Phase::Cones { limit } => self.analyse(field, limit, left),
                Phase::Proof { spot, turns } => self.follow(field, spot, turns),
                Phase::Reply {
                    spot,
                    after,
                    turns,
                    reply,
                    until,
                } => {
                    let done = self.search.effort().expansions;
                    let is_over = self
                        .search
                        .answer(field, left.min(until.saturating_sub(done)));
                    if is_over || self.search.effort().expansions >= until {
                        self.find_reply(field, spot, after, turns, reply);
                    }
                }
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
        } else if self.is_settled() {
            self.play(field);
        } else if self.search.effort().expansions >= self.opening {
            self.ask_narrow(field, self.span.lower);
        }
        status
    }

    /// Returns whether the lower bound equals the upper bound of the proof.
    fn is_settled(&self) -> bool {
        self.proof.is_some() && self.span.lower == self.span.upper
    }

    /// Starts to look for a proof that the cops win within a number of turns.
    fn ask_narrow(&mut self, field: &Field, limit: u16) {
        let Span { lower, upper } = self.span;
        let limit = limit.max(further(self.tried));
        let most = lower.saturating_mul(MOST_NARROW).min(MOST_TURNS - 1);
        if limit >= upper || limit > most || self.proof.is_some() {
            self.ask(field);
            return;
        }
        self.drop_cones();
        let narrow = Narrow::new(field, field.start, limit);
        let cones = Cones::new(field, field.start, limit, self.free(), Some(&narrow));
        self.phase = if cones.is_narrow() {
            Phase::Narrow { limit }
        } else {
            Phase::Cones { limit }
        };
        self.cones = Some(Box::new(cones));
    }

    /// Goes on with a narrow analysis.
    fn narrow(&mut self, field: &Field, limit: u16, budget: u64) {
        let Some(cones) = &mut self.cones else {
            return;
        };
        match cones.advance(field, budget) {
            Answer::Running => {}
            Answer::Later => {
                self.tried = limit;
                self.ask_narrow(field, further(limit));
            }
            Answer::Never | Answer::Full => self.ask(field),
            Answer::Value(value) => {
                cones.end();
                self.proof = self.cones.take();
                self.span.upper = value;
                if self.is_settled() {
                    self.play(field);
                } else {
                    self.ask(field);
                }
            }
        }
    }

    /// Starts to ask for a value below the upper bound; if there is none, within a number of turns.
    fn ask(&mut self, field: &Field) {
        let Span { lower, upper } = self.span;
        let is_first = lower == self.search.span().lower;
        let slack = if is_first { 0 } else { lower / SLACK };
        let limit = match self.proof {
            None => (lower + slack).min(upper),
            Some(_) => upper - 1,
        };
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

    /// The memory that is left for an analysis.
    fn free(&self) -> u64 {
        self.memory.saturating_sub(self.effort().bytes)
    }

    fn set_cones(&mut self, field: &Field, spot: Spot, limit: u16) {
        self.drop_cones();
        let cones = Cones::new(field, spot, limit, self.free(), None);
        self.cones = Some(Box::new(cones));
    }

    fn drop_cones(&mut self) {
        if let Some(cones) = self.cones.take() {
            self.spent.expansions += cones.expansions;
            self.spent.touched += cones.touched;
        }
    }

    fn drop_proof(&mut self) {
        if let Some(proof) = self.proof.take() {
            self.spent.expansions += proof.expansions;
            self.spent.touched += proof.touched;
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
                if self.is_settled() {
                    self.play(field);
                } else {
                    self.ask_narrow(field, further(limit));
                }
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
                // The cops keep to the value if the robber leaves the line.
                cones.end();
                let proof = self.cones.take();
                self.drop_proof();
                self.proof = proof;
                self.go_on(field, spot, turns);
            }
        }
    }
}

/// The work of an expansion of [`Cones`], in expansions of single vertices.
const WORK_OF_AN_EXPANSION: u64 = 1 << 9;

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

    /// How often a search in slices was found in each phase.
    #[derive(Default, Debug)]
    struct Seen {
        narrow: usize,
        full: usize,
        replies: usize,
        lines: usize,
    }

    impl Seen {
        fn note(&mut self, phase: Phase) {
            match phase {
                Phase::Narrow { .. } => self.narrow += 1,
                Phase::Cones { .. } => self.full += 1,
                Phase::Line { .. } => self.lines += 1,
                Phase::Reply { .. } => self.replies += 1,
                Phase::Search | Phase::Proof { .. } | Phase::Done => {}
            }
        }
    }

    /// Solves by the analysis after an opening of `time` expansions, in slices, and checks the bounds on the way and the line at the end.
    fn assert_solved(
        graph: &Digraph,
        places: [usize; 3],
        speed: u8,
        (time, memory, slice): (u64, u64, u64),
        seen: &mut Seen,
    ) -> Option<Effort> {
        let field = field(graph, places, speed, MEMORY);
        let mut rma = Rma::new(&field, MEMORY);
        assert_eq!(rma.advance(&field, u64::MAX), Status::Done);
        let value = rma.span().lower;
        let mut search = Horizon::with_opening(&field, memory, time);
        while search.advance(&field, slice) == Status::Running {
            seen.note(search.phase);
            let Span { lower, upper } = search.span();
            assert!(
                lower <= value && value <= upper,
                "{places:?}: {lower} to {upper}"
            );
            assert!(search.effort().bytes <= memory);
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
        let seen = &mut Seen::default();
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
                let whole = assert_solved(board, places, speed, (0, MEMORY, u64::MAX), seen);
                if trial % 6 == 0 {
                    let sliced = assert_solved(board, places, speed, (0, MEMORY, 3), seen);
                    assert_eq!(sliced, whole, "{places:?}");
                }
            }
        }
        assert!(seen.narrow.min(seen.full) > 0, "{seen:?}");
    }

    /// A robber and cops on a board with walls whose value is above the lower bound.
    fn rooms() -> Digraph {
        const SIDE: u32 = 16;
        let is_open = |x: u32, y: u32| x % 5 != 4 && y % 5 != 4 || (x * 7 + y * 3) % 6 == 1;
        let mut edges = Vec::new();
        for (x, y) in (0..SIDE * SIDE).map(|cell| (cell % SIDE, cell / SIDE)) {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
                let (to_x, to_y) = (x + dx, y + dy);
                if to_x < SIDE && to_y < SIDE && is_open(x, y) && is_open(to_x, to_y) {
                    edges.push((x + y * SIDE, to_x + to_y * SIDE));
                }
            }
        }
        Digraph::undirected(SIDE * SIDE, &edges).expect("vertices of the graph")
    }

    #[test]
    fn cops_that_keep_to_a_proof_lose_a_turn_of_the_bound_with_each_turn() {
        let graph = rooms();
        let dice = &mut crate::search::Dice::new(4);
        let mut seen = Seen::default();
        let (mut moves, mut loose) = (Vec::new(), 0);
        for trial in 0..24 {
            let places = [0; 3].map(|_| dice.below(256));
            if places
                .iter()
                .any(|&at| graph.neighbours(Vertex::from_index(at)).is_empty())
            {
                continue;
            }
            let memory = [MEMORY, 3 << 20][trial % 2];
            assert_solved(&graph, places, 1, (50, memory, 1), &mut seen);
            let mut field = field(&graph, places, 1, MEMORY);
            let mut search = Horizon::with_opening(&field, MEMORY, 0);
            while search.span().upper == NEVER && search.advance(&field, 1) == Status::Running {}
            loose += usize::from(search.span().lower < search.span().upper);
            let mut upper = search.span().upper;
            // Some levels of a long proof are not kept. These are short.
            while upper != NEVER && !field.start.is_capture() {
                let after = search.cop_move(&field).expect("a move of the proof");
                if after.is_capture() {
                    break;
                }
                field.robber_moves(after, &mut moves);
                let robber = moves[dice.below(moves.len())];
                field.start = after.with_robber(robber);
                search.move_on(&field);
                assert!(search.span().upper < upper, "{places:?}");
                upper = search.span().upper;
                search.advance(&field, 1);
            }
        }
        let Seen {
            narrow,
            full,
            replies,
            lines,
        } = seen;
        assert!(
            narrow.min(full).min(replies).min(lines).min(loose) > 0,
            "{seen:?}, {loose}"
        );
    }

    #[test]
    fn a_bound_falls_wherever_the_robber_goes() {
        let edges: Vec<(u32, u32)> = (0..5).map(|at| (at, at + 1)).collect();
        let graph = Digraph::undirected(6, &edges).expect("vertices of the graph");
        let mut field = field(&graph, [2, 0, 5], 1, MEMORY);
        let mut search = Horizon::with_opening(&field, MEMORY, 0);
        assert_eq!(search.advance(&field, u64::MAX), Status::Done);
        assert_eq!(search.span(), Span::exactly(2));
        let after = search.cop_move(&field).expect("a move");
        // Waiting is as good: the robber leaves the line.
        field.start = after.with_robber(3);
        search.move_on(&field);
        assert_eq!(search.span().upper, 1);
        let captures = search.cop_move(&field).expect("a move");
        assert!(captures.is_capture());
    }

    #[test]
    fn a_corridor_that_goes_on_beyond_the_limit_is_no_escape() {
        // One cop is shut in, the other one follows the robber to the end.
        let edges: Vec<(u32, u32)> = (1..46).map(|at| (at, at + 1)).collect();
        let graph = Digraph::undirected(47, &edges).expect("vertices of the graph");
        let field = field(&graph, [22, 0, 20], 1, MEMORY);
        let mut rma = Rma::new(&field, MEMORY);
        assert_eq!(rma.advance(&field, u64::MAX), Status::Done);
        let mut search = Horizon::with_opening(&field, MEMORY, 0);
        while search.advance(&field, 1) == Status::Running {
            assert!(search.span().lower <= rma.span().lower);
        }
        assert_eq!(search.span(), rma.span());
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
