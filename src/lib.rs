#![cfg_attr(not(doctest), doc = include_str!("../README.md"))]
//! # By task
//!
//! | you want | see |
//! |---|---|
//! | to add the plugin | [`PursuitPlugin`], [`PursuitSettings`], [`PursuitSystems`] |
//! | a map | [`PursuitMap`], [`LiveMap`], `Passable`, [`MapReady`] |
//! | a level from a file | [`SpawnLevel`], [`SpawnLevelExt`] |
//! | agents | [`Cop`], [`Robber`], [`GridPosition`], [`PursuitSpeed`], [`AgentControl`] |
//! | moving bodies | [`Glide`], [`NextStep`], [`DesiredMotion`] |
//! | places in the world | [`MapGeometry`], [`MapPlaces`] |
//! | what happens | [`Captured`], [`Arrived`], [`NoWay`], [`Sighted`], [`LostSight`], [`OutOfReach`] |
//! | to know what an agent does, and why | [`PursuitState`], [`Target`], [`PlannedPath`] |
//! | cops that do not see everything | [`Sight`] |
//! | guards that patrol, follow and give up | [`Duty`], [`Leash`], [`Patience`], [`Nerve`], [`GaveUp`] |
//! | an easier game | [`Difficulty`], [`Mistakes`], [`Reaction`], [`Tactics`] |
//! | hunters that are prey, swaps for some seconds | [`Faction`], [`FactionSwap`] |
//! | groups and several maps | [`Pursuit`], [`InPursuit`], [`OnMap`] |
//! | who may write what, and when it counts | [`PursuitSystems`] |
//! | saving | [`LiveMap::snapshot`](crate::LiveMap::snapshot) |
//! | tables and guards that cannot be out-guessed | [`tables`] |
//! | overlays, figures, and reasons of decisions | [`debug`] |
//! | the engine without Bevy | [`engine`] |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(
    clippy::too_many_arguments,
    reason = "Bevy systems take their parameters by value, and many of them"
)]

mod agent;
mod asset_file;
mod blocked;
mod capture;
mod clock;
mod coordinates;
pub mod debug;
mod delivery;
mod diagnostics;
mod difficulty;
mod duty;
mod endgames;
mod errand;
mod exact_tables;
mod geometry;
#[cfg(feature = "gizmos")]
mod gizmos;
mod glide;
#[cfg(feature = "tilemap")]
mod layer_geometry;
#[cfg(feature = "tilemap")]
mod layer_report;
#[cfg(feature = "tilemap")]
mod layer_tiles;
mod level;
mod live_map;
mod load;
mod map;
mod map_status;
mod maps;
mod members;
mod messages;
mod meter;
mod misplaced;
mod mixed_tables;
mod motion;
mod on_map;
mod order;
mod plugin;
mod pursuit;
mod queries;
mod registry;
mod restore;
mod run;
mod sets;
mod settings_file;
mod share;
mod stopwatch;
mod table_delivery;
mod table_files;
mod table_list;
mod table_worker;
pub mod tables;
mod target;
mod tile_edits;
#[cfg(feature = "tilemap")]
mod tile_list;
#[cfg(feature = "tilemap")]
mod tile_rules;
#[cfg(feature = "tilemap")]
mod tilemap;
mod turn_clock;
mod veto;
mod work_timer;

pub use agent::{
    AgentControl, AgentKinds, Cop, GridPosition, KeepsDirection, Mistakes, NextStep, PlannedPath,
    PursuitSpeed, Reach, Robber, Sight, Solid, TicksPerStep,
};
pub use blocked::Blocked;
pub use capture::{Away, Captured, Caught, GotAway, Struck};
pub use difficulty::{Difficulty, Reaction};
pub use duty::{Duty, GaveUp, Leash, Nerve, Patience};
pub use errand::{Arrived, NoWay, Obstacle};
pub use geometry::{MapGeometry, MapPlaces, MapPlacesItem, TileShape};
pub use glide::Glide;
#[cfg(feature = "tilemap")]
pub use level::LevelLayer;
pub use level::{LevelFileError, SpawnLevel, SpawnLevelExt};
pub use live_map::{LiveMap, MapChanged};
pub use map::{MapTiles, PursuitMap};
pub use map_status::{MapReady, MapStatus};
pub use messages::{LostSight, OutOfReach, Sighted, WithinReach};
pub use motion::DesiredMotion;
pub use on_map::{MapAgents, MapNumber, OnMap};
pub use order::{Dash, MoveOrder, OrderRefused};
pub use plugin::PursuitPlugin;
pub use pursuit::{InPursuit, Pursuit, PursuitAgents};
pub use restore::{RestoreError, RestoreMap};
pub use sets::PursuitSystems;
pub use settings_file::{SettingsFile, SettingsFileError};
pub use target::{HeadsFor, LastSeen, Quarry, Target};
pub use tile_edits::{TileEdit, TileEdits};
#[cfg(feature = "tilemap")]
pub use tile_rules::{LayerRules, TileKinds, TileOpacity, TileSlow};
#[cfg(feature = "tilemap")]
pub use tilemap::Passable;
pub use turn_clock::TurnClock;
pub use veto::{MoveRule, MoveVerdict, MoveWish};

pub use pursuit_engine::map::{BodySize, Kinds, Opacity, Walker};
pub use pursuit_engine::world::{
    Activity, Faction, FactionSwap, GiveUp, Hazard, HazardError, PatrolOrder, PursuitClock,
    PursuitSettings, PursuitState, RobberPlanner, Tactics, TickBudget,
};

// The files of the plugin name siblings through the root. What a game reaches in a module is private here.
#[allow(unused_imports, reason = "which are used depends on the features")]
use debug::{
    DecidedBy, Decisions, FreeFor, IdleReason, PlanInvalidated, PursuitDiagnostics, PursuitFigures,
    Reason, Source, Stopwatch,
};

/// The engine, which needs no Bevy: maps, tables, searches and the world that the plugin plays.
pub use pursuit_engine as engine;

/// What a game needs: `use bevy_pursuit::prelude::*`.
pub mod prelude {
    #[cfg(feature = "tilemap")]
    pub use crate::Passable;
    pub use crate::{
        Activity, AgentControl, Arrived, Captured, Caught, Cop, DesiredMotion, Glide, GridPosition,
        InPursuit, LiveMap, LostSight, MapGeometry, MapPlaces, MapReady, Mistakes, MoveOrder,
        NextStep, NoWay, OnMap, Pursuit, PursuitClock, PursuitMap, PursuitPlugin, PursuitSettings,
        PursuitSpeed, PursuitState, PursuitSystems, RestoreMap, Robber, Sight, Sighted, SpawnLevel,
        SpawnLevelExt, Tactics, Target, TickBudget, TicksPerStep,
    };
    pub use pursuit_engine::map::{Moves, PursuitLevel, TileMap};
}

/// The README: its example, which draws agents, is a doc test.
#[cfg(all(doctest, feature = "demo"))]
#[doc = include_str!("../README.md")]
mod readme {}

/// The chapters of the books: their examples are doc tests.
#[cfg(all(doctest, feature = "tilemap"))]
mod book {
    macro_rules! chapters {
        ($($name:ident $path:literal)*) => { $( #[doc = include_str!($path)] struct $name; )* };
    }
    chapters! {
        FirstGame "../docs/src/first-game.md"
        Map "../docs/src/map.md"
        Agents "../docs/src/agents.md"
        Bodies "../docs/src/bodies.md"
        Captures "../docs/src/captures.md"
        Errands "../docs/src/errands.md"
        Pause "../docs/src/pause.md"
        Player "../docs/src/player.md"
        Doors "../docs/src/doors.md"
        Links "../docs/src/links.md"
        Keys "../docs/src/keys.md"
        Factions "../docs/src/factions.md"
        Hazards "../docs/src/hazards.md"
        Sight "../docs/src/sight.md"
        Difficulty "../docs/src/difficulty.md"
        FrameTime "../docs/src/frame-time.md"
        ExactPlay "../docs/src/exact-play.md"
        Saving "../docs/src/saving.md"
        NotMoving "../docs/src/not-moving.md"
        Settings "../docs/src/settings.md"
    }
}
