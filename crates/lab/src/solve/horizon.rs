//! TIDA* followed by retrograde analysis of the states within reach.

use super::cones::{Answer, Cones, Confined, Narrow, Part};
use super::tida_by_sets::{self, TidaBySets};
use pursuit_engine::game::Step;
use pursuit_engine::solve::{
    Deepening, MOST_TURNS, NEVER, OutOfMemory, ReachableGraph, SolverEffort, SolverStep, Span, Spot,
};

mod line;
#[cfg(test)]
mod tests;

/// A search of a position with two cops: TIDA* for a short time, then [`Cones`] with a rising number of turns.
///
/// TIDA* soon finds values that equal its lower bound, and gives a good lower bound otherwise. `Cones` takes a
/// time that depends little on the position, but grows fast with the number of turns. A [narrow](Narrow)
/// analysis comes first: it takes a fraction of the time, and proves an upper bound. This is the value if it
/// equals the lower bound. Otherwise, analyses in which the robber is [confined](Confined) to some places ask for a better
/// lower bound, and full ones for a better value. If an analysis needs too much memory, TIDA* goes on.
#[derive(Debug)]
pub(super) struct Horizon {
    search: Deepening<TidaBySets>,
    /// The number of expansions of TIDA* for each position.
    time: u64,
    /// The expansions after which TIDA* stops.
    opening: u64,
    /// The current analysis.
    cones: Option<Box<Cones>>,
    /// The narrow analysis that has proven the upper bound.
    proof: Option<Box<Cones>>,
    /// The greatest limit within which a narrow analysis has found no proof.
    tried: u16,
    /// The confinement of the last analysis that confined the robber.
    confinement: Confinement,
    phase: Phase,
    span: Span,
    /// The states after the cops' moves and after the replies so far.
    pub line: Vec<Spot>,
    memory: u64,
    /// The work of earlier analyses.
    spent: SolverEffort,
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

/// How far the analyses confine the robber, in the order in which they are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Confinement {
    None,
    /// To few places, to show that the robber stays free for most of the turns of the upper bound.
    Tight,
    /// To more places, to show that the robber stays free until the upper bound.
    Loose,
}

/// The number of expansions of TIDA* before the analysis. They take about a twentieth of a second. Further ones
/// seldom raise the lower bound.
const OPENING: u64 = 1 << 13;
/// The first analysis asks for the lower bound of TIDA*, which most often is the value. Each further analysis adds
/// one part in this number of the lower bound. If the value is greater still, it takes yet another analysis.
const SLACK: u16 = 5;
/// Two bounds are near if their difference is at most this part of the lower one.
const NEAR: u16 = 10;
/// Narrow analyses end at this multiple of the lower bound: the robber then most often escapes.
const MOST_NARROW: u16 = 3;

/// The limit after a limit that was too low.
fn further(limit: u16) -> u16 {
    limit + ((limit + SLACK / 2) / SLACK).max(1)
}

/// The least lower bound that is near an upper one.
fn near(upper: u16) -> u16 {
    (u32::from(upper) * u32::from(NEAR)).div_ceil(u32::from(NEAR) + 1) as u16
}

impl Horizon {
    /// Creates a search that takes at most `memory` bytes, including the graph.
    pub(super) fn new(graph: &ReachableGraph, memory: u64) -> Self {
        Self::with_opening(graph, memory, OPENING)
    }

    /// Creates a search in which TIDA* has this number of expansions.
    fn with_opening(graph: &ReachableGraph, memory: u64, time: u64) -> Self {
        let search = tida_by_sets::deepening(graph, memory);
        let mut horizon = Self {
            span: search.span(),
            search,
            time,
            opening: 0,
            cones: None,
            proof: None,
            tried: 0,
            confinement: Confinement::None,
            phase: Phase::Search,
            line: Vec::new(),
            memory,
            spent: SolverEffort::default(),
        };
        horizon.open(graph);
        horizon
    }

    fn open(&mut self, graph: &ReachableGraph) {
        let (_, robber_speed) = graph.speeds();
        let is_supported = graph.cops == 2 && robber_speed == 1;
        self.opening = if is_supported {
            self.search.effort().work.expansions + self.time
        } else {
            u64::MAX
        };
        self.phase = Phase::Search;
        self.span = self.search.span();
        self.tried = 0;
        self.confinement = Confinement::None;
        self.line.clear();
    }

    pub(super) const fn span(&self) -> Span {
        self.span
    }

    pub(super) fn effort(&self) -> SolverEffort {
        let mut effort = self.search.effort();
        effort.work += self.spent.work;
        for cones in [&self.cones, &self.proof].into_iter().flatten() {
            effort.work += cones.spent;
            effort.bytes += cones.bytes();
        }
        effort
    }

    /// Continues until about `budget` more states are expanded.
    pub(super) fn advance(&mut self, graph: &ReachableGraph, budget: u64) -> SolverStep {
        let end = self.effort().work.expansions.saturating_add(budget);
        loop {
            let done = self.effort().work.expansions;
            let left = end.saturating_sub(done);
            match self.phase {
                Phase::Done => return Step::Done(Ok(())),
                _ if left == 0 => return Step::Working,
                Phase::Search => {
                    if self.search(graph, left) == Step::Done(Err(OutOfMemory)) {
                        return Step::Done(Err(OutOfMemory));
                    }
                }
                Phase::Narrow { limit } => self.narrow(graph, limit, left),
                Phase::Cones { limit } => self.analyse(graph, limit, left),
                Phase::Proof { spot, turns } => self.follow(graph, spot, turns),
                Phase::Reply {
                    spot,
                    after,
                    turns,
                    reply,
                    until,
                } => {
                    let done = self.search.effort().work.expansions;
                    let is_over = self
                        .search
                        .answer(graph, left.min(until.saturating_sub(done)));
                    if is_over || self.search.effort().work.expansions >= until {
                        self.find_reply(graph, spot, after, turns, reply);
                    }
                }
                Phase::Line { spot, turns } => self.extend(graph, spot, turns, left),
            }
        }
    }

    /// Continues TIDA* until it has used its expansions.
    fn search(&mut self, graph: &ReachableGraph, budget: u64) -> SolverStep {
        let left = self
            .opening
            .saturating_sub(self.search.effort().work.expansions);
        let status = if left == 0 {
            Step::Working
        } else {
            self.search.advance(graph, budget.min(left))
        };
        self.span = self.span.narrowed(self.search.span());
        if status == Step::Done(Ok(())) {
            self.line.clone_from(&self.search.line);
            self.phase = Phase::Done;
        } else if self.is_settled() {
            self.play(graph);
        } else if self.search.effort().work.expansions >= self.opening {
            self.ask_narrow(graph, self.span.lower);
        }
        status
    }

    /// Returns whether the lower bound equals the upper bound of the proof.
    fn is_settled(&self) -> bool {
        self.proof.is_some() && self.span.lower == self.span.upper
    }

    /// Starts to look for a proof that the cops win within a number of turns.
    fn ask_narrow(&mut self, graph: &ReachableGraph, limit: u16) {
        let Span { lower, upper } = self.span;
        let limit = limit.max(further(self.tried));
        let most = lower.saturating_mul(MOST_NARROW).min(MOST_TURNS - 1);
        if limit >= upper || limit > most || self.proof.is_some() {
            self.ask(graph);
            return;
        }
        self.drop_cones();
        let narrow = Narrow::new(graph, graph.start, limit);
        let cones = Cones::new(
            graph,
            graph.start,
            limit,
            self.free(),
            Part::Narrow(&narrow),
        );
        self.phase = if cones.is_narrow() {
            Phase::Narrow { limit }
        } else {
            Phase::Cones { limit }
        };
        self.cones = Some(Box::new(cones));
    }

    /// Goes on with a narrow analysis.
    fn narrow(&mut self, graph: &ReachableGraph, limit: u16, budget: u64) {
        let Some(cones) = &mut self.cones else {
            return;
        };
        match cones.advance(graph, budget) {
            Answer::Running => {}
            Answer::Later => {
                self.tried = limit;
                self.ask_narrow(graph, further(limit));
            }
            Answer::Never | Answer::Full => self.ask(graph),
            Answer::Value(value) => {
                cones.end();
                self.proof = self.cones.take();
                self.span.upper = value;
                if self.is_settled() {
                    self.play(graph);
                } else {
                    self.ask(graph);
                }
            }
        }
    }

    /// Starts to ask for a value below the upper bound; if there is none, within a number of turns.
    fn ask(&mut self, graph: &ReachableGraph) {
        let Span { lower, upper } = self.span;
        let is_first = lower == self.search.span().lower;
        let slack = if is_first { 0 } else { lower / SLACK };
        let limit = match self.proof {
            None => (lower + slack).min(upper),
            Some(_) => upper - 1,
        };
        let is_far = lower < near(upper) && near(upper) < upper;
        if limit >= MOST_TURNS || graph.start.is_capture() {
            self.search_on();
        } else if self.proof.is_some() && self.confinement < Confinement::Tight && is_far {
            self.confinement = Confinement::Tight;
            let region = Confined::tight(graph, graph.start);
            self.analyse_to(graph, near(upper) - 1, Part::Confined(&region));
        } else if self.proof.is_some() && self.confinement < Confinement::Loose {
            self.confinement = Confinement::Loose;
            let region = Confined::new(graph, graph.start);
            self.analyse_to(graph, limit, Part::Confined(&region));
        } else {
            self.analyse_to(graph, limit, Part::All);
        }
    }

    /// Starts an analysis of the turns up to a limit.
    fn analyse_to(&mut self, graph: &ReachableGraph, limit: u16, part: Part<'_>) {
        self.phase = Phase::Cones { limit };
        self.set_cones(graph, graph.start, limit, part);
    }

    /// Abandons the analysis.
    fn search_on(&mut self) {
        self.drop_cones();
        self.limit_search();
        self.opening = u64::MAX;
        self.phase = Phase::Search;
    }

    /// Leaves TIDA* the memory that the analyses do not take.
    fn limit_search(&mut self) {
        let others = self.effort().bytes - self.search.effort().bytes;
        self.search.set_limit(self.memory.saturating_sub(others));
    }

    /// The memory that is left for an analysis.
    fn free(&self) -> u64 {
        self.memory.saturating_sub(self.effort().bytes)
    }

    fn set_cones(&mut self, graph: &ReachableGraph, spot: Spot, limit: u16, part: Part<'_>) {
        self.drop_cones();
        let cones = Cones::new(graph, spot, limit, self.free(), part);
        self.cones = Some(Box::new(cones));
    }

    fn drop_cones(&mut self) {
        if let Some(cones) = self.cones.take() {
            self.spent.work += cones.spent;
        }
    }

    fn drop_proof(&mut self) {
        if let Some(proof) = self.proof.take() {
            self.spent.work += proof.spent;
        }
    }

    fn analyse(&mut self, graph: &ReachableGraph, limit: u16, budget: u64) {
        let Some(cones) = &mut self.cones else {
            return;
        };
        match cones.advance(graph, budget) {
            Answer::Running => {}
            Answer::Later => {
                self.span.lower = limit + 1;
                if self.is_settled() {
                    self.play(graph);
                } else {
                    self.ask_narrow(graph, further(limit));
                }
            }
            Answer::Never => {
                self.span = Span::exactly(NEVER);
                self.drop_cones();
                self.phase = Phase::Done;
            }
            Answer::Full => self.search_on(),
            // Without the confinement, the robber seldom survives longer, and an analysis of so few turns takes little
            // time.
            Answer::Value(value) if cones.is_confined() => {
                self.span.lower = self.span.lower.max(value);
                self.analyse_to(graph, value, Part::All);
            }
            Answer::Value(value) => {
                self.span = Span::exactly(value);
                let (spot, turns) = cones.play(graph, &mut self.line, graph.start, value);
                // The cops still achieve the value if the robber leaves the line.
                cones.end();
                let proof = self.cones.take();
                self.drop_proof();
                self.proof = proof;
                self.go_on(graph, spot, turns);
            }
        }
    }
}
