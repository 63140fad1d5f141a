use crate::world::CopTactics;
use bevy::prelude::*;

/// How cops of one robber go about it.
#[derive(Reflect, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[reflect(Default, PartialEq)]
pub enum Tactics {
    /// They cut it off: one chases, the others block its ways.
    #[default]
    Intercept,
    /// They run after it, all by shortest paths. Easier on the robber, and cheaper.
    Chase,
}

impl From<Tactics> for CopTactics {
    fn from(tactics: Tactics) -> Self {
        match tactics {
            Tactics::Intercept => Self::Intercept,
            Tactics::Chase => Self::Chase,
        }
    }
}

/// Settings of all chases of an app. Insert your own before or after the plugin.
#[derive(Resource, Reflect, Debug, Clone, PartialEq, Eq)]
#[reflect(Resource, Default, PartialEq)]
pub struct PursuitSettings {
    /// How many runs of the plugin's schedule a turn lasts. In [`FixedUpdate`] at Bevy's 64 Hz the
    /// default gives four turns a second. 0 is taken as 1.
    ///
    /// Default: 16
    pub ticks_per_turn: u32,
    /// How cops go about it.
    ///
    /// Default: [`Tactics::Intercept`]
    pub tactics: Tactics,
}

impl Default for PursuitSettings {
    fn default() -> Self {
        Self {
            ticks_per_turn: 16,
            tactics: Tactics::Intercept,
        }
    }
}
