//! The Bevy plugin: components on agents, one component on the map, systems in three sets.
//!
//! The plugin computes nothing. It carries tiles and positions into a
//! [`PursuitWorld`](crate::world::PursuitWorld) and decisions back into components. What the game
//! sees is [`GridPosition`] (where an agent is), [`NextStep`] (where it goes in this turn) and
//! [`PursuitState`] (who decided that and why); moving the body is up to the game, or to [`Glide`]
//! where the map is a tilemap layer.

mod agent;
mod capture;
mod clock;
mod diagnostics;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "tilemap")]
mod glide;
#[cfg(feature = "tilemap")]
mod layer;
mod load;
mod map;
mod members;
mod meter;
mod news;
mod registry;
mod restore;
mod run;
mod settings;
mod settings_file;
mod state;
mod stopwatch;
mod table_delivery;
mod table_worker;
mod tables;
#[cfg(feature = "tilemap")]
mod tilemap;

pub use agent::{
    Control, Cop, GridPosition, NextStep, OnMap, Plan, Pursuit, PursuitSpeed, Robber, Sight,
    TicksPerStep,
};
pub use capture::{Captured, Caught};
pub use clock::TurnClock;
pub use diagnostics::{PursuitDiagnostics, PursuitFigures};
#[cfg(feature = "gizmos")]
pub use gizmos::{PursuitFill, PursuitGizmos, PursuitGizmosPlugin};
#[cfg(feature = "tilemap")]
pub use glide::Glide;
#[cfg(feature = "tilemap")]
pub use layer::{LayerGeometry, LayerGeometryItem};
pub use load::{MapReady, MapStatus};
pub use map::{MapChanged, PursuitMap, TileEdits};
pub use news::{LostSight, OutOfReach, PlanDropped, Sighted, TableNews, TableStatus, WithinReach};
pub use settings_file::{SettingsFile, SettingsFileError};
pub use stopwatch::Stopwatch;
pub use table_worker::{TableJob, TableJobs, TableWorker};
pub use tables::{PursuitTable, PursuitTables, TableFileError};
#[cfg(feature = "tilemap")]
pub use tilemap::Passable;

pub use crate::policy::Source;
pub use crate::table_cache::{TableSchedule, TableSettings, TableTiming};
pub use crate::world::{
    Clock, DecidedBy, Decisions, FreeFor, Idle, PursuitSettings, PursuitState, Reason,
    RobberPlanner, Tactics, TickBudget,
};

use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// What runs when, in this order, once for each run of the plugin's schedule.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PursuitSystems {
    /// Tile changes reach the maps; agents whose way was cut are stopped. Before it: open doors,
    /// build walls, put agents elsewhere.
    Sync,
    /// At the start of a turn agents arrive where they were going. In every tick captures are found
    /// and told.
    Arrive,
    /// Those who are due choose: at the start of a turn the cops of a pursuit together, then each robber.
    /// Then the budget goes into plans for turns to come. Before it, and after [`Arrive`](Self::Arrive): steer players with [`Control`]. After it: read
    /// [`NextStep`].
    Decide,
}

/// Adds chases to an app. Runs in [`FixedUpdate`] unless told otherwise.
///
/// | added | what |
/// |---|---|
/// | [`PursuitSettings`], [`PursuitDiagnostics`] | resources; settings inserted earlier are kept |
/// | [`PursuitSystems`] | system sets, chained |
/// | [`Captured`], [`OutOfReach`], [`WithinReach`], [`Sighted`], [`LostSight`] | events on a robber, for observers |
/// | [`MapReady`] | event on a map, for observers |
/// | [`MapChanged`], [`PlanDropped`], [`TableNews`] | messages |
/// | [`TableWorker`] | resource; one inserted earlier is kept |
/// | [`PursuitTable`], [`PursuitSettings`] | assets with loaders (`.ptab`, `.pursuit.ron`), if Bevy's `AssetPlugin` is there |
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
    /// The same plugin in another schedule. A turn then lasts [`PursuitSettings::ticks_per_turn`]
    /// runs of that schedule.
    #[must_use]
    pub fn in_schedule(self, schedule: impl ScheduleLabel) -> Self {
        Self {
            schedule: schedule.intern(),
        }
    }
}

impl PursuitPlugin {
    /// Do runs of the schedule follow the fixed clock, so that frames fall between them?
    #[cfg(feature = "tilemap")]
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

    /// May several runs of the schedule fall into a frame? A schedule of the game's own is taken to be
    /// run in a fixed one.
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

impl Plugin for PursuitPlugin {
    fn build(&self, app: &mut App) {
        use PursuitSystems::{Arrive, Decide, Sync};
        registry::register_types(app);
        diagnostics::build(app);
        members::build(app);
        app.init_resource::<PursuitSettings>()
            .init_resource::<meter::Reserve>()
            .init_resource::<table_worker::TableWorker>()
            .add_message::<MapChanged>()
            .add_message::<PlanDropped>()
            .add_message::<TableNews>()
            .insert_resource(meter::RunsFixed(self.may_repeat()))
            .add_systems(
                First,
                restore::take_restored.after(diagnostics::begin_frame),
            )
            .configure_sets(self.schedule, (Sync, Arrive, Decide).chain())
            .add_systems(
                self.schedule,
                (
                    (
                        diagnostics::begin_tick,
                        load::share_out,
                        load::build_maps,
                        map::begin_tick,
                        table_delivery::deliver_tables,
                        restore::take_restored,
                        members::sync_members,
                    )
                        .chain()
                        .in_set(Sync),
                    run::arrive.in_set(Arrive),
                    (
                        members::sync_controls,
                        run::decide,
                        table_delivery::request_tables,
                        clock::show_clocks,
                        meter::learn,
                        diagnostics::end_tick,
                    )
                        .chain()
                        .in_set(Decide),
                ),
            );
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
                )
                    .in_set(Sync)
                    .after(diagnostics::begin_tick),
            );
            glide::build(app, self.is_fixed());
        }
    }

    fn finish(&self, app: &mut App) {
        // Without assets there are no files to load.
        if !app.is_plugin_added::<AssetPlugin>() {
            return;
        }
        app.init_asset::<PursuitTable>()
            .init_asset::<PursuitSettings>()
            .init_asset_loader::<tables::TableLoader>()
            .init_asset_loader::<settings_file::SettingsLoader>()
            .add_systems(
                self.schedule,
                (settings_file::take_settings, tables::cache_tables)
                    .chain()
                    .in_set(PursuitSystems::Sync)
                    .after(load::build_maps)
                    .before(map::begin_tick),
            );
    }
}
