//! The tables of a level: which exist, which are requested, and which are used.

mod entry;
mod event;
mod keep;
mod key;
mod peek;
mod request;
mod saved;
mod settings;
mod work;

pub use event::{NoTable, SolveFailure, TableEvent};
pub(crate) use keep::ticks_in_use;
pub use key::{Origin, TableKey};
pub use request::{TableRequest, TableUrgency};
pub use saved::{SavedMap, SavedTables, TableCacheError};
pub use settings::{TableSchedule, TableSettings, TableTiming, TickPace};
pub use work::TableWork;

use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use crate::table::{Arena, CaptureTimes, Table, TableError};
use entry::{Asset, Entry, Spare};
use std::sync::Arc;

/// The tables of one live map, for all states of its doors.
///
/// The game [supplies](Self::add_asset) some of them. The caller solves the others, on a thread or in
/// slices ([`TableWork`]), once a pursuit [wants](Self::want) them and if the settings allow it. The
/// table cache has no clock and no thread: the caller passes the tick, which never decreases except by
/// [`restore`](Self::restore).
///
/// In each tick, the game changes the map, [delivers](Self::deliver) solved tables, [finds](Self::find)
/// tables or [wants](Self::want) others, and takes [requests](Self::next_request). The game does not
/// wait: a table that is not delivered when its tick is reached is [late](TableEvent::Late). As long as
/// [no table was late](Self::diverged_at), the answers, events and saved states depend only on the calls
/// and their ticks, and not on when requests are taken and delivered. In
/// [lockstep](TableTiming::Lockstep) no table is ever late: after changing the map, the game waits as
/// long as a table is [overdue](Self::overdue).
///
/// Memory: the limit of the settings, plus the memory of solving. While there is room, dropped tables
/// are kept as spares, so that a game that is rolled back does not solve them again.
#[derive(Debug, Clone, Default)]
pub struct TableCache {
    settings: TableSettings,
    /// Sorted by key.
    assets: Vec<Asset>,
    /// Sorted by key.
    entries: Vec<Entry>,
    /// The newest last.
    spare: Vec<Spare>,
    /// The newest last. The last refusals of any kind, and the last failures.
    refused: Vec<(TableKey, NoTable)>,
    events: Vec<TableEvent>,
    /// The latest tick passed by the caller.
    tick: u64,
    /// How fast ticks follow each other.
    pace: TickPace,
    /// The tick from which on answers depend on how fast tables are solved.
    diverged: Option<u64>,
    /// The ticks of a turn.
    turn: u32,
    /// The next tick at which a table is due.
    next_due: u64,
    /// The last known state of the map.
    current: Option<Fingerprint>,
    /// The number of vertex numbers that the map has assigned.
    slots: usize,
    /// The arena of that map, created on first use.
    arena: Option<Arc<Arena>>,
    /// The result of the look-up on that map for each set of rules.
    answers: Vec<(Rules, Lookup)>,
}

/// The table found by a look-up.
#[derive(Debug, Clone, Copy)]
enum Lookup {
    Nothing,
    /// The asset with this index.
    Asset(usize),
    /// The table of the entry with this index.
    Solved(usize),
}

/// A table that may be used, with its arena.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// The values.
    pub times: &'a dyn CaptureTimes,
    /// The arena of the current map.
    pub arena: &'a Arc<Arena>,
    /// Where it comes from.
    pub origin: Origin,
}

impl std::fmt::Debug for Found<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Found")
            .field("fingerprint", &self.times.fingerprint())
            .field("rules", &self.times.rules())
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}

impl TableCache {
    /// An empty table cache.
    #[must_use]
    pub fn new(settings: TableSettings) -> Self {
        Self {
            settings,
            next_due: u64::MAX,
            ..Self::default()
        }
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &TableSettings {
        &self.settings
    }

    /// Sets the pace of ticks from now on, by which tables requested later are scheduled. Earlier
    /// requests keep their schedule, so that their tables may be late after a sudden change of pace.
    pub fn set_pace(&mut self, pace: TickPace) {
        self.pace = pace;
    }

    /// Sets the number of ticks between two look-ups of a table that is in use: those of a turn.
    pub(crate) const fn set_turn(&mut self, ticks: u32) {
        self.turn = ticks;
    }

    /// The tick from which on the run may not be repeatable: a table was late, or tables are used [when
    /// they are ready](TableTiming::WhenReady). `None` as long as the results depend only on the actions
    /// of the game. Saved and restored with the rest of the state.
    #[must_use]
    pub const fn diverged_at(&self) -> Option<u64> {
        self.diverged
    }

    /// Adds a table of a map, replacing one with the same key. It is used from now on.
    ///
    /// # Errors
    /// [`TableError::Malformed`] if it is not the table of a map. Whether it fits the current map is
    /// checked when it is needed.
    pub fn add_asset(&mut self, table: impl Into<Arc<Table>>) -> Result<TableKey, TableError> {
        let table = table.into();
        if !table.is_map() {
            return Err(TableError::of_no_map());
        }
        let key = TableKey {
            fingerprint: table.fingerprint(),
            rules: table.rules(),
        };
        self.remove_asset(&key);
        let place = self.assets.partition_point(|asset| asset.key < key);
        let asset = Asset {
            key,
            table,
            arena: None,
            is_ours: None,
        };
        self.assets.insert(place, asset);
        self.answers.clear();
        Ok(key)
    }

    /// Removes a table supplied by the game; `false` if there is none.
    pub fn remove_asset(&mut self, key: &TableKey) -> bool {
        let place = self.asset(key);
        if let Some(place) = place {
            self.assets.remove(place);
            self.answers.clear();
        }
        place.is_some()
    }

    /// The table for this map and these rules, if there is one that may be used at this tick. Marks
    /// it as used.
    ///
    /// Cost: negligible and without allocation as long as the map and the tables stay the same; linear
    /// in the number of vertices for the first call after a change.
    pub fn find(&mut self, graph: &Graph, rules: &Rules, tick: u64) -> Option<Found<'_>> {
        self.look(graph);
        self.settle(tick);
        let known = self.answers.iter().find(|(of, _)| of == rules);
        let answer = if let Some(&(_, answer)) = known {
            answer
        } else {
            let answer = self.look_up(graph, *rules);
            self.answers.push((*rules, answer));
            answer
        };
        let times: &dyn CaptureTimes = match answer {
            Lookup::Nothing => return None,
            Lookup::Asset(index) => &*self.assets[index].table,
            Lookup::Solved(index) => {
                let entry = &mut self.entries[index];
                entry.used = self.tick;
                &**entry.table()?
            }
        };
        let origin = match answer {
            Lookup::Asset(_) => Origin::Asset,
            _ => Origin::Solved,
        };
        let arena = self.arena.as_ref()?;
        Some(Found {
            times,
            arena,
            origin,
        })
    }

    /// The reason why [`find`](Self::find) finds nothing; `None` if it finds a table. Cost: linear in
    /// the number of tables.
    pub fn why_not(&mut self, graph: &Graph, rules: &Rules, tick: u64) -> Option<NoTable> {
        self.look(graph);
        self.settle(tick);
        let key = TableKey::new(graph, *rules);
        if self.usable_asset(&key).is_some() {
            return None;
        }
        let Some(index) = self.entry(&key) else {
            return Some(
                self.verdict(graph, *rules)
                    .err()
                    .unwrap_or(NoTable::NotAsked),
            );
        };
        let entry = &self.entries[index];
        if entry.is_kept && entry.table().is_some() {
            return None;
        }
        let is_promised = entry.due < u64::MAX && !entry.is_kept;
        let until = is_promised.then_some(entry.due);
        Some(NoTable::Solving { until })
    }

    /// Replaces the map by another [`Graph`], which may number the same cells differently. (Edits of the
    /// same graph need no call.) Drops requests for tables of the previous map.
    pub fn replace_map(&mut self, graph: &Graph) {
        self.renumber();
        let is_gone = |entry: &Entry| !entry.is_kept && !entry.is_of(graph);
        while let Some(index) = self.entries.iter().position(is_gone) {
            self.drop_entry(index);
        }
    }

    /// Vertices may have other numbers.
    fn renumber(&mut self) {
        self.arena = None;
        self.slots = usize::MAX;
    }

    /// The bytes that requested and solved tables take, as counted by the settings.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let entries = self.entries.iter();
        entries.fold(0, |sum, entry| sum.saturating_add(entry.bytes))
    }

    /// The events since the last call, in order. Only about 1,000 are kept, those after them are lost;
    /// restoring a state discards all of them.
    pub fn events(&mut self) -> impl Iterator<Item = TableEvent> + '_ {
        self.events.drain(..)
    }

    fn tell(&mut self, event: TableEvent) {
        const MOST_EVENTS: usize = 1024;
        if self.events.len() < MOST_EVENTS {
            self.events.push(event);
        }
    }

    fn asset(&self, key: &TableKey) -> Option<usize> {
        let place = self.assets.binary_search_by_key(key, |asset| asset.key);
        place.ok()
    }

    /// A table supplied by the game, unless it is known to be unusable.
    fn usable_asset(&self, key: &TableKey) -> Option<usize> {
        let index = self.asset(key)?;
        (self.assets[index].is_ours != Some(false)).then_some(index)
    }

    fn entry(&self, key: &TableKey) -> Option<usize> {
        let place = self.entries.binary_search_by_key(key, |entry| entry.key);
        place.ok()
    }

    /// Records the current state of the map.
    fn look(&mut self, graph: &Graph) {
        // A new vertex does not change the numbers of the others, but the arena has to include it.
        if self.current != Some(graph.fingerprint()) || self.slots != graph.slots() {
            self.current = Some(graph.fingerprint());
            self.slots = graph.slots();
            self.arena = None;
            self.answers.clear();
        }
    }

    /// The arena of the current map: an existing one, or a new one.
    fn arena(&mut self, graph: &Graph) -> Arc<Arena> {
        if let Some(arena) = &self.arena {
            return Arc::clone(arena);
        }
        let of_entries = self.entries.iter().map(|entry| &entry.arena);
        let of_assets = self.assets.iter().filter_map(|asset| asset.arena.as_ref());
        let mut at_hand = of_entries.chain(of_assets);
        let arena = match at_hand.find(|arena| arena.is_of(graph)) {
            Some(arena) => Arc::clone(arena),
            None => Arena::of_map(graph).into(),
        };
        self.arena = Some(Arc::clone(&arena));
        arena
    }

    /// Looks for a table for these rules.
    fn look_up(&mut self, graph: &Graph, rules: Rules) -> Lookup {
        let key = TableKey::new(graph, rules);
        if rules.moves != graph.moves() {
            return Lookup::Nothing;
        }
        if let Some(index) = self.usable_asset(&key) {
            let arena = self.arena(graph);
            let asset = &mut self.assets[index];
            if asset.is_ours.is_none() {
                asset.is_ours = Some(asset.table.expect_arena(&arena).is_ok());
            }
            if asset.is_ours == Some(true) {
                asset.arena = Some(arena);
                return Lookup::Asset(index);
            }
            let why = NoTable::Foreign;
            self.tell(TableEvent::Refused { key, why });
        }
        match self.entry(&key) {
            Some(index) if self.entries[index].is_kept && !self.entries[index].is_missing() => {
                self.entries[index].arena = self.arena(graph);
                Lookup::Solved(index)
            }
            Some(index) => {
                self.miss(index);
                Lookup::Nothing
            }
            None => Lookup::Nothing,
        }
    }

    /// Called when a table that the current map could use is not delivered: checks whether it is late.
    pub(super) fn miss(&mut self, index: usize) {
        let entry = &mut self.entries[index];
        let is_late = entry.is_kept && self.settings.timing != TableTiming::WhenReady;
        if is_late && !std::mem::replace(&mut entry.is_late, true) {
            let key = entry.key;
            self.tell(TableEvent::Late { key });
            self.diverge(self.tick);
        }
    }

    /// Records that the run is not repeatable from this tick on.
    pub(crate) fn diverge(&mut self, tick: u64) {
        self.diverged = Some(self.diverged.map_or(tick, |first| first.min(tick)));
    }
}
