//! Loading of maps within the budget.
//!
//! Layers are read, and graphs and abstractions are built, one piece at a time.

use super::members::PendingMembers;
use super::meter::{Allowance, Pace};
use super::{PursuitDiagnostics, PursuitMap, PursuitSettings, Stopwatch};
use bevy::prelude::*;
use std::time::Duration;

/// The minimum of expansions per tick for all loading maps together, so that they become ready whatever
/// the budget.
const GUARANTEED: u64 = 1000;
/// How often the clock is read, in expansions.
const SLICE: u64 = 64;

/// The loading state of a [`PursuitMap`]. Only the plugin writes it, on the entity of every map.
///
/// While a map is read or built, its agents stand and edits wait. [`MapReady`] is triggered when it is
/// ready. Maps of a few thousand tiles are ready in the tick in which they appear.
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub enum MapStatus {
    /// Nothing to play on: a layer without a size, or a map that no tick has processed yet.
    #[default]
    Empty,
    /// The tiles of its layer are being read.
    Reading,
    /// Its graph and its abstraction are being built.
    Building,
    /// The map is in play.
    Ready,
}

/// A map is ready: a new one, or one whose layer has changed its size. Triggered on the map, in the
/// tick from which on its agents move.
#[derive(EntityEvent, Reflect, Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapReady {
    /// The entity of the map.
    #[event_target]
    pub map: Entity,
}

/// The part of a tick's budget that a loading map may spend.
#[derive(Debug, Clone, Default)]
pub(super) struct Share {
    /// Remaining expansions: of the share, or of the guaranteed least if the budget is a time.
    left: u64,
    /// Remaining time, if the budget is a time.
    time: Duration,
    spent: u64,
    stopwatch: Stopwatch,
}

impl Share {
    /// The share of each of `loading` maps; `plays` if other maps are in play.
    fn of(allowance: Allowance, loading: u32, plays: bool, stopwatch: &Stopwatch) -> Self {
        let parts = loading.max(1) * if plays { 2 } else { 1 };
        let least = GUARANTEED / u64::from(loading.max(1));
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

    /// Does a piece of work, which gets the number of expansions it may spend and returns the number it
    /// has spent.
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

    /// Expansions spent since the last call.
    pub(super) fn take_spent(&mut self) -> u64 {
        std::mem::take(&mut self.spent)
    }
}

/// Divides the budget of a tick among the loading maps: the whole budget if no map is in play, otherwise
/// half of it, in equal parts.
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

/// Continues building the maps that have been read.
pub(super) fn build_maps(
    mut commands: Commands,
    mut maps: Query<(Entity, &mut PursuitMap, &mut MapStatus)>,
    mut pending: ResMut<PendingMembers>,
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
                pending.note_maps();
                commands.trigger(MapReady { map: entity });
            }
            if status.set_if_neq(map.status()) && *status == MapStatus::Empty {
                pending.note_maps(); // the game has replaced a map in place
            }
        }
    });
}
