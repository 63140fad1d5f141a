//! The serde format of hierarchy maintenance.

use super::build::Build;
use super::check::InvalidHierarchy;
use super::hierarchy::Hierarchy;
use super::maintenance::{MAX_BATCH, Maintenance, MaintenanceTask, Queued};
use crate::graph::{Graph, GraphDelta};
use crate::map::MapEdit;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::VecDeque;
use thiserror::Error;

/// A maintenance in its saved form, before it is checked.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedMaintenance<G = Graph, H = Hierarchy, Q = VecDeque<Queued>> {
    /// Only walls if the graph has to be copied.
    shadow: G,
    /// `None` if a build is pending or in progress.
    hierarchy: Option<H>,
    queue: Q,
    task: SavedTask,
}

#[derive(Serialize, Deserialize)]
enum SavedTask {
    Repair,
    CatchUp(u64),
    /// The cost of the build so far. Reading repeats the build up to this cost.
    Build(u64),
    /// [`MaintenanceTask::Recopy`].
    Lost,
    /// The number of slices of the copy so far.
    Copy(u64),
}

/// Why saved data is not a valid [`Maintenance`], or not the maintenance of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidMaintenance {
    /// The hierarchy does not belong to the copy of the graph.
    #[error("the hierarchy is invalid: {0}")]
    Hierarchy(#[from] InvalidHierarchy),
    /// A batch is too large, the last batch is incomplete, or a task ends within a batch.
    #[error("the queue does not consist of batches of 1 to {MAX_BATCH} edits")]
    Batches,
    /// The task contradicts the hierarchy, the queue or the cost of the build.
    #[error("the task does not match the hierarchy, the queue or the cost of the build")]
    Task,
    /// The copy and the edits in the queue do not add up to the graph.
    #[error("the copy with the queued edits does not equal the graph")]
    Graph,
}

impl Serialize for Maintenance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let task = match &self.task {
            MaintenanceTask::Repair => SavedTask::Repair,
            MaintenanceTask::CatchUp(edits) => SavedTask::CatchUp(*edits as u64),
            MaintenanceTask::Build(_, spent) => SavedTask::Build(*spent),
            MaintenanceTask::Copy(slices) => SavedTask::Copy(*slices),
            MaintenanceTask::Recopy => SavedTask::Lost,
        };
        // A part of a copy is no valid graph.
        let walls = self.is_copying().then(|| self.shadow.walled());
        SavedMaintenance {
            shadow: walls.as_ref().unwrap_or(&self.shadow),
            hierarchy: (!self.is_rebuilding()).then_some(&self.hierarchy),
            queue: &self.queue,
            task,
        }
        .serialize(serializer)
    }
}

impl TryFrom<SavedMaintenance> for Maintenance {
    type Error = InvalidMaintenance;

    /// Cost: linear, plus repeating a build that was in progress.
    fn try_from(saved: SavedMaintenance) -> Result<Self, InvalidMaintenance> {
        let SavedMaintenance {
            shadow,
            hierarchy,
            queue,
            task,
        } = saved;
        let batches = batches(&queue)?;
        let none = || Hierarchy::none(&shadow);
        let mut maintenance = Self::begin(&shadow);
        let (task, hierarchy) = match (task, hierarchy) {
            (SavedTask::Repair, Some(hierarchy)) => {
                hierarchy.check(&shadow)?;
                (MaintenanceTask::Repair, hierarchy)
            }
            (SavedTask::CatchUp(edits), None) => {
                let edits = usize::try_from(edits).map_err(|_| InvalidMaintenance::Task)?;
                let is_end = edits == 0 || queue.get(edits - 1).is_some_and(|last| last.is_last);
                if !is_end {
                    return Err(InvalidMaintenance::Batches);
                }
                (MaintenanceTask::CatchUp(edits), none())
            }
            (SavedTask::Build(spent), None) => (rebuilt(&shadow, spent)?, none()),
            (SavedTask::Lost, None) if queue.is_empty() => (MaintenanceTask::Recopy, none()),
            (SavedTask::Copy(slices), None) if queue.is_empty() => {
                (MaintenanceTask::Copy(slices), none())
            }
            _ => return Err(InvalidMaintenance::Task),
        };
        if !matches!(task, MaintenanceTask::Copy(_)) {
            maintenance.shadow = shadow;
        }
        maintenance.hierarchy = hierarchy;
        maintenance.queue = queue;
        maintenance.batches = batches;
        maintenance.task = task;
        Ok(maintenance)
    }
}

/// Counts the batches.
fn batches(queue: &VecDeque<Queued>) -> Result<usize, InvalidMaintenance> {
    let (mut open, mut batches) = (0, 0);
    for queued in queue {
        if queued.is_last {
            (open, batches) = (0, batches + 1);
        } else {
            open += 1;
        }
        if open == MAX_BATCH {
            return Err(InvalidMaintenance::Batches);
        }
    }
    (open == 0)
        .then_some(batches)
        .ok_or(InvalidMaintenance::Batches)
}

/// Repeats a build up to this cost.
fn rebuilt(shadow: &Graph, spent: u64) -> Result<MaintenanceTask, InvalidMaintenance> {
    let (mut build, mut cost) = (Build::default(), 0);
    while cost < spent {
        cost += build.step(shadow);
        if build.is_done() {
            return Err(InvalidMaintenance::Task);
        }
    }
    if cost == spent {
        Ok(MaintenanceTask::Build(Box::new(build), spent))
    } else {
        Err(InvalidMaintenance::Task)
    }
}

impl Maintenance {
    /// Checks that the pending edits lead to exactly this graph, including its vertex numbers. Call it
    /// for a maintenance read from a file. Time: linear. Memory: a copy of the graph.
    ///
    /// # Errors
    /// [`InvalidMaintenance::Graph`] if they do not.
    pub fn check(&self, graph: &Graph) -> Result<(), InvalidMaintenance> {
        if self.is_copying() {
            // The graph will be copied and the hierarchy built from it.
            return Ok(());
        }
        let edits: Vec<MapEdit> = self.pending_edits().collect();
        let mut ahead = self.shadow.clone();
        ahead.apply_edits(&edits, &mut GraphDelta::default());
        if ahead.is_copy_of(graph) {
            Ok(())
        } else {
            Err(InvalidMaintenance::Graph)
        }
    }
}
