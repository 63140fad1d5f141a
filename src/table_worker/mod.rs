//! Solves tables beside the game: in a thread, in slices of ticks, or by the game itself.
//!
//! The life of a job:
//!
//! ```text
//!               take            first slice             last slice
//!   requested ───────▶ queued ──────────────▶ solving ─────────────▶ solved: Some(Ok)
//!                        │                     │   ▲
//!                        │       a more urgent │   │ that job ends
//!                        │        job is taken ▼   │
//!                        │                  interrupted
//!                        └──────────┬──────────┘
//!                                   ├─ no longer wanted ───────────▶ cancelled: None
//!                                   └─ error, panic or dropped ────▶ failed: Some(Err)
//! ```
//!
//! A job that is being solved can be cancelled and fail, too. The states on the right are answers. The
//! world of a cancelled table may request it again.

mod bench;
mod job;
mod thread;

pub use job::{TableJob, TableJobs};

use bench::Bench;
use bevy::prelude::*;
use crossbeam_channel::{Receiver, Sender};
use job::JobAnswer;
use pursuit_engine::table_cache::{TableKey, TableRequest, TableUrgency};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Words that a tick solves if there is no thread: about a tenth of a millisecond.
const TICK_SLICE: usize = 1 << 9;
/// The largest number of tables being solved at once: an urgent one, and the one that it has
/// interrupted. Each takes its own memory.
const MAX_JOBS: usize = 2;

/// Solves exact tables beside the game. The plugin adds one that uses a thread of low priority, or
/// slices of a tenth of a millisecond per tick where no thread is possible. Insert another one before
/// the plugin to change that.
///
/// One table is solved at a time: of all maps the one that is due first. A more urgent request
/// interrupts the current table. Tables that are no longer wanted are cancelled.
#[derive(Resource)]
pub struct TableWorker {
    executor: Executor,
    outbox: Sender<JobAnswer>,
    inbox: Receiver<JobAnswer>,
    /// The tables being solved; each interrupts those before it.
    taken: Vec<Taken>,
}

/// What solves the tables.
enum Executor {
    /// Nothing yet. The first job starts a thread.
    NotStarted,
    /// A thread, which ends when the app drops this end of the channel.
    Thread(Sender<TableJob>),
    Slices(Bench),
    ByHand(Sender<TableJob>),
}

/// A table that is being solved.
struct Taken {
    map: Entity,
    key: TableKey,
    is_wanted: Arc<AtomicBool>,
}

impl Default for TableWorker {
    fn default() -> Self {
        Self::with(Executor::NotStarted)
    }
}

impl TableWorker {
    /// Uses no thread: each tick solves for about a tenth of a millisecond, which counts in a budget of
    /// microseconds.
    #[must_use]
    pub fn in_slices() -> Self {
        Self::with(Executor::Slices(Bench::default()))
    }

    /// Leaves the solving to the game, which takes the jobs: for games with their own job system, and
    /// for tests.
    ///
    /// At most two jobs are handed out at a time. In [lockstep](pursuit_engine::table_cache::TableTiming::Lockstep) the
    /// plugin waits for their answers, so another thread has to work on them.
    #[must_use]
    pub fn by_hand() -> (Self, TableJobs) {
        let (sender, jobs) = crossbeam_channel::unbounded();
        (Self::with(Executor::ByHand(sender)), TableJobs(jobs))
    }

    fn with(executor: Executor) -> Self {
        let (outbox, inbox) = crossbeam_channel::unbounded();
        Self {
            executor,
            outbox,
            inbox,
            taken: Vec::new(),
        }
    }

    /// Works for about a tenth of a millisecond if there is no thread.
    pub(super) fn advance(&mut self) {
        if let Executor::Slices(bench) = &mut self.executor {
            bench.advance(TICK_SLICE);
        }
    }

    /// The next answer, if there is one.
    pub(super) fn answer(&mut self) -> Option<JobAnswer> {
        let answer = self.inbox.try_recv().ok();
        self.note(answer)
    }

    /// Waits for the next answer; `None` if nothing is being solved.
    pub(super) fn wait(&mut self) -> Option<JobAnswer> {
        while !self.taken.is_empty() {
            if let Executor::Slices(bench) = &mut self.executor {
                bench.advance(TICK_SLICE);
                if let Some(answer) = self.answer() {
                    return Some(answer);
                }
            } else {
                let answer = self.inbox.recv().ok();
                return self.note(answer);
            }
        }
        None
    }

    fn note(&mut self, answer: Option<JobAnswer>) -> Option<JobAnswer> {
        if let Some(answer) = &answer {
            let is_it = |job: &Taken| job.map == answer.map && job.key == answer.key;
            self.taken.retain(|job| !is_it(job));
        }
        answer
    }

    /// Marks the tables that are still wanted, which are those with an urgency. Returns the urgency of
    /// the current table.
    pub(super) fn mark_wanted(
        &self,
        urgency: impl Fn(Entity, &TableKey) -> Option<TableUrgency>,
    ) -> Option<TableUrgency> {
        let mut last = None;
        for job in &self.taken {
            let urgency = urgency(job.map, &job.key);
            job.is_wanted.store(urgency.is_some(), Ordering::Relaxed);
            last = urgency;
        }
        last
    }

    /// Returns whether a table is being solved.
    pub(super) fn is_busy(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Returns whether another table can be started, if it is urgent enough.
    pub(super) fn has_room(&self) -> bool {
        self.taken.len() < MAX_JOBS
    }

    /// Returns whether this table is being solved.
    pub(super) fn is_solving(&self, map: Entity, key: &TableKey) -> bool {
        let mut jobs = self.taken.iter();
        jobs.any(|job| job.map == map && job.key == *key)
    }

    /// Starts another table, before those that are being solved.
    pub(super) fn take(&mut self, map: Entity, request: TableRequest, threads: usize) {
        let is_wanted = Arc::new(AtomicBool::new(true));
        self.taken.push(Taken {
            map,
            key: request.key,
            is_wanted: Arc::clone(&is_wanted),
        });
        let job = TableJob::new(map, request, threads, is_wanted, self.outbox.clone());
        self.send(job);
    }

    fn send(&mut self, job: TableJob) {
        let job = match &mut self.executor {
            Executor::Slices(bench) => return bench.push(job),
            // A job that is never received is dropped, which answers it.
            Executor::ByHand(jobs) => return drop(jobs.send(job)),
            Executor::Thread(jobs) => match jobs.send(job) {
                Ok(()) => return,
                // The thread has ended. Start another one.
                Err(error) => error.0,
            },
            Executor::NotStarted => job,
        };
        let (sender, jobs) = crossbeam_channel::unbounded();
        if thread::spawn(jobs) {
            let _ = sender.send(job);
            self.executor = Executor::Thread(sender);
        } else {
            let mut bench = Bench::default();
            bench.push(job);
            self.executor = Executor::Slices(bench);
        }
    }
}
