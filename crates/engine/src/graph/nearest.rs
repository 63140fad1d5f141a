//! The passable cell nearest to a place.

use super::Graph;
use crate::map::Cell;

impl Graph {
    /// The passable cell nearest to a cell as the crow flies, which is the cell itself if it is passable. Of cells
    /// equally near it is the first one row by row. `None` if the map has no passable cell; the cell may be off
    /// the map.
    ///
    /// Cost: a test of every cell whose maximum norm to the cell is at most the distance of the result.
    #[must_use]
    pub fn nearest_passable(&self, cell: Cell) -> Option<Cell> {
        if self.vertices() == 0 {
            return None;
        }
        let mut best: Option<(u64, Cell)> = None;
        for radius in 0..=i32::from(u16::MAX) {
            let least = u64::from(radius.unsigned_abs()).pow(2);
            if best.is_some_and(|(squared, _)| squared < least) {
                break;
            }
            let ring = self.ring(cell, radius).filter(|&at| self.is_passable(at));
            let nearest = ring.map(|at| (at.squared_distance(cell), at)).min();
            best = [best, nearest].into_iter().flatten().min();
        }
        best.map(|(_, at)| at)
    }

    /// The cells of the map whose maximum norm to a cell is `radius`. Cost: linear in those on the map.
    fn ring(&self, center: Cell, radius: i32) -> impl Iterator<Item = Cell> + use<> {
        let (x, y) = (i32::from(center.x), i32::from(center.y));
        let (width, height) = (i32::from(self.width()), i32::from(self.height()));
        let columns = (x - radius).max(0)..(x + radius + 1).min(width);
        let rows = (y - radius + 1).max(0)..(y + radius).min(height);
        let edges = move |at: i32, len: i32| {
            let second = Some(at + radius).filter(|_| radius > 0);
            [Some(at - radius), second]
                .into_iter()
                .flatten()
                .filter(move |edge| (0..len).contains(edge))
        };
        let horizontal = edges(y, height).flat_map(move |y| columns.clone().map(move |x| (x, y)));
        let vertical = edges(x, width).flat_map(move |x| rows.clone().map(move |y| (x, y)));
        horizontal
            .chain(vertical)
            .map(|(x, y)| Cell::new(x as u16, y as u16))
    }
}
