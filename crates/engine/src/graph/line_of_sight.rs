//! Line of sight between cells: a grid traversal in integers.

use super::Graph;
use crate::map::{Cell, Moves};

impl Graph {
    /// Returns whether an agent on one cell sees another cell.
    ///
    /// It does if the cells are at most `radius` columns and rows apart (any distance for `None`) and
    /// the straight line between their centres touches no opaque square and no thin wall, sides and corners included.
    /// Walls are opaque and passable cells are not, unless the map's [`Opacity`](crate::map::Opacity) says otherwise.
    /// A line through a corner of four cells is blocked if any of them is opaque, as a diagonal step is by a wall: with a
    /// radius of 1 on an octile map without such exceptions, two vertices see each other exactly if
    /// they are equal or one step apart. The two cells themselves do not block: an agent inside a wall
    /// sees and can be seen. Sight is mutual, is the same for octile and orthogonal [`Moves`], and
    /// never leaves the map.
    ///
    /// On a map of hexagons, `radius` counts steps on a map without walls. The line consists of the hexagons that it is on
    /// after each whole step; where it runs along the side between two, one that is not opaque is enough.
    ///
    /// The algorithm visits all cells on the line, in integer arithmetic (Amanatides and Woo, "A fast
    /// voxel traversal algorithm for ray tracing", Eurographics 1987, in two dimensions). Cost: one
    /// lookup per visited cell, at most the columns plus the rows between the two.
    #[must_use]
    pub fn sees(&self, a: Cell, b: Cell, radius: Option<u16>) -> bool {
        let on_map = |cell: Cell| cell.x < self.width && cell.y < self.height;
        let apart = || match self.moves {
            Moves::Hexagonal(layout) => layout.steps(a, b),
            Moves::Octile | Moves::Orthogonal => a.max_norm(b),
        };
        let is_near = radius.is_none_or(|radius| apart() <= u32::from(radius));
        on_map(a) && on_map(b) && is_near && self.is_free_between(a, b)
    }

    /// Returns whether steps lead from one cell to another along the straight line between their centres, as far as walls
    /// and closed edges decide.
    pub(crate) fn is_straight_way(&self, from: Cell, to: Cell) -> bool {
        let is_open = |at: Cell, next: Cell| self.is_passable(next) && !self.is_barred(at, next);
        self.is_on_map(from) && self.is_passable(to) && self.walk_line(from, to, is_open)
    }

    /// Returns whether the line between the centres of two cells touches no opaque square but their own, and no thin wall.
    fn is_free_between(&self, a: Cell, b: Cell) -> bool {
        let is_clear = |cell| cell == a || cell == b || !self.is_opaque(cell);
        self.walk_line(a, b, |at, next| {
            is_clear(next) && !self.has_thin_wall(at, next)
        })
    }

    fn walk_line(&self, a: Cell, b: Cell, open: impl Fn(Cell, Cell) -> bool) -> bool {
        match self.moves {
            Moves::Hexagonal(layout) => layout.walk_line(a, b, open),
            Moves::Octile | Moves::Orthogonal => walk_line(a, b, open),
        }
    }
}

/// Follows the line between the centres of two cells. Returns whether it crosses only sides between cells that are
/// `open`. Where the line passes a corner, both ways around it have to be open.
fn walk_line(a: Cell, b: Cell, open: impl Fn(Cell, Cell) -> bool) -> bool {
    let (columns, rows) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    let (columns, rows) = (i32::from(columns), i32::from(rows));
    let step = |from: u16, to: u16| if from < to { 1 } else { -1 };
    let (dx, dy) = (step(a.x, b.x), step(a.y, b.y));
    // Negative if the line leaves the cell into the next column, positive if into the next row,
    // 0 if through the corner. After i columns and j rows, the balance is (2 i + 1) * rows -
    // (2 j + 1) * columns, whose absolute value stays below 2 * (rows + columns).
    let mut balance = rows - columns;
    let mut at = a;
    while at != b {
        let beside = at.offset(dx, 0).filter(|_| balance <= 0);
        let below = at.offset(0, dy).filter(|_| balance >= 0);
        let next = match (beside, below) {
            (Some(beside), Some(below)) => {
                let next = Cell::new(beside.x, below.y);
                let is_open = |by| open(at, by) && open(by, next);
                Some(next).filter(|_| is_open(beside) && is_open(below))
            }
            (one, other) => one.or(other).filter(|&next| open(at, next)),
        };
        balance += if beside.is_some() { 2 * rows } else { 0 };
        balance -= if below.is_some() { 2 * columns } else { 0 };
        let Some(next) = next else { return false };
        at = next;
    }
    true
}
