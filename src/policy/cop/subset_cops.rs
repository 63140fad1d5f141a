//! Cops that play by a table of fewer cops.

use super::LevelInterceptor;
use crate::game::State;
use crate::policy::{CopPolicy, Decision, Ground, Merge, SubsetPlayer};
use crate::table::{Arena, CaptureTimes};
use std::ops::Deref;

/// Cops that play by a table of as many cops or fewer, as a [`SubsetPlayer`] does.
///
/// `T` and `A` point to the table and to its arena. Where no subset of the cops can force a capture, and where the
/// table does not apply (an edited map, other rules), the cops play as a [`LevelInterceptor`].
///
/// Cost: that of a [`SubsetPlayer`].
#[derive(Debug, Clone)]
pub struct SubsetCops<T, A> {
    times: T,
    arena: A,
    player: SubsetPlayer,
    others: LevelInterceptor,
}

impl<T, A> SubsetCops<T, A>
where
    T: Deref<Target: CaptureTimes>,
    A: Deref<Target = Arena>,
{
    /// Plays by `times`, which are of the map of `arena`.
    #[must_use]
    pub fn new(times: T, arena: A, merge: Merge) -> Self {
        Self {
            times,
            arena,
            player: SubsetPlayer::new(merge),
            others: LevelInterceptor::default(),
        }
    }
}

impl<T, A> CopPolicy for SubsetCops<T, A>
where
    T: Deref<Target: CaptureTimes> + Send,
    A: Deref<Target = Arena> + Send,
{
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let (times, arena) = (&*self.times, &*self.arena);
        let mut decisions = Vec::new();
        let player = &mut self.player;
        if !player.cops(times, arena, ground.graph, state, &mut decisions) {
            return self.others.decide(ground, state);
        }
        decisions
    }
}
