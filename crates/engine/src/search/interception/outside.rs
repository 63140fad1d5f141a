//! The goal of a cop without a path to its robber: the reachable cell nearest to the robber.

use super::Maps;
use crate::game::Work;
use crate::graph::{Graph, Vertex};
use crate::map::Cell;
use crate::search::Footprint;
use crate::search::frontier::Wave;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The limit in abstract vertices that are opened.
const PATIENCE: usize = 500;

/// The limit in vertices of the map if there are no abstract ones.
const VERTICES: usize = 500;

/// Finds the cell nearest to another in a straight line among the cells that a cop has a path to.
///
/// Branch and bound over the abstract vertices above the cop's component: the one whose rectangle is
/// nearest is opened first, until it is a single cell.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct NearestCell {
    /// Vertices by the square of their distance, those of lower levels first among equals.
    open: BinaryHeap<Reverse<(u64, usize, Vertex)>>,
    wave: Wave,
    expansions: u64,
}

impl NearestCell {
    /// The cell in the cop's component; the cop's own cell if the search takes too long.
    pub(in crate::search) fn find(
        &mut self,
        maps: Maps<'_>,
        cop: Vertex,
        to: Vertex,
        mut footprint: Option<&mut Footprint>,
    ) -> Vertex {
        let Maps { graph, hierarchy } = maps;
        let to = graph.cell(to);
        let Some(hierarchy) = hierarchy else {
            return self.search(graph, cop, to, footprint);
        };
        self.open.clear();
        let top = hierarchy.levels() - 1;
        let Some(all) = hierarchy.ancestor(cop, top) else {
            return cop;
        };
        self.open.push(Reverse((0, top, all)));
        for _ in 0..PATIENCE {
            let Some(Reverse((_, level, vertex))) = self.open.pop() else {
                break;
            };
            if level == 0 {
                return vertex;
            }
            self.expansions += 1;
            for &child in hierarchy.children(level, vertex) {
                let (min, max) = hierarchy.bounds(graph, level - 1, child);
                let distance = squared_distance(min, max, to);
                if let Some(footprint) = &mut footprint
                    && level < top
                {
                    footprint.insert_rectangle(min, max);
                }
                self.open.push(Reverse((distance, level - 1, child)));
            }
        }
        cop
    }

    /// Searches the vertices nearest to the cop.
    fn search(
        &mut self,
        graph: &Graph,
        cop: Vertex,
        to: Cell,
        footprint: Option<&mut Footprint>,
    ) -> Vertex {
        self.wave.start(1, graph.slots());
        self.wave.start_at(cop);
        while self.wave.front.len() < VERTICES
            && let Some(vertex) = self.wave.front.pop_any()
        {
            self.wave.expand(graph, vertex);
            self.expansions += 1;
        }
        let reached = self.wave.front.vertices();
        if let Some(footprint) = footprint {
            for &vertex in reached {
                footprint.insert(graph.cell(vertex));
            }
        }
        let distance = |vertex: &Vertex| {
            let cell = graph.cell(*vertex);
            (cell.squared_distance(to), cell)
        };
        reached.iter().copied().min_by_key(distance).unwrap_or(cop)
    }

    pub(in crate::search) const fn forget(&mut self) {
        self.expansions = 0;
    }

    pub(in crate::search) const fn work(&self) -> Work {
        Work {
            expansions: self.expansions,
            touched: 0,
        }
    }
}

/// The square of the straight distance from a rectangle to a cell.
fn squared_distance(min: Cell, max: Cell, to: Cell) -> u64 {
    let nearest = Cell::new(to.x.clamp(min.x, max.x), to.y.clamp(min.y, max.y));
    nearest.squared_distance(to)
}
