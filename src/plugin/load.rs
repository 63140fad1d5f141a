//! Maps are made ready to play on within the budget: layers are read, graphs and abstractions built, a
//! piece at a time.

use super::members::Comings;
use super::meter::{Allowance, Pace};
use super::{PursuitDiagnostics, PursuitMap, PursuitSettings, Stopwatch};
use bevy::prelude::*;
use std::time::Duration;

/// What maps get of a tick at least, together: whatever the budget, they are ready some time.
const LEAST: u64 = 1000;
/// How often the clock is asked, in expansions.
const SLICE: u64 = 64;

/// How far a [`PursuitMap`] is. The plugin writes it; it is on the entity of every map.
///
/// While a map is read or built its agents stand, and edits wait. [`MapReady`] says when that is over. Maps
/// of a few thousand tiles are ready in the tick in which they appear.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub enum MapStatus {
    /// There is nothing to play on: a layer without a size, or a map that no tick has seen.
    #[default]
    Empty,
    /// The tiles of its layer are read.
    Reading,
    /// Its graph and its abstraction are built.
    Building,
    /// It is played on.
    Ready,
}

/// A map is ready to play on: one that is new, or whose layer has got another size. Triggered on the map,
/// in the tick from which on agents move.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapReady {
    /// The entity of the map.
    #[event_target]
    pub map: Entity,
}

/// What a map that is not ready may spend in a tick.
#[derive(Debug, Clone, Default)]
pub(super) struct Share {
    /// Expansions: what is left of them where the budget is one in expansions, or else of the least.
    left: u64,
    /// Time, where the budget is one.
    time: Duration,
    spent: u64,
    stopwatch: Stopwatch,
}

impl Share {
    /// The share of one of `loading` maps that are not ready; `plays` if others are.
    fn of(allowance: Allowance, loading: u32, plays: bool, stopwatch: &Stopwatch) -> Self {
        let parts = loading.max(1) * if plays { 2 } else { 1 };
        let least = LEAST / u64::from(loading.max(1));
        let mut share = Self {
            left: least,
            time: Duration::ZERO,
            spent: 0,
            stopwatch: stopwatch.clone(),
        };
        match allowance {
            Allowance::Expansions(all) => share.left = least.max(all / u64::from(parts)),
            Allowance::Time(all) => share.time = all / parts,
        }
        share
    }

    pub(super) const fn is_left(&self) -> bool {
        self.left > 0 || !self.time.is_zero()
    }

    /// Does a piece of work that is granted so many expansions and returns how many it has taken.
    pub(super) fn spend(&mut self, work: impl FnOnce(u64) -> u64) {
        let began = self.stopwatch.now();
        let granted = if self.time.is_zero() {
            self.left
        } else {
            SLICE
        };
        let spent = work(granted);
        self.spent += spent;
        self.left = self.left.saturating_sub(spent);
        let taken = self.stopwatch.now().saturating_sub(began);
        self.time = self.time.saturating_sub(taken);
    }

    /// What has been spent since this was asked last.
    pub(super) fn take_spent(&mut self) -> u64 {
        std::mem::take(&mut self.spent)
    }
}

/// Says what each map that is not ready may spend in this tick: all of the budget if no map is played on,
/// else half of it, in equal parts.
pub(super) fn share_out(
    mut maps: Query<&mut PursuitMap>,
    settings: Res<PursuitSettings>,
    pace: Pace,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|diagnostics| {
        let (mut loading, mut plays) = (0, false);
        for map in &maps {
            loading += u32::from(map.is_loading());
            plays |= map.status() == MapStatus::Ready;
        }
        if loading > 0 {
            let allowance = pace.allowance(&settings, diagnostics);
            let share = Share::of(allowance, loading, plays, diagnostics.stopwatch());
            for mut map in &mut maps {
                map.bypass_change_detection().share = share.clone();
            }
        }
    });
}

/// Goes on with the maps that have been read.
pub(super) fn build_maps(
    mut commands: Commands,
    mut maps: Query<(Entity, &mut PursuitMap, &mut MapStatus)>,
    mut comings: ResMut<Comings>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|diagnostics| {
        for (entity, mut map, mut status) in &mut maps {
            let is_ready = {
                let map = map.bypass_change_detection();
                let is_ready = map.build_on();
                diagnostics.tick.expansions += map.share.take_spent();
                is_ready
            };
            if is_ready {
                map.set_changed();
                comings.note_maps();
                commands.trigger(MapReady { map: entity });
            }
            status.set_if_neq(map.status());
        }
    });
}
