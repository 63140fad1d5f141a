//! Alpha-beta search of limited depth.

use pursuit_engine::solve::{
    Deepening, Prover, ReachableGraph, SolverEffort, Span, Spot, ToMove, Window,
};

/// Alpha-beta search (C. Moldenhauer's thesis, section 4.1): a [`Window`] that starts at 0.
#[derive(Debug)]
pub(super) struct AlphaBeta(Window);

impl AlphaBeta {
    /// Creates a search of rising depth that takes at most `limit` bytes, including the graph.
    pub(super) fn deepening(graph: &ReachableGraph, limit: u64) -> Deepening<Self> {
        Deepening::new(graph, limit, |limit| Self(Window::new(graph, false, limit)))
    }
}

impl Prover for AlphaBeta {
    fn begin(&mut self, graph: &ReachableGraph, spot: Spot, turns: u16) {
        self.0.begin(graph, spot, 0, turns + 1);
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

    fn is_full(&self) -> bool {
        self.0.is_full
    }

    fn set_limit(&mut self, limit: u64) {
        self.0.set_limit(limit);
    }
}
