//! A guide, or a request for one.

use super::entry::{Job, Part, Product, Ticks};
use super::guides::{LONGEST_PAUSE, PAIR, WholeMap};
use super::{TableCacheError, TableKey};
use crate::abstraction::Lineage;
use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use crate::policy::{Guide, RetractGround, RetractGuide, Shadows};
use crate::table::Estimate;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The least number of shadows that is found in a tick, if the budget allows it.
const LEAST_SHADOWS: u64 = 250;

/// A guide, or a request for one.
#[derive(Debug, Clone)]
pub(super) struct GuideEntry {
    pub job: Job,
    /// The lineage of the abstraction.
    pub lineage: Lineage,
    /// For a retract: the number of shadows for which the budget has been spent.
    found: u64,
    /// For a retract: what lies around it.
    fold: Option<Fold>,
    /// The solved guide.
    pub solved: Option<SolvedGuide>,
}

/// What a retract is folded from.
#[derive(Debug, Clone)]
struct Fold {
    map: Fingerprint,
    /// The place of the image of each vertex of the map.
    places: Arc<[u32]>,
    /// The shadows that prove captures, as far as they are found.
    shadows: Option<Arc<Shadows>>,
}

#[derive(Debug, Clone)]
pub(super) enum SolvedGuide {
    Level(Guide),
    Retract(RetractGuide),
}

/// A guide or a request in a saved game. The values are not saved, since they can be solved again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedGuide {
    part: Part,
    rules: Rules,
    lineage: Lineage,
    ticks: Ticks,
    found: u64,
}

impl GuideEntry {
    /// Creates a request; `None` if the map has no such part.
    pub(super) fn new(map: WholeMap<'_>, part: Part, rules: Rules, ticks: Ticks) -> Option<Self> {
        let WholeMap { graph, hierarchy } = map;
        let (arena, fold) = match part {
            Part::Map => return None,
            Part::Level(level) => (Guide::arena(hierarchy, level.into())?, None),
            Part::Retract(most) => {
                let ground = RetractGround::new(graph, most.into())?;
                // Only pairs prove captures.
                let shadows = ground.shadows.filter(|_| rules.cops.get() <= PAIR);
                let fold = Fold {
                    map: graph.fingerprint(),
                    places: ground.places.into(),
                    shadows: shadows.map(Arc::new),
                };
                (ground.arena, Some(fold))
            }
        };
        let fingerprint = arena.fingerprint();
        Some(Self {
            job: Job {
                part,
                key: TableKey { fingerprint, rules },
                arena: arena.into(),
                ticks,
                is_given: false,
                product: Product::Missing,
            },
            lineage: hierarchy.lineage(),
            found: 0,
            fold,
            solved: None,
        })
    }

    pub(super) const fn is_retract(&self) -> bool {
        matches!(self.job.part, Part::Retract(_))
    }

    /// The shadows of a retract that may prove captures.
    fn shadows(&self) -> Option<&Arc<Shadows>> {
        self.fold.as_ref()?.shadows.as_ref()
    }

    /// Finds as many shadows as are due in this tick, but at most `most`. Returns the number for which the budget is
    /// spent: a game that was restored in the same world may have found some of them before.
    pub(super) fn find_shadows(&mut self, graph: &Graph, tick: u64, most: u64) -> u64 {
        let left = self.shadows().map_or(0, |all| all.all() - self.found);
        if left == 0 {
            return 0;
        }
        let due = self.job.ticks.due;
        let ticks = due.saturating_sub(tick).clamp(1, LONGEST_PAUSE);
        let share = left.div_ceil(ticks).max(LEAST_SHADOWS);
        let found = share.min(left).min(most);
        self.found += found;
        self.catch_up(graph);
        found
    }

    /// Finds the shadows for which the budget has been spent.
    fn catch_up(&mut self, graph: &Graph) {
        if let Some(Fold {
            shadows: Some(shadows),
            ..
        }) = &mut self.fold
        {
            let before = shadows.all() - shadows.left() as u64;
            if before < self.found {
                // Nobody else holds them before they are complete.
                Arc::make_mut(shadows).advance(graph, self.found - before);
            }
        }
        self.renew();
    }

    /// Accepts the result of its request.
    pub(super) fn deliver(&mut self, product: Product, tick: u64) {
        self.job.product = product;
        if self.job.ticks.due == u64::MAX {
            self.job.ticks.due = tick;
        }
        self.renew();
    }

    /// Makes the guide, if it is solved. Without all shadows, a retract proves nothing.
    fn renew(&mut self) {
        let Some(solution) = self.job.table().map(Arc::clone) else {
            return;
        };
        self.solved = match (self.job.part, &self.fold) {
            (Part::Level(level), _) => {
                let guide = Guide::of_solution(level.into(), self.lineage, solution);
                Some(SolvedGuide::Level(guide))
            }
            (_, Some(fold)) => {
                let complete = fold.shadows.as_ref().filter(|all| all.all() == self.found);
                let places = Arc::clone(&fold.places);
                let guide =
                    RetractGuide::of_solution(fold.map, places, complete.cloned(), solution);
                Some(SolvedGuide::Retract(guide))
            }
            _ => None,
        };
    }

    pub(super) const fn save(&self) -> SavedGuide {
        SavedGuide {
            part: self.job.part,
            rules: self.job.key.rules,
            lineage: self.lineage,
            ticks: self.job.ticks,
            found: self.found,
        }
    }

    /// The memory of its solution and of what proves captures, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let estimate = Estimate::new(self.job.arena.places(), &self.job.key.rules);
        let solution = estimate.map_or(0, |estimate| estimate.solution_bytes());
        solution + self.shadows().map_or(0, |shadows| shadows.bytes())
    }
}

impl SavedGuide {
    /// The guide in this state: one that is in memory, or a new request.
    ///
    /// # Errors
    /// If it does not belong to this map.
    pub(super) fn restored(
        self,
        map: WholeMap<'_>,
        in_memory: &[GuideEntry],
        tick: u64,
    ) -> Result<GuideEntry, TableCacheError> {
        let is_same = |guide: &&GuideEntry| {
            let saved = guide.save();
            (saved.part, saved.rules, saved.lineage) == (self.part, self.rules, self.lineage)
        };
        let guide = in_memory.iter().find(is_same).cloned();
        let new = || GuideEntry::new(map, self.part, self.rules, self.ticks);
        let mut guide = guide.or_else(new).ok_or(TableCacheError::Guides)?;
        let shadows = guide.shadows().map_or(0, |shadows| shadows.all());
        if guide.lineage != self.lineage || shadows < self.found {
            return Err(TableCacheError::Guides);
        }
        (guide.job.ticks, guide.found) = (self.ticks, self.found);
        // What was solved in the same world since the save may be used at once.
        if self.ticks.due == u64::MAX && !guide.job.is_missing() {
            guide.job.ticks.due = tick;
        }
        guide.catch_up(map.graph);
        Ok(guide)
    }
}
