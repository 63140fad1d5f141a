//! A robber that plans `TrailMax` on abstract levels.

use super::trail_max::Trail;
use crate::RobberPolicy;
use pursuit_engine::game::{Side, State, Value};
use pursuit_engine::policy::{Decision, Effort, Ground, Source};
use pursuit_engine::search::{DaTrailMax, SlicedSearch as _};

/// The least number of steps computed for a path. A shorter path would lead the robber astray, since its
/// end is random. With 16 steps the robber survives as long as with complete paths, with 8 almost as
/// long.
const STEPS: usize = 16;

/// Follows the path of [`DaTrailMax`] for m turns, whatever the cops do, and then plans anew:
/// `DATrailMax(m, q)` of C. Moldenhauer's thesis, section 5.4.
#[derive(Debug, Clone)]
pub struct DaTrailMaxRobber {
    search: DaTrailMax,
    turns: u16,
    trail: Trail,
}

impl DaTrailMaxRobber {
    /// Follows each plan for `turns` turns, at least one. Plans on a level of the abstraction if the
    /// robber survives longer than `threshold` plies there.
    #[must_use]
    pub fn new(turns: u16, threshold: u16) -> Self {
        Self {
            search: DaTrailMax::new(threshold, 0),
            turns: turns.max(1),
            trail: Trail::new(turns),
        }
    }
}

impl RobberPolicy for DaTrailMaxRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        if self.trail.follow(ground, state, decision) {
            return Effort::default();
        }
        let state = State {
            to_move: Side::Robber,
            ..*state
        };
        let speed = usize::from(state.robber.speed.steps());
        let steps = (usize::from(self.turns) * speed).max(STEPS);
        self.search.limit_steps(steps);
        let path = self
            .search
            .solve(ground.graph, ground.abstraction(), &state);
        decision.take(path, state.robber.speed, Source::Search);
        self.trail.keep(path, &state);
        decision.value = self.search.outcome().map(Value::of_path);
        Effort {
            planned: true,
            work: self.search.work(),
        }
    }

    fn restart(&mut self, seed: u64) {
        self.trail.forget();
        self.search.restart(seed);
    }
}
