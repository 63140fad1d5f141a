//! Tables of mixed strategies as assets.

use crate::asset_file::AssetFile;
use crate::exact_tables::{SuppliedTable, TableFileError};
use crate::table_list::TableHandle;
use bevy::prelude::*;
use pursuit_engine::solve::simultaneous::MixedTable;
use pursuit_engine::table::TableError;
use pursuit_engine::table_cache::TableKey;
use pursuit_engine::world::PursuitWorld;

/// A table of mixed strategies: a `.ptab` file, as written by `pursuit solve --simultaneous`.
#[derive(Asset, TypePath, Debug, Clone)]
pub struct PursuitMixedTable(pub MixedTable);

impl AssetFile for PursuitMixedTable {
    type Error = TableFileError;

    const EXTENSIONS: &'static [&'static str] = &["ptab"];

    fn from_file(bytes: Vec<u8>) -> Result<Self, TableFileError> {
        Ok(Self(MixedTable::from_bytes(bytes.into())?))
    }
}

impl SuppliedTable for PursuitMixedTable {
    fn handle(of: &TableHandle) -> Option<&Handle<Self>> {
        match of {
            TableHandle::Mixed(handle) => Some(handle),
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
        world.add_mixed_table(self.0.clone())
    }

    fn take_back(world: &mut PursuitWorld, key: &TableKey) {
        world.remove_mixed_table(key);
    }
}
