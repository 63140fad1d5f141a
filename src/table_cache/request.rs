use super::entry::{Entry, Product, kept_bytes};
use super::{NoTable, SavedMap, TableCache, TableEvent, TableKey, TableTiming};
use crate::game::Rules;
use crate::graph::Graph;
use crate::table::{Arena, CaptureTimes as _, Estimate, Solution, SolveError};
use std::sync::Arc;

/// A table to be solved: see [`TableWork`](super::TableWork).
#[derive(Debug, Clone)]
pub struct TableRequest {
    /// Which.
    pub key: TableKey,
    /// What to solve it on.
    pub arena: Arc<Arena>,
    /// The bytes that solving it may take.
    pub limit: u64,
}

/// So many tables are being solved at most. More of them are more door states than anybody can wait
/// for.
pub(super) const MOST_REQUESTS: usize = 16;

impl TableCache {
    /// Says that a pursuit would like a table for this map and these rules; to be called each turn
    /// as long as there is none. The first call asks for it, if the settings allow it and there is
    /// room beside the tables in use.
    ///
    /// Cost: none to speak of, but for the first call on a map: linear in the number of cells.
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

    /// May a table be solved that was not asked for? What that will take, or why not.
    pub(super) fn verdict(&self, graph: &Graph, rules: Rules) -> Result<Estimate, NoTable> {
        let key = TableKey::new(graph, rules);
        if rules.moves != graph.moves() {
            return Err(NoTable::OtherMoves);
        }
        if self.refused.contains(&(key, NoTable::Failed)) {
            return Err(NoTable::Failed);
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

    /// Do the settings allow a table of so many vertices?
    pub(super) fn allowed(&self, vertices: usize, rules: Rules) -> Result<Estimate, NoTable> {
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

    /// Asks for a table.
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
            arena: self.arena(graph),
            is_given: false,
            product,
        };
        let place = self.entries.partition_point(|entry| entry.key < key);
        self.entries.insert(place, entry);
        self.tell(TableEvent::Solving { key, estimate });
        if is_there && self.settings.timing == TableTiming::WhenReady {
            self.entries[place].due = self.tick;
        }
        self.changed();
        self.settle(self.tick);
    }

    /// The tick from which on a table is used that is asked for now. It comes after those of the same
    /// map and before those of others, which have to wait for it.
    fn schedule(&mut self, key: &TableKey, estimate: &Estimate) -> u64 {
        let Some(delay) = self.settings.timing.delay(estimate) else {
            return u64::MAX;
        };
        let mut start = self.tick;
        for entry in self.entries.iter_mut().filter(|entry| !entry.is_kept) {
            if entry.key.fingerprint == key.fingerprint {
                start = start.max(entry.due);
            } else {
                entry.due = entry.due.saturating_add(delay);
            }
        }
        // All of eternity is for tables that nobody can tell the time of.
        start.saturating_add(delay).min(u64::MAX - 1)
    }

    /// A table to be solved by somebody else, each given out once: those of the map as it is, the
    /// oldest first; then those of other states of its doors, the newest first.
    pub fn next_request(&mut self, graph: &Graph) -> Option<TableRequest> {
        let waiting = self.entries.iter_mut();
        let waiting = waiting.filter(|entry| entry.is_missing() && !entry.is_given);
        let next = waiting.min_by_key(|entry| {
            let is_gone = !entry.is_of(graph);
            let age = if is_gone { !entry.begun } else { entry.begun };
            (is_gone, age, entry.key)
        })?;
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

    /// Is somebody still waiting for this table to be solved?
    #[must_use]
    pub fn is_wanted(&self, key: &TableKey) -> bool {
        self.entry(key)
            .is_some_and(|index| self.entries[index].is_missing())
    }

    /// Whoever has taken a request will not solve it: it is given out again.
    pub fn give_back(&mut self, key: &TableKey) {
        if let Some(index) = self.entry(key) {
            self.entries[index].is_given = false;
        }
    }

    /// Takes what has come of a request, whenever it is done.
    ///
    /// In a repeatable game it is used as soon as its tick has come, else from now on. What nobody waits
    /// for any more is kept out of sight if there is room. A table that could not be solved is not asked
    /// for again until the settings change.
    pub fn deliver(&mut self, key: &TableKey, result: Result<Solution, SolveError>, tick: u64) {
        let is_right = |solution: &Solution| {
            solution.fingerprint() == key.fingerprint && solution.rules() == key.rules
        };
        let solution = result.ok().filter(is_right).map(Arc::new);
        let Some(index) = self.entry(key) else {
            if let Some(solution) = solution {
                self.put_aside(*key, solution);
            }
            return;
        };
        let entry = &mut self.entries[index];
        if !entry.is_missing() {
            return;
        }
        entry.product = solution.map_or(Product::Failed, Product::Table);
        if !entry.is_kept && self.settings.timing == TableTiming::WhenReady {
            entry.due = self.tick.max(tick);
            self.changed();
            self.settle(tick);
        } else if entry.is_kept && matches!(entry.product, Product::Failed) {
            self.fail(index);
        }
        self.answers.clear();
    }

    /// A table of this map whose tick has come and that nobody has delivered. In a repeatable game
    /// the caller waits for it, after the edits of the tick and before anything else is asked at this
    /// tick. Never one otherwise.
    #[must_use]
    pub fn overdue(&self, graph: &Graph, tick: u64) -> Option<TableKey> {
        if self.settings.timing == TableTiming::WhenReady {
            return None;
        }
        let late = |entry: &&Entry| entry.is_missing() && entry.due <= tick && entry.is_of(graph);
        let late = self.entries.iter().filter(late);
        let late = late.filter(|entry| self.usable_asset(&entry.key).is_none());
        let first = late.min_by_key(|entry| (entry.due, entry.key));
        first.map(|entry| entry.key)
    }
}
