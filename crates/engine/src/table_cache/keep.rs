//! Decides which tables stay in memory.

use super::entry::{Entry, Product, TableJob, due_after};
use super::{NoTable, SolveFailure, TableCache, TableEvent, TableKey, TableSettings, TableTiming};
use crate::table::{Estimate, Solution};
use std::mem::discriminant;
use std::sync::Arc;

/// The maximum number of solved tables that are kept, however small they are.
pub(super) const MOST_TABLES: usize = 256;
/// The number of refusals that are remembered, so that each is reported once. Does not include failures.
pub(super) const MOST_REFUSALS: usize = 64;
/// The number of failures that are remembered, so that no work is wasted on them again.
pub(super) const MOST_FAILURES: usize = 1024;
/// The maximum number of spare tables.
const MOST_SPARES: usize = 16;
/// A table of the current map counts as in use if it was used or requested within this number of ticks:
/// about a quarter of a minute.
const IN_USE_TICKS: u64 = 1000;

/// The same in turns, if these are longer: tables are used once in a turn.
const IN_USE_TURNS: u64 = 4;

/// The number of ticks for which a table or a guide counts as in use after it was used. The argument is the length of a
/// turn in ticks.
pub(super) fn ticks_in_use(turn: u32) -> u64 {
    IN_USE_TICKS.max(IN_USE_TURNS * u64::from(turn))
}

impl TableCache {
    /// Changes the settings. Drops requests that they no longer allow, and tables that no longer fit
    /// into memory.
    pub fn set_settings(&mut self, settings: TableSettings) {
        if self.settings == settings {
            return;
        }
        let before = std::mem::replace(&mut self.settings, settings);
        self.refused.clear();
        let pending = self.entries.iter().filter(|entry| !entry.is_kept);
        let pending: Vec<TableKey> = pending.map(|entry| entry.job.key).collect();
        for key in pending {
            let Some(index) = self.entry(&key) else {
                continue;
            };
            let job = &self.entries[index].job;
            let Ok(estimate) = self.allowed_on(&job.arena, key.rules) else {
                self.drop_entry(index);
                continue;
            };
            let due = match settings.timing.delay(&estimate, self.pace) {
                Some(_) if before.timing != TableTiming::WhenReady => continue,
                None if !job.is_missing() => self.tick,
                delay => due_after(self.tick, delay),
            };
            self.entries[index].job.ticks.due = due;
            if settings.timing == TableTiming::WhenReady {
                self.diverge(self.tick);
            }
        }
        self.changed();
        self.settle(self.tick);
        self.make_room();
    }

    /// Brings the cache up to a tick: keeps the tables whose tick has been reached.
    pub(crate) fn settle(&mut self, tick: u64) {
        self.tick = self.tick.max(tick);
        if self.tick < self.next_due {
            return;
        }
        while let Some(index) = self.next_to_keep() {
            let entry = &mut self.entries[index];
            entry.is_kept = true;
            if let Product::Failed(why) = entry.job.product {
                self.fail(index, why);
                continue;
            }
            // A table of another door state is late only when it is looked up before it is delivered.
            let key = entry.job.key;
            let is_missing = entry.job.is_missing();
            let is_missed = is_missing && self.is_current(key.fingerprint);
            if is_missed && matches!(self.settings.timing, TableTiming::Scheduled(_)) {
                self.miss(index);
            } else {
                self.report(TableEvent::Ready { key });
            }
            self.make_room();
        }
        self.changed();
    }

    /// Among the tables whose tick has been reached and that are not yet kept, the one that was due
    /// first.
    fn next_to_keep(&self) -> Option<usize> {
        let entries = self.entries.iter().enumerate();
        let due = entries.filter(|(_, entry)| !entry.is_kept && entry.job.ticks.due <= self.tick);
        let first = due.min_by_key(|(_, entry)| (entry.job.ticks.due, entry.job.key));
        first.map(|(index, _)| index)
    }

    /// Called after any change of the tables.
    pub(super) fn changed(&mut self) {
        let pending = self.entries.iter().filter(|entry| !entry.is_kept);
        // `u64::MAX` is never due.
        let due = pending
            .map(|entry| entry.job.ticks.due)
            .filter(|&due| due < u64::MAX);
        self.next_due = due.min().unwrap_or(u64::MAX);
        self.forget_answers();
    }

    /// Returns whether the table is or will be in use on the current map.
    pub(super) fn is_in_use(&self, entry: &Entry) -> bool {
        self.is_current(entry.job.key.fingerprint)
            && entry.job.ticks.are_recent(self.tick, self.turn)
    }

    /// Drops tables and requests until the others fit into memory.
    pub(super) fn make_room(&mut self) {
        loop {
            let is_full = self.bytes() > self.settings.memory;
            let kept = self.entries.iter().filter(|entry| entry.is_kept).count();
            if !is_full && kept <= MOST_TABLES {
                break;
            }
            let entries = self.entries.iter();
            let first = entries
                .filter(|entry| is_full || entry.is_kept)
                .min_by_key(|entry| (self.is_in_use(entry), entry.job.ticks.used, entry.job.key));
            let Some(index) = first.and_then(|entry| self.entry(&entry.job.key)) else {
                break;
            };
            self.drop_entry(index);
        }
        self.trim_spare();
    }

    /// Drops a table or its request.
    pub(super) fn drop_entry(&mut self, index: usize) {
        let TableJob { key, product, .. } = self.entries.remove(index).job;
        if let Product::Table(solution) = product {
            self.put_aside(solution);
        }
        self.report(TableEvent::Dropped { key });
        self.changed();
    }

    /// Drops a request that has failed.
    pub(super) fn fail(&mut self, index: usize, why: SolveFailure) {
        let key = self.entries.remove(index).job.key;
        self.refuse(key, NoTable::Failed(why));
        self.changed();
    }

    /// Remembers why a table is not solved. Emits an event, unless the same reason was reported for the
    /// same rules in another state of the map.
    pub(super) fn refuse(&mut self, key: TableKey, why: NoTable) {
        let is_alike = |&(of, known): &(TableKey, NoTable)| {
            of.rules == key.rules && discriminant(&known) == discriminant(&why)
        };
        let is_news = !self.refused.iter().any(is_alike);
        match self.refused.iter_mut().find(|(of, _)| *of == key) {
            Some((_, known)) => *known = why,
            None => self.refused.push((key, why)),
        }
        if is_news {
            self.report(TableEvent::Refused { key, why });
        }
        self.forget_refusals();
    }

    /// Forgets the oldest refusals beyond the limits.
    fn forget_refusals(&mut self) {
        let is_failure = |(_, why): &(TableKey, NoTable)| matches!(why, NoTable::Failed(_));
        for (of_failures, most) in [(false, MOST_REFUSALS), (true, MOST_FAILURES)] {
            let alike = self.refused.iter();
            let alike = alike.filter(|refused| is_failure(refused) == of_failures);
            let mut surplus = alike.count().saturating_sub(most);
            self.refused.retain(|refused| {
                let is_gone = surplus > 0 && is_failure(refused) == of_failures;
                surplus -= usize::from(is_gone);
                !is_gone
            });
        }
    }

    /// Keeps a solution as a spare.
    pub(super) fn put_aside(&mut self, solution: Arc<Solution>) {
        let key = TableKey::of(&solution);
        self.spare.retain(|spare| TableKey::of(spare) != key);
        self.spare.push(solution);
        self.trim_spare();
    }

    /// The spare with this key.
    pub(super) fn spare(&self, key: &TableKey) -> Option<usize> {
        let mut spare = self.spare.iter();
        spare.position(|spare| TableKey::of(spare) == *key)
    }

    /// Drops the oldest spares until the rest fits into the memory that is left.
    fn trim_spare(&mut self) {
        let mut room = self.settings.memory.saturating_sub(self.bytes());
        let bytes = |spare: &Arc<Solution>| {
            let estimate = Estimate::new(spare.arena().places(), &spare.rules());
            estimate.map_or(u64::MAX, |estimate| estimate.solution_bytes())
        };
        let fits = |spare: &&Arc<Solution>| {
            let left = room.checked_sub(bytes(spare));
            room = left.unwrap_or(room);
            left.is_some()
        };
        let kept = self.spare.iter().rev().take(MOST_SPARES).take_while(fits);
        let gone = self.spare.len() - kept.count();
        self.spare.drain(..gone);
    }
}
