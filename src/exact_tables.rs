//! Tables as assets: exact ones, and how maps get tables of either kind.

use crate::live_map::LiveMap;
use crate::table_files::{PursuitMixedTable, PursuitTable};
use crate::table_list::{PursuitTables, TableHandle};
use crate::work_timer::WorkTimer;
use bevy::ecs::entity_disabling::Disabled;
use bevy::ecs::query::Allow;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use pursuit_engine::table::{CaptureTimes as _, TableError};
use pursuit_engine::table_cache::TableKey;
use pursuit_engine::world::PursuitWorld;

/// A kind of table that a map gets from files.
pub(super) trait SuppliedTable: Asset + Sized {
    /// The handle of a table of this kind.
    fn handle(of: &TableHandle) -> Option<&Handle<Self>>;

    /// The game that the table is for.
    fn key(&self) -> TableKey;

    /// Gives the table to a world.
    fn give(&self, world: &mut PursuitWorld) -> Result<TableKey, TableError>;

    /// Takes a table back.
    fn take_back(world: &mut PursuitWorld, key: &TableKey);
}

impl SuppliedTable for PursuitTable {
    fn handle(of: &TableHandle) -> Option<&Handle<Self>> {
        match of {
            TableHandle::Exact(handle) => Some(handle),
            _ => None,
        }
    }

    fn key(&self) -> TableKey {
        TableKey {
            fingerprint: self.0.fingerprint(),
            rules: self.0.rules(),
        }
    }

    fn give(&self, world: &mut PursuitWorld) -> Result<TableKey, TableError> {
        world.table_cache_mut().add_asset(self.0.clone())
    }

    fn take_back(world: &mut PursuitWorld, key: &TableKey) {
        world.table_cache_mut().remove_asset(key);
    }
}

/// The tables of one kind that a map has accepted.
#[derive(Component, Debug)]
pub(super) struct CachedAssets<T: SuppliedTable> {
    /// With unique keys, and how often each asset had been reloaded. Those without a key were rejected.
    tables: Vec<(AssetId<T>, u32, Option<TableKey>)>,
    /// Assets that were on the list and not loaded.
    missing: Vec<AssetId<T>>,
    /// The number of events about assets that it accounts for.
    events: Option<u64>,
}

impl<T: SuppliedTable> Default for CachedAssets<T> {
    fn default() -> Self {
        Self {
            tables: Vec::new(),
            missing: Vec::new(),
            events: None,
        }
    }
}

/// Counts the events about the tables of one kind, also while the game lets the plugin rest or a map is disabled.
#[derive(Resource, Debug)]
pub(super) struct Reloads<T: SuppliedTable> {
    of: HashMap<AssetId<T>, u32>,
    events: u64,
}

impl<T: SuppliedTable> Default for Reloads<T> {
    fn default() -> Self {
        Self {
            of: HashMap::default(),
            events: 0,
        }
    }
}

impl<T: SuppliedTable> Reloads<T> {
    fn of(&self, id: AssetId<T>) -> u32 {
        self.of.get(&id).copied().unwrap_or(0)
    }
}

pub(super) fn build(app: &mut App) {
    app.register_required_components::<PursuitTables, CachedAssets<PursuitTable>>()
        .register_required_components::<PursuitTables, CachedAssets<PursuitMixedTable>>();
}

/// Counts the events of a frame.
pub(super) fn note_reloads<T: SuppliedTable>(
    mut events: MessageReader<AssetEvent<T>>,
    mut reloads: ResMut<Reloads<T>>,
) {
    for event in events.read() {
        reloads.events += 1;
        match *event {
            AssetEvent::Modified { id } => *reloads.of.entry(id).or_default() += 1,
            // The id of an asset that is gone is not used again.
            AssetEvent::Removed { id } => {
                reloads.of.remove(&id);
            }
            _ => {}
        }
    }
}

/// Gives loaded tables of one kind to the worlds of their maps, and takes back tables that have changed or gone. Includes
/// disabled maps, which would otherwise miss a change of their list.
pub(super) fn supply_tables<T: SuppliedTable>(
    mut maps: Query<(Ref<PursuitTables>, &mut CachedAssets<T>, &mut LiveMap), Allow<Disabled>>,
    mut without: Query<
        (&mut CachedAssets<T>, &mut LiveMap),
        (Without<PursuitTables>, Allow<Disabled>),
    >,
    assets: Res<Assets<T>>,
    reloads: Res<Reloads<T>>,
    timer: WorkTimer,
) {
    timer.time(|| {
        for (tables, mut cached, mut map) in &mut maps {
            let is_new = map.wants_assets();
            let is_known = cached.events == Some(reloads.events);
            if is_known && !tables.is_changed() && !is_new {
                continue;
            }
            let Some(world) = map.bypass_change_detection().world_mut() else {
                continue;
            };
            if is_new {
                cached.tables.clear();
            }
            cached.events = Some(reloads.events);
            cached.update(&tables.0, &assets, &reloads, world);
        }
        for (mut cached, mut map) in &mut without {
            let taken = cached.bypass_change_detection().tables.drain(..);
            if let Some(world) = map.bypass_change_detection().world_mut() {
                for key in taken.filter_map(|(.., key)| key) {
                    T::take_back(world, &key);
                }
            }
        }
    });
}

/// Notes that new worlds have been given the tables of all kinds.
pub(super) fn note_tables(mut maps: Query<&mut LiveMap, Allow<Disabled>>) {
    for mut map in &mut maps {
        map.bypass_change_detection().note_assets();
    }
}

impl<T: SuppliedTable> CachedAssets<T> {
    /// Adds the loaded tables of a list, and removes tables that are no longer on it or were reloaded.
    fn update(
        &mut self,
        list: &[TableHandle],
        assets: &Assets<T>,
        reloads: &Reloads<T>,
        world: &mut PursuitWorld,
    ) {
        let mut wanted: Vec<(AssetId<T>, TableKey, &T)> = Vec::new();
        // When these come depends on the disk.
        let mut late = std::mem::take(&mut self.missing);
        for id in list.iter().filter_map(T::handle).map(Handle::id) {
            let Some(table) = assets.get(id) else {
                self.missing.push(id);
                continue;
            };
            let key = table.key();
            if !wanted.iter().any(|(_, of, _)| *of == key) {
                wanted.push((id, key, table));
            }
        }
        self.tables.retain(|(id, reloaded, key)| {
            let is_wanted = wanted.iter().any(|(other, ..)| other == id);
            let is_kept = is_wanted && *reloaded == reloads.of(*id);
            late.extend((is_wanted && !is_kept).then_some(*id));
            if let (false, Some(key)) = (is_kept, key) {
                T::take_back(world, key);
            }
            is_kept
        });
        for (id, _, table) in wanted {
            if self.tables.iter().any(|(there, ..)| *there == id) {
                continue;
            }
            let taken = table.give(world);
            if let Err(error) = &taken {
                warn!("a table was rejected: {error}");
            }
            if taken.is_ok() && late.contains(&id) {
                world.note_late_file();
            }
            self.tables.push((id, reloads.of(id), taken.ok()));
        }
    }
}
