//! Loading of maps within the budget.
//!
//! Layers are read, and graphs and abstractions are built, one piece at a time.

use crate::delivery;
use crate::diagnostics::PursuitDiagnostics;
use crate::live_map::LiveMap;
use crate::map_status::MapStatus;
use crate::maps::Maps;
use crate::members::pending::PendingMembers;
use crate::meter::{Allowance, Pace};
use crate::share::Share;
use crate::stopwatch::Stopwatch;
use crate::work_timer::WorkTimer;
use bevy::prelude::*;
use pursuit_engine::world::PursuitSettings;
use std::time::Duration;

/// The minimum of expansions per tick for all loading maps together, so that they become ready whatever
/// the budget.
const GUARANTEED: u64 = 1000;
/// The smallest share of a map, which is about a piece of work.
const LEAST_SHARE: u64 = 256;
const LEAST_TIME: Duration = Duration::from_micros(20);

/// The part of a tick's budget for all maps that are loading. They take their shares in the order of their numbers. Where
/// there are more maps than shares, the others wait until earlier ones are ready.
#[derive(Resource, Debug, Default)]
pub(super) struct LoadingBudget {
    left: u64,
    time: Duration,
    /// The number of maps that have not had their share.
    maps: u32,
    stopwatch: Stopwatch,
}

impl LoadingBudget {
    /// The budget of a tick for a number of maps; `plays` if other maps are in play.
    fn of(allowance: Allowance, maps: u32, plays: bool, stopwatch: &Stopwatch) -> Self {
        let parts = if plays { 2 } else { 1 };
        let (left, time) = match allowance {
            Allowance::Expansions(all) => (GUARANTEED.max(all / u64::from(parts)), Duration::ZERO),
            Allowance::Time(all) => (GUARANTEED, all / parts),
        };
        Self {
            left,
            time,
            maps,
            stopwatch: stopwatch.clone(),
        }
    }

    /// The share of the next map: an equal part of what is left, which is enough for a piece of work.
    pub(super) fn take(&mut self) -> Share {
        let maps = self.maps.max(1);
        self.maps = maps - 1;
        let left = (self.left / u64::from(maps)).max(LEAST_SHARE.min(self.left));
        let time = (self.time / maps).max(LEAST_TIME.min(self.time));
        self.left -= left;
        self.time -= time;
        Share {
            left,
            time,
            spent: 0,
            over: 0,
            is_taken: true,
            stopwatch: self.stopwatch.clone(),
        }
    }

    /// Takes back what a map has not spent. Later maps pay for what it has spent beyond its share.
    pub(super) fn put_back(&mut self, share: &mut Share) {
        self.left += std::mem::take(&mut share.left);
        self.left = self.left.saturating_sub(std::mem::take(&mut share.over));
        self.time += std::mem::take(&mut share.time);
        share.is_taken = false;
    }
}

/// Divides the budget of a tick among the loading maps: the whole budget if no map is in play, otherwise
/// half of it, in equal parts.
pub(super) fn share_out(
    maps: Query<&LiveMap>,
    settings: Res<PursuitSettings>,
    pace: Pace,
    mut budget: ResMut<LoadingBudget>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    timer: WorkTimer,
) {
    diagnostics.collect(&timer);
    timer.time(|| {
        let (mut loading, mut plays) = (0, false);
        for map in &maps {
            loading += u32::from(map.is_loading());
            plays |= map.status() == MapStatus::Ready;
        }
        if loading > 0 {
            let allowance = pace.allowance(&settings, &diagnostics);
            *budget = LoadingBudget::of(allowance, loading, plays, timer.stopwatch());
        }
    });
}

/// Continues building the maps that have been read.
pub(super) fn build_maps(
    mut commands: Commands,
    mut maps: Query<(&mut LiveMap, &mut MapStatus)>,
    all_maps: Res<Maps>,
    mut budget: ResMut<LoadingBudget>,
    mut pending: ResMut<PendingMembers>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    timer: WorkTimer,
) {
    diagnostics.collect(&timer);
    timer.time(|| {
        for entity in all_maps.iter() {
            let Ok((mut map, mut status)) = maps.get_mut(entity) else {
                continue; // it is disabled
            };
            if map.status() == *status && !map.has_to_build() {
                continue;
            }
            let is_ready = {
                let map = map.bypass_change_detection();
                // One that was read in this tick has its share.
                if map.has_to_build() && !map.share.is_taken {
                    map.share = budget.take();
                }
                let is_ready = map.build_on();
                diagnostics.tick.expansions += map.share.take_spent();
                budget.put_back(&mut map.share);
                is_ready
            };
            if is_ready {
                map.set_changed();
                pending.note_maps();
                delivery::tell_ready(&mut commands, entity);
            }
            if status.set_if_neq(map.status()) && *status == MapStatus::Empty {
                pending.note_maps(); // the game has replaced a map in place
            }
        }
    });
}
