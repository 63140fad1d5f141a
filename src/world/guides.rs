//! Guides of the live map: exact tables of abstract levels and of retracts, used where the map itself has no table.

mod entry;

use super::purse::{Purse, Share};
use super::tables::PAIR;
use crate::abstraction::{Hierarchy, Maintenance};
use crate::game::Rules;
use crate::graph::{Graph, Network as _};
use crate::policy::{Guide, RetractGuide};
use crate::table::{Estimate, Solution};
use crate::table_cache::{
    SolveFailure, TableCache, TableKey, TableRequest, TableTiming, TableUrgency,
};
use entry::{Entry, Part, Product, SavedGuide};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The greatest number of guides that a world keeps: a level and a retract for each of some rules.
const MOST_GUIDES: usize = 4;

/// The time that the settings allow for a table is divided by this number for a guide, because edits of the map
/// invalidate guides.
const SHARE_OF_TIME: f64 = 4.0;

/// The same for a retract for three cops. A quarter of the time suffices for 96 vertices with the default settings, and
/// rooms with many obstacles do not fold so far.
const SHARE_OF_TIME_FOR_THREE: f64 = 1.0;

/// After an edit, the map has to stay unchanged for this multiple of the time that solving may take.
const PAUSE: u64 = 4;

/// The pause after an edit, in ticks, if the settings fix no tick for the first use of a guide.
const LONGEST_PAUSE: u64 = 256;

/// The most vertices of a map that is folded to a retract. Open ground of 4,096 vertices takes 0.6 ms in a build for tests,
/// once for each edit that is followed by a pause.
const MOST_FOLDED: usize = 4096;

/// The cost of folding for each vertex of a map, in expansions.
const COST_OF_A_FOLD: u64 = 1;

/// The cost of a shadow in expansions.
const COST_OF_A_SHADOW: u64 = 2;

/// The sizes of retracts that are tried differ by this number of vertices.
const STEP_OF_SIZES: usize = 10;

/// The guides of the current map.
///
/// An edit of the map may change the groups of the abstraction and therefore invalidates all guides. A guide is
/// requested again when a robber or a team of cops needs one.
#[derive(Debug, Default)]
pub(super) struct Guides {
    entries: Vec<Entry>,
    /// The tick of the last edit of the map.
    changed: Option<u64>,
    /// A number of vertices: the map cannot be folded to a retract of that many vertices or fewer. Remembered, and saved,
    /// because the budget counts each attempt.
    unfoldable: usize,
    /// The work of requests that is not counted yet, in expansions.
    work: u64,
    /// The ticks of a turn.
    turn: u32,
}

/// Which agents a guide is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A robber: a level that is not coarser than this one.
    Level(usize),
    /// Two cops: a retract, or, if the map has none that is small enough, a level that helps cops.
    ForPair,
    /// Pairs in teams of more than two cops, or teams that play by a table of pairs. Only a retract helps them.
    Retract,
}

/// The guides of a saved game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedGuides {
    changed: Option<u64>,
    guides: Vec<SavedGuide>,
    unfoldable: u32,
}

impl Guides {
    /// Sets the number of ticks of a turn, in which each guide is used once.
    pub(super) const fn set_turn(&mut self, ticks: u32) {
        self.turn = ticks;
    }

    /// Discards all guides, because the map has changed in this tick.
    pub(super) fn clear(&mut self, tick: u64) {
        self.entries.clear();
        self.changed = Some(tick);
        self.unfoldable = 0;
    }

    /// The level that guides in a game of these rules, if it may be used in this tick. Requests the wanted part of the
    /// map if there is none.
    pub(super) fn find(
        &mut self,
        ground: (&Graph, &Hierarchy),
        cache: &mut TableCache,
        (rules, wanted): (Rules, Wanted),
        tick: u64,
    ) -> Option<&Guide> {
        let is_wanted = |entry: &Entry| {
            let is_level = matches!(wanted, Wanted::Level(_));
            entry.saved.rules == rules && entry.is_retract() != is_level
        };
        match self.entries.iter().position(is_wanted) {
            Some(index) => self.entries[index].touch(cache, tick),
            None => self.request(ground, cache, (rules, wanted), tick),
        }
        self.ready(rules, tick)
    }

    /// The level that guides in a game of these rules, if there is one that may be used in this tick.
    pub(super) fn ready(&self, rules: Rules, tick: u64) -> Option<&Guide> {
        let mut usable = self.usable(rules, tick);
        usable.find_map(|product| match product {
            Product::Level(guide) => Some(guide),
            _ => None,
        })
    }

    /// The same for a retract.
    pub(super) fn ready_retract(&self, rules: Rules, tick: u64) -> Option<&RetractGuide> {
        let mut usable = self.usable(rules, tick);
        usable.find_map(|product| match product {
            Product::Retract(guide) => Some(guide),
            _ => None,
        })
    }

    /// Notes that a retract is used. Returns whether it is there or on its way.
    pub(super) fn touch_retract(&mut self, rules: Rules, tick: u64) -> bool {
        let mut entries = self.entries.iter_mut();
        let entry = entries.find(|entry| entry.saved.rules == rules && entry.is_retract());
        entry.map(|entry| entry.saved.used = tick).is_some()
    }

    /// Reports guides that are in use and late. Without them, the run takes another course.
    pub(super) fn report_late(&self, cache: &mut TableCache, tick: u64) {
        let is_late = |entry: &Entry| entry.is_missing() && entry.saved.due <= tick;
        let mut used = self
            .entries
            .iter()
            .filter(|entry| !entry.is_unused(tick, self.turn));
        if used.any(is_late) {
            cache.diverge(tick);
        }
    }

    /// The work of requests since the last call, in expansions.
    pub(super) const fn take_work(&mut self) -> u64 {
        std::mem::replace(&mut self.work, 0)
    }

    /// What was solved for these rules and may be used in this tick.
    fn usable(&self, rules: Rules, tick: u64) -> impl Iterator<Item = &Product> {
        let entries = self.entries.iter();
        let usable = move |entry: &&Entry| entry.saved.rules == rules && tick >= entry.saved.due;
        entries.filter(usable).map(|entry| &entry.product)
    }

    /// Requests the finest part of the map that is wanted and allowed by the settings.
    ///
    /// After an edit, the map first has to stay unchanged for four times as long as solving may take. This limits
    /// the time spent on guides that the next edit invalidates.
    fn request(
        &mut self,
        (graph, hierarchy): (&Graph, &Hierarchy),
        cache: &mut TableCache,
        (rules, wanted): (Rules, Wanted),
        tick: u64,
    ) {
        // A level stands in for a retract, and may guide robbers in the same game.
        let mut entries = self.entries.iter_mut();
        let is_level = |entry: &&mut Entry| entry.saved.rules == rules && !entry.is_retract();
        let level = entries.find(is_level);
        let has_level = level.map(|entry| entry.touch(cache, tick)).is_some();
        let Some(room) = self.room(cache, tick) else {
            return;
        };
        while matches!(wanted, Wanted::ForPair | Wanted::Retract)
            && let Some((most, estimate)) = self.largest_retract(graph, cache, (rules, room.bytes))
        {
            let Some(saved) = self.planned(hierarchy, cache, (rules, &estimate), tick) else {
                return;
            };
            self.work += COST_OF_A_FOLD * graph.slots() as u64;
            let part = Part::Retract(most as u16);
            let entry = Entry::new((graph, hierarchy), SavedGuide { part, ..saved });
            if let Some(entry) = entry {
                return self.add(entry, room, cache);
            }
            self.unfoldable = most;
        }
        let coarsest = match wanted {
            Wanted::Level(coarsest) => coarsest,
            Wanted::ForPair => Guide::COARSEST_FOR_COPS,
            Wanted::Retract => return,
        };
        if has_level {
            return;
        }
        let level = (1..=coarsest).find_map(|level| {
            let network = hierarchy.level(level).filter(|level| level.edges() > 0)?;
            let room = (room.bytes, SHARE_OF_TIME);
            let estimate = allowed(cache, (network.slots(), rules), room)?;
            Some((level, estimate))
        });
        if let Some((level, estimate)) = level
            && let Some(saved) = self.planned(hierarchy, cache, (rules, &estimate), tick)
            && let Some(entry) = Entry::new(
                (graph, hierarchy),
                SavedGuide {
                    part: Part::Level(level as u8),
                    ..saved
                },
            )
        {
            self.add(entry, room, cache);
        }
    }

    /// The room for a further guide; `None` if all are in use.
    fn room(&self, cache: &TableCache, tick: u64) -> Option<Room> {
        let mut replaced = None;
        if self.entries.len() >= MOST_GUIDES {
            let unused = self
                .entries
                .iter()
                .position(|entry| entry.is_unused(tick, self.turn));
            replaced = Some(unused?);
        }
        let kept = self.entries.iter().enumerate();
        let kept = kept.filter(|&(index, _)| Some(index) != replaced);
        let in_use: u64 = kept.map(|(_, entry)| entry.bytes()).sum();
        let bytes = cache.settings().memory.saturating_sub(cache.bytes());
        Some(Room {
            replaced,
            bytes: bytes.saturating_sub(in_use),
        })
    }

    /// The size of the largest retract of a map that the settings allow, leaving out sizes to which the map is known
    /// not to fold.
    fn largest_retract(
        &self,
        graph: &Graph,
        cache: &TableCache,
        (rules, bytes): (Rules, u64),
    ) -> Option<(usize, Estimate)> {
        let most = RetractGuide::most_vertices(graph);
        let largest = most.into_iter().find(|&most| most > self.unfoldable)?;
        if graph.vertices() > MOST_FOLDED {
            return None;
        }
        let share = if rules.cops > PAIR {
            SHARE_OF_TIME_FOR_THREE
        } else {
            SHARE_OF_TIME
        };
        let mut sizes = (self.unfoldable + 1..=largest).rev().step_by(STEP_OF_SIZES);
        sizes.find_map(|most| Some((most, allowed(cache, (most, rules), (bytes, share))?)))
    }

    /// A request that is made in this tick; `None` if the last edit of the map is too recent. The caller sets its part
    /// of the map.
    fn planned(
        &self,
        hierarchy: &Hierarchy,
        cache: &TableCache,
        (rules, estimate): (Rules, &Estimate),
        tick: u64,
    ) -> Option<SavedGuide> {
        let delay = cache.delay_of_guide(estimate, tick);
        let unchanged = self.changed.map_or(u64::MAX, |changed| tick - changed);
        if unchanged < delay.map_or(LONGEST_PAUSE, |delay| PAUSE.saturating_mul(delay)) {
            return None;
        }
        let due = delay.map_or(u64::MAX, |delay| {
            tick.saturating_add(delay).min(u64::MAX - 1)
        });
        Some(SavedGuide {
            rules,
            part: Part::Level(0),
            lineage: hierarchy.lineage(),
            begun: tick,
            due,
            used: tick,
            found: 0,
        })
    }

    /// Adds a request. Without a fixed tick for its first use, the run depends on the speed of the machine.
    fn add(&mut self, entry: Entry, room: Room, cache: &mut TableCache) {
        if entry.saved.due == u64::MAX {
            cache.diverge(entry.saved.begun);
        }
        if let Some(index) = room.replaced {
            self.entries.remove(index);
        }
        self.entries.push(entry);
    }

    /// Finds further shadows of the retracts that are not in use yet, so that all are found when these come into use.
    pub(super) fn work_ahead(&mut self, graph: &Graph, tick: u64, purse: &mut Purse<'_>) {
        let end = purse.end_of(Share::Shadows);
        for entry in &mut self.entries {
            let left = purse.left_in_one().min(end.saturating_sub(purse.spent()));
            let found = entry.find_shadows(graph, tick, left / COST_OF_A_SHADOW);
            purse.spend(COST_OF_A_SHADOW * found);
        }
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
        // A level and a retract may be the same graph.
        let same = self.entries.iter().filter(|entry| entry.key == *key);
        let missing = same.filter(|entry| entry.is_missing());
        missing.map(|entry| entry.urgency(tick)).min()
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
        // A level and a retract may be the same graph.
        let same = self.entries.iter_mut().filter(|entry| entry.key == *key);
        let Some(entry) = same.max_by_key(|entry| entry.is_missing()) else {
            return Some(result);
        };
        if !entry.is_missing() {
            return None;
        }
        entry.deliver(result, tick);
        None
    }

    /// Takes back a request that was handed out. Returns `false` if it was not for a guide.
    pub(super) fn give_back(&mut self, key: &TableKey) -> bool {
        let same = self.entries.iter_mut().filter(|entry| entry.key == *key);
        let missing = same.filter(|entry| entry.is_missing());
        missing.map(|entry| entry.is_given = false).count() > 0
    }

    pub(super) fn save(&self) -> SavedGuides {
        SavedGuides {
            changed: self.changed,
            guides: self.entries.iter().map(|entry| entry.saved).collect(),
            unfoldable: self.unfoldable as u32,
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
        let SavedGuides {
            changed,
            guides,
            unfoldable,
        } = saved;
        let unfoldable = *unfoldable as usize;
        let is_late = changed.is_some_and(|changed| changed > tick);
        if guides.len() > MOST_GUIDES || is_late || unfoldable > graph.slots() {
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
                    part,
                    lineage,
                    ..
                } = entry.saved;
                (rules, part, lineage) == (saved.rules, saved.part, saved.lineage)
            });
            let entry = match in_memory {
                Some(entry) => entry.clone(),
                None => Entry::new((graph, hierarchy), saved).ok_or("guide")?,
            };
            let entry = entry.restored(graph, saved, tick).ok_or("guide")?;
            entries.push(entry);
        }
        Ok(RestoredGuides {
            entries,
            changed: *changed,
            unfoldable,
        })
    }

    pub(super) fn restore(&mut self, restored: RestoredGuides) {
        self.entries = restored.entries;
        self.changed = restored.changed;
        self.unfoldable = restored.unfoldable;
    }
}

/// Where a further guide goes.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// The entry that it replaces.
    replaced: Option<usize>,
    bytes: u64,
}

/// The memory and time that a guide of this number of vertices takes, if the settings allow the guide and it fits into
/// `room` bytes. The time that the settings allow for a table is divided by `share`.
fn allowed(
    cache: &TableCache,
    (vertices, rules): (usize, Rules),
    (room, share): (u64, f64),
) -> Option<Estimate> {
    let estimate = cache.allowed(vertices, rules).ok()?;
    let milliseconds = estimate.seconds * 1000.0 * share;
    let is_quick = milliseconds <= f64::from(cache.settings().max_milliseconds);
    (estimate.solution_bytes() <= room && is_quick).then_some(estimate)
}

/// The entries of a saved state that has been checked.
#[derive(Debug)]
pub(super) struct RestoredGuides {
    entries: Vec<Entry>,
    changed: Option<u64>,
    unfoldable: usize,
}
