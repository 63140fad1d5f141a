use super::level::{Below, NONE};
use crate::graph::Vertex;

/// A vertex with two or three others, all pairwise adjacent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clique {
    members: [Vertex; 4],
    len: usize,
}

impl Clique {
    pub(super) fn members(&self) -> &[Vertex] {
        &self.members[..self.len]
    }

    /// The vertex with the first three neighbours without parent that make a clique of four with
    /// it, or else with the first two that make one of three. "First" is in the order of
    /// neighbours, the earlier ones weighing more.
    ///
    /// `candidates` is memory to use.
    pub(super) fn first_at<B: Below>(
        below: &B,
        parent: &[Vertex],
        vertex: Vertex,
        candidates: &mut Vec<Vertex>,
    ) -> Option<Self> {
        let neighbours = below.neighbours(vertex).iter().copied();
        candidates.clear();
        candidates.extend(neighbours.filter(|other| parent[other.index()] == NONE));
        let mut three = None;
        for (i, &a) in candidates.iter().enumerate() {
            let rest = &candidates[i + 1..];
            for (j, &b) in rest.iter().enumerate() {
                if !below.are_adjacent(a, b) {
                    continue;
                }
                let third = rest[j + 1..]
                    .iter()
                    .find(|&&c| below.are_adjacent(a, c) && below.are_adjacent(b, c));
                if let Some(&c) = third {
                    return Some(Self {
                        members: [vertex, a, b, c],
                        len: 4,
                    });
                }
                three = three.or(Some(Self {
                    members: [vertex, a, b, NONE],
                    len: 3,
                }));
            }
        }
        three
    }
}
