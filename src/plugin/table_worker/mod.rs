//! Whoever solves tables beside the game: a thread, slices of ticks, or the game itself.

mod bench;
mod job;
mod thread;

pub use job::{TableJob, TableJobs};

use crate::table_cache::{TableKey, TableRequest, TableUrgency};
use bench::Bench;
use bevy::prelude::*;
use crossbeam_channel::{Receiver, Sender};
use job::Answer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Words that a tick solves where there is no thread: about a tenth of a millisecond.
const TICK_SLICE: usize = 1 << 9;
/// So many tables are being solved at once at most: one that is urgent, and the one that it has
/// interrupted. Each takes memory of its own.
const MOST_JOBS: usize = 2;

/// Solves exact tables beside the game. The plugin adds one that uses a thread of low priority, and slices
/// of a tenth of a millisecond a tick where there can be no thread. Insert another one before the plugin
/// for something else.
///
/// One table is solved at a time: of all maps the one that is due first. Where somebody needs another one
/// sooner, the first is interrupted. Tables that nobody wants any more are cancelled.
#[derive(Resource)]
pub struct TableWorker {
    place: Place,
    outbox: Sender<Answer>,
    inbox: Receiver<Answer>,
    /// What is being solved, the last interrupting those before.
    taken: Vec<Taken>,
}

/// Where tables are solved.
enum Place {
    /// In a thread as soon as there is something to solve.
    Nowhere,
    /// The thread ends when the app drops this end of the channel.
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
        Self::at(Place::Nowhere)
    }
}

impl TableWorker {
    /// Uses no thread: each tick solves for about a tenth of a millisecond, which counts in a budget of
    /// microseconds.
    #[must_use]
    pub fn in_slices() -> Self {
        Self::at(Place::Slices(Bench::default()))
    }

    /// Leaves the solving to the game, which takes the jobs: for games with a job system of their own, and
    /// for tests.
    ///
    /// At most two jobs are given out at a time. In
    /// [lockstep](super::TableTiming::Lockstep) the plugin waits for their answers, so that somebody has to
    /// work on them on another thread.
    #[must_use]
    pub fn by_hand() -> (Self, TableJobs) {
        let (sender, jobs) = crossbeam_channel::unbounded();
        (Self::at(Place::ByHand(sender)), TableJobs(jobs))
    }

    fn at(place: Place) -> Self {
        let (outbox, inbox) = crossbeam_channel::unbounded();
        Self {
            place,
            outbox,
            inbox,
            taken: Vec::new(),
        }
    }

    /// Works for about a tenth of a millisecond where there is no thread.
    pub(super) fn advance(&mut self) {
        if let Place::Slices(bench) = &mut self.place {
            bench.advance(TICK_SLICE);
        }
    }

    /// What has been answered, if anything.
    pub(super) fn answer(&mut self) -> Option<Answer> {
        let answer = self.inbox.try_recv().ok();
        self.note(answer)
    }

    /// The next answer, however long that takes; `None` if there is nothing to wait for.
    pub(super) fn wait(&mut self) -> Option<Answer> {
        while !self.taken.is_empty() {
            if let Place::Slices(bench) = &mut self.place {
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

    fn note(&mut self, answer: Option<Answer>) -> Option<Answer> {
        if let Some(answer) = &answer {
            let is_it = |job: &Taken| job.map == answer.map && job.key == answer.key;
            self.taken.retain(|job| !is_it(job));
        }
        answer
    }

    /// Tells the solver which tables are still wanted: those that have an urgency. That of the table that
    /// is worked on at the moment.
    pub(super) fn review(
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

    /// Is something being solved?
    pub(super) fn is_busy(&self) -> bool {
        !self.taken.is_empty()
    }

    /// Can another table be solved, if it is urgent enough?
    pub(super) fn has_room(&self) -> bool {
        self.taken.len() < MOST_JOBS
    }

    /// Is this table being solved?
    pub(super) fn is_at(&self, map: Entity, key: &TableKey) -> bool {
        let mut jobs = self.taken.iter();
        jobs.any(|job| job.map == map && job.key == *key)
    }

    /// Solves another table, before those that are being solved.
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
        let job = match &mut self.place {
            Place::Slices(bench) => return bench.push(job),
            // A job that nobody takes says so itself.
            Place::ByHand(jobs) => return drop(jobs.send(job)),
            Place::Thread(jobs) => match jobs.send(job) {
                Ok(()) => return,
                // The thread is gone. Another one goes on.
                Err(error) => error.0,
            },
            Place::Nowhere => job,
        };
        let (sender, jobs) = crossbeam_channel::unbounded();
        if thread::spawn(jobs) {
            let _ = sender.send(job);
            self.place = Place::Thread(sender);
        } else {
            let mut bench = Bench::default();
            bench.push(job);
            self.place = Place::Slices(bench);
        }
    }
}
