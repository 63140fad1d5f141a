use crate::game::{Outcome, Side, State, Value};
use crate::graph::Graph;
use crate::policy::{Decision, RobberPolicy, Source};
use crate::search::TrailMax;

/// Runs along the path of [`TrailMax`] and plans anew at every decision: `TrailMax(1)` of the
/// thesis, section 5.4, the best of its table-free robbers.
#[derive(Debug, Clone, Default)]
pub struct TrailMaxRobber {
    search: TrailMax,
}

impl TrailMaxRobber {
    /// Expansions of the last decision.
    #[must_use]
    pub const fn expansions(&self) -> u64 {
        self.search.expansions()
    }
}

impl RobberPolicy for TrailMaxRobber {
    fn decide(&mut self, graph: &Graph, state: &State<'_>) -> Decision {
        let state = State {
            to_move: Side::Robber,
            ..*state
        };
        let plan = self.search.solve(graph, &state);
        let value = match plan.outcome {
            // No cop can come: nothing that they do changes that.
            Outcome::Escapes => Value::Exact(Outcome::Escapes),
            caught @ Outcome::Caught(_) => Value::AtLeast(caught),
        };
        Decision {
            value: Some(value),
            ..Decision::along(plan.path, state.robber.speed, Source::Search)
        }
    }
}
