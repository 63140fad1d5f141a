//! The bench: solves jobs in slices, on whichever thread calls it.

use super::job::TableJob;
use pursuit_engine::table::{Solution, SolveError};
use pursuit_engine::table_cache::{SolveFailure, TableRequest, TableWork};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Jobs that are solved in slices: the last one until it is done, then the one before.
pub(super) struct Bench {
    jobs: Vec<(TableJob, Option<Box<dyn Work>>)>,
    /// Starts the work on a table.
    begin: fn(TableRequest) -> Result<Box<dyn Work>, SolveError>,
}

/// A table that is being solved.
pub(super) trait Work: Send + Sync {
    /// Continues until about this number of words has been examined. Returns whether the table is done.
    ///
    /// # Errors
    /// If it cannot be solved.
    fn advance(&mut self, words: usize) -> Result<bool, SolveError>;

    /// The result, once it is done.
    fn finish(self: Box<Self>) -> Option<Solution>;
}

impl Work for TableWork {
    fn advance(&mut self, words: usize) -> Result<bool, SolveError> {
        let progress = Self::advance(self, words);
        self.error().map_or(Ok(progress.done), Err)
    }

    fn finish(self: Box<Self>) -> Option<Solution> {
        Some(Self::finish(*self)?.1)
    }
}

impl Default for Bench {
    fn default() -> Self {
        Self {
            jobs: Vec::new(),
            begin: |request| Ok(Box::new(TableWork::new(request)?)),
        }
    }
}

impl Bench {
    pub(super) fn push(&mut self, job: TableJob) {
        self.jobs.push((job, None));
    }

    /// The number of threads that may work on the last job; `None` without a job.
    pub(super) fn threads(&self) -> Option<usize> {
        self.jobs.last().map(|(job, _)| job.threads())
    }

    /// Works on the last job until about this number of words of positions has been examined, and sends
    /// the result if it is done. A panic ends only the job.
    pub(super) fn advance(&mut self, words: usize) {
        let Some((job, mut work)) = self.jobs.pop() else {
            return;
        };
        if !job.is_wanted() {
            return;
        }
        let begin = self.begin;
        let step = catch_unwind(AssertUnwindSafe(|| {
            let mut work = match work.take() {
                Some(work) => work,
                None => begin(job.request().clone())?,
            };
            let is_done = work.advance(words)?;
            Ok::<_, SolveError>((work, is_done))
        }));
        match step {
            Ok(Ok((work, false))) => self.jobs.push((job, Some(work))),
            Ok(Ok((work, true))) => {
                if let Some(solution) = work.finish() {
                    job.deliver(solution);
                }
            }
            Ok(Err(error)) => job.fail(error.into()),
            Err(_) => job.fail(SolveFailure::Panicked),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table_worker::job::JobAnswer;
    use bevy::prelude::Entity;
    use crossbeam_channel::{Receiver, Sender};
    use pursuit_engine::game::Rules;
    use pursuit_engine::graph::Graph;
    use pursuit_engine::map::{Moves, Terrain, TileMap};
    use pursuit_engine::table::Arena;
    use pursuit_engine::table_cache::TableKey;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A job for a square room of this side, and its flag.
    fn job(side: u16, answers: &Sender<JobAnswer>) -> (TableJob, Arc<AtomicBool>) {
        let map = TileMap::filled(side, side, Terrain::Floor).expect("some cells");
        let graph = Graph::new(&map, Moves::Octile);
        let request = TableRequest {
            key: TableKey::new(&graph, Rules::default()),
            arena: Arena::of_map(&graph).into(),
            limit: 1 << 30,
        };
        let is_wanted = Arc::new(AtomicBool::new(true));
        let flag = Arc::clone(&is_wanted);
        let map = Entity::PLACEHOLDER;
        let job = TableJob::new(map, request, 1, is_wanted, answers.clone());
        (job, flag)
    }

    fn next(answers: &Receiver<JobAnswer>) -> JobAnswer {
        answers.try_recv().expect("an answer")
    }

    #[test]
    fn the_last_job_comes_first_and_those_nobody_wants_are_cancelled() {
        let (outbox, answers) = crossbeam_channel::unbounded();
        let mut bench = Bench::default();
        let ((large, _), (small, _)) = (job(12, &outbox), job(4, &outbox));
        let keys = [small.request().key, large.request().key];
        bench.push(large);
        (0..3).for_each(|_| bench.advance(1));
        bench.push(small);
        while bench.threads().is_some() {
            bench.advance(100);
        }
        for key in keys {
            let answer = next(&answers);
            assert_eq!(answer.key, key);
            assert!(matches!(answer.result, Some(Ok(_))));
        }
        let (job, is_wanted) = job(12, &outbox);
        bench.push(job);
        bench.advance(1);
        is_wanted.store(false, Ordering::Relaxed);
        bench.advance(1);
        assert!(next(&answers).result.is_none(), "cancelled");
        assert_eq!(bench.threads(), None);
    }

    /// A game that is rolled back drops a request and makes it again a few ticks later.
    #[test]
    fn a_cancelled_job_whose_table_is_wanted_again_has_not_failed() {
        let (outbox, answers) = crossbeam_channel::unbounded();
        let (job, is_wanted) = job(4, &outbox);
        is_wanted.store(false, Ordering::Relaxed);
        assert!(!job.is_wanted());
        is_wanted.store(true, Ordering::Relaxed);
        drop(job);
        assert!(next(&answers).result.is_none(), "cancelled");
    }

    /// Panics when half of it is done.
    struct Panics(u32);

    impl Work for Panics {
        fn advance(&mut self, _: usize) -> Result<bool, SolveError> {
            self.0 += 1;
            assert!(self.0 < 2, "what the test is about");
            Ok(false)
        }

        fn finish(self: Box<Self>) -> Option<Solution> {
            None
        }
    }

    #[test]
    fn a_panic_ends_the_job_and_nothing_else() {
        let (outbox, answers) = crossbeam_channel::unbounded();
        let mut bench = Bench::default();
        bench.push(job(4, &outbox).0);
        bench.begin = |_| Ok(Box::new(Panics(0)));
        bench.push(job(5, &outbox).0);
        bench.advance(1);
        assert!(answers.try_recv().is_err(), "not yet");
        bench.advance(1);
        let result = next(&answers).result;
        assert!(matches!(result, Some(Err(SolveFailure::Panicked))));
        bench.begin = Bench::default().begin;
        while bench.threads().is_some() {
            bench.advance(100);
        }
        assert!(matches!(next(&answers).result, Some(Ok(_))), "the other");
    }
}
