//! The state of the cache in a save game.

use super::entry::{Entry, Product, kept_bytes};
use super::keep::{MOST_REFUSALS, MOST_TABLES};
use super::request::MOST_REQUESTS;
use super::{NoTable, TableCache, TableKey, TickPace};
use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use crate::map::{Cell, Moves, Terrain, TileMap};
use crate::table::{Arena, MAX_VERTICES};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;
use thiserror::Error;

/// Everything that a [`TableCache`] knows, but for the values of tables, which can be solved again, and the
/// tables that the game gives. To be written down by serde.
///
/// Cheap to make: maps are shared with the table cache.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTables {
    tick: u64,
    pace: TickPace,
    diverged: Option<u64>,
    current: Option<Fingerprint>,
    maps: Vec<Shared>,
    tables: Vec<SavedTable>,
    refused: Vec<(TableKey, NoTable)>,
}

/// A table, or the request for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedTable {
    /// Which of the maps.
    map: u32,
    fingerprint: Fingerprint,
    rules: Rules,
    begun: u64,
    due: u64,
    used: u64,
}

/// A map that many states share.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shared(Arc<SavedMap>);

impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Shared {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        SavedMap::deserialize(from).map(|map| Self(map.into()))
    }
}

/// Which cells of a map are passable: a bit for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedMap {
    width: u16,
    height: u16,
    /// Row by row, the lowest bit of the first word first.
    passable: Vec<u64>,
}

/// Why a [`SavedTables`] is not restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableCacheError {
    /// More tables or refusals than a table cache can hold.
    #[error("more tables than a table cache can hold: expected at most {expected}, found {found}")]
    TooMany {
        /// How many there can be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A map is not there, has not as many cells as its size says, or has too many.
    #[error("map {map}: expected a map of the size it has, with at most {MAX_VERTICES} free cells")]
    Map {
        /// The number of the map, from 0.
        map: u32,
    },
    /// A table is of another map than it says.
    #[error("table {table} is of another map: expected fingerprint {expected}, found {found}")]
    Foreign {
        /// The number of the table, from 0.
        table: usize,
        /// What the table says.
        expected: Fingerprint,
        /// That of its map.
        found: Fingerprint,
    },
    /// Tables are out of order, or one of them comes twice.
    #[error("table {table}: expected tables in the order of their maps and rules, each once")]
    Order {
        /// The number of the table, from 0.
        table: usize,
    },
    /// A table was used before it was asked for, or later than now.
    #[error("table {table}: expected its ticks in order and none after tick {tick}")]
    Ticks {
        /// The number of the table, from 0.
        table: usize,
        /// The tick at which it was saved.
        tick: u64,
    },
}

impl SavedMap {
    /// The cells of a map as it is now.
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
        }
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// The map again; `None` if there is none like that, or one that no table is for.
    fn graph(&self, moves: Moves) -> Option<Graph> {
        let free: u64 = self
            .passable
            .iter()
            .map(|w| u64::from(w.count_ones()))
            .sum();
        if self.passable.len() as u64 != self.cells().div_ceil(64) || free > MAX_VERTICES as u64 {
            return None;
        }
        let mut map = TileMap::filled(self.width, self.height, Terrain::Wall)?;
        for (word, &bits) in self.passable.iter().enumerate() {
            for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
                let (index, width) = (word * 64 + bit, usize::from(self.width));
                let cell = Cell::new((index % width) as u16, (index / width) as u16);
                if !map.contains(cell) {
                    return None;
                }
                map.set(cell, Terrain::Floor);
            }
        }
        Some(Graph::new(&map, moves))
    }
}

impl SavedTable {
    const fn key(&self) -> TableKey {
        TableKey {
            fingerprint: self.fingerprint,
            rules: self.rules,
        }
    }
}

impl SavedTables {
    /// No tables at this tick, in a run that does not repeat itself any more.
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
    /// What there is to be saved. Linear in the number of tables.
    #[must_use]
    pub fn save(&self) -> SavedTables {
        let mut state = SavedTables {
            tick: self.tick,
            pace: self.pace,
            diverged: self.diverged,
            current: self.current,
            refused: self.refused.clone(),
            ..SavedTables::default()
        };
        for entry in &self.entries {
            let last = state.tables.last();
            // Entries of the same map follow each other.
            if last.is_none_or(|last| last.fingerprint != entry.key.fingerprint) {
                state.maps.push(Shared(Arc::clone(&entry.map)));
            }
            state.tables.push(SavedTable {
                map: state.maps.len() as u32 - 1,
                fingerprint: entry.key.fingerprint,
                rules: entry.key.rules,
                begun: entry.begun,
                due: entry.due,
                used: entry.used,
            });
        }
        state
    }

    /// Goes back, or on, to a state that was saved. From there on everything comes as it came then, if
    /// no table is late and settings and tables of the game are the same.
    ///
    /// Tables that are at hand are used again. The others are requested anew. Those that were in use are
    /// [late](super::TableEvent::Late) as soon as they are looked up, or [overdue](Self::overdue) in
    /// lockstep. Tables that the settings do not allow any more are left out, and
    /// [refused](super::TableEvent::Refused). Cost: linear in the number of tables, and in
    /// the number of cells of each map whose tables are not at hand.
    ///
    /// # Errors
    /// If the state contradicts itself. The table cache is as it was then.
    pub fn restore(&mut self, state: &SavedTables) -> Result<(), TableCacheError> {
        let most = MOST_TABLES + MOST_REQUESTS;
        let lists = [
            (state.tables.len(), most),
            (state.refused.len(), MOST_REFUSALS),
        ];
        for (found, expected) in lists {
            if found > expected {
                return Err(TableCacheError::TooMany { expected, found });
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        let mut banned = Vec::new();
        for (table, saved) in state.tables.iter().enumerate() {
            if table > 0 && state.tables[table - 1].key() >= saved.key() {
                return Err(TableCacheError::Order { table });
            }
            let tick = state.tick;
            if saved.begun > saved.due || saved.begun > saved.used || saved.used > tick {
                return Err(TableCacheError::Ticks { table, tick });
            }
            let (map, arena) = self.ground(state, table, entries.last())?;
            match self.allowed(arena.places(), saved.rules) {
                Ok(estimate) => entries.push(Entry {
                    key: saved.key(),
                    bytes: kept_bytes(&estimate, map.cells()),
                    map,
                    begun: saved.begun,
                    due: saved.due,
                    used: saved.used,
                    is_kept: saved.due <= tick,
                    is_late: false,
                    arena,
                    is_given: false,
                    product: self.product(&saved.key()),
                }),
                Err(why) => banned.push((saved.key(), why)),
            }
        }
        self.replace(state, entries);
        for (key, why) in banned {
            self.refuse(key, why);
        }
        Ok(())
    }

    /// The map and the arena of a saved table: those at hand, or new ones. `before` is the entry of
    /// the table before it.
    fn ground(
        &self,
        state: &SavedTables,
        table: usize,
        before: Option<&Entry>,
    ) -> Result<(Arc<SavedMap>, Arc<Arena>), TableCacheError> {
        let saved = &state.tables[table];
        let map = saved.map;
        let Shared(cells) = state
            .maps
            .get(map as usize)
            .ok_or(TableCacheError::Map { map })?;
        let is_same = |entry: &&Entry| {
            entry.key.fingerprint == saved.fingerprint
                && entry.key.rules.moves == saved.rules.moves
                && (Arc::ptr_eq(&entry.map, cells) || entry.map == *cells)
        };
        let at_hand = self.entries.iter().find(is_same);
        if let Some(entry) = at_hand.or(before.filter(is_same)) {
            return Ok((Arc::clone(&entry.map), Arc::clone(&entry.arena)));
        }
        let graph = cells.graph(saved.rules.moves);
        let graph = graph.ok_or(TableCacheError::Map { map })?;
        if graph.fingerprint() != saved.fingerprint {
            return Err(TableCacheError::Foreign {
                table,
                expected: saved.fingerprint,
                found: graph.fingerprint(),
            });
        }
        Ok((Arc::clone(cells), Arena::of_map(&graph).into()))
    }

    /// The values of a table, if they are at hand.
    fn product(&self, key: &TableKey) -> Product {
        let kept = self
            .entry(key)
            .and_then(|index| self.entries[index].table());
        let spare = self.spare.iter().find(|spare| spare.key == *key);
        let solution = kept.or(spare.map(|spare| &spare.solution));
        solution.map_or(Product::Missing, |solution| {
            Product::Table(Arc::clone(solution))
        })
    }

    /// Puts entries in place of those there are.
    fn replace(&mut self, state: &SavedTables, entries: Vec<Entry>) {
        let before = std::mem::replace(&mut self.entries, entries);
        self.tick = state.tick;
        self.pace = state.pace;
        self.diverged = state.diverged.map(|since| since.min(state.tick));
        self.current = state.current;
        self.refused.clone_from(&state.refused);
        self.events.clear();
        self.renumber();
        let in_use = std::mem::take(&mut self.spare);
        let unused = |key: &TableKey| self.entry(key).is_none();
        let spare = in_use.into_iter().filter(|spare| unused(&spare.key));
        self.spare = spare.collect();
        for entry in before {
            if let (Product::Table(solution), None) = (entry.product, self.entry(&entry.key)) {
                self.put_aside(entry.key, solution);
            }
        }
        self.changed();
        self.make_room();
    }
}
