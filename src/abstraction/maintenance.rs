use super::build::Build;
use super::hierarchy::Hierarchy;
use crate::graph::{Graph, GraphDelta, TileEdit};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The most edits that are repaired at once.
///
/// Edits beside each other touch the same groups: in batches of four an edit of an explosion takes half
/// the time that it takes alone, 3 µs, and the slowest batches take hardly longer than the slowest edits.
pub(super) const BATCH: usize = 4;

/// How far apart edits of a batch lie at the most, in cells: those far apart would save nothing and
/// take longer in one piece.
const NEAR: u32 = 16;

/// What an edit of the graph costs, in units of 10 ns.
const EDIT: u64 = 50;

/// What a vertex costs that a repair looks at.
const VERTEX: u64 = 40;

/// What repairing after a batch is expected to cost, with edits far apart or near each other.
const REPAIR: u64 = 1600;

/// What a vertex of the map costs where all is built anew.
const BUILD: u64 = 12;

/// Vertices that are copied in one piece, and what one costs, in units of 10/16 ns.
const COPIED: usize = 1024;
const COPY: u64 = 24;

/// The hierarchy of a graph that changes, kept up within a budget.
///
/// Repairing a hierarchy takes microseconds for a door and milliseconds for all walls that fall in an
/// explosion. A maintenance keeps a copy of the graph that lags behind, the hierarchy of this copy and a
/// queue of the edits in between, and works it off in small batches. Which edits go together is fixed
/// when they are queued.
///
/// Where so many edits are queued that building all anew is cheaper, that is done instead, in pieces:
/// the edits go into the copy alone, and those that come while it is built are queued and repaired
/// afterwards. Whether to build is decided when edits are queued, so that any slicing gives the same
/// hierarchy, as long as it makes no difference to that decision.
///
/// Memory: that of the graph and of the hierarchy, and 6 bytes an edit. None is taken in the steady state
/// but where all is built anew. With serde it is saved with its queue and with how far a build is, which
/// is done again to that point when it is read; [`check`](Self::check) it with its graph when it is
/// restored.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "super::maintenance_save::Saved")]
pub struct Maintenance {
    /// The live graph before the edits in the queue.
    pub(super) shadow: Graph,
    /// That of the copy while the task is to repair, else an old one.
    pub(super) hierarchy: Hierarchy,
    pub(super) queue: VecDeque<Queued>,
    /// The batches in the queue.
    pub(super) batches: usize,
    pub(super) task: Task,
    pub(super) batch: Vec<TileEdit>,
    pub(super) delta: GraphDelta,
}

/// What a maintenance does next.
#[derive(Debug, Clone)]
pub(super) enum Task {
    /// The batches of the queue are repaired, one by one.
    Repair,
    /// All is to be built anew, once so many edits have gone into the copy.
    CatchUp(usize),
    /// All is built anew; so much has been spent on it.
    Build(Box<Build>, u64),
    /// The graph is copied, in pieces, to be built then.
    Copy,
    /// Edits have been dropped: the graph is copied in one piece, to be built then.
    Lost,
}

/// An edit to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Queued {
    pub(super) edit: TileEdit,
    /// Is it the last one of its batch?
    pub(super) is_last: bool,
}

impl Maintenance {
    /// Follows a graph from now on. Cost: that of [`Hierarchy::new`].
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        Self {
            shadow: graph.clone(),
            hierarchy: Hierarchy::new(graph),
            task: Task::Repair,
            ..Self::begin(graph)
        }
    }

    /// Follows a graph from now on, and has built nothing yet: [`advance`](Self::advance) does, in
    /// pieces. Edits are best queued once it is current: one that comes while the graph is still being
    /// copied has it copied anew in one piece.
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
            task: Task::Copy,
            batch: Vec::with_capacity(BATCH),
            delta: GraphDelta::default(),
        }
    }

    /// Queues edits: the slice that the graph has just been given with [`Graph::apply`], whole and in
    /// its order. Cost: a few nanoseconds an edit.
    pub fn push(&mut self, edits: &[TileEdit]) {
        if edits.is_empty() {
            return;
        }
        let is_full = self.queue.len() + edits.len() > self.longest();
        if is_full || matches!(self.task, Task::Copy | Task::Lost) {
            self.lose();
            return;
        }
        let (mut first, mut members) = (0, 0);
        for (index, &edit) in edits.iter().enumerate() {
            members += 1;
            let is_near = |next: &TileEdit| next.cell.max_norm(edits[first].cell) <= NEAR;
            let is_last = members == BATCH || !edits.get(index + 1).is_some_and(is_near);
            if is_last {
                (first, members) = (index + 1, 0);
                self.batches += 1;
            }
            self.queue.push_back(Queued { edit, is_last });
        }
        self.choose();
    }

    /// Repairs or builds until about `budget` units of 10 ns are spent or nothing is left to do, and
    /// returns what was spent. `graph` is the live graph.
    ///
    /// What is spent is counted in edits and vertices, so that it is the same on every machine. It may
    /// be more than the budget by one batch, since at least one is repaired unless the budget is 0: on
    /// AR0414SR (22,841 vertices) 1,400 units in the median for a door, 8,500 for 99 of 100 and 17,000
    /// at the most.
    ///
    /// Building all anew takes about 12 units a vertex, in pieces of some hundred units: 2 ms for 22,841
    /// vertices, 80 ms for a city of 799,311. The memory of a level is taken in one piece. Where edits
    /// were not queued, or more than four for each cell are pending, the graph is copied in one piece
    /// first, for 2 units a vertex.
    pub fn advance(&mut self, graph: &Graph, budget: u64) -> u64 {
        let mut spent = 0;
        while spent < budget && !self.is_current(graph) {
            spent += self.step(graph);
        }
        spent
    }

    /// The hierarchy of the graph as it was before the edits that are pending; of one before that while
    /// all is [built anew](Self::is_rebuilding).
    #[must_use]
    pub const fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// The hierarchy of the graph as it is now, `None` if it is behind.
    #[must_use]
    pub fn up_to_date(&self, graph: &Graph) -> Option<&Hierarchy> {
        self.is_current(graph).then_some(&self.hierarchy)
    }

    /// Is the hierarchy that of the graph as it is now? Constant time.
    #[must_use]
    pub fn is_current(&self, graph: &Graph) -> bool {
        let is_done = self.queue.is_empty() && matches!(self.task, Task::Repair);
        is_done && self.hierarchy.is_of(graph) && self.shadow.slots() == graph.slots()
    }

    /// Is all built anew, or about to be?
    #[must_use]
    pub const fn is_rebuilding(&self) -> bool {
        !matches!(self.task, Task::Repair)
    }

    /// How many edits are in the queue. What is built anew meanwhile knows those before them.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.queue.len()
    }

    /// The edits in the queue, the oldest first.
    pub fn pending_edits(&self) -> impl Iterator<Item = TileEdit> + '_ {
        self.queue.iter().map(|queued| queued.edit)
    }

    /// Memory in bytes, without that of the copy of the graph and what repairs and builds use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.queue.capacity() * size_of::<Queued>()
    }

    /// The longest queue that is worked off.
    pub(super) fn longest(&self) -> usize {
        (4 * self.shadow.cells()).max(BATCH * BATCH)
    }

    fn lose(&mut self) {
        self.queue.clear();
        self.batches = 0;
        self.task = Task::Lost;
    }

    /// Builds all anew if that costs less than to repair, and there is more to repair than a few doors.
    fn choose(&mut self) {
        let edits = self.queue.len();
        let build = BUILD * self.shadow.slots() as u64 + EDIT * edits as u64;
        let is_cheaper = REPAIR * self.batches as u64 > build && edits > BATCH * BATCH;
        if is_cheaper && matches!(self.task, Task::Repair) {
            self.task = Task::CatchUp(edits);
        }
    }

    /// Does one piece of work and returns what it has cost, at least 1.
    fn step(&mut self, graph: &Graph) -> u64 {
        match &mut self.task {
            // Edits were not queued.
            Task::Repair if self.queue.is_empty() => {
                self.lose();
                1
            }
            Task::Repair => self.repair(),
            Task::CatchUp(0) => self.build(),
            Task::CatchUp(edits) => {
                let left = *edits;
                let done = self.apply_batch();
                self.task = Task::CatchUp(left.saturating_sub(done));
                EDIT * done as u64
            }
            Task::Copy => {
                let before = self.shadow.cells();
                let is_copy = self.shadow.advance_copy(graph, COPIED);
                let cells = self.shadow.cells() - before;
                if is_copy {
                    self.build();
                }
                1 + cells as u64 * COPY / 16
            }
            Task::Lost => {
                self.shadow.clone_from(graph);
                self.build();
                1 + graph.slots() as u64 * COPY / 16
            }
            Task::Build(build, spent) => {
                let cost = build.step(&self.shadow);
                *spent += cost;
                if build.is_done() {
                    let build = std::mem::take(&mut **build);
                    self.hierarchy.replace(build, &self.shadow);
                    self.task = Task::Repair;
                    self.choose();
                }
                cost
            }
        }
    }

    /// The copy is what is to be built.
    pub(super) fn build(&mut self) -> u64 {
        self.task = Task::Build(Box::default(), 0);
        1
    }

    /// Puts the first batch of the queue into the copy, and returns how many edits it has.
    fn apply_batch(&mut self) -> usize {
        self.batch.clear();
        while let Some(Queued { edit, is_last }) = self.queue.pop_front() {
            self.batch.push(edit);
            if is_last {
                break;
            }
        }
        self.batches = self.batches.saturating_sub(1);
        self.shadow.apply_into(&self.batch, &mut self.delta);
        self.batch.len()
    }

    /// Repairs after the first batch of the queue.
    fn repair(&mut self) -> u64 {
        let edits = self.apply_batch();
        let repair = self.hierarchy.apply(&self.shadow, &self.delta);
        EDIT * edits as u64 + VERTEX * repair.vertices as u64
    }
}
