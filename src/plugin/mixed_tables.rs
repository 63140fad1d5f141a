//! Tables of mixed strategies as assets.

use super::tables::{CachedAssets, SuppliedTable, TableFileError};
use crate::solve::simultaneous::MixedTable;
use crate::table::TableError;
use crate::table_cache::TableKey;
use crate::world::PursuitWorld;
use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::prelude::*;

/// A table of mixed strategies: a `.ptab` file, as written by `pursuit solve --simultaneous`.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PursuitMixedTable(pub MixedTable);

/// The tables of mixed strategies of a map, on the entity of its [`PursuitMap`](super::PursuitMap): there may be
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

/// Loads `.ptab` files with mixed strategies, for handles of [`PursuitMixedTable`].
#[derive(Debug, Default, TypePath)]
pub(super) struct MixedTableLoader;

impl AssetLoader for MixedTableLoader {
    type Asset = PursuitMixedTable;
    type Settings = ();
    type Error = TableFileError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _context: &mut LoadContext<'_>,
    ) -> Result<PursuitMixedTable, TableFileError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(PursuitMixedTable(MixedTable::from_bytes(bytes.into())?))
    }

    fn extensions(&self) -> &[&str] {
        &["ptab"]
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
