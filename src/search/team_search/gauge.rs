//! A cheap race that predicts whether the races of joint moves would be too long.

use super::{LONGEST_RACE, TeamSearch, TeamStage};
use crate::game::{Side, State};
use crate::graph::Graph;
use crate::map::Cell;
use crate::search::joint_race::Bounds;
use crate::search::{SearchProgress, SlicedSearch as _};

/// In a race of joint moves, the waves of the two active cops take as many expansions more than in a race of a single
/// joint move as this many halves of a wave. Measured on AR0414SR: with 2 to 8 cops, the prediction is wrong for 5 % of
/// the races.
const ACTIVE_HALVES: u64 = 7;

/// The cells and turns by which the races of joint moves may exceed this race. Measured.
const MARGIN: u16 = 4;

/// The bounds of the races of joint moves.
fn with_margin(Bounds { corners, turns }: Bounds) -> Bounds {
    let [Cell { x, y }, most] = corners;
    let least = Cell::new(x.saturating_sub(MARGIN), y.saturating_sub(MARGIN));
    let most = Cell::new(most.x.saturating_add(MARGIN), most.y.saturating_add(MARGIN));
    Bounds {
        corners: [least, most],
        turns: turns + u32::from(MARGIN),
    }
}

impl TeamSearch {
    /// Begins a race of all cops from where they stand, if it can tell in less time than the race of the first task
    /// whether that race would be too long.
    ///
    /// Most races on large maps are too long as long as the cops are far from the robber, and a race that is abandoned
    /// is wasted.
    pub(super) fn begin_gauge(&mut self, graph: &Graph) -> TeamStage {
        let begin = TeamStage::Begin { task: 0 };
        let Some(robber) = self.robber.filter(|_| !self.tasks.is_empty()) else {
            return begin;
        };
        self.chasers.clear();
        let reaching = (0..self.cops.len()).filter(|&cop| self.base.reaches(cop));
        self.chasers.extend(reaching.map(|cop| self.cops[cop]));
        let halves = 2 * self.chasers.len() as u64;
        let most = LONGEST_RACE * halves / (halves + ACTIVE_HALVES);
        // Each vertex is expanded at most once by each side.
        if 2 * graph.slots() as u64 <= most {
            return begin;
        }
        let state = State {
            robber,
            cops: &self.chasers,
            to_move: Side::Cops,
        };
        self.gauge.begin(graph, &state);
        if self.gauge.rate() == 1 {
            return begin; // it would take as long as the race of joint moves
        }
        TeamStage::Gauge { most }
    }

    /// Continues the race for at most `budget` expansions. If it is longer than `most`, the interception decides.
    pub(super) fn gauge_on(&mut self, graph: &Graph, most: u64, budget: u64) -> SearchProgress {
        let left = most.saturating_sub(self.gauge.expansions());
        let granted = budget.saturating_mul(self.gauge.rate()).min(left);
        let progress = self.gauge.advance(graph, None, granted as u32);
        let task = match progress {
            SearchProgress::Stale => return SearchProgress::Stale,
            SearchProgress::Done => {
                self.bounds = self.gauge.robber_bounds(graph).map(with_margin);
                0
            }
            SearchProgress::Running if self.gauge.expansions() < most => {
                return SearchProgress::Running;
            }
            SearchProgress::Running => self.tasks.len(),
        };
        self.expansions += self.gauged();
        self.touched += self.gauge.touched();
        self.stage = TeamStage::Begin { task };
        SearchProgress::Running
    }

    /// The expansions of this race so far, in those of other searches.
    pub(super) fn gauged(&self) -> u64 {
        self.gauge.expansions().div_ceil(self.gauge.rate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::Hierarchy;
    use crate::game::{Agent, Speed};
    use crate::map::{Moves, Terrain, TileMap};
    use crate::search::Dice;

    #[test]
    fn near_cops_compare_their_moves_and_far_cops_do_not_begin_to() {
        const SIDE: u16 = 200;
        let dice = &mut Dice::new(5);
        let mut map = TileMap::filled(SIDE, SIDE, Terrain::Floor).expect("a map");
        for cell in map.cells() {
            if dice.below(100) < 10 {
                map.set(cell, Terrain::Wall);
            }
        }
        let graph = Graph::new(&map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let beside = |[x, y]: [u16; 2]| {
            // The nearest vertex of the row.
            let at = (x..SIDE).find_map(|x| graph.vertex(Cell::new(x, y)));
            Agent {
                at: at.expect("a vertex"),
                speed: Speed::ONE,
            }
        };
        let (mut search, mut unbounded) = (TeamSearch::new(), TeamSearch::new());
        let mut bounded = 0;
        for round in 0..40 {
            let robber = beside([80 + dice.below(40) as u16, 80 + dice.below(40) as u16]);
            let cell = graph.cell(robber.at);
            let is_near = round % 2 == 0;
            let apart = if is_near { 3 } else { 25 };
            let count = if is_near { 8 } else { 2 };
            let offsets = [
                [0, 1],
                [0, 2],
                [1, 0],
                [1, 2],
                [2, 0],
                [2, 1],
                [0, 0],
                [2, 2],
            ];
            let cops = offsets
                .map(|[x, y]| beside([cell.x - apart + x * apart, cell.y - apart + y * apart]));
            let state = State {
                robber,
                cops: &cops[..count],
                to_move: Side::Cops,
            };
            search.solve(&graph, Some(&hierarchy), &state, 0, 1);
            assert_eq!(search.compared().is_some(), is_near, "{state:?}");
            bounded += u32::from(search.bounds.is_some());
            if is_near {
                // The same without bounds.
                unbounded.begin(&graph, Some(&hierarchy), &state, 0, 1);
                while unbounded.stage != TeamStage::Done {
                    unbounded.advance(&graph, Some(&hierarchy), 1);
                    unbounded.bounds = None;
                }
                assert_eq!(unbounded.chosen, search.chosen, "{state:?}");
            }
            let own = search.expansions() - search.base.expansions();
            assert!(is_near || own < LONGEST_RACE / 8, "{own} expansions");
        }
        assert!(bounded > 5, "{bounded} of 20 near teams");
    }
}
