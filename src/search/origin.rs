//! The maps that a search began on.

use crate::abstraction::{Hierarchy, Lineage};
use crate::graph::{Fingerprint, Graph};

/// The graph and the hierarchy that a search began on. On any others the search is stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin(Fingerprint, Option<Lineage>);

impl Origin {
    pub(super) fn of(graph: &Graph, hierarchy: Option<&Hierarchy>) -> Self {
        Self(graph.fingerprint(), hierarchy.map(Hierarchy::lineage))
    }
}
