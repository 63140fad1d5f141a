//! The cache's record of one table.

use super::{SavedMap, SolveFailure, TableKey};
use crate::graph::Graph;
use crate::table::{Arena, Estimate, Solution, Table};
use std::sync::Arc;

/// A table supplied by the game.
#[derive(Debug, Clone)]
pub(super) struct Asset {
    pub key: TableKey,
    pub table: Arc<Table>,
    /// The arena of the map on which it was last used.
    pub arena: Option<Arc<Arena>>,
    /// Whether it numbers the cells as this version does; `None` until that has been checked.
    pub is_ours: Option<bool>,
}

/// A requested table.
///
/// All fields except `arena`, `is_late`, `is_given` and `product` follow from the game's requests and
/// their ticks. These four also depend on how fast tables are solved, and have no influence on the game
/// as long as no table is late.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub key: TableKey,
    pub map: Arc<SavedMap>,
    /// The tick of the request.
    pub begun: u64,
    /// The tick from which on it is used; [`u64::MAX`] means as soon as it is solved.
    pub due: u64,
    /// The tick at which it was last used or requested.
    pub used: u64,
    /// Its share of the memory limit, in bytes.
    pub bytes: u64,
    /// Whether its tick has been reached.
    pub is_kept: bool,
    /// The arena of the map at that time, or of the same map in another game.
    pub arena: Arc<Arena>,
    /// Whether it was looked up after its tick and was not yet solved.
    pub is_late: bool,
    /// Whether the request has been handed out.
    pub is_given: bool,
    pub product: Product,
}

#[derive(Debug, Clone)]
pub(super) enum Product {
    Missing,
    Table(Arc<Solution>),
    Failed(SolveFailure),
}

impl Entry {
    pub(super) const fn is_missing(&self) -> bool {
        matches!(self.product, Product::Missing)
    }

    pub(super) const fn table(&self) -> Option<&Arc<Solution>> {
        match &self.product {
            Product::Table(solution) => Some(solution),
            _ => None,
        }
    }

    pub(super) fn is_of(&self, graph: &Graph) -> bool {
        self.key.fingerprint == graph.fingerprint()
    }
}

/// A solution that is not in use but fits into memory: if it is requested again, as after a rollback, it
/// need not be solved again.
#[derive(Debug, Clone)]
pub(super) struct Spare {
    pub key: TableKey,
    pub bytes: u64,
    pub solution: Arc<Solution>,
}

/// The bytes that a table and its arena take of the memory limit.
pub(super) fn kept_bytes(estimate: &Estimate, cells: u64) -> u64 {
    const BYTES_OF_A_VERTEX: u64 = 64;
    const BYTES_OF_AN_ENTRY: u64 = 1024;
    let arena = BYTES_OF_A_VERTEX * estimate.vertices as u64;
    let rest = arena + cells / 8 + BYTES_OF_AN_ENTRY;
    estimate.solution_bytes().saturating_add(rest)
}
