//! Tables that are solved while the game runs: from the worlds to the worker and back.

use super::table_worker::TableWorker;
use super::{PursuitDiagnostics, PursuitMap, PursuitSettings, PursuitSystems};
use crate::table::Solution;
use crate::table_cache::{SolveFailure, TableKey, TickPace};
use crate::world::PursuitWorld;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::intern::Interned;
use bevy::ecs::query::Allow;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use std::num::NonZero;
use std::thread::available_parallelism;

/// Adds the system that tells the pace of ticks, which is another on the fixed clock.
pub(super) fn build(app: &mut App, schedule: Interned<dyn ScheduleLabel>, is_fixed: bool) {
    let pace = if is_fixed {
        tell_fixed_pace.into_configs()
    } else {
        tell_other_pace.into_configs()
    };
    let pace = pace
        .in_set(PursuitSystems::Sync)
        .after(super::load::build_maps)
        .before(super::settings_file::take_settings)
        .before(super::map::begin_tick);
    app.add_systems(schedule, pace);
}

/// Before maps change, but after new ones are built: how fast ticks follow each other on the fixed clock, by its timestep and the
/// speed of the game. It may take that long again for each map, as they share one worker.
///
/// Both are inputs of the game, so that a run repeats itself where they do. What was measured is not.
fn tell_fixed_pace(
    mut maps: Query<&mut PursuitMap>,
    fixed: Option<Res<Time<Fixed>>>,
    time: Option<Res<Time<Virtual>>>,
) {
    let pace = fixed
        .zip(time)
        .map_or_else(TickPace::default, |(fixed, time)| {
            let in_a_second = time.relative_speed_f64() / fixed.timestep().as_secs_f64();
            TickPace {
                per_second: in_a_second.ceil().max(1.0) as u32,
                at_once: (in_a_second * time.max_delta().as_secs_f64()).ceil() as u32,
            }
        });
    tell_pace(&mut maps, pace);
}

/// The same in another schedule, of which nothing is known.
fn tell_other_pace(mut maps: Query<&mut PursuitMap>) {
    tell_pace(&mut maps, TickPace::default());
}

fn tell_pace(maps: &mut Query<&mut PursuitMap>, pace: TickPace) {
    let worlds = maps.iter().filter(|map| map.world().is_some()).count();
    let pace = TickPace {
        per_second: pace.per_second.saturating_mul(worlds as u32),
        ..pace
    };
    for mut map in maps {
        if let Some(world) = map.bypass_change_detection().world_mut() {
            world.set_pace(pace);
        }
    }
}

/// As soon as the maps have changed: tables that are solved reach them. In lockstep those that are overdue
/// are waited for. Where there is no thread they are solved here, so that it counts in a budget of
/// microseconds.
pub(super) fn deliver_tables(
    mut maps: Query<(Entity, &mut PursuitMap), Allow<Disabled>>,
    mut worker: ResMut<TableWorker>,
    settings: Res<PursuitSettings>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        worker.advance();
        while let Some(answer) = worker.answer() {
            deliver(&mut maps, answer.map, &answer.key, answer.result);
        }
        let is_overdue = |world: &PursuitWorld| world.overdue().is_some();
        while maps
            .iter()
            .any(|(_, map)| map.world().is_some_and(is_overdue))
        {
            // Those of a game that was just loaded have not been asked for yet.
            request(&mut maps, &mut worker, &settings);
            let Some(answer) = worker.wait() else {
                break;
            };
            deliver(&mut maps, answer.map, &answer.key, answer.result);
        }
    });
}

fn deliver(
    maps: &mut Query<(Entity, &mut PursuitMap), Allow<Disabled>>,
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
        // It may be wanted again by now.
        None => world.table_cache_mut().give_back(key),
    }
}

/// After a tick: what is wanted goes to the worker, what is not wanted any more is cancelled.
pub(super) fn request_tables(
    mut maps: Query<(Entity, &mut PursuitMap), Allow<Disabled>>,
    mut worker: ResMut<TableWorker>,
    settings: Res<PursuitSettings>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| request(&mut maps, &mut worker, &settings));
}

fn request(
    maps: &mut Query<(Entity, &mut PursuitMap), Allow<Disabled>>,
    worker: &mut TableWorker,
    settings: &PursuitSettings,
) {
    let current = worker.review(|map, key| maps.get(map).ok()?.1.world()?.urgency(key));
    while worker.has_room() {
        let waiting = maps.iter().filter_map(|(entity, map)| {
            let urgency = map.world()?.next_urgency()?;
            Some((urgency, entity))
        });
        let Some((urgency, entity)) = waiting.min_by_key(|&(urgency, _)| urgency) else {
            return;
        };
        // What is not wanted any more ends by itself.
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
        // It may be on its way already, as in a game that was rolled back.
        if !worker.is_at(entity, &request.key) {
            worker.take(entity, request, threads(settings));
            return;
        }
    }
}

/// How many threads solve tables.
fn threads(settings: &PursuitSettings) -> usize {
    match settings.tables.threads as usize {
        0 => {
            let cores = available_parallelism().map_or(1, NonZero::get);
            cores.saturating_sub(1).max(1)
        }
        threads => threads,
    }
}
