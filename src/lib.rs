#![doc = include_str!("../README.md")]
//!
//! # The house
//!
//! Data flows one way: [`map`] → [`graph`] → [`game`] → [`search`] → [`policy`] → [`world`] →
//! `plugin`. The core (all but `plugin`) knows no Bevy and no clock, prints nothing and does not
//! depend on thread or hash order; the plugin computes nothing. The rooms `table`, `abstraction` and
//! `eval`, the tool, and the features `parallel` and `cli` that they need are planned and come with
//! their contents.

pub mod eval;
pub mod game;
pub mod graph;
pub mod map;
pub mod policy;
pub mod search;
pub mod table;
pub mod world;

#[cfg(feature = "plugin")]
pub mod plugin;

/// What a game needs: `use bevy_pursuit::prelude::*`.
#[cfg(feature = "plugin")]
pub mod prelude {
    pub use crate::map::{Level, Moves, TileMap};
    pub use crate::plugin::{
        Captured, Caught, Control, Cop, DecidedBy, FreeFor, GridPosition, MapChanged, NextStep,
        OnMap, PursuitMap, PursuitPlugin, PursuitSettings, PursuitSpeed, PursuitState,
        PursuitSystems, Robber, Tactics, TurnClock,
    };
    #[cfg(feature = "tilemap")]
    pub use crate::plugin::{Glide, Passable};
}
