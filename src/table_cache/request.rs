//! Requests for tables and their delivery.

use super::entry::{Entry, Product, kept_bytes};
use super::{NoTable, SavedMap, SolveFailure, TableCache, TableEvent, TableKey, TableTiming};
use crate::game::Rules;
use crate::graph::Graph;
use crate::table::{Arena, CaptureTimes as _, Estimate, Solution, SolveError};
use std::cmp::Reverse;
use std::sync::Arc;

/// A table to be solved: see [`TableWork`](super::TableWork).
#[derive(Debug, Clone)]
pub struct TableRequest {
    /// The key of the table.
    pub key: TableKey,
    /// The places to solve it on.
    pub arena: Arc<Arena>,
    /// The limit in bytes for solving it.
    pub limit: u64,
}

/// The maximum number of pending requests. Tables of more door states would not be solved in time
/// anyway.
pub(super) const MOST_REQUESTS: usize = 16;

impl TableCache {
    /// Reports that a pursuit could use a table for this map and these rules. Call it in each turn as
    /// long as there is none. The first call creates a request, if the settings allow it and the table
    /// fits into memory together with the tables in use. Its memory counts from then on: other tables
    /// and requests are dropped if there is no room for them besides.
    ///
    /// Cost: negligible, except for the first call on a map, which is linear in the number of cells.
    pub fn want(&mut self, graph: &Graph, rules: &Rules, tick: u64) {
        self.look(graph);
        self.settle(tick);
        let key = TableKey::new(graph, *rules);
        if let Some(index) = self.entry(&key) {
            self.entries[index].used = self.tick;
            return;
        }
        if self.usable_asset(&key).is_some() {
            return;
        }
        match self.verdict(graph, *rules) {
            Ok(estimate) => self.begin(graph, key, estimate),
            Err(NoTable::Busy) => {}
            Err(why) => self.refuse(key, why),
        }
    }

    /// The estimate for a table that was not requested, or why it may not be solved.
    pub(super) fn verdict(&self, graph: &Graph, rules: Rules) -> Result<Estimate, NoTable> {
        let key = TableKey::new(graph, rules);
        if rules.moves != graph.moves() {
            return Err(NoTable::OtherMoves);
        }
        let failed = self.refused.iter().find_map(|&(of, why)| match why {
            NoTable::Failed(why) if of == key => Some(why),
            _ => None,
        });
        if let Some(why) = failed {
            return Err(NoTable::Failed(why));
        }
        let cells = u64::from(graph.width()) * u64::from(graph.height());
        let estimate = self.allowed(graph.vertices(), rules)?;
        let memory = self.settings.memory;
        let in_use = self.entries.iter().filter(|entry| self.is_in_use(entry));
        let bytes = kept_bytes(&estimate, cells);
        let needed = in_use.fold(bytes, |sum, entry| sum.saturating_add(entry.bytes));
        if needed > memory {
            return Err(NoTable::NoRoom {
                needed,
                allowed: memory,
            });
        }
        let is_current = |entry: &&Entry| !entry.is_kept && entry.is_of(graph);
        if self.entries.iter().filter(is_current).count() >= MOST_REQUESTS {
            return Err(NoTable::Busy);
        }
        Ok(estimate)
    }

    /// The estimate for a table with this number of vertices, or why the settings do not allow it.
    pub(crate) fn allowed(&self, vertices: usize, rules: Rules) -> Result<Estimate, NoTable> {
        let settings = &self.settings;
        if !settings.solve {
            return Err(NoTable::Off);
        }
        let too_large = |needed| NoTable::TooLarge {
            needed,
            allowed: settings.max_bytes,
        };
        let estimate = Estimate::new(vertices, &rules).map_err(|error| match error {
            SolveError::TooManyVertices { vertices } => NoTable::TooManyVertices { vertices },
            _ => too_large(u64::MAX),
        })?;
        if estimate.bytes > settings.max_bytes {
            return Err(too_large(estimate.bytes));
        }
        let needed = (estimate.seconds * 1000.0).ceil() as u64;
        if needed > settings.max_milliseconds.into() {
            return Err(NoTable::TooSlow {
                needed,
                allowed: settings.max_milliseconds,
            });
        }
        Ok(estimate)
    }

    /// Creates a request for a table.
    fn begin(&mut self, graph: &Graph, key: TableKey, estimate: Estimate) {
        let pending = self.entries.iter().filter(|entry| !entry.is_kept);
        let forgotten = (pending.clone().count() >= MOST_REQUESTS)
            .then(|| pending.filter(|entry| !entry.is_of(graph)))
            .and_then(|gone| gone.min_by_key(|entry| (entry.used, entry.key)))
            .map(|entry| entry.key);
        if let Some(index) = forgotten.and_then(|key| self.entry(&key)) {
            self.drop_entry(index);
        }
        let due = self.schedule(&key, &estimate);
        let spare = self.spare.iter().position(|spare| spare.key == key);
        let product = match spare {
            Some(index) => Product::Table(self.spare.remove(index).solution),
            None => Product::Missing,
        };
        let same_map = self.entries.iter().find(|entry| entry.is_of(graph));
        let map = match same_map {
            Some(entry) => Arc::clone(&entry.map),
            None => SavedMap::of(graph).into(),
        };
        let is_there = matches!(product, Product::Table(_));
        let entry = Entry {
            key,
            bytes: kept_bytes(&estimate, map.cells()),
            map,
            begun: self.tick,
            due,
            used: self.tick,
            is_kept: false,
            is_late: false,
            arena: self.arena(graph),
            is_given: false,
            product,
        };
        let place = self.entries.partition_point(|entry| entry.key < key);
        self.entries.insert(place, entry);
        self.tell(TableEvent::Solving { key, estimate });
        if self.settings.timing == TableTiming::WhenReady {
            self.diverge(self.tick);
            if is_there {
                self.entries[place].due = self.tick;
            }
        }
        self.changed();
        self.make_room();
        self.settle(self.tick);
    }

    /// The tick from which on a table requested now will be used. The table comes after earlier ones of
    /// the same map state, and before those of other states, which are delayed.
    fn schedule(&mut self, key: &TableKey, estimate: &Estimate) -> u64 {
        let Some(delay) = self.settings.timing.delay(estimate, self.pace) else {
            return u64::MAX;
        };
        let mut start = self.tick;
        for entry in self.entries.iter_mut().filter(|entry| !entry.is_kept) {
            if entry.key.fingerprint == key.fingerprint {
                start = start.max(entry.due);
            } else {
                entry.due = entry.due.saturating_add(delay).min(u64::MAX - 1);
            }
        }
        // `u64::MAX` is reserved for tables that are used as soon as they are solved.
        start.saturating_add(delay).min(u64::MAX - 1)
    }

    /// The ticks after which a guide requested now will be used; `None` means as soon as it is solved. Guides are
    /// solved after the tables that have been requested so far.
    pub(crate) fn delay_of_guide(&self, estimate: &Estimate, tick: u64) -> Option<u64> {
        let delay = self.settings.timing.delay(estimate, self.pace)?;
        let pending = self.entries.iter().filter(|entry| !entry.is_kept);
        let last = pending.map(|entry| entry.due).max().unwrap_or(0);
        Some(last.saturating_sub(tick).saturating_add(delay))
    }

    /// A table for the caller to solve. Each request is handed out once, the most [urgent](TableUrgency)
    /// first.
    pub fn next_request(&mut self, graph: &Graph) -> Option<TableRequest> {
        let tick = self.tick;
        let waiting = self.entries.iter_mut();
        let waiting = waiting.filter(|entry| entry.is_missing() && !entry.is_given);
        let next = waiting.min_by_key(|entry| (TableUrgency::of(entry, graph, tick), entry.key))?;
        next.is_given = true;
        let (key, arena) = (next.key, Arc::clone(&next.arena));
        let estimate = Estimate::new(arena.places(), &key.rules).ok();
        let bytes = estimate.map_or(0, |estimate| estimate.bytes);
        Some(TableRequest {
            key,
            arena,
            limit: bytes.max(self.settings.max_bytes),
        })
    }

    /// Returns whether this table still has to be solved.
    #[must_use]
    pub fn is_wanted(&self, key: &TableKey) -> bool {
        self.entry(key)
            .is_some_and(|index| self.entries[index].is_missing())
    }

    /// Returns a request that was handed out but will not be solved. It will be handed out again.
    pub fn give_back(&mut self, key: &TableKey) {
        if let Some(index) = self.entry(key) {
            self.entries[index].is_given = false;
        }
    }

    /// The urgency of the next [request](Self::next_request); `None` if there is none.
    #[must_use]
    pub fn next_urgency(&self, graph: &Graph) -> Option<TableUrgency> {
        let waiting = self.entries.iter();
        let waiting = waiting.filter(|entry| entry.is_missing() && !entry.is_given);
        let urgency = waiting.map(|entry| TableUrgency::of(entry, graph, self.tick));
        urgency.min()
    }

    /// The current urgency of a table that is being solved; `None` if it is no longer
    /// [wanted](Self::is_wanted).
    #[must_use]
    pub fn urgency(&self, graph: &Graph, key: &TableKey) -> Option<TableUrgency> {
        let entry = &self.entries[self.entry(key)?];
        entry
            .is_missing()
            .then(|| TableUrgency::of(entry, graph, self.tick))
    }

    /// Accepts the result of a request, at any time.
    ///
    /// A table that is not late is used from its tick on, a late one from now on. A table that is no
    /// longer wanted is kept as a spare if there is room. A table that could not be solved is not
    /// requested again until the settings change.
    pub fn deliver(&mut self, key: &TableKey, result: Result<Solution, SolveFailure>, tick: u64) {
        let is_right = |solution: &Solution| {
            solution.fingerprint() == key.fingerprint && solution.rules() == key.rules
        };
        let product = match result {
            Ok(solution) if is_right(&solution) => Product::Table(solution.into()),
            Ok(_) => Product::Failed(SolveFailure::Mistaken),
            Err(why) => Product::Failed(why),
        };
        let Some(index) = self.entry(key) else {
            if let Product::Table(solution) = product {
                self.put_aside(*key, solution);
            }
            return;
        };
        let entry = &mut self.entries[index];
        if !entry.is_missing() {
            return;
        }
        entry.product = product;
        if !entry.is_kept {
            if self.settings.timing == TableTiming::WhenReady {
                entry.due = self.tick.max(tick);
                self.changed();
                self.settle(tick);
            }
        } else if let Product::Failed(why) = entry.product {
            // If it had failed in time, it would have made room then.
            if entry.due < tick {
                self.diverge(tick);
            }
            self.fail(index, why);
        } else if std::mem::take(&mut entry.is_late) {
            self.tell(TableEvent::Ready { key: *key });
        }
        self.answers.clear();
    }

    /// In [lockstep](TableTiming::Lockstep), a table of this map whose tick has been reached and that
    /// has not been delivered. The caller has to wait for it, after the edits of the tick and before any
    /// other call in this tick. Always `None` with other timings.
    #[must_use]
    pub fn overdue(&self, graph: &Graph, tick: u64) -> Option<TableKey> {
        if !matches!(self.settings.timing, TableTiming::Lockstep(_)) {
            return None;
        }
        let late = |entry: &&Entry| entry.is_missing() && entry.due <= tick && entry.is_of(graph);
        let late = self.entries.iter().filter(late);
        let late = late.filter(|entry| self.usable_asset(&entry.key).is_none());
        let first = late.min_by_key(|entry| (entry.due, entry.key));
        first.map(|entry| entry.key)
    }
}

/// The urgency of solving a table. The smallest value comes first, also among the tables of several
/// maps. Tables for the current state of a map come first, ordered by the tick at which they are or were
/// due, then those of other door states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableUrgency {
    is_elsewhere: bool,
    /// The number of ticks left.
    left: i64,
    /// The tick of the request. Among tables that are used as soon as they are solved, the first request
    /// comes first; among those of former door states, the last one.
    begun: Result<u64, Reverse<u64>>,
}

impl TableUrgency {
    /// That of a guide: after all tables.
    pub(crate) fn of_guide(begun: u64, due: u64, tick: u64) -> Self {
        let number = |tick: u64| i64::try_from(tick).unwrap_or(i64::MAX);
        Self {
            is_elsewhere: true,
            left: number(due).saturating_sub(number(tick)),
            begun: Ok(begun),
        }
    }

    fn of(entry: &Entry, graph: &Graph, tick: u64) -> Self {
        let is_elsewhere = !entry.is_of(graph);
        let number = |tick: u64| i64::try_from(tick).unwrap_or(i64::MAX);
        Self {
            is_elsewhere,
            left: number(entry.due).saturating_sub(number(tick)),
            begun: if is_elsewhere {
                Err(Reverse(entry.begun))
            } else {
                Ok(entry.begun)
            },
        }
    }
}
