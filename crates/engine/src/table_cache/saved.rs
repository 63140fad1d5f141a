//! The state of the cache in a saved game.

use super::entry::{Entry, Product, SolvedPart, TableJob, Ticks, estimate_on};
use super::guides::{Guides, SavedGuides};
use super::keep::{MOST_FAILURES, MOST_REFUSALS, MOST_TABLES};
use super::look::{GroundName, Look, MOST_LOOKS, SavedLook};
use super::request::MOST_REQUESTS;
use super::{NoTable, TableCache, TableKey, TickPace};
use crate::abstraction::Maintenance;
use crate::graph::{Fingerprint, Graph};
use crate::map::{MapRules, Moves, Terrain, TileMap};
use crate::table::{Arena, MAX_VERTICES};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// The state of a [`TableCache`], for serde. Without the values of tables, which can be solved again,
/// and without the tables supplied by the game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTables {
    tick: u64,
    pace: TickPace,
    diverged: Option<u64>,
    current: Vec<SavedLook>,
    maps: Vec<SavedMap>,
    tables: Vec<SavedTable>,
    refused: Vec<(TableKey, NoTable)>,
    guides: SavedGuides,
}

/// A table, or its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedTable {
    /// The index of its map.
    map: u32,
    key: TableKey,
    ground: GroundName,
    ticks: Ticks,
}

/// A map: its passable cells, one bit per cell, and its rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedMap {
    width: u16,
    height: u16,
    /// Row by row, the lowest bit of the first word first.
    passable: Vec<u64>,
    /// What the map says besides its passable cells.
    rules: MapRules,
}

/// The reason why a [`SavedTables`] cannot be restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableCacheError {
    /// More tables or refusals than a table cache can hold.
    #[error("more tables than a table cache can hold: expected at most {expected}, found {found}")]
    TooMany {
        /// The maximum.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// A map is missing, has too many cells, or a number of cells that does not match its size.
    #[error("map {map}: expected a map of the size it has, with at most {MAX_VERTICES} free cells")]
    Map {
        /// The index of the map.
        map: u32,
    },
    /// The fingerprint of a table does not match its map.
    #[error("table {table} is of another map: expected fingerprint {expected}, found {found}")]
    Foreign {
        /// The index of the table.
        table: usize,
        /// The fingerprint in the table.
        expected: Fingerprint,
        /// The fingerprint of its map.
        found: Fingerprint,
    },
    /// Tables are out of order or duplicate.
    #[error("table {table}: expected tables in the order of their maps and rules, each once")]
    Order {
        /// The index of the table.
        table: usize,
    },
    /// A table was used before it was requested, or after the tick of the save.
    #[error("table {table}: expected its ticks in order and none after tick {tick}")]
    Ticks {
        /// The index of the table.
        table: usize,
        /// The tick of the save.
        tick: u64,
    },
    /// Tables of parts of a map do not belong to the map, or are of a later tick.
    #[error("expected tables of parts of the map, requested before the save")]
    Guides,
}

impl SavedMap {
    /// The cells of the current map.
    pub(super) fn of(graph: &Graph) -> Self {
        let cells = usize::from(graph.width()) * usize::from(graph.height());
        let mut passable = vec![0; cells.div_ceil(64)];
        for vertex in graph.iter() {
            let index = graph.cell_index(graph.cell(vertex));
            passable[index / 64] |= 1 << (index % 64);
        }
        Self {
            width: graph.width(),
            height: graph.height(),
            passable,
            rules: graph.rules(),
        }
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Rebuilds the arena of a ground of the map; `None` if the map is invalid or cannot have tables.
    fn arena(&self, moves: Moves, ground: GroundName) -> Option<Arena> {
        let map = self.tiles()?;
        let [cops, robber] = ground.walkers();
        let of_robber = Graph::of_walker(&map, moves, robber);
        let of_cops = (cops != robber).then(|| Graph::of_walker(&map, moves, cops));
        let of_cops = of_cops.as_ref().unwrap_or(&of_robber);
        let graph_of = |walker| if walker == cops { of_cops } else { &of_robber };
        Arena::of_ground(ground.on(graph_of)).ok()
    }

    fn tiles(&self) -> Option<TileMap> {
        let free: u64 = self
            .passable
            .iter()
            .map(|w| u64::from(w.count_ones()))
            .sum();
        if self.passable.len() as u64 != self.cells().div_ceil(64) || free > MAX_VERTICES as u64 {
            return None;
        }
        let mut map = TileMap::filled(self.width, self.height, Terrain::Wall)?;
        for (index, cell) in map.cells().enumerate() {
            if self.passable[index / 64] >> (index % 64) & 1 == 1 {
                map.set(cell, Terrain::Floor);
            }
        }
        map.rules_mut().clone_from(&self.rules);
        Some(map)
    }
}

impl SavedTables {
    /// A state without tables at this tick, in a run that is not repeatable.
    #[must_use]
    pub fn none(tick: u64) -> Self {
        Self {
            tick,
            diverged: Some(tick),
            ..Self::default()
        }
    }
}

impl TableCache {
    /// The state to be saved. Cost: linear in the number of tables.
    #[must_use]
    pub fn save(&self) -> SavedTables {
        let mut state = SavedTables {
            tick: self.tick,
            pace: self.pace,
            diverged: self.diverged,
            current: self.looks.iter().filter_map(Look::save).collect(),
            refused: self.refused.clone(),
            guides: self.guides.save(),
            ..SavedTables::default()
        };
        for entry in &self.entries {
            let last = state.tables.last();
            // Entries of the same map are consecutive.
            let TableJob {
                key, ground, ticks, ..
            } = entry.job;
            if last.is_none_or(|last| last.key.fingerprint != key.fingerprint) {
                state.maps.push(SavedMap::clone(&entry.map));
            }
            let map = state.maps.len() as u32 - 1;
            state.tables.push(SavedTable {
                map,
                key,
                ground,
                ticks,
            });
        }
        state
    }

    /// Restores a saved state. From there on everything repeats, if no table is late and the settings
    /// and the game's tables are the same.
    ///
    /// Tables in memory are used again, the others are requested anew. Tables that were in use are then
    /// [late](super::TableEvent::Late) as soon as they are looked up, or [overdue](Self::overdue) in
    /// lockstep. Tables that the settings no longer allow stay in use if they are in memory. Otherwise they are left
    /// out and [refused](super::TableEvent::Refused), and a run in which they were in use is no longer
    /// [repeatable](Self::diverged_at). Cost: linear in the number of tables, and in the number of
    /// cells of each map whose tables are not in memory.
    ///
    /// Guides are left out: they need the map.
    ///
    /// # Errors
    /// If the state contradicts itself. The table cache then stays unchanged.
    pub fn restore(&mut self, state: &SavedTables) -> Result<(), TableCacheError> {
        let lists = [
            (state.tables.len(), MOST_TABLES + MOST_REQUESTS),
            (state.refused.len(), MOST_REFUSALS + MOST_FAILURES),
            (state.current.len(), MOST_LOOKS),
        ];
        for (found, expected) in lists {
            if found > expected {
                return Err(TableCacheError::TooMany { expected, found });
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        let mut banned = Vec::new();
        for (table, saved) in state.tables.iter().enumerate() {
            if table > 0 && state.tables[table - 1].key >= saved.key {
                return Err(TableCacheError::Order { table });
            }
            let tick = state.tick;
            if !saved.ticks.are_sound(tick) {
                return Err(TableCacheError::Ticks { table, tick });
            }
            let (map, arena) = self.ground(state, table, entries.last())?;
            match self.restored(state, saved, map, arena) {
                Ok(entry) => entries.push(entry),
                Err(why) => banned.push((saved.key, saved.ticks.due <= tick, why)),
            }
        }
        self.replace(state, entries);
        for (key, was_in_use, why) in banned {
            if was_in_use {
                self.diverge(self.tick);
            }
            self.refuse(key, why);
        }
        Ok(())
    }

    /// The same, with the guides of the map.
    pub(crate) fn restore_on(
        &mut self,
        state: &SavedTables,
        graph: &Graph,
        maintenance: &Maintenance,
    ) -> Result<(), TableCacheError> {
        let guides = (self.guides).restored(&state.guides, graph, maintenance, state.tick);
        let guides = guides.ok_or(TableCacheError::Guides)?;
        self.restore(state)?;
        self.guides = guides;
        Ok(())
    }

    /// A saved table, or the reason why the settings no longer allow it.
    fn restored(
        &self,
        state: &SavedTables,
        saved: &SavedTable,
        map: Arc<SavedMap>,
        arena: Arc<Arena>,
    ) -> Result<Entry, NoTable> {
        let SavedTable {
            key, ground, ticks, ..
        } = *saved;
        let product = self.product(&key);
        let is_at_hand = matches!(product, Product::Table(_));
        // The tables that exist stay in use, as in a game that has changed its settings and goes on.
        let estimate = match self.allowed_on(&arena, key.rules) {
            Err(_) if ticks.due <= state.tick && is_at_hand => {
                estimate_on(&arena, key.rules).map_err(|_| NoTable::Off)
            }
            allowed => allowed,
        }?;
        let delay = self.settings.timing.delay(&estimate, state.pace);
        let ticks = ticks.restored(state.tick, delay, is_at_hand);
        let job = TableJob::new(SolvedPart::Map, key, arena, ticks, product).on(ground);
        Ok(Entry::new(job, map, &estimate, state.tick))
    }

    /// The map and the arena of a saved table: existing ones, or new ones. `before` is the entry of the
    /// previous table.
    fn ground(
        &self,
        state: &SavedTables,
        table: usize,
        before: Option<&Entry>,
    ) -> Result<(Arc<SavedMap>, Arc<Arena>), TableCacheError> {
        let saved = &state.tables[table];
        let map = saved.map;
        let cells = state
            .maps
            .get(map as usize)
            .ok_or(TableCacheError::Map { map })?;
        let is_same = |entry: &&Entry| {
            entry.job.key.fingerprint == saved.key.fingerprint
                && entry.job.key.rules.moves == saved.key.rules.moves
                && *entry.map == *cells
        };
        let at_hand = self.entries.iter().find(is_same);
        if let Some(entry) = at_hand.or(before.filter(is_same)) {
            return Ok((Arc::clone(&entry.map), Arc::clone(&entry.job.arena)));
        }
        let arena = cells.arena(saved.key.rules.moves, saved.ground);
        let arena = arena.ok_or(TableCacheError::Map { map })?;
        if arena.fingerprint() != saved.key.fingerprint {
            return Err(TableCacheError::Foreign {
                table,
                expected: saved.key.fingerprint,
                found: arena.fingerprint(),
            });
        }
        Ok((cells.clone().into(), arena.into()))
    }

    /// The values of a table, if they are in memory.
    fn product(&self, key: &TableKey) -> Product {
        let kept = self
            .entry(key)
            .and_then(|index| self.entries[index].job.table());
        let spare = self.spare(key).map(|index| &self.spare[index]);
        let solution = kept.or(spare).map(Arc::clone);
        solution.map_or(Product::Missing, Product::Table)
    }

    /// Replaces all entries.
    fn replace(&mut self, state: &SavedTables, entries: Vec<Entry>) {
        let before = std::mem::replace(&mut self.entries, entries);
        self.tick = state.tick;
        self.pace = state.pace;
        self.diverged = state.diverged.map(|since| since.min(state.tick));
        self.looks = state.current.iter().map(Look::restored).collect();
        self.refused.clone_from(&state.refused);
        self.events.clear();
        self.renumber();
        self.guides = Guides::default();
        let mut spare = std::mem::take(&mut self.spare);
        spare.retain(|spare| self.entry(&TableKey::of(spare)).is_none());
        self.spare = spare;
        for Entry { job, .. } in before {
            if let (Product::Table(solution), None) = (job.product, self.entry(&job.key)) {
                self.put_aside(solution);
            }
        }
        self.changed();
        self.make_room();
    }
}
