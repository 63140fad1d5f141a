//! A cheap race that predicts whether the races of joint moves would be too long.

#[cfg(test)]
mod tests;

use super::{LONGEST_RACE, TeamSearch, TeamStage};
use crate::game::{Side, State};
use crate::graph::Graph;
use crate::map::Cell;
use crate::search::joint_race::Bounds;
use crate::search::{SearchProgress, SlicedSearch as _, TrailMax};

/// A race of joint moves with n cops takes about 1 + 7 / 2n times the expansions of this race: the waves of the two active
/// cops take more, and those of the others do not. Measured on AR0414SR: with 2 to 8 cops, the prediction is wrong for 5 %
/// of the races.
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
    /// While the cops are far from the robber on a large map, most races are too long, and the work on a race that is
    /// abandoned is lost.
    pub(super) fn begin_gauge(&mut self, graph: &Graph) -> TeamStage {
        let begin = TeamStage::Begin { task: 0 };
        let Some(robber) = self.robber.filter(|_| !self.tasks.is_empty()) else {
            return begin;
        };
        self.chasers.clear();
        let reaching = (0..self.cops.len()).filter(|&cop| self.base.reaches(cop));
        self.chasers.extend(reaching.map(|cop| self.cops[cop]));
        // The number of expansions depends on the order.
        self.chasers.sort_unstable_by_key(|cop| (cop.at, cop.speed));
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
        if state.is_capture() || !TrailMax::is_canonical(graph, &state) {
            return begin; // another race would take as long as the race of joint moves
        }
        self.gauge.begin(graph, &state);
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
                self.bounds = self.gauge.robber_bounds().map(with_margin);
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
