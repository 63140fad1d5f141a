//! The paths on which a guard comes to its post, and those on which it captures from there.

use super::network::EndgameNetwork;
use crate::graph::Vertex;

/// The shortest paths to a vertex, from all vertices around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Approach {
    /// In the order of the vertices.
    steps: Vec<PathStep>,
}

/// The shortest paths from a vertex, to all vertices around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NearbyPaths {
    /// The same paths, back to the vertex.
    back: Approach,
}

/// A vertex on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PathStep {
    from: Vertex,
    /// The number of steps that are left.
    left: u16,
    /// The next vertex; at the end the vertex itself.
    next: Vertex,
}

impl NearbyPaths {
    /// The paths from a vertex to all vertices within some steps.
    ///
    /// Cost: a breadth-first search of these vertices.
    pub(super) fn new(graph: &impl EndgameNetwork, from: Vertex, most: u16) -> Self {
        Self {
            back: Approach::search(from, most, |vertex| graph.neighbours(vertex)),
        }
    }

    /// Returns whether a vertex is within reach.
    pub(super) fn contains(&self, vertex: Vertex) -> bool {
        self.back.contains(vertex)
    }

    /// The path to a vertex within reach, without the start.
    pub(super) fn path(&self, to: Vertex) -> Vec<Vertex> {
        let mut path = Vec::new();
        let mut at = to;
        while let Some(step) = self.back.step(at).filter(|step| step.left > 0) {
            path.push(at);
            at = step.next;
        }
        path.reverse();
        path
    }

    /// All vertices, in order.
    pub(super) fn vertices(&self) -> impl Iterator<Item = Vertex> + '_ {
        self.back.steps.iter().map(|step| step.from)
    }
}

impl Approach {
    /// The paths to a vertex from all vertices from which some steps lead there.
    ///
    /// Cost: a breadth-first search of these vertices.
    pub(super) fn new(graph: &impl EndgameNetwork, to: Vertex, most: u16) -> Self {
        Self::search(to, most, |vertex| graph.predecessors(vertex))
    }

    /// The paths to a vertex if a step leads to each vertex from those that `beside` lists for it.
    fn search<'a>(to: Vertex, most: u16, beside: impl Fn(Vertex) -> &'a [Vertex]) -> Self {
        let mut found = vec![PathStep {
            from: to,
            left: 0,
            next: to,
        }];
        let mut steps = found.clone();
        for left in 1..=most {
            let mut wave = Vec::new();
            for step in &found {
                let beside = beside(step.from).iter();
                wave.extend(beside.map(|&from| PathStep {
                    from,
                    left,
                    next: step.from,
                }));
            }
            wave.sort_unstable();
            wave.dedup_by_key(|step| step.from);
            let is_known =
                |step: &PathStep| steps.binary_search_by_key(&step.from, |known| known.from);
            wave.retain(|step| is_known(step).is_err());
            if wave.is_empty() {
                break;
            }
            steps.extend(&wave);
            steps.sort_unstable();
            found = wave;
        }
        Self { steps }
    }

    fn step(&self, from: Vertex) -> Option<&PathStep> {
        let index = self.steps.binary_search_by_key(&from, |step| step.from);
        self.steps.get(index.ok()?)
    }

    /// The number of steps from a vertex; `None` if it is too far away.
    pub(super) fn left(&self, from: Vertex) -> Option<u16> {
        Some(self.step(from)?.left)
    }

    /// Returns whether a path leads through a vertex.
    pub(super) fn contains(&self, vertex: Vertex) -> bool {
        self.step(vertex).is_some()
    }

    /// The first steps of the path from a vertex.
    pub(super) fn path(&self, from: Vertex, most: u8) -> Vec<Vertex> {
        let mut path = Vec::new();
        let mut at = from;
        for _ in 0..most {
            match self.step(at) {
                Some(step) if step.left > 0 => at = step.next,
                _ => break,
            }
            path.push(at);
        }
        path
    }
}
