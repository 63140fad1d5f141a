//! Cops that play by a table.

use crate::CopPolicy;
use pursuit_engine::game::State;
use pursuit_engine::policy::{Decision, Ground, Source, TablePlayer, TieBreak};
use pursuit_engine::table::{Arena, CaptureTimes};
use std::ops::Deref;

/// Cops that play by a table: the cops of an equilibrium.
///
/// `T` and `A` point to the table and to its arena. Breaks ties by [`TieBreak::SearchOrder`]. The cops wait
/// where they cannot force a capture, and where the table does not apply (an edited map, other rules).
///
/// Cost: that of a [`TablePlayer`].
#[derive(Debug, Clone)]
pub struct OptimalCops<T, A> {
    times: T,
    arena: A,
    player: TablePlayer,
}

impl<T, A> OptimalCops<T, A>
where
    T: Deref<Target: CaptureTimes>,
    A: Deref<Target = Arena>,
{
    /// Plays by `times`, which are of the map of `arena`.
    #[must_use]
    pub fn new(times: T, arena: A) -> Self {
        Self {
            times,
            arena,
            player: TablePlayer::new(TieBreak::SearchOrder),
        }
    }
}

impl<T, A> CopPolicy for OptimalCops<T, A>
where
    T: Deref<Target: CaptureTimes> + Send,
    A: Deref<Target = Arena> + Send,
{
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let (times, arena) = (&*self.times, &*self.arena);
        let mut decisions = Vec::new();
        let player = &mut self.player;
        if !player.cops(times, arena, ground.graph, state, &mut decisions) {
            decisions.resize(state.cops.len(), Decision::wait(Source::Greedy));
        }
        decisions
    }
}
