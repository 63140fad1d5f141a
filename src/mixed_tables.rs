//! Tables of mixed strategies as assets.

use super::asset_file::AssetFile;
use super::tables::{CachedAssets, SuppliedTable, TableFileError};
use bevy::prelude::*;
use pursuit_engine::solve::simultaneous::MixedTable;
use pursuit_engine::table::TableError;
use pursuit_engine::table_cache::TableKey;
use pursuit_engine::world::PursuitWorld;

/// A table of mixed strategies: a `.ptab` file, as written by `pursuit solve --simultaneous`.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PursuitMixedTable(pub MixedTable);

/// The tables of mixed strategies of a map, on the entity of its [`LiveMap`](super::LiveMap): there may be
/// several, for door states and numbers of cops. Pursuits on the clock
/// [`Simultaneous`](super::PursuitClock::Simultaneous) draw their moves from the one whose fingerprint matches the
/// map and whose rules match the pursuit. Otherwise as [`PursuitTables`](super::PursuitTables).
///
/// Draws follow from [`PursuitSettings::seed`](super::PursuitSettings::seed). A game that does not repeat takes another
/// seed each time.
#[derive(Component, Reflect, Debug, Clone, Default)]
#[reflect(Component, Default)]
#[require(CachedAssets<PursuitMixedTable>)]
pub struct PursuitMixedTables(pub Vec<Handle<PursuitMixedTable>>);

impl AssetFile for PursuitMixedTable {
    type Error = TableFileError;

    const EXTENSIONS: &'static [&'static str] = &["ptab"];

    fn from_file(bytes: Vec<u8>) -> Result<Self, TableFileError> {
        Ok(Self(MixedTable::from_bytes(bytes.into())?))
    }
}

impl SuppliedTable for PursuitMixedTable {
    type List = PursuitMixedTables;

    fn list(list: &PursuitMixedTables) -> &[Handle<Self>] {
        &list.0
    }

    fn key(&self) -> TableKey {
        TableKey {
            fingerprint: self.0.fingerprint(),
            rules: self.0.rules(),
        }
    }

    fn give(&self, world: &mut PursuitWorld) -> Result<TableKey, TableError> {
        world.add_mixed_table(self.0.clone())
    }

    fn take_back(world: &mut PursuitWorld, key: &TableKey) {
        world.remove_mixed_table(key);
    }
}
