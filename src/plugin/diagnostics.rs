use crate::world::TickReport;
use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic as _};
use bevy::platform::time::Instant;
use bevy::prelude::*;
use std::time::Duration;

/// What the plugin has done in the last run of its schedule, for all maps together. It only observes: no
/// decision depends on it, but for a budget in microseconds.
///
/// The same is registered with Bevy's diagnostics under the paths here, for its overlay.
#[derive(Resource, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Resource, Default, PartialEq)]
pub struct PursuitDiagnostics {
    /// The time spent: reading tiles, arriving, capturing, deciding, planning. Drawing and smooth
    /// movement are not in it.
    pub tick_time: Duration,
    /// The part of the budget that was used, in expansions.
    pub expansions: u64,
    /// The part of it that repaired abstractions after edits.
    pub repairs: u64,
    /// Edits that abstractions are behind.
    pub pending_edits: usize,
    /// Plans finished.
    pub plans: u32,
    /// Plans that edits have touched.
    pub dropped_plans: u32,
    /// Agents or teams that would have liked a plan and got none.
    pub waiting: u32,
    /// Decisions made, for all agents that the plugin moves.
    pub decisions: u32,
    /// Those of them by a table.
    pub table_hits: u32,
    /// Those by an old plan of which the map has changed something.
    pub stale: u32,
    /// Those for want of anything better.
    pub greedy: u32,
    /// The age of the oldest plan that was followed, in ticks.
    pub oldest_plan: u32,
    /// Runs of the schedule so far.
    pub ticks: u64,
}

impl PursuitDiagnostics {
    /// Milliseconds of a tick.
    pub const TICK_TIME: DiagnosticPath = DiagnosticPath::const_new("pursuit/tick_time");
    /// Expansions of a tick.
    pub const EXPANSIONS: DiagnosticPath = DiagnosticPath::const_new("pursuit/expansions");
    /// Plans finished in a tick.
    pub const PLANS: DiagnosticPath = DiagnosticPath::const_new("pursuit/plans");
    /// Plans that edits have touched in a tick.
    pub const DROPPED_PLANS: DiagnosticPath = DiagnosticPath::const_new("pursuit/dropped_plans");
    /// Decisions by a table, of 1, of those made in a tick.
    pub const TABLE_HITS: DiagnosticPath = DiagnosticPath::const_new("pursuit/table_hits");
    /// The age of the oldest plan that was followed in a tick, in ticks.
    pub const OLDEST_PLAN: DiagnosticPath = DiagnosticPath::const_new("pursuit/oldest_plan");

    /// Runs a piece of a tick and adds its time.
    pub(super) fn time<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let started = Instant::now();
        let result = work(self);
        self.tick_time += started.elapsed();
        result
    }

    /// Adds what a map has taken.
    pub(super) fn add(&mut self, report: &TickReport) {
        self.expansions += report.spent;
        self.repairs += report.repairs;
        self.pending_edits += report.pending_edits;
        self.plans += report.plans;
        self.dropped_plans += report.dropped;
        self.waiting += report.waiting;
        self.decisions += report.decisions;
        self.table_hits += report.by_table;
        self.stale += report.stale;
        self.greedy += report.greedy;
        self.oldest_plan = self.oldest_plan.max(report.oldest);
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<PursuitDiagnostics>()
        .register_type::<PursuitDiagnostics>()
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::TICK_TIME).with_suffix("ms"))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::EXPANSIONS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::PLANS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::DROPPED_PLANS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::TABLE_HITS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::OLDEST_PLAN));
}

/// The first system of a run.
pub(super) fn begin_tick(mut diagnostics: ResMut<PursuitDiagnostics>) {
    *diagnostics = PursuitDiagnostics {
        ticks: diagnostics.ticks + 1,
        ..PursuitDiagnostics::default()
    };
}

/// The last but one: what Bevy's diagnostics are told.
pub(super) fn measure(ours: Res<PursuitDiagnostics>, mut theirs: Diagnostics) {
    theirs.add_measurement(&PursuitDiagnostics::TICK_TIME, || {
        ours.tick_time.as_secs_f64() * 1e3
    });
    theirs.add_measurement(&PursuitDiagnostics::EXPANSIONS, || ours.expansions as f64);
    theirs.add_measurement(&PursuitDiagnostics::PLANS, || ours.plans.into());
    theirs.add_measurement(&PursuitDiagnostics::DROPPED_PLANS, || {
        ours.dropped_plans.into()
    });
    if ours.decisions > 0 {
        theirs.add_measurement(&PursuitDiagnostics::TABLE_HITS, || {
            f64::from(ours.table_hits) / f64::from(ours.decisions)
        });
        theirs.add_measurement(&PursuitDiagnostics::OLDEST_PLAN, || ours.oldest_plan.into());
    }
}
