//! Shows the turns of pursuits in their clocks.

use crate::live_map::LiveMap;
use crate::maps::Maps;
use crate::pursuit::Pursuit;
use crate::turn_clock::TurnClock;
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;
use pursuit_engine::world::{self, PursuitWorld};
use std::cmp::Reverse;

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
            let all = world.pursuits();
            let first = all.iter().map(world::PursuitRecord::number).min();
            // The pursuits of factions of one pursuit keep step. The one of cops and robbers may be empty.
            let parts = all.iter().filter(|part| Some(part.number()) == first);
            let shown = parts.max_by_key(|part| part.turn());
            let shown = shown.map(|part| TurnClock::of(part, world, map));
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
        states.sort_unstable_by_key(|&(number, at, clock)| (number, at, Reverse(clock.turn)));
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
