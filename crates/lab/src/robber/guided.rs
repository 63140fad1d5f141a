//! The robber that follows the solution of an abstract level, as a player of experiments.

use crate::RobberPolicy;
use pursuit_engine::game::{Side, State, Value};
use pursuit_engine::policy::{Decision, Effort, Ground, GuidedRobber, Source};
use pursuit_engine::search::SlicedSearch as _;

/// Without a guide for the current map and rules the robber plays `TrailMax(1)`.
impl RobberPolicy for GuidedRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        let state = State {
            to_move: Side::Robber,
            ..*state
        };
        if state.is_capture() {
            decision.take(&[], state.robber.speed, Source::Search);
            return Effort {
                planned: true,
                ..Effort::default()
            };
        }
        if self.follow(ground, &state, decision) {
            return self.effort();
        }
        let search = self.trail_max();
        let plan = search.solve(ground.graph, &state);
        decision.take(&plan.path, state.robber.speed, Source::Search);
        decision.value = Some(Value::of_path(plan.outcome));
        Effort {
            planned: true,
            work: search.work(),
        }
    }
}
