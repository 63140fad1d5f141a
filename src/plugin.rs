//! The plugin: resources, systems in their order, and loaders.

use crate::asset_file::FileLoader;
use crate::live_map::MapChanged;
use crate::messages::{PlanInvalidated, TableStatusChanged};
use crate::sets::PursuitSystems;
use crate::table_files::PursuitMixedTable;
use crate::table_files::PursuitShapes;
use crate::table_files::PursuitTable;
use crate::{
    blocked, clock, diagnostics, endgames, exact_tables, glide, level, live_map, load, maps,
    members, meter, misplaced, motion, order, pursuit, registry, run, settings_file,
    table_delivery, table_worker,
};
#[cfg(feature = "tilemap")]
use crate::{layer_geometry, layer_report, tile_rules, tilemap};
use bevy::ecs::intern::Interned;
use bevy::ecs::message::MessageUpdateSystems;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;
use pursuit_engine::map::PursuitLevel;
use pursuit_engine::world::PursuitSettings;

/// Adds pursuits to an app. Runs in [`FixedUpdate`] by default.
///
/// | added | what |
/// |---|---|
/// | [`PursuitSettings`], [`PursuitDiagnostics`](super::debug::PursuitDiagnostics) | resources; settings inserted earlier are kept |
/// | [`PursuitSystems`] | system sets, chained |
/// | [`Captured`](super::Captured), [`OutOfReach`](super::OutOfReach), [`WithinReach`](super::WithinReach), [`Sighted`](super::Sighted), [`LostSight`](super::LostSight) | events on a robber, for observers |
/// | [`Arrived`](super::Arrived), [`NoWay`](super::NoWay), [`OrderRefused`](super::OrderRefused) | events on any agent, for observers |
/// | [`GaveUp`](super::GaveUp) | event on a cop, for observers |
/// | [`MapReady`](super::MapReady) | event on a map, for observers |
/// | [`MapChanged`], [`PlanInvalidated`](super::debug::PlanInvalidated), [`TableStatusChanged`](super::tables::TableStatusChanged) | messages |
/// | [`TableWorker`](super::tables::TableWorker) | resource; one inserted earlier is kept |
/// | [`PursuitTable`](super::tables::PursuitTable), [`PursuitMixedTable`](super::tables::PursuitMixedTable), [`PursuitShapes`](super::tables::PursuitShapes), [`PursuitSettings`], [`PursuitLevel`](pursuit_engine::map::PursuitLevel) | assets with loaders (`.ptab`, `.ptab` of mixed strategies, `.pend`, `.pursuit.ron`, `.level.ron` and `.map`), if Bevy's `AssetPlugin` is there |
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
                    (
                        members::carry_over(),
                        (blocked::take_blocked, order::take_orders).chain(),
                        run::arrive,
                    )
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
        maps::build(app);
        pursuit::build(app);
        exact_tables::build(app);
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
            tile_rules::build(app);
            app.add_systems(
                self.schedule,
                (
                    tilemap::find_layers.before(load::share_out),
                    tilemap::sync_tiles
                        .after(load::share_out)
                        .before(load::build_maps),
                    tile_rules::sync_rules
                        .after(tilemap::sync_tiles)
                        .before(load::build_maps),
                    layer_report::report_layers
                        .after(tile_rules::sync_rules)
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
