//! The stopwatch: the source of time for budgets and diagnostics.

use bevy::platform::time::Instant;
use bevy::prelude::Resource;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The source of time for budgets in microseconds and for diagnostics: the clock of the machine, or one
/// that a test controls: a resource, which the game may replace.
#[derive(Resource, Clone)]
pub struct Stopwatch(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Default for Stopwatch {
    /// The clock of the machine.
    fn default() -> Self {
        let started = Instant::now();
        Self::new(move || started.elapsed())
    }
}

impl Stopwatch {
    /// A clock that returns the value of a function: the time since any fixed moment, never decreasing.
    ///
    /// With a budget in microseconds the function is called every 128 expansions.
    #[must_use]
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The current time.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for Stopwatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stopwatch").field(&self.now()).finish()
    }
}
