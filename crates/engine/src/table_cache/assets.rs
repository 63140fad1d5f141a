//! Tables that the game supplies.

use super::{NoTable, TableCache, TableEvent, TableKey};
use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use crate::solve::simultaneous::MixedTable;
use crate::table::{Arena, CaptureTimes as _, Table, TableError, TableGround};
use std::sync::Arc;

/// The tables of one kind, sorted by key.
#[derive(Debug, Clone)]
pub(super) struct Assets<T>(Vec<Asset<T>>);

/// A table supplied by the game.
#[derive(Debug, Clone)]
pub(super) struct Asset<T> {
    key: TableKey,
    pub(super) table: Arc<T>,
    /// The arena of the map on which it was last used.
    pub(super) arena: Option<Arc<Arena>>,
    /// Whether it numbers the cells as this version does; `None` until that has been checked.
    is_ours: Option<bool>,
}

impl<T> Default for Assets<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Assets<T> {
    fn add(&mut self, key: TableKey, table: Arc<T>) {
        let asset = Asset {
            key,
            table,
            arena: None,
            is_ours: None,
        };
        match self.place(&key) {
            Ok(place) => self.0[place] = asset,
            Err(place) => self.0.insert(place, asset),
        }
    }

    fn remove(&mut self, key: &TableKey) -> bool {
        self.place(key).map(|place| self.0.remove(place)).is_ok()
    }

    fn place(&self, key: &TableKey) -> Result<usize, usize> {
        self.0.binary_search_by_key(key, |asset| asset.key)
    }

    pub(super) fn get(&self, index: usize) -> Option<&Asset<T>> {
        self.0.get(index)
    }

    /// The table with this key, unless it is known to be unusable.
    pub(super) fn usable(&self, key: &TableKey) -> Option<usize> {
        let place = self.place(key).ok()?;
        (self.0[place].is_ours != Some(false)).then_some(place)
    }

    /// Returns whether a table is usable on the map of this arena: whether it `fits`.
    pub(super) fn check(
        &mut self,
        index: usize,
        arena: Arc<Arena>,
        fits: impl Fn(&T, &Arena) -> Result<(), TableError>,
    ) -> bool {
        let asset = &mut self.0[index];
        let is_ours = *(asset.is_ours).get_or_insert_with(|| fits(&asset.table, &arena).is_ok());
        asset.arena = is_ours.then_some(arena);
        is_ours
    }

    /// The arenas of the maps on which the tables were last used.
    pub(super) fn arenas(&self) -> impl Iterator<Item = &Arc<Arena>> {
        self.0.iter().filter_map(|asset| asset.arena.as_ref())
    }
}

impl Assets<Table> {
    /// Returns whether there is a table for these rules with so many places that it may be for a ground, whose arena is not
    /// known. Cost: linear in the tables.
    pub(super) fn may_be_for(&self, ground: &TableGround<'_>, rules: Rules) -> bool {
        let [least, most] = ground.range_of_places();
        let fits = |asset: &Asset<Table>| {
            asset.key.rules == rules && (least..=most).contains(&asset.table.places())
        };
        self.0.iter().any(fits)
    }
}

impl TableCache {
    /// Adds a table of a map, replacing one with the same key. It is used from now on.
    ///
    /// # Errors
    /// [`TableError::Malformed`] if it is not the table of a map. Whether it fits the current map is
    /// checked when it is needed.
    pub fn add_asset(&mut self, table: impl Into<Arc<Table>>) -> Result<TableKey, TableError> {
        let table = table.into();
        let key = key_of(table.is_map(), table.fingerprint(), table.rules())?;
        self.forget_answers();
        self.assets.add(key, table);
        Ok(key)
    }

    /// Removes a table supplied by the game; `false` if there is none.
    pub fn remove_asset(&mut self, key: &TableKey) -> bool {
        self.forget_answers();
        self.assets.remove(key)
    }

    /// Adds a table of mixed strategies, as [`add_asset`](Self::add_asset) adds others.
    pub(crate) fn add_mixed_asset(
        &mut self,
        table: Arc<MixedTable>,
    ) -> Result<TableKey, TableError> {
        let key = key_of(table.is_map(), table.fingerprint(), table.rules())?;
        self.mixed.add(key, table);
        Ok(key)
    }

    /// Removes a table of mixed strategies; `false` if there is none.
    pub(crate) fn remove_mixed_asset(&mut self, key: &TableKey) -> bool {
        self.mixed.remove(key)
    }

    /// The table of mixed strategies for this map and these rules, with the arena of the map.
    pub(crate) fn find_mixed(
        &mut self,
        graph: &Graph,
        rules: Rules,
    ) -> Option<(Arc<MixedTable>, Arc<Arena>)> {
        let key = TableKey::new(graph, rules);
        let index = self.mixed.usable(&key)?;
        let ground = TableGround::from(graph);
        let at = self.look(&ground, rules);
        let arena = self.arena(at, &ground)?;
        let fits = MixedTable::expect_cells;
        if !self.mixed.check(index, Arc::clone(&arena), fits) {
            self.refuse_asset(key);
            return None;
        }
        let asset = self.mixed.get(index)?;
        Some((Arc::clone(&asset.table), arena))
    }

    /// Reports that a table supplied by the game numbers the cells in another order.
    pub(super) fn refuse_asset(&mut self, key: TableKey) {
        let why = NoTable::Foreign;
        self.report(TableEvent::Refused { key, why });
    }
}

/// The key of a table.
///
/// # Errors
/// If it is not the table of a map.
fn key_of(is_map: bool, fingerprint: Fingerprint, rules: Rules) -> Result<TableKey, TableError> {
    let key = is_map.then_some(TableKey { fingerprint, rules });
    key.ok_or_else(TableError::of_no_map)
}
