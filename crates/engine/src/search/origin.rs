//! The maps that a search began on.

use crate::abstraction::{Hierarchy, Lineage};
use crate::graph::{Fingerprint, Graph};

/// The graph and the hierarchy that a search began on. On any others the search is stale.
///
/// A cell that opens and closes again leaves the fingerprint as it was, but may add a vertex number, for which the
/// arrays of a search have no slot. So the number of slots belongs to the origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchOrigin {
    fingerprint: Fingerprint,
    slots: usize,
    lineage: Option<Lineage>,
}

impl SearchOrigin {
    pub(crate) fn of(graph: &Graph, hierarchy: Option<&Hierarchy>) -> Self {
        Self {
            fingerprint: graph.fingerprint(),
            slots: graph.slots(),
            lineage: hierarchy.map(Hierarchy::lineage),
        }
    }
}
