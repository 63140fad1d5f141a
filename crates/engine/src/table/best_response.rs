//! The best result of one side against a given policy of the other side (C. Moldenhauer, *Game tree
//! search algorithms for the game of cops and robber*, 2009, section 3.1).
//!
//! A [`Solver`] does the work, with the moves of one side restricted to those of its policy. The
//! policy has to be deterministic and without memory: before the induction starts, it is asked once
//! for each position, and not in the order of a game.

use super::arena_rules::ArenaRules;
use super::balls::Balls;
use super::bound::{Choices, FixedMoves};
use super::estimate::{BYTES_OF_A_BALL, Estimate};
use super::game::Game;
use super::shape::{PlacementIndex, count_sets};
use super::sweep::{Threads, map};
use super::{Arena, Progress, Solution, SolveError, Solver};
use crate::game::{Outcome, Rules, Side, Speed};
use crate::graph::{BallSearch, Vertex};
use std::sync::Arc;

/// The work of a player between two progress reports: the number of words of 64 cop placements,
/// each with one place of the robber.
const WORDS_BETWEEN_REPORTS: usize = 4;

/// The capture times of all positions when one side plays a given policy and the other side its
/// best response. Memory: that of a [`Solution`].
#[derive(Debug, Clone)]
pub struct Response {
    rules: Rules,
    solution: Solution,
}

impl Response {
    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The value of a position with the cops to move. `None` if a vertex does not belong to the
    /// graph, or if the number of cops differs from the rules. Time: k log k for k cops.
    #[must_use]
    pub fn value(&self, robber: Vertex, cops: &[Vertex]) -> Option<Outcome> {
        self.solution.value(robber, cops)
    }
}

/// Computes the capture times with the cops to move if the robber plays a policy that the cops
/// know.
///
/// `player` creates instances of the policy. Several instances are asked at the same time, so all
/// of them have to make the same moves. The policy is asked once for each position with the robber
/// to move in which the robber is not captured. An instance receives the robber's vertex and the
/// vertices of the cops, sorted by their places, and returns the vertex on which the robber's move
/// ends.
///
/// `go_on` receives the progress many times a second: first the number of positions for which the
/// policy has been asked (turn 0; the cops are interchangeable), then turn by turn the number of
/// positions solved, as in [`Solver::run`]. An error that `player` or `go_on` returns ends the
/// work.
///
/// Memory: that of solving the game with a robber of speed 1, plus ⌈log₂ m⌉ bits for each position,
/// where m is the greatest number of places that the robber can reach in a turn. Time: that of
/// solving the game plus that of the policy; on all cores with the feature `parallel`. A capture
/// that takes more than 65,534 turns counts as an escape.
///
/// ```
/// # use pursuit_engine::{game::{Outcome, Rules, Turns}, graph::{Digraph, Vertex}};
/// # use pursuit_engine::table::{Arena, SolveError, best_response_to_robber};
/// // On a path of four vertices a robber that never moves is captured sooner than one that flees.
/// let path = Digraph::undirected(4, &[(0, 1), (1, 2), (2, 3)])?;
/// let arena = Arena::of_digraph(&path).into();
/// let player = || |robber: Vertex, _: &[Vertex]| Ok::<_, SolveError>(robber);
/// let lazy = best_response_to_robber(&arena, Rules::default(), 1 << 20, player, |_| Ok(()))?;
/// let value = lazy.value(path.vertex(2).unwrap(), &[path.vertex(0).unwrap()]);
/// assert_eq!(value, Some(Outcome::Caught(Turns(2))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SolveError::TooLarge`] if the work needs more than `limit` bytes,
/// [`SolveError::TooManyVertices`], [`SolveError::IllegalMove`] if the robber cannot make the move
/// of the policy within its speed and without passing a cop, and the errors of `player` and
/// `go_on`.
pub fn best_response_to_robber<P, E>(
    arena: &Arc<Arena>,
    rules: Rules,
    limit: u64,
    player: impl FnMut() -> P,
    mut go_on: impl FnMut(Progress) -> Result<(), E>,
) -> Result<Response, E>
where
    P: FnMut(Vertex, &[Vertex]) -> Result<Vertex, E> + Send,
    E: From<SolveError> + Send,
{
    let (mut solver, mut bound) = prepare(arena, rules, limit, Side::Robber)?;
    let ask = |player: &mut P, position: &Position<'_>, noted: &mut [u64]| {
        let to = player(position.robber_vertex(), position.cop_vertices)?;
        let to = position.robber_move(rules, to)?;
        position.note(noted, 0, position.robber, to);
        Ok(())
    };
    ask_all(arena, &mut bound, solver.shape(), player, ask, &mut go_on)?;
    for word in 0..solver.shape().words() {
        bound.complete(solver.shape(), word);
    }
    solver.bind(bound);
    respond(solver, rules, go_on)
}

/// Computes the capture times with the cops to move if the cops play a policy that the robber
/// knows.
///
/// This is [`best_response_to_robber`] for the other side. The policy is asked once for each
/// position with the cops to move in which the robber is not captured. An instance receives the
/// robber's vertex, the vertices of the cops, sorted by their places, and a copy of these vertices,
/// in which it replaces each vertex by the one that the cop moves to. The value is
/// [`Outcome::Escapes`] if the policy has a flaw that the robber can exploit forever.
///
/// Memory: that of solving the game, plus ⌈log₂ m⌉ bits for each position and cop, where m is the
/// greatest number of places that a cop can reach in a turn. Time: that of solving the game plus
/// that of the policy; on all cores with the feature `parallel`.
///
/// ```
/// # use pursuit_engine::{game::{Outcome, Rules}, graph::{Digraph, Vertex}};
/// # use pursuit_engine::table::{Arena, SolveError, best_response_to_cops};
/// // A cop that never moves does not capture the robber.
/// let edge = Digraph::undirected(2, &[(0, 1)])?;
/// let arena = Arena::of_digraph(&edge).into();
/// let player = || |_: Vertex, _: &[Vertex], _: &mut [Vertex]| Ok::<_, SolveError>(());
/// let lazy = best_response_to_cops(&arena, Rules::default(), 1 << 20, player, |_| Ok(()))?;
/// let value = lazy.value(edge.vertex(1).unwrap(), &[edge.vertex(0).unwrap()]);
/// assert_eq!(value, Some(Outcome::Escapes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SolveError::TooLarge`] if the work needs more than `limit` bytes,
/// [`SolveError::TooManyVertices`], [`SolveError::IllegalMove`] if a cop cannot make its move
/// within its speed or if it shares its place with another cop and may not, and the errors of
/// `player` and `go_on`.
pub fn best_response_to_cops<P, E>(
    arena: &Arc<Arena>,
    rules: Rules,
    limit: u64,
    player: impl FnMut() -> P,
    mut go_on: impl FnMut(Progress) -> Result<(), E>,
) -> Result<Response, E>
where
    P: FnMut(Vertex, &[Vertex], &mut [Vertex]) -> Result<(), E> + Send,
    E: From<SolveError> + Send,
{
    let (mut solver, mut bound) = prepare(arena, rules, limit, Side::Cops)?;
    let ask = |player: &mut P, position: &Position<'_>, noted: &mut [u64]| {
        let mut to = position.cop_vertices.to_vec();
        player(position.robber_vertex(), position.cop_vertices, &mut to)?;
        let mut taken = Vec::new();
        for (cop, (&from, to)) in position.cops.iter().zip(to).enumerate() {
            let place = position.arena.place(to);
            let place = place.filter(|&place| position.note(noted, cop, from, place));
            taken.extend(place);
            let rules = position.arena.rules();
            if place.is_none() || rules.is_some_and(|rules| !rules.allows(&taken)) {
                return Err(position.illegal(from, to).into());
            }
        }
        Ok(())
    };
    ask_all(arena, &mut bound, solver.shape(), player, ask, &mut go_on)?;
    solver.bind(bound);
    respond(solver, rules, go_on)
}

/// Checks the memory of the whole work against `limit`, and creates the solver and the empty record
/// of choices.
fn prepare(
    arena: &Arc<Arena>,
    rules: Rules,
    limit: u64,
    side: Side,
) -> Result<(Solver, FixedMoves), SolveError> {
    let (places, cops) = (arena.places(), usize::from(rules.cops.get()));
    let (speed, solved) = match side {
        Side::Cops => (rules.cop_speed, rules),
        // A robber with a policy has one move in each position, however many steps that move takes.
        Side::Robber => (
            rules.robber_speed,
            Rules {
                robber_speed: Speed::ONE,
                ..rules
            },
        ),
    };
    let estimate = Estimate::new(places, &solved)?;
    let ends = most_ends(arena, side, speed) as u64;
    let words = PlacementIndex::size(places as u128, rules.cops.get().into());
    let width = FixedMoves::width(side, cops, ends as usize) as u128;
    let choices = words.and_then(|words| words.checked_mul(8 * places as u128 * width));
    let choices = choices.and_then(|bytes| u64::try_from(bytes).ok());
    let balls = BYTES_OF_A_BALL * places as u64 * ends;
    let has_reach = side == Side::Robber && speed != Speed::ONE;
    let reach = if has_reach {
        estimate.reach_bits_bytes(speed, arena.has_local_steps())
    } else {
        0
    };
    let more = choices.unwrap_or(u64::MAX).saturating_add(balls + reach);
    let too_large = |needed| SolveError::TooLarge {
        vertices: places,
        cops: rules.cops.get(),
        needed,
        limit,
    };
    let needed = estimate.bytes.saturating_add(more);
    if needed > limit || needed == u64::MAX {
        return Err(too_large(needed));
    }
    let solver = Solver::with_game(Arc::clone(arena), solved, limit - more, Game::CopsAndRobber);
    let mut solver = solver.map_err(|error| match error {
        SolveError::TooLarge { needed, .. } => too_large(needed.saturating_add(more)),
        other => other,
    })?;
    if has_reach {
        let is_symmetric = arena.is_two_way(Side::Robber);
        let steps = solver.robber_reach();
        let reach = steps.within(places, speed.steps(), is_symmetric, reach);
        solver.set_robber_reach(reach.ok_or_else(|| too_large(needed))?);
    }
    let balls = Balls::new(arena.steps_of(side), speed, places * ends as usize);
    let balls = balls.ok_or_else(|| too_large(needed))?;
    let bound = FixedMoves::new(side, solver.shape(), balls);
    Ok((solver, bound))
}

/// An upper bound of the places that an agent of a side can reach in a turn.
fn most_ends(arena: &Arena, side: Side, speed: Speed) -> usize {
    let (places, steps) = (arena.places(), arena.steps_of(side));
    if speed == Speed::ONE {
        let steps = (0..places).map(|place| steps.row(place).len());
        return steps.max().unwrap_or(0);
    }
    let square = (2 * usize::from(speed.steps()) + 1).pow(2);
    if arena.has_local_steps() {
        places.min(square)
    } else {
        places
    }
}

/// Asks the players for all positions and records their choices.
fn ask_all<P: Send, E: From<SolveError> + Send>(
    arena: &Arena,
    bound: &mut FixedMoves,
    shape: &PlacementIndex,
    mut player: impl FnMut() -> P,
    ask: impl Fn(&mut P, &Position<'_>, &mut [u64]) -> Result<(), E> + Sync + Send,
    go_on: &mut impl FnMut(Progress) -> Result<(), E>,
) -> Result<(), E> {
    let sets = count_sets(shape.places as u128, shape.cops as u128);
    let positions = sets.map_or(u64::MAX, |sets| sets as u64 * shape.places as u64);
    let side = bound.side();
    let (choices, words, width) = bound.choices_mut();
    let mut players: Vec<P> = (0..threads()).map(|_| player()).collect();
    let at_once = players.len() * WORDS_BETWEEN_REPORTS;
    let mut asked = 0;
    for (batch, words) in words.chunks_mut(at_once * width).enumerate() {
        go_on(Progress::of_work(asked, positions))?;
        let work = players
            .iter_mut()
            .zip(words.chunks_mut(WORDS_BETWEEN_REPORTS * width));
        let counts = map(
            Threads::All,
            work.collect(),
            |index, (player, words): (&mut P, &mut [u64])| {
                let first = batch * at_once + index * WORDS_BETWEEN_REPORTS;
                let mut asked = 0;
                for (item, words) in (first..).zip(words.chunks_mut(width)) {
                    let (word, robber) = (item / shape.places, item % shape.places);
                    let ask = |position: &Position<'_>| ask(player, position, words);
                    asked += ask_word(arena, shape, choices, side, word, robber, ask)?;
                }
                Ok::<u64, E>(asked)
            },
        );
        // The order of the items decides which error is returned, not the number of threads.
        for count in counts {
            asked += count?;
        }
    }
    Ok(())
}

/// Asks for all positions of a word of cop placements and a place of the robber. Returns their
/// number.
fn ask_word<E>(
    arena: &Arena,
    shape: &PlacementIndex,
    choices: Choices<'_>,
    side: Side,
    word: usize,
    robber: usize,
    mut ask: impl FnMut(&Position<'_>) -> Result<(), E>,
) -> Result<u64, E> {
    let (row, board) = shape.locate(word);
    let row = shape.cops_of(row);
    // Placements with a column beyond the least cop of the row are stored elsewhere as well.
    let end = row.first().map_or(shape.places, |least| least + 1);
    let columns = board * 64..end.min(shape.places).min(board * 64 + 64);
    let mut cops = vec![0; shape.cops];
    cops[1..].copy_from_slice(&row);
    let mut vertices: Vec<Vertex> = cops.iter().map(|&cop| arena.vertex(cop)).collect();
    let count = columns.len() as u64;
    for column in columns {
        (cops[0], vertices[0]) = (column, arena.vertex(column));
        if is_asked(arena, side, robber, &cops) {
            ask(&Position {
                arena,
                choices,
                robber,
                cops: &cops,
                cop_vertices: &vertices,
            })?;
        }
    }
    Ok(count)
}

/// Returns whether a policy of a side is asked for a position in which that side is to move: whether
/// the position can occur and the game goes on.
fn is_asked(arena: &Arena, side: Side, robber: usize, cops: &[usize]) -> bool {
    let Some(rules) = arena.rules() else {
        return !cops.contains(&robber);
    };
    // A cop may just have moved to the robber, which is captured only after its own move.
    let is_over = side == Side::Cops || rules.judges_cops();
    let is_caught = || cops.iter().any(|&cop| rules.captures(cop, robber));
    rules.is_legal(robber, cops) && !rules.exits.contains(robber) && !(is_over && is_caught())
}

/// Runs the induction and returns its result.
fn respond<E: From<SolveError>>(
    mut solver: Solver,
    rules: Rules,
    mut go_on: impl FnMut(Progress) -> Result<(), E>,
) -> Result<Response, E> {
    let mut stopped = Ok(());
    solver.run(|progress| {
        stopped = go_on(progress);
        stopped.is_ok()
    });
    stopped?;
    // The solver has not been stopped, so it is done.
    let (vertices, cops) = (solver.shape().places, rules.cops.get());
    let solution = solver.finish().ok_or(SolveError::TooLarge {
        vertices,
        cops,
        needed: u64::MAX,
        limit: u64::MAX,
    })?;
    Ok(Response { rules, solution })
}

/// A position for which a policy is asked.
struct Position<'a> {
    arena: &'a Arena,
    choices: Choices<'a>,
    robber: usize,
    /// The places of the cops, sorted.
    cops: &'a [usize],
    cop_vertices: &'a [Vertex],
}

impl Position<'_> {
    fn robber_vertex(&self) -> Vertex {
        self.arena.vertex(self.robber)
    }

    fn illegal(&self, from: usize, to: Vertex) -> SolveError {
        SolveError::IllegalMove {
            from: self.arena.vertex(from).index(),
            to: to.index(),
        }
    }

    /// Records the move of an agent. Returns `false` if the agent cannot reach `to`.
    fn note(&self, noted: &mut [u64], agent: usize, from: usize, to: usize) -> bool {
        let position = self.cops.first().map_or(0, |least| least % 64);
        self.choices.set(noted, agent, position, from, to)
    }

    /// Returns whether a robber that passes a place is captured there.
    fn is_passing_capture(&self, place: usize) -> bool {
        let rules = self.arena.rules();
        let mut cops = self.cops.iter();
        rules.is_none_or(ArenaRules::judges_cops)
            && cops.any(|&cop| self.arena.captures_at(cop, place))
    }

    /// The place that the robber moves to, if the move is legal. The move may end on a cop but not
    /// pass one.
    fn robber_move(&self, rules: Rules, to: Vertex) -> Result<usize, SolveError> {
        let illegal = self.illegal(self.robber, to);
        let goal = self.arena.place(to).ok_or(illegal)?;
        let arrives = |place: usize| self.arena.steps(place).contains(&(goal as u32));
        let before_last = rules.robber_speed.steps() - 1;
        let is_legal = before_last == 0 && arrives(self.robber)
            || before_last > 0 && {
                let mut walk = BallSearch::new(self.arena.places());
                let is_blocked = |place: u32| self.is_passing_capture(place as usize);
                let steps = self.arena.all_steps();
                let reached = walk.within(steps, self.robber, before_last, is_blocked);
                reached.iter().any(|&place| arrives(place as usize))
            };
        is_legal.then_some(goal).ok_or(illegal)
    }
}

/// The number of players that are asked at the same time.
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
