use super::{Digraph, Vertex};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A vertex all of whose ways out another one covers: with a cop on the dominating vertex and the
/// robber on the other, the cop captures with its next move wherever the robber goes.
///
/// Definition 2.6 of the thesis (C. Moldenhauer): a pair (p, d), d ≠ p, with `N[p] ⊆ N[d]` for the
/// closed neighbourhoods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pitfall {
    /// The pitfall p.
    pub vertex: Vertex,
    /// A dominating vertex d of it, always a neighbour.
    pub dominator: Vertex,
}

/// How far a graph can be dismantled by deleting pitfalls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dismantling {
    /// The pitfalls in the order of their deletion. Each is a pitfall of what is left of the graph
    /// at its turn, dominated by a vertex that is left, too.
    pub order: Vec<Pitfall>,
    /// What is left, in order: a graph without pitfalls. Up to renaming vertices it is the same
    /// graph whatever the order of the deletions (J. Barmak and E. Minian, *Strong homotopy types,
    /// nerves and collapses*, 2012, on cores).
    pub core: Vec<Vertex>,
}

impl Dismantling {
    /// Is the graph 1-cop-win: can one cop capture the robber from anywhere, both of speed 1? That
    /// is so exactly if one vertex is left (M. Aigner and M. Fromme, *A game of cops and robbers*,
    /// 1984; theorem 2.7 of the thesis). Never so for a graph without vertices or in several
    /// components.
    #[must_use]
    pub const fn is_cop_win(&self) -> bool {
        self.core.len() == 1
    }
}

/// The pitfalls of an undirected graph, in order, each with its first dominating vertex.
///
/// For a graph with one-way edges the answer means nothing. Time: at most n d² log d for n vertices
/// with at most d neighbours, mostly far less, since a vertex that does not dominate is soon seen.
#[must_use]
pub fn pitfalls(graph: &Digraph) -> Vec<Pitfall> {
    let all = Remaining::all_of(graph);
    let vertices = graph.iter();
    vertices.filter_map(|vertex| all.pitfall(vertex)).collect()
}

/// Deletes pitfalls of an undirected graph until none is left, always the one with the lowest
/// number, whose first dominating vertex is noted.
///
/// A deletion keeps a connected graph connected, and the core tells the cop number of a connected
/// graph for agents of speed 1: it is 1 if the core is one vertex (Aigner and Fromme), and
/// otherwise that of the core. For the map that moves p to d and leaves the rest is a retract onto
/// H = G - p, so that c(H) ≤ c(G) ≤ max(c(H), c(G - H) + 1) = max(c(H), 2) (A. Berarducci and B.
/// Intrigila, *On the cop number of a graph*, 1993; theorem 6.9 of the thesis), and c(H) = 1 only
/// if c(G) = 1. The number of turns until capture is not that of the core.
///
/// For a graph with one-way edges the answer means nothing. Time: at most m d² log d + m log n for
/// n vertices, m edges and at most d of them at a vertex, so near-linear for maps.
#[must_use]
pub fn dismantle(graph: &Digraph) -> Dismantling {
    dismantle_while(graph, |_| true).0
}

/// The same, stopped as soon as `go_on` returns `false` for the number of deleted vertices; returns also
/// whether all is done.
pub(crate) fn dismantle_while(
    graph: &Digraph,
    mut go_on: impl FnMut(usize) -> bool,
) -> (Dismantling, bool) {
    let mut remaining = Remaining::all_of(graph);
    // Every pitfall of what is left waits here. A vertex that was looked at and was none can become
    // one only when its own neighbourhood shrinks: that of its dominator loses nothing it needs.
    let mut waiting: BinaryHeap<Reverse<Vertex>> = graph.iter().map(Reverse).collect();
    let mut is_waiting = vec![true; graph.vertices()];
    let mut order = Vec::new();
    let (mut tested, mut goes_on) = (0, true);
    while let Some(Reverse(vertex)) = waiting.pop() {
        tested += 1;
        if tested % TESTS_BETWEEN_REPORTS == 0 && !go_on(order.len()) {
            goes_on = false;
            break;
        }
        is_waiting[vertex.index()] = false;
        let Some(pitfall) = remaining.pitfall(vertex) else {
            continue;
        };
        order.push(pitfall);
        remaining.delete(vertex);
        for beside in remaining.neighbours(vertex) {
            if !std::mem::replace(&mut is_waiting[beside.index()], true) {
                waiting.push(Reverse(beside));
            }
        }
    }
    let core = graph.iter().filter(|&vertex| remaining.has(vertex));
    let dismantling = Dismantling {
        core: core.collect(),
        order,
    };
    (dismantling, goes_on)
}

/// Vertices tested for being a pitfall between two progress reports.
const TESTS_BETWEEN_REPORTS: usize = 1 << 12;

/// What is left of a graph after the deletion of some vertices.
struct Remaining<'a> {
    graph: &'a Digraph,
    present: Vec<bool>,
    /// The number of neighbours that are left.
    degree: Vec<u32>,
}

impl<'a> Remaining<'a> {
    fn all_of(graph: &'a Digraph) -> Self {
        let degree = |vertex| graph.successors(vertex).len() as u32;
        Self {
            graph,
            present: vec![true; graph.vertices()],
            degree: graph.iter().map(degree).collect(),
        }
    }

    fn has(&self, vertex: Vertex) -> bool {
        self.present[vertex.index()]
    }

    /// The neighbours that are left, in order.
    fn neighbours(&self, vertex: Vertex) -> impl Iterator<Item = Vertex> {
        let all = self.graph.successors(vertex).iter().copied();
        all.filter(|&other| self.has(other))
    }

    fn delete(&mut self, vertex: Vertex) {
        self.present[vertex.index()] = false;
        for other in self.graph.successors(vertex) {
            // Saturating for graphs with one-way edges.
            let degree = &mut self.degree[other.index()];
            *degree = degree.saturating_sub(1);
        }
    }

    /// The vertex with its first dominating vertex, if it is a pitfall.
    fn pitfall(&self, vertex: Vertex) -> Option<Pitfall> {
        let degree = |vertex: Vertex| self.degree[vertex.index()];
        // N[d] holds the pitfall itself, so that only neighbours can dominate it.
        let dominator = self.neighbours(vertex).find(|&candidate| {
            // Counted first, since a vertex with many neighbours has many candidates.
            degree(candidate) >= degree(vertex)
                && self
                    .neighbours(vertex)
                    .all(|other| other == candidate || self.graph.has_edge(candidate, other))
        })?;
        Some(Pitfall { vertex, dominator })
    }
}
