//! Which cells the result of a search depends on.

use pursuit_engine::graph::Graph;
use pursuit_engine::map::Cell;
use pursuit_engine::search::{Footprint, SlicedSearch};

/// The footprint of the result of a search on a map.
pub fn footprint_of(search: &impl SlicedSearch, graph: &Graph) -> Footprint {
    let mut footprint = Footprint::default();
    footprint.clear(graph.width(), graph.height());
    search.add_footprint(graph, &mut footprint);
    footprint
}

/// Returns whether the footprint has a block in or beside which this cell is: a search has not seen the
/// walls beside its cells.
pub fn is_touched(footprint: &Footprint, cell: Cell) -> bool {
    let beside = |at: u16| [at.checked_sub(1), Some(at), at.checked_add(1)];
    let rows = beside(cell.y).into_iter().flatten();
    let mut cells = rows.flat_map(|y| {
        beside(cell.x)
            .into_iter()
            .flatten()
            .map(move |x| Cell::new(x, y))
    });
    cells.any(|cell| footprint.contains(cell))
}
