//! The places where an opponent out of sight can be: all that it can have reached without being seen.

use crate::graph::{Graph, GraphDelta, Vertex};
use crate::map::Cell;
use crate::search::Dice;
use serde::{Deserialize, Serialize};

/// The cells that an opponent out of sight can have reached since it was last seen, without passing a cell that was in
/// view meanwhile. What is [ruled out](Self::rule_out) stays ruled out until the opponent can have walked there.
///
/// A step costs the edge of the set, and not its area; [`take_expansions`](Self::take_expansions) says how much was done. Memory: a
/// bit for each cell of the map, and the edge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PossibleCells {
    width: u16,
    height: u16,
    /// A bit for each cell, row by row.
    bits: Vec<u64>,
    /// All cells of the set with a neighbour outside it, and perhaps others.
    edge: Vec<Cell>,
    /// The cells looked up since the work was last taken: those whose neighbours were listed or that were looked at from
    /// afar count [`CELLS`], those that a set was read or filled with count 1.
    #[serde(skip)]
    work: u64,
}

/// The number of cells that are looked up in the time of an expansion.
const CELLS: u64 = 8;

impl PossibleCells {
    /// No place at all.
    #[must_use]
    pub fn nowhere(graph: &Graph) -> Self {
        let (width, height) = (graph.width(), graph.height());
        let cells = usize::from(width) * usize::from(height);
        Self {
            width,
            height,
            bits: vec![0; cells.div_ceil(64)],
            edge: Vec::new(),
            work: 0,
        }
    }

    /// Every passable cell of the map. Cost: linear in the cells.
    #[must_use]
    pub fn anywhere(graph: &Graph) -> Self {
        let mut all = Self::nowhere(graph);
        all.fill(graph);
        all
    }

    /// Becomes every passable cell of the map. Cost: linear in the cells.
    pub fn fill(&mut self, graph: &Graph) {
        self.edge.clear();
        for at in graph.iter() {
            self.set(graph.cell(at));
        }
        self.work += graph.vertices() as u64;
    }

    /// The work since the last call, in expansions.
    pub fn take_expansions(&mut self) -> u64 {
        std::mem::take(&mut self.work).div_ceil(CELLS)
    }

    /// Returns whether the set belongs to a map of this size.
    #[must_use]
    pub fn fits(&self, graph: &Graph) -> bool {
        let cells = usize::from(self.width) * usize::from(self.height);
        (self.width, self.height) == (graph.width(), graph.height())
            && self.bits.len() == cells.div_ceil(64)
            && self.edge.iter().all(|&cell| graph.is_on_map(cell))
    }

    /// Adds a cell where the opponent was seen: in a wall, its exits instead. Ignored off the map.
    pub fn insert(&mut self, graph: &Graph, cell: Cell) {
        for cell in around(graph, cell) {
            self.add(cell);
        }
        if graph.is_passable(cell) {
            self.add(cell);
        }
    }

    fn add(&mut self, cell: Cell) {
        if !self.contains(cell) {
            self.set(cell);
            self.edge.push(cell);
        }
    }

    /// Returns whether the opponent can be on a cell.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && {
            let (word, bit) = self.place(cell);
            self.bits.get(word).is_some_and(|word| word & bit != 0)
        }
    }

    /// Returns whether there is no place at all. Cost: linear in the cells of the map, 64 at once.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|&word| word == 0)
    }

    /// A random cell, all equally likely; `None` if there is none. Cost: as [`is_empty`](Self::is_empty),
    /// [`cost_of_pick`](Self::cost_of_pick) expansions.
    pub fn pick(&self, dice: &mut Dice) -> Option<Cell> {
        let count = |word: &u64| word.count_ones() as usize;
        let mut left = dice.below(self.bits.iter().map(count).sum());
        for (index, word) in self.bits.iter().enumerate() {
            if left >= count(word) {
                left -= count(word);
                continue;
            }
            let mut rest = *word;
            for _ in 0..left {
                rest &= rest - 1;
            }
            let cell = index * 64 + rest.trailing_zeros() as usize;
            let width = usize::from(self.width);
            return Some(Cell::new((cell % width) as u16, (cell / width) as u16));
        }
        None
    }

    /// What a call of [`pick`](Self::pick) costs, in expansions.
    #[must_use]
    pub const fn cost_of_pick(&self) -> u64 {
        (self.bits.len() as u64).div_ceil(CELLS * CELLS)
    }

    /// The opponent takes a step, or stays. It does not step onto cells that are taken. Returns whether the set has grown.
    /// Cost: linear in the edge.
    pub fn step(&mut self, graph: &Graph, is_taken: impl Fn(Cell) -> bool) -> bool {
        let mut edge = std::mem::take(&mut self.edge);
        let before = edge.len();
        self.work += CELLS * before as u64;
        for index in 0..before {
            let Some(at) = graph.vertex(edge[index]) else {
                continue;
            };
            for &next in graph.neighbours(at) {
                let next = graph.cell(next);
                if !self.contains(next) && !is_taken(next) {
                    self.set(next);
                    edge.push(next);
                }
            }
        }
        let has_grown = edge.len() > before;
        edge.retain(|&cell| self.is_on_edge(graph, cell));
        self.edge = edge;
        has_grown
    }

    /// Rules out the cells in sight that are connected to a cell of `from` or to the edge through other such cells. With
    /// the cells of all viewers in `from`, that is everything that they see of the set, except for what they see through a
    /// gap that nobody can pass; for that, `from` may list random cells of the set.
    ///
    /// Cost: a call for each cell that is ruled out, and some for each cell of the edge and of `from`.
    pub fn rule_out(
        &mut self,
        graph: &Graph,
        from: impl IntoIterator<Item = Cell>,
        mut is_seen: impl FnMut(Cell) -> bool,
    ) {
        let mut open = std::mem::take(&mut self.edge);
        for cell in from {
            // A viewer may stand on a cell that is not in the set, or in a wall.
            open.push(cell);
            open.extend(beside(cell).filter(|_| !self.contains(cell)));
        }
        let mut edge = Vec::new();
        while let Some(cell) = open.pop() {
            self.work += 1;
            if !self.contains(cell) {
                continue;
            }
            self.work += CELLS;
            if graph.is_passable(cell) && !is_seen(cell) {
                edge.push(cell);
                continue;
            }
            self.clear(cell);
            // What is in view may be seen past a corner that no step cuts.
            open.extend(beside(cell));
        }
        edge.sort_unstable();
        edge.dedup();
        self.edge = edge;
    }

    /// Follows edits of the map: who was in a new wall steps out, and what has opened leads somewhere. Cost: linear in the edits.
    pub fn follow_edits(&mut self, graph: &Graph, delta: &GraphDelta) {
        let changed = delta.opened().iter().chain(delta.closed());
        for cell in changed.map(|&at| graph.cell(at)) {
            if self.contains(cell) && !graph.is_passable(cell) {
                self.clear(cell);
                self.insert(graph, cell);
            }
            // A cell that has opened or closed changes the steps between its neighbours, too.
            for beside in beside(cell) {
                if self.contains(beside) {
                    self.edge.push(beside);
                }
            }
        }
        for cell in delta.relinked().iter().map(|&at| graph.cell(at)) {
            if self.contains(cell) {
                self.edge.push(cell);
            }
        }
        self.edge.sort_unstable();
        self.edge.dedup();
    }

    /// Moves to another map of the same size: nobody is in its walls. Cost: linear in the set.
    pub fn follow_map(&mut self, graph: &Graph) {
        let (width, height) = (self.width, self.height);
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        self.edge.clear();
        for cell in cells {
            if !self.contains(cell) {
                continue;
            }
            if graph.is_passable(cell) {
                self.edge.push(cell);
            } else {
                self.clear(cell);
            }
        }
    }

    fn is_on_edge(&self, graph: &Graph, cell: Cell) -> bool {
        let is_outside = |&next: &Vertex| !self.contains(graph.cell(next));
        let at = graph.vertex(cell);
        at.is_some_and(|at| graph.neighbours(at).iter().any(is_outside))
    }

    fn set(&mut self, cell: Cell) {
        let (word, bit) = self.place(cell);
        if let Some(word) = self.bits.get_mut(word) {
            *word |= bit;
        }
    }

    fn clear(&mut self, cell: Cell) {
        let (word, bit) = self.place(cell);
        if let Some(word) = self.bits.get_mut(word) {
            *word &= !bit;
        }
    }

    fn place(&self, cell: Cell) -> (usize, u64) {
        let index = usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x);
        (index / 64, 1 << (index % 64))
    }
}

/// The cells around a cell, in the order of their rows.
fn beside(cell: Cell) -> impl Iterator<Item = Cell> {
    let rows = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    let others = rows.filter(|&step| step != (0, 0));
    others.filter_map(move |(dx, dy)| cell.offset(dx, dy))
}

/// The passable cells around a wall; none around a passable cell, nor around one off the map.
fn around(graph: &Graph, wall: Cell) -> impl Iterator<Item = Cell> + '_ {
    let is_wall = graph.is_on_map(wall) && !graph.is_passable(wall);
    let exits = beside(wall).filter(move |_| is_wall);
    exits.filter(|&cell| graph.is_passable(cell))
}
