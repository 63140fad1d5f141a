//! The turn clocks of pursuits and maps.

use super::on_map::Maps;
use super::{Pursuit, PursuitDiagnostics, PursuitMap};
use crate::world::{self, PursuitWorld};
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::prelude::*;

/// The turns of a pursuit. Every [`Pursuit`] has a clock. Every [`PursuitMap`] has one that shows the
/// turns of the map's first pursuit, which has the lowest number. Only the plugin writes it.
///
/// The clock of a pursuit with agents on several maps shows the turns on the first of these maps. Turns
/// of other pursuits begin on other ticks (see [`PursuitSettings::stagger`](super::PursuitSettings)).
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct TurnClock {
    /// The number of turns that have begun.
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
pub(super) fn show_clocks(
    mut maps: Query<(&PursuitMap, &mut TurnClock), Allow<Disabled>>,
    mut pursuits: Query<(&Pursuit, &mut TurnClock), Without<PursuitMap>>,
    all_maps: Res<Maps>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        for (map, mut clock) in &mut maps {
            let Some(world) = map.world() else {
                continue;
            };
            let shown = world.pursuits().first();
            let shown = shown.map(|first| TurnClock::of(first, world, map));
            TurnClock::show(&mut clock, shown);
        }
        // Entities are mostly in the order of their numbers.
        let mut next = 0;
        for (&Pursuit(number), mut clock) in &mut pursuits {
            let mut shown = all_maps.iter().filter_map(|map| {
                let map = maps.get(map).ok()?.0;
                let world = map.world()?;
                let (at, pursuit) = find(world.pursuits(), number, next)?;
                next = at + 1;
                Some(TurnClock::of(pursuit, world, map))
            });
            let shown = shown.next();
            TurnClock::show(&mut clock, shown);
        }
    });
}

/// The pursuit with a number, and its index in a list sorted by number. `guess` is the index to try first.
fn find(
    list: &[world::PursuitRecord],
    number: u32,
    guess: usize,
) -> Option<(usize, &world::PursuitRecord)> {
    let guessed = list.get(guess).filter(|found| found.number() == number);
    if let Some(found) = guessed {
        return Some((guess, found));
    }
    let at = list
        .binary_search_by_key(&number, world::PursuitRecord::number)
        .ok()?;
    Some((at, &list[at]))
}

impl TurnClock {
    fn of(pursuit: &world::PursuitRecord, world: &PursuitWorld, map: &PursuitMap) -> Self {
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
