//! Graphs given by their edges: components, induced subgraphs, symmetry.

use super::{Csr, Fingerprint, Graph, NO_VERTEX, Vertex};
use std::sync::OnceLock;
use thiserror::Error;

/// A graph given by its edges, directed or undirected, for questions of graph theory.
///
/// Vertices are numbers from 0. Loops are dropped, since every agent may wait anyway, and repeated
/// edges count once. Memory: 4 bytes per vertex and 4 bytes per edge and direction; once more after the first
/// question for [`predecessors`](Self::predecessors).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digraph {
    successors: Csr<Vertex>,
    reversed: Reversed,
    fingerprint: Fingerprint,
}

/// The edges against their direction, found at the first question. Boxed, because most graphs never need them.
#[derive(Debug, Clone, Default)]
struct Reversed(OnceLock<Box<Csr<Vertex>>>);

/// It follows from the edges, which are compared themselves.
impl PartialEq for Reversed {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Reversed {}

/// An edge of a list names a vertex that the graph does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("edge {index} ({tail}, {head}): expected vertices below {vertices}")]
pub struct EdgeError {
    /// The index of the edge in the list, from 0.
    pub index: usize,
    /// The start of the edge.
    pub tail: u32,
    /// The end of the edge.
    pub head: u32,
    /// The number of vertices of the graph.
    pub vertices: u32,
}

impl Digraph {
    /// Creates a graph whose edges lead in both directions.
    ///
    /// # Errors
    /// If an edge names a vertex that does not exist.
    pub fn undirected(vertices: u32, edges: &[(u32, u32)]) -> Result<Self, EdgeError> {
        Self::new(vertices, edges, true)
    }

    /// Creates a graph whose edges lead from their first to their second vertex.
    ///
    /// # Errors
    /// If an edge names a vertex that does not exist.
    pub fn directed(vertices: u32, edges: &[(u32, u32)]) -> Result<Self, EdgeError> {
        Self::new(vertices, edges, false)
    }

    fn new(vertices: u32, edges: &[(u32, u32)], both_ways: bool) -> Result<Self, EdgeError> {
        let mut arcs = Vec::with_capacity(edges.len() * 2);
        for (index, &(tail, head)) in edges.iter().enumerate() {
            if tail >= vertices || head >= vertices {
                return Err(EdgeError {
                    index,
                    tail,
                    head,
                    vertices,
                });
            }
            arcs.push((tail, head));
            if both_ways {
                arcs.push((head, tail));
            }
        }
        Ok(Self::of_arcs(vertices, arcs))
    }

    /// Converts the current graph of a map. Its live vertices get new numbers in the same order without
    /// gaps; the second result maps each new number to the vertex of the map. Time: linear in the
    /// edges. Memory besides the result: 4 bytes per vertex.
    #[must_use]
    pub fn of_map(map: &Graph) -> (Self, Vec<Vertex>) {
        let vertices: Vec<Vertex> = map.iter().collect();
        let digraph = Self::renumbered(map.slots(), &vertices, |vertex| map.neighbours(vertex));
        (digraph, vertices)
    }

    /// The graph of a list of arcs, in any order, possibly with loops and duplicates. Both ends of each
    /// arc must be below `vertices`.
    #[doc(hidden)]
    #[must_use]
    pub fn of_arcs(vertices: u32, mut arcs: Vec<(u32, u32)>) -> Self {
        arcs.retain(|(tail, head)| tail != head);
        arcs.sort_unstable();
        arcs.dedup();
        let mut rest = arcs.as_slice();
        let mut successors = Csr::with_capacity(vertices as usize, arcs.len());
        for tail in 0..vertices {
            let (row, others) = rest.split_at(rest.partition_point(|arc| arc.0 == tail));
            rest = others;
            successors.push_row(row.iter().map(|arc| Vertex(arc.1)));
        }
        Self {
            successors,
            reversed: Reversed::default(),
            fingerprint: Fingerprint::of_arcs(vertices, arcs.iter().copied()),
        }
    }

    /// The subgraph induced by the vertices `kept`, whose new numbers are their indices in this list.
    fn renumbered<'a>(
        slots: usize,
        kept: &[Vertex],
        successors: impl Fn(Vertex) -> &'a [Vertex],
    ) -> Self {
        let mut number = vec![NO_VERTEX; slots];
        for (place, vertex) in kept.iter().enumerate() {
            number[vertex.index()] = place as u32;
        }
        let number = |vertex: &Vertex| match number[vertex.index()] {
            NO_VERTEX => None,
            number => Some(Vertex(number)),
        };
        // Counted first, because a list that grows by doubling can take twice the memory.
        let heads = |vertex: &Vertex| successors(*vertex).iter().filter_map(number);
        let edges = kept.iter().map(|vertex| heads(vertex).count()).sum();
        let mut rows = Csr::with_capacity(kept.len(), edges);
        let mut row = Vec::new();
        for vertex in kept {
            row.clear();
            row.extend(heads(vertex));
            row.sort_unstable();
            rows.push(&row);
        }
        let vertices = kept.len() as u32;
        let arcs = (0..vertices).flat_map(|tail| {
            let heads = rows.row(tail as usize).iter();
            heads.map(move |head: &Vertex| (tail, head.0))
        });
        Self {
            fingerprint: Fingerprint::of_arcs(vertices, arcs),
            successors: rows,
            reversed: Reversed::default(),
        }
    }

    /// The number of vertices.
    #[must_use]
    pub const fn vertices(&self) -> usize {
        self.successors.rows()
    }

    /// All vertices in order.
    pub fn iter(&self) -> impl Iterator<Item = Vertex> + use<> {
        (0..self.vertices() as u32).map(Vertex)
    }

    /// The vertex with this number, `None` if it does not exist.
    #[must_use]
    pub fn vertex(&self, number: u32) -> Option<Vertex> {
        ((number as usize) < self.vertices()).then_some(Vertex(number))
    }

    /// The heads of the edges that leave a vertex, in order.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    #[must_use]
    pub fn successors(&self, vertex: Vertex) -> &[Vertex] {
        self.successors.row(vertex.index())
    }

    /// The tails of the edges that lead to a vertex, in order.
    ///
    /// Time: the first call finds them for all vertices, in time linear in vertices and edges.
    ///
    /// # Panics
    /// If the vertex belongs to another, larger graph.
    #[must_use]
    pub fn predecessors(&self, vertex: Vertex) -> &[Vertex] {
        let reversed = self.reversed.0.get_or_init(|| {
            let heads = self.iter().map(|tail| self.successors(tail));
            let heads = heads.map(|heads| heads.iter().map(|head| head.0));
            let tails = Csr::from_rows(heads).transposed(self.vertices());
            let rows = (0..self.vertices()).map(|head| tails.row(head));
            Box::new(Csr::from_rows(
                rows.map(|tails| tails.iter().copied().map(Vertex)),
            ))
        });
        reversed.row(vertex.index())
    }

    /// Returns whether an edge leads from `a` to `b`.
    #[doc(hidden)]
    pub fn has_edge(&self, a: Vertex, b: Vertex) -> bool {
        a.index() < self.vertices() && self.successors(a).binary_search(&b).is_ok()
    }

    /// Returns whether every edge has its reverse, that is, whether the graph is undirected.
    ///
    /// Time: m log d for m edges and maximum degree d.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.iter().all(|tail| {
            let mut heads = self.successors(tail).iter();
            heads.all(|&head| self.has_edge(head, tail))
        })
    }

    /// The weakly connected components, that is, ignoring the direction of edges.
    ///
    /// Each component lists its vertices in order; components are ordered by their first vertex.
    /// Time: m log n for n vertices and m edges.
    #[must_use]
    pub fn components(&self) -> Vec<Vec<Vertex>> {
        // Union-find with path halving; the smallest vertex of a set is its root.
        let mut parent: Vec<u32> = (0..self.vertices() as u32).collect();
        for tail in self.iter() {
            for &head in self.successors(tail) {
                let (a, b) = (root(&mut parent, tail.0), root(&mut parent, head.0));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut components: Vec<Vec<Vertex>> = Vec::new();
        let mut place = vec![0; self.vertices()];
        for vertex in self.iter() {
            let root = root(&mut parent, vertex.0);
            if root == vertex.0 {
                place[vertex.index()] = components.len();
                components.push(Vec::new());
            }
            // The root is the first vertex of its set, so its component exists already.
            components[place[root as usize]].push(vertex);
        }
        components
    }

    /// The subgraph induced by the given vertices.
    ///
    /// The vertices get the numbers 0, 1, … in the given order; repeated ones are ignored. Time: linear
    /// in the vertices of the whole graph and in the remaining edges, plus sorting the edges of each
    /// vertex.
    ///
    /// # Panics
    /// If a vertex belongs to another, larger graph.
    #[must_use]
    pub fn induced(&self, vertices: &[Vertex]) -> Self {
        let mut seen = vec![false; self.vertices()];
        let mut kept = vertices.to_vec();
        kept.retain(|vertex| !std::mem::replace(&mut seen[vertex.index()], true));
        Self::renumbered(self.vertices(), &kept, |vertex| self.successors(vertex))
    }

    /// A hash of the edges. Graphs with equal fingerprints are treated as equal. It never equals the
    /// fingerprint of a map.
    #[must_use]
    pub const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }
}

/// The root of the set of a vertex. Halves the path to the root for later calls.
fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
    while parent[vertex as usize] != vertex {
        let grandparent = parent[parent[vertex as usize] as usize];
        parent[vertex as usize] = grandparent;
        vertex = grandparent;
    }
    vertex
}
