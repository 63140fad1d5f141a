//! A local table that is being solved, in slices of equal size.

use super::local_table::{LocalSolver, LocalTable};
use super::region::Region;
use super::shape::Shape;
use crate::table::SolveError;
use std::sync::Arc;

/// The number of words of positions in a slice. Every job is cut in the same way, so the number of slices determines
/// its progress.
const WORDS_OF_A_SLICE: usize = 1 << 10;

/// The cost of a slice, in expansions.
pub(super) const EXPANSIONS_OF_A_SLICE: u64 = 128;

/// A local table that is being solved.
#[derive(Debug)]
pub(super) struct LocalJob {
    pub(super) region: Region,
    pub(super) shape: Shape,
    /// The place of each vertex of the region.
    pub(super) places: Vec<u16>,
    solver: LocalSolver,
    slices: u64,
    is_done: bool,
}

impl LocalJob {
    /// Begins to solve the game of a region.
    ///
    /// # Errors
    /// If solving needs more than `limit` bytes.
    pub(super) fn new(
        region: Region,
        shape: Shape,
        places: Vec<u16>,
        limit: u64,
    ) -> Result<Self, SolveError> {
        let solver = LocalSolver::new(&shape, region.outside(), region.rules(), limit)?;
        Ok(Self::of_solver(region, shape, places, solver))
    }

    /// Begins to find what follows from the stored table of a region's shape. Without guards, nothing does.
    pub(super) fn of_stored(
        region: Region,
        shape: Shape,
        places: Vec<u16>,
        table: LocalTable,
    ) -> Self {
        let solver = LocalSolver::of_stored(table);
        Self::of_solver(region, shape, places, solver)
    }

    fn of_solver(region: Region, shape: Shape, places: Vec<u16>, solver: LocalSolver) -> Self {
        Self {
            is_done: solver.is_done(),
            region,
            shape,
            places,
            solver,
            slices: 0,
        }
    }

    /// Works for one slice.
    pub(super) fn advance(&mut self) {
        self.slices += 1;
        self.is_done = self.solver.advance(WORDS_OF_A_SLICE);
    }

    /// The number of slices that are done.
    pub(super) const fn slices(&self) -> u64 {
        self.slices
    }

    /// Returns whether the table is solved.
    pub(super) const fn is_done(&self) -> bool {
        self.is_done
    }

    /// The region without the work, its shape, and the place of each of its vertices.
    pub(super) fn into_region(self) -> (Region, Shape, Vec<u16>) {
        (self.region, self.shape, self.places)
    }

    /// The table; `None` until it is solved.
    pub(super) fn into_table(self) -> Option<(Region, Shape, Vec<u16>, Arc<LocalTable>)> {
        let table = self.solver.finish()?;
        Some((self.region, self.shape, self.places, table))
    }
}
