//! What a verification finds, and why there is none.

use super::{SolveError, TableError};
use thiserror::Error;

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verification {
    /// The number of positions checked, with the cops to move, counting cops as distinguished.
    pub positions: u64,
    /// The number of positions whose value does not follow from the values of their successors.
    pub wrong: u64,
    /// The first wrong value.
    pub first: Option<WrongValue>,
    /// The first number of turns for which the table's histogram differs from the count of its
    /// values. `None` if there is no such number, or if the work was stopped.
    pub wrong_count: Option<u16>,
}

impl Verification {
    /// Returns whether no error was found.
    #[must_use]
    pub const fn is_right(&self) -> bool {
        self.wrong == 0 && self.wrong_count.is_none()
    }
}

/// Why a table cannot be verified.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The table does not belong to this map or graph.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The verification needs more memory than the caller allows.
    #[error(transparent)]
    Memory(#[from] SolveError),
}

/// A value that does not follow from the values of its successors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongValue {
    /// The robber's place.
    pub robber: usize,
    /// The cops' places.
    pub cops: Vec<usize>,
    /// The turns that follow from the values of the successors, `None` for an escape. In a table with
    /// exits, numbers beyond the longest capture begin again with 0 turns until the robber is away.
    pub expected: Option<u16>,
    /// The number in the table, `None` for an escape.
    pub found: Option<u16>,
}

/// The findings for some places of the robber.
#[derive(Default)]
pub(super) struct PartialVerification {
    pub found: Verification,
    pub histogram: Vec<u64>,
}

impl PartialVerification {
    pub(super) fn add(&mut self, other: Self) {
        self.found.positions += other.found.positions;
        self.found.wrong += other.found.wrong;
        if self.found.first.is_none() {
            self.found.first = other.found.first;
        }
        if self.histogram.len() < other.histogram.len() {
            self.histogram.resize(other.histogram.len(), 0);
        }
        for (count, other) in self.histogram.iter_mut().zip(other.histogram) {
            *count += other;
        }
    }
}
