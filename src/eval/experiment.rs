use crate::game::{Agent, Outcome, Side, State, Turns, is_legal_move};
use crate::graph::Vertex;
use crate::policy::{Decision, Effort, Ground, RobberPolicy, Source};
use crate::table::{Arena, CaptureTimes, OptimalCops};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// So many games are played between two looks at who waits.
const BATCH: usize = 32;

/// From a position from which the robber can escape a game is played for so many turns: cops that
/// cannot force a capture stay, so that only a robber that blunders is captured.
const ENDLESS: u16 = 200;

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
#[derive(Debug, Clone, PartialEq, Eq)]
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
    #[error("the move {way} is not legal with {state}")]
    IllegalMove {
        /// The position before it.
        state: Shown,
        /// The cells or vertices of the move.
        way: String,
    },
    /// Who asked had no time to wait.
    #[error("cancelled")]
    Cancelled,
}

/// A position with the robber to move, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    robber: String,
    cops: String,
}

impl Shown {
    pub(super) fn new(ground: Ground<'_>, state: &State<'_>) -> Self {
        let cops: Vec<Vertex> = state.cops.iter().map(|cop| cop.at).collect();
        Self {
            robber: cells(ground, &[state.robber.at]),
            cops: cells(ground, &cops),
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the robber at {}, cops at {}", self.robber, self.cops)
    }
}

/// The cells of vertices, for people.
fn cells(ground: Ground<'_>, vertices: &[Vertex]) -> String {
    let cell = |&vertex: &Vertex| {
        if vertex.index() < ground.graph.slots() {
            let cell = ground.graph.cell(vertex);
            format!("({}, {})", cell.x, cell.y)
        } else {
            format!("vertex {} of another map", vertex.index())
        }
    };
    let cells: Vec<String> = vertices.iter().map(cell).collect();
    cells.join(" ")
}

/// The way that a policy decides on, if it is legal.
pub(super) fn legal_way<'d>(
    ground: Ground<'_>,
    state: &State<'_>,
    decision: &'d Decision,
) -> Result<&'d [Vertex], ExperimentError> {
    let way = decision.way();
    let on_map = way.iter().all(|&vertex| ground.graph.is_live(vertex));
    if on_map && is_legal_move(ground.graph, state.robber.at, way, state.robber.speed) {
        return Ok(way);
    }
    Err(ExperimentError::IllegalMove {
        state: Shown::new(ground, state),
        way: cells(ground, way),
    })
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
        let wrong = ExperimentError::NoPosition { game };
        let places = start.cops.iter().map(|&cop| self.arena.place(cop));
        let places: Option<Vec<usize>> = places.collect();
        let (mut places, rules) = (places.ok_or(wrong.clone())?, self.times.rules());
        let mut robber = start.robber;
        let at = |vertex, speed| Agent { at: vertex, speed };
        let mut cops: Vec<Agent> = Vec::with_capacity(places.len());
        let mut decision = Decision::wait(Source::Greedy);
        let mut played = Played {
            optimum: None,
            survival: None,
            moves: Vec::new(),
        };
        player.policy.restart(mix(self.seed ^ mix(game as u64)));
        for turn in 1_u32.. {
            let place = self.arena.place(robber).ok_or(wrong.clone())?;
            let value = player.cops.play(place, &mut places);
            match value.ok_or(wrong.clone())? {
                Outcome::Caught(Turns(0)) => return Ok(None),
                Outcome::Caught(Turns(turns)) if turn == 1 => {
                    played.optimum = Some(2 * u32::from(turns) - 1);
                }
                Outcome::Escapes if turn > u32::from(ENDLESS) => return Ok(Some(played)),
                _ => {}
            }
            cops.clear();
            let vertices = places.iter().map(|&place| self.arena.vertex(place));
            cops.extend(vertices.map(|vertex| at(vertex, rules.cop_speed)));
            let state = State {
                robber: at(robber, rules.robber_speed),
                cops: &cops,
                to_move: Side::Robber,
            };
            if state.is_capture() {
                played.survival = Some(2 * turn - 1);
                return Ok(Some(played));
            }
            let before = clock();
            player.policy.decide(self.ground, &state, &mut decision);
            played.moves.push(Taken {
                nanoseconds: clock().saturating_sub(before),
                effort: player.policy.effort(),
            });
            let way = legal_way(self.ground, &state, &decision)?;
            if way
                .iter()
                .any(|step| cops.iter().any(|cop| cop.at == *step))
            {
                played.survival = Some(2 * turn);
                return Ok(Some(played));
            }
            robber = way.last().copied().unwrap_or(robber);
        }
        Ok(Some(played))
    }
}

/// What a thread needs to play.
struct Player<'a, T: ?Sized> {
    policy: Box<dyn RobberPolicy>,
    cops: OptimalCops<'a, T>,
}

fn lock<P>(players: &Mutex<Vec<P>>) -> MutexGuard<'_, Vec<P>> {
    players.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014): numbers in a row give numbers that
/// have nothing to do with each other.
pub(super) const fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
