//! The hierarchy of a map: its levels, and the parents, children and positions of vertices.

use super::build::Build;
use super::level::{AbstractLevel, Below, NONE, octile_distance};
use super::repair::Repairer;
use super::save::SavedHierarchy;
use crate::graph::{Fingerprint, Graph, GraphDelta, Vertex, mix};
use crate::map::Cell;
use serde::{Deserialize, Serialize};

/// The levels of a map: level 0 is the [`Graph`] itself, each further level an [`AbstractLevel`].
///
/// A vertex is a number within its level, so methods take both. The hierarchy does not store the
/// graph; [`fingerprint`](Self::fingerprint) identifies it.
///
/// Memory: about 50 bytes per vertex of the map (45 in open spaces, 70 in narrow ones, 160 if many
/// cells are disconnected from the rest), and half as much again after many edits. A cell without
/// neighbours stays a vertex of its own on each level, of 92 bytes: on a map with a large connected part
/// that is about a thousand bytes in all.
///
/// A hierarchy restored with serde reacts to later edits exactly like the saved one; a newly built one
/// would not. Reading checks only that the data is consistent. Call [`check`](Self::check) to compare
/// it with its graph: a hostile file can otherwise cause panics.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "SavedHierarchy")]
pub struct Hierarchy {
    /// The parent of each vertex of the map.
    pub(super) parent: Vec<Vertex>,
    pub(super) levels: Vec<AbstractLevel>,
    pub(super) fingerprint: Fingerprint,
    pub(super) lineage: Lineage,
    pub(super) repairer: Repairer,
}

/// A hash of the history of a hierarchy: equal lineages mean equal groups with equal numbers. The
/// fingerprint of the map is not enough, because a door that opened and closed again restores the map
/// but not always the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Lineage(u64);

impl Lineage {
    /// The lineage of a build from this graph. The caller must add all vertices with
    /// [`with`](Self::with), because groups depend on their order, too.
    pub(super) fn begin(graph: &Graph) -> Self {
        Self(graph.fingerprint().to_bits() as u64)
    }

    /// Adds a vertex on this cell.
    pub(super) const fn with(self, Cell { x, y }: Cell) -> Self {
        self.and((y as u64) << 16 | x as u64)
    }

    /// Adds an event.
    const fn and(self, event: u64) -> Self {
        Self(mix(self.0, event))
    }

    /// Adds a batch of changes.
    pub(super) fn after(self, delta: &GraphDelta) -> Self {
        let number = |vertex: &Vertex| vertex.index() as u64;
        let opened = delta.opened().iter().map(|vertex| number(vertex) << 2 | 1);
        let closed = delta.closed().iter().map(|vertex| number(vertex) << 2 | 2);
        let rules = Some(delta.rules() as u64).filter(|&rules| rules != 0);
        let all = opened.chain(closed).chain(rules);
        all.fold(self.and(3), Self::and)
    }
}

impl Hierarchy {
    /// Builds the hierarchy of the current state of a map.
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

    /// The hierarchy of a finished build.
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

    /// A placeholder without levels, until a build is finished.
    pub(super) fn none(graph: &Graph) -> Self {
        Self::built(Build::default(), graph)
    }

    /// The number of levels, the map included.
    #[must_use]
    pub const fn levels(&self) -> usize {
        1 + self.levels.len()
    }

    /// A level above the map; `None` for 0 (the graph) and above the top.
    #[must_use]
    pub fn level(&self, level: usize) -> Option<&AbstractLevel> {
        self.levels.get(level.checked_sub(1)?)
    }

    /// The lowest level above the map on which no connected part has more than `most` vertices; `None` if there is none.
    /// Parts of a single vertex do not count, so that many small pockets in a map do not force a coarser level on
    /// the rest. Where several parts have edges, the level may be coarser than necessary. Constant time per level.
    #[must_use]
    pub fn lowest_level(&self, most: usize) -> Option<usize> {
        // The top level has one vertex for each part, and every part has at least one vertex on each level.
        let parts = self.levels.last()?.vertices();
        let largest = |level: &AbstractLevel| level.vertices() - parts + 1;
        let found = self.levels.iter().position(|level| largest(level) <= most);
        found.map(|index| index + 1)
    }

    /// The parent of a vertex in the level above; `None` at the top, for a wall and for an unused
    /// number. Constant time.
    #[must_use]
    pub fn parent(&self, level: usize, vertex: Vertex) -> Option<Vertex> {
        let parents = match level.checked_sub(1) {
            None => &self.parent,
            Some(index) => &self.levels.get(index)?.parent,
        };
        let parent = parents.get(vertex.index()).copied();
        parent.filter(|&parent| parent != NONE)
    }

    /// The children of a vertex in the level below; empty at level 0 and for an unused number.
    /// Constant time.
    #[must_use]
    pub fn children(&self, level: usize, vertex: Vertex) -> &[Vertex] {
        match self.level(level) {
            Some(level) if level.is_live(vertex) => level.children(vertex),
            _ => &[],
        }
    }

    /// The ancestor of a vertex of the map at `level`; `None` for a wall and above the top. Time: one
    /// step per level.
    #[must_use]
    pub fn ancestor(&self, vertex: Vertex, level: usize) -> Option<Vertex> {
        (0..level).try_fold(vertex, |vertex, level| self.parent(level, vertex))
    }

    /// Returns whether a path connects two vertices of the map. Time: one step per level.
    #[must_use]
    pub fn connected(&self, a: Vertex, b: Vertex) -> bool {
        let top = self.levels.len();
        if a == b || top == 0 {
            return a == b;
        }
        let ends = self.ancestor(a, top).zip(self.ancestor(b, top));
        ends.is_some_and(|(a, b)| a == b)
    }

    /// The column and row of a vertex, in cells. Above the map, this is the mean of the children's
    /// positions, each weighted by its own number of children.
    ///
    /// # Panics
    /// If the level or vertex does not exist.
    #[must_use]
    pub fn position(&self, graph: &Graph, level: usize, vertex: Vertex) -> [f32; 2] {
        match level.checked_sub(1) {
            None => graph.place(vertex).0.position.map(|x| x as f32),
            Some(index) => self.levels[index].position(vertex),
        }
    }

    /// The bounding box of the cells that a vertex represents: its top left and bottom right cells.
    ///
    /// # Panics
    /// If the level or vertex does not exist.
    #[must_use]
    pub fn bounds(&self, graph: &Graph, level: usize, vertex: Vertex) -> (Cell, Cell) {
        match level.checked_sub(1) {
            None => (graph.cell(vertex), graph.cell(vertex)),
            Some(index) => self.levels[index].bounds(vertex),
        }
    }

    /// The length of an edge in cells: the octile distance between the positions of its ends, whatever
    /// the moves of the map. Not cached.
    ///
    /// # Panics
    /// If the level or a vertex does not exist.
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

    /// Returns whether this is the hierarchy of the current graph. After an edit, `false` until
    /// [`apply`](Self::apply).
    #[must_use]
    pub fn is_of(&self, graph: &Graph) -> bool {
        self.fingerprint() == graph.fingerprint()
    }

    /// Returns whether searches on a graph can use this hierarchy: it is that of the graph, and every step has its reverse.
    /// A path of a level may lead against a one-way edge, because levels do not know directions.
    #[must_use]
    pub fn serves(&self, graph: &Graph) -> bool {
        self.is_of(graph) && graph.is_two_way()
    }

    /// The fingerprint of the graph.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Memory in bytes, without the buffers that repairs reuse.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(AbstractLevel::bytes).sum();
        size_of::<Self>() + self.parent.capacity() * size_of::<Vertex>() + levels
    }
}
