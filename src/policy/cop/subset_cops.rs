//! Cops that play by a table of fewer cops.

use super::LevelInterceptor;
use crate::game::{Outcome, State, Turns, Value};
use crate::policy::{CopPolicy, Decision, Ground, Merge, SubsetGuide, SubsetPlayer};
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
    is_guided: bool,
    /// What the last decision has announced.
    announced: Option<Turns>,
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
            is_guided: false,
            announced: None,
        }
    }

    /// Plays by `times` with [`Merge::Search`], and by a [`RetractGuide`](crate::policy::RetractGuide) for one cop more
    /// where there is one.
    #[must_use]
    pub fn guided(times: T, arena: A) -> Self {
        Self {
            is_guided: true,
            ..Self::new(times, arena, Merge::Search)
        }
    }
}

impl<T, A> CopPolicy for SubsetCops<T, A>
where
    T: Deref<Target: CaptureTimes> + Send,
    A: Deref<Target = Arena> + Send,
{
    fn decide(&mut self, ground: Ground<'_>, state: &State<'_>) -> Vec<Decision> {
        let table = (&*self.times, &*self.arena);
        let mut decisions = Vec::new();
        let player = &mut self.player;
        let announced = self.announced.take();
        let guide = ground.retract.filter(|_| self.is_guided);
        let guide = guide.map(|retract| SubsetGuide { retract, announced });
        if !player.guided_cops(table, ground.graph, state, guide, &mut decisions) {
            return self.others.decide(ground, state);
        }
        let value = decisions.first().and_then(|decision| decision.value);
        self.announced = match value {
            Some(Value::Exact(Outcome::Caught(turns)) | Value::AtMost(Outcome::Caught(turns))) => {
                Some(turns)
            }
            _ => None,
        };
        decisions
    }

    fn restart(&mut self, _seed: u64) {
        self.announced = None;
    }
}
