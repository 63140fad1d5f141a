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
    pub use crate::map::{Moves, PursuitLevel, TileMap};
    pub use crate::plugin::{
        AgentControl, Arrived, Captured, Caught, Cop, DecidedBy, FreeFor, GridPosition, IdleReason,
        InPursuit, LostSight, MapAgents, MapChanged, MapReady, MapStatus, MoveOrder, NextStep,
        NoWay, Obstacle, OnMap, OrderRefused, OutOfReach, PlanInvalidated, PlannedPath, Pursuit,
        PursuitAgents, PursuitClock, PursuitDiagnostics, PursuitMap, PursuitPlugin,
        PursuitSettings, PursuitSpeed, PursuitState, PursuitSystems, PursuitTable, PursuitTables,
        Reason, Robber, SettingsFile, Sight, Sighted, Source, TableSchedule, TableSettings,
        TableStatus, TableStatusChanged, TableTiming, Tactics, Target, TickBudget, TicksPerStep,
        TurnClock, WithinReach,
    };
    #[cfg(feature = "tilemap")]
    pub use crate::plugin::{DesiredMotion, Glide, LayerGeometry, Passable};
    #[cfg(feature = "gizmos")]
    pub use crate::plugin::{PursuitGizmos, PursuitGizmosPlugin};
}
