//! Diagnostics: the work and the time of the plugin, per tick, per frame and in total.

use crate::stopwatch::Stopwatch;
use crate::work_timer::{WorkTime, WorkTimer};
use bevy::diagnostic::{Diagnostic, DiagnosticPath, Diagnostics, RegisterDiagnostic as _};
use bevy::ecs::message::MessageUpdateSystems;
use bevy::prelude::*;
use pursuit_engine::policy::Source;
use pursuit_engine::world::{Decisions, TickReport};
use std::time::Duration;

/// The work of the plugin on all maps together: in the last tick, in all ticks of this frame, and since
/// the app began. It only observes: no decision depends on it, except through a budget in microseconds.
///
/// Read [`frame`](Self::frame) in [`Update`]: a frame may contain several ticks, or none. Bevy's
/// diagnostics get one measurement per tick, or per frame where the path says so.
#[derive(Resource, Reflect, Debug, Clone, Default)]
#[reflect(Resource, Default)]
pub struct PursuitDiagnostics {
    /// The last tick.
    pub tick: PursuitFigures,
    /// All ticks since the frame began, and the plugin's work between them.
    pub frame: PursuitFigures,
    /// Everything since the app began.
    pub total: PursuitFigures,
    /// Work since the last tick or since this frame began, and the same of the previous frame. Both are charged to the
    /// next tick. Work of earlier frames is not: each of them had time for its own.
    #[reflect(ignore)]
    owed: [Duration; 2],
    #[reflect(ignore)]
    is_in_tick: bool,
}

/// Figures of one or more ticks.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq)]
#[reflect(Default, PartialEq)]
pub struct PursuitFigures {
    /// The number of ticks.
    pub ticks: u64,
    /// The total time of the plugin's systems: reading tiles, joining, arriving, deciding, planning,
    /// controls, clocks. For a frame and the total it includes work between ticks: restoring agents,
    /// [`Glide`](super::Glide). Gizmos are excluded.
    pub time: Duration,
    /// The time of the slowest tick; work between ticks does not count.
    pub slowest_tick: Duration,
    /// The work that counts against the budget, in expansions.
    pub expansions: u64,
    /// The part of `expansions` that repaired abstractions after edits.
    pub repairs: u64,
    /// The largest number of edits, at the end of a tick, that were not yet worked into the
    /// abstractions.
    pub pending_edits: usize,
    /// Plans finished.
    pub plans: u64,
    /// Plans that edits invalidated.
    pub dropped_plans: u64,
    /// The largest number of agents or teams that wanted a plan in a tick and got none.
    pub waiting: u32,
    /// Decisions for all agents that the plugin moves, by source.
    pub decisions: Decisions,
    /// The age of the oldest plan that was followed, in ticks.
    pub oldest_plan: u32,
}

impl PursuitFigures {
    /// Adds a later tick, or several.
    fn add(&mut self, more: &Self) {
        self.ticks += more.ticks;
        self.time += more.time;
        self.slowest_tick = self.slowest_tick.max(more.slowest_tick);
        self.expansions += more.expansions;
        self.repairs += more.repairs;
        self.pending_edits = self.pending_edits.max(more.pending_edits);
        self.plans += more.plans;
        self.dropped_plans += more.dropped_plans;
        self.waiting = self.waiting.max(more.waiting);
        self.decisions += more.decisions;
        self.oldest_plan = self.oldest_plan.max(more.oldest_plan);
    }

    /// Adds another map of the same tick.
    fn add_map(&mut self, report: &TickReport) {
        self.expansions += report.spent;
        self.repairs += report.repairs;
        self.pending_edits += report.pending_edits;
        self.plans += u64::from(report.plans);
        self.dropped_plans += u64::from(report.dropped);
        self.waiting += report.waiting;
        self.decisions += report.decisions;
        self.oldest_plan = self.oldest_plan.max(report.oldest);
    }
}

impl PursuitDiagnostics {
    /// Milliseconds per tick.
    pub const TICK_TIME: DiagnosticPath = DiagnosticPath::const_new("pursuit/tick_time");
    /// Milliseconds per frame, for all its ticks and the work between them. Once per frame.
    pub const FRAME_TIME: DiagnosticPath = DiagnosticPath::const_new("pursuit/frame_time");
    /// Ticks per frame. Once per frame.
    pub const FRAME_TICKS: DiagnosticPath = DiagnosticPath::const_new("pursuit/frame_ticks");
    /// Expansions per tick.
    pub const EXPANSIONS: DiagnosticPath = DiagnosticPath::const_new("pursuit/expansions");
    /// Plans finished per tick.
    pub const PLANS: DiagnosticPath = DiagnosticPath::const_new("pursuit/plans");
    /// Plans that edits invalidated, per tick.
    pub const DROPPED_PLANS: DiagnosticPath = DiagnosticPath::const_new("pursuit/dropped_plans");
    /// Edits that are not yet worked into the abstractions at the end of a tick.
    pub const PENDING_EDITS: DiagnosticPath = DiagnosticPath::const_new("pursuit/pending_edits");
    /// Agents or teams that wanted a plan in a tick and got none.
    pub const WAITING: DiagnosticPath = DiagnosticPath::const_new("pursuit/waiting");
    /// The age of the oldest plan that was followed in a tick, in ticks.
    pub const OLDEST_PLAN: DiagnosticPath = DiagnosticPath::const_new("pursuit/oldest_plan");

    /// The share of a source in the decisions of a tick, from 0 to 1. Measured in ticks with a
    /// decision.
    #[must_use]
    pub const fn share(source: Source) -> DiagnosticPath {
        DiagnosticPath::const_new(match source {
            Source::MixedTable => "pursuit/mixed_table",
            Source::Table => "pursuit/table",
            Source::SubsetTable => "pursuit/subset_table",
            Source::Endgame => "pursuit/endgame",
            Source::Guide => "pursuit/guide",
            Source::Search => "pursuit/search",
            Source::Stale => "pursuit/stale",
            Source::LookAround => "pursuit/look_around",
            Source::Greedy => "pursuit/greedy",
            Source::Mistake => "pursuit/mistake",
            _ => "pursuit/other",
        })
    }

    /// Adds the time that systems have taken since it was last collected: to the tick, or between two ticks to the next one.
    pub(super) fn collect(&mut self, timer: &WorkTimer) {
        let taken = timer.take();
        if self.is_in_tick {
            self.tick.time += taken;
        } else {
            self.owed[0] += taken;
            self.frame.time += taken;
            self.total.time += taken;
        }
    }

    /// The time of this tick so far, including work since the previous tick, at most that of about a frame.
    pub(super) fn used(&self) -> Duration {
        let [now, before] = self.owed;
        self.tick.time + now + before
    }

    /// The time of this frame so far.
    pub(super) fn used_in_frame(&self) -> Duration {
        self.frame.time + self.tick.time
    }

    /// Adds the work of a map.
    pub(super) fn add(&mut self, report: &TickReport) {
        self.tick.add_map(report);
    }
}

pub(super) fn build(app: &mut App) {
    app.init_resource::<PursuitDiagnostics>()
        .init_resource::<Stopwatch>()
        .init_resource::<WorkTime>()
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::TICK_TIME).with_suffix("ms"))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::FRAME_TIME).with_suffix("ms"))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::FRAME_TICKS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::EXPANSIONS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::PLANS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::DROPPED_PLANS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::PENDING_EDITS))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::WAITING))
        .register_diagnostic(Diagnostic::new(PursuitDiagnostics::OLDEST_PLAN))
        .add_systems(First, begin_frame.after(MessageUpdateSystems))
        .add_systems(Last, measure_frame);
    for source in Source::ALL {
        app.register_diagnostic(Diagnostic::new(PursuitDiagnostics::share(source)));
    }
}

/// Runs before all other systems of the plugin in a frame.
pub(super) fn begin_frame(mut diagnostics: ResMut<PursuitDiagnostics>, timer: WorkTimer) {
    diagnostics.collect(&timer);
    diagnostics.frame = PursuitFigures::default();
    diagnostics.owed = [Duration::ZERO, diagnostics.owed[0]];
}

/// The first system of a tick.
pub(super) fn begin_tick(mut diagnostics: ResMut<PursuitDiagnostics>, timer: WorkTimer) {
    diagnostics.collect(&timer);
    diagnostics.is_in_tick = true;
    diagnostics.tick = PursuitFigures {
        ticks: 1,
        ..PursuitFigures::default()
    };
}

/// The last system of a tick.
pub(super) fn end_tick(
    mut ours: ResMut<PursuitDiagnostics>,
    timer: WorkTimer,
    mut theirs: Diagnostics,
) {
    let ours = &mut *ours;
    ours.collect(&timer);
    ours.is_in_tick = false;
    ours.owed = [Duration::ZERO; 2];
    ours.tick.slowest_tick = ours.tick.time;
    let tick = ours.tick;
    ours.frame.add(&tick);
    ours.total.add(&tick);
    theirs.add_measurement(&PursuitDiagnostics::TICK_TIME, || {
        tick.time.as_secs_f64() * 1e3
    });
    for (path, figure) in [
        (PursuitDiagnostics::EXPANSIONS, tick.expansions),
        (PursuitDiagnostics::PLANS, tick.plans),
        (PursuitDiagnostics::DROPPED_PLANS, tick.dropped_plans),
        (PursuitDiagnostics::PENDING_EDITS, tick.pending_edits as u64),
        (PursuitDiagnostics::WAITING, tick.waiting.into()),
    ] {
        theirs.add_measurement(&path, || figure as f64);
    }
    if tick.decisions.all() > 0 {
        for source in Source::ALL {
            theirs.add_measurement(&PursuitDiagnostics::share(source), || {
                tick.decisions.share(source)
            });
        }
        theirs.add_measurement(&PursuitDiagnostics::OLDEST_PLAN, || tick.oldest_plan.into());
    }
}

/// Runs after all ticks of a frame.
fn measure_frame(mut ours: ResMut<PursuitDiagnostics>, timer: WorkTimer, mut theirs: Diagnostics) {
    ours.collect(&timer);
    theirs.add_measurement(&PursuitDiagnostics::FRAME_TIME, || {
        ours.frame.time.as_secs_f64() * 1e3
    });
    theirs.add_measurement(&PursuitDiagnostics::FRAME_TICKS, || ours.frame.ticks as f64);
}
