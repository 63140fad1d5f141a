#![cfg_attr(not(doctest), doc = include_str!("../README.md"))]
//! # By task
//!
//! | you want | see |
//! |---|---|
//! | to add the plugin | [`PursuitPlugin`], [`PursuitSettings`], [`PursuitSystems`] |
//! | a map | [`PursuitMap`], [`LiveMap`], `Passable`, [`MapReady`](crate::MapReady) |
//! | a level from a file | [`SpawnLevel`], [`SpawnLevelExt`] |
//! | agents | [`Cop`], [`Robber`], [`GridPosition`], [`PursuitSpeed`], [`AgentControl`] |
//! | moving bodies | [`Glide`], [`NextStep`], [`DesiredMotion`] |
//! | places in the world | [`MapGeometry`], [`MapPlaces`] |
//! | what happens | [`Captured`], [`Arrived`], [`NoWay`], [`Sighted`], [`LostSight`], [`OutOfReach`] |
//! | to know what an agent does, and why | [`PursuitState`], [`Target`], [`PlannedPath`] |
//! | cops that do not see everything | [`Sight`] |
//! | an easier game | [`Mistakes`], [`Tactics`] |
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
mod capture;
mod clock;
mod coordinates;
pub mod debug;
mod delivery;
mod diagnostics;
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
mod level;
mod live_map;
mod load;
mod map;
mod members;
mod messages;
mod meter;
mod misplaced;
mod mixed_tables;
mod motion;
mod on_map;
mod order;
mod pursuit;
mod queries;
mod registry;
mod restore;
mod run;
mod settings_file;
mod stopwatch;
mod table_delivery;
mod table_list;
mod table_worker;
pub mod tables;
mod target;
mod tile_edits;
#[cfg(feature = "tilemap")]
mod tile_list;
#[cfg(feature = "tilemap")]
mod tilemap;
mod work_timer;

pub use agent::{
    AgentControl, Cop, GridPosition, Mistakes, NextStep, PlannedPath, PursuitSpeed, Robber, Sight,
    TicksPerStep,
};
pub use capture::{Captured, Caught};
pub use clock::TurnClock;
pub use errand::{Arrived, NoWay, Obstacle};
pub use geometry::{MapGeometry, MapPlaces, MapPlacesItem};
pub use glide::Glide;
#[cfg(feature = "tilemap")]
pub use level::LevelLayer;
pub use level::{LevelFileError, SpawnLevel, SpawnLevelExt};
pub use live_map::{LiveMap, MapChanged};
pub use load::{MapReady, MapStatus};
pub use map::{MapTiles, PursuitMap};
pub use messages::{LostSight, OutOfReach, Sighted, WithinReach};
pub use motion::DesiredMotion;
pub use on_map::{MapAgents, MapNumber, OnMap};
pub use order::{Dash, MoveOrder, OrderRefused};
pub use pursuit::{InPursuit, Pursuit, PursuitAgents};
pub use restore::{RestoreError, RestoreMap};
pub use settings_file::{SettingsFile, SettingsFileError};
pub use target::{LastSeen, Target};
pub use tile_edits::TileEdits;
#[cfg(feature = "tilemap")]
pub use tilemap::Passable;

pub use pursuit_engine::world::{
    Activity, PursuitClock, PursuitSettings, PursuitState, RobberPlanner, Tactics, TickBudget,
};

// The files of the plugin name siblings through the root. What a game reaches in a module is private here.
#[allow(unused_imports, reason = "which are used depends on the features")]
use debug::{
    DecidedBy, Decisions, FreeFor, IdleReason, PlanInvalidated, PursuitDiagnostics, PursuitFigures,
    Reason, Source, Stopwatch,
};
use tables::{
    PursuitMixedTable, PursuitShapes, PursuitTable, PursuitTables, TableHandle, TableSchedule,
    TableSettings, TableStatus, TableStatusChanged, TableTiming,
};

use asset_file::FileLoader;
use bevy::ecs::intern::Interned;
use bevy::ecs::message::MessageUpdateSystems;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use pursuit_engine::map::PursuitLevel;

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
        Sight "../docs/src/sight.md"
        Difficulty "../docs/src/difficulty.md"
        FrameTime "../docs/src/frame-time.md"
        ExactPlay "../docs/src/exact-play.md"
        Saving "../docs/src/saving.md"
        NotMoving "../docs/src/not-moving.md"
        Settings "../docs/src/settings.md"
    }
}

/// The system sets of the plugin, in this order, once for each run of its schedule.
///
/// # Who may write what, and when it takes effect
///
/// The plugin reads what a game has written at the beginning of [`Arrive`](PursuitSystems::Arrive) and
/// again at the beginning of [`Decide`](PursuitSystems::Decide). "At once" below means the next of
/// these two moments. Anything that a system or an observer writes before `Decide` takes effect in the
/// same tick, and otherwise in the next one. Nothing is lost.
///
/// | component | who writes it | when a game's write takes effect |
/// |---|---|---|
/// | [`Cop`], [`Robber`] | the game | at once; an agent that swaps its role finishes its current step |
/// | [`GridPosition`] | both | at once: the agent is there, and its path and its plan end |
/// | [`MoveOrder`], [`Dash`] | the game; the plugin removes them | in the next `Arrive`; [`OrderRefused`] reports a path that is not open to its end, and a wall that ends the walk |
/// | [`AgentControl`] | the game | at once: a standing agent sets out in the same tick, or on the clock [`Simultaneous`](PursuitClock::Simultaneous) when the next turn begins |
/// | [`PursuitSpeed`], [`TicksPerStep`], [`Sight`], [`Mistakes`] | the game | at once; the current step keeps its duration |
/// | [`OnMap`] | the game; Bevy removes it with the map | at once: the agent stands on its `GridPosition` there |
/// | [`InPursuit`] | the game; Bevy removes it with the pursuit | at once; the agent finishes its current step |
/// | [`Pursuit`] | the game; the plugin fills in a number | at once |
/// | [`PursuitClock`], [`Tactics`] on a pursuit or a map | the game | at once; current steps continue |
/// | [`Caught`] | the plugin; the game removes it | at once: the robber is free. An agent that joins with it is captured |
/// | `Disabled` on an agent | the game | at once: it leaves the game, and returns on its `GridPosition` |
/// | `Disabled` on a map | the game | in the next tick: all agents on it stand still until it is enabled again |
/// | [`NextStep`], [`PlannedPath`], [`PursuitState`], [`Target`], [`TurnClock`], `DesiredMotion` | the plugin | never: it is overwritten |
/// | `Transform` of an agent with `Glide` | the plugin | never, except for the depth `z` |
///
/// A clone of an agent is a new agent: it stands on its `GridPosition`, and plays from the next tick
/// on. Agents that join, leave or change in one tick are processed in an order that depends on their
/// properties, and not on their entities.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PursuitSystems {
    /// Tile changes reach the maps; agents whose path was cut are stopped. Before it: open doors, build
    /// walls, place agents elsewhere.
    Sync,
    /// At the start of a turn agents arrive where they were going. In every tick captures are found and
    /// reported.
    Arrive,
    /// Agents that are due choose: at the start of a turn the cops of a pursuit together, then each
    /// robber, or both sides simultaneously ([`PursuitClock`]). The rest of the budget goes into plans for coming turns.
    /// Before it, and after [`Arrive`](Self::Arrive): steer players with [`AgentControl`]. After it: read [`NextStep`].
    Decide,
}

/// Adds pursuits to an app. Runs in [`FixedUpdate`] by default.
///
/// | added | what |
/// |---|---|
/// | [`PursuitSettings`], [`PursuitDiagnostics`](debug::PursuitDiagnostics) | resources; settings inserted earlier are kept |
/// | [`PursuitSystems`] | system sets, chained |
/// | [`Captured`], [`OutOfReach`], [`WithinReach`], [`Sighted`], [`LostSight`] | events on a robber, for observers |
/// | [`Arrived`], [`NoWay`], [`OrderRefused`] | events on any agent, for observers |
/// | [`MapReady`] | event on a map, for observers |
/// | [`MapChanged`], [`PlanInvalidated`](debug::PlanInvalidated), [`TableStatusChanged`](tables::TableStatusChanged) | messages |
/// | [`TableWorker`](tables::TableWorker) | resource; one inserted earlier is kept |
/// | [`PursuitTable`](tables::PursuitTable), [`PursuitMixedTable`](tables::PursuitMixedTable), [`PursuitShapes`](tables::PursuitShapes), [`PursuitSettings`], [`PursuitLevel`](engine::map::PursuitLevel) | assets with loaders (`.ptab`, `.ptab` of mixed strategies, `.pend`, `.pursuit.ron`, `.level.ron` and `.map`), if Bevy's `AssetPlugin` is there |
///
/// ```
/// use bevy::prelude::*;
/// use bevy_pursuit::prelude::*;
/// App::new().add_plugins((MinimalPlugins, PursuitPlugin::default().in_schedule(Update)));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PursuitPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for PursuitPlugin {
    fn default() -> Self {
        Self {
            schedule: FixedUpdate.intern(),
        }
    }
}

impl PursuitPlugin {
    /// The same plugin in another schedule. A turn then lasts [`PursuitSettings::ticks_per_turn`] runs
    /// of that schedule.
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl PursuitPlugin {
    /// Returns whether runs of the schedule follow the fixed clock, so that frames fall between them.
    fn is_fixed(&self) -> bool {
        [
            FixedFirst.intern(),
            FixedPreUpdate.intern(),
            FixedUpdate.intern(),
            FixedPostUpdate.intern(),
            FixedLast.intern(),
        ]
        .contains(&self.schedule)
    }

    /// Returns whether a frame may contain several runs of the schedule. A custom schedule is assumed
    /// to run inside a fixed one.
    fn may_repeat(&self) -> bool {
        ![
            First.intern(),
            PreUpdate.intern(),
            RunFixedMainLoop.intern(),
            Update.intern(),
            SpawnScene.intern(),
            PostUpdate.intern(),
            Last.intern(),
        ]
        .contains(&self.schedule)
    }
}

impl PursuitPlugin {
    /// Adds the systems of a tick, in order.
    fn add_tick(&self, app: &mut App) {
        use PursuitSystems::{Arrive, Decide, Sync};
        app.configure_sets(self.schedule, (Sync, Arrive, Decide).chain())
            .add_systems(
                self.schedule,
                (
                    (
                        diagnostics::begin_tick,
                        load::share_out,
                        load::build_maps,
                        live_map::begin_tick,
                        table_delivery::deliver_tables,
                    )
                        .chain()
                        .in_set(Sync),
                    (members::carry_over(), order::take_orders, run::arrive)
                        .chain()
                        .in_set(Arrive),
                    (
                        members::carry_over(),
                        run::decide,
                        table_delivery::request_tables,
                        clock::show_clocks,
                        meter::record_overrun,
                        diagnostics::end_tick,
                    )
                        .chain()
                        .in_set(Decide),
                ),
            );
    }
}

impl Plugin for PursuitPlugin {
    fn build(&self, app: &mut App) {
        registry::register_types(app);
        diagnostics::build(app);
        members::build(app);
        on_map::build(app);
        pursuit::build(app);
        app.init_resource::<PursuitSettings>()
            .init_resource::<meter::Reserve>()
            .init_resource::<load::LoadingBudget>()
            .init_resource::<table_worker::TableWorker>()
            .add_message::<MapChanged>()
            .add_message::<PlanInvalidated>()
            .add_message::<TableStatusChanged>()
            .insert_resource(meter::RunsFixed(self.may_repeat()));
        self.add_tick(app);
        table_delivery::build(app, self.schedule, self.is_fixed());
        #[cfg(feature = "tilemap")]
        {
            tilemap::build(app);
            app.add_systems(
                self.schedule,
                (
                    tilemap::find_layers.before(load::share_out),
                    tilemap::sync_tiles
                        .after(load::share_out)
                        .before(load::build_maps),
                    layer_report::report_layers
                        .after(tilemap::sync_tiles)
                        .before(load::build_maps),
                )
                    .in_set(PursuitSystems::Sync)
                    .after(diagnostics::begin_tick),
            );
            layer_geometry::build(app, self.schedule);
        }
        glide::build(app, self.is_fixed());
        motion::build(app, self.schedule);
        misplaced::build(app, self.schedule);
    }

    fn finish(&self, app: &mut App) {
        // Without assets there are no files to load.
        if !app.is_plugin_added::<AssetPlugin>() {
            return;
        }
        level::build(app, self.schedule);
        app.init_resource::<exact_tables::Reloads<PursuitTable>>()
            .init_resource::<exact_tables::Reloads<PursuitMixedTable>>()
            .add_systems(
                First,
                (
                    exact_tables::note_reloads::<PursuitTable>,
                    exact_tables::note_reloads::<PursuitMixedTable>,
                )
                    .after(MessageUpdateSystems),
            )
            .init_asset::<PursuitTable>()
            .init_asset::<PursuitMixedTable>()
            .init_asset::<PursuitShapes>()
            .init_asset::<PursuitSettings>()
            .init_asset::<PursuitLevel>()
            // Handles have a type, which tells the loaders of one ending apart. The last one is for those without.
            .init_asset_loader::<FileLoader<PursuitMixedTable>>()
            .init_asset_loader::<FileLoader<PursuitTable>>()
            .init_asset_loader::<FileLoader<PursuitShapes>>()
            .init_asset_loader::<FileLoader<PursuitSettings>>()
            .init_asset_loader::<FileLoader<PursuitLevel>>()
            .add_systems(
                self.schedule,
                (
                    settings_file::take_settings,
                    exact_tables::supply_tables::<PursuitTable>,
                    exact_tables::supply_tables::<PursuitMixedTable>,
                    exact_tables::note_tables,
                    endgames::share_shapes,
                )
                    .chain()
                    .in_set(PursuitSystems::Sync)
                    .after(load::build_maps)
                    .before(live_map::begin_tick),
            );
    }
}
