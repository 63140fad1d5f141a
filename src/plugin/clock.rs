use super::{PursuitDiagnostics, PursuitMap};
use bevy::prelude::*;

/// The turns of a map's first pursuit, the one with the lowest number. Every [`PursuitMap`] has one.
/// Turns of other pursuits begin on other ticks (see [`PursuitSettings::stagger`](super::PursuitSettings)).
#[derive(Component, Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Component, Default, PartialEq)]
pub struct TurnClock {
    /// The turns that have begun.
    pub turn: u64,
    /// Ticks since the current turn began.
    pub tick: u32,
    /// Ticks that the current turn lasts; 0 before the first.
    pub length: u32,
}

impl TurnClock {
    /// Did a turn begin in this tick?
    #[must_use]
    pub const fn begins(&self) -> bool {
        self.tick == 0 && self.length > 0
    }
}

/// What the clocks show, once everybody has moved.
pub(super) fn show_clocks(
    mut maps: Query<(&PursuitMap, &mut TurnClock)>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
) {
    diagnostics.time(|_| {
        for (map, mut clock) in &mut maps {
            let Some(world) = map.world() else {
                continue;
            };
            let shown = world
                .pursuits()
                .first()
                .filter(|pursuit| pursuit.turn() > 0);
            let shown = shown.map_or_else(TurnClock::default, |pursuit| {
                let (began, ends) = pursuit.turn_ticks();
                TurnClock {
                    turn: pursuit.turn(),
                    tick: world.tick().saturating_sub(began) as u32,
                    length: ends.saturating_sub(began) as u32,
                }
            });
            clock.set_if_neq(shown);
        }
    });
}
