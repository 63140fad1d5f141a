//! The interface to capture times, however they are stored.

use crate::game::{Outcome, Rules};
use crate::graph::Fingerprint;

/// Exact capture times of all positions, however they are stored.
///
/// Positions are given by the *places* of an [`Arena`](super::Arena) of the same map or graph.
pub trait CaptureTimes: Sync {
    /// The rules of the game.
    fn rules(&self) -> Rules;

    /// The fingerprint of the map or graph.
    fn fingerprint(&self) -> Fingerprint;

    /// The number of places.
    fn places(&self) -> usize;

    /// The value of a position with the cops to move. Sorts `cops`. `None` if a place is out of
    /// range, if the number of cops differs from the rules, or if the position is illegal (see
    /// [`ArenaBuilder`](super::ArenaBuilder)).
    fn value_at(&self, robber: usize, cops: &mut [usize]) -> Option<Outcome>;
}
