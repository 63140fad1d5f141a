//! The map as a robber of limited sight knows it.

use super::sight::{Beyond, LimitedSight, View};
use super::window::Window;
use crate::graph::{Fingerprint, Graph, TileEdit, Vertex};
use crate::map::Cell;

/// The map as a robber of limited sight knows it, updated as the robber moves.
///
/// Vertices have the same numbers as on the real map; walls that the robber assumes to be free have
/// higher numbers.
///
/// Cost: if the robber sees through walls, the cells that enter or leave the window, and all cells of
/// the window after an edit anywhere; otherwise a line of sight to each cell of the window in each turn.
/// All cells of the map in the first turn and after the real map has assigned new numbers. Memory: that
/// of a graph without walls.
#[derive(Debug, Clone)]
pub(super) struct KnownMap {
    graph: Graph,
    /// The number of vertex numbers that the real map had assigned when they were copied.
    numbers: usize,
    seen: Option<(Window, Fingerprint)>,
    edits: Vec<TileEdit>,
}

impl KnownMap {
    /// A map of which only the bounds are known.
    pub(super) fn new(real: &Graph, beyond: Beyond) -> Self {
        let passable = beyond != Beyond::Closed;
        Self {
            graph: numbered_as(real, |_| passable),
            numbers: real.slots(),
            seen: None,
            edits: Vec::new(),
        }
    }

    /// Returns whether both maps have the same shape and moves.
    pub(super) fn is_of(&self, real: &Graph) -> bool {
        let shape = |graph: &Graph| (graph.width(), graph.height(), graph.moves());
        shape(&self.graph) == shape(real)
    }

    /// Copies the part of the real map that the robber sees from `here`. The real map must keep its
    /// shape.
    pub(super) fn update(&mut self, real: &Graph, here: Vertex, sight: LimitedSight) -> View {
        if self.numbers != real.slots() {
            let known = &self.graph;
            self.graph = numbered_as(real, |cell| known.is_passable(cell));
            self.numbers = real.slots();
        }
        let view = View::new(real, real.cell(here), sight);
        let window = view.window;
        let edits = &mut self.edits;
        edits.clear();
        let before = self.seen.map(|(window, _)| window);
        let is_unchanged = self.seen.is_some_and(|(_, map)| map == real.fingerprint());
        let passable_beyond = match sight.beyond {
            Beyond::Remembered => None,
            Beyond::Free => Some(true),
            Beyond::Closed => Some(false),
        };
        // Cells hidden by walls can come into sight without entering the window.
        let known_before = before.filter(|_| is_unchanged && sight.through_walls);
        window.for_each_outside(known_before, |cell| {
            let is_seen = view.contains(real, cell);
            let passable = is_seen.then(|| real.is_passable(cell));
            let edit = passable.or(passable_beyond);
            edits.extend(edit.map(|passable| TileEdit { cell, passable }));
        });
        if let Some((before, passable)) = before.zip(passable_beyond) {
            before.for_each_outside(Some(window), |cell| {
                edits.push(TileEdit { cell, passable });
            });
        }
        let known = &self.graph;
        edits.retain(|edit| known.is_passable(edit.cell) != edit.passable);
        if !edits.is_empty() {
            self.graph.apply(edits);
        }
        self.seen = Some((window, real.fingerprint()));
        view
    }

    /// The known map.
    pub(super) const fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// A graph with the vertex numbers of another graph and different walls.
fn numbered_as(real: &Graph, is_passable: impl Fn(Cell) -> bool) -> Graph {
    let mut graph = real.clone();
    let (width, height) = (real.width(), real.height());
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
    let edits: Vec<TileEdit> = cells
        .map(|cell| TileEdit {
            cell,
            passable: is_passable(cell),
        })
        .collect();
    graph.apply(&edits);
    graph
}
