//! TIDA* with a faster form of `TrailMax`.

use super::escapes::Escapes;
use pursuit_engine::solve::{
    Deepening, Prover, ReachableGraph, SolverEffort, Span, Spot, ToMove, Window,
};

/// An iteration of TIDA* that asks for the robber's best path with sets of places, where it is possible; otherwise with
/// races.
#[derive(Debug)]
pub(super) struct TidaBySets(Window<Escapes>);

impl TidaBySets {
    /// Creates a search that takes at most `limit` bytes, including the graph.
    pub(super) fn deepening(graph: &ReachableGraph, limit: u64) -> Deepening<Self> {
        Deepening::new(graph, limit, |limit| {
            let for_sets = limit / 4;
            let sets = Escapes::new(graph, for_sets);
            let limit = if sets.is_some() {
                limit - for_sets
            } else {
                limit
            };
            Self(Window::with_sets(graph, sets, true, limit))
        })
    }
}

impl Prover for TidaBySets {
    const ANSWERS_SOON: bool = true;

    fn begin(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) {
        self.0.begin(graph, spot, turns, turns + 1);
    }

    fn advance(&mut self, graph: &ReachableGraph, end: u64) -> bool {
        self.0.advance(graph, end)
    }

    fn span(&mut self, graph: &ReachableGraph, spot: Spot, side: ToMove) -> Span {
        self.0.span(graph, spot, side)
    }

    fn effort(&self) -> SolverEffort {
        Prover::effort(&self.0)
    }

    fn work(&self) -> u64 {
        self.0.work()
    }

    fn is_full(&self) -> bool {
        self.0.is_full
    }

    fn set_limit(&mut self, limit: u64) {
        self.0.set_limit(limit);
    }
}
