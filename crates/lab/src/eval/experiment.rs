//! Games of a robber against optimal cops.

use super::games::{ExperimentError, Games, Opening, Played, Players, Start};
use crate::RobberPolicy;
use crate::cop::OptimalCops;
use pursuit_engine::game::{Agent, Outcome, Side, State, Turns};
use pursuit_engine::policy::{Ground, TablePlayer};
use pursuit_engine::table::{Arena, CaptureTimes, MAX_TURNS, Progress};

/// The number of turns after which a game is stopped if the robber can escape. Cops that cannot force a capture wait,
/// so that they capture only a robber that blunders.
const ENDLESS: u32 = 200;

/// Plays policies of the robber against optimal cops: the experiment of C. Moldenhauer's thesis, section 5.5.1. The
/// number of cops and the speeds are those of the table.
///
/// The cops are [`OptimalCops`]. Survival is counted in *plies*, the moves of either side: 2t - 1 if the cops
/// capture with their move t, 2t if the robber runs into a cop with its move t.
///
/// ```
/// # use pursuit_lab::eval::{Experiment, Performance, Start};
/// # use pursuit_engine::game::Rules;
/// # use pursuit_engine::graph::Graph;
/// # use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
/// # use pursuit_lab::robber::TrailMaxRobber;
/// # use pursuit_engine::table::{Arena, Solver};
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

impl<T: CaptureTimes + ?Sized> Experiment<'_, T> {
    /// Plays a game from each start and returns the results in the order of the starts. Starts with a
    /// cop on the robber are left out.
    ///
    /// `policy` creates players. Several players play at the same time, and all must play alike. `clock` returns
    /// nanoseconds. `go_on` receives the number of finished games as solved positions, and stops the work by returning
    /// `false`. It is called about every tenth of a second, once each game in progress has made a move. If the clock
    /// does not advance, it is called after some games. With the feature `parallel`, games are played on all cores:
    /// this affects the measured times, but nothing else.
    ///
    /// # Errors
    /// If a start is not a position of the game, if a move is not legal, or if it was stopped.
    pub fn run(
        &self,
        starts: &[Start],
        policy: impl Fn() -> Box<dyn RobberPolicy> + Sync + Send,
        clock: impl Fn() -> u64 + Sync + Send,
        go_on: impl FnMut(Progress) -> bool,
    ) -> Result<Vec<Played>, ExperimentError> {
        let (times, arena) = (self.times, self.arena);
        let mut openings = Vec::with_capacity(starts.len());
        for (number, start) in starts.iter().enumerate() {
            let optimum = optimum(times, arena, self.ground, start);
            let Some(optimum) = optimum else {
                return Err(ExperimentError::NoPosition { game: number });
            };
            if optimum != Outcome::Caught(Turns(0)) {
                openings.push(Opening {
                    number,
                    start,
                    optimum: Some(optimum),
                });
            }
        }
        let games = Games {
            ground: self.ground,
            rules: times.rules(),
            seed: self.seed,
            is_over: |opening: &Opening<'_>, turn, state: &State<'_>| match opening.optimum {
                Some(Outcome::Caught(Turns(turns))) => turn > turns.into(),
                _ => turn > ENDLESS && self.is_endless(turn, state),
            },
        };
        let players = || {
            Some(Players {
                cops: Box::new(OptimalCops::new(times, arena)),
                robber: policy(),
            })
        };
        let played = games.run(&openings, players, clock, go_on)?;
        // Optimal cops need no longer than the table says, unless it contradicts itself.
        let mut both = openings.iter().zip(&played);
        match both.find(|(_, game)| game.survival.is_none() && game.optimum.is_some()) {
            Some((opening, _)) => Err(ExperimentError::NoPosition {
                game: opening.number,
            }),
            None => Ok(played),
        }
    }

    /// Whether the cops can no longer force a capture, or have not captured for longer than any capture in a table
    /// takes.
    fn is_endless(&self, turn: u32, state: &State<'_>) -> bool {
        let mut player = TablePlayer::default();
        let value = player.value(self.times, self.arena, self.ground.graph, state);
        turn > ENDLESS + u32::from(MAX_TURNS) || !matches!(value, Some(Outcome::Caught(_)))
    }
}

/// The value of a start; `None` if it is not a position of the table's game on this ground.
pub(super) fn optimum(
    times: &(impl CaptureTimes + ?Sized),
    arena: &Arena,
    ground: Ground<'_>,
    start: &Start,
) -> Option<Outcome> {
    let rules = times.rules();
    let mut cops = Vec::new();
    start.cops_into(rules, &mut cops);
    let state = State {
        robber: Agent {
            at: start.robber,
            speed: rules.robber_speed,
        },
        cops: &cops,
        to_move: Side::Cops,
    };
    TablePlayer::default().value(times, arena, ground.graph, &state)
}
