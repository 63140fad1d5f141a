//! Regroups the vertices of a level after changes below.

use super::groups::Grouping;
use super::level::{Below, NONE};
use super::repair::Changes;
use crate::graph::Vertex;

/// The maximum size of the clique of a group, without pendants.
const MAX_CLIQUE: usize = 4;

/// The maximum size of a group that is dissolved if an edge of a member changes.
///
/// This constant and [`MAX_DISSOLVED_BESIDE`] keep opening and closing doors from leaving ever smaller
/// groups. After 10,000 cells of AR0414SR have closed and opened again, one by one, level 3 has 837
/// vertices (681 in a new hierarchy). With both constants smaller by one it has 1,050. With this one
/// larger by one it has 834, but repairs take half as long again.
const MAX_DISSOLVED: usize = 2;

/// The maximum size of a group that is dissolved if a neighbour of a member becomes an orphan.
const MAX_DISSOLVED_BESIDE: usize = 3;

impl<B: Below> Grouping<'_, B> {
    /// Assigns new parents to vertices without parent and to the members of invalid groups.
    ///
    /// Afterwards `work.touched` lists the parents to be updated, including parents without children.
    pub(super) fn regroup(&mut self, changes: &Changes) {
        self.work.touched.clear();
        self.work.orphans.clear();
        for &vertex in &changes.removed {
            let parent = std::mem::replace(&mut self.parent[vertex.index()], NONE);
            if parent != NONE {
                self.upper.children.remove(parent, vertex);
                self.work.touched.insert(parent);
            }
        }
        let parents = changes.relinked.iter().map(|v| self.parent[v.index()]);
        for parent in parents.filter(|&parent| parent != NONE) {
            self.work.touched.insert(parent);
        }
        let added = changes.added.iter().map(|&vertex| (vertex, NONE));
        self.work.orphans.extend(added);
        for index in 0..self.work.touched.list.len() {
            self.trim(self.work.touched.list[index]);
        }
        self.dissolve_small_neighbours();
        self.group_orphans();
    }

    /// Releases the members that no longer belong to a group: vertices not adjacent to the rest of the
    /// clique, and pendants whose neighbour is not in it. If only a few members would remain, all are
    /// released.
    fn trim(&mut self, group: Vertex) {
        let below = self.below;
        let members = self.upper.children.row(group);
        let kept = &mut self.work.kept;
        kept.clear();
        for &member in members.iter().filter(|&&member| below.degree(member) != 1) {
            let is_adjacent = |&other| below.are_adjacent(member, other);
            if kept.len() < MAX_CLIQUE && kept.iter().all(is_adjacent) {
                kept.push(member);
            }
        }
        if kept.is_empty() {
            // All members are pendants: two of them belong together if they are adjacent.
            kept.extend(members.first());
        }
        let clique = kept.len();
        for &member in members {
            if let &[only] = below.joined(member)
                && kept[..clique].contains(&only)
            {
                kept.push(member);
            }
        }
        if kept.len() == members.len() && kept.len() > MAX_DISSOLVED {
            return;
        }
        if kept.len() <= MAX_DISSOLVED_BESIDE {
            kept.clear();
        }
        for &member in members {
            if !kept.contains(&member) {
                self.parent[member.index()] = NONE;
                self.work.orphans.push((member, group));
            }
        }
        self.upper.children.set(group, kept);
    }

    fn dissolve_small_neighbours(&mut self) {
        let below = self.below;
        for index in 0..self.work.orphans.len() {
            let (orphan, _) = self.work.orphans[index];
            for neighbour in below.joined(orphan) {
                let group = self.parent[neighbour.index()];
                if group != NONE && self.members(group).len() <= MAX_DISSOLVED_BESIDE {
                    self.dissolve(group);
                }
            }
        }
    }

    fn dissolve(&mut self, group: Vertex) {
        for &member in self.upper.children.row(group) {
            self.parent[member.index()] = NONE;
            self.work.orphans.push((member, group));
        }
        self.upper.children.set(group, &[]);
        self.work.touched.insert(group);
    }

    fn group_orphans(&mut self) {
        let mut order = std::mem::take(&mut self.work.order);
        self.work.orphans.sort_unstable();
        order.clear();
        order.extend(self.work.orphans.iter().map(|&(orphan, _)| orphan));
        self.group(order.iter().copied());
        self.work.order = order;
    }
}
