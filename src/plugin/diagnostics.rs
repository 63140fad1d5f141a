use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// What the plugin has done. It only observes: no decision depends on it.
#[derive(Resource, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Resource, Default, PartialEq)]
pub struct PursuitDiagnostics {
    /// The time spent in the last run of the plugin's schedule: reading tiles, arriving, capturing,
    /// deciding. Drawing and smooth movement are not in it.
    pub tick_time: Duration,
    /// Decisions made in the last run, for all agents that the plugin moves.
    pub decisions: u32,
    /// Runs of the schedule so far.
    pub ticks: u64,
}

impl PursuitDiagnostics {
    /// Runs a piece of a tick and adds its time.
    pub(super) fn time<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let started = Instant::now();
        let result = work(self);
        self.tick_time += started.elapsed();
        result
    }
}

/// The first system of a run.
pub(super) fn begin_tick(mut diagnostics: ResMut<PursuitDiagnostics>) {
    diagnostics.tick_time = Duration::ZERO;
    diagnostics.decisions = 0;
    diagnostics.ticks += 1;
}
