//! Solving tables while the game runs: from the worlds to the worker and back.

use crate::live_map::LiveMap;
use crate::sets::PursuitSystems;
use crate::table_worker::TableWorker;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::intern::Interned;
use bevy::ecs::query::Allow;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use pursuit_engine::table::Solution;
use pursuit_engine::table_cache::{SolveFailure, TableKey, TickPace};
use pursuit_engine::world::PursuitSettings;
use pursuit_engine::world::PursuitWorld;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

/// The longest pause of a game that delays its tables. Games let `Time<Virtual>` make up for any pause
/// (`Duration::MAX`), and their tables must come nevertheless.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Adds the system that sets the pace of ticks, which differs on the fixed clock. It runs before edits and before
/// decisions, since both request tables, and agents join in between.
pub(super) fn build(app: &mut App, schedule: Interned<dyn ScheduleLabel>, is_fixed: bool) {
    let pace = || {
        if is_fixed {
            set_fixed_pace.into_configs()
        } else {
            set_default_pace.into_configs()
        }
    };
    let before_edits = pace()
        .in_set(PursuitSystems::Sync)
        .after(super::load::build_maps)
        .before(super::settings_file::take_settings)
        .before(super::live_map::begin_tick);
    let before_decisions = pace()
        .in_set(PursuitSystems::Decide)
        .after(super::members::CarryOver)
        .before(super::run::decide);
    app.add_systems(schedule, (before_edits, before_decisions));
}

/// Sets how fast ticks follow each other on the fixed clock, from its timestep and the speed of the
/// game. Solving may take that long for each map with a chase, since the maps share one worker.
///
/// Both values are inputs of the game, so that runs with equal inputs are equal. Measured times are
/// not.
fn set_fixed_pace(
    mut maps: Query<&mut LiveMap>,
    fixed: Option<Res<Time<Fixed>>>,
    time: Option<Res<Time<Virtual>>>,
) {
    let pace = fixed
        .zip(time)
        .map_or_else(TickPace::default, |(fixed, time)| {
            let in_a_second = time.relative_speed_f64() / fixed.timestep().as_secs_f64();
            TickPace {
                per_second: in_a_second.ceil().max(1.0) as u32,
                at_once: (in_a_second * time.max_delta().min(LONGEST_PAUSE).as_secs_f64()).ceil()
                    as u32,
            }
        });
    set_pace_of_all(&mut maps, pace);
}

/// The same in another schedule, whose pace is unknown.
fn set_default_pace(mut maps: Query<&mut LiveMap>) {
    set_pace_of_all(&mut maps, TickPace::default());
}

fn set_pace_of_all(maps: &mut Query<&mut LiveMap>, pace: TickPace) {
    let is_busy = |map: &&LiveMap| map.world().is_some_and(PursuitWorld::has_chase);
    let busy = maps.iter().filter(is_busy).count().max(1);
    let pace = TickPace {
        per_second: pace.per_second.saturating_mul(busy as u32),
        ..pace
    };
    for mut map in maps {
        if let Some(world) = map.bypass_change_detection().world_mut() {
            world.set_pace(pace);
        }
    }
}

/// Delivers solved tables to the worlds, right after the maps have changed. In lockstep it waits for
/// overdue tables. Without a thread the tables are solved here, so that the work counts in a budget of
/// microseconds.
pub(super) fn deliver_tables(
    mut maps: Query<(Entity, &mut LiveMap), Allow<Disabled>>,
    mut worker: ResMut<TableWorker>,
    settings: Res<PursuitSettings>,
    timer: WorkTimer,
) {
    timer.time(|| {
        worker.advance();
        while let Some(answer) = worker.answer() {
            deliver(&mut maps, answer.map, &answer.key, answer.result);
        }
        let is_overdue = |world: &PursuitWorld| world.overdue().is_some();
        while maps
            .iter()
            .any(|(_, map)| map.world().is_some_and(is_overdue))
        {
            // Tables of a game that was just loaded have not been requested yet.
            request(&mut maps, &mut worker, &settings);
            let Some(answer) = worker.wait() else {
                break;
            };
            deliver(&mut maps, answer.map, &answer.key, answer.result);
        }
    });
}

fn deliver(
    maps: &mut Query<(Entity, &mut LiveMap), Allow<Disabled>>,
    map: Entity,
    key: &TableKey,
    result: Option<Result<Solution, SolveFailure>>,
) {
    let Ok((_, mut map)) = maps.get_mut(map) else {
        return;
    };
    let Some(world) = map.bypass_change_detection().world_mut() else {
        return;
    };
    match result {
        Some(result) => world.deliver(key, result),
        // The table may be wanted again by now.
        None => world.give_back(key),
    }
}

/// Sends wanted tables to the worker after a tick, and cancels tables that are no longer wanted.
pub(super) fn request_tables(
    mut maps: Query<(Entity, &mut LiveMap), Allow<Disabled>>,
    mut worker: ResMut<TableWorker>,
    settings: Res<PursuitSettings>,
    timer: WorkTimer,
) {
    timer.time(|| request(&mut maps, &mut worker, &settings));
}

fn request(
    maps: &mut Query<(Entity, &mut LiveMap), Allow<Disabled>>,
    worker: &mut TableWorker,
    settings: &PursuitSettings,
) {
    let current = worker.mark_wanted(|map, key| maps.get(map).ok()?.1.world()?.urgency(key));
    while worker.has_room() {
        let waiting = maps.iter().filter_map(|(entity, map)| {
            let urgency = map.world()?.next_urgency()?;
            Some((urgency, entity))
        });
        let Some((urgency, entity)) = waiting.min_by_key(|&(urgency, _)| urgency) else {
            return;
        };
        // Work on a table that is no longer wanted ends by itself.
        if worker.is_busy() && current.is_none_or(|current| current <= urgency) {
            return;
        }
        let Ok((_, mut map)) = maps.get_mut(entity) else {
            return;
        };
        let world = map.bypass_change_detection().world_mut();
        let Some(request) = world.and_then(PursuitWorld::next_request) else {
            return;
        };
        // The table may already be under way, as in a game that was rolled back.
        if !worker.is_solving(entity, &request.key) {
            worker.take(entity, request, threads(settings));
            return;
        }
    }
}

/// The number of threads that solve tables.
fn threads(settings: &PursuitSettings) -> usize {
    match settings.tables.threads as usize {
        0 => {
            let cores = available_parallelism().map_or(1, NonZero::get);
            cores.saturating_sub(1).max(1)
        }
        threads => threads,
    }
}
