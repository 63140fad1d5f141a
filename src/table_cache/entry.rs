//! What the cache knows about one table.

use super::{SavedMap, SolveFailure, TableKey};
use crate::graph::Graph;
use crate::table::{Arena, Estimate, Solution, Table};
use std::sync::Arc;

/// A table that the game has given.
#[derive(Debug, Clone)]
pub(super) struct Asset {
    pub key: TableKey,
    pub table: Arc<Table>,
    /// Of the map that it was used on last.
    pub arena: Option<Arc<Arena>>,
    /// Whether it numbers the cells as this version does; `None` until that has been checked.
    pub is_ours: Option<bool>,
}

/// A table that was asked for.
///
/// All but `arena`, `is_late`, `is_given` and `product` follows from what the game has asked for and when;
/// these four also depend on how fast tables are solved. They decide nothing as long as no table is late.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub key: TableKey,
    pub map: Arc<SavedMap>,
    /// When it was asked for.
    pub begun: u64,
    /// From when on it is used; [`u64::MAX`] for whenever it is there.
    pub due: u64,
    /// When it was last used or asked for.
    pub used: u64,
    /// What it takes of the memory.
    pub bytes: u64,
    /// Whether its tick has come.
    pub is_kept: bool,
    /// Of the map at the time, or of the same map in another game.
    pub arena: Arc<Arena>,
    /// Whether it was missing when it was looked up after its tick.
    pub is_late: bool,
    /// Whether the request has been given out.
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

/// A solution that is not in use but fits into memory: if it is requested again, as after a rollback, it need
/// not be solved again.
#[derive(Debug, Clone)]
pub(super) struct Spare {
    pub key: TableKey,
    pub bytes: u64,
    pub solution: Arc<Solution>,
}

/// What a table takes of the memory, with what is kept beside it.
pub(super) fn kept_bytes(estimate: &Estimate, cells: u64) -> u64 {
    const BYTES_OF_A_VERTEX: u64 = 64;
    const BYTES_OF_AN_ENTRY: u64 = 1024;
    let arena = BYTES_OF_A_VERTEX * estimate.vertices as u64;
    let rest = arena + cells / 8 + BYTES_OF_AN_ENTRY;
    estimate.solution_bytes().saturating_add(rest)
}
