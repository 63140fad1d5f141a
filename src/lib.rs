#![doc = include_str!("../README.md")]
//!
//! # The house
//!
//! Data flows one way: [`map`] → [`graph`] → [`game`] → [`table`], or [`abstraction`] and [`search`]
//! → [`policy`], [`table_cache`] → [`world`] → `plugin`; [`eval`] and the tool `pursuit` stand at the end beside it.
//! The core (all but `plugin` and the tool) knows no Bevy and no clock, prints nothing and does not
//! depend on thread or hash order; the plugin computes nothing, the tool decides nothing.

pub mod abstraction;
pub mod eval;
pub mod game;
pub mod graph;
pub mod map;
pub mod policy;
pub mod search;
pub mod table;
pub mod table_cache;
pub mod world;

#[cfg(feature = "plugin")]
pub mod plugin;

/// What a game needs: `use bevy_pursuit::prelude::*`.
#[cfg(feature = "plugin")]
pub mod prelude {
    pub use crate::map::{Level, Moves, TileMap};
    pub use crate::plugin::{
        Arrived, Captured, Caught, Clock, Control, Cop, DecidedBy, FreeFor, GridPosition, Idle,
        InPursuit, LostSight, MapAgents, MapChanged, MapReady, MapStatus, MoveOrder, NextStep,
        NoWay, Obstacle, OnMap, OrderRefused, OutOfReach, Plan, PlanInvalidated, Pursuit,
        PursuitAgents, PursuitDiagnostics, PursuitMap, PursuitPlugin, PursuitSettings,
        PursuitSpeed, PursuitState, PursuitSystems, PursuitTable, PursuitTables, Reason, Robber,
        SettingsFile, Sight, Sighted, Source, TableNews, TableSchedule, TableSettings, TableStatus,
        TableTiming, Tactics, Target, TickBudget, TicksPerStep, TurnClock, WithinReach,
    };
    #[cfg(feature = "tilemap")]
    pub use crate::plugin::{DesiredMotion, Glide, LayerGeometry, Passable};
    #[cfg(feature = "gizmos")]
    pub use crate::plugin::{PursuitGizmos, PursuitGizmosPlugin};
}
