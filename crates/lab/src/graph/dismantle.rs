//! Pitfalls, and dismantling a graph by deleting them: the test for 1-cop-win graphs.

use pursuit_engine::graph::{Digraph, Vertex};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A vertex whose whole neighbourhood another vertex covers: with the robber on the pitfall and a cop
/// on the dominating vertex, the cop captures with its next move wherever the robber goes.
///
/// Formally a pair (p, d), d ≠ p, with `N[p] ⊆ N[d]` for the closed neighbourhoods (Moldenhauer, "Game
/// tree search algorithms for the game of cops and robber", 2009, definition 2.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pitfall {
    /// The pitfall p.
    pub vertex: Vertex,
    /// A vertex d that dominates p, always a neighbour of p.
    pub dominator: Vertex,
}

/// The result of deleting pitfalls until none is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dismantling {
    /// The pitfalls in the order of deletion. Each is a pitfall of the graph that remains at that
    /// point; its dominating vertex remains, too.
    pub order: Vec<Pitfall>,
    /// The remaining vertices in order: they induce a graph without pitfalls. Up to isomorphism the
    /// core does not depend on the order of deletions (J. Barmak and E. Minian, *Strong homotopy
    /// types, nerves and collapses*, 2012, on cores).
    pub core: Vec<Vertex>,
}

impl Dismantling {
    /// Returns whether the graph is 1-cop-win: one cop can capture the robber from anywhere, both of
    /// speed 1. This holds exactly if one vertex remains (M. Aigner and M. Fromme, *A game of cops and
    /// robbers*, 1984; Moldenhauer 2009, theorem 2.7). `false` for a graph without vertices or with
    /// several components.
    #[must_use]
    pub const fn is_cop_win(&self) -> bool {
        self.core.len() == 1
    }
}

/// The pitfalls of an undirected graph, in order, each with its first dominating vertex.
///
/// The result is meaningless for a graph with one-way edges. Time: at most n d² log d for n vertices
/// and maximum degree d, usually far less, since most candidates fail at an early neighbour.
#[must_use]
pub fn pitfalls(graph: &Digraph) -> Vec<Pitfall> {
    let all = Remaining::all_of(graph);
    let vertices = graph.iter();
    vertices.filter_map(|vertex| all.pitfall(vertex)).collect()
}

/// Deletes pitfalls of an undirected graph until none is left, always the one with the lowest
/// number, and records the first dominating vertex of each.
///
/// A deletion keeps a connected graph connected, and the core determines the cop number c of a
/// connected graph for agents of speed 1: it is 1 if the core is a single vertex (Aigner and Fromme),
/// and otherwise equals the cop number of the core. The reason: the map that moves p to d and fixes
/// all other vertices is a retraction onto H = G - p, so c(H) ≤ c(G) ≤ max(c(H), c(G - H) + 1) =
/// max(c(H), 2) (A. Berarducci and B. Intrigila, *On the cop number of a graph*, 1993; Moldenhauer
/// 2009, theorem 6.9), and c(H) = 1 only if c(G) = 1. The capture times of graph and core differ.
///
/// The result is meaningless for a graph with one-way edges. Time: at most m d² log d + m log n for
/// n vertices, m edges and maximum degree d, so near-linear for maps.
#[must_use]
pub fn dismantle(graph: &Digraph) -> Dismantling {
    dismantle_while(graph, |_| true).0
}

/// Like [`dismantle`], but stops as soon as `go_on`, called with the number of deleted vertices, returns `false`.
/// Also returns whether it ran to the end.
pub(crate) fn dismantle_while(
    graph: &Digraph,
    mut go_on: impl FnMut(usize) -> bool,
) -> (Dismantling, bool) {
    let mut remaining = Remaining::all_of(graph);
    // The heap holds every pitfall of the remaining graph. A vertex that was tested and is not a
    // pitfall can only become one when its own neighbourhood shrinks, so deletions queue neighbours.
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

/// The graph that remains after some vertices were deleted.
struct Remaining<'a> {
    graph: &'a Digraph,
    present: Vec<bool>,
    /// The number of remaining neighbours of each vertex.
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

    /// The remaining neighbours, in order.
    fn neighbours(&self, vertex: Vertex) -> impl Iterator<Item = Vertex> {
        let all = self.graph.successors(vertex).iter().copied();
        all.filter(|&other| self.has(other))
    }

    fn delete(&mut self, vertex: Vertex) {
        self.present[vertex.index()] = false;
        for other in self.graph.successors(vertex) {
            // Saturating, because an edge of a directed graph may lead one way only.
            let degree = &mut self.degree[other.index()];
            *degree = degree.saturating_sub(1);
        }
    }

    /// The pitfall of a vertex, with its first dominating vertex; `None` if it is not a pitfall.
    fn pitfall(&self, vertex: Vertex) -> Option<Pitfall> {
        let degree = |vertex: Vertex| self.degree[vertex.index()];
        // N[d] contains the pitfall itself, so only neighbours can dominate it.
        let dominator = self.neighbours(vertex).find(|&candidate| {
            // Degrees are compared first, because a vertex with many neighbours has many candidates.
            degree(candidate) >= degree(vertex)
                && self
                    .neighbours(vertex)
                    .all(|other| other == candidate || self.graph.has_edge(candidate, other))
        })?;
        Some(Pitfall { vertex, dominator })
    }
}
