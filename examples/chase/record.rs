//! Records trails, captures and times.

use bevy::prelude::*;
use bevy_pursuit::TurnClock;
use bevy_pursuit::debug::{Decisions, PursuitDiagnostics, Source};
use bevy_pursuit::prelude::*;
use std::time::Duration;

/// The trail of an agent: the tiles it has been on, and at the end the tiles of its current path.
#[derive(Component, Debug, Default)]
pub struct Trail(pub Vec<IVec2>);

/// A capture.
#[derive(Debug, Clone)]
pub struct Capture {
    pub turn: u64,
    pub cop: String,
}

/// The record since the start.
#[derive(Resource, Debug, Clone, Default)]
pub struct Record {
    pub captures: Vec<Capture>,
    /// The plugin's time in each tick.
    pub ticks: Vec<Duration>,
    /// The plugin's time in each tick in which a turn began.
    pub turns: Vec<Duration>,
    /// The largest number of expansions spent by a tick of this turn.
    pub spent: u64,
    pub decisions: DecidedHow,
}

/// The number of decisions by source.
#[derive(Debug, Clone, Copy, Default)]
pub struct DecidedHow {
    by: Decisions,
    /// Plans that edits invalidated.
    pub dropped: u64,
}

impl std::fmt::Display for DecidedHow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let by = |source| self.by.by(source);
        write!(
            f,
            "by table {}, by proven endgame {}, by search {}, by old plans {}, looking around {}, \
             as a last resort {}, by mistake {}; dropped plans {}",
            by(Source::MixedTable)
                + by(Source::Table)
                + by(Source::SubsetTable)
                + by(Source::Guide),
            by(Source::Endgame),
            by(Source::Search),
            by(Source::Stale),
            by(Source::LookAround),
            by(Source::Greedy),
            by(Source::Mistake),
            self.dropped
        )
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Record>()
        .register_required_components::<Cop, Trail>()
        .register_required_components::<Robber, Trail>()
        .add_observer(capture)
        .add_systems(FixedPostUpdate, record);
}

fn capture(captured: On<Captured>, names: Query<&Name>, mut record: ResMut<Record>) {
    record.captures.push(Capture {
        turn: captured.turn,
        cop: names
            .get(captured.cop)
            .map_or_else(|_| captured.cop.to_string(), ToString::to_string),
    });
}

fn record(
    clock: Single<&TurnClock>,
    diagnostics: Res<PursuitDiagnostics>,
    mut agents: Query<(&GridPosition, &NextStep, &mut Trail)>,
    mut record: ResMut<Record>,
) {
    let decisions = &mut record.decisions;
    decisions.by = diagnostics.total.decisions;
    decisions.dropped = diagnostics.total.dropped_plans;
    if clock.begins() {
        record.spent = 0;
    }
    record.spent = record.spent.max(diagnostics.tick.expansions);
    record.ticks.push(diagnostics.tick.time);
    if clock.begins() {
        record.turns.push(diagnostics.tick.time);
        for (position, step, mut trail) in &mut agents {
            for &tile in std::iter::once(&position.0).chain(&step.path) {
                if trail.0.last() != Some(&tile) {
                    trail.0.push(tile);
                }
            }
        }
    }
}
