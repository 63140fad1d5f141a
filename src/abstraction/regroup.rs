use super::groups::Grouping;
use super::level::{Below, NONE};
use super::repair::Changes;
use crate::graph::Vertex;

/// The most members of a clique that become a group.
const CLIQUE: usize = 4;

/// The most members of a group that is dissolved where an edge of them changes.
///
/// This and [`SMALL`] keep doors that swing from leaving ever smaller groups. When 10,000 cells of
/// AR0414SR have closed and opened again, one by one, level 3 has 837 vertices (681 in a new
/// hierarchy). With both figures smaller by one it has 1,050; with this one larger by one 834, but
/// a repair takes half as long again.
const LOOSE: usize = 2;

/// The most members of a group that is dissolved where a neighbour of them becomes an orphan.
const SMALL: usize = 3;

impl<B: Below> Grouping<'_, B> {
    /// Gives vertices parents where these have none or where a group is none any more.
    ///
    /// Afterwards `work.touched` lists the parents that have to be looked at, among them those that
    /// have no children left.
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

    /// Releases the members of a group that do not belong to it any more: those that are not
    /// adjacent to the rest of the clique, and pendants whose neighbour is not in it. If few would
    /// stay, all are released.
    fn trim(&mut self, group: Vertex) {
        let below = self.below;
        let members = self.upper.children.row(group);
        let kept = &mut self.work.kept;
        kept.clear();
        for &member in members.iter().filter(|&&member| below.degree(member) != 1) {
            let is_adjacent = |&other| below.are_adjacent(member, other);
            if kept.len() < CLIQUE && kept.iter().all(is_adjacent) {
                kept.push(member);
            }
        }
        if kept.is_empty() {
            // There are pendants only: if two belong together, they are each other's neighbours.
            kept.extend(members.first());
        }
        let clique = kept.len();
        for &member in members {
            if let &[only] = below.neighbours(member)
                && kept[..clique].contains(&only)
            {
                kept.push(member);
            }
        }
        if kept.len() == members.len() && kept.len() > LOOSE {
            return;
        }
        if kept.len() <= SMALL {
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
            for neighbour in below.neighbours(orphan) {
                let group = self.parent[neighbour.index()];
                if group != NONE && self.members(group).len() <= SMALL {
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
