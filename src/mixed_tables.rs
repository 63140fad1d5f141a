//! Tables of mixed strategies as assets.

use crate::exact_tables::SuppliedTable;
use crate::table_files::PursuitMixedTable;
use crate::table_list::TableHandle;
use bevy::prelude::*;
use pursuit_engine::table::TableError;
use pursuit_engine::table_cache::TableKey;
use pursuit_engine::world::PursuitWorld;

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
