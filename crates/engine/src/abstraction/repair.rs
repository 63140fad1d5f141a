//! Repairs a hierarchy level by level after edits of the map.

use super::build::Build;
use super::groups::{Grouping, GroupingMemory};
use super::hierarchy::Hierarchy;
use super::level::{AbstractLevel, Below, NONE};
use super::relink::{RelinkMemory, Relinking};
use crate::graph::{Graph, GraphDelta, Vertex};
use crate::map::Moves;

/// The extent of a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repair {
    /// The number of visited levels above the map.
    pub levels: usize,
    /// The number of visited vertices above the map: vertices that have changed, or whose children or
    /// children's edges have.
    pub vertices: usize,
    /// Whether the hierarchy was built from scratch, because the delta did not lead to the graph.
    pub rebuilt: bool,
}

/// The changes of a level.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    /// Vertices that no longer exist.
    pub(super) removed: Vec<Vertex>,
    /// Vertices without parent.
    pub(super) added: Vec<Vertex>,
    /// Vertices whose edges may have changed; may contain duplicates and vertices of the other lists.
    pub(super) relinked: Vec<Vertex>,
    /// Vertices whose place or number of children may have changed.
    pub(super) moved: Vec<Vertex>,
}

impl Changes {
    fn clear(&mut self) {
        self.removed.clear();
        self.added.clear();
        self.relinked.clear();
        self.moved.clear();
    }

    fn is_empty(&self) -> bool {
        let lists = [&self.removed, &self.added, &self.relinked, &self.moved];
        lists.iter().all(|list| list.is_empty())
    }

    /// Sets the changes of the map. The edges of all cells beside a changed one may differ.
    fn read(&mut self, graph: &Graph, delta: &GraphDelta) {
        self.clear();
        self.removed.extend_from_slice(delta.closed());
        self.added.extend_from_slice(delta.opened());
        for &vertex in delta.opened().iter().chain(delta.closed()) {
            let steps = graph.moves().steps().iter();
            let beside = steps.filter_map(|&(dx, dy)| graph.cell(vertex).offset(dx, dy));
            let beside = beside.filter_map(|cell| graph.vertex(cell));
            self.relinked.extend(beside);
        }
        self.relinked.extend_from_slice(delta.relinked());
    }
}

/// The buffers of repairs.
#[derive(Debug, Clone, Default)]
pub(super) struct Repairer {
    /// The changes of the level below the one under repair.
    now: Changes,
    /// The changes of the level under repair.
    next: Changes,
    work: GroupingMemory,
    links: RelinkMemory,
    /// Empty levels, whose memory is reused for new levels at the top.
    spare: Vec<AbstractLevel>,
}

impl Repairer {
    /// Repairs a level after the changes `now` below it; the changes of the level become `now`.
    fn step<B: Below>(
        &mut self,
        moves: Moves,
        below: &B,
        parent: &mut [Vertex],
        upper: &mut AbstractLevel,
    ) {
        self.next.clear();
        let mut grouping = Grouping {
            below,
            parent,
            upper,
            work: &mut self.work,
            moves,
        };
        grouping.regroup(&self.now);
        let mut relinking = Relinking {
            below,
            parent,
            upper,
            links: &mut self.links,
            changes: &mut self.next,
        };
        relinking.relink(&self.work.touched.list, &self.now.moved);
        std::mem::swap(&mut self.now, &mut self.next);
    }

    /// Removes all levels except the first `kept`, and stores their memory.
    fn put_away(&mut self, levels: &mut Vec<AbstractLevel>, kept: usize) {
        let kept = kept.min(levels.len());
        self.spare
            .extend(levels.drain(kept..).rev().map(AbstractLevel::emptied));
    }
}

impl Hierarchy {
    /// Repairs the hierarchy after [`Graph::apply`], level by level, and touches only what has
    /// changed.
    ///
    /// An invalid group releases the members that no longer belong to it. The rules of the build,
    /// without its grid, then regroup these members, new vertices, and small groups beside them.
    /// Parents keep their numbers where possible. The result therefore usually differs from
    /// [`Hierarchy::new`]. After 20,000 random edits, AR0414SR has 1.1 times the vertices of a new
    /// hierarchy on level 1, 1.7 times on level 3 and twice on small levels; over 79 maps there are at
    /// most two additional levels. The same sequence of edits gives the same hierarchy.
    ///
    /// If `delta` does not lead from the hierarchy's graph to `graph`, the hierarchy is built from
    /// scratch.
    ///
    /// Time for a door on that map (22,841 vertices): 8 µs in the median, 42 µs at the 99th percentile
    /// and 60 µs at most. Edits all over a map take up to three times as long as [`Hierarchy::new`].
    /// Does not allocate in the steady state.
    ///
    /// # Panics
    /// If the graph is a different one with the same passability but other vertex numbers.
    pub fn apply(&mut self, graph: &Graph, delta: &GraphDelta) -> Repair {
        if self.fingerprint != graph.fingerprint() || self.parent.len() > graph.slots() {
            return self.apply_delta(graph, delta);
        }
        // The hierarchy is up to date.
        self.parent.resize(graph.slots(), NONE);
        Repair::default()
    }

    fn apply_delta(&mut self, graph: &Graph, delta: &GraphDelta) -> Repair {
        if !self.leads_to(graph, delta) {
            self.rebuild(graph);
            return Repair {
                levels: self.levels.len(),
                vertices: self.levels.iter().map(AbstractLevel::vertices).sum(),
                rebuilt: true,
            };
        }
        self.fingerprint = graph.fingerprint();
        self.lineage = self.lineage.after(delta);
        self.parent.resize(graph.slots(), NONE);
        let mut repairer = std::mem::take(&mut self.repairer);
        repairer.now.read(graph, delta);
        let repair = self.repair(graph, &mut repairer);
        self.repairer = repairer;
        repair
    }

    /// Builds the hierarchy from scratch and keeps the repair buffers.
    fn rebuild(&mut self, graph: &Graph) {
        let mut build = Build::default();
        while !build.is_done() {
            build.step(graph);
        }
        self.replace(build, graph);
    }

    /// Replaces the hierarchy with a finished build and keeps the repair buffers.
    pub(super) fn replace(&mut self, build: Build, graph: &Graph) {
        let repairer = std::mem::take(&mut self.repairer);
        *self = Self::built(build, graph);
        self.repairer = repairer;
    }

    /// Returns whether the delta leads from the hierarchy's graph to this one.
    fn leads_to(&self, graph: &Graph, delta: &GraphDelta) -> bool {
        let mut fingerprint = self.fingerprint;
        for &vertex in delta.opened().iter().chain(delta.closed()) {
            if vertex.index() >= graph.slots() {
                return false;
            }
            fingerprint.toggle(graph.cell(vertex));
        }
        fingerprint.changed_by(delta.rules()) == graph.fingerprint()
            && self.parent.len() <= graph.slots()
    }

    fn repair(&mut self, graph: &Graph, repairer: &mut Repairer) -> Repair {
        let mut repair = Repair::default();
        if self.levels.is_empty() {
            // The map had no edges.
            let mut near = repairer.now.added.iter().chain(&repairer.now.relinked);
            if near.all(|&vertex| graph.degree(vertex) == 0) {
                return repair;
            }
            repairer.now.added.clear();
            repairer.now.added.extend(graph.iter());
            self.add_top(repairer);
        }
        while repair.levels < self.levels.len() && !repairer.now.is_empty() {
            let index = repair.levels;
            self.repair_level(index, graph, repairer);
            repair.levels += 1;
            repair.vertices += repairer.work.touched.list.len();
            let upper = &self.levels[index];
            if upper.edges() == 0 {
                self.remove_above(graph, index + 1, repairer);
                break;
            }
            if index + 1 == self.levels.len() {
                let added = &mut repairer.now.added;
                added.clear();
                added.extend(upper.iter());
                self.add_top(repairer);
            }
        }
        repair
    }

    /// Repairs the level with this index, 0 being the first level above the map.
    fn repair_level(&mut self, index: usize, graph: &Graph, repairer: &mut Repairer) {
        let (lower, upper) = self.levels.split_at_mut(index);
        let upper = &mut upper[0];
        let Some(below) = lower.last_mut() else {
            repairer.step(graph.moves(), graph, &mut self.parent, upper);
            return;
        };
        let mut parent = std::mem::take(&mut below.parent);
        // Removed numbers can be reused once no parent lists them, that is, from now on.
        below.free.extend_from_slice(&repairer.now.removed);
        repairer.step(graph.moves(), below, &mut parent, upper);
        below.parent = parent;
    }

    /// Adds an empty level at the top. The caller lists all vertices below as added, so that the next
    /// step creates their parents.
    fn add_top(&mut self, repairer: &mut Repairer) {
        let level = repairer.spare.pop().unwrap_or_default();
        self.levels.push(level);
    }

    /// Keeps `levels` levels above the map, the last of which has no edges and becomes the top. Removes
    /// this level, too, if the map has no edges.
    fn remove_above(&mut self, graph: &Graph, levels: usize, repairer: &mut Repairer) {
        repairer.put_away(&mut self.levels, levels);
        let Some(top) = self.levels.last_mut() else {
            return;
        };
        top.parent.fill(NONE);
        top.free.extend_from_slice(&repairer.now.removed);
        // The map has no edges if every group of the first level has one member.
        if levels == 1 && top.vertices() == graph.vertices() {
            repairer.put_away(&mut self.levels, 0);
            self.parent.fill(NONE);
        }
    }
}
