//! Alpha-beta search of limited depth.

use pursuit_engine::solve::{Deepening, Field, Prover, SolverEffort, Span, Spot, ToMove, Window};

/// Alpha-beta search (C. Moldenhauer's thesis, section 4.1): a [`Window`] that starts at 0.
#[derive(Debug)]
pub(super) struct AlphaBeta(Window);

impl AlphaBeta {
    /// Creates a search of rising depth that takes at most `limit` bytes, including the field.
    pub(super) fn deepening(field: &Field, limit: u64) -> Deepening<Self> {
        Deepening::new(field, limit, |limit| Self(Window::new(field, false, limit)))
    }
}

impl Prover for AlphaBeta {
    fn begin(&mut self, field: &Field, spot: Spot, turns: u16) {
        self.0.begin(field, spot, 0, turns + 1);
    }

    fn advance(&mut self, field: &Field, end: u64) -> bool {
        self.0.advance(field, end)
    }

    fn span(&mut self, field: &Field, spot: Spot, side: ToMove) -> Span {
        self.0.span(field, spot, side)
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
