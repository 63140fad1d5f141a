//! The turn clocks of pursuits and maps.

use crate::live_map::LiveMap;
use crate::on_map::Maps;
use crate::pursuit::Pursuit;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use pursuit_engine::world::{self, PursuitWorld};

/// The turns of a pursuit. Every [`Pursuit`] has a clock. Every [`LiveMap`] has one that shows the
/// turns of the map's first pursuit, which has the lowest number. Only the plugin writes it.
///
/// The clock of a pursuit with agents on several maps shows the turns on the first of these maps. Turns
/// of other pursuits begin on other ticks (see [`PursuitSettings::stagger`](super::PursuitSettings)).
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct TurnClock {
    /// The number of turns that have begun since the pursuit had its first agent. A pursuit that all agents have left begins
    /// again at 0.
    pub turn: u64,
    /// Ticks since the current turn began.
    pub tick: u32,
    /// Length of the current turn in ticks; 0 before the first turn.
    pub length: u32,
    /// How many ticks its map had run when the clock was last updated, and whether there is one more since.
    #[reflect(ignore)]
    shown: u64,
    #[reflect(ignore)]
    is_new: bool,
}

impl TurnClock {
    /// Returns whether a turn began in this tick. `false` while the map stands still.
    #[must_use]
    pub const fn begins(&self) -> bool {
        self.tick == 0 && self.length > 0 && self.is_new
    }

    /// Shows another state of the clock.
    fn show(clock: &mut Mut<Self>, state: Option<Self>) {
        let mut state = state.unwrap_or_default();
        state.is_new = state.shown != clock.shown;
        clock.set_if_neq(state);
    }
}

/// Updates the clocks, after all agents have moved.
///
/// Cost: one pass over the pursuits of all maps, and a search in a sorted list for each entity.
pub(super) fn show_clocks(
    mut maps: Query<(&LiveMap, &mut TurnClock), Allow<Disabled>>,
    mut pursuits: Query<(&Pursuit, &mut TurnClock), Without<LiveMap>>,
    all_maps: Res<Maps>,
    mut states: Local<Vec<(u32, usize, TurnClock)>>,
    timer: WorkTimer,
) {
    timer.time(|| {
        for (map, mut clock) in &mut maps {
            let Some(world) = map.world() else {
                continue;
            };
            let shown = world.pursuits().first();
            let shown = shown.map(|first| TurnClock::of(first, world, map));
            TurnClock::show(&mut clock, shown);
        }
        if pursuits.is_empty() {
            return;
        }
        states.clear();
        for (at, map) in all_maps.iter().enumerate() {
            if let Ok((map, _)) = maps.get(map)
                && let Some(world) = map.world()
            {
                let on_map = world.pursuits().iter();
                states.extend(on_map.map(|it| (it.number(), at, TurnClock::of(it, world, map))));
            }
        }
        // Of the maps of a pursuit, the first one counts.
        states.sort_unstable_by_key(|&(number, at, _)| (number, at));
        states.dedup_by_key(|(number, ..)| *number);
        for (&Pursuit(number), mut clock) in &mut pursuits {
            let found = states.binary_search_by_key(&number, |&(number, ..)| number);
            TurnClock::show(&mut clock, found.ok().map(|at| states[at].2));
        }
    });
}

impl TurnClock {
    fn of(pursuit: &world::PursuitRecord, world: &PursuitWorld, map: &LiveMap) -> Self {
        if pursuit.turn() == 0 {
            return Self::default();
        }
        let (began, ends) = pursuit.turn_ticks();
        Self {
            turn: pursuit.turn(),
            tick: world.tick().saturating_sub(began) as u32,
            length: ends.saturating_sub(began) as u32,
            shown: map.ticks_run(),
            is_new: false,
        }
    }
}
