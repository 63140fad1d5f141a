//! Requests for tables and their delivery.

use super::entry::{
    Entry, Product, SolvedPart, TableJob, Ticks, due_after, estimate_on, kept_bytes,
};
use super::look::{GroundName, Look};
use super::{NoTable, SavedMap, SolveFailure, TableCache, TableEvent, TableKey, TableTiming};
use crate::game::Rules;
use crate::graph::Graph;
use crate::table::{Arena, Estimate, Solution, SolveError, TableGround};
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
    /// Reports that a pursuit could use a table for this ground of the map and these rules. Call it in each turn as
    /// long as there is none. The first call creates a request, if the settings allow it and the table
    /// fits into memory together with the tables in use. Its memory counts from then on: other tables
    /// and requests are dropped if there is no room for them besides.
    ///
    /// Cost: negligible, except for the first call on a map, which is linear in the number of cells.
    pub fn request<'g>(&mut self, ground: impl Into<TableGround<'g>>, rules: &Rules, tick: u64) {
        let ground = ground.into();
        let at = self.look(&ground, *rules);
        self.settle(tick);
        let Some(key) = self.key_at(at, *rules) else {
            // Without an arena, the table is known by the robber's graph.
            let key = TableKey::new(ground.robber, *rules);
            self.refuse(key, self.why_none_at(at, &ground, *rules));
            return;
        };
        if let Some(index) = self.entry(&key) {
            self.entries[index].job.ticks.used = self.tick;
            return;
        }
        if self.assets.usable(&key).is_some() {
            return;
        }
        match self.verdict(at, &ground, *rules) {
            Ok(estimate) => self.begin(at, &ground, key, estimate),
            Err(NoTable::Busy) => {}
            Err(why) => self.refuse(key, why),
        }
    }

    /// The estimate for a table that was not requested, or why it may not be solved.
    pub(super) fn verdict(
        &self,
        at: usize,
        ground: &TableGround<'_>,
        rules: Rules,
    ) -> Result<Estimate, NoTable> {
        let graph = ground.robber;
        let key = self.key_at(at, rules);
        let key = key.ok_or_else(|| self.why_none_at(at, ground, rules))?;
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
        let estimate = match &self.looks[at].arena {
            Some(arena) => self.allowed_on(arena, rules),
            None => self.allowed(graph.vertices(), rules),
        }?;
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
        let is_of_map = |entry: &Entry| self.is_current(entry.job.key.fingerprint);
        let is_current = |entry: &&Entry| !entry.is_kept && is_of_map(entry);
        if self.entries.iter().filter(is_current).count() >= MOST_REQUESTS {
            return Err(NoTable::Busy);
        }
        Ok(estimate)
    }

    /// The estimate for a table with this number of vertices, or why the settings do not allow it.
    pub(super) fn allowed(&self, vertices: usize, rules: Rules) -> Result<Estimate, NoTable> {
        self.allow(Estimate::new(vertices, &rules))
    }

    /// The same for a table on an arena.
    pub(super) fn allowed_on(&self, arena: &Arena, rules: Rules) -> Result<Estimate, NoTable> {
        self.allow(estimate_on(arena, rules))
    }

    fn allow(&self, estimate: Result<Estimate, SolveError>) -> Result<Estimate, NoTable> {
        let settings = &self.settings;
        if !settings.solve {
            return Err(NoTable::Off);
        }
        let too_large = |needed| NoTable::TooLarge {
            needed,
            allowed: settings.max_bytes,
        };
        let estimate = estimate.map_err(|error| match error {
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
    fn begin(&mut self, at: usize, ground: &TableGround<'_>, key: TableKey, estimate: Estimate) {
        let Some(arena) = self.arena(at, ground) else {
            return;
        };
        let pending = self.entries.iter().filter(|entry| !entry.is_kept);
        let forgotten = (pending.clone().count() >= MOST_REQUESTS)
            .then(|| pending.filter(|entry| !self.is_current(entry.job.key.fingerprint)))
            .and_then(|gone| gone.min_by_key(|entry| (entry.job.ticks.used, entry.job.key)))
            .map(|entry| entry.job.key);
        if let Some(index) = forgotten.and_then(|key| self.entry(&key)) {
            self.drop_entry(index);
        }
        let due = self.schedule(&key, &estimate);
        let product = self.spare(&key).map_or(Product::Missing, |index| {
            Product::Table(self.spare.remove(index))
        });
        let mut entries = self.entries.iter();
        let same_map = entries.find(|entry| entry.job.key.fingerprint == key.fingerprint);
        let map = match same_map {
            Some(entry) => Arc::clone(&entry.map),
            None => SavedMap::of(&ground.base()).into(),
        };
        let ticks = Ticks {
            due,
            ..Ticks::of_request(self.tick, None)
        };
        let job = TableJob::new(SolvedPart::Map, key, arena, ticks, product);
        let job = job.on(GroundName::of(ground));
        let entry = Entry::new(job, map, &estimate, self.tick);
        let place = self.entries.partition_point(|entry| entry.job.key < key);
        self.entries.insert(place, entry);
        self.report(TableEvent::Solving { key, estimate });
        if self.settings.timing == TableTiming::WhenReady {
            self.diverge(self.tick);
            let job = &mut self.entries[place].job;
            if !job.is_missing() {
                job.ticks.due = self.tick;
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
        let looks = &self.looks;
        for Entry { job, .. } in self.entries.iter_mut().filter(|entry| !entry.is_kept) {
            let fingerprint = job.key.fingerprint;
            let is_current = looks
                .iter()
                .any(|look| look.fingerprint == Some(fingerprint));
            if is_current || fingerprint == key.fingerprint {
                start = start.max(job.ticks.due);
            } else {
                job.ticks.due = due_after(job.ticks.due, Some(delay));
            }
        }
        due_after(start, Some(delay))
    }

    /// All tables, of the map and of its parts.
    fn jobs(&self) -> impl Iterator<Item = &TableJob> {
        let of_parts = self.guides.list.iter().map(|guide| &guide.job);
        self.entries.iter().map(|entry| &entry.job).chain(of_parts)
    }

    /// The same, with the grounds of the current map.
    fn jobs_mut(&mut self) -> (impl Iterator<Item = &mut TableJob>, &[Look]) {
        let of_parts = self.guides.list.iter_mut().map(|guide| &mut guide.job);
        let of_map = self.entries.iter_mut().map(|entry| &mut entry.job);
        (of_map.chain(of_parts), &self.looks)
    }

    /// The tables with this key that still have to be solved: a level and a retract may be the same graph.
    fn missing(&self, key: &TableKey) -> impl Iterator<Item = &TableJob> {
        let jobs = self.jobs();
        jobs.filter(move |job| job.key == *key && job.is_missing())
    }

    /// A table for the caller to solve. Each request is handed out once, the most [urgent](TableUrgency)
    /// first.
    pub fn next_request(&mut self, graph: &Graph) -> Option<TableRequest> {
        let (tick, most) = (self.tick, self.settings.max_bytes);
        let (jobs, looks) = self.jobs_mut();
        let waiting = jobs.filter(|job| job.is_waiting());
        let next = waiting.min_by_key(|job| job.urgency(graph, looks, tick))?;
        next.is_given = true;
        let (key, arena) = (next.key, Arc::clone(&next.arena));
        let estimate = estimate_on(&arena, key.rules).ok();
        let bytes = estimate.map_or(0, |estimate| estimate.bytes);
        Some(TableRequest {
            key,
            arena,
            limit: bytes.max(most),
        })
    }

    /// Returns whether this table still has to be solved.
    #[must_use]
    pub fn is_wanted(&self, key: &TableKey) -> bool {
        self.missing(key).next().is_some()
    }

    /// Returns a request that was handed out but will not be solved. It will be handed out again.
    pub fn give_back(&mut self, key: &TableKey) {
        for job in self.jobs_mut().0.filter(|job| job.key == *key) {
            job.is_given = false;
        }
    }

    /// The urgency of the next [request](Self::next_request); `None` if there is none.
    #[must_use]
    pub fn next_urgency(&self, graph: &Graph) -> Option<TableUrgency> {
        let waiting = self.jobs().filter(|job| job.is_waiting());
        let urgency = |job: &TableJob| job.urgency(graph, &self.looks, self.tick).0;
        waiting.map(urgency).min()
    }

    /// The current urgency of a table that is being solved; `None` if it is no longer
    /// [wanted](Self::is_wanted).
    #[must_use]
    pub fn urgency(&self, graph: &Graph, key: &TableKey) -> Option<TableUrgency> {
        let missing = self.missing(key);
        let urgency = |job: &TableJob| job.urgency(graph, &self.looks, self.tick).0;
        missing.map(urgency).min()
    }

    /// Accepts the result of a request, at any time.
    ///
    /// A table that is not late is used from its tick on, a late one from now on. A table that is no
    /// longer wanted is kept as a spare if there is room. A table that could not be solved is not
    /// requested again until the settings change.
    pub fn deliver(&mut self, key: &TableKey, result: Result<Solution, SolveFailure>, tick: u64) {
        let product = Product::of(key, result);
        let is_of_part = self.deliver_guide(key, &product, tick);
        let Some(index) = self.entry(key) else {
            if let (Product::Table(solution), false) = (product, is_of_part) {
                self.put_aside(solution);
            }
            return;
        };
        let Entry {
            job,
            is_kept,
            is_late,
            ..
        } = &mut self.entries[index];
        if !job.is_missing() {
            return;
        }
        job.product = product;
        if !*is_kept {
            if self.settings.timing == TableTiming::WhenReady {
                job.ticks.due = self.tick.max(tick);
                self.changed();
                self.settle(tick);
            }
        } else if let Product::Failed(why) = job.product {
            // If it had failed in time, it would have made room then.
            if job.ticks.due < tick {
                self.diverge(tick);
            }
            self.fail(index, why);
        } else if std::mem::take(is_late) {
            self.report(TableEvent::Ready { key: *key });
        }
        self.forget_answers();
    }

    /// In [lockstep](TableTiming::Lockstep), a table of this map whose tick has been reached and that
    /// has not been delivered. The caller has to wait for it, after the edits of the tick and before any
    /// other call in this tick. Always `None` with other timings.
    #[must_use]
    pub fn overdue(&self, graph: &Graph, tick: u64) -> Option<TableKey> {
        let is_awaited = |job: &&TableJob| match job.part {
            // The graphs of other grounds are not known here, so that the game waits for each of their tables.
            SolvedPart::Map => {
                let is_wanted = job.is_of(graph) || !job.ground.is_own();
                is_wanted && self.assets.usable(&job.key).is_none()
            }
            SolvedPart::Level(_) | SolvedPart::Retract(_) => true,
        };
        let late = self.jobs().filter(|job| job.is_overdue(tick));
        let first = late
            .filter(is_awaited)
            .min_by_key(|job| job.urgency(graph, &self.looks, tick))?;
        matches!(self.settings.timing, TableTiming::Lockstep(_)).then_some(first.key)
    }
}

/// The urgency of solving a table. The smallest value comes first, also among the tables of several
/// maps. Tables for the current state of a map come first, ordered by the tick at which they are or were
/// due, then those of other door states, then those of parts of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableUrgency {
    place: RequestedFor,
    /// The number of ticks left.
    left: i64,
    /// The tick of the request. Among tables that are used as soon as they are solved, the first request
    /// comes first; among those of former door states, the last one.
    begun: Result<u64, Reverse<u64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RequestedFor {
    Here,
    Elsewhere,
    Part,
}

impl TableUrgency {
    /// `is_here`: whether the table is for the current state of the map.
    pub(super) fn of(job: &TableJob, is_here: bool, tick: u64) -> Self {
        let place = match job.part {
            SolvedPart::Map if is_here => RequestedFor::Here,
            SolvedPart::Map => RequestedFor::Elsewhere,
            SolvedPart::Level(_) | SolvedPart::Retract(_) => RequestedFor::Part,
        };
        let Ticks { begun, due, .. } = job.ticks;
        let number = |tick: u64| i64::try_from(tick).unwrap_or(i64::MAX);
        Self {
            place,
            left: number(due).saturating_sub(number(tick)),
            begun: match place {
                RequestedFor::Elsewhere => Err(Reverse(begun)),
                RequestedFor::Here | RequestedFor::Part => Ok(begun),
            },
        }
    }
}
