use super::sight::{Beyond, LimitedSight};
use super::window::Window;
use crate::graph::{Fingerprint, Graph, TileEdit, Vertex};
use crate::map::Cell;

/// The map as an agent knows it that sees a window of it, kept up to date as it moves.
///
/// Its vertices have the numbers that they have on the real map; walls that the agent takes for free
/// have numbers beyond those.
///
/// Cost: the cells that came into the window and those that left it; all cells of the window after an
/// edit anywhere; all cells of the map at first and after the real map has given out new numbers.
/// Memory: that of a graph without walls.
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

    /// Is it one of this map, whatever has been edited?
    pub(super) fn is_of(&self, real: &Graph) -> bool {
        let shape = |graph: &Graph| (graph.width(), graph.height(), graph.moves());
        shape(&self.graph) == shape(real)
    }

    /// Sees what there is to see from `here` of the real map, of the same shape as at first.
    pub(super) fn look(&mut self, real: &Graph, here: Vertex, sight: LimitedSight) -> Window {
        if self.numbers != real.slots() {
            let known = &self.graph;
            self.graph = numbered_as(real, |cell| known.is_passable(cell));
            self.numbers = real.slots();
        }
        let window = Window::around(real, real.cell(here), sight.radius.max(1));
        let edits = &mut self.edits;
        edits.clear();
        let before = self.seen.map(|(window, _)| window);
        let is_unchanged = self.seen.is_some_and(|(_, map)| map == real.fingerprint());
        window.for_each_outside(before.filter(|_| is_unchanged), |cell| {
            let passable = real.is_passable(cell);
            edits.push(TileEdit { cell, passable });
        });
        if let Some(before) = before.filter(|_| sight.beyond != Beyond::Remembered) {
            let passable = sight.beyond == Beyond::Free;
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
        window
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
