//! A robber that plays by a table.

use crate::RobberPolicy;
use pursuit_engine::game::{Outcome, State, Turns, Value};
use pursuit_engine::policy::{Decision, Effort, Ground, Source, TablePlayer, TieBreak};
use pursuit_engine::table::{Arena, CaptureTimes};
use std::fmt;
use std::sync::Arc;

/// Plays by a table: the robber of an equilibrium.
///
/// Breaks ties by [`TieBreak::SearchOrder`]. Waits if the table does not apply (an edited map, other
/// rules).
#[derive(Clone)]
pub struct OptimalRobber {
    times: Arc<dyn CaptureTimes + Send + Sync>,
    arena: Arc<Arena>,
    player: TablePlayer,
}

impl fmt::Debug for OptimalRobber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OptimalRobber")
            .field("rules", &self.times.rules())
            .field("fingerprint", &self.times.fingerprint())
            .finish_non_exhaustive()
    }
}

impl OptimalRobber {
    /// Plays by `times`, a table of the map of `arena`.
    #[must_use]
    pub fn new(times: Arc<dyn CaptureTimes + Send + Sync>, arena: Arc<Arena>) -> Self {
        Self {
            times,
            arena,
            player: TablePlayer::new(TieBreak::SearchOrder),
        }
    }
}

impl RobberPolicy for OptimalRobber {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>, decision: &mut Decision) -> Effort {
        decision.take(&[], state.robber.speed, Source::Greedy);
        if state.is_capture() {
            decision.value = Some(Value::Exact(Outcome::Caught(Turns(0))));
        } else {
            let (times, arena) = (&*self.times, &*self.arena);
            self.player
                .robber(times, arena, ground.graph, state, decision);
        }
        Effort {
            planned: true,
            work: self.player.take_work(),
        }
    }
}
