//! A path on a level of a hierarchy.

use crate::graph::Vertex;

/// A path on a level of a hierarchy, **without** the vertex that it starts at; without vertices, the path is that vertex
/// alone. On level 0, the vertices are those of the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelPath<'a> {
    /// The level, from 0.
    pub level: usize,
    /// The vertices of the level to step on, in order.
    pub vertices: &'a [Vertex],
}

impl<'a> LevelPath<'a> {
    /// The path along some vertices of a level.
    #[must_use]
    pub const fn new(level: usize, vertices: &'a [Vertex]) -> Self {
        Self { level, vertices }
    }
}
