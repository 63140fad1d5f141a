//! What every kind of table answers.

use crate::game::{Outcome, Rules};
use crate::graph::Fingerprint;

/// Exact capture times of all positions, however they are kept.
///
/// Positions are given by the *places* of an [`Arena`](super::Arena) of the same map or graph.
pub trait CaptureTimes: Sync {
    /// The rules they are for.
    fn rules(&self) -> Rules;

    /// The fingerprint of the map or graph they are for.
    fn fingerprint(&self) -> Fingerprint;

    /// The number of places.
    fn places(&self) -> usize;

    /// The value with the cops to move; sorts the cops. `None` if a place is beyond the last, or if
    /// there are not as many cops as in the rules.
    fn value_at(&self, robber: usize, cops: &mut [usize]) -> Option<Outcome>;
}
