//! Retracts of a map: what is left of it after vertices were folded onto neighbours that dominate them.

use super::{Graph, Vertex};

/// A part of a map onto which the whole map folds: each vertex has an image in the part, the vertices of the part are
/// their own images, and neighbours have images that are neighbours or equal.
///
/// A vertex p is folded onto a neighbour d with `N[p] ⊆ N[d]`, as in `lab::graph::dismantle`: the map without p
/// is a retract of the map. So distances within the part are those of the map, and cycles round obstacles stay. A robber
/// that keeps to the part is captured by images of cops no later than by the cops themselves. With as many folds as
/// possible what is left is the core, which has less than half of the vertices on most maps of games.
///
/// Vertices are folded in rounds, in the order of their numbers, and none is folded in the round in which another one
/// was folded onto it. This keeps images near: after r rounds, at most r steps away from the vertex.
///
/// Source: A. Berarducci and B. Intrigila, *On the cop number of a graph* (1993), on retracts; C. Moldenhauer, *Game
/// tree search algorithms for the game of cops and robber* (2009), chapter 6, on pitfalls. The rounds are own work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retract {
    vertices: Vec<Vertex>,
    /// The image of each vertex by its number.
    images: Vec<Vertex>,
    /// For each vertex the one that it was folded onto, or itself.
    onto: Vec<Vertex>,
    /// The vertices that were folded, in order.
    folded: Vec<Vertex>,
    rounds: u32,
}

impl Retract {
    /// Folds a map until at most `most` vertices are left, or as far as possible.
    ///
    /// Time: m d² + r n for n vertices, m edges, at most d neighbours of a vertex and r rounds: about a millisecond for a
    /// thousand vertices.
    #[must_use]
    pub fn new(graph: &Graph, most: usize) -> Self {
        let mut folding = Folding::of(graph);
        let mut waiting: Vec<Vertex> = graph.iter().collect();
        let mut rounds = 0;
        while folding.left > most {
            let next = folding.fold(graph, &waiting, rounds + 1, most);
            if next.is_empty() {
                break;
            }
            (waiting, rounds) = (next, rounds + 1);
        }
        let Folding {
            mut images,
            is_left,
            order,
            ..
        } = folding;
        let onto = images.clone();
        // Those that were folded last have images that are left.
        for vertex in order.iter().rev().copied() {
            images[vertex.index()] = images[images[vertex.index()].index()];
        }
        let vertices = graph.iter().filter(|vertex| is_left[vertex.index()]);
        Self {
            vertices: vertices.collect(),
            images,
            onto,
            folded: order,
            rounds,
        }
    }

    /// The vertices of the part, in order.
    #[must_use]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// The image of a vertex of the map. `None` for a number that the map does not have; a wall is its own image.
    #[must_use]
    pub fn image(&self, vertex: Vertex) -> Option<Vertex> {
        self.images.get(vertex.index()).copied()
    }

    /// The vertices that were folded, in the order of the folds.
    #[must_use]
    pub fn folded(&self) -> &[Vertex] {
        &self.folded
    }

    /// The images of a vertex after more and more folds: the vertex, the one that it was folded onto, and so on up to its
    /// image in the part. Empty for a number that the map does not have.
    pub fn chain(&self, vertex: Vertex) -> impl Iterator<Item = Vertex> + use<'_> {
        let first = Some(vertex).filter(|vertex| vertex.index() < self.onto.len());
        std::iter::successors(first, |&at| {
            let onto = self.onto[at.index()];
            (onto != at).then_some(onto)
        })
    }

    /// The number of rounds of folds. No image is farther from its vertex.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }
}

/// A map that is being folded.
struct Folding {
    is_left: Vec<bool>,
    left: usize,
    /// For each vertex the one that it was folded onto, or itself.
    images: Vec<Vertex>,
    /// The last round in which a vertex was folded onto this one.
    received: Vec<u32>,
    order: Vec<Vertex>,
}

impl Folding {
    fn of(graph: &Graph) -> Self {
        let slots = graph.slots();
        let mut is_left = vec![false; slots];
        for vertex in graph.iter() {
            is_left[vertex.index()] = true;
        }
        Self {
            is_left,
            left: graph.vertices(),
            images: (0..slots).map(Vertex::from_index).collect(),
            received: vec![0; slots],
            order: Vec::new(),
        }
    }

    /// Does a round of folds of `waiting`, until at most `most` vertices are left. Returns the vertices that may be folded in the next round, in order; none if
    /// nothing was folded.
    fn fold(&mut self, graph: &Graph, waiting: &[Vertex], round: u32, most: usize) -> Vec<Vertex> {
        let mut next = Vec::new();
        let before = self.left;
        for &vertex in waiting {
            if self.left <= most {
                break;
            }
            if !self.is_left[vertex.index()] {
                continue;
            }
            if self.received[vertex.index()] == round {
                next.push(vertex);
                continue;
            }
            let Some(onto) = self.dominator(graph, vertex) else {
                continue;
            };
            self.is_left[vertex.index()] = false;
            self.images[vertex.index()] = onto;
            self.received[onto.index()] = round;
            self.left -= 1;
            self.order.push(vertex);
            // A vertex whose own neighbourhood shrinks may have become a pitfall.
            next.extend_from_slice(graph.neighbours(vertex));
        }
        if self.left == before {
            return Vec::new();
        }
        next.retain(|vertex| self.is_left[vertex.index()]);
        next.sort_unstable();
        next.dedup();
        next
    }

    /// The first neighbour that dominates a vertex in what is left.
    fn dominator(&self, graph: &Graph, vertex: Vertex) -> Option<Vertex> {
        let left = |vertex: &&Vertex| self.is_left[vertex.index()];
        let neighbours = || graph.neighbours(vertex).iter().filter(left);
        let dominates = |&&onto: &&Vertex| {
            let beside = graph.neighbours(onto);
            neighbours().all(|other| *other == onto || beside.contains(other))
        };
        neighbours().find(dominates).copied()
    }
}
