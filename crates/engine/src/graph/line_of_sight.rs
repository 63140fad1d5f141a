//! Line of sight between cells: a grid traversal in integers.

use super::Graph;
use crate::map::Cell;

impl Graph {
    /// Returns whether an agent on one cell sees another cell.
    ///
    /// It does if the cells are at most `radius` columns and rows apart (any distance for `None`) and
    /// the straight line between their centres touches no wall square, sides and corners included.
    /// A line through a corner of four cells is therefore blocked if any of them is a wall, as a
    /// diagonal step is: with a radius of 1 on an octile map, two vertices see each other exactly if
    /// they are equal or one step apart. The two cells themselves do not block: an agent inside a wall
    /// sees and can be seen. Sight is mutual, does not depend on [`Moves`](crate::map::Moves), and
    /// never leaves the map.
    ///
    /// The algorithm visits all cells on the line, in integer arithmetic (Amanatides and Woo, "A fast
    /// voxel traversal algorithm for ray tracing", Eurographics 1987, in two dimensions). Cost: one
    /// lookup per visited cell, at most the columns plus the rows between the two.
    #[must_use]
    pub fn sees(&self, a: Cell, b: Cell, radius: Option<u16>) -> bool {
        let on_map = |cell: Cell| cell.x < self.width && cell.y < self.height;
        let is_near = radius.is_none_or(|radius| a.max_norm(b) <= u32::from(radius));
        on_map(a) && on_map(b) && is_near && self.is_free_between(a, b)
    }

    /// Returns whether the line between the centres of two cells touches no wall square but their own.
    fn is_free_between(&self, a: Cell, b: Cell) -> bool {
        let (columns, rows) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        let (columns, rows) = (i32::from(columns), i32::from(rows));
        let step = |from: u16, to: u16| if from < to { 1 } else { -1 };
        let (dx, dy) = (step(a.x, b.x), step(a.y, b.y));
        let is_free = |cell: Option<Cell>| cell.is_some_and(|cell| self.is_passable(cell));
        // Negative if the line leaves the cell into the next column, positive if into the next row,
        // 0 if through the corner. After i columns and j rows, the balance is (2 i + 1) * rows -
        // (2 j + 1) * columns, whose absolute value stays below 2 * (rows + columns).
        let mut balance = rows - columns;
        let mut at = a;
        while at != b {
            let (past_column, past_row) = (balance <= 0, balance >= 0);
            if balance == 0 && !(is_free(at.offset(dx, 0)) && is_free(at.offset(0, dy))) {
                return false;
            }
            let next = at.offset(
                if past_column { dx } else { 0 },
                if past_row { dy } else { 0 },
            );
            balance += if past_column { 2 * rows } else { 0 };
            balance -= if past_row { 2 * columns } else { 0 };
            let Some(next) = next else { return false };
            if next != b && !self.is_passable(next) {
                return false;
            }
            at = next;
        }
        true
    }
}
