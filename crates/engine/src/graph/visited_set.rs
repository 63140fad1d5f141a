//! A set of vertices that can be emptied in constant time.

use crate::graph::Vertex;

/// A set of vertices that is emptied in constant time: it contains the vertices whose stamp equals
/// `current`.
#[derive(Debug, Clone, Default)]
pub struct VisitedSet {
    stamps: Vec<u32>,
    current: u32,
}

impl VisitedSet {
    /// Empties the set and makes room for `slots` vertices.
    #[doc(hidden)]
    pub fn clear(&mut self, slots: usize) {
        if self.current == u32::MAX {
            self.stamps.fill(0);
            self.current = 0;
        }
        self.current += 1;
        self.grow(slots);
    }

    /// Makes room for `slots` vertices.
    pub(crate) fn grow(&mut self, slots: usize) {
        if self.stamps.len() < slots {
            self.stamps.resize(slots, 0);
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub fn contains(&self, vertex: Vertex) -> bool {
        self.stamps.get(vertex.index()) == Some(&self.current)
    }

    /// Adds a vertex. Returns `false` if the set contained it already.
    #[doc(hidden)]
    pub fn insert(&mut self, vertex: Vertex) -> bool {
        let stamp = &mut self.stamps[vertex.index()];
        let new = *stamp != self.current;
        *stamp = self.current;
        new
    }
}
