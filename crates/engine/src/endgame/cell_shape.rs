//! The shape of a region of a map: the same for all places and symmetries.

use super::shape::{LocalSteps, MayLeave, PlaceSteps};
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Moves, Offset};
use crate::table::hilbert_index;

/// The eight symmetries of the grid: mirror the columns, mirror the rows, swap both.
const SYMMETRIES: u8 = 8;

/// A cell of a shape: its place, the steps that lead from it on the map, and whether guards close it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ShapeCell {
    y: u16,
    x: u16,
    exits: u8,
    is_guarded: bool,
}

/// What the table of a region of a map depends on, in a normal form: regions that are equal except for their position,
/// rotation and reflection have equal shapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellShape {
    moves: Moves,
    /// Row by row.
    cells: Vec<ShapeCell>,
}

impl CellShape {
    /// The shape of a set of vertices, some of which guards close, and for each vertex its place.
    pub(super) fn of(graph: &Graph, vertices: &[Vertex], guards: &[Vertex]) -> (Self, Vec<u16>) {
        let mut best: Option<(Vec<u64>, u8)> = None;
        for symmetry in 0..SYMMETRIES {
            // Numbers are sorted and compared faster than cells.
            let cells = turned(graph, vertices, guards, symmetry);
            let mut keys: Vec<u64> = cells.map(ShapeCell::key).collect();
            keys.sort_unstable();
            if best.as_ref().is_none_or(|(least, _)| keys < *least) {
                best = Some((keys, symmetry));
            }
        }
        let (keys, symmetry) = best.unwrap_or_default();
        let shape = Self {
            moves: graph.moves(),
            cells: keys.into_iter().map(ShapeCell::of_key).collect(),
        };
        let rank_of = shape.places();
        let own = turned(graph, vertices, guards, symmetry);
        let place = |cell: ShapeCell| {
            let index = shape.cells.binary_search(&cell).unwrap_or(0);
            rank_of.get(index).copied().unwrap_or(0) as u16
        };
        let places = own.map(place).collect();
        (shape, places)
    }

    /// For each cell, row by row, its place: along a Hilbert curve, so that neighbours are close together.
    fn places(&self) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_by_cached_key(|&index| hilbert_index(self.cells[index].cell()));
        let mut place_of = vec![0; order.len()];
        for (place, &index) in order.iter().enumerate() {
            place_of[index] = place as u32;
        }
        place_of
    }

    /// A shape of cells in order, row by row: each with the steps that lead from it and whether it is guarded. `None` if
    /// they are not in order, or do not begin in the first row and the first column.
    pub(super) fn of_cells(
        moves: Moves,
        cells: impl Iterator<Item = (Cell, u8, bool)>,
    ) -> Option<Self> {
        let cell = |(cell, exits, is_guarded): (Cell, u8, bool)| ShapeCell {
            y: cell.y,
            x: cell.x,
            exits,
            is_guarded,
        };
        let cells: Vec<ShapeCell> = cells.map(cell).collect();
        let place = |cell: &ShapeCell| (cell.y, cell.x);
        let is_in_order = cells.is_sorted_by(|a, b| place(a) < place(b));
        let is_at_origin =
            cells.first().is_some_and(|first| first.y == 0) && cells.iter().any(|cell| cell.x == 0);
        (is_in_order && is_at_origin).then_some(Self { moves, cells })
    }

    /// The cells in order: each with the steps that lead from it, and whether it is guarded.
    pub(super) fn cells(&self) -> impl ExactSizeIterator<Item = (Cell, u8, bool)> + '_ {
        let cells = self.cells.iter();
        cells.map(|cell| (cell.cell(), cell.exits, cell.is_guarded))
    }

    /// The moves of the map.
    pub(super) const fn moves(&self) -> Moves {
        self.moves
    }

    /// The steps of the local game.
    pub(super) fn steps(&self, outside: MayLeave) -> LocalSteps {
        let (place_of, rows_begin) = (self.places(), self.rows_begin());
        let mut index_of = vec![0; place_of.len()];
        for (index, &place) in place_of.iter().enumerate() {
            index_of[place as usize] = index;
        }
        let rows = index_of.iter().map(|&index| {
            let mut row = PlaceSteps {
                inside: Vec::with_capacity(self.moves.steps().len()),
                is_guarded: self.cells[index].is_guarded,
                ..PlaceSteps::default()
            };
            for &(dx, dy) in self.moves.steps() {
                match self.step(&rows_begin, index, Offset::new(dx, dy)) {
                    StepTarget::None => {}
                    StepTarget::Inside(to) => row.inside.push(place_of[to]),
                    // Steps lead both ways.
                    StepTarget::Outside => (row.leaves, row.enters) = (true, true),
                }
            }
            row
        });
        LocalSteps {
            cells: index_of.iter().map(|&at| self.cells[at].cell()).collect(),
            ..LocalSteps::new(rows, outside)
        }
    }

    /// For each row, the index of its first cell, or where one would be; then the number of cells.
    fn rows_begin(&self) -> Vec<usize> {
        let rows = self.cells.last().map_or(0, |last| usize::from(last.y) + 1);
        let mut begin = vec![0; rows + 1];
        for cell in &self.cells {
            begin[usize::from(cell.y) + 1] += 1;
        }
        for row in 0..rows {
            begin[row + 1] += begin[row];
        }
        begin
    }

    /// Where a step from a cell leads.
    fn step(&self, rows_begin: &[usize], index: usize, step: Offset) -> StepTarget {
        let from = self.cells[index];
        if from.exits & step_bit(self.moves, step) == 0 {
            return StepTarget::None;
        }
        let found = from.cell().offset(step.dx, step.dy).and_then(|to| {
            let row = usize::from(to.y);
            let (begin, end) = (*rows_begin.get(row)?, *rows_begin.get(row + 1)?);
            let row = self.cells.get(begin..end)?;
            let column = row.binary_search_by_key(&to.x, |cell| cell.x).ok()?;
            Some(begin + column)
        });
        found.map_or(StepTarget::Outside, StepTarget::Inside)
    }
}

/// Where a step leads.
enum StepTarget {
    /// Nowhere: there is a wall.
    None,
    /// To this cell of the shape.
    Inside(usize),
    /// Out of the region.
    Outside,
}

impl ShapeCell {
    const fn cell(self) -> Cell {
        Cell::new(self.x, self.y)
    }

    /// A number for each cell, in the order of cells.
    fn key(self) -> u64 {
        let place = u64::from(self.y) << 16 | u64::from(self.x);
        place << 16 | u64::from(self.exits) << 8 | u64::from(self.is_guarded)
    }

    /// The cell of a number.
    const fn of_key(key: u64) -> Self {
        Self {
            y: (key >> 32) as u16,
            x: (key >> 16) as u16,
            exits: (key >> 8) as u8,
            is_guarded: key & 1 == 1,
        }
    }
}

/// The cells of vertices, turned and moved to the origin, in the order of the vertices.
fn turned(
    graph: &Graph,
    vertices: &[Vertex],
    guards: &[Vertex],
    symmetry: u8,
) -> impl Iterator<Item = ShapeCell> {
    let moves = graph.moves();
    let turn = move |vertex: &Vertex| {
        let cell = graph.cell(*vertex);
        turn(Offset::between(Cell::new(0, 0), cell), symmetry)
    };
    let corner = vertices.iter().map(turn);
    let corner = corner.reduce(|a, b| Offset::new(a.dx.min(b.dx), a.dy.min(b.dy)));
    let corner = corner.unwrap_or_default();
    let exits_of = exits_turned(moves, symmetry);
    vertices.iter().map(move |vertex| {
        let turned = turn(vertex);
        let exits = graph.exits()[graph.cell_index(graph.cell(*vertex))];
        ShapeCell {
            x: (turned.dx - corner.dx) as u16,
            y: (turned.dy - corner.dy) as u16,
            exits: exits_of[usize::from(exits)],
            is_guarded: guards.contains(vertex),
        }
    })
}

/// An offset, turned.
const fn turn(offset: Offset, symmetry: u8) -> Offset {
    let Offset { dx, dy } = offset;
    let dx = if symmetry & 1 == 0 { dx } else { -dx };
    let dy = if symmetry & 2 == 0 { dy } else { -dy };
    if symmetry & 4 == 0 {
        Offset { dx, dy }
    } else {
        Offset { dx: dy, dy: dx }
    }
}

/// For each set of steps, the same set turned.
fn exits_turned(moves: Moves, symmetry: u8) -> [u8; 256] {
    let steps = moves.steps().iter();
    let bits: Vec<u8> = steps
        .map(|&(dx, dy)| step_bit(moves, turn(Offset::new(dx, dy), symmetry)))
        .collect();
    std::array::from_fn(|set| {
        let taken = bits.iter().enumerate();
        let taken = taken.filter(|(bit, _)| set >> bit & 1 == 1);
        taken.fold(0, |all, (_, bit)| all | bit)
    })
}

/// The bit of a step in a set of steps.
fn step_bit(moves: Moves, step: Offset) -> u8 {
    let step = (step.dx, step.dy);
    let index = moves.steps().iter().position(|&known| known == step);
    index.map_or(0, |index| 1 << index)
}
