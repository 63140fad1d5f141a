use super::check::InvalidHierarchy;
use super::hierarchy::Hierarchy;
use crate::graph::{Graph, GraphDelta, TileEdit};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use thiserror::Error;

/// The most edits that are repaired at once.
///
/// Edits beside each other touch the same groups: in batches of four an edit of an explosion takes half
/// the time that it takes alone, 3 µs, and the slowest batches take hardly longer than the slowest edits.
const BATCH: usize = 4;

/// How far apart edits of a batch lie at the most, in cells: those far apart would save nothing and
/// take longer in one piece.
const NEAR: u32 = 16;

/// What an edit of the graph costs, in units of 10 ns.
const EDIT: u64 = 50;

/// What a vertex costs that a repair looks at.
const VERTEX: u64 = 40;

/// What a vertex of the map costs where all is built anew.
const BUILD: u64 = 12;

/// The hierarchy of a graph that changes, kept up within a budget.
///
/// Repairing a hierarchy takes microseconds for a door and milliseconds for all walls that fall in an
/// explosion. A follower keeps a copy of the graph that lags behind, the hierarchy of this copy and a
/// queue of the edits in between, and works it off in small batches. Which edits go together is fixed
/// when they are queued, so that any slicing gives the same hierarchy, as long as the queue never
/// overflows: where it is longer than a quarter of the vertices, it is dropped and all is built anew.
///
/// Memory: that of the graph and of the hierarchy, and 6 bytes an edit. None is taken in the steady state
/// but where all is built anew. With serde it is saved with its queue;
/// [`check`](Self::check) it with its graph when it is restored.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Follower {
    /// The live graph before the edits in the queue.
    shadow: Graph,
    hierarchy: Hierarchy,
    queue: VecDeque<Queued>,
    /// Have edits been dropped?
    is_lost: bool,
    #[serde(skip)]
    batch: Vec<TileEdit>,
    #[serde(skip)]
    delta: GraphDelta,
}

/// An edit to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Queued {
    edit: TileEdit,
    /// Is it the last one of its batch?
    is_last: bool,
}

/// A follower as it was read, before anybody has looked whether it is one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    shadow: Graph,
    hierarchy: Hierarchy,
    queue: VecDeque<Queued>,
    is_lost: bool,
}

/// Why something that was saved as a [`Follower`] is none, or not that of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidFollower {
    /// The hierarchy is not that of the copy of the graph.
    #[error("the hierarchy: {0}")]
    Hierarchy(#[from] InvalidHierarchy),
    /// A batch of edits is too large or the last one has no end, or edits are left of a queue that was
    /// dropped.
    #[error("the queue is not in batches of up to {BATCH} edits")]
    Batches,
    /// The edits in the queue do not lead to the graph.
    #[error("the queue does not lead to the graph")]
    Graph,
}

impl TryFrom<Saved> for Follower {
    type Error = InvalidFollower;

    fn try_from(saved: Saved) -> Result<Self, InvalidFollower> {
        let Saved {
            shadow,
            hierarchy,
            queue,
            is_lost,
        } = saved;
        hierarchy.check(&shadow)?;
        let mut open = 0;
        for queued in &queue {
            open = if queued.is_last { 0 } else { open + 1 };
            if open == BATCH {
                return Err(InvalidFollower::Batches);
            }
        }
        if open > 0 || is_lost && !queue.is_empty() {
            return Err(InvalidFollower::Batches);
        }
        Ok(Self {
            shadow,
            hierarchy,
            queue,
            is_lost,
            batch: Vec::new(),
            delta: GraphDelta::default(),
        })
    }
}

impl Follower {
    /// Follows a graph from now on. Cost: that of [`Hierarchy::new`].
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        Self {
            shadow: graph.clone(),
            hierarchy: Hierarchy::new(graph),
            queue: VecDeque::new(),
            is_lost: false,
            batch: Vec::with_capacity(BATCH),
            delta: GraphDelta::default(),
        }
    }

    /// Queues edits: the slice that the graph has just been given with [`Graph::apply`], whole and in
    /// its order. Cost: a few nanoseconds an edit.
    pub fn push(&mut self, edits: &[TileEdit]) {
        self.is_lost |= self.queue.len() + edits.len() > self.longest();
        if self.is_lost {
            self.queue.clear();
            return;
        }
        let (mut first, mut members) = (0, 0);
        for (index, &edit) in edits.iter().enumerate() {
            members += 1;
            let is_near = |next: &TileEdit| next.cell.max_norm(edits[first].cell) <= NEAR;
            let is_last = members == BATCH || !edits.get(index + 1).is_some_and(is_near);
            if is_last {
                (first, members) = (index + 1, 0);
            }
            self.queue.push_back(Queued { edit, is_last });
        }
    }

    /// Repairs until about `budget` units of 10 ns are spent or nothing is left to do, and returns what
    /// was spent. `graph` is the live graph.
    ///
    /// What is spent is counted in edits and vertices, so that it is the same on every machine. It may
    /// be more than the budget by one batch, since at least one is repaired unless the budget is 0: on
    /// AR0414SR (22,841 vertices) 1,400 units in the median for a door, 8,500 for 99 of 100 and 17,000
    /// at the most, and an explosion of 280 edits takes 120,000.
    ///
    /// Where the queue has overflowed, or edits were not queued, all is built anew from `graph` in one
    /// piece, for 12 units a vertex: 2 ms for 22,841 vertices, 80 ms for a city of 799,311.
    pub fn advance(&mut self, graph: &Graph, budget: u64) -> u64 {
        let mut spent = 0;
        while spent < budget && !self.queue.is_empty() {
            spent += self.repair();
        }
        if spent < budget && !self.is_current(graph) {
            self.rebuild(graph);
            spent += BUILD * graph.slots() as u64;
        }
        spent
    }

    /// The hierarchy of the graph as it was before the edits that are pending.
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
        let is_done = self.queue.is_empty() && !self.is_lost;
        is_done && self.hierarchy.is_of(graph) && self.shadow.slots() == graph.slots()
    }

    /// How many edits are in the queue: 0 also where it has overflowed.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.queue.len()
    }

    /// The edits in the queue, the oldest first.
    pub fn pending_edits(&self) -> impl Iterator<Item = TileEdit> + '_ {
        self.queue.iter().map(|queued| queued.edit)
    }

    /// Does what is pending lead to this very graph, with the same vertex numbers? Always where it was
    /// followed; for a follower that was read from a file nobody knows. Time: linear, and it takes a
    /// copy of the graph.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, graph: &Graph) -> Result<(), InvalidFollower> {
        if self.is_lost {
            // All will be built anew.
            return Ok(());
        }
        let edits: Vec<TileEdit> = self.queue.iter().map(|queued| queued.edit).collect();
        let mut ahead = self.shadow.clone();
        ahead.apply(&edits);
        if ahead.is_copy_of(graph) {
            Ok(())
        } else {
            Err(InvalidFollower::Graph)
        }
    }

    /// Memory in bytes, without that of the copy of the graph and what repairs keep to use again.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.hierarchy.bytes() + self.queue.capacity() * size_of::<Queued>()
    }

    /// The longest queue that is worked off.
    fn longest(&self) -> usize {
        (self.shadow.slots() / 4).max(BATCH * BATCH)
    }

    /// Repairs after the first batch of the queue.
    fn repair(&mut self) -> u64 {
        self.batch.clear();
        while let Some(Queued { edit, is_last }) = self.queue.pop_front() {
            self.batch.push(edit);
            if is_last {
                break;
            }
        }
        self.shadow.apply_into(&self.batch, &mut self.delta);
        let repair = self.hierarchy.apply(&self.shadow, &self.delta);
        EDIT * self.batch.len() as u64 + VERTEX * repair.vertices as u64
    }

    fn rebuild(&mut self, graph: &Graph) {
        self.shadow.clone_from(graph);
        self.hierarchy.rebuild(graph);
        self.queue.clear();
        self.is_lost = false;
    }
}
