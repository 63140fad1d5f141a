//! A cheap race that predicts whether the races of joint moves would be too long.

#[cfg(test)]
mod tests;

use super::{JOINT, LONGEST_PLAN, LONGEST_RACE, MOST_ACTIVE, TeamSearch, TeamStage};
use crate::game::{Agent, Side, State, Step, Work};
use crate::graph::Graph;
use crate::map::Cell;
use crate::search::interception::RaceOfAll;
use crate::search::joint_race::Bounds;
use crate::search::{FOUND, STALE, SearchStep, SlicedSearch as _, TrailMax};

/// A race of joint moves with n cops is expected to take 1 + 7 / 2n times the expansions of this race: the waves of the two
/// active cops take more, and those of the others do not. Measured on AR0414SR and set 4: one in ten races of three cops takes
/// more than that, and four in ten of larger teams, where further cops are active. The median is 1.6 times with three cops, 1.8
/// with four and 1.3 with eight, since races end once they are settled.
const ACTIVE_HALVES: u64 = 7;

/// A race that the interception has given up is not continued if the cops are on average more than this many times as far
/// away as they have come in that race. Measured on AR0414SR with eight cops: this saves a quarter of the races that turn out
/// too long, and gives up 0.2 % of the others. At 6, it saves half of them, and 3 % fewer robbers are captured within 50
/// turns.
const FAR: u64 = 8;

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
    /// Begins a race of all cops from their present vertices, if that race takes less time than the race of the first task
    /// and tells whether the first task would be too long.
    ///
    /// While the cops are far from the robber on a large map, most races are too long, and the work on a race that is
    /// abandoned is lost.
    pub(super) fn begin_prediction(&mut self, graph: &Graph, robber: Agent) -> TeamStage {
        self.most_active = MOST_ACTIVE;
        let (halves, with_active) = self.shares();
        let most = LONGEST_RACE * halves / with_active;
        if let Some(RaceOfAll { expansions, bounds }) = self.base.race_of_all() {
            if expansions > most {
                return TeamStage::Done;
            }
            self.predict(expansions, Some(bounds));
            return self.begin_to_measure(graph, robber);
        }
        // Each vertex is expanded at most once by each side.
        if 2 * graph.slots() as u64 <= most {
            return self.begin_to_measure(graph, robber);
        }
        // The number of expansions depends on the order.
        self.chasers.sort_unstable_by_key(|cop| (cop.at, cop.speed));
        let state = State {
            robber,
            cops: &self.chasers,
            to_move: Side::Cops,
        };
        if state.is_capture() || !TrailMax::is_canonical(graph, &state) {
            // Another race would take as long as the race of joint moves.
            return self.begin_to_measure(graph, robber);
        }
        let (race, has_begun) = self.base.race();
        if !has_begun {
            race.begin(graph, &state);
            return TeamStage::Gauge { most };
        }
        // In such a race, all cops have the same speed.
        let speed = self.chasers.first().map_or(1, |cop| cop.speed.steps());
        let reach = u64::from(race.turns()) * u64::from(speed);
        let cops = self.chasers.len() as u64;
        if self.base.steps_of_all() > FAR * reach * cops {
            return TeamStage::Done;
        }
        TeamStage::Gauge { most }
    }

    /// Predicts where the races of joint moves take place, and whether they leave time for more than the nearest pair.
    fn predict(&mut self, expansions: u64, bounds: Option<Bounds>) {
        self.bounds = bounds.map(with_margin);
        let (halves, with_active) = self.shares();
        let left = LONGEST_PLAN.saturating_sub(self.spent());
        let two_fit = 2 * expansions * with_active <= left * JOINT * halves;
        self.most_active = if two_fit { MOST_ACTIVE } else { 2 };
    }

    /// The expansions of a race from where the cops stand, and those of a race of joint moves, for the same number of turns.
    fn shares(&self) -> (u64, u64) {
        let halves = 2 * self.chasers.len() as u64;
        (halves, halves + ACTIVE_HALVES)
    }

    /// Continues the race for at most `budget` expansions. If it is longer than `most`, the interception decides.
    pub(super) fn continue_prediction(
        &mut self,
        graph: &Graph,
        most: u64,
        budget: u64,
    ) -> SearchStep {
        let (race, _) = self.base.race();
        let Work {
            expansions: before,
            touched,
        } = race.work();
        let granted = budget
            .saturating_mul(race.rate())
            .min(most.saturating_sub(before));
        let progress = race.advance(graph, None, granted as u32);
        let (length, bounds) = (race.work().expansions, race.robber_bounds());
        // In those of other searches.
        self.work.expansions += length.div_ceil(race.rate()) - before.div_ceil(race.rate());
        self.work.touched += race.work().touched - touched;
        match progress {
            STALE => return STALE,
            Step::Working if length < most => {}
            Step::Working => self.stage = TeamStage::Done,
            FOUND => {
                self.predict(length, bounds);
                if let Some(robber) = self.robber {
                    self.stage = self.begin_to_measure(graph, robber);
                }
            }
        }
        Step::Working
    }
}
