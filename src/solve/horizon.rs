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

/// The number of expansions of TIDA* before the analysis.
const OPENING: u64 = 1 << 11;

impl Horizon {
    /// Creates a search that takes at most `memory` bytes, including the field.
    pub(super) fn new(field: &Field, memory: u64) -> Self {
        let search = Deepening::new(field, Method::Tida, memory);
        let mut horizon = Self {
            span: search.span(),
            search,
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
            self.search.effort().expansions
                + std::env::var("OPENING")
                    .ok()
                    .and_then(|s| s.parse().ok())
                    .unwrap_or(OPENING)
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
                    let searched = self.search.effort().expansions;
                    let status = self.search.advance(
                        field,
                        left.min(self.opening.saturating_sub(searched)).max(1),
                    );
                    self.span = self.span.narrowed(self.search.span());
                    match status {
                        Status::Done => {
                            self.line.clone_from(&self.search.line);
                            self.phase = Phase::Done;
                        }
                        Status::OutOfMemory => return status,
                        Status::Running if self.search.effort().expansions >= self.opening => {
                            self.ask(field);
                        }
                        Status::Running => {}
                    }
                }
                Phase::Cones { limit } => self.analyse(field, limit, left),
                Phase::Line { spot, turns } => self.extend(field, spot, turns, left),
            }
        }
    }

    /// Starts to ask whether the cops win within a number of turns.
    fn ask(&mut self, field: &Field) {
        let Span { lower, upper } = self.span;
        let k: u16 = std::env::var("STEP")
            .ok()
            .and_then(|s| s.parse().ok())
            .unwrap_or(20);
        let limit = (lower + lower / k).min(upper);
        if limit >= MOST_TURNS {
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
const WORK_OF_AN_EXPANSION: u64 = 64;
