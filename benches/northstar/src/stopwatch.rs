//! Apps in which each update is a tick, with the time that the schedule `Update` takes.

use bevy::app::MainScheduleOrder;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use std::time::{Duration, Instant};

/// Runs right before [`Update`].
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Start;

/// Runs right after [`Update`].
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Stop;

#[derive(Resource)]
struct Stopwatch {
    started: Instant,
    time: Duration,
}

/// An app without a window whose time advances by a 64th of a second in each update.
pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins)
        .insert_resource(TimeUpdateStrategy::ManualDuration(
            Duration::from_secs(1) / crate::referee::TICKS_PER_SECOND as u32,
        ))
        .insert_resource(Stopwatch {
            started: Instant::now(),
            time: Duration::ZERO,
        })
        .init_schedule(Start)
        .init_schedule(Stop)
        .add_systems(Start, |mut watch: ResMut<Stopwatch>| {
            watch.started = Instant::now();
        })
        .add_systems(Stop, |mut watch: ResMut<Stopwatch>| {
            watch.time = watch.started.elapsed();
        });
    let mut order = app.world_mut().resource_mut::<MainScheduleOrder>();
    order.insert_before(Update, Start);
    order.insert_after(Update, Stop);
    app
}

/// Runs a tick and returns the wall time of [`Update`].
pub fn tick(app: &mut App) -> Duration {
    app.update();
    app.world().resource::<Stopwatch>().time
}
