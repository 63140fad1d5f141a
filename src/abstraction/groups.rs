use super::level::{AbstractLevel, Below, NONE};
use crate::graph::{Vertex, VisitedSet};

/// A vertex with two or three others, all pairwise adjacent.
#[derive(Debug, Clone, Copy)]
struct Clique {
    members: [Vertex; 4],
    len: usize,
}

impl Clique {
    fn members(&self) -> &[Vertex] {
        &self.members[..self.len]
    }

    /// The vertex with the first three of `candidates` that make a clique of four with it, or else
    /// with the first two that make one of three. The candidates are neighbours of the vertex; the
    /// earlier ones weigh more.
    fn first<B: Below>(below: &B, vertex: Vertex, candidates: &[Vertex]) -> Option<Self> {
        let mut three = None;
        for (i, &a) in candidates.iter().enumerate() {
            let rest = &candidates[i + 1..];
            for (j, &b) in rest.iter().enumerate() {
                if !below.are_adjacent(a, b) {
                    continue;
                }
                let mut later = rest[j + 1..].iter();
                let third = later.find(|&&c| below.are_adjacent(a, c) && below.are_adjacent(b, c));
                if let Some(&c) = third {
                    let members = [vertex, a, b, c];
                    return Some(Self { members, len: 4 });
                }
                let members = [vertex, a, b, NONE];
                three = three.or(Some(Self { members, len: 3 }));
            }
        }
        three
    }
}

/// The vertices of a level while they get parents. A vertex without parent is an orphan; the
/// vertices with the same parent are a group.
pub(super) struct Grouping<'a, B> {
    pub(super) below: &'a B,
    pub(super) parent: &'a mut [Vertex],
    pub(super) upper: &'a mut AbstractLevel,
    pub(super) work: &'a mut Work,
}

/// What a grouping notes, and memory to use.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    /// The parents whose children, or the edges of these, have changed.
    pub(super) touched: Touched,
    /// The orphans of a repair, each with the parent it had before, or [`NONE`]. In order, while
    /// they are grouped.
    pub(super) orphans: Vec<(Vertex, Vertex)>,
    /// The orphans alone.
    pub(super) order: Vec<Vertex>,
    /// What stays of a group.
    pub(super) kept: Vec<Vertex>,
    /// Orphans in no clique: a stack.
    rest: Vec<Vertex>,
    candidates: Vec<Vertex>,
}

/// Vertices in the order in which they were inserted, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Touched {
    pub(super) list: Vec<Vertex>,
    seen: VisitedSet,
}

impl Touched {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.seen.clear(0);
    }

    pub(super) fn insert(&mut self, vertex: Vertex) {
        self.seen.grow((vertex.index() + 1).next_power_of_two());
        if self.seen.insert(vertex) {
            self.list.push(vertex);
        }
    }
}

impl<B: Below> Grouping<'_, B> {
    /// Gives every orphan among `vertices` a parent, by the rules of the reference program: cliques
    /// of four or else three, in the order given; what is left from last to first, each with its
    /// first neighbour that is left too; at a single edge with the group at the other end; alone.
    ///
    /// An orphan also joins a neighbour that is alone in its group. The build never meets one: it
    /// would have joined the orphan.
    pub(super) fn group(&mut self, vertices: impl Iterator<Item = Vertex>) {
        self.group_cliques(vertices);
        self.settle_rest(usize::MAX);
    }

    /// The first half of [`group`](Self::group): cliques. Who is in none has to be
    /// [settled](Self::settle_rest).
    pub(super) fn group_cliques(&mut self, vertices: impl Iterator<Item = Vertex>) {
        for vertex in vertices {
            if !self.is_orphan(vertex) {
                continue;
            }
            match self.clique(vertex) {
                Some(clique) => self.found(clique.members()),
                None => self.work.rest.push(vertex),
            }
        }
    }

    /// The second half: looks at so many of those in no clique, and returns how many there were.
    pub(super) fn settle_rest(&mut self, most: usize) -> usize {
        let mut looked = 0;
        while looked < most
            && let Some(vertex) = self.work.rest.pop()
        {
            if self.is_orphan(vertex) {
                self.settle(vertex);
            }
            looked += 1;
        }
        looked
    }

    /// Are the vertices all there and pairwise adjacent?
    pub(super) fn is_clique(&self, square: &[Vertex; 4]) -> bool {
        let [a, b, c, d] = *square;
        let pairs = [(a, d), (b, c), (a, b), (a, c), (b, d), (c, d)];
        !square.contains(&NONE) && pairs.iter().all(|&(a, b)| self.below.are_adjacent(a, b))
    }

    /// Makes a clique a group if all of its vertices are orphans.
    pub(super) fn group_square(&mut self, clique: &[Vertex; 4]) {
        if clique.iter().all(|&vertex| self.is_orphan(vertex)) {
            self.found(clique);
        }
    }

    pub(super) fn is_orphan(&self, vertex: Vertex) -> bool {
        self.parent[vertex.index()] == NONE
    }

    /// The vertices with a parent.
    pub(super) fn members(&self, parent: Vertex) -> &[Vertex] {
        self.upper.children.row(parent)
    }

    fn clique(&mut self, vertex: Vertex) -> Option<Clique> {
        let neighbours = self.below.neighbours(vertex);
        if neighbours.len() < 2 {
            return None;
        }
        let orphans = neighbours
            .iter()
            .copied()
            .filter(|other| self.parent[other.index()] == NONE);
        self.work.candidates.clear();
        self.work.candidates.extend(orphans);
        Clique::first(self.below, vertex, &self.work.candidates)
    }

    /// Puts an orphan that is in no clique into a group.
    fn settle(&mut self, vertex: Vertex) {
        let neighbours = self.below.neighbours(vertex);
        if let Some(&other) = neighbours.iter().find(|&&other| self.is_orphan(other)) {
            return self.found(&[vertex, other]);
        }
        let group = |other: &Vertex| self.parent[other.index()];
        let mut groups = neighbours.iter().map(group);
        if let Some(group) = groups.find(|&group| self.members(group).len() == 1) {
            self.join(vertex, group);
        } else if let [only] = neighbours {
            self.join(vertex, group(only));
        } else {
            self.found(&[vertex]);
        }
    }

    fn join(&mut self, vertex: Vertex, group: Vertex) {
        self.upper.children.push(group, vertex);
        self.parent[vertex.index()] = group;
        self.work.touched.insert(group);
    }

    /// Makes orphans a group.
    fn found(&mut self, members: &[Vertex]) {
        let group = match self.former_parent(members) {
            Some(parent) => {
                self.upper.children.set(parent, members);
                parent
            }
            None => self.upper.add(members),
        };
        for member in members {
            self.parent[member.index()] = group;
        }
        self.work.touched.insert(group);
    }

    /// A parent that one of the orphans had and that has no children left. It is taken again, so
    /// that less changes above.
    fn former_parent(&self, members: &[Vertex]) -> Option<Vertex> {
        let orphans = &self.work.orphans;
        if orphans.is_empty() {
            return None;
        }
        members.iter().find_map(|member| {
            let place = orphans.binary_search_by_key(member, |&(orphan, _)| orphan);
            let (_, parent) = orphans[place.ok()?];
            (parent != NONE && self.members(parent).is_empty()).then_some(parent)
        })
    }
}
