//! Jobs: tables to be solved, and their answers.

use bevy::prelude::Entity;
use crossbeam_channel::{Receiver, Sender};
use pursuit_engine::table::Solution;
use pursuit_engine::table_cache::{SolveFailure, TableKey, TableRequest, TableWork};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Words of positions that are solved before checking whether the table is still wanted: about a
/// millisecond.
pub(super) const WORKER_SLICE: usize = 1 << 16;

/// A table to be solved. It has to be [solved](Self::solve), [delivered](Self::deliver) or
/// [failed](Self::fail). A dropped job counts as failed: the map continues without that table.
#[derive(Debug)]
pub struct TableJob {
    map: Entity,
    request: TableRequest,
    /// The number of threads that may solve it.
    threads: usize,
    is_wanted: Arc<AtomicBool>,
    /// Whether the solver has seen that the table is not wanted. If the game requests the same table again while the
    /// solver drops the job, the job has been cancelled and has not failed.
    is_cancelled: AtomicBool,
    answers: Sender<JobAnswer>,
    is_answered: bool,
}

/// The answer to a job.
#[derive(Debug)]
pub(crate) struct JobAnswer {
    pub map: Entity,
    pub key: TableKey,
    /// `None` if the job was cancelled.
    pub result: Option<Result<Solution, SolveFailure>>,
}

/// The jobs of a [`TableWorker`](super::TableWorker) whose tables the game solves [by
/// hand](super::TableWorker::by_hand). Cheap to clone; each job is handed out once.
#[derive(Debug, Clone)]
pub struct TableJobs(pub(super) Receiver<TableJob>);

impl TableJobs {
    /// The next job, if there is one. It is more urgent than the jobs before it.
    #[must_use]
    pub fn next(&self) -> Option<TableJob> {
        self.0.try_recv().ok()
    }

    /// Waits for the next job; `None` when the app has ended.
    #[must_use]
    pub fn wait(&self) -> Option<TableJob> {
        self.0.recv().ok()
    }
}

impl TableJob {
    pub(super) const fn new(
        map: Entity,
        request: TableRequest,
        threads: usize,
        is_wanted: Arc<AtomicBool>,
        answers: Sender<JobAnswer>,
    ) -> Self {
        Self {
            map,
            request,
            threads,
            is_wanted,
            is_cancelled: AtomicBool::new(false),
            answers,
            is_answered: false,
        }
    }

    /// The entity of the map.
    #[must_use]
    pub const fn map(&self) -> Entity {
        self.map
    }

    /// The table to be solved.
    #[must_use]
    pub const fn request(&self) -> &TableRequest {
        &self.request
    }

    pub(super) const fn threads(&self) -> usize {
        self.threads
    }

    /// Returns whether the table is wanted at this moment. Check it now and then, and drop a job that is not
    /// wanted.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        let is_wanted = self.is_wanted.load(Ordering::Relaxed);
        if !is_wanted {
            self.is_cancelled.store(true, Ordering::Relaxed);
        }
        is_wanted
    }

    /// Solves it on this thread, while it is wanted.
    pub fn solve(self) {
        match TableWork::new(self.request.clone()) {
            Err(error) => self.fail(error.into()),
            Ok(mut work) => {
                work.run(WORKER_SLICE, |_| self.is_wanted());
                if let Some(error) = work.error() {
                    self.fail(error.into());
                } else if let Some((_, solution)) = work.finish() {
                    self.deliver(solution);
                }
            }
        }
    }

    /// Delivers the solved table. It comes into use in one of the next ticks, or when its tick has
    /// come.
    pub fn deliver(mut self, solution: Solution) {
        self.answer(Some(Ok(solution)));
    }

    /// Reports that the table cannot be solved. A message says so, and the table is not requested again
    /// until the settings change.
    pub fn fail(mut self, why: SolveFailure) {
        self.answer(Some(Err(why)));
    }

    fn answer(&mut self, result: Option<Result<Solution, SolveFailure>>) {
        self.is_answered = true;
        // The app may have ended meanwhile.
        let _ = self.answers.send(JobAnswer {
            map: self.map,
            key: self.request.key,
            result,
        });
    }
}

impl Drop for TableJob {
    fn drop(&mut self) {
        if self.is_answered {
            return;
        }
        let result = if std::thread::panicking() {
            Some(Err(SolveFailure::Panicked))
        } else {
            let is_failed = self.is_wanted() && !self.is_cancelled.load(Ordering::Relaxed);
            is_failed.then_some(Err(SolveFailure::GivenUp))
        };
        self.answer(result);
    }
}
