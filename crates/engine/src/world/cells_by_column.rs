//! Cells in the order of their columns, to find those near a cell without looking at all of them.

use crate::map::Cell;

/// Cells with a value each, sorted by column. Memory is reused.
#[derive(Debug, Default)]
pub(super) struct CellsByColumn<T> {
    entries: Vec<(Cell, T)>,
}

impl<T: Copy> CellsByColumn<T> {
    /// Replaces all entries. Cost: that of sorting them.
    pub(super) fn fill(&mut self, entries: impl Iterator<Item = (Cell, T)>) {
        self.entries.clear();
        self.entries.extend(entries);
        self.entries.sort_unstable_by_key(|&(cell, _)| cell.x);
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All cells, by column.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.entries.iter().map(|&(cell, _)| cell)
    }

    /// Visits entries in the order of their distance from a cell in columns, as long as that distance is at most the last
    /// answer of `visit`, and at first at most `reach`. Entries at equal distances come in no particular order.
    ///
    /// Cost: a binary search, and the entries visited.
    pub(super) fn visit_near(
        &self,
        from: Cell,
        mut reach: u32,
        mut visit: impl FnMut(Cell, T) -> u32,
    ) {
        let apart = |&(cell, _): &(Cell, T)| u32::from(cell.x.abs_diff(from.x));
        let middle = self.entries.partition_point(|&(cell, _)| cell.x < from.x);
        let (left, right) = self.entries.split_at(middle);
        let (mut left, mut right) = (left.iter().rev().peekable(), right.iter().peekable());
        loop {
            let ahead = [left.peek(), right.peek()].map(|next| next.map(|&next| apart(next)));
            let (side, columns) = match ahead {
                [Some(left), Some(right)] if left < right => (0, left),
                [_, Some(right)] => (1, right),
                [Some(left), None] => (0, left),
                [None, None] => return,
            };
            if columns > reach {
                return;
            }
            let next = if side == 0 { left.next() } else { right.next() };
            if let Some(&(cell, value)) = next {
                reach = visit(cell, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Dice;

    #[test]
    fn entries_within_reach_are_visited_once_and_near_columns_first() {
        let dice = &mut Dice::new(7);
        for side in [1, 3, 20, 200] {
            let cell =
                |dice: &mut Dice| Cell::new(dice.below(side) as u16, dice.below(side) as u16);
            for count in 0..30 {
                let cells: Vec<Cell> = (0..count).map(|_| cell(dice)).collect();
                let mut columns = CellsByColumn::default();
                columns.fill(cells.iter().copied().zip(0_usize..));
                let (from, reach) = (cell(dice), dice.below(side) as u32);
                let mut visited = Vec::new();
                columns.visit_near(from, reach, |cell, index| {
                    assert_eq!(cells[index], cell);
                    visited.push(index);
                    reach
                });
                let apart = |index: &usize| u32::from(cells[*index].x.abs_diff(from.x));
                assert!(visited.is_sorted_by_key(apart));
                let mut expected: Vec<usize> = (0..count).collect();
                expected.retain(|index| apart(index) <= reach);
                visited.sort_unstable();
                assert_eq!(visited, expected);
            }
        }
    }
}
