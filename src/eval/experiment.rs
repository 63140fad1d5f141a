use super::ask::{IllegalMove, legal_way};
use crate::game::{Agent, Outcome, Side, State, Turns};
use crate::graph::Vertex;
use crate::policy::{Decision, Effort, Ground, RobberPolicy, Source};
use crate::search::seed_of;
use crate::table::{Arena, CaptureTimes, OptimalCops};
use std::sync::{Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// So many games are played between two looks at who waits.
const BATCH: usize = 32;

/// From a position from which the robber can escape a game is played for so many turns: cops that
/// cannot force a capture stay, so that only a robber that blunders is captured.
const ENDLESS: u32 = 200;

/// Where a game starts, the cops to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The robber.
    pub robber: Vertex,
    /// The cops, as many as in the rules.
    pub cops: Vec<Vertex>,
}

/// Plays policies of the robber against optimal cops: the experiment of the thesis (C. Moldenhauer),
/// section 5.5.1, for any number of cops and any speeds that a table is solved for.
///
/// The cops are [`OptimalCops`]. Survival is counted in *plies*, the moves of either side: 2t - 1 if
/// the cops capture with their move t, 2t if the robber runs into a cop with its move t.
///
/// ```
/// # use bevy_pursuit::eval::{Experiment, Performance, Start};
/// # use bevy_pursuit::game::Rules;
/// # use bevy_pursuit::graph::Graph;
/// # use bevy_pursuit::map::{Cell, Moves, Terrain, TileMap};
/// # use bevy_pursuit::policy::robber::TrailMaxRobber;
/// # use bevy_pursuit::table::{Arena, Solver};
/// let corridor = TileMap::filled(9, 1, Terrain::Floor).expect("a corridor");
/// let graph = Graph::new(&corridor, Moves::Octile);
/// let mut solver = Solver::new(Arena::of_map(&graph).into(), Rules::default(), 1 << 30)?;
/// solver.run(|_| true);
/// let solution = solver.finish().expect("done");
/// let experiment = Experiment {
///     ground: (&graph).into(),
///     times: &solution,
///     arena: solution.arena(),
///     seed: 0,
/// };
/// let at = |x| graph.vertex(Cell::new(x, 0)).expect("a vertex");
/// let start = Start { robber: at(4), cops: vec![at(0)] };
/// let policy = || Box::new(TrailMaxRobber::new(1)) as _;
/// // No clock: all times are 0.
/// let games = experiment.run(&[start], policy, || 0, |_| true)?;
/// // The cop captures at the end of the corridor, with its eighth move.
/// assert_eq!(games[0].survival, Some(2 * 8 - 1));
/// assert_eq!(Performance::of(&games).mean_ratio(), Some(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Experiment<'a, T: ?Sized> {
    /// What the policies may look at.
    pub ground: Ground<'a>,
    /// Exact values of the map of `ground`, by which the cops play.
    pub times: &'a T,
    /// The places of `times`.
    pub arena: &'a Arena,
    /// Random numbers of the policies follow from it and from the number of the game alone.
    pub seed: u64,
}

/// A game that has been played.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Played {
    /// In how many plies the robber is captured if it plays optimally, `None` if never.
    pub optimum: Option<u32>,
    /// In how many plies it was captured; `None` if it was free when an endless game was broken
    /// off. Never more than the optimum.
    pub survival: Option<u32>,
    /// What each of its moves took.
    pub moves: Vec<Taken>,
}

/// What a robber's move took to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// As the policy tells.
    pub effort: Effort,
    /// Nanoseconds by the clock of the experiment.
    pub nanoseconds: u64,
}

/// Why an experiment ends early.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A start is no position of the game that the table is for.
    #[error("start {game} is no position of the game")]
    NoPosition {
        /// The number of the start, from 0.
        game: usize,
    },
    /// The policy made a move that the rules do not allow.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// Who asked had no time to wait.
    #[error("cancelled")]
    Cancelled,
}

impl<T: CaptureTimes + ?Sized> Experiment<'_, T> {
    /// Plays a game from each start, and returns them in that order without those in which a cop
    /// stands on the robber from the start.
    ///
    /// `policy` makes a player, of which each thread has its own; they have to play alike. `clock`
    /// tells nanoseconds. `go_on` is told the number of starts that are done, from time to time, and
    /// stops the work with `false`. Works on all cores with the feature `parallel`, which disturbs the
    /// times, but nothing else.
    ///
    /// # Errors
    /// If a start is not a position of the game, if a move is not legal, or if it was stopped.
    pub fn run(
        &self,
        starts: &[Start],
        policy: impl Fn() -> Box<dyn RobberPolicy> + Sync + Send,
        clock: impl Fn() -> u64 + Sync + Send,
        mut go_on: impl FnMut(usize) -> bool,
    ) -> Result<Vec<Played>, ExperimentError> {
        let mut played = Vec::with_capacity(starts.len());
        // Players keep their memory from game to game.
        let idle = Mutex::new(Vec::new());
        for (batch, starts) in starts.chunks(BATCH).enumerate() {
            if !go_on(batch * BATCH) {
                return Err(ExperimentError::Cancelled);
            }
            let play = |(index, start): (usize, &Start)| {
                let waiting = lock(&idle).pop();
                let mut player = waiting.unwrap_or_else(|| Player {
                    policy: policy(),
                    cops: OptimalCops::new(self.times, self.arena),
                    decision: Decision::wait(Source::Greedy),
                });
                let game = self.play(&mut player, &clock, batch * BATCH + index, start);
                lock(&idle).push(player);
                game
            };
            #[cfg(feature = "parallel")]
            let games: Vec<_> = {
                use rayon::prelude::*;
                starts.par_iter().enumerate().map(play).collect()
            };
            #[cfg(not(feature = "parallel"))]
            let games = starts.iter().enumerate().map(play);
            for game in games {
                played.extend(game?);
            }
        }
        Ok(played)
    }

    /// Plays the game of a number; `None` if it is over before the first move.
    fn play(
        &self,
        player: &mut Player<'_, T>,
        clock: &impl Fn() -> u64,
        game: usize,
        start: &Start,
    ) -> Result<Option<Played>, ExperimentError> {
        let wrong = || ExperimentError::NoPosition { game };
        let cops = start.cops.iter().map(|&cop| self.arena.place(cop));
        let mut board = Board {
            robber: start.robber,
            cops: cops.collect::<Option<_>>().ok_or_else(wrong)?,
            agents: Vec::new(),
        };
        player.policy.restart(seed_of([self.seed, game as u64]));
        let mut played = Played::default();
        for turn in 1.. {
            let value = self.move_cops(player, &mut board);
            match value.ok_or_else(wrong)? {
                Outcome::Caught(Turns(0)) => return Ok(None),
                Outcome::Caught(Turns(turns)) if turn == 1 => {
                    played.optimum = Some(2 * u32::from(turns) - 1);
                }
                Outcome::Escapes if turn > ENDLESS => break,
                _ => {}
            }
            if board.agents.iter().any(|cop| cop.at == board.robber) {
                played.survival = Some(2 * turn - 1);
                break;
            }
            let (taken, survives) = self.move_robber(player, clock, &mut board)?;
            played.moves.push(taken);
            if !survives {
                played.survival = Some(2 * turn);
                break;
            }
        }
        Ok(Some(played))
    }

    /// The value before the cops' move; `None` where there is no such position.
    fn move_cops(&self, player: &mut Player<'_, T>, board: &mut Board) -> Option<Outcome> {
        let robber = self.arena.place(board.robber)?;
        let value = player.cops.play(robber, &mut board.cops);
        let speed = self.times.rules().cop_speed;
        let agent = |&place: &usize| Agent {
            at: self.arena.vertex(place),
            speed,
        };
        board.agents.clear();
        board.agents.extend(board.cops.iter().map(agent));
        value
    }

    /// What the robber's move took, and whether it survives it.
    fn move_robber(
        &self,
        player: &mut Player<'_, T>,
        clock: &impl Fn() -> u64,
        board: &mut Board,
    ) -> Result<(Taken, bool), ExperimentError> {
        let state = State {
            robber: Agent {
                at: board.robber,
                speed: self.times.rules().robber_speed,
            },
            cops: &board.agents,
            to_move: Side::Robber,
        };
        let (policy, decision) = (&mut player.policy, &mut player.decision);
        let before = clock();
        policy.decide(self.ground, &state, decision);
        let taken = Taken {
            nanoseconds: clock().saturating_sub(before),
            effort: policy.effort(),
        };
        let way = legal_way(self.ground, &state, decision)?;
        let is_cop = |step: &Vertex| board.agents.iter().any(|cop| cop.at == *step);
        let survives = !way.iter().any(is_cop);
        board.robber = way.last().copied().unwrap_or(board.robber);
        Ok((taken, survives))
    }
}

/// What a thread needs to play.
struct Player<'a, T: ?Sized> {
    policy: Box<dyn RobberPolicy>,
    cops: OptimalCops<'a, T>,
    decision: Decision,
}

/// A position.
struct Board {
    robber: Vertex,
    /// The cops' places,
    cops: Vec<usize>,
    /// and the same as agents.
    agents: Vec<Agent>,
}

fn lock<P>(players: &Mutex<Vec<P>>) -> MutexGuard<'_, Vec<P>> {
    players.lock().unwrap_or_else(PoisonError::into_inner)
}
