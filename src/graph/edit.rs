use super::Vertex;
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// One change of one cell: a door opens or closes, a wall is built or falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileEdit {
    /// The cell.
    pub cell: Cell,
    /// Can an agent stand on it from now on?
    pub passable: bool,
}

/// What a batch of edits has changed in a graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphDelta {
    opened: Vec<Vertex>,
    closed: Vec<Vertex>,
    relinked: Vec<Vertex>,
}

impl GraphDelta {
    /// Vertices that are passable now and were not before the batch, in order.
    #[must_use]
    pub fn opened(&self) -> &[Vertex] {
        &self.opened
    }

    /// Vertices that were passable before the batch and are walls now, in order.
    #[must_use]
    pub fn closed(&self) -> &[Vertex] {
        &self.closed
    }

    /// The vertices beside the changed ones, and those that closed and opened again: their edges may
    /// differ. In order, each once.
    #[must_use]
    pub fn relinked(&self) -> &[Vertex] {
        &self.relinked
    }

    /// Has nothing changed?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.opened.is_empty() && self.closed.is_empty()
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.opened.clear();
        self.closed.clear();
        self.relinked.clear();
    }

    /// Notes that a cell has changed once more: an even number of changes is none.
    pub(super) fn flip(&mut self, vertex: Vertex) {
        // All of them, until the batch is settled.
        self.closed.push(vertex);
    }

    /// Notes a vertex beside a changed cell.
    pub(super) fn relink(&mut self, vertex: Vertex) {
        self.relinked.push(vertex);
    }

    /// Ends a batch; `is_live` tells how it ended.
    pub(super) fn settle(&mut self, is_live: impl Fn(Vertex) -> bool) {
        let Self {
            opened,
            closed: flipped,
            relinked,
        } = self;
        flipped.sort_unstable();
        let (mut place, mut closed) = (0, 0);
        while let Some(&vertex) = flipped.get(place) {
            let same = flipped[place..]
                .iter()
                .take_while(|&&other| other == vertex);
            let changes = same.count();
            place += changes;
            match (changes % 2 == 1, is_live(vertex)) {
                (true, true) => opened.push(vertex),
                (true, false) => {
                    flipped[closed] = vertex;
                    closed += 1;
                }
                // One that closed and opened again may have found other neighbours.
                (false, true) => relinked.push(vertex),
                (false, false) => {}
            }
        }
        flipped.truncate(closed);
        relinked.sort_unstable();
        relinked.dedup();
    }
}
