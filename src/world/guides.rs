//! Guides of the live map: exact tables of abstract levels, used where the map itself has no table.

use crate::abstraction::{Hierarchy, Lineage, Maintenance};
use crate::game::Rules;
use crate::graph::{Graph, Network as _};
use crate::policy::Guide;
use crate::table::{Arena, CaptureTimes as _, Estimate, Solution};
use crate::table_cache::{
    SolveFailure, TableCache, TableKey, TableRequest, TableTiming, TableUrgency,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The greatest number of guides that a world keeps, each for different rules.
const MOST_GUIDES: usize = 4;

/// A guide that nobody has used for this number of ticks may be replaced.
const IN_USE_TICKS: u64 = 1000;

/// The time that the settings allow for a table is divided by this number for a guide, because edits of the map
/// invalidate guides.
const SHARE_OF_TIME: f64 = 4.0;

/// After an edit, the map has to stay unchanged for this multiple of the time that solving may take.
const PAUSE: u64 = 4;

/// The pause after an edit, in ticks, if the settings fix no tick for the first use of a guide.
const LONGEST_PAUSE: u64 = 256;

/// The guides of the current map.
///
/// An edit of the map may change the groups of the abstraction and therefore invalidates all guides. A guide is
/// requested again when a robber or a pair of cops needs one.
#[derive(Debug, Default)]
pub(super) struct Guides {
    entries: Vec<Entry>,
    /// The tick of the last edit of the map.
    changed: Option<u64>,
}

/// A guide, or a request for one.
#[derive(Debug, Clone)]
struct Entry {
    saved: SavedGuide,
    key: TableKey,
    arena: Arc<Arena>,
    /// Whether the request has been handed out to the caller.
    is_given: bool,
    product: Product,
}

#[derive(Debug, Clone)]
enum Product {
    Missing,
    Solved(Guide),
    Failed,
}

/// A guide or a request in a saved game. The values are not saved, since they can be solved again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedGuide {
    rules: Rules,
    /// The level of the abstraction that is solved, and the lineage of the abstraction.
    level: u8,
    lineage: Lineage,
    /// The tick of the request, and the first tick in which the guide is used.
    begun: u64,
    due: u64,
    /// The last tick in which the guide was used or needed.
    used: u64,
}

/// The guides of a saved game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedGuides {
    changed: Option<u64>,
    guides: Vec<SavedGuide>,
}

impl Guides {
    /// Discards all guides, because the map has changed in this tick.
    pub(super) fn clear(&mut self, tick: u64) {
        self.entries.clear();
        self.changed = Some(tick);
    }

    /// The guide for these rules, if it may be used in this tick. Requests one if there is none.
    ///
    /// `coarsest`: the coarsest level that is of use.
    pub(super) fn find(
        &mut self,
        hierarchy: &Hierarchy,
        cache: &mut TableCache,
        (rules, coarsest): (Rules, usize),
        tick: u64,
    ) -> Option<&Guide> {
        let same = |entry: &Entry| entry.saved.rules == rules;
        let Some(index) = self.entries.iter().position(same) else {
            self.request(hierarchy, cache, (rules, coarsest), tick);
            return None;
        };
        let entry = &mut self.entries[index];
        entry.saved.used = tick;
        if entry.is_missing() && entry.saved.due <= tick {
            cache.diverge(tick);
        }
        entry.usable(tick)
    }

    /// The guide for these rules, if there is one that may be used in this tick.
    pub(super) fn ready(&self, rules: Rules, tick: u64) -> Option<&Guide> {
        let mut entries = self.entries.iter();
        entries
            .find(|entry| entry.saved.rules == rules)?
            .usable(tick)
    }

    /// Requests the finest level that the settings allow, none coarser than `coarsest`.
    ///
    /// After an edit, the map first has to stay unchanged for four times as long as solving may take. This limits
    /// the time spent on guides that the next edit invalidates.
    fn request(
        &mut self,
        hierarchy: &Hierarchy,
        cache: &mut TableCache,
        (rules, coarsest): (Rules, usize),
        tick: u64,
    ) {
        let mut replaced = None;
        if self.entries.len() >= MOST_GUIDES {
            replaced = self.entries.iter().position(|entry| entry.is_unused(tick));
            if replaced.is_none() {
                return;
            }
        }
        let kept = self.entries.iter().enumerate();
        let kept = kept.filter(|&(index, _)| Some(index) != replaced);
        let in_use: u64 = kept.map(|(_, entry)| entry.bytes()).sum();
        let room = cache.settings().memory.saturating_sub(cache.bytes());
        let fits = |level: usize| {
            let network = hierarchy.level(level).filter(|level| level.edges() > 0)?;
            let estimate = cache.allowed(network.slots(), rules).ok()?;
            let bytes = estimate.solution_bytes().saturating_add(in_use);
            let milliseconds = estimate.seconds * 1000.0 * SHARE_OF_TIME;
            let is_quick = milliseconds <= f64::from(cache.settings().max_milliseconds);
            (bytes <= room && is_quick).then_some((level, estimate))
        };
        let Some((level, estimate)) = (1..=coarsest).find_map(fits) else {
            return;
        };
        let delay = cache.delay_of_guide(&estimate, tick);
        let unchanged = self.changed.map_or(u64::MAX, |changed| tick - changed);
        if unchanged < delay.map_or(LONGEST_PAUSE, |delay| PAUSE.saturating_mul(delay)) {
            return;
        }
        if delay.is_none() {
            cache.diverge(tick);
        }
        let due = delay.map_or(u64::MAX, |delay| {
            tick.saturating_add(delay).min(u64::MAX - 1)
        });
        let saved = SavedGuide {
            rules,
            level: level as u8,
            lineage: hierarchy.lineage(),
            begun: tick,
            due,
            used: tick,
        };
        if let Some(index) = replaced {
            self.entries.remove(index);
        }
        self.entries.extend(Entry::new(hierarchy, saved));
    }

    /// The next level for the caller to solve. Each request is handed out once.
    pub(super) fn next_request(&mut self, limit: u64) -> Option<TableRequest> {
        let entry = self.entries.iter_mut().find(|entry| entry.is_waiting())?;
        entry.is_given = true;
        let (key, arena) = (entry.key, Arc::clone(&entry.arena));
        Some(TableRequest { key, arena, limit })
    }

    /// The urgency of the next request.
    pub(super) fn next_urgency(&self, tick: u64) -> Option<TableUrgency> {
        let entry = self.entries.iter().find(|entry| entry.is_waiting())?;
        Some(entry.urgency(tick))
    }

    /// The urgency of a level that is being solved; `None` if it is no longer needed.
    pub(super) fn urgency(&self, key: &TableKey, tick: u64) -> Option<TableUrgency> {
        let entry = self.entries.iter().find(|entry| entry.key == *key)?;
        entry.is_missing().then(|| entry.urgency(tick))
    }

    /// In lockstep, the level that has to be delivered before this tick can continue.
    pub(super) fn overdue(&self, timing: TableTiming, tick: u64) -> Option<TableKey> {
        let is_late = |entry: &&Entry| entry.is_missing() && entry.saved.due <= tick;
        let late = self.entries.iter().find(is_late)?;
        matches!(timing, TableTiming::Lockstep(_)).then_some(late.key)
    }

    /// Accepts the result of a request. Returns the result if the request was not for a guide.
    pub(super) fn deliver(
        &mut self,
        key: &TableKey,
        result: Result<Solution, SolveFailure>,
        tick: u64,
    ) -> Option<Result<Solution, SolveFailure>> {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == *key) else {
            return Some(result);
        };
        if !entry.is_missing() {
            return None;
        }
        let saved = &mut entry.saved;
        entry.product = match result {
            Ok(solution) if solution.fingerprint() == key.fingerprint => {
                let level = saved.level.into();
                Product::Solved(Guide::of_solution(level, saved.lineage, solution))
            }
            _ => Product::Failed,
        };
        if saved.due == u64::MAX {
            saved.due = tick;
        }
        None
    }

    /// Takes back a request that was handed out. Returns `false` if it was not for a guide.
    pub(super) fn give_back(&mut self, key: &TableKey) -> bool {
        let entry = self.entries.iter_mut().find(|entry| entry.key == *key);
        entry.map(|entry| entry.is_given = false).is_some()
    }

    pub(super) fn save(&self) -> SavedGuides {
        SavedGuides {
            changed: self.changed,
            guides: self.entries.iter().map(|entry| entry.saved).collect(),
        }
    }

    /// Checks the entries of a saved state. Guides that are still in memory are reused; the others are
    /// requested again.
    ///
    /// # Errors
    /// If a guide does not belong to this map.
    pub(super) fn restored(
        &self,
        saved: &SavedGuides,
        (graph, maintenance): (&Graph, &Maintenance),
        tick: u64,
    ) -> Result<RestoredGuides, &'static str> {
        let SavedGuides { changed, guides } = saved;
        if guides.len() > MOST_GUIDES || changed.is_some_and(|changed| changed > tick) {
            return Err("guides");
        }
        let mut entries = Vec::new();
        for &saved in guides {
            let hierarchy = maintenance.up_to_date(graph);
            let hierarchy = hierarchy.filter(|all| all.lineage() == saved.lineage);
            let hierarchy = hierarchy.ok_or("guide")?;
            let in_memory = self.entries.iter().find(|entry| {
                let SavedGuide {
                    rules,
                    level,
                    lineage,
                    ..
                } = entry.saved;
                (rules, level, lineage) == (saved.rules, saved.level, saved.lineage)
            });
            let entry = match in_memory {
                Some(entry) => Entry {
                    saved,
                    ..entry.clone()
                },
                None => Entry::new(hierarchy, saved).ok_or("guide")?,
            };
            entries.push(entry);
        }
        Ok(RestoredGuides {
            entries,
            changed: *changed,
        })
    }

    pub(super) fn restore(&mut self, restored: RestoredGuides) {
        self.entries = restored.entries;
        self.changed = restored.changed;
    }
}

/// The entries of a saved state that has been checked.
#[derive(Debug)]
pub(super) struct RestoredGuides {
    entries: Vec<Entry>,
    changed: Option<u64>,
}

impl Entry {
    /// Creates a request; `None` if the level does not exist.
    fn new(hierarchy: &Hierarchy, saved: SavedGuide) -> Option<Self> {
        let arena = Guide::arena(hierarchy, saved.level.into())?;
        Some(Self {
            saved,
            key: TableKey {
                fingerprint: arena.fingerprint(),
                rules: saved.rules,
            },
            arena: arena.into(),
            is_given: false,
            product: Product::Missing,
        })
    }

    const fn is_missing(&self) -> bool {
        matches!(self.product, Product::Missing)
    }

    /// Whether the request has not been handed out yet.
    const fn is_waiting(&self) -> bool {
        self.is_missing() && !self.is_given
    }

    /// The guide, if it may be used in this tick.
    const fn usable(&self, tick: u64) -> Option<&Guide> {
        match &self.product {
            Product::Solved(guide) if tick >= self.saved.due => Some(guide),
            _ => None,
        }
    }

    /// Whether no agent has needed it for a while.
    const fn is_unused(&self, tick: u64) -> bool {
        self.saved.used.saturating_add(IN_USE_TICKS) < tick
    }

    /// The memory of its solution, in bytes.
    fn bytes(&self) -> u64 {
        let estimate = Estimate::new(self.arena.places(), &self.saved.rules);
        estimate.map_or(0, |estimate| estimate.solution_bytes())
    }

    fn urgency(&self, tick: u64) -> TableUrgency {
        TableUrgency::of_guide(self.saved.begun, self.saved.due, tick)
    }
}
