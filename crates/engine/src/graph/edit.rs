//! Edits of single cells, and the set of vertices that a batch of edits changes.

use super::{Fingerprint, Vertex};
use crate::map::{Cell, MapEdit};
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

impl From<TileEdit> for MapEdit {
    fn from(edit: TileEdit) -> Self {
        Self::Cell {
            at: edit.cell,
            passable: edit.passable,
        }
    }
}

/// The vertices of a graph that a batch of edits changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphDelta {
    opened: Vec<Vertex>,
    closed: Vec<Vertex>,
    /// The passable vertices whose edges differ although they were passable before, by closed edges, links and corners.
    relinked: Vec<Vertex>,
    /// By what the rules of the map have changed its fingerprint.
    rules: u128,
    pub(super) sight_changes: bool,
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

    /// The passable vertices whose edges may have changed because an edge or a link opened or closed, in no order, and
    /// possibly repeated. Vertices beside an opened or closed one are not listed.
    #[must_use]
    pub fn relinked(&self) -> &[Vertex] {
        &self.relinked
    }

    /// Returns whether agents see across a cell that they did not see across before, or the reverse, other than because it
    /// opened or closed.
    #[must_use]
    pub const fn sight_changes(&self) -> bool {
        self.sight_changes
    }

    /// All vertices that opened, closed, or have other edges.
    pub fn vertices(&self) -> impl Iterator<Item = Vertex> + '_ {
        let lists = [&self.opened, &self.closed, &self.relinked];
        lists.into_iter().flatten().copied()
    }

    /// By what the rules of the map have changed its fingerprint.
    pub(crate) const fn rules(&self) -> u128 {
        self.rules
    }

    /// Returns whether no vertex opened or closed, and no rule about edges changed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        let has_flipped = !self.opened.is_empty() || !self.closed.is_empty();
        !has_flipped && self.relinked.is_empty() && self.rules == 0
    }

    /// Empties the delta and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.opened.clear();
        self.closed.clear();
        self.relinked.clear();
        self.rules = 0;
        self.sight_changes = false;
    }

    /// Records that the edges of a vertex may have changed.
    pub(super) fn relink(&mut self, vertex: Vertex) {
        self.relinked.push(vertex);
    }

    /// Records a change of the map's rules, by the fingerprints before and after it.
    pub(super) const fn note_rule(&mut self, before: Fingerprint, after: Fingerprint) {
        self.rules ^= before.to_bits() ^ after.to_bits();
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
            relinked,
            ..
        } = self;
        relinked.retain(|&vertex| is_live(vertex));
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
