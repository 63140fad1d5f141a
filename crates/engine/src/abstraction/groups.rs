//! Partitions the vertices of a level into groups: cliques with pendants.

use super::level::{AbstractLevel, Below, NONE};
use crate::graph::{Vertex, VisitedSet};
use crate::map::Moves;

/// If a vertex has more neighbours than this, those that can be in no clique are left out first.
const MANY: usize = 32;

/// A clique of three or four vertices.
#[derive(Debug, Clone, Copy)]
struct Clique {
    members: [Vertex; 4],
    len: usize,
}

impl Clique {
    fn members(&self) -> &[Vertex] {
        &self.members[..self.len]
    }

    /// Returns the first clique of four that contains the vertex and three of `candidates`, or else the
    /// first clique of three, in lexicographic order. The candidates must be neighbours of the vertex.
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

/// Drops candidates that are adjacent to no other candidate. In a high level, a vertex can have a thousand neighbours that
/// are strangers to each other, such as the exits of a large room. To test all pairs took half of the time of the
/// slowest repairs of such a room.
fn drop_strangers<B: Below>(below: &B, candidates: &mut Vec<Vertex>, sorted: &mut Vec<Vertex>) {
    sorted.clone_from(candidates);
    sorted.sort_unstable();
    let is_candidate = |other: &Vertex| sorted.binary_search(other).is_ok();
    candidates.retain(|&one| below.joined(one).iter().any(is_candidate));
}

/// Assigns parents to the vertices of a level. A vertex without parent is an orphan; the vertices with
/// the same parent form a group.
pub(super) struct Grouping<'a, B> {
    pub(super) below: &'a B,
    pub(super) parent: &'a mut [Vertex],
    pub(super) upper: &'a mut AbstractLevel,
    pub(super) work: &'a mut GroupingMemory,
    pub(super) moves: Moves,
}

/// The results and reusable memory of a grouping.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupingMemory {
    /// The parents whose children, or whose children's edges, have changed.
    pub(super) touched: Touched,
    /// The orphans of a repair, each with its former parent or [`NONE`]. Sorted during grouping.
    pub(super) orphans: Vec<(Vertex, Vertex)>,
    /// The orphans without their former parents.
    pub(super) order: Vec<Vertex>,
    /// The members of a group that remain in it.
    pub(super) kept: Vec<Vertex>,
    /// A stack of orphans that are in no clique.
    rest: Vec<Vertex>,
    candidates: Vec<Vertex>,
    /// The same, sorted.
    sorted: Vec<Vertex>,
}

/// A set of vertices in insertion order.
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
    /// Gives every orphan among `vertices` a parent, by the rules of Moldenhauer's research code:
    ///
    /// 1. In the given order, an orphan forms a clique of four or else three with other orphans.
    /// 2. The remaining orphans follow from last to first. An orphan pairs with its first neighbour
    ///    that is an orphan, too; with orthogonal moves, with the nearest such neighbour. Else a
    ///    pendant joins the group of its neighbour; else the orphan forms a group alone.
    ///
    /// In addition, an orphan joins a neighbour that is alone in its group. This only happens in
    /// repairs: in a build, the neighbour would have joined the orphan.
    pub(super) fn group(&mut self, vertices: impl Iterator<Item = Vertex>) {
        self.group_cliques(vertices);
        self.group_rest(usize::MAX);
    }

    /// Step 1 of [`group`](Self::group): cliques. Orphans in no clique are left to
    /// [`group_rest`](Self::group_rest).
    pub(super) fn group_cliques(&mut self, vertices: impl Iterator<Item = Vertex>) {
        for vertex in vertices {
            if !self.is_orphan(vertex) {
                continue;
            }
            match self.clique(vertex) {
                Some(clique) => self.create_group(clique.members()),
                None => self.work.rest.push(vertex),
            }
        }
    }

    /// Step 2 of [`group`](Self::group): processes up to `limit` vertices that are in no clique, and
    /// returns their number.
    pub(super) fn group_rest(&mut self, limit: usize) -> usize {
        let mut processed = 0;
        while processed < limit
            && let Some(vertex) = self.work.rest.pop()
        {
            if self.is_orphan(vertex) {
                self.group_single(vertex);
            }
            processed += 1;
        }
        processed
    }

    /// Returns whether all vertices of a block of the grid exist and are pairwise adjacent.
    pub(super) fn is_clique(&self, block: &[Vertex]) -> bool {
        let are_adjacent = |&(a, b): &(Vertex, Vertex)| self.below.are_adjacent(a, b);
        if block.contains(&NONE) {
            return false;
        }
        match *block {
            [a, b] => are_adjacent(&(a, b)),
            [a, b, c, d] => {
                let pairs = [(a, d), (b, c), (a, b), (a, c), (b, d), (c, d)];
                pairs.iter().all(are_adjacent)
            }
            _ => false,
        }
    }

    /// Makes a clique a group if all of its vertices are orphans.
    pub(super) fn group_block(&mut self, clique: &[Vertex]) {
        if clique.iter().all(|&vertex| self.is_orphan(vertex)) {
            self.create_group(clique);
        }
    }

    pub(super) fn is_orphan(&self, vertex: Vertex) -> bool {
        self.parent[vertex.index()] == NONE
    }

    /// The children of a parent.
    pub(super) fn members(&self, parent: Vertex) -> &[Vertex] {
        self.upper.children.row(parent)
    }

    fn clique(&mut self, vertex: Vertex) -> Option<Clique> {
        let neighbours = self.below.joined(vertex);
        if neighbours.len() < 2 {
            return None;
        }
        let orphans = neighbours
            .iter()
            .copied()
            .filter(|other| self.parent[other.index()] == NONE);
        self.work.candidates.clear();
        self.work.candidates.extend(orphans);
        if self.work.candidates.len() > MANY {
            let GroupingMemory {
                candidates, sorted, ..
            } = &mut *self.work;
            drop_strangers(self.below, candidates, sorted);
        }
        Clique::first(self.below, vertex, &self.work.candidates)
    }

    /// Puts an orphan that is in no clique into a group.
    fn group_single(&mut self, vertex: Vertex) {
        let neighbours = self.below.joined(vertex);
        if let Some(other) = self.partner(vertex) {
            return self.create_group(&[vertex, other]);
        }
        let group = |other: &Vertex| self.parent[other.index()];
        let mut groups = neighbours.iter().map(group);
        if let Some(group) = groups.find(|&group| self.members(group).len() == 1) {
            self.join(vertex, group);
        } else if let [only] = neighbours {
            self.join(vertex, group(only));
        } else {
            self.create_group(&[vertex]);
        }
    }

    /// The orphan that another one pairs with. With orthogonal moves, where most groups are pairs, this is the nearest one:
    /// otherwise repairs would merge open ground into long strips.
    fn partner(&self, vertex: Vertex) -> Option<Vertex> {
        let neighbours = self.below.joined(vertex).iter().copied();
        let mut orphans = neighbours.filter(|&other| self.is_orphan(other));
        match self.moves {
            Moves::Octile => orphans.next(),
            Moves::Orthogonal | Moves::Hexagonal(_) => {
                let distance = |&other: &Vertex| {
                    let [a, b] = [vertex, other].map(|end| self.below.place(end).0.position);
                    let [dx, dy] = [a[0] - b[0], a[1] - b[1]];
                    dx * dx + dy * dy
                };
                orphans.min_by(|a, b| distance(a).total_cmp(&distance(b)))
            }
        }
    }

    fn join(&mut self, vertex: Vertex, group: Vertex) {
        self.upper.children.push(group, vertex);
        self.parent[vertex.index()] = group;
        self.work.touched.insert(group);
    }

    /// Makes a group of some orphans.
    fn create_group(&mut self, members: &[Vertex]) {
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

    /// A former parent of one of the orphans that has no children left. Reusing it causes fewer
    /// changes in the levels above.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn without_strangers_the_first_clique_is_the_same(
            edges in prop::collection::vec((1_usize..40, 1_usize..40), 0..60),
        ) {
            let mut level = AbstractLevel::with_capacity(40);
            for _ in 0..40 {
                level.neighbours.add();
            }
            let hub = (1..40).map(|other| (0, other));
            for (a, b) in hub.chain(edges).filter(|(a, b)| a != b) {
                let [a, b] = [a, b].map(Vertex::from_index);
                if !Below::are_adjacent(&level, a, b) {
                    level.neighbours.push(a, b);
                    level.neighbours.push(b, a);
                }
            }
            let hub = Vertex::from_index(0);
            let all = level.neighbours.row(hub).to_vec();
            let (mut few, mut sorted) = (all.clone(), Vec::new());
            drop_strangers(&level, &mut few, &mut sorted);
            let first = |of: &[Vertex]| Clique::first(&level, hub, of).map(|c| c.members().to_vec());
            prop_assert_eq!(first(&few), first(&all));
        }
    }
}
