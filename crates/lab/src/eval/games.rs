//! Plays games of a cop policy against a robber policy.

use super::ask::{IllegalMove, end_of_robber, ends_of_cops};
use crate::{CopPolicy, RobberPolicy};
use pursuit_engine::game::{Agent, Outcome, Rules, Side, State, Turns};
use pursuit_engine::graph::Vertex;
use pursuit_engine::policy::{Decision, Effort, Ground, Source};
use pursuit_engine::search::seed_of;
use pursuit_engine::table::Progress;
use thiserror::Error;

/// Games under way at once on each thread.
const GAMES_OF_A_THREAD: usize = 4;

/// Nanoseconds between two progress reports, for which all games pause: half of what people notice.
const NANOSECONDS_BETWEEN_REPORTS: u64 = 100_000_000;

/// Where a game starts, the cops to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The robber.
    pub robber: Vertex,
    /// The cops, as many as in the rules.
    pub cops: Vec<Vertex>,
}

impl Start {
    /// The agents of the cops, in memory of the caller.
    pub(super) fn cops_into(&self, rules: Rules, agents: &mut Vec<Agent>) {
        let speed = rules.cop_speed;
        agents.clear();
        agents.extend(self.cops.iter().map(|&at| Agent { at, speed }));
    }

    /// Whether a cop stands on the robber.
    pub(super) fn is_capture(&self) -> bool {
        self.cops.contains(&self.robber)
    }
}

/// A game that has been played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Played {
    /// The number of plies until the capture if both sides play optimally; `None` if the robber escapes, or if the
    /// number is not known.
    pub optimum: Option<u32>,
    /// The number of plies until the capture; `None` if the robber was free when the game was stopped. Against optimal
    /// cops, it is never more than the optimum.
    pub survival: Option<u32>,
    /// What each move of the robber took.
    pub moves: Vec<Taken>,
    /// The time that each joint move of the cops took to decide, in nanoseconds.
    pub team_times: Vec<u64>,
}

impl Played {
    /// The number of the last move of the cops in a game that ends with a capture after this number of plies.
    #[must_use]
    pub const fn turns(plies: u32) -> u32 {
        plies.div_ceil(2)
    }
}

/// What a robber's move took to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// What the policy reports.
    pub effort: Effort,
    /// Nanoseconds by the clock of the experiment.
    pub nanoseconds: u64,
}

/// Why games end early.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A start is not a position of the table's game.
    #[error("start {game} is no position of the game")]
    NoPosition {
        /// The number of the start, from 0.
        game: usize,
    },
    /// A policy made a move that the rules do not allow.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// There is no table for a policy that plays by one.
    #[error("a policy needs a table that there is not")]
    NoTable,
    /// The progress callback stopped the work.
    #[error("cancelled")]
    Cancelled,
}

/// A start and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Opening<'a> {
    /// The number of the start among all starts.
    pub(super) number: usize,
    pub(super) start: &'a Start,
    /// The value, if it is known.
    pub(super) optimum: Option<Outcome>,
}

/// Both sides of a game.
pub struct Players<'p> {
    /// The cops.
    pub cops: Box<dyn CopPolicy + 'p>,
    /// The robber.
    pub robber: Box<dyn RobberPolicy + 'p>,
}

/// Plays games by the same rules on the same ground.
pub(super) struct Games<'a, Over> {
    pub(super) ground: Ground<'a>,
    pub(super) rules: Rules,
    /// The random numbers of the policies depend only on this seed and on the number of the start.
    pub(super) seed: u64,
    /// Whether a game is stopped before this turn, counted from 1.
    pub(super) is_over: Over,
}

impl<Over> Games<'_, Over>
where
    Over: Fn(&Opening<'_>, u32, &State<'_>) -> bool + Sync,
{
    /// Plays a game from each opening, and returns them in that order; see `Experiment::run`.
    pub(super) fn run<'p>(
        &self,
        openings: &[Opening<'_>],
        players: impl Fn() -> Option<Players<'p>>,
        clock: impl Fn() -> u64 + Sync + Send,
        mut go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Vec<Played>, ExperimentError> {
        let mut results: Vec<Option<Result<Played, ExperimentError>>> = Vec::new();
        results.resize_with(openings.len(), || None);
        let mut waiting = openings.iter().enumerate();
        // Players keep their memory from game to game.
        let (mut games, mut idle): (Vec<Game<'_, 'p>>, Vec<PairTable<'p>>) = Default::default();
        let (mut done, mut failed) = (0, false);
        loop {
            if !go_on(Progress::of_work(done, openings.len() as u64)) {
                return Err(ExperimentError::Cancelled);
            }
            while games.len() < GAMES_OF_A_THREAD * threads() && !failed {
                let Some((index, opening)) = waiting.next() else {
                    break;
                };
                let table = match idle.pop() {
                    Some(table) => table,
                    None => PairTable::new(players().ok_or(ExperimentError::NoTable)?),
                };
                games.push(Game::new(table, index, opening, self.rules, self.seed));
            }
            if games.is_empty() {
                break;
            }
            self.advance(&mut games, &clock);
            for mut game in std::mem::take(&mut games) {
                match game.result.take() {
                    None => games.push(game),
                    Some(result) => {
                        done += 1;
                        failed |= result.is_err();
                        results[game.index] = Some(result);
                        idle.push(game.table);
                    }
                }
            }
        }
        // Games begin in order, so that the first that fails is always the same.
        results.into_iter().flatten().collect()
    }

    /// Plays on until all games are over or a progress report is due.
    fn advance(&self, games: &mut [Game<'_, '_>], clock: &(impl Fn() -> u64 + Sync + Send)) {
        let begun = clock();
        let play = |game: &mut Game<'_, '_>| {
            while game.result.is_none() {
                game.result = match self.play_turn(game, clock) {
                    Ok(true) => None,
                    Ok(false) => Some(Ok(std::mem::take(&mut game.played))),
                    Err(error) => Some(Err(error.into())),
                };
                if clock().saturating_sub(begun) > NANOSECONDS_BETWEEN_REPORTS {
                    break;
                }
            }
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            games.par_iter_mut().for_each(play);
        }
        #[cfg(not(feature = "parallel"))]
        games.iter_mut().for_each(play);
    }

    /// Plays a turn. Returns whether the game goes on.
    fn play_turn(
        &self,
        game: &mut Game<'_, '_>,
        clock: &impl Fn() -> u64,
    ) -> Result<bool, IllegalMove> {
        game.turn += 1;
        let turn = game.turn;
        if (self.is_over)(game.opening, turn, &game.state(self.rules, Side::Cops)) {
            return Ok(false);
        }
        self.move_cops(game, clock)?;
        if game.state(self.rules, Side::Robber).is_capture() {
            game.played.survival = Some(2 * turn - 1);
            return Ok(false);
        }
        let survives = self.move_robber(game, clock)?;
        if !survives {
            game.played.survival = Some(2 * turn);
        }
        Ok(survives)
    }

    fn move_cops(
        &self,
        game: &mut Game<'_, '_>,
        clock: &impl Fn() -> u64,
    ) -> Result<(), IllegalMove> {
        let state = State {
            robber: Agent {
                at: game.robber,
                speed: self.rules.robber_speed,
            },
            cops: &game.table.agents,
            to_move: Side::Cops,
        };
        let before = clock();
        let decisions = game.table.players.cops.decide(self.ground, &state);
        game.played.team_times.push(clock().saturating_sub(before));
        game.table.ends.clear();
        for end in ends_of_cops(self.ground, &state, &decisions) {
            game.table.ends.push(end?);
        }
        for (cop, &end) in game.table.agents.iter_mut().zip(&game.table.ends) {
            cop.at = end;
        }
        Ok(())
    }

    /// Returns whether the robber survives its move.
    fn move_robber(
        &self,
        game: &mut Game<'_, '_>,
        clock: &impl Fn() -> u64,
    ) -> Result<bool, IllegalMove> {
        let table = &mut game.table;
        let state = State {
            robber: Agent {
                at: game.robber,
                speed: self.rules.robber_speed,
            },
            cops: &table.agents,
            to_move: Side::Robber,
        };
        let (policy, decision) = (&mut table.players.robber, &mut table.decision);
        let before = clock();
        let effort = policy.decide(self.ground, &state, decision);
        game.played.moves.push(Taken {
            nanoseconds: clock().saturating_sub(before),
            effort,
        });
        let (end, survives) = end_of_robber(self.ground, &state, decision)?;
        game.robber = end;
        Ok(survives)
    }
}

/// What it takes to play: both sides and memory.
struct PairTable<'p> {
    players: Players<'p>,
    agents: Vec<Agent>,
    ends: Vec<Vertex>,
    decision: Decision,
}

impl<'p> PairTable<'p> {
    const fn new(players: Players<'p>) -> Self {
        Self {
            players,
            agents: Vec::new(),
            ends: Vec::new(),
            decision: Decision::wait(Source::Greedy),
        }
    }
}

/// A game under way.
struct Game<'a, 'p> {
    table: PairTable<'p>,
    /// The index of its opening.
    index: usize,
    opening: &'a Opening<'a>,
    robber: Vertex,
    turn: u32,
    played: Played,
    result: Option<Result<Played, ExperimentError>>,
}

impl<'a, 'p> Game<'a, 'p> {
    fn new(
        mut table: PairTable<'p>,
        index: usize,
        opening: &'a Opening<'a>,
        rules: Rules,
        seed: u64,
    ) -> Self {
        let number = opening.number as u64;
        table.players.robber.restart(seed_of([seed, number]));
        table.players.cops.restart(seed_of([seed, number, 1]));
        opening.start.cops_into(rules, &mut table.agents);
        let optimum = match opening.optimum {
            Some(Outcome::Caught(Turns(turns))) => Some((2 * u32::from(turns)).saturating_sub(1)),
            Some(Outcome::Escapes | Outcome::Away(_)) | None => None,
        };
        Self {
            table,
            index,
            opening,
            robber: opening.start.robber,
            turn: 0,
            played: Played {
                optimum,
                ..Played::default()
            },
            result: None,
        }
    }

    fn state(&self, rules: Rules, to_move: Side) -> State<'_> {
        State {
            robber: Agent {
                at: self.robber,
                speed: rules.robber_speed,
            },
            cops: &self.table.agents,
            to_move,
        }
    }
}

/// The number of threads on which games are played and positions decided.
pub(super) fn threads() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    {
        1
    }
}
