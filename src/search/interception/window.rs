//! Shortest paths round a wall, searched in a small window of the map.

use super::pathfinder::{DIAGONAL, STRAIGHT, estimate_between};
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::a_star::Buckets;

/// The greatest width and height of a window, in cells.
const SIDE: u16 = 128;

/// A* on the cells of a window. It finds the paths that [`AStar`](crate::search::AStar) finds, at about half the cost:
/// its nodes stay in the processor's caches from one search to the next, and it reads the exits of cells instead of
/// lists of neighbours.
#[derive(Debug, Clone, Default)]
pub(super) struct Window {
    /// The nodes of the cells, row by row.
    nodes: Vec<Node>,
    /// Nodes of this search have at least this value of `seen`.
    current: u32,
    open: Buckets,
    /// The top left cell.
    corner: Cell,
    ends: (Cell, Cell),
    reached: Vec<Vertex>,
    path: Vec<Vertex>,
    expansions: u64,
    touched: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    /// Less than `current`: not reached; greater: expanded.
    seen: u32,
    cost: u32,
    /// The number of the last step to here.
    step: u32,
}

/// What a step changes.
#[derive(Debug, Clone, Copy, Default)]
struct Stride {
    x: i16,
    y: i16,
    cost: u32,
    /// The difference of the places in the window.
    in_window: isize,
    /// The difference of the row-major indices on the map.
    on_map: isize,
}

impl Stride {
    /// The next cell.
    const fn from(&self, Cell { x, y }: Cell) -> Cell {
        Cell::new(x.wrapping_add_signed(self.x), y.wrapping_add_signed(self.y))
    }
}

/// The strides of the steps of a map, by the bit of the step in the exits of a cell.
fn strides(graph: &Graph) -> [Stride; 8] {
    let mut strides = [Stride::default(); 8];
    for (stride, &(x, y)) in strides.iter_mut().zip(graph.moves().steps()) {
        let distance = |width: i32| (y * width + x) as isize;
        *stride = Stride {
            x: x as i16,
            y: y as i16,
            cost: if x != 0 && y != 0 { DIAGONAL } else { STRAIGHT },
            in_window: distance(SIDE.into()),
            on_map: distance(graph.width().into()),
        };
    }
    strides
}

impl Window {
    /// Begins a search between two cells of a rectangle, which is given by its corners; `false` if the
    /// rectangle is too large.
    pub(super) fn begin(
        &mut self,
        graph: &Graph,
        ends: (Vertex, Vertex),
        (min, max): (Cell, Cell),
    ) -> bool {
        let (from, goal) = (graph.cell(ends.0), graph.cell(ends.1));
        let (width, height) = (max.x - min.x, max.y - min.y);
        let is_inside = (min.x..=max.x).contains(&from.x) && (min.y..=max.y).contains(&from.y);
        // The neighbours of all cells of the rectangle are in the window.
        if width.max(height) > SIDE - 3 || !is_inside {
            return false;
        }
        if self.current > u32::MAX - 4 {
            self.nodes.clear();
            self.current = 0;
        }
        self.current += 2;
        let cells = usize::from(SIDE) * usize::from(SIDE);
        self.nodes.resize(cells, Node::default());
        (self.corner, self.ends) = (min, (from, goal));
        self.reached.clear();
        self.path.clear();
        self.reach(ends.0, self.slot(from), (0, 0));
        let estimate = estimate_between(graph.moves(), self.ends);
        self.open.clear(estimate);
        self.open.push(0, estimate, ends.0);
        true
    }

    /// Continues for at most `limit` expansions to search for a path over vertices that are `allowed`. Returns
    /// whether there is one, which [`Window::path`] then returns; `None` if the search is not at its end.
    ///
    /// No vertex outside the rectangle may be allowed.
    pub(super) fn run(
        &mut self,
        graph: &Graph,
        mut limit: u64,
        mut allowed: impl FnMut(Vertex) -> bool,
    ) -> Option<bool> {
        let (exits, goal) = (graph.exits(), self.ends.1);
        let strides = strides(graph);
        while limit > 0 {
            let Some(vertex) = self.open.pop() else {
                return Some(false);
            };
            let cell = graph.cell(vertex);
            if cell == goal {
                self.write_path(graph);
                return Some(true);
            }
            let (slot, index) = (self.slot(cell), graph.cell_index(cell));
            let node = &mut self.nodes[slot];
            if node.seen > self.current {
                continue; // already expanded at a lower cost
            }
            node.seen += 1;
            let so_far = node.cost;
            let mut open = exits[index];
            limit -= 1;
            self.expansions += 1;
            self.touched += u64::from(open.count_ones());
            while open != 0 {
                let step = open.trailing_zeros();
                open &= open - 1;
                let stride = &strides[step as usize];
                let slot = slot.wrapping_add_signed(stride.in_window);
                let (node, found) = (self.nodes[slot], so_far + stride.cost);
                let is_known = node.seen >= self.current;
                if is_known && (node.seen > self.current || found >= node.cost) {
                    continue;
                }
                let vertex = graph.floor_at(index.wrapping_add_signed(stride.on_map));
                // What was reached is allowed.
                if is_known || allowed(vertex) {
                    self.reach(vertex, slot, (found, step));
                    let rest = estimate_between(graph.moves(), (stride.from(cell), goal));
                    self.open.push(found, rest, vertex);
                }
            }
        }
        None
    }

    /// The place of a cell of the rectangle, or of a neighbour of it, in the window.
    fn slot(&self, cell: Cell) -> usize {
        let [x, y] = [(cell.x, self.corner.x), (cell.y, self.corner.y)]
            .map(|(at, corner)| usize::from(at + 1 - corner));
        y * usize::from(SIDE) + x
    }

    fn reach(&mut self, vertex: Vertex, slot: usize, (cost, step): (u32, u32)) {
        self.reached.push(vertex);
        self.nodes[slot] = Node {
            seen: self.current,
            cost,
            step,
        };
    }

    fn write_path(&mut self, graph: &Graph) {
        let (start, goal) = self.ends;
        let (strides, start) = (strides(graph), self.slot(start));
        let (mut slot, mut index) = (self.slot(goal), graph.cell_index(goal));
        while slot != start {
            self.path.push(graph.floor_at(index));
            let stride = &strides[self.nodes[slot].step as usize];
            slot = slot.wrapping_add_signed(-stride.in_window);
            index = index.wrapping_add_signed(-stride.on_map);
        }
        self.path.reverse();
    }

    /// The vertices that this search has reached; some may be listed more than once.
    pub(super) fn reached(&self) -> &[Vertex] {
        &self.reached
    }

    /// The path found last, without its start.
    pub(super) fn path(&self) -> &[Vertex] {
        &self.path
    }

    /// Vertices expanded and neighbours generated since the last call of this function.
    pub(super) const fn take_effort(&mut self) -> (u64, u64) {
        let effort = (self.expansions, self.touched);
        (self.expansions, self.touched) = (0, 0);
        effort
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::{Moves, Terrain, TileMap};
    use crate::search::{AStar, Dice, Distances};

    /// The path by the search over whole maps.
    fn by_a_star(graph: &Graph, ends: (Vertex, Vertex), min: Cell, max: Cell) -> Vec<Vertex> {
        let place = |vertex| graph.cell(vertex);
        let estimate = |from| estimate_between(graph.moves(), (place(from), place(ends.1)));
        let cost = |a, b| {
            let (a, b) = (place(a), place(b));
            if a.x != b.x && a.y != b.y {
                DIAGONAL
            } else {
                STRAIGHT
            }
        };
        let mut search = AStar::default();
        search.begin(graph, ends.0, estimate(ends.0));
        let allowed = |vertex| is_in(graph.cell(vertex), min, max);
        search.run(graph, ends.1, u64::MAX, allowed, cost, estimate);
        search.path().to_vec()
    }

    fn is_in(Cell { x, y }: Cell, min: Cell, max: Cell) -> bool {
        (min.x..=max.x).contains(&x) && (min.y..=max.y).contains(&y)
    }

    #[test]
    fn paths_are_those_of_the_search_on_whole_maps() {
        let dice = &mut Dice::new(3);
        let (mut window, mut distances) = (Window::default(), Distances::default());
        let (mut found, mut large) = (0, 0);
        for round in 0..600 {
            let moves = [Moves::Octile, Moves::Orthogonal][round % 2];
            let mut map = TileMap::filled(150, 140, Terrain::Floor).expect("some cells");
            let walls = [10, 25, 35][dice.below(3)];
            for cell in map.cells() {
                if dice.below(100) < walls {
                    map.set(cell, Terrain::Wall);
                }
            }
            let graph = Graph::new(&map, moves);
            let all: Vec<Vertex> = graph.iter().collect();
            let from = dice.pick(&all).expect("a vertex");
            distances.measure(&graph, from);
            let to = distances.reachable()[dice.below(distances.reachable().len().min(3000))];
            let (a, b) = (graph.cell(from), graph.cell(to));
            let margin = dice.below(60) as u16;
            let min = Cell::new(
                a.x.min(b.x).saturating_sub(margin),
                a.y.min(b.y).saturating_sub(margin),
            );
            let max = Cell::new(a.x.max(b.x) + margin, a.y.max(b.y) + margin);
            if !window.begin(&graph, (from, to), (min, max)) {
                assert!((max.x - min.x).max(max.y - min.y) > SIDE - 3);
                large += 1;
                continue;
            }
            let allowed = |vertex| is_in(graph.cell(vertex), min, max);
            let is_found = loop {
                let limit = 1 + dice.below(50) as u64;
                if let Some(is_found) = window.run(&graph, limit, allowed) {
                    break is_found;
                }
            };
            assert_eq!(window.path(), by_a_star(&graph, (from, to), min, max));
            assert_eq!(is_found, from == to || !window.path().is_empty());
            found += usize::from(is_found);
        }
        assert!(
            found > 300 && large > 10,
            "{found} found, {large} too large"
        );
    }
}
