use crate::abstraction::{Hierarchy, Lineage};
use crate::graph::{Fingerprint, Graph};

/// The map and the hierarchy that a search began on: on others it cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin(Fingerprint, Option<Lineage>);

impl Origin {
    pub(super) fn of(graph: &Graph, hierarchy: Option<&Hierarchy>) -> Self {
        Self(graph.fingerprint(), hierarchy.map(Hierarchy::lineage))
    }
}
