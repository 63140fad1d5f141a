use super::Vertex;
use crate::map::Cell;

/// One change of one cell: a door opens or closes, a wall is built or falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    /// The delta of a batch: `flipped` lists a vertex once for each change, so that an even number
    /// of changes is none; `is_live` tells how it ended.
    pub(super) fn settled(
        mut flipped: Vec<Vertex>,
        mut relinked: Vec<Vertex>,
        is_live: impl Fn(Vertex) -> bool,
    ) -> Self {
        flipped.sort_unstable();
        // One that closed and opened again may have found other neighbours.
        let swung = flipped
            .chunk_by(|a, b| a == b)
            .filter(|same| same.len() % 2 == 0 && is_live(same[0]))
            .map(|same| same[0]);
        relinked.extend(swung);
        relinked.sort_unstable();
        relinked.dedup();
        let changed = flipped
            .chunk_by(|a, b| a == b)
            .filter(|same| same.len() % 2 == 1)
            .map(|same| same[0]);
        let (opened, closed) = changed.partition(|&vertex| is_live(vertex));
        Self {
            opened,
            closed,
            relinked,
        }
    }
}
