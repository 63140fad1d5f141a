//! A guide, or a request for one.

use super::TableKey;
use super::entry::{Product, SolvedPart, TableJob, Ticks};
use super::guides::{LONGEST_PAUSE, PAIR, WholeMap};
use crate::abstraction::Lineage;
use crate::game::Rules;
use crate::graph::Graph;
use crate::policy::{Guide, RetractGround, RetractGuide};
use crate::table::Estimate;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The least number of shadows that is found in a tick, if the budget allows it.
const LEAST_SHADOWS: u64 = 250;

/// A guide, or a request for one.
#[derive(Debug, Clone)]
pub(super) struct GuideEntry {
    pub job: TableJob,
    /// The lineage of the abstraction.
    lineage: Lineage,
    /// For a retract.
    ground: Option<RetractGround>,
    /// The number of shadows of the retract for which the budget has been spent.
    found: u64,
}

/// A guide or a request in a saved game. The values are not saved, since they can be solved again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedGuide {
    part: SolvedPart,
    rules: Rules,
    lineage: Lineage,
    ticks: Ticks,
    found: u64,
}

impl GuideEntry {
    /// Creates a request; `None` if the map has no such part.
    pub(super) fn new(
        map: WholeMap<'_>,
        part: SolvedPart,
        rules: Rules,
        ticks: Ticks,
    ) -> Option<Self> {
        let WholeMap { graph, hierarchy } = map;
        let (arena, ground) = match part {
            SolvedPart::Map => return None,
            SolvedPart::Level(level) => (Guide::arena(hierarchy, level.into())?.into(), None),
            SolvedPart::Retract(most) => {
                let mut ground = RetractGround::new(graph, most.into())?;
                // Only pairs prove captures.
                ground.shadows = ground.shadows.filter(|_| rules.cops.get() <= PAIR);
                (Arc::clone(&ground.arena), Some(ground))
            }
        };
        let fingerprint = arena.fingerprint();
        let key = TableKey { fingerprint, rules };
        Some(Self {
            job: TableJob::new(part, key, arena, ticks, Product::Missing),
            lineage: hierarchy.lineage(),
            ground,
            found: 0,
        })
    }

    pub(super) const fn is_retract(&self) -> bool {
        matches!(self.job.part, SolvedPart::Retract(_))
    }

    /// The guide by a level, if this is one that is solved.
    pub(super) fn level(&self) -> Option<Guide> {
        let SolvedPart::Level(level) = self.job.part else {
            return None;
        };
        let solution = Arc::clone(self.job.table()?);
        Some(Guide::of_solution(level.into(), self.lineage, solution))
    }

    /// The guide by a retract, if this is one that is solved.
    pub(super) fn retract(&self) -> Option<RetractGuide> {
        let solution = Arc::clone(self.job.table()?);
        let mut ground = self.ground.clone()?;
        if self.found < ground.shadows() {
            ground.shadows = None;
        }
        Some(RetractGuide::of_solution(ground, solution))
    }

    /// Finds as many shadows as are due in this tick, but at most `most`. Returns the number for which the budget is
    /// spent: a game that was restored in the same world may have found some of them before.
    pub(super) fn find_shadows(&mut self, graph: &Graph, tick: u64, most: u64) -> u64 {
        let Some(ground) = &mut self.ground else {
            return 0;
        };
        let left = ground.shadows() - self.found;
        if left == 0 {
            return 0;
        }
        let due = self.job.ticks.due;
        let ticks = due.saturating_sub(tick).clamp(1, LONGEST_PAUSE);
        let share = left.div_ceil(ticks).max(LEAST_SHADOWS);
        let found = share.min(left).min(most);
        self.found += found;
        ground.find_shadows(graph, self.found);
        found
    }

    /// Accepts the result of its request.
    pub(super) fn deliver(&mut self, product: Product, tick: u64) {
        self.job.product = product;
        if self.job.ticks.due == u64::MAX {
            self.job.ticks.due = tick;
        }
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
        let shadows = self
            .ground
            .as_ref()
            .and_then(|ground| ground.shadows.as_ref());
        solution + shadows.map_or(0, |shadows| shadows.bytes())
    }
}

impl SavedGuide {
    /// The guide in this state: one that is in memory, or a new request. `None` if it does not belong to this map.
    pub(super) fn restored(
        self,
        map: WholeMap<'_>,
        in_memory: &[GuideEntry],
        tick: u64,
    ) -> Option<GuideEntry> {
        if self.lineage != map.hierarchy.lineage() {
            return None;
        }
        let is_same = |guide: &&GuideEntry| {
            let saved = guide.save();
            (saved.part, saved.rules, saved.lineage) == (self.part, self.rules, self.lineage)
        };
        let guide = in_memory.iter().find(is_same).cloned();
        let new = || GuideEntry::new(map, self.part, self.rules, self.ticks);
        let mut guide = guide.or_else(new)?;
        if guide.ground.as_ref().map_or(0, RetractGround::shadows) < self.found {
            return None;
        }
        (guide.job.ticks, guide.found) = (self.ticks, self.found);
        // What was solved in the same world since the save may be used at once.
        if self.ticks.due == u64::MAX && !guide.job.is_missing() {
            guide.job.ticks.due = tick;
        }
        if let Some(ground) = &mut guide.ground {
            ground.find_shadows(map.graph, self.found);
        }
        Some(guide)
    }
}
