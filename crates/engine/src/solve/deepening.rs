//! Iterative deepening: proves one bound after another for the start, then finds a line of play.

use super::bounds::{MOST_TURNS, NEVER, Span, ToMove};
use super::reachable_graph::ReachableGraph;
use super::rma::Rma;
use super::solver::{OutOfMemory, SolverEffort, SolverStep};
use super::spot::Spot;
use super::window::{Sets, Window};
use crate::game::Step;

/// A search that repeatedly asks whether the cops capture within a number of turns. It asks about the least
/// number that is not yet disproven.
///
/// Such a search never proves that a robber escapes. With a single cop, a backward search therefore runs beside
/// it with the same number of expansions. Only a proof of escape is used from the backward search.
#[derive(Debug)]
pub struct Deepening<P = Window> {
    prover: P,
    watch: Option<Rma>,
    watch_limit: u64,
    /// The expansions of the other search when the watch began.
    watched_from: u64,
    /// The searches take turns of this many expansions each.
    round_end: u64,
    phase: DeepeningPhase,
    /// The number of expansions that a question about the start may take before another question is asked.
    patience: u64,
    /// Whether the last question was given up.
    is_given_up: bool,
    /// Whether the last question was about more than the least open number of turns.
    is_loose: bool,
    /// Whether questions are so hard that looser questions pay.
    is_hard: bool,
    span: Span,
    /// The states after the cops' moves and after the replies so far.
    pub line: Vec<Spot>,
    fixed_bytes: u64,
}

const ROUND: u64 = 1 << 12;
/// The initial value of `patience`.
const FIRST_PATIENCE: u64 = 1 << 13;

/// A search that answers whether the cops capture within a number of turns.
pub trait Prover {
    /// Whether most questions are soon answered, so that a looser question is asked only after one that was given up.
    const ANSWERS_SOON: bool = false;

    /// Starts to ask whether the cops, to move in `spot`, capture within `turns` turns.
    fn begin(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16);

    /// Continues until about `end` expansions are done in total. Returns `true` once the question is answered.
    fn advance(&mut self, graph: &ReachableGraph, end: u64) -> bool;

    /// The proven bounds of a state.
    fn span(&mut self, graph: &ReachableGraph, spot: Spot, side: ToMove) -> Span;

    /// The effort so far.
    fn effort(&self) -> SolverEffort;

    /// Whether there is no memory to go on.
    fn is_full(&self) -> bool;

    /// From now on the search takes at most `limit` bytes, unless it has already, or cannot be limited.
    fn set_limit(&mut self, _limit: u64) {}
}

#[derive(Debug, Clone, Copy)]
enum DeepeningPhase {
    /// A question about the start has to be asked, or is being searched until a number of expansions is done.
    Value {
        is_asked: bool,
        until: u64,
    },
    /// The cops are to move in `spot`, whose value is `turns`.
    CopMove {
        spot: Spot,
        turns: u16,
    },
    /// The robber is to reply in `spot`. One of its replies has the value `turns`; the replies before number
    /// `reply` do not.
    Reply {
        spot: Spot,
        turns: u16,
        reply: usize,
        is_asked: bool,
    },
    Done,
}

impl DeepeningPhase {
    const FIRST: Self = Self::Value {
        is_asked: false,
        until: 0,
    };
}

/// An iteration of TIDA*.
impl<S: Sets> Prover for Window<S> {
    const ANSWERS_SOON: bool = S::ANSWERS_SOON;

    fn begin(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) {
        Self::begin(self, graph, spot, turns, turns + 1);
    }

    fn advance(&mut self, graph: &ReachableGraph, end: u64) -> bool {
        Self::advance(self, graph, end)
    }

    fn span(&mut self, graph: &ReachableGraph, spot: Spot, side: ToMove) -> Span {
        Self::span(self, graph, spot, side)
    }

    fn effort(&self) -> SolverEffort {
        let bytes = self.bytes();
        SolverEffort {
            bytes,
            ..self.effort
        }
    }

    fn is_full(&self) -> bool {
        self.is_full
    }

    fn set_limit(&mut self, limit: u64) {
        Self::set_limit(self, limit);
    }
}

impl Deepening {
    /// Creates the search TIDA*, which takes at most `limit` bytes, including the graph.
    #[must_use]
    pub fn tida(graph: &ReachableGraph, limit: u64) -> Self {
        Self::new(graph, limit, |limit| {
            Window::new(graph, Self::trails_pay(graph), limit)
        })
    }

    /// Whether a race of `TrailMax` saves more expansions than it costs. With one cop of the robber's speed in
    /// a maze, a race saves five of six expansions but takes as long as forty.
    const fn trails_pay(graph: &ReachableGraph) -> bool {
        let (cop_speed, robber_speed) = graph.speeds();
        graph.cops > 1 || cop_speed > robber_speed
    }
}

impl<P: Prover> Deepening<P> {
    /// Creates a search that takes at most `limit` bytes, including the graph. `prover` creates the search that answers
    /// its questions, within the bytes that are left.
    pub fn new(graph: &ReachableGraph, limit: u64, prover: impl FnOnce(u64) -> P) -> Self {
        let fixed_bytes = graph.bytes();
        // Distances are measured on demand. In the worst case all of them are.
        let gaps = (graph.places() * (graph.places() * size_of::<u16>() + 64)) as u64;
        let mut rest = limit.saturating_sub(fixed_bytes + gaps);
        let watch = (graph.cops == 1).then(|| {
            rest /= 2;
            Rma::new(graph, rest)
        });
        let mut prover = prover(rest);
        let span = prover.span(graph, graph.start, ToMove::Cops);
        Self {
            prover,
            watch_limit: rest,
            watched_from: 0,
            round_end: if watch.is_some() { ROUND } else { u64::MAX },
            watch,
            phase: DeepeningPhase::FIRST,
            patience: FIRST_PATIENCE,
            is_given_up: false,
            is_loose: true,
            is_hard: graph.cops > 1,
            span,
            line: Vec::new(),
            fixed_bytes,
        }
    }

    /// From now on the search takes at most `limit` bytes, including the graph, unless it has already. For more than
    /// one cop, and not by proof numbers.
    pub fn set_limit(&mut self, limit: u64) {
        self.prover
            .set_limit(limit.saturating_sub(self.fixed_bytes));
    }

    /// The proven bounds of the start.
    pub const fn span(&self) -> Span {
        self.span
    }

    /// Goes on from another position, which the graph has as its start now. What is proven about states stays
    /// proven, whatever the start is.
    pub fn move_on(&mut self, graph: &ReachableGraph) {
        let follows = self.line.get(1).is_some_and(|&spot| spot == graph.start);
        let is_over = self.line.get(2).is_none();
        if follows && !is_over {
            // The line goes on from there, and so does the work on its end.
            self.line.drain(..2);
            self.span = Span::exactly(self.span.upper.saturating_sub(1));
            return;
        }
        self.line.clear();
        self.phase = DeepeningPhase::FIRST;
        self.patience = FIRST_PATIENCE;
        self.is_given_up = false;
        self.is_loose = true;
        self.span = self.prover.span(graph, graph.start, ToMove::Cops);
        if self.watch.take().is_some() {
            self.watch = Some(Rma::new(graph, self.watch_limit));
            self.watched_from = self.prover.effort().work.expansions;
            self.round_end = self.watched_from + ROUND;
        }
    }

    /// Where the cops go to keep the upper bound of the start: the bound falls by a turn, whatever the robber
    /// replies. `None` if no capture is proven.
    pub fn cop_move(&mut self, graph: &ReachableGraph) -> Option<Spot> {
        if let Some(&after) = self.line.first() {
            return Some(after);
        }
        let (prover, upper) = (&mut self.prover, self.span.upper);
        if upper == NEVER || upper == 0 {
            return None;
        }
        graph.find_joint_move(graph.start, |after| {
            prover.span(graph, after, ToMove::Robber).upper < upper
        })
    }

    /// Gives up the present question and asks whether the cops, to move in `spot`, capture within `turns` turns.
    pub fn ask(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) {
        self.phase = DeepeningPhase::FIRST;
        self.prover.begin(graph, spot, turns);
    }

    /// Goes on with what was [asked](Self::ask) for about `budget` expansions. Returns `true` once there is an
    /// answer, or no memory to find one.
    pub fn answer(&mut self, graph: &ReachableGraph, budget: u64) -> bool {
        let end = self.prover.effort().work.expansions.saturating_add(budget);
        self.prover.advance(graph, end) || self.prover.is_full()
    }

    /// The proven lower bound of a state with the cops to move.
    pub fn lower(&mut self, graph: &ReachableGraph, spot: Spot) -> u16 {
        self.prover.span(graph, spot, ToMove::Cops).lower
    }

    /// The effort so far, that of the search for escapes included.
    pub fn effort(&self) -> SolverEffort {
        let mut effort = self.prover.effort();
        if let Some(watch) = &self.watch {
            let other = watch.effort();
            effort.work += other.work;
            effort.bytes += other.bytes;
        }
        effort.bytes += self.fixed_bytes;
        effort
    }

    /// Continues until about `budget` more states are expanded.
    pub fn advance(&mut self, graph: &ReachableGraph, budget: u64) -> SolverStep {
        let end = self.effort().work.expansions.saturating_add(budget);
        loop {
            if matches!(self.phase, DeepeningPhase::Done) {
                let is_exact = self.span.lower == self.span.upper;
                return if is_exact {
                    Step::Done(Ok(()))
                } else {
                    Step::Done(Err(OutOfMemory))
                };
            }
            if self.prover.is_full() {
                return Step::Done(Err(OutOfMemory));
            }
            let done = self.effort().work.expansions;
            if done >= end {
                return Step::Working;
            }
            if !self.watch_on(graph, end - done) {
                continue;
            }
            self.step(graph, end - done);
        }
    }

    /// Lets the backward search catch up. Returns `false` if this used up the budget or settled the value.
    fn watch_on(&mut self, graph: &ReachableGraph, budget: u64) -> bool {
        let Some(watch) = &mut self.watch else {
            return true;
        };
        if self.prover.effort().work.expansions < self.round_end {
            return true;
        }
        let wanted = self.round_end.saturating_sub(self.watched_from);
        let behind = wanted.saturating_sub(watch.effort().work.expansions);
        if behind > 0 {
            let status = watch.advance(graph, behind.min(budget));
            if status.is_working() {
                return false;
            }
            self.round_end = u64::MAX;
            if status == Step::Done(Ok(())) && watch.span().lower == NEVER {
                self.span = Span::exactly(NEVER);
                self.phase = DeepeningPhase::Done;
                return false;
            }
            return true;
        }
        self.round_end += ROUND;
        true
    }

    /// Continues the present question for at most `budget` expansions, or asks the next question.
    fn step(&mut self, graph: &ReachableGraph, budget: u64) {
        let is_asked = match self.phase {
            DeepeningPhase::Value { is_asked, .. } | DeepeningPhase::Reply { is_asked, .. } => {
                is_asked
            }
            DeepeningPhase::CopMove { .. } | DeepeningPhase::Done => false,
        };
        if is_asked {
            let until = match self.phase {
                DeepeningPhase::Value { until, .. } => until,
                _ => u64::MAX,
            };
            let done = self.prover.effort().work.expansions;
            let end = self.round_end.min(done.saturating_add(budget)).min(until);
            let is_answered = self.prover.advance(graph, end);
            let is_given_up = !is_answered && self.prover.effort().work.expansions >= until;
            self.is_given_up = is_given_up;
            if self.prover.is_full() || !is_answered && !is_given_up {
                return;
            }
        }
        match self.phase {
            DeepeningPhase::Value { .. } => self.ask_for_value(graph),
            DeepeningPhase::CopMove { spot, turns } => self.move_cops(graph, spot, turns),
            DeepeningPhase::Reply {
                spot, turns, reply, ..
            } => self.find_reply(graph, spot, turns, reply),
            DeepeningPhase::Done => {}
        }
    }

    fn ask_for_value(&mut self, graph: &ReachableGraph) {
        let start = graph.start;
        self.span = self.prover.span(graph, start, ToMove::Cops);
        let Span { lower, upper } = self.span;
        self.phase = if lower == upper && upper == NEVER {
            DeepeningPhase::Done
        } else if lower == upper {
            DeepeningPhase::CopMove {
                spot: start,
                turns: upper,
            }
        } else if lower >= MOST_TURNS {
            DeepeningPhase::Done
        } else {
            let turns = self.next_question();
            self.prover.begin(graph, start, turns);
            let done = self.prover.effort().work.expansions;
            DeepeningPhase::Value {
                is_asked: true,
                until: done.saturating_add(self.patience),
            }
        };
    }

    /// The number of turns to ask about next: the least open number. If questions are hard, it alternates with
    /// a number that is a tenth greater. The looser question takes less work to prove, and it leaves narrow
    /// bounds if the search is stopped early.
    fn next_question(&mut self) -> u16 {
        let Span { lower, upper } = self.span;
        if P::ANSWERS_SOON && self.is_hard {
            return self.next_soon_answered();
        }
        if !self.is_hard {
            self.patience = u64::MAX;
            return lower;
        }
        let loose = (lower + lower / 10).min(MOST_TURNS);
        self.is_loose = !self.is_loose && loose > lower && upper > loose;
        if self.is_loose {
            return loose;
        }
        self.patience = self.patience.saturating_mul(2);
        lower
    }

    /// Questions that are soon answered cost little. A looser question is asked only after one that
    /// was given up.
    fn next_soon_answered(&mut self) -> u16 {
        let Span { lower, upper } = self.span;
        let loose = (lower + lower / 10).min(upper - 1).min(MOST_TURNS);
        if !self.is_given_up {
            self.is_loose = false;
        } else if self.is_loose || loose == lower {
            self.is_loose = false;
            self.patience = self.patience.saturating_mul(2);
        } else {
            self.is_loose = true;
        }
        if self.is_loose { loose } else { lower }
    }

    /// Adds the cops' move to the line.
    fn move_cops(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) {
        self.phase = DeepeningPhase::Done;
        if turns == 0 {
            return;
        }
        let prover = &mut self.prover;
        let found = graph.find_joint_move(spot, |after| {
            prover.span(graph, after, ToMove::Robber).upper < turns
        });
        // A proof of a value with the cops to move includes a proof of one of their moves.
        let Some(after) = found else {
            self.line.clear();
            return;
        };
        self.line.push(after);
        if turns > 1 {
            self.phase = DeepeningPhase::Reply {
                spot: after,
                turns: turns - 1,
                reply: 0,
                is_asked: false,
            };
        }
    }

    /// Adds the first reply with the value `turns` to the line. Asks a question where the value of a reply is
    /// not known.
    fn find_reply(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16, mut reply: usize) {
        let mut moves = Vec::new();
        graph.robber_moves(spot, &mut moves);
        while let Some(&robber) = moves.get(reply) {
            let after = spot.with_robber(robber);
            let span = self.prover.span(graph, after, ToMove::Cops);
            if span.lower >= turns {
                self.line.push(after);
                self.phase = DeepeningPhase::CopMove { spot: after, turns };
                return;
            }
            if span.upper >= turns {
                self.prover.begin(graph, after, turns - 1);
                self.phase = DeepeningPhase::Reply {
                    spot,
                    turns,
                    reply,
                    is_asked: true,
                };
                return;
            }
            reply += 1;
        }
        self.line.clear();
        self.phase = DeepeningPhase::Done;
    }
}
