//! The timer of the plugin's work. Any number of systems can add their time at once.

use crate::stopwatch::Stopwatch;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The time that systems have taken since it was last collected.
#[derive(Resource, Debug, Default)]
pub(super) struct WorkTime(AtomicU64);

impl WorkTime {
    fn add(&self, taken: Duration) {
        let nanoseconds = u64::try_from(taken.as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(nanoseconds, Relaxed);
    }

    fn read(&self) -> Duration {
        Duration::from_nanos(self.0.load(Relaxed))
    }

    fn take(&self) -> Duration {
        Duration::from_nanos(self.0.swap(0, Relaxed))
    }
}

/// Times the work of a system.
#[derive(SystemParam, Debug)]
pub(super) struct WorkTimer<'w> {
    time: Res<'w, WorkTime>,
    stopwatch: Res<'w, Stopwatch>,
}

impl WorkTimer<'_> {
    /// Runs a piece of work and adds its time to that of the plugin.
    pub(super) fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let started = self.started();
        let result = work();
        self.finished(started);
        result
    }

    /// Starts timing work that ends with [`finished`](Self::finished) in the same system.
    pub(super) fn started(&self) -> Duration {
        self.stopwatch.now()
    }

    pub(super) fn finished(&self, started: Duration) {
        self.time.add(self.stopwatch.now().saturating_sub(started));
    }

    /// The time that no report contains yet.
    pub(super) fn pending(&self) -> Duration {
        self.time.read()
    }

    /// Takes the time that no report contains yet.
    pub(super) fn take(&self) -> Duration {
        self.time.take()
    }

    pub(super) fn stopwatch(&self) -> &Stopwatch {
        &self.stopwatch
    }
}
