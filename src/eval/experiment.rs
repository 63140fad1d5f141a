//! Games of a robber against optimal cops.

use super::ask::{IllegalMove, legal_way};
use crate::game::{Agent, Outcome, Side, State, Turns, Value};
use crate::graph::Vertex;
use crate::policy::{Decision, Effort, Ground, RobberPolicy, Source, TablePlayer, TieBreak};
use crate::search::seed_of;
use crate::table::{Arena, CaptureTimes, Progress};
use thiserror::Error;

/// The number of games in progress on each thread.
const GAMES_OF_A_THREAD: usize = 4;

/// Nanoseconds between two progress reports. All games pause for a report; this is half of the delay
/// that people notice.
const NANOSECONDS_BETWEEN_REPORTS: u64 = 100_000_000;

/// The number of turns after which a game is stopped if the robber can escape. Cops that cannot force a
/// capture stay, so that they capture only a robber that blunders.
const ENDLESS: u32 = 200;

/// The starting position of a game, with the cops to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The robber.
    pub robber: Vertex,
    /// The cops; their number has to be that of the rules.
    pub cops: Vec<Vertex>,
}

/// Plays robber policies against optimal cops: the experiment of C. Moldenhauer's thesis, section 5.5.1,
/// for any number of cops and any speeds for which there is a table.
///
/// The cops are a [`TablePlayer`] with [`TieBreak::SearchOrder`]. Survival is counted in *plies*, the
/// moves of either side: 2t - 1 if the cops capture with their move t, 2t if the robber runs into a cop
/// with its move t.
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
    /// The map and the data that the policies may use.
    pub ground: Ground<'a>,
    /// The exact values of the map of `ground`. The cops play by them.
    pub times: &'a T,
    /// The arena of `times`.
    pub arena: &'a Arena,
    /// The random numbers of the policies depend only on this seed and on the number of the game.
    pub seed: u64,
}

/// The result of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Played {
    /// The number of plies until capture if the robber plays optimally, `None` if it is never captured.
    pub optimum: Option<u32>,
    /// The number of plies until the robber was captured; `None` if it was free when an endless game was
    /// stopped. Never more than the optimum.
    pub survival: Option<u32>,
    /// The work of each of its moves.
    pub moves: Vec<Taken>,
}

/// The work of deciding one move of the robber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The work as reported by the policy.
    pub effort: Effort,
    /// The time in nanoseconds by the clock of the experiment.
    pub nanoseconds: u64,
}

/// Why an experiment failed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// A start is not a position of the game of the table.
    #[error("start {game} is no position of the game")]
    NoPosition {
        /// The index of the start.
        game: usize,
    },
    /// The policy made a move that the rules do not allow.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// The progress callback stopped the work.
    #[error("cancelled")]
    Cancelled,
}

impl<T: CaptureTimes + ?Sized> Experiment<'_, T> {
    /// Plays a game from each start and returns the results in the order of the starts. Starts with a
    /// cop on the robber are left out.
    ///
    /// `policy` creates players. Several of them play at the same time, and all have to play alike.
    /// `clock` returns nanoseconds. `go_on` is given the number of finished starts (as solved
    /// positions), and stops the work by returning `false`. It is called about every tenth of a second,
    /// when each game in progress has made a move, or after some games if the clock stands still. With
    /// the feature `parallel` the games run on all cores, which affects the measured times but nothing
    /// else.
    ///
    /// # Errors
    /// If a start is not a position of the game, if a move is not legal, or if it was stopped.
    pub fn run(
        &self,
        starts: &[Start],
        policy: impl Fn() -> Box<dyn RobberPolicy> + Sync + Send,
        clock: impl Fn() -> u64 + Sync + Send,
        mut go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Vec<Played>, ExperimentError> {
        let mut results: Vec<Option<Result<Option<Played>, ExperimentError>>> = Vec::new();
        results.resize_with(starts.len(), || None);
        let mut waiting = starts.iter().enumerate();
        // Players reuse their memory from game to game.
        let (mut games, mut idle): (Vec<Game<'_>>, Vec<Player>) = Default::default();
        let (mut done, mut failed) = (0, false);
        loop {
            if !go_on(Progress::of_work(done, starts.len() as u64)) {
                return Err(ExperimentError::Cancelled);
            }
            while games.len() < GAMES_OF_A_THREAD * threads() && !failed {
                let Some((number, start)) = waiting.next() else {
                    break;
                };
                let player = idle.pop().unwrap_or_else(|| Player {
                    policy: policy(),
                    cops: TablePlayer::new(TieBreak::SearchOrder),
                    cop_moves: Vec::new(),
                    decision: Decision::wait(Source::Greedy),
                });
                games.push(Game::new(player, number, start, self.seed));
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
                        results[game.number] = Some(result);
                        idle.push(game.player);
                    }
                }
            }
        }
        // Games begin in order, so that the error is always that of the same game.
        let mut played = Vec::with_capacity(starts.len());
        for result in results.into_iter().flatten() {
            played.extend(result?);
        }
        Ok(played)
    }

    /// Plays until all games are over or a progress report is due.
    fn advance(&self, games: &mut [Game<'_>], clock: &(impl Fn() -> u64 + Sync + Send)) {
        let begun = clock();
        let play = |game: &mut Game<'_>| {
            while game.result.is_none() {
                game.result = match self.play_turn(game, clock) {
                    Ok(Turned::On) => None,
                    Ok(Turned::Over(played)) => Some(Ok(played)),
                    Err(error) => Some(Err(error)),
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

    /// Plays a turn.
    fn play_turn(
        &self,
        game: &mut Game<'_>,
        clock: &impl Fn() -> u64,
    ) -> Result<Turned, ExperimentError> {
        let number = game.number;
        let wrong = || ExperimentError::NoPosition { game: number };
        if game.turn == 0 {
            let speed = self.times.rules().cop_speed;
            let agent = |&at: &Vertex| Agent { at, speed };
            game.board.cops.extend(game.start.cops.iter().map(agent));
        }
        game.turn += 1;
        let turn = game.turn;
        let value = self.move_cops(&mut game.player, &mut game.board);
        match value.ok_or_else(wrong)? {
            Outcome::Caught(Turns(0)) => return Ok(Turned::Over(None)),
            Outcome::Caught(Turns(turns)) if turn == 1 => {
                game.played.optimum = Some(2 * u32::from(turns) - 1);
            }
            Outcome::Escapes if turn > ENDLESS => return Ok(Turned::Over(Some(game.end(None)))),
            _ => {}
        }
        let board = &mut game.board;
        if board.cops.iter().any(|cop| cop.at == board.robber) {
            return Ok(Turned::Over(Some(game.end(Some(2 * turn - 1)))));
        }
        let (taken, survives) = self.move_robber(&mut game.player, clock, board)?;
        game.played.moves.push(taken);
        if survives {
            return Ok(Turned::On);
        }
        Ok(Turned::Over(Some(game.end(Some(2 * turn)))))
    }

    /// The value before the cops' move; `None` if this is not a position of the game.
    fn move_cops(&self, player: &mut Player, board: &mut Board) -> Option<Outcome> {
        let (rules, graph) = (self.times.rules(), self.ground.graph);
        let state = State {
            robber: Agent {
                at: board.robber,
                speed: rules.robber_speed,
            },
            cops: &board.cops,
            to_move: Side::Cops,
        };
        let moves = &mut player.cop_moves;
        if !player
            .cops
            .cops(self.times, self.arena, graph, &state, moves)
        {
            return None;
        }
        for (cop, decision) in board.cops.iter_mut().zip(&*moves) {
            cop.at = decision.way().last().copied().unwrap_or(cop.at);
        }
        match moves.first()?.value? {
            Value::Exact(value) => Some(value),
            Value::AtLeast(_) => None,
        }
    }

    /// Plays the robber's move. Returns its work and whether the robber survives.
    fn move_robber(
        &self,
        player: &mut Player,
        clock: &impl Fn() -> u64,
        board: &mut Board,
    ) -> Result<(Taken, bool), ExperimentError> {
        let state = State {
            robber: Agent {
                at: board.robber,
                speed: self.times.rules().robber_speed,
            },
            cops: &board.cops,
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
        let is_cop = |step: &Vertex| board.cops.iter().any(|cop| cop.at == *step);
        let survives = !way.iter().any(is_cop);
        board.robber = way.last().copied().unwrap_or(board.robber);
        Ok((taken, survives))
    }
}

/// A game in progress.
struct Game<'a> {
    player: Player,
    /// The index of its start.
    number: usize,
    start: &'a Start,
    board: Board,
    turn: u32,
    played: Played,
    result: Option<Result<Option<Played>, ExperimentError>>,
}

impl<'a> Game<'a> {
    fn new(mut player: Player, number: usize, start: &'a Start, seed: u64) -> Self {
        player.policy.restart(seed_of([seed, number as u64]));
        Self {
            player,
            number,
            start,
            board: Board {
                robber: start.robber,
                cops: Vec::new(),
            },
            turn: 0,
            played: Played::default(),
            result: None,
        }
    }

    /// The result of the game, given the number of plies until capture, if the robber was captured.
    fn end(&mut self, survival: Option<u32>) -> Played {
        Played {
            survival,
            ..std::mem::take(&mut self.played)
        }
    }
}

/// The state of a game after a turn.
enum Turned {
    /// It goes on.
    On,
    /// It is over; `None` if it was over before the first move.
    Over(Option<Played>),
}

/// A player and its reused memory.
struct Player {
    policy: Box<dyn RobberPolicy>,
    cops: TablePlayer,
    cop_moves: Vec<Decision>,
    decision: Decision,
}

/// A position.
struct Board {
    robber: Vertex,
    cops: Vec<Agent>,
}

/// The number of games that are played at the same time.
fn threads() -> usize {
    #[cfg(feature = "parallel")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "parallel"))]
    {
        1
    }
}
