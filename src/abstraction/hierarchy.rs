use super::build::Build;
use super::level::{AbstractLevel, Below, NONE, octile_distance};
use super::repair::Repairer;
use super::save::Saved;
use crate::graph::{Fingerprint, Graph, GraphDelta, Vertex};
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// The levels of a map: level 0 is the [`Graph`] itself, each further one a [`AbstractLevel`].
///
/// A vertex is a number in its level: only with the level it says which one is meant. The graph is
/// not kept; [`fingerprint`](Self::fingerprint) tells which one it was.
///
/// Memory: about 50 bytes a vertex of the map (45 in wide spaces, 70 in narrow ones, 160 where
/// many cells are cut off from the others), after many edits half as much again.
///
/// Saved with serde it is repaired after it is restored as it would have been before, which a hierarchy
/// that is built anew would not be. What was read is checked against itself; [`check`](Self::check)
/// looks whether it is that of its graph, without which a hostile file may cause panics.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Hierarchy {
    /// For each vertex of the map its parent.
    pub(super) parent: Vec<Vertex>,
    pub(super) levels: Vec<AbstractLevel>,
    pub(super) fingerprint: Fingerprint,
    pub(super) lineage: Lineage,
    pub(super) repairer: Repairer,
}

/// How a hierarchy came to be: two with the same have the same groups with the same numbers. A door
/// that opened and closed again leaves the same map, but not always the same groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Lineage(u64);

impl Lineage {
    /// Built from this graph: groups depend on the order of its vertices too, so that each of them is
    /// to be [added](Self::with).
    pub(super) fn begin(graph: &Graph) -> Self {
        Self(graph.fingerprint().to_bits() as u64)
    }

    /// With one more vertex, on this cell.
    pub(super) const fn with(self, Cell { x, y }: Cell) -> Self {
        self.and((y as u64) << 16 | x as u64)
    }

    /// And then something more happened.
    const fn and(self, event: u64) -> Self {
        // An odd number without pattern: the bits of the golden ratio.
        let mixed = (self.0 ^ event).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(mixed ^ mixed >> 29)
    }

    /// And then these vertices opened and closed, in one batch.
    pub(super) fn after(self, delta: &GraphDelta) -> Self {
        let number = |vertex: &Vertex| vertex.index() as u64;
        let opened = delta.opened().iter().map(|vertex| number(vertex) << 2 | 1);
        let closed = delta.closed().iter().map(|vertex| number(vertex) << 2 | 2);
        opened.chain(closed).fold(self.and(3), Self::and)
    }
}

impl Hierarchy {
    /// The hierarchy of a map as it is now.
    ///
    /// Time: near-linear in the cells of the map: 2 ms for 22,841 vertices, 0.1 s for 1,024 x 1,024
    /// cells.
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        let mut build = Build::default();
        while !build.is_done() {
            build.step(graph);
        }
        Self::built(build, graph)
    }

    /// What has been built of a graph, once it is done.
    pub(super) fn built(build: Build, graph: &Graph) -> Self {
        let (parent, levels, lineage) = build.finish(graph);
        Self {
            parent,
            levels,
            fingerprint: graph.fingerprint(),
            lineage,
            repairer: Repairer::default(),
        }
    }

    /// A hierarchy without levels, until one is built.
    pub(super) fn none(graph: &Graph) -> Self {
        Self::built(Build::default(), graph)
    }

    /// The number of levels, the map included.
    #[must_use]
    pub const fn levels(&self) -> usize {
        1 + self.levels.len()
    }

    /// A level above the map; `None` for 0, which is the graph, and above the top.
    #[must_use]
    pub fn level(&self, level: usize) -> Option<&AbstractLevel> {
        self.levels.get(level.checked_sub(1)?)
    }

    /// The vertex of the level above that stands for a vertex; `None` at the top, for a wall and for
    /// a number without vertex. Constant time.
    #[must_use]
    pub fn parent(&self, level: usize, vertex: Vertex) -> Option<Vertex> {
        let parents = match level.checked_sub(1) {
            None => &self.parent,
            Some(index) => &self.levels.get(index)?.parent,
        };
        let parent = parents.get(vertex.index()).copied();
        parent.filter(|&parent| parent != NONE)
    }

    /// The vertices of the level below that a vertex stands for; none at level 0 and for a number
    /// without vertex. Constant time.
    #[must_use]
    pub fn children(&self, level: usize, vertex: Vertex) -> &[Vertex] {
        match self.level(level) {
            Some(level) if level.is_live(vertex) => level.children(vertex),
            _ => &[],
        }
    }

    /// The vertex of `level` that stands for a vertex of the map; `None` for a wall and above the
    /// top. Time: one step a level.
    #[must_use]
    pub fn ancestor(&self, vertex: Vertex, level: usize) -> Option<Vertex> {
        (0..level).try_fold(vertex, |vertex, level| self.parent(level, vertex))
    }

    /// Does a path join two vertices of the map? Time: one step a level.
    #[must_use]
    pub fn connected(&self, a: Vertex, b: Vertex) -> bool {
        let top = self.levels.len();
        if a == b || top == 0 {
            return a == b;
        }
        let ends = self.ancestor(a, top).zip(self.ancestor(b, top));
        ends.is_some_and(|(a, b)| a == b)
    }

    /// The column and row of a vertex, in cells: the cell's on the map, and above it the mean of the
    /// children's positions, each counted as often as it has children itself.
    ///
    /// # Panics
    /// If there is no such level or vertex.
    #[must_use]
    pub fn position(&self, graph: &Graph, level: usize, vertex: Vertex) -> [f32; 2] {
        match level.checked_sub(1) {
            None => graph.place(vertex).0.position.map(|x| x as f32),
            Some(index) => self.levels[index].position(vertex),
        }
    }

    /// The smallest rectangle around the cells that a vertex stands for: its top left and bottom
    /// right cells.
    ///
    /// # Panics
    /// If there is no such level or vertex.
    #[must_use]
    pub fn bounds(&self, graph: &Graph, level: usize, vertex: Vertex) -> (Cell, Cell) {
        match level.checked_sub(1) {
            None => (graph.cell(vertex), graph.cell(vertex)),
            Some(index) => self.levels[index].bounds(vertex),
        }
    }

    /// How long an edge is, in cells: the octile distance of its ends' positions, whatever the
    /// moves of the map. Computed anew for each call.
    ///
    /// # Panics
    /// If there is no such level or vertex.
    #[must_use]
    pub fn weight(&self, graph: &Graph, level: usize, a: Vertex, b: Vertex) -> f32 {
        match level.checked_sub(1) {
            None => octile_distance(&graph.place(a).0, &graph.place(b).0),
            Some(index) => self.levels[index].weight(a, b),
        }
    }

    pub(crate) const fn lineage(&self) -> Lineage {
        self.lineage
    }

    /// Is this the hierarchy of the graph as it is now? After edits only once they are
    /// [applied](Self::apply).
    #[must_use]
    pub fn is_of(&self, graph: &Graph) -> bool {
        self.fingerprint() == graph.fingerprint()
    }

    /// The fingerprint of the graph that this is the hierarchy of.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Memory in bytes, without what repairs keep to use again.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(AbstractLevel::bytes).sum();
        size_of::<Self>() + self.parent.capacity() * size_of::<Vertex>() + levels
    }
}
