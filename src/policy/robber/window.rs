//! A square window of a map.

use crate::graph::Graph;
use crate::map::Cell;

/// The cells of a map within a radius of a cell, by the maximum norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    first: Cell,
    last: Cell,
}

impl Window {
    /// The cells of the map at most `radius` from `centre`.
    pub(super) fn around(graph: &Graph, centre: Cell, radius: u16) -> Self {
        let last = |at: u16, size: u16| at.saturating_add(radius).min(size.saturating_sub(1));
        Self {
            first: Cell::new(
                centre.x.saturating_sub(radius),
                centre.y.saturating_sub(radius),
            ),
            last: Cell::new(
                last(centre.x, graph.width()),
                last(centre.y, graph.height()),
            ),
        }
    }

    pub(super) fn contains(self, cell: Cell) -> bool {
        (self.first.x..=self.last.x).contains(&cell.x)
            && (self.first.y..=self.last.y).contains(&cell.y)
    }

    /// Visits the cells that are not in `other`. Cost: linear in those cells and in the rows.
    pub(super) fn for_each_outside(self, other: Option<Self>, mut visit: impl FnMut(Cell)) {
        for y in self.first.y..=self.last.y {
            let other = other.filter(|other| (other.first.y..=other.last.y).contains(&y));
            // Without an overlap the whole row counts as left of the gap.
            let (left, right) = other.map_or((self.last.x + 1, self.last.x + 1), |other| {
                (other.first.x, other.last.x + 1)
            });
            let columns = self.first.x..left.min(self.last.x + 1);
            for x in columns.chain(right.max(self.first.x)..=self.last.x) {
                visit(Cell::new(x, y));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_is_visited_once() {
        let corners = |first: (u16, u16), last: (u16, u16)| Window {
            first: Cell::new(first.0, first.1),
            last: Cell::new(last.0, last.1),
        };
        let one = corners((3, 3), (7, 6));
        for (x, y) in [(0, 0), (2, 4), (4, 4), (5, 1), (7, 6), (8, 3), (3, 7)] {
            let other = corners((x, y), (x + 3, y + 2));
            let mut found = Vec::new();
            one.for_each_outside(Some(other), |cell| found.push(cell));
            let mut expected = Vec::new();
            one.for_each_outside(None, |cell| expected.push(cell));
            assert_eq!(expected.len(), 5 * 4);
            expected.retain(|&cell| !other.contains(cell));
            assert_eq!(found, expected, "without {other:?}");
        }
    }
}
