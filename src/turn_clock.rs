//! The clock of a pursuit or a map: which turn it is, and how far it has come.

use bevy::prelude::*;

/// The turns of a pursuit. Every [`Pursuit`](super::Pursuit) has a clock. Every [`LiveMap`](super::LiveMap) has one that shows the
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
    pub(super) shown: u64,
    #[reflect(ignore)]
    pub(super) is_new: bool,
}

impl TurnClock {
    /// Returns whether a turn began in this tick. `false` while the map stands still.
    #[must_use]
    pub const fn begins(&self) -> bool {
        self.tick == 0 && self.length > 0 && self.is_new
    }

    /// Shows another state of the clock.
    pub(super) fn show(clock: &mut Mut<Self>, state: Option<Self>) {
        let mut state = state.unwrap_or_default();
        state.is_new = state.shown != clock.shown;
        clock.set_if_neq(state);
    }
}
