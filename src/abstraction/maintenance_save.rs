use super::build::Build;
use super::check::InvalidHierarchy;
use super::hierarchy::Hierarchy;
use super::maintenance::{BATCH, Maintenance, Queued, Task};
use crate::graph::{Graph, TileEdit};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::VecDeque;
use thiserror::Error;

/// A maintenance as it is saved, and as it is read before anybody has looked whether it is one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saved<G = Graph, H = Hierarchy, Q = VecDeque<Queued>> {
    shadow: G,
    /// `None` while all is built anew.
    hierarchy: Option<H>,
    queue: Q,
    task: SavedTask,
}

#[derive(Serialize, Deserialize)]
enum SavedTask {
    Repair,
    CatchUp(u64),
    /// The build has cost so much, by which it can be done again.
    Build(u64),
    Lost,
}

/// Why something that was saved as a [`Maintenance`] is none, or not that of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidFollower {
    /// The hierarchy is not that of the copy of the graph.
    #[error("the hierarchy: {0}")]
    Hierarchy(#[from] InvalidHierarchy),
    /// A batch of edits is too large or the last one has no end, or edits are left of a queue that was
    /// dropped.
    #[error("the queue is not in batches of up to {BATCH} edits")]
    Batches,
    /// What is to be done next does not fit the rest.
    #[error("there is a hierarchy too much or too few, or one that was never begun to be built")]
    Task,
    /// The edits in the queue do not lead to the graph.
    #[error("the queue does not lead to the graph")]
    Graph,
}

impl Serialize for Maintenance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let task = match &self.task {
            Task::Repair => SavedTask::Repair,
            Task::CatchUp(edits) => SavedTask::CatchUp(*edits as u64),
            Task::Build(_, spent) => SavedTask::Build(*spent),
            Task::Copy | Task::Lost => SavedTask::Lost,
        };
        Saved {
            shadow: &self.shadow,
            hierarchy: (!self.is_rebuilding()).then_some(&self.hierarchy),
            queue: &self.queue,
            task,
        }
        .serialize(serializer)
    }
}

impl TryFrom<Saved> for Maintenance {
    type Error = InvalidFollower;

    /// Cost: linear, and that of a build as far as one was under way.
    fn try_from(saved: Saved) -> Result<Self, InvalidFollower> {
        let Saved {
            shadow,
            hierarchy,
            queue,
            task,
        } = saved;
        let batches = batches(&queue)?;
        let none = || Hierarchy::none(&shadow);
        let (task, hierarchy) = match (task, hierarchy) {
            (SavedTask::Repair, Some(hierarchy)) => {
                hierarchy.check(&shadow)?;
                (Task::Repair, hierarchy)
            }
            (SavedTask::CatchUp(edits), None) => {
                let edits = usize::try_from(edits).map_err(|_| InvalidFollower::Task)?;
                let is_end = edits == 0 || queue.get(edits - 1).is_some_and(|last| last.is_last);
                if !is_end {
                    return Err(InvalidFollower::Batches);
                }
                (Task::CatchUp(edits), none())
            }
            (SavedTask::Build(spent), None) => (rebuilt(&shadow, spent)?, none()),
            (SavedTask::Lost, None) if queue.is_empty() => (Task::Lost, none()),
            _ => return Err(InvalidFollower::Task),
        };
        let mut maintenance = Self::begin(&shadow);
        maintenance.shadow = shadow;
        maintenance.hierarchy = hierarchy;
        maintenance.queue = queue;
        maintenance.batches = batches;
        maintenance.task = task;
        Ok(maintenance)
    }
}

/// How many batches there are.
fn batches(queue: &VecDeque<Queued>) -> Result<usize, InvalidFollower> {
    let (mut open, mut batches) = (0, 0);
    for queued in queue {
        if queued.is_last {
            (open, batches) = (0, batches + 1);
        } else {
            open += 1;
        }
        if open == BATCH {
            return Err(InvalidFollower::Batches);
        }
    }
    (open == 0)
        .then_some(batches)
        .ok_or(InvalidFollower::Batches)
}

/// A build that has cost so much.
fn rebuilt(shadow: &Graph, spent: u64) -> Result<Task, InvalidFollower> {
    let (mut build, mut again) = (Build::default(), 0);
    while again < spent {
        again += build.step(shadow);
        if build.is_done() {
            return Err(InvalidFollower::Task);
        }
    }
    if again == spent {
        Ok(Task::Build(Box::new(build), spent))
    } else {
        Err(InvalidFollower::Task)
    }
}

impl Maintenance {
    /// Does what is pending lead to this very graph, with the same vertex numbers? Always where it was
    /// followed; for a maintenance that was read from a file nobody knows. Time: linear, and it takes a
    /// copy of the graph.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, graph: &Graph) -> Result<(), InvalidFollower> {
        if matches!(self.task, Task::Lost | Task::Copy) {
            // All will be copied and built anew.
            return Ok(());
        }
        let edits: Vec<TileEdit> = self.pending_edits().collect();
        let mut ahead = self.shadow.clone();
        ahead.apply(&edits);
        if ahead.is_copy_of(graph) {
            Ok(())
        } else {
            Err(InvalidFollower::Graph)
        }
    }
}
