//! A guide, or a request for one.

use super::super::tables::PAIR;
use super::LONGEST_PAUSE;
use crate::abstraction::{Hierarchy, Lineage};
use crate::game::Rules;
use crate::graph::{Fingerprint, Graph};
use crate::policy::{Guide, RetractGround, RetractGuide, Shadows};
use crate::table::{Arena, CaptureTimes as _, Estimate, Solution};
use crate::table_cache::{SolveFailure, TableCache, TableKey, TableUrgency, ticks_in_use};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The least number of shadows that is found in a tick, if the budget allows it.
const LEAST_SHADOWS: u64 = 250;

/// What a guide is solved on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Part {
    /// A level of the abstraction.
    Level(u8),
    /// A retract of the map with at most this number of vertices.
    Retract(u16),
}

/// A guide, or a request for one.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) saved: SavedGuide,
    pub(super) key: TableKey,
    pub(super) arena: Arc<Arena>,
    /// The map, and for a retract, the place of the image of each vertex of the map.
    map: Fingerprint,
    places: Arc<[u32]>,
    /// For a retract: the shadows that prove captures, as far as they are found.
    shadows: Option<Arc<Shadows>>,
    /// Whether the request has been handed out to the caller.
    pub(super) is_given: bool,
    pub(super) product: Product,
}

#[derive(Debug, Clone)]
pub(super) enum Product {
    Missing,
    Level(Guide),
    Retract(RetractGuide),
    Failed,
}

/// A guide or a request in a saved game. The values are not saved, since they can be solved again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::world) struct SavedGuide {
    pub(super) rules: Rules,
    /// What is solved, and the lineage of the abstraction.
    pub(super) part: Part,
    pub(super) lineage: Lineage,
    /// The tick of the request, and the first tick in which the guide is used.
    pub(super) begun: u64,
    pub(super) due: u64,
    /// The last tick in which the guide was used or needed.
    pub(super) used: u64,
    /// For a retract: the number of shadows for which the budget has been spent.
    pub(super) found: u64,
}

impl Entry {
    /// Creates a request; `None` if the map has no such part.
    pub(super) fn new((graph, hierarchy): (&Graph, &Hierarchy), saved: SavedGuide) -> Option<Self> {
        let (arena, places, shadows) = match saved.part {
            Part::Level(level) => (Guide::arena(hierarchy, level.into())?, Vec::new(), None),
            Part::Retract(most) => {
                let RetractGround {
                    arena,
                    places,
                    shadows,
                } = RetractGround::new(graph, most.into())?;
                // Only pairs prove captures.
                let shadows = shadows.filter(|_| saved.rules.cops <= PAIR);
                (arena, places, shadows.map(Arc::new))
            }
        };
        Some(Self {
            saved,
            key: TableKey {
                fingerprint: arena.fingerprint(),
                rules: saved.rules,
            },
            arena: arena.into(),
            map: graph.fingerprint(),
            places: places.into(),
            shadows,
            is_given: false,
            product: Product::Missing,
        })
    }

    /// Finds as many shadows as are due in this tick, but at most `most`. Returns the number for which the budget is
    /// spent: a game that was restored in the same world may have found some of them before.
    pub(super) fn find_shadows(&mut self, graph: &Graph, tick: u64, most: u64) -> u64 {
        let Some(shadows) = &mut self.shadows else {
            return 0;
        };
        let left = shadows.all() - self.saved.found;
        if left == 0 {
            return 0;
        }
        let ticks = self.saved.due.saturating_sub(tick).clamp(1, LONGEST_PAUSE);
        let share = left.div_ceil(ticks).max(LEAST_SHADOWS);
        let found = share.min(left).min(most);
        self.saved.found += found;
        let before = shadows.all() - shadows.left() as u64;
        if before < self.saved.found {
            // Nobody else holds them before they are complete.
            Arc::make_mut(shadows).advance(graph, self.saved.found - before);
        }
        let complete = self.complete_shadows();
        if let (Product::Retract(guide), Some(shadows)) = (&mut self.product, complete) {
            guide.set_shadows(Some(shadows));
        }
        found
    }

    /// Accepts the result of its request. A result for something else counts as a failure.
    pub(super) fn deliver(&mut self, result: Result<Solution, SolveFailure>, tick: u64) {
        let shadows = self.complete_shadows();
        let saved = &mut self.saved;
        self.product = match result {
            Ok(solution) if solution.fingerprint() == self.key.fingerprint => match saved.part {
                Part::Level(level) => {
                    Product::Level(Guide::of_solution(level.into(), saved.lineage, solution))
                }
                Part::Retract(_) => {
                    let places = Arc::clone(&self.places);
                    let guide = RetractGuide::of_solution(self.map, places, shadows, solution);
                    Product::Retract(guide)
                }
            },
            _ => Product::Failed,
        };
        if saved.due == u64::MAX {
            saved.due = tick;
        }
    }

    /// The shadows, if all of them are found.
    fn complete_shadows(&self) -> Option<Arc<Shadows>> {
        let shadows = self.shadows.as_ref();
        shadows
            .filter(|shadows| shadows.all() == self.saved.found)
            .cloned()
    }

    /// Brings an entry to the state of a saved one. `None` if that cannot be its state.
    pub(super) fn restored(mut self, graph: &Graph, saved: SavedGuide, tick: u64) -> Option<Self> {
        self.saved = saved;
        // What was solved in the same world since the save may be used at once.
        if saved.due == u64::MAX && !self.is_missing() {
            self.saved.due = tick;
        }
        let all = self.shadows.as_ref().map_or(0, |shadows| shadows.all());
        if saved.found > all {
            return None;
        }
        if let Some(shadows) = &mut self.shadows {
            let before = shadows.all() - shadows.left() as u64;
            if before < saved.found {
                Arc::make_mut(shadows).advance(graph, saved.found - before);
            }
        }
        let complete = self.complete_shadows();
        if let Product::Retract(guide) = &mut self.product {
            guide.set_shadows(complete);
        }
        Some(self)
    }

    /// Notes that the guide is needed in this tick.
    pub(super) fn touch(&mut self, cache: &mut TableCache, tick: u64) {
        self.saved.used = tick;
        if self.is_missing() && self.saved.due <= tick {
            cache.diverge(tick);
        }
    }

    pub(super) const fn is_retract(&self) -> bool {
        matches!(self.saved.part, Part::Retract(_))
    }

    pub(super) const fn is_missing(&self) -> bool {
        matches!(self.product, Product::Missing)
    }

    /// Whether the request has not been handed out yet.
    pub(super) const fn is_waiting(&self) -> bool {
        self.is_missing() && !self.is_given
    }

    /// Whether no agent has needed it for a while.
    pub(super) const fn is_unused(&self, tick: u64, turn: u32) -> bool {
        self.saved.used.saturating_add(ticks_in_use(turn)) < tick
    }

    /// The memory of its solution and of what proves captures, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let estimate = Estimate::new(self.arena.places(), &self.saved.rules);
        let solution = estimate.map_or(0, |estimate| estimate.solution_bytes());
        let shadows = self.shadows.as_ref().map_or(0, |shadows| shadows.bytes());
        solution + shadows
    }

    pub(super) fn urgency(&self, tick: u64) -> TableUrgency {
        TableUrgency::of_guide(self.saved.begun, self.saved.due, tick)
    }
}
