//! Keeps the hierarchy of a changing graph up to date within a budget.

use super::build::Build;
use super::hierarchy::Hierarchy;
use crate::graph::{Graph, GraphDelta, TileEdit};
use crate::map::MapEdit;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The maximum number of edits that are repaired at once.
///
/// Edits beside each other touch the same groups: in batches of four, an edit of an explosion takes
/// 3 µs, half of its time alone, and the slowest batches take hardly longer than the slowest edits.
pub(super) const MAX_BATCH: usize = 4;

/// The maximum distance in cells between the edits of a batch. Distant edits would save nothing and
/// make the batch take longer.
const MAX_DISTANCE: u32 = 16;

/// The cost of an edit of the graph, in units of 10 ns.
const EDIT_COST: u64 = 50;

/// The cost of a vertex that a repair visits, in units of 10 ns.
const VERTEX_COST: u64 = 40;

/// The expected cost of repairing after a batch, in units of 10 ns, wherever its edits are.
const BATCH_COST: u64 = 1600;

/// The cost of a vertex of the map in a build, in units of 10 ns.
const BUILD_COST: u64 = 12;

/// The number of vertices that a slice copies.
const COPY_SLICE: usize = 1024;

/// The cost of copying a vertex, in units of 10/16 ns.
const COPY_COST: u64 = 24;

/// The hierarchy of a changing graph, kept up to date within a budget.
///
/// Repairing a hierarchy takes microseconds for a door and milliseconds for all the walls of an
/// explosion. A maintenance holds a copy of the graph that lags behind, the hierarchy of this copy,
/// and a queue of the edits in between, which it repairs in small batches. Batches are formed when
/// edits are queued.
///
/// If the queue grows so long that a build is cheaper, the maintenance builds in slices instead: the
/// queued edits go into the copy only, and edits queued during the build are repaired afterwards.
/// This decision is made when edits are queued, so the slicing does not change the resulting
/// hierarchy unless it changes that decision.
///
/// Memory: the graph, the hierarchy, and 12 bytes per queued edit. Does not allocate in the steady
/// state, except to build. Serde saves the queue and the progress of a copy or a build; reading repeats
/// the build up to that point, and the first slice after reading repeats the copy. Call
/// [`check`](Self::check) with the graph after reading.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "super::maintenance_save::SavedMaintenance")]
pub struct Maintenance {
    /// The copy: the live graph before the edits in the queue.
    pub(super) shadow: Graph,
    /// The hierarchy of the copy during [`MaintenanceTask::Repair`], otherwise an outdated one.
    pub(super) hierarchy: Hierarchy,
    pub(super) queue: VecDeque<Queued>,
    /// The number of batches in the queue.
    pub(super) batches: usize,
    pub(super) task: MaintenanceTask,
    pub(super) batch: Vec<MapEdit>,
    pub(super) delta: GraphDelta,
}

/// The current task of a maintenance.
///
/// ```text
/// begin --> Copy ----+                                    new
///                    v                                     v
/// Recopy --------> Build -----------------------------> Repair
///   ^                ^                                    |  |
///   |                +--- CatchUp <--(a build is cheaper)-+  |
///   |                                                        |
///   +----------(an edit is missing from the queue)-----------+
/// ```
///
/// A queue overflow leads from every task to `Recopy`, and so does any edit queued during `Copy`.
#[derive(Debug, Clone)]
pub(super) enum MaintenanceTask {
    /// Repair the batches of the queue one by one.
    Repair,
    /// Apply this many edits to the copy, then build.
    CatchUp(usize),
    /// Build the hierarchy of the copy; the number is the cost so far.
    Build(Box<Build>, u64),
    /// Copy the graph in slices, then build; the number is that of the slices so far. The copy of a
    /// maintenance that was just read is empty nevertheless, and the next slice copies those as well.
    Copy(u64),
    /// Edits were dropped: copy the whole graph at once, then build.
    Recopy,
}

/// A queued edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Queued {
    pub(super) edit: MapEdit,
    /// Whether the edit is the last of its batch.
    pub(super) is_last: bool,
}

impl Maintenance {
    /// Starts to maintain the hierarchy of a graph. Cost: that of [`Hierarchy::new`].
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        Self {
            shadow: graph.clone(),
            hierarchy: Hierarchy::new(graph),
            task: MaintenanceTask::Repair,
            ..Self::begin(graph)
        }
    }

    /// Starts to maintain the hierarchy of a graph, which [`advance`](Self::advance) builds in slices.
    /// Edits are best queued once it is current: an edit while the graph is being copied makes the next
    /// slice copy the whole graph at once.
    ///
    /// Cost: constant.
    #[must_use]
    pub fn begin(graph: &Graph) -> Self {
        let shadow = graph.begin_copy();
        Self {
            hierarchy: Hierarchy::none(&shadow),
            shadow,
            queue: VecDeque::new(),
            batches: 0,
            task: MaintenanceTask::Copy(0),
            batch: Vec::with_capacity(MAX_BATCH),
            delta: GraphDelta::default(),
        }
    }

    /// Queues edits: the complete slice just passed to [`Graph::apply`], in the same order. Cost: a few
    /// nanoseconds per edit.
    pub fn push(&mut self, edits: &[TileEdit]) {
        self.push_all(edits.iter().map(|&edit| edit.into()));
    }

    /// Queues edits: the complete slice just passed to [`Graph::apply_edits`], in the same order. Cost: a few
    /// nanoseconds per edit.
    pub fn push_edits(&mut self, edits: &[MapEdit]) {
        // What agents see does not matter here.
        let is_of_steps = |edit: &MapEdit| !matches!(edit, MapEdit::Sight { .. });
        self.push_all(edits.iter().copied().filter(is_of_steps));
    }

    fn push_all(&mut self, edits: impl Iterator<Item = MapEdit> + Clone) {
        let count = edits.clone().count();
        if count == 0 {
            return;
        }
        let is_full = self.queue.len() + count > self.max_queue();
        if is_full || self.is_copying() {
            self.drop_queue();
            return;
        }
        let (mut first, mut members) = (None, 0);
        let mut edits = edits.peekable();
        while let Some(edit) = edits.next() {
            members += 1;
            let start = *first.get_or_insert(edit.cell());
            let is_near = |next: &MapEdit| next.cell().max_norm(start) <= MAX_DISTANCE;
            let is_last = members == MAX_BATCH || !edits.peek().is_some_and(is_near);
            if is_last {
                (first, members) = (None, 0);
                self.batches += 1;
            }
            self.queue.push_back(Queued { edit, is_last });
        }
        self.choose_task();
    }

    /// Repairs or builds until about `budget` units of 10 ns are spent or the hierarchy is current, and
    /// returns the cost. `graph` is the live graph.
    ///
    /// The cost is computed from the numbers of edits and vertices, so it is the same on every machine.
    /// It may exceed the budget by one batch, because a positive budget always pays for at least one:
    /// on AR0414SR (22,841 vertices) a door costs 1,400 units in the median, 8,500 at the 99th
    /// percentile and 17,000 at most.
    ///
    /// A build takes about 12 units per vertex, in slices of a few hundred units: 2 ms for 22,841
    /// vertices, 80 ms for a city of 799,311. The memory of each level is allocated at once. If edits
    /// were not queued, or the queue exceeds four edits per cell, the whole graph is first copied at
    /// once, for 2 units per vertex.
    pub fn advance(&mut self, graph: &Graph, budget: u64) -> u64 {
        let mut spent = 0;
        while spent < budget && !self.is_current(graph) {
            spent += self.step(graph);
        }
        spent
    }

    /// The hierarchy of the graph before the pending edits, or an older one during a
    /// [build](Self::is_rebuilding).
    #[must_use]
    pub const fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// The hierarchy of the current graph, `None` if it is not up to date.
    #[must_use]
    pub fn up_to_date(&self, graph: &Graph) -> Option<&Hierarchy> {
        self.is_current(graph).then_some(&self.hierarchy)
    }

    /// Returns whether the hierarchy is that of the current graph. Constant time.
    #[must_use]
    pub fn is_current(&self, graph: &Graph) -> bool {
        let is_done = self.queue.is_empty() && matches!(self.task, MaintenanceTask::Repair);
        is_done && self.hierarchy.is_of(graph) && self.shadow.slots() == graph.slots()
    }

    /// Returns whether a complete build is pending or in progress.
    #[must_use]
    pub const fn is_rebuilding(&self) -> bool {
        !matches!(self.task, MaintenanceTask::Repair)
    }

    /// Returns whether the copy of the graph is missing or incomplete.
    pub(super) const fn is_copying(&self) -> bool {
        matches!(
            self.task,
            MaintenanceTask::Copy(_) | MaintenanceTask::Recopy
        )
    }

    /// The number of edits in the queue. A build in progress already includes all earlier edits.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.queue.len()
    }

    /// The edits in the queue, the oldest first.
    pub fn pending_edits(&self) -> impl Iterator<Item = MapEdit> + '_ {
        self.queue.iter().map(|queued| queued.edit)
    }

    /// Memory in bytes, without the copy of the graph and the working memory of repairs and builds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.queue.capacity() * size_of::<Queued>()
    }

    /// The maximum length of the queue. Beyond it, the graph is copied again.
    pub(super) fn max_queue(&self) -> usize {
        (4 * self.shadow.cells()).max(MAX_BATCH * MAX_BATCH)
    }

    fn drop_queue(&mut self) {
        self.queue.clear();
        self.batches = 0;
        self.task = MaintenanceTask::Recopy;
    }

    /// Switches from repairing to building if that is cheaper and more than a few doors are queued.
    fn choose_task(&mut self) {
        let edits = self.queue.len();
        let build = BUILD_COST * self.shadow.slots() as u64 + EDIT_COST * edits as u64;
        let is_cheaper = BATCH_COST * self.batches as u64 > build && edits > MAX_BATCH * MAX_BATCH;
        if is_cheaper && matches!(self.task, MaintenanceTask::Repair) {
            self.task = MaintenanceTask::CatchUp(edits);
        }
    }

    /// Processes one slice and returns its cost, at least 1.
    fn step(&mut self, graph: &Graph) -> u64 {
        match &mut self.task {
            // Not current with an empty queue: the caller did not queue some edits.
            MaintenanceTask::Repair if self.queue.is_empty() => {
                self.drop_queue();
                1
            }
            MaintenanceTask::Repair => self.repair(),
            MaintenanceTask::CatchUp(0) => self.begin_build(),
            MaintenanceTask::CatchUp(edits) => {
                let left = *edits;
                let done = self.apply_batch();
                self.task = MaintenanceTask::CatchUp(left.saturating_sub(done));
                EDIT_COST * done as u64
            }
            MaintenanceTask::Copy(slices) => {
                let end = |slices: u64| {
                    let slices = usize::try_from(slices).unwrap_or(usize::MAX);
                    slices.saturating_mul(COPY_SLICE)
                };
                let before = end(*slices);
                *slices = slices.saturating_add(1);
                let is_read = self.shadow.cells() == 0;
                let count = end(*slices) - if is_read { 0 } else { before };
                let is_copy = self.shadow.advance_copy(graph, count);
                let cells = self.shadow.cells().saturating_sub(before);
                if is_copy {
                    self.begin_build();
                }
                1 + cells as u64 * COPY_COST / 16
            }
            MaintenanceTask::Recopy => {
                self.shadow.clone_from(graph);
                self.begin_build();
                1 + graph.slots() as u64 * COPY_COST / 16
            }
            MaintenanceTask::Build(build, spent) => {
                let cost = build.step(&self.shadow);
                *spent += cost;
                if build.is_done() {
                    let build = std::mem::take(&mut **build);
                    self.hierarchy.replace(build, &self.shadow);
                    self.task = MaintenanceTask::Repair;
                    self.choose_task();
                }
                cost
            }
        }
    }

    /// Starts to build the hierarchy of the copy.
    fn begin_build(&mut self) -> u64 {
        self.task = MaintenanceTask::Build(Box::default(), 0);
        1
    }

    /// Applies the first batch of the queue to the copy and returns its number of edits.
    fn apply_batch(&mut self) -> usize {
        self.batch.clear();
        while let Some(Queued { edit, is_last }) = self.queue.pop_front() {
            self.batch.push(edit);
            if is_last {
                break;
            }
        }
        self.batches = self.batches.saturating_sub(1);
        self.shadow.apply_edits(&self.batch, &mut self.delta);
        self.batch.len()
    }

    /// Applies the first batch of the queue and repairs the hierarchy.
    fn repair(&mut self) -> u64 {
        let edits = self.apply_batch();
        let repair = self.hierarchy.apply(&self.shadow, &self.delta);
        EDIT_COST * edits as u64 + VERTEX_COST * repair.vertices as u64
    }
}
