//! A robber that plans with `TrailMax`.

use crate::RobberPolicy;
use pursuit_engine::game::{Side, State, Value};
use pursuit_engine::graph::Vertex;
use pursuit_engine::policy::{Decision, Effort, Ground, Source};
use pursuit_engine::search::{SlicedSearch as _, TrailMax};

/// Follows the path of [`TrailMax`] for m turns, whatever the cops do, and then plans anew:
/// `TrailMax(m)` of C. Moldenhauer's thesis, section 5.4.
#[derive(Debug, Clone)]
pub struct TrailMaxRobber {
    search: TrailMax,
    trail: Trail,
}

impl TrailMaxRobber {
    /// Follows each plan for `turns` turns, at least one.
    #[must_use]
    pub fn new(turns: u16) -> Self {
        Self {
            search: TrailMax::new(),
            trail: Trail::new(turns),
        }
    }
}

impl Default for TrailMaxRobber {
    /// Plans anew each turn. This gives the best play.
    fn default() -> Self {
        Self::new(1)
    }
}

impl RobberPolicy for TrailMaxRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        if self.trail.follow(ground, state, decision) {
            return Effort::default();
        }
        let state = State {
            to_move: Side::Robber,
            ..*state
        };
        let plan = self.search.solve(ground.graph, &state);
        decision.take(&plan.path, state.robber.speed, Source::Search);
        decision.value = Some(Value::of_path(plan.outcome));
        self.trail.keep(&plan.path, &state);
        Effort {
            planned: true,
            work: self.search.work(),
        }
    }

    fn restart(&mut self, _seed: u64) {
        self.trail.forget();
    }
}

/// A plan that is followed for a fixed number of turns.
#[derive(Debug, Clone)]
pub(super) struct Trail {
    /// The number of turns for which a plan is followed.
    turns: u16,
    /// The number of turns left for the current plan.
    left: u16,
    path: Vec<Vertex>,
    /// The number of steps of the path already made.
    done: usize,
    /// The robber's vertex if it moved as decided.
    at: Vertex,
}

impl Trail {
    pub(super) fn new(turns: u16) -> Self {
        Self {
            turns: turns.max(1),
            left: 0,
            path: Vec::new(),
            done: 0,
            at: Vertex::default(),
        }
    }

    pub(super) const fn forget(&mut self) {
        self.left = 0;
    }

    /// Keeps a plan whose first turn is already decided. After the end of the path the robber waits.
    pub(super) fn keep(&mut self, path: &[Vertex], state: &State<'_>) {
        self.left = self.turns - 1;
        if self.left > 0 {
            self.path.clear();
            self.path.extend_from_slice(path);
            self.done = 0;
            self.at = state.robber.at;
            self.advance(state);
        }
    }

    /// Decides by the plan, if it has turns left, continues from the robber's vertex and is still legal.
    pub(super) fn follow(
        &mut self,
        ground: Ground<'_>,
        state: &State<'_>,
        decision: &mut Decision,
    ) -> bool {
        if self.left == 0 || state.robber.at != self.at {
            return false;
        }
        let ahead = &self.path[self.done..];
        let next = &ahead[..ahead.len().min(usize::from(state.robber.speed.steps()))];
        if !pursuit_engine::game::is_legal_move(ground.graph, self.at, next, state.robber.speed) {
            self.left = 0;
            return false;
        }
        decision.take(ahead, state.robber.speed, Source::Search);
        self.left -= 1;
        self.advance(state);
        true
    }

    fn advance(&mut self, state: &State<'_>) {
        let ahead = &self.path[self.done..];
        let steps = ahead.len().min(usize::from(state.robber.speed.steps()));
        self.at = if steps == 0 {
            self.at
        } else {
            ahead[steps - 1]
        };
        self.done += steps;
    }
}
