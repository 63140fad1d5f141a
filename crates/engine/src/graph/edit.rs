//! Edits of single cells, and the set of vertices that a batch of edits changes.

use super::Vertex;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// A change of one cell: a door opens or closes, a wall is built or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileEdit {
    /// The cell.
    pub cell: Cell,
    /// Whether agents can stand on the cell after the edit.
    pub passable: bool,
}

/// The vertices of a graph that a batch of edits changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphDelta {
    opened: Vec<Vertex>,
    closed: Vec<Vertex>,
}

impl GraphDelta {
    /// The vertices that became passable, in order.
    #[must_use]
    pub fn opened(&self) -> &[Vertex] {
        &self.opened
    }

    /// The vertices that became walls, in order.
    #[must_use]
    pub fn closed(&self) -> &[Vertex] {
        &self.closed
    }

    /// Returns whether no vertex opened or closed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.opened.is_empty() && self.closed.is_empty()
    }

    /// Empties the delta and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.opened.clear();
        self.closed.clear();
    }

    /// Records one more change of a cell. An even number of changes cancels out.
    pub(super) fn flip(&mut self, vertex: Vertex) {
        // Until `settle`, `closed` holds all changes, opened vertices included.
        self.closed.push(vertex);
    }

    /// Ends a batch. `is_live` returns whether a vertex is passable after the batch.
    pub(super) fn settle(&mut self, is_live: impl Fn(Vertex) -> bool) {
        let Self {
            opened,
            closed: flipped,
        } = self;
        flipped.sort_unstable();
        let (mut place, mut closed) = (0, 0);
        while let Some(&vertex) = flipped.get(place) {
            let same = flipped[place..]
                .iter()
                .take_while(|&&other| other == vertex);
            let changes = same.count();
            place += changes;
            if changes % 2 == 0 {
                continue;
            }
            if is_live(vertex) {
                opened.push(vertex);
            } else {
                flipped[closed] = vertex;
                closed += 1;
            }
        }
        flipped.truncate(closed);
    }
}
