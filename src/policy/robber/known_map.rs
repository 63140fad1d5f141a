//! The map as a robber of limited sight knows it.

use super::sight::{Beyond, LimitedSight, View};
use super::window::Window;
use crate::graph::{Fingerprint, Graph, TileEdit, Vertex};
use crate::map::Cell;

/// The map as a robber knows it that sees a part of it, kept up to date as the robber moves.
///
/// Its vertices have the numbers that they have on the real map; walls that the robber believes to be free
/// have numbers beyond those.
///
/// Cost: through walls, the cells that came into the window and those that left it, and all cells of the
/// window after an edit anywhere. Else a line of sight to each cell of the window in each turn. All cells
/// of the map at first and after the real map has given out new numbers. Memory: that of a graph without
/// walls.
#[derive(Debug, Clone)]
pub(super) struct KnownMap {
    graph: Graph,
    /// How many numbers the real map had given out when its numbers were taken over.
    numbers: usize,
    seen: Option<(Window, Fingerprint)>,
    edits: Vec<TileEdit>,
}

impl KnownMap {
    /// Nothing is known but the bounds of the map.
    pub(super) fn new(real: &Graph, beyond: Beyond) -> Self {
        let passable = beyond != Beyond::Closed;
        Self {
            graph: numbered_as(real, |_| passable),
            numbers: real.slots(),
            seen: None,
            edits: Vec::new(),
        }
    }

    /// Returns whether it is of this map, apart from edits.
    pub(super) fn is_of(&self, real: &Graph) -> bool {
        let shape = |graph: &Graph| (graph.width(), graph.height(), graph.moves());
        shape(&self.graph) == shape(real)
    }

    /// Takes over what a robber sees from `here` of the real map, which has the same shape as at first.
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
        // Cells of the window that walls hide come into sight without entering it.
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

    /// The map as it is known.
    pub(super) const fn graph(&self) -> &Graph {
        &self.graph
    }
}

/// A graph with the vertex numbers of another one and walls of its own.
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
