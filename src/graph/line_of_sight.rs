use super::Graph;
use crate::map::Cell;

impl Graph {
    /// Can someone on one cell see another cell?
    ///
    /// Yes if they are at most `radius` columns and rows apart (at any distance without one) and the
    /// straight line between their centres touches no square of a wall, sides and corners included.
    /// So a line through the corner where four cells meet is blocked if any of them is a wall, as a
    /// diagonal step is: on an octile map two vertices with a radius of 1 see each other just if they
    /// are a step apart or the same. The two cells themselves do not block: who stands in a wall sees
    /// and is seen. Sight is mutual, the same for both kinds of [`Moves`](crate::map::Moves), and
    /// never reaches off the map.
    ///
    /// The line is followed cell by cell, all cells that it passes through, with whole numbers
    /// (Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing", Eurographics 1987, on
    /// a grid). Cost: a look at each of these cells, at most the columns and rows between the two.
    #[must_use]
    pub fn sees(&self, a: Cell, b: Cell, radius: Option<u16>) -> bool {
        let on_map = |cell: Cell| cell.x < self.width && cell.y < self.height;
        let is_near = radius.is_none_or(|radius| a.max_norm(b) <= u32::from(radius));
        on_map(a) && on_map(b) && is_near && self.is_free_between(a, b)
    }

    /// Does the line between the centres of two cells touch no square of a wall but theirs?
    fn is_free_between(&self, a: Cell, b: Cell) -> bool {
        let (columns, rows) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
        let (columns, rows) = (i32::from(columns), i32::from(rows));
        let step = |from: u16, to: u16| if from < to { 1 } else { -1 };
        let (dx, dy) = (step(a.x, b.x), step(a.y, b.y));
        let is_free = |cell: Option<Cell>| cell.is_some_and(|cell| self.is_passable(cell));
        // Negative where the line leaves the cell into the next column, positive where into the next
        // row, 0 where through the corner. With i columns and j rows behind it is the difference of
        // (2 i + 1) rows and (2 j + 1) columns, which stays below their sum times 2.
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
