//! Guides: tables of levels of the abstraction and of retracts of the current map, used where the map itself has no table.

use super::entry::{Product, SolvedPart, Ticks};
use super::guide_entry::{GuideEntry, SavedGuide};
use super::{Supplied, TableCache, TableKey};
use crate::abstraction::{Hierarchy, Maintenance};
use crate::game::Rules;
use crate::graph::{Graph, Network as _};
use crate::policy::{Guide, RetractGuide};
use crate::table::Estimate;
use serde::{Deserialize, Serialize};

/// The cops of a guide that proves captures.
pub(super) const PAIR: u8 = 2;

/// The greatest number of guides that a table cache keeps: a level and a retract for each of some rules.
const MOST_GUIDES: usize = 4;

/// The pause after an edit, in ticks, if the settings fix no tick for the first use of a guide.
pub(super) const LONGEST_PAUSE: u64 = 256;

/// The most vertices of a map that is folded to a retract. Open ground of 4,096 vertices takes 0.6 ms in a build for tests,
/// once for each edit that is followed by a pause.
const MOST_FOLDED: usize = 4096;

/// The cost of folding for each vertex of a map, in expansions.
const EXPANSIONS_OF_A_FOLD: u64 = 1;

/// The cost of a shadow in expansions.
const EXPANSIONS_OF_A_SHADOW: u64 = 2;

/// The guides of the current map.
///
/// An edit of the map may change the groups of the abstraction and therefore invalidates all guides. A guide is
/// requested again when a robber or a team of cops needs one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Guides<T = GuideEntry> {
    /// The oldest request first.
    pub(super) list: Vec<T>,
    /// The tick of the last edit of the map.
    changed: Option<u64>,
    /// A number of vertices: the map cannot be folded to a retract of that many vertices or fewer. Remembered, and saved,
    /// because the budget counts each attempt.
    unfoldable: usize,
}

/// The current map, with its abstraction.
#[derive(Debug, Clone, Copy)]
pub struct WholeMap<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) hierarchy: &'a Hierarchy,
}

/// Which agents a guide is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A robber: a level that is not coarser than this one.
    Level(usize),
    /// Two cops: a retract, or, if the map has none that is small enough, a level that helps cops.
    ForPair,
    /// Pairs in teams of more than two cops, or teams that play by a table of pairs. Only a retract helps them.
    Retract,
}

/// The guides of a saved game.
pub(super) type SavedGuides = Guides<SavedGuide>;

impl<T> Default for Guides<T> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            changed: None,
            unfoldable: 0,
        }
    }
}

impl TableCache {
    /// Uses solved games that a player brings along, instead of those before.
    pub(crate) fn supply(&mut self, supplied: Supplied) {
        self.supplied = supplied;
    }

    /// Discards all guides, because the map has changed in this tick.
    pub(crate) fn drop_guides(&mut self, tick: u64) {
        self.guides = Guides {
            changed: Some(tick),
            ..Guides::default()
        };
    }

    /// The level that guides in a game of these rules, if there is one that may be used in this tick.
    pub(crate) fn level_guide(&self, rules: Rules, tick: u64) -> Option<Guide> {
        let supplied = self.supplied.level(rules).cloned();
        supplied.or_else(|| self.usable_guides(rules, tick).find_map(GuideEntry::level))
    }

    /// The same for a retract.
    pub(crate) fn retract_guide(&self, rules: Rules, tick: u64) -> Option<RetractGuide> {
        let supplied = self.supplied.retract(rules).cloned();
        supplied.or_else(|| {
            let mut usable = self.usable_guides(rules, tick);
            usable.find_map(GuideEntry::retract)
        })
    }

    /// The guides that may be used in this tick once they are solved.
    fn usable_guides(&self, rules: Rules, tick: u64) -> impl Iterator<Item = &GuideEntry> {
        let guides = self.guides.list.iter();
        guides.filter(move |guide| guide.job.key.rules == rules && guide.job.ticks.due <= tick)
    }

    /// Notes that a guide is needed in a game of these rules. If there is none, requests the finest part of the map that
    /// is wanted and allowed by the settings. Returns the work of the request, in expansions.
    pub(crate) fn request_guide(
        &mut self,
        map: WholeMap<'_>,
        rules: Rules,
        wanted: Wanted,
        tick: u64,
    ) -> u64 {
        let is_level = matches!(wanted, Wanted::Level(_));
        if self.mark_guide_used(rules, !is_level, tick) {
            return 0;
        }
        // A level may replace a retract, and may guide robbers in the same game.
        let has_level = !is_level && self.mark_guide_used(rules, false, tick);
        let coarsest = match wanted {
            Wanted::Level(coarsest) => coarsest,
            Wanted::ForPair if !has_level => Guide::COARSEST_FOR_COPS,
            Wanted::ForPair | Wanted::Retract => 0,
        };
        let Some(room) = self.room_for_guide(tick) else {
            return 0;
        };
        let mut work = 0;
        while !is_level
            && let Some((most, estimate)) = self.largest_retract(map.graph, rules, room.bytes)
        {
            let Some(ticks) = self.ticks_of_guide(&estimate, tick) else {
                return work;
            };
            work += EXPANSIONS_OF_A_FOLD * map.graph.slots() as u64;
            if let Some(guide) =
                GuideEntry::new(map, SolvedPart::Retract(most as u16), rules, ticks)
            {
                self.add_guide(guide, room);
                return work;
            }
            self.guides.unfoldable = most;
        }
        let level = (1..=coarsest).find_map(|level| {
            let network = map
                .hierarchy
                .level(level)
                .filter(|level| level.edges() > 0)?;
            let estimate = self.allowed_guide(network.slots(), rules, room.bytes)?;
            Some((level, estimate))
        });
        if let Some((level, estimate)) = level
            && let Some(ticks) = self.ticks_of_guide(&estimate, tick)
            && let Some(guide) = GuideEntry::new(map, SolvedPart::Level(level as u8), rules, ticks)
        {
            self.add_guide(guide, room);
        }
        work
    }

    /// Notes that a retract is used. Returns whether it is there or on its way.
    pub(crate) fn mark_retract_used(&mut self, rules: Rules, tick: u64) -> bool {
        self.mark_guide_used(rules, true, tick)
    }

    fn mark_guide_used(&mut self, rules: Rules, is_retract: bool, tick: u64) -> bool {
        let mut guides = self.guides.list.iter_mut();
        let guide =
            guides.find(|guide| guide.job.key.rules == rules && guide.is_retract() == is_retract);
        let Some(guide) = guide else {
            return false;
        };
        guide.job.ticks.used = tick;
        if guide.job.is_overdue(tick) {
            self.diverge(tick);
        }
        true
    }

    /// Reports guides that are in use and late. Without them, the run takes another course.
    pub(crate) fn report_late_guides(&mut self, tick: u64) {
        let is_missed = |guide: &GuideEntry| {
            guide.job.is_overdue(tick) && guide.job.ticks.are_recent(tick, self.turn)
        };
        if self.guides.list.iter().any(is_missed) {
            self.diverge(tick);
        }
    }

    /// The room for a further guide; `None` if all are in use.
    fn room_for_guide(&self, tick: u64) -> Option<Room> {
        let list = &self.guides.list;
        let is_unused = |guide: &GuideEntry| !guide.job.ticks.are_recent(tick, self.turn);
        let replaced = if list.len() < MOST_GUIDES {
            None
        } else {
            Some(list.iter().position(is_unused)?)
        };
        let kept = list.iter().enumerate();
        let kept = kept.filter(|&(index, _)| Some(index) != replaced);
        let in_use: u64 = kept.map(|(_, guide)| guide.bytes()).sum();
        let bytes = self.settings.memory.saturating_sub(self.bytes());
        Some(Room {
            replaced,
            bytes: bytes.saturating_sub(in_use),
        })
    }

    /// The size of the largest retract of a map that the settings allow in this number of bytes, leaving out sizes to
    /// which the map is known not to fold.
    fn largest_retract(
        &self,
        graph: &Graph,
        rules: Rules,
        bytes: u64,
    ) -> Option<(usize, Estimate)> {
        let unfoldable = self.guides.unfoldable;
        let most = RetractGuide::most_vertices(graph);
        let largest = most.into_iter().find(|&most| most > unfoldable)?;
        if graph.vertices() > MOST_FOLDED {
            return None;
        }
        // The larger a retract, the more it takes.
        let (mut most, mut too_large) = (unfoldable, largest + 1);
        while most + 1 < too_large {
            let middle = most.midpoint(too_large);
            match self.allowed_guide(middle, rules, bytes) {
                Some(_) => most = middle,
                None => too_large = middle,
            }
        }
        let estimate = self.allowed_guide(most, rules, bytes)?;
        (most > unfoldable).then_some((most, estimate))
    }

    /// The memory and time that a guide of this number of vertices takes, if the settings allow the guide and it fits
    /// into `bytes`.
    fn allowed_guide(&self, vertices: usize, rules: Rules, bytes: u64) -> Option<Estimate> {
        let estimate = self.allowed(vertices, rules).ok()?;
        (estimate.solution_bytes() <= bytes).then_some(estimate)
    }

    /// The ticks of a guide that is requested in this tick; `None` if the last edit of the map is too recent.
    ///
    /// After an edit, the map first has to stay unchanged for as long as solving may take. This limits
    /// the time spent on guides that the next edit invalidates.
    fn ticks_of_guide(&self, estimate: &Estimate, tick: u64) -> Option<Ticks> {
        let delay = self.settings.timing.delay(estimate, self.pace);
        // Guides are solved after the tables that have been requested so far.
        let pending = self.entries.iter().filter(|entry| !entry.is_kept);
        let last = pending.map(|entry| entry.job.ticks.due).max().unwrap_or(0);
        let delay = delay.map(|delay| last.saturating_sub(tick).saturating_add(delay));
        let pause = delay.unwrap_or(LONGEST_PAUSE);
        let changed = self.guides.changed;
        let unchanged = changed.map_or(u64::MAX, |changed| tick.saturating_sub(changed));
        (unchanged >= pause).then(|| Ticks::of_request(tick, delay))
    }

    /// Adds a request. Without a fixed tick for its first use, the run depends on the speed of the machine.
    fn add_guide(&mut self, guide: GuideEntry, room: Room) {
        let Ticks { begun, due, .. } = guide.job.ticks;
        if due == u64::MAX {
            self.diverge(begun);
        }
        if let Some(index) = room.replaced {
            self.guides.list.remove(index);
        }
        self.guides.list.push(guide);
    }

    /// Finds further shadows of the retracts that are not in use yet, so that all are found when these come into use.
    /// `left` is what may be spent after some work, in expansions. Returns the work.
    pub(crate) fn find_shadows(
        &mut self,
        graph: &Graph,
        tick: u64,
        mut left: impl FnMut(u64) -> u64,
    ) -> u64 {
        let mut work = 0;
        for guide in &mut self.guides.list {
            let most = left(work) / EXPANSIONS_OF_A_SHADOW;
            work += EXPANSIONS_OF_A_SHADOW * guide.find_shadows(graph, tick, most);
        }
        work
    }

    /// Accepts the result of a request. Returns whether it was for a guide.
    pub(super) fn deliver_guide(&mut self, key: &TableKey, product: &Product, tick: u64) -> bool {
        let guides = self.guides.list.iter_mut();
        let mut is_of_guide = false;
        for guide in guides.filter(|guide| guide.job.key == *key) {
            is_of_guide = true;
            if guide.job.is_missing() {
                guide.deliver(product.clone(), tick);
            }
        }
        is_of_guide
    }
}

impl Guides {
    pub(super) fn save(&self) -> SavedGuides {
        SavedGuides {
            list: self.list.iter().map(GuideEntry::save).collect(),
            changed: self.changed,
            unfoldable: self.unfoldable,
        }
    }

    /// The guides of a saved game. Guides that are still in memory are reused; the others are requested again. `None` if
    /// a guide does not belong to this map.
    pub(super) fn restored(
        &self,
        saved: &SavedGuides,
        graph: &Graph,
        maintenance: &Maintenance,
        tick: u64,
    ) -> Option<Self> {
        let is_early = saved.changed.is_some_and(|changed| changed > tick);
        if saved.list.len() > MOST_GUIDES || is_early || saved.unfoldable > graph.slots() {
            return None;
        }
        let restored = saved.list.iter().map(|guide| {
            let hierarchy = maintenance.up_to_date(graph)?;
            guide.restored(WholeMap { graph, hierarchy }, &self.list, tick)
        });
        Some(Self {
            list: restored.collect::<Option<_>>()?,
            changed: saved.changed,
            unfoldable: saved.unfoldable,
        })
    }
}

/// Where a further guide goes.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// The entry that it replaces.
    replaced: Option<usize>,
    bytes: u64,
}
