//! A greedy robber that avoids imminent captures.

use super::greedy::nearest_cop;
use super::knowing_oracle::{KnowingOracle, Knowledge};
use super::one_move::OneMove;
use crate::RobberPolicy;
use pursuit_engine::game::{Speed, State};
use pursuit_engine::graph::Vertex;
use pursuit_engine::patterns::rules::Goal;
use pursuit_engine::policy::{Decision, Effort, Ground};

/// Runs from the nearest cop by the maximum norm, like `greedy`, but avoids moves after which a [`KnowingOracle`]
/// recognises a capture within the next two turns. If all moves lead to such a capture, the robber chooses a move that
/// delays it longest.
///
/// The robber recognises captures only if all agents have speed 1; otherwise it plays like `greedy`.
#[derive(Debug, Clone)]
pub(super) struct WaryRobber {
    oracle: KnowingOracle,
    one_move: OneMove,
}

impl WaryRobber {
    /// Creates a robber with this knowledge.
    pub(super) fn new(knowledge: Knowledge) -> Self {
        Self {
            oracle: KnowingOracle::new(knowledge),
            one_move: OneMove::default(),
        }
    }
}

impl RobberPolicy for WaryRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        let graph = ground.graph;
        let mut speeds = state.cops.iter().map(|cop| cop.speed);
        let sees = state.robber.speed == Speed::ONE && speeds.all(|speed| speed == Speed::ONE);
        let oracle = &mut self.oracle;
        let worth = |end: Vertex| {
            let seen = if sees {
                oracle.turns(graph, Goal::Taken, end, state.cops)
            } else {
                None
            };
            (seen.unwrap_or(u8::MAX), nearest_cop(graph, end, state))
        };
        self.one_move.climb(graph, state, decision, worth)
    }
}
