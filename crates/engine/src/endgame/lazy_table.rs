//! A table that is solved when it is first asked for.

use super::local_table::{LocalSolver, LocalTable};
use super::region::Region;
use super::shape::{MayLeave, Shape};
use crate::game::Rules;
use std::sync::{Arc, OnceLock};

/// The most bytes that solving a region takes.
pub(super) const MOST_BYTES: u64 = 1 << 26;

/// The table of a shape, which is solved at the first question unless it is known already.
///
/// The table depends only on the shape and the rules, so it makes no difference when it is solved.
#[derive(Debug)]
pub(super) struct LazyTable {
    shape: Shape,
    outside: MayLeave,
    rules: Rules,
    /// `None` inside if the game of the shape is too large.
    table: OnceLock<Option<Arc<LocalTable>>>,
}

impl LazyTable {
    /// The table of a region's shape, to be solved when it is needed.
    pub(super) fn unsolved(region: &Region, shape: Shape) -> Self {
        Self {
            shape,
            outside: region.outside(),
            rules: region.rules(),
            table: OnceLock::new(),
        }
    }

    /// The table of a region's shape, which is known.
    pub(super) fn solved(region: &Region, shape: Shape, table: Arc<LocalTable>) -> Self {
        Self {
            table: OnceLock::from(Some(table)),
            ..Self::unsolved(region, shape)
        }
    }

    /// The shape to which the table belongs.
    pub(super) const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns whether this is the table of a region of this shape.
    pub(super) fn is_of(&self, region: &Region, shape: &Shape) -> bool {
        (self.rules, self.outside) == (region.rules(), region.outside()) && self.shape == *shape
    }

    /// The table; `None` if the game is too large to be solved. Cost: once the cost of solving, some ten milliseconds.
    pub(super) fn get(&self) -> Option<&LocalTable> {
        let table = self.table.get_or_init(|| {
            let limit = MOST_BYTES;
            let solver = LocalSolver::new(&self.shape, self.outside, self.rules, limit);
            let mut solver = solver.ok()?;
            while !solver.advance(usize::MAX) {}
            solver.finish()
        });
        table.as_deref()
    }

    /// About how many bytes of memory the table takes now.
    pub(super) fn bytes(&self) -> u64 {
        let table = self.table.get().and_then(Option::as_ref);
        table.map_or(0, |table| table.bytes())
    }
}
