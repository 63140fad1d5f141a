//! Measures how early and how reliably endgames announce captures.

use super::ask::{IllegalMove, end_of_robber, ends_of_cops};
use super::games::{ExperimentError, Start};
use super::world_cops::WorldCops;
use crate::{CopPolicy as _, RobberPolicy};
use pursuit_engine::endgame::{EndgameShapes, Endgames};
use pursuit_engine::game::{Agent, Rules, Side, State, Turns};
use pursuit_engine::graph::Vertex;
use pursuit_engine::policy::{Decision, Ground, Source};
use pursuit_engine::search::seed_of;
use pursuit_engine::table::Progress;
use std::sync::Arc;

/// The number of games that are played in parallel.
const BATCH: usize = 64;

/// An experiment that plays games of [`WorldCops`] with local endgames against a robber on one map, and records when a
/// capture is proven.
#[derive(Debug, Clone, Copy)]
pub struct Announcements<'a> {
    /// The map and what else the policies may read.
    pub ground: Ground<'a>,
    /// The rules of the game on `ground`.
    pub rules: Rules,
    /// The turn limit of a game. A game with a proof continues until the proven number of turns is over.
    pub turns: u32,
    /// The seed. The random numbers of the policies depend only on the seed and on the number of the game.
    pub seed: u64,
}

/// A game that was played until the capture or the turn limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Announced {
    /// The turn in which the robber was captured, counted from 1; `None` if it was not captured.
    pub captured: Option<u32>,
    /// The first turn with a proof, and the last turn by which that proof promises the capture.
    pub first: Option<(u32, u32)>,
    /// Whether a promise was broken: a proof was lost, its bound did not fall, or the capture was late.
    pub is_broken: bool,
    /// The cost of each region that was solved.
    pub regions: Vec<RegionCost>,
    /// The regions whose shape was known beforehand, so that they did not have to be solved.
    pub found: u64,
}

/// The cost of solving a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionCost {
    /// The number of vertices of the region.
    pub vertices: usize,
    /// Nanoseconds by the clock of the caller, including the choice of the region.
    pub nanoseconds: u64,
    /// The bytes of the table.
    pub bytes: u64,
}

impl Announced {
    /// Records that a game is over after this turn.
    pub(super) fn settle(&mut self, turn: u32) {
        let last = self.first.map_or(u32::MAX, |(_, last)| last);
        self.is_broken |= self.captured.map_or(last <= turn, |turn| turn > last);
    }

    /// The number of turns from the first proof to the capture.
    #[must_use]
    pub fn lead(&self) -> Option<u32> {
        Some(self.captured?.saturating_sub(self.first?.0))
    }
}

impl RegionCost {
    /// The cost of the region that was solved last.
    pub(super) fn of_last(endgames: &Endgames, nanoseconds: u64) -> Self {
        Self {
            vertices: endgames.regions().last().map_or(0, <[Vertex]>::len),
            nanoseconds,
            bytes: endgames.bytes_of_last(),
        }
    }
}

impl Announcements<'_> {
    /// Plays a game from each start, and returns the games in the order of the starts. The cops know the tables of some
    /// shapes beforehand.
    ///
    /// `robber` creates a new robber for each game. `clock` returns nanoseconds. The experiment calls `go_on`
    /// before each batch of games and stops if it returns `false`. With the feature `parallel`, games are
    /// played on all threads; except for the times, the result is the same.
    ///
    /// # Errors
    /// If a move is not legal, or if `go_on` stopped the experiment.
    pub fn run(
        &self,
        starts: &[Start],
        shapes: &Arc<EndgameShapes>,
        robber: impl Fn() -> Box<dyn RobberPolicy> + Sync + Send,
        clock: impl Fn() -> u64 + Sync + Send,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Vec<Announced>, ExperimentError> {
        let cops = || WorldCops::default().with_shapes(Arc::clone(shapes));
        in_batches(starts, go_on, |first, batch| {
            let played = self.play_all(first, batch, cops, &robber, &clock)?;
            Ok(played.into_iter().map(|(game, _)| game).collect())
        })
    }

    /// Plays a game from each start as [`run`](Self::run) does, and also returns the shapes that were solved, together
    /// with those that the cops know beforehand. Games of one batch of 64 do not know each other's shapes.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn bake(
        &self,
        starts: &[Start],
        shapes: EndgameShapes,
        robber: impl Fn() -> Box<dyn RobberPolicy> + Sync + Send,
        clock: impl Fn() -> u64 + Sync + Send,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<(Vec<Announced>, EndgameShapes), ExperimentError> {
        let mut known = Arc::new(shapes);
        let games = in_batches(starts, go_on, |first, batch| {
            let cops = || {
                let mut cops = WorldCops::default().with_shapes(Arc::clone(&known));
                cops.collect_shapes();
                cops
            };
            let played = self.play_all(first, batch, cops, &robber, &clock)?;
            let (games, shapes): (Vec<_>, Vec<_>) = played.into_iter().unzip();
            for shapes in shapes {
                Arc::make_mut(&mut known).extend(shapes);
            }
            Ok(games)
        })?;
        let shapes = Arc::try_unwrap(known).unwrap_or_else(|shared| (*shared).clone());
        Ok((games, shapes))
    }

    /// Plays a game from each start of a batch, the first of which has this number. Returns with each game the shapes
    /// that its cops have collected.
    fn play_all(
        &self,
        first: usize,
        starts: &[Start],
        cops: impl Fn() -> WorldCops + Sync + Send,
        robber: &(impl Fn() -> Box<dyn RobberPolicy> + Sync + Send),
        clock: &(impl Fn() -> u64 + Sync + Send),
    ) -> Result<Vec<(Announced, EndgameShapes)>, IllegalMove> {
        all(starts.len(), |index| {
            let mut cops = cops();
            let number = (first + index) as u64;
            let game = match starts.get(index) {
                Some(start) => self.play(number, start, &mut cops, robber(), clock)?,
                None => Announced::default(),
            };
            Ok((game, cops.take_shapes()))
        })
    }

    fn play(
        &self,
        number: u64,
        start: &Start,
        cops: &mut WorldCops,
        mut robber: Box<dyn RobberPolicy>,
        clock: &impl Fn() -> u64,
    ) -> Result<Announced, IllegalMove> {
        robber.restart(seed_of([self.seed, number]));
        cops.restart(seed_of([self.seed, number, 1]));
        let mut agents = Vec::new();
        start.cops_into(self.rules, &mut agents);
        let mut at = start.robber;
        let mut game = Announced::default();
        let mut promised: Option<u32> = None;
        let mut turn = 0;
        while turn < self.turns.max(promised.unwrap_or(0)) {
            turn += 1;
            self.solve(&mut game, cops, at, &agents, clock);
            let captures = self.move_cops(cops, at, &mut agents)?;
            promised = announce(&mut game, cops.promised(), turn, promised);
            if captures || self.move_robber(robber.as_mut(), &mut at, &agents)? {
                game.captured = Some(turn);
                break;
            }
        }
        game.settle(turn);
        game.found = cops
            .endgames()
            .map_or_else(Default::default, Endgames::found);
        Ok(game)
    }

    /// Solves the regions that the cops need for their next decision, and records the cost.
    fn solve(
        &self,
        game: &mut Announced,
        cops: &mut WorldCops,
        robber: Vertex,
        agents: &[Agent],
        clock: &impl Fn() -> u64,
    ) {
        let state = self.state(robber, agents, Side::Cops);
        let mut begun = clock();
        cops.prove_noting(self.ground, &state, |endgames| {
            let now = clock();
            let took = now.saturating_sub(begun);
            game.regions.push(RegionCost::of_last(endgames, took));
            begun = now;
        });
    }

    fn state<'a>(&self, robber: Vertex, cops: &'a [Agent], to_move: Side) -> State<'a> {
        let speed = self.rules.robber_speed;
        State {
            robber: Agent { at: robber, speed },
            cops,
            to_move,
        }
    }

    /// Moves the cops. Returns whether a cop captures the robber.
    fn move_cops(
        &self,
        policy: &mut WorldCops,
        robber: Vertex,
        cops: &mut [Agent],
    ) -> Result<bool, IllegalMove> {
        let state = self.state(robber, cops, Side::Cops);
        let decisions = policy.decide(self.ground, &state);
        let ends: Result<Vec<Vertex>, _> = ends_of_cops(self.ground, &state, &decisions).collect();
        for (cop, end) in cops.iter_mut().zip(ends?) {
            cop.at = end;
        }
        Ok(cops.iter().any(|cop| cop.at == robber))
    }

    /// Moves the robber. Returns whether the robber runs into a cop.
    fn move_robber(
        &self,
        policy: &mut dyn RobberPolicy,
        robber: &mut Vertex,
        cops: &[Agent],
    ) -> Result<bool, IllegalMove> {
        let state = self.state(*robber, cops, Side::Robber);
        let mut decision = Decision::wait(Source::Greedy);
        policy.decide(self.ground, &state, &mut decision);
        let (end, survives) = end_of_robber(self.ground, &state, &decision)?;
        *robber = end;
        Ok(!survives)
    }
}

/// Records the bound that the cops announce with their decision of this turn. Returns the last turn by which they
/// announce the capture.
pub(super) fn announce(
    game: &mut Announced,
    promised: Option<Turns>,
    turn: u32,
    before: Option<u32>,
) -> Option<u32> {
    let promise = |bound: Turns| (turn + u32::from(bound.0)).saturating_sub(1);
    let promise = promised.map(promise);
    game.is_broken |= match (before, promise) {
        (Some(before), Some(promise)) => promise > before,
        (Some(_), None) => true,
        (None, _) => false,
    };
    if game.first.is_none() {
        game.first = promise.map(|promise| (turn, promise));
    }
    promise
}

/// Plays the games of all starts, a batch at a time. `play` plays one batch, and receives the number of its first game.
pub(super) fn in_batches(
    starts: &[Start],
    mut go_on: impl FnMut(Progress) -> bool,
    mut play: impl FnMut(usize, &[Start]) -> Result<Vec<Announced>, IllegalMove>,
) -> Result<Vec<Announced>, ExperimentError> {
    let mut games = Vec::with_capacity(starts.len());
    for batch in starts.chunks(BATCH) {
        if !go_on(Progress::of_work(games.len() as u64, starts.len() as u64)) {
            return Err(ExperimentError::Cancelled);
        }
        games.extend(play(games.len(), batch)?);
    }
    Ok(games)
}

/// Plays `count` games and returns their results in order.
pub(super) fn all<T: Send, E: Send>(
    count: usize,
    play: impl Fn(usize) -> Result<T, E> + Sync + Send,
) -> Result<Vec<T>, E> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(play).collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        (0..count).map(play).collect()
    }
}
