//! A robber that maximises the area that it controls.

use super::one_move::OneMove;
use crate::RobberPolicy;
use crate::search::{Cover, CoverRule};
use pursuit_engine::game::{Agent, Side, State, Work};
use pursuit_engine::policy::{Decision, Effort, Ground};

/// Moves to where it controls the most vertices when it is the cops' move: hill climbing by the Cover
/// heuristic of C. Moldenhauer's thesis, section 5.3. See [`Cover`] for both rules.
///
/// Cost: a [`Cover`] count for each move, with up to nine moves on an octile map.
#[derive(Debug, Clone)]
pub(super) struct CoverRobber {
    rule: CoverRule,
    one_move: OneMove,
    cover: Cover,
}

impl CoverRobber {
    /// Counts vertices by `rule`.
    pub(super) fn new(rule: CoverRule) -> Self {
        Self {
            rule,
            one_move: OneMove::default(),
            cover: Cover::new(),
        }
    }
}

impl RobberPolicy for CoverRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        let Self {
            one_move, cover, ..
        } = self;
        let mut work = Work::NONE;
        let covered = |end| {
            let state = State {
                robber: Agent {
                    at: end,
                    ..state.robber
                },
                to_move: Side::Cops,
                ..*state
            };
            let covered = cover.count(ground.graph, &state, self.rule).robber;
            work += cover.work();
            covered
        };
        let mut effort = one_move.climb(ground.graph, state, decision, covered);
        effort.work += work;
        effort
    }
}
