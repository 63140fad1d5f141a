//! What the cops of a pursuit see.

use super::cells_by_column::CellsByColumn;
use super::lookout::LookoutSearch;
use super::views::RememberedViews;
use crate::graph::Graph;
use crate::map::Cell;

/// Memory for finding out who sees whom.
#[derive(Debug, Default)]
pub(super) struct SightMemory {
    /// How far each cop sees, by the cell of the cop.
    observers: CellsByColumn<Option<u16>>,
    /// The greatest of these distances.
    farthest: u32,
    /// What they see, as far as it is known.
    views: RememberedViews,
    /// The key of each cop, by the cell of the cop.
    pub(super) observed: CellsByColumn<u64>,
    /// The keys and cells of the cops that a robber sees.
    pub(super) seen: Vec<(u64, Cell)>,
    /// Memory for finding out how near cops out of sight can be.
    pub(super) search: LookoutSearch,
}

impl SightMemory {
    /// Notes where the cops of a pursuit stand, and how far they see. Cost: that of sorting them.
    pub(super) fn place_cops(
        &mut self,
        graph: &Graph,
        cops: impl Iterator<Item = (Cell, Option<u16>)> + Clone,
    ) {
        self.observers.fill(cops.clone());
        self.views.follow(graph, cops.clone());
        // A cop without a limit sees everything; here no cop is one.
        let farthest = cops.map(|(_, sight)| sight.map_or(u32::MAX, u32::from));
        self.farthest = farthest.max().unwrap_or(0);
    }

    /// Returns whether one of these cops sees a cell.
    pub(super) fn is_seen(&self, graph: &Graph, cell: Cell) -> bool {
        self.views.is_seen(graph, cell, || self.look(graph, cell))
    }

    fn look(&self, graph: &Graph, cell: Cell) -> bool {
        let mut seen = false;
        self.observers
            .visit_near(cell, self.farthest, |from, sight| {
                let is_near = u32::from(from.y.abs_diff(cell.y)) <= self.farthest;
                seen = seen || is_near && graph.sees(from, cell, sight);
                if seen { 0 } else { self.farthest }
            });
        seen
    }

    /// Forgets what was seen: the map has changed.
    pub(super) fn forget_views(&mut self) {
        self.views.forget();
    }

    /// Returns whether one of these cops is within a distance of a cell.
    pub(super) fn has_cop_within(&self, cell: Cell, distance: u32) -> bool {
        let mut is_near = false;
        self.observers.visit_near(cell, distance, |from, _| {
            is_near |= from.max_norm(cell) <= distance;
            if is_near { 0 } else { distance }
        });
        is_near
    }

    /// The cells of these cops.
    pub(super) fn cops(&self) -> impl Iterator<Item = Cell> + '_ {
        self.observers.cells()
    }
}
