//! What happened: trails, captures and times.

use bevy::prelude::*;
use bevy_pursuit::plugin::PursuitDiagnostics;
use bevy_pursuit::prelude::*;
use std::time::Duration;

/// The trail of an agent: the tiles it has been on, and at the end those it goes to in this turn.
#[derive(Component, Debug, Default)]
pub struct Trail(pub Vec<UVec2>);

/// A capture that has happened.
#[derive(Debug, Clone)]
pub struct Capture {
    pub turn: u64,
    pub cop: String,
}

/// What happened since the start.
#[derive(Resource, Debug, Default)]
pub struct Record {
    pub captures: Vec<Capture>,
    /// The plugin's time in every tick.
    pub ticks: Vec<Duration>,
    /// The plugin's time in ticks in which a turn began.
    pub turns: Vec<Duration>,
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
    record.ticks.push(diagnostics.tick_time);
    if clock.begins() {
        record.turns.push(diagnostics.tick_time);
        for (position, step, mut trail) in &mut agents {
            for &tile in std::iter::once(&position.0).chain(&step.way) {
                if trail.0.last() != Some(&tile) {
                    trail.0.push(tile);
                }
            }
        }
    }
}
