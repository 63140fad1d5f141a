use bevy::platform::time::Instant;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Where the plugin takes the time from, for budgets in microseconds and for its figures: the clock of
/// the machine, or one that a test turns.
#[derive(Clone)]
pub struct Stopwatch(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Default for Stopwatch {
    /// The clock of the machine.
    fn default() -> Self {
        let started = Instant::now();
        Self::new(move || started.elapsed())
    }
}

impl Stopwatch {
    /// A clock that says what a function says: the time since any moment, never less than before.
    ///
    /// With a budget in microseconds the function is asked every 128 expansions.
    #[must_use]
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time.
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
