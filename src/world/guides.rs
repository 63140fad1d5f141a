//! Guides of the live map: exact tables of abstract levels. Robbers use them where the map itself has no table.

use super::AgentId;
use super::board::Board;
use super::budget::Meter;
use super::company::Company;
use super::settings::PursuitClock;
use super::situation::Situation;
use crate::abstraction::{Hierarchy, Lineage, Maintenance};
use crate::game::{Rules, Side};
use crate::graph::{Graph, Network as _};
use crate::policy::robber::GuidedRobber;
use crate::policy::{Decision, Ground, Guide, Source};
use crate::table::{Arena, CaptureTimes as _, Estimate, Solution};
use crate::table_cache::{
    SolveFailure, TableCache, TableKey, TableRequest, TableTiming, TableUrgency,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The greatest number of guides that a world keeps, each for different rules.
const MOST_GUIDES: usize = 4;

/// A guide that no robber has used for this number of ticks may be replaced.
const IN_USE_TICKS: u64 = 1000;

/// The coarsest level that is used as a guide: one vertex represents about 4^4 cells. Coarser levels were not
/// measured.
const COARSEST: usize = 4;

/// The least remaining budget, in expansions, for a decision by a guide. Near the cops, the decision runs a
/// race, which is given up when it has spent the budget.
const LEAST_BUDGET: u64 = 1000;

/// No guide is used against more cops: its level would be a handful of vertices. In large pursuits many robbers
/// ask, and each look at the cops takes time.
const MOST_COPS: usize = 8;

/// The time that the settings allow for a table is divided by this number for a guide, because edits of the map
/// invalidate guides.
const SHARE_OF_TIME: f64 = 4.0;

/// After an edit, the map has to stay unchanged for this multiple of the time that solving may take.
const PAUSE: u64 = 4;

/// The pause after an edit, in ticks, if the settings fix no tick for the first use of a guide.
const LONGEST_PAUSE: u64 = 256;

/// The fixed cost of a decision by a guide, in expansions.
const COST_OF_READING: u64 = 100;

/// The guides of the current map.
///
/// An edit of the map may change the groups of the abstraction and therefore invalidates all guides. A guide is
/// requested again when a robber needs one.
#[derive(Debug)]
pub(super) struct Guides {
    entries: Vec<Entry>,
    /// The tick of the last edit of the map.
    changed: Option<u64>,
    robber: GuidedRobber,
    company: Company,
    situation: Situation,
    decision: Decision,
    /// The robber for which the last decision was made.
    decided_for: Option<AgentId>,
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
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            changed: None,
            robber: GuidedRobber::default(),
            company: Company::default(),
            situation: Situation::default(),
            decision: Decision::wait(Source::Guide),
            decided_for: None,
        }
    }

    /// Discards all guides, because the map has changed in this tick.
    pub(super) fn clear(&mut self, tick: u64) {
        self.entries.clear();
        self.changed = Some(tick);
        self.decided_for = None;
    }

    /// Returns whether a guide decides for the robber of the last look-up.
    pub(super) const fn decides(&self) -> bool {
        self.decided_for.is_some()
    }

    /// The move that a guide chose for the robber of the last look-up.
    pub(super) fn decision(&self, id: AgentId) -> Option<&Decision> {
        (self.decided_for == Some(id)).then_some(&self.decision)
    }

    /// Discards the last decision.
    pub(super) const fn forget_decision(&mut self) {
        self.decided_for = None;
    }

    /// Looks up the move of a robber after the cops have moved. Requests a guide if there is none.
    pub(super) fn look_up_robber(
        &mut self,
        board: &mut Board,
        cache: &mut TableCache,
        (at, id): (usize, AgentId),
        meter: &mut dyn Meter,
    ) {
        self.decided_for = None;
        let pursuit = &board.members.pursuits()[at];
        if board.clock(pursuit) != PursuitClock::Turns
            || !cache.settings().solve
            || pursuit.cops.len() > MOST_COPS
        {
            return;
        }
        self.company.assemble(board, pursuit);
        let situation = &mut self.situation;
        let is_known = situation.of_robber(board, pursuit, &self.company, id, true);
        if !is_known || situation.is_shut_in || !situation.is_seen || situation.cops.is_empty() {
            return;
        }
        let Some(state) = situation.state(Side::Robber) else {
            return;
        };
        let Some(rules) = Rules::of(&state, board.graph.moves()) else {
            return;
        };
        let Some(hierarchy) = board.maintenance.up_to_date(&board.graph) else {
            return;
        };
        let Self {
            entries, changed, ..
        } = self;
        let unchanged = changed.map_or(u64::MAX, |changed| board.tick - changed);
        let now = Now {
            tick: board.tick,
            unchanged,
        };
        let Some(guide) = usable(entries, hierarchy, cache, rules, now) else {
            return;
        };
        let budget = meter.left_in_one(board.events.report.spent);
        if budget < LEAST_BUDGET {
            return;
        }
        self.robber.limit_work(budget);
        let ground = Ground {
            graph: &board.graph,
            hierarchy: Some(hierarchy),
            guide: Some(guide),
        };
        let is_guided = self.robber.follow(ground, &state, &mut self.decision);
        board.events.report.spent += self.robber.work() + COST_OF_READING;
        if is_guided {
            self.decision.source = Source::Guide;
            self.decided_for = Some(id);
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
        self.decided_for = None;
    }
}

/// The entries of a saved state that has been checked.
#[derive(Debug)]
pub(super) struct RestoredGuides {
    entries: Vec<Entry>,
    changed: Option<u64>,
}

/// The time of a look-up.
#[derive(Debug, Clone, Copy)]
struct Now {
    tick: u64,
    /// The ticks since the last edit of the map.
    unchanged: u64,
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

    fn urgency(&self, tick: u64) -> TableUrgency {
        TableUrgency::of_guide(self.saved.begun, self.saved.due, tick)
    }
}

/// The guide for these rules, if it may be used in this tick. Requests one if there is none.
fn usable<'a>(
    entries: &'a mut Vec<Entry>,
    hierarchy: &Hierarchy,
    cache: &mut TableCache,
    rules: Rules,
    now: Now,
) -> Option<&'a Guide> {
    let tick = now.tick;
    let index = entries.iter().position(|entry| entry.saved.rules == rules);
    let Some(index) = index else {
        request(entries, hierarchy, cache, rules, now);
        return None;
    };
    let entry = &mut entries[index];
    entry.saved.used = tick;
    if tick < entry.saved.due {
        return None;
    }
    match &entry.product {
        Product::Missing => {
            cache.diverge(tick);
            None
        }
        Product::Solved(guide) => Some(guide),
        Product::Failed => None,
    }
}

/// Requests the finest level that the settings allow.
///
/// After an edit, the map first has to stay unchanged for four times as long as solving may take. This limits
/// the time spent on guides that the next edit invalidates.
fn request(
    entries: &mut Vec<Entry>,
    hierarchy: &Hierarchy,
    cache: &mut TableCache,
    rules: Rules,
    now: Now,
) {
    let tick = now.tick;
    let is_unused = |entry: &Entry| entry.saved.used.saturating_add(IN_USE_TICKS) < tick;
    if entries.len() >= MOST_GUIDES {
        let Some(unused) = entries.iter().position(is_unused) else {
            return;
        };
        entries.remove(unused);
    }
    let in_use = entries.iter().map(|entry| entry.arena.places());
    let in_use = in_use.filter_map(|places| Estimate::new(places, &rules).ok());
    let in_use: u64 = in_use.map(|estimate| estimate.solution_bytes()).sum();
    let room = cache.settings().memory.saturating_sub(cache.bytes());
    let fits = |level: usize| {
        let network = hierarchy.level(level).filter(|level| level.edges() > 0)?;
        let estimate = cache.allowed(network.slots(), rules).ok()?;
        let bytes = estimate.solution_bytes().saturating_add(in_use);
        let milliseconds = estimate.seconds * 1000.0 * SHARE_OF_TIME;
        let is_quick = milliseconds <= f64::from(cache.settings().max_milliseconds);
        (bytes <= room && is_quick).then_some((level, estimate))
    };
    let Some((level, estimate)) = (1..=COARSEST).find_map(fits) else {
        return;
    };
    let delay = cache.delay_of_guide(&estimate, tick);
    if now.unchanged < delay.map_or(LONGEST_PAUSE, |delay| PAUSE.saturating_mul(delay)) {
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
    entries.extend(Entry::new(hierarchy, saved));
}
