//! Cops that cut the robber off on maps of any size.

use crate::CopPolicy;
use pursuit_engine::game::{Agent, State};
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_engine::search::{Interception, SlicedSearch as _};

/// The least number of steps computed for a path. The next decision plans anew, so more steps are not needed.
const STEPS: usize = 16;

/// Cops that cut the robber off by [`Interception`], like [`Interceptor`](super::Interceptor), but the cost hardly depends on
/// the size of the map. A world plans for its cops with the same search, in slices, where the budget allows no joint moves.
///
/// Cost: that of [`Interception`].
#[derive(Debug, Clone, Default)]
pub struct LevelInterceptor {
    search: Interception,
}

impl CopPolicy for LevelInterceptor {
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        self.search
            .solve(ground.graph, ground.abstraction(), state, true, STEPS);
        let decide = |(index, cop): (usize, &Agent)| {
            let path = self.search.path_of(index).to_vec();
            Decision::along(path, cop.speed, Source::Search)
        };
        state.cops.iter().enumerate().map(decide).collect()
    }
}
