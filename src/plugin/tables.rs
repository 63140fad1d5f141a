//! Exact tables as assets.

use super::{PursuitDiagnostics, PursuitMap};
use crate::table::{CaptureTimes as _, Table, TableError};
use crate::table_cache::{TableCache, TableKey};
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;
use thiserror::Error;

/// An exact table: a `.ptab` file, as written by `pursuit solve`.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PursuitTable(pub Table);

/// The exact tables of a map, on the entity of its [`PursuitMap`]: there may be several, for door
/// states and numbers of cops. Each is used while its fingerprint matches the map and its rules match a
/// pursuit. A file that changes is reloaded if the app watches its assets.
///
/// If several handles have tables for the same map and rules, the first loaded one in the list is used.
/// When that one goes, the next takes its place.
#[derive(Component, Reflect, Debug, Clone, Default)]
#[reflect(Component, Default)]
#[require(CachedAssets)]
pub struct PursuitTables(pub Vec<Handle<PursuitTable>>);

/// The tables that a map has accepted, with unique keys. Those without a key were rejected.
#[derive(Component, Debug, Default)]
pub(super) struct CachedAssets(Vec<(AssetId<PursuitTable>, Option<TableKey>)>);

/// The reason why a table file is rejected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The content is not a table.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Loads `.ptab` files.
#[derive(Debug, Default, TypePath)]
pub(super) struct TableLoader;

impl AssetLoader for TableLoader {
    type Asset = PursuitTable;
    type Settings = ();
    type Error = TableFileError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<PursuitTable, TableFileError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(PursuitTable(Table::from_bytes(bytes.into())?))
    }

    fn extensions(&self) -> &[&str] {
        &["ptab"]
    }
}

/// Puts loaded tables into the table caches of their maps, and removes tables that have changed or
/// gone.
pub(super) fn cache_tables(
    mut maps: Query<(Ref<PursuitTables>, &mut CachedAssets, &mut PursuitMap)>,
    mut without: Query<(&mut CachedAssets, &mut PursuitMap), Without<PursuitTables>>,
    assets: Res<Assets<PursuitTable>>,
    mut events: MessageReader<AssetEvent<PursuitTable>>,
    mut diagnostics: ResMut<PursuitDiagnostics>,
    mut fresh: Local<Vec<AssetId<PursuitTable>>>,
) {
    diagnostics.time(|_| {
        fresh.clear();
        let mut any = false;
        for event in events.read() {
            any = true;
            if let AssetEvent::Modified { id } = event {
                fresh.push(*id);
            }
        }
        for (tables, mut cached, mut map) in &mut maps {
            let is_new = map.wants_assets();
            if !any && !tables.is_changed() && !is_new {
                continue;
            }
            let Some(world) = map.bypass_change_detection().world_mut() else {
                continue;
            };
            let cache = world.table_cache_mut();
            if is_new {
                cached.0.clear();
            }
            cached.update(&tables.0, &assets, &fresh, cache);
            map.bypass_change_detection().note_assets();
        }
        for (mut cached, mut map) in &mut without {
            let taken = cached.bypass_change_detection().0.drain(..);
            if let Some(world) = map.bypass_change_detection().world_mut() {
                for key in taken.filter_map(|(_, key)| key) {
                    world.table_cache_mut().remove_asset(&key);
                }
            }
        }
    });
}

impl CachedAssets {
    /// Adds the loaded tables of a list, and removes tables that are no longer on it or were reloaded.
    fn update(
        &mut self,
        list: &[Handle<PursuitTable>],
        assets: &Assets<PursuitTable>,
        fresh: &[AssetId<PursuitTable>],
        cache: &mut TableCache,
    ) {
        let mut wanted: Vec<(AssetId<PursuitTable>, TableKey, &Table)> = Vec::new();
        for id in list.iter().map(Handle::id) {
            let Some(PursuitTable(table)) = assets.get(id) else {
                continue;
            };
            let key = TableKey {
                fingerprint: table.fingerprint(),
                rules: table.rules(),
            };
            if !wanted.iter().any(|(_, of, _)| *of == key) {
                wanted.push((id, key, table));
            }
        }
        self.0.retain(|(id, key)| {
            let is_wanted = wanted.iter().any(|(other, ..)| other == id);
            let is_kept = is_wanted && !fresh.contains(id);
            if let (false, Some(key)) = (is_kept, key) {
                cache.remove_asset(key);
            }
            is_kept
        });
        for (id, _, table) in wanted {
            if self.0.iter().any(|(there, _)| *there == id) {
                continue;
            }
            let taken = cache.add_asset(table.clone());
            if let Err(error) = &taken {
                warn!("a table was rejected: {error}");
            }
            self.0.push((id, taken.ok()));
        }
    }
}
