//! A robber that looks a fixed number of plies ahead.

use super::greedy::turns;
use super::one_move::OneMove;
use crate::RobberPolicy;
use crate::search::Minimax;
use pursuit_engine::game::{Agent, Outcome, State, Turns, Value};
use pursuit_engine::graph::Vertex;
use pursuit_engine::policy::{Decision, Effort, Ground};

/// Looks d plies ahead and evaluates positions there by the maximum norm: `Minimax(d)` of C.
/// Moldenhauer's thesis, section 5.5.1.
///
/// For any number of cops and any speeds; the cost grows as the number of moves of a side to the power
/// of d, see [`Minimax`]. The value is a bound: a capture takes at least as long as the search sees.
#[derive(Debug, Clone)]
pub(super) struct MinimaxRobber {
    depth: u8,
    search: Minimax,
    one_move: OneMove,
}

impl MinimaxRobber {
    /// Looks `depth` plies ahead, at least one. The robber's next move is the first ply.
    pub(super) fn new(depth: u8) -> Self {
        Self {
            depth: depth.max(1),
            search: Minimax::new(),
            one_move: OneMove::default(),
        }
    }
}

impl RobberPolicy for MinimaxRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        let graph = ground.graph;
        let distance = |robber: Vertex, cop: &Agent| {
            turns(graph.cell(robber).max_norm(graph.cell(cop.at)), cop.speed)
        };
        let plies = self.search.solve(graph, state, self.depth, distance);
        let end = self.search.line().first().copied();
        let end = end.unwrap_or(state.robber.at);
        self.one_move.go(graph, state, decision, end);
        if !state.cops.is_empty() {
            let turns = u16::try_from(plies.div_ceil(2)).unwrap_or(u16::MAX);
            decision.value = Some(Value::AtLeast(Outcome::Caught(Turns(turns))));
        }
        Effort {
            planned: true,
            work: self.search.work(),
        }
    }
}
