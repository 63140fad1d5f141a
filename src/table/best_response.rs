//! What one side gets at best if the other plays a given policy (C. Moldenhauer, *Game tree search
//! algorithms for the game of cops and robber*, 2009, section 3.1).
//!
//! Backward induction with a queue of positions, turn by turn, in which the moves of one side are
//! those of its policy. The policy has to be deterministic and without memory: the induction asks
//! it for each position once, in no order that a game would have.

use super::arena::Arena;
use super::balls::Balls;
use super::estimate::{BYTES_OF_A_BALL, Estimate};
use super::preimages::Preimages;
use super::ranking::Ranking;
use super::times::MAX_TURNS;
use super::walk::Walk;
use super::{MAX_VERTICES, Progress, SolveError};
use crate::game::{JointMoves, JointOrder, Outcome, Rules, Turns};
use crate::graph::{Csr, Vertex};
use std::sync::Arc;

/// Decisions of the policy between two progress reports.
const POSITIONS_BETWEEN_REPORTS: u64 = 1 << 4;
/// Positions noted between two progress reports.
const NOTES_BETWEEN_REPORTS: u64 = 1 << 20;

/// Stands for a time that is not known.
const NEVER: u16 = u16::MAX;

/// A time, a counter, two lists of moves turned around, and the queue, which grows by doubling: the old
/// half is there while the new one is filled.
const BYTES_A_POSITION: u128 = 2 + 2 + 8 + 24;

/// Capture times of all positions in which one side plays a given policy and the other its best
/// response. Two bytes a position, interchangeable cops counted once.
#[derive(Debug, Clone)]
pub struct Response {
    arena: Arc<Arena>,
    rules: Rules,
    ranking: Ranking,
    /// With the cops to move, for each set of cops and place of the robber.
    times: Vec<u16>,
}

/// Capture times with the cops to move if the robber plays `policy` and the cops know that.
///
/// The policy is asked for all positions with the robber to move in which it is not captured: the
/// robber's vertex and the cops' in the order of their places, and answers with the vertex that the
/// move ends at. Time: a few steps for each position and each joint move of the cops. A capture
/// that takes more than 65,534 turns counts as none.
///
/// ```
/// # use bevy_pursuit::{game::{Outcome, Rules, Turns}, graph::Digraph};
/// # use bevy_pursuit::table::{Arena, best_response_to_robber};
/// // On a path of four vertices a robber that never moves is captured sooner than one that flees.
/// let path = Digraph::undirected(4, &[(0, 1), (1, 2), (2, 3)])?;
/// let arena = Arena::of_digraph(&path).into();
/// let lazy = best_response_to_robber(&arena, Rules::default(), 1 << 20, |robber, _| robber)?;
/// let value = lazy.value(path.vertex(2).unwrap(), &[path.vertex(0).unwrap()]);
/// assert_eq!(value, Some(Outcome::Caught(Turns(2))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it would need more than `limit` bytes or there are too many vertices, and
/// [`SolveError::IllegalMove`] if an answer is further away than the robber's speed allows without
/// stepping onto a cop on the way.
pub fn best_response_to_robber(
    arena: &Arc<Arena>,
    rules: Rules,
    limit: u64,
    mut policy: impl FnMut(Vertex, &[Vertex]) -> Vertex,
) -> Result<Response, SolveError> {
    response_to_robber(
        arena,
        rules,
        limit,
        |robber, cops| Ok(policy(robber, cops)),
        |_| Ok(()),
    )
}

/// The same for a policy that may fail and work that may be stopped; either ends it with an error. `go_on`
/// counts the positions that the policy has decided, then turn by turn those that have a time;
/// interchangeable cops are counted once.
pub(crate) fn response_to_robber<E: From<SolveError>>(
    arena: &Arc<Arena>,
    rules: Rules,
    limit: u64,
    mut policy: impl FnMut(Vertex, &[Vertex]) -> Result<Vertex, E>,
    mut go_on: impl FnMut(Progress) -> Result<(), E>,
) -> Result<Response, E> {
    let mut induction = Induction::new(arena, rules, limit)?;
    let (sets, places) = (induction.sets(), arena.places());
    let (mut asked, positions) = (0, (sets * places) as u64);
    let mut moves = Preimages::new(sets, places);
    let mut images = vec![0; places];
    let mut walk = Walk::new(places);
    for set in 0..sets {
        let cops = induction.cops_of(set);
        let at: Vec<Vertex> = cops.iter().map(|&cop| arena.vertex(cop as usize)).collect();
        for (robber, image) in images.iter_mut().enumerate() {
            if asked % POSITIONS_BETWEEN_REPORTS == 0 {
                go_on(Progress::of_work(asked, positions))?;
            }
            asked += 1;
            *image = Preimages::NONE;
            if !cops.contains(&(robber as u32)) {
                let from = arena.vertex(robber);
                let to = policy(from, &at)?;
                *image = robber_move(arena, &mut walk, rules, robber, &cops, to)?;
            }
        }
        moves.push(&images);
    }
    let origins = arena.all_steps().transposed(places);
    let cop_moves = balls(arena, &origins, rules, limit)?;
    let mut joint = JointMoves::default();
    induction.run(go_on, |induction, turn, set, robber| {
        if turn == 0 {
            induction.cops_came_from(&cop_moves, &mut joint, set, robber);
        }
        for &before in moves.of(set, robber) {
            induction.cops_came_from(&cop_moves, &mut joint, set, before as usize);
        }
    })?;
    Ok(induction.into_response(rules))
}

/// Capture times with the cops to move if the cops play `policy` and the robber knows that.
///
/// The policy is asked for all positions with the cops to move in which the robber is not captured:
/// the robber's vertex, the cops' in the order of their places, and where they go, which it writes
/// over the vertices they stand on. [`Outcome::Escapes`] if the cops have flaws that the robber can
/// exploit forever. Time: a few steps for each position and each move of the robber. A capture that
/// takes more than 65,534 turns counts as none.
///
/// ```
/// # use bevy_pursuit::{game::{Outcome, Rules}, graph::Digraph};
/// # use bevy_pursuit::table::{Arena, best_response_to_cops};
/// // A cop that never moves does not capture the robber.
/// let edge = Digraph::undirected(2, &[(0, 1)])?;
/// let arena = Arena::of_digraph(&edge).into();
/// let lazy = best_response_to_cops(&arena, Rules::default(), 1 << 20, |_, _, _| {})?;
/// let value = lazy.value(edge.vertex(1).unwrap(), &[edge.vertex(0).unwrap()]);
/// assert_eq!(value, Some(Outcome::Escapes));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it would need more than `limit` bytes or there are too many vertices, and
/// [`SolveError::IllegalMove`] if a cop's answer is further away than its speed allows.
pub fn best_response_to_cops(
    arena: &Arc<Arena>,
    rules: Rules,
    limit: u64,
    mut policy: impl FnMut(Vertex, &[Vertex], &mut [Vertex]),
) -> Result<Response, SolveError> {
    let mut induction = Induction::new(arena, rules, limit)?;
    let (sets, places) = (induction.sets(), arena.places());
    let balls = balls(arena, arena.all_steps(), rules, limit)?;
    let mut moves = Preimages::new(places, sets);
    let mut images = vec![0; sets];
    for robber in 0..places {
        for (set, image) in images.iter_mut().enumerate() {
            *image = Preimages::NONE;
            let mut cops = induction.cops_of(set);
            if !cops.contains(&(robber as u32)) {
                let at: Vec<Vertex> = cops.iter().map(|&cop| arena.vertex(cop as usize)).collect();
                let mut to = at.clone();
                policy(arena.vertex(robber), &at, &mut to);
                cops_move(arena, &balls, &mut cops, &to)?;
                *image = rank(&induction.ranking, &mut cops) as u32;
            }
        }
        moves.push(&images);
    }
    let mut flight = Flight::new(&induction, rules);
    let go_on = |_| Ok::<(), SolveError>(());
    induction.run(go_on, |induction, turn, set, robber| {
        let mut lost = vec![robber];
        if turn > 0 {
            lost = flight.lost_before(&induction.cops_of(set), set, robber);
        }
        for robber in lost {
            for &before in moves.of(robber, set) {
                induction.note(before as usize, robber);
            }
        }
    })?;
    Ok(induction.into_response(rules))
}

impl Response {
    /// The rules it was made for.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// What it was made on.
    #[must_use]
    pub const fn arena(&self) -> &Arc<Arena> {
        &self.arena
    }

    /// The value with the cops to move. `None` if a vertex is not of the graph, or if there are not
    /// as many cops as in the rules. Time: k log k for k cops.
    #[must_use]
    pub fn value(&self, robber: Vertex, cops: &[Vertex]) -> Option<Outcome> {
        let place = |vertex| self.arena.place(vertex);
        let robber = place(robber)?;
        let cops: Option<Vec<u32>> = cops
            .iter()
            .map(|&cop| place(cop).map(|cop| cop as u32))
            .collect();
        let mut cops = cops.filter(|cops| cops.len() == usize::from(self.rules.cops.get()))?;
        let set = rank(&self.ranking, &mut cops);
        let outcome = match self.times[set * self.arena.places() + robber] {
            NEVER => Outcome::Escapes,
            turns => Outcome::Caught(Turns(turns)),
        };
        Some(outcome)
    }
}

/// The positions with the cops to move whose times are known, and those that wait for their turn.
struct Induction {
    arena: Arc<Arena>,
    ranking: Ranking,
    cops: usize,
    times: Vec<u16>,
    /// The time that positions get that are noted now.
    turn: u16,
    /// Sets of cops and places of the robber noted in this turn.
    noted: Vec<(u32, u16)>,
    /// The positions that have a time, and those noted since the last progress report.
    known: u64,
    looked: u64,
}

impl Induction {
    fn new(arena: &Arc<Arena>, rules: Rules, limit: u64) -> Result<Self, SolveError> {
        let vertices = arena.places();
        let states = Estimate::new(vertices, &rules)?.states;
        let balls = u128::from(balls_bytes(arena, rules));
        let needed = states
            .saturating_mul(BYTES_A_POSITION)
            .saturating_add(balls);
        let needed = u64::try_from(needed);
        // Sets of cops are numbered in 32 bits.
        let sets = states / vertices.max(1) as u128;
        let needed = needed.ok().filter(|_| sets < u128::from(u32::MAX));
        let needed = needed.unwrap_or(u64::MAX);
        if needed > limit || needed == u64::MAX {
            return Err(SolveError::TooLarge {
                vertices,
                cops: rules.cops.get(),
                needed,
                limit,
            });
        }
        let cops = usize::from(rules.cops.get());
        let ranking = Ranking::new(vertices, cops);
        Ok(Self {
            arena: Arc::clone(arena),
            times: vec![NEVER; ranking.len(cops) * vertices],
            ranking,
            cops,
            turn: 0,
            noted: Vec::new(),
            known: 0,
            looked: 0,
        })
    }

    /// The places of a set of cops in order.
    fn cops_of(&self, set: usize) -> Vec<u32> {
        let mut cops = vec![0; self.cops];
        self.ranking.unrank(set, &mut cops);
        cops.into_iter().map(|cop| cop as u32).collect()
    }

    fn sets(&self) -> usize {
        self.ranking.len(self.cops)
    }

    /// Notes a position that has no time yet.
    fn note(&mut self, set: usize, robber: usize) {
        self.looked += 1;
        let time = &mut self.times[set * self.arena.places() + robber];
        if *time == NEVER {
            *time = self.turn;
            self.known += 1;
            self.noted.push((set as u32, robber as u16));
        }
    }

    /// Starts with the captures and goes on as long as `before` notes what comes before a position:
    /// it is given the turn, the set of cops and the place of the robber. `go_on` ends it by an error.
    fn run<E>(
        &mut self,
        mut go_on: impl FnMut(Progress) -> Result<(), E>,
        mut before: impl FnMut(&mut Self, u16, usize, usize),
    ) -> Result<(), E> {
        for set in 0..self.sets() {
            for cop in self.cops_of(set) {
                self.note(set, cop as usize);
            }
        }
        while !self.noted.is_empty() && self.turn < MAX_TURNS {
            let known = std::mem::take(&mut self.noted);
            self.turn += 1;
            for (set, robber) in known {
                before(self, self.turn - 1, set as usize, robber.into());
                if self.looked >= NOTES_BETWEEN_REPORTS {
                    self.looked = 0;
                    go_on(self.progress())?;
                }
            }
        }
        Ok(())
    }

    fn progress(&self) -> Progress {
        Progress {
            turn: Turns(self.turn),
            solved: self.known,
            positions: self.times.len() as u64,
            done: false,
        }
    }

    /// Notes all positions from which a joint move of the cops leads to a set.
    fn cops_came_from(&mut self, moves: &Balls, joint: &mut JointMoves, set: usize, robber: usize) {
        let after = self.cops_of(set);
        let mut cops = vec![0; self.cops];
        let counts = after.iter().map(|&after| moves.row(after as usize).len());
        joint.start(JointOrder::FirstFastest, counts);
        while let Some(choices) = joint.advance() {
            for (cop, (&after, &choice)) in cops.iter_mut().zip(after.iter().zip(choices)) {
                *cop = moves.row(after as usize)[choice];
            }
            let before = rank(&self.ranking, &mut cops);
            self.note(before, robber);
        }
    }

    fn into_response(self, rules: Rules) -> Response {
        Response {
            arena: self.arena,
            rules,
            ranking: self.ranking,
            times: self.times,
        }
    }
}

fn rank(ranking: &Ranking, cops: &mut [u32]) -> usize {
    cops.sort_unstable();
    let cops: Vec<usize> = cops.iter().map(|&cop| cop as usize).collect();
    ranking.rank(&cops)
}

/// The robber's moves, for the case that it is free to choose.
struct Flight {
    arena: Arc<Arena>,
    /// From where a step leads to each place.
    origins: Csr<u32>,
    robber_steps: u8,
    walk: Walk,
    /// For each set of cops and place of the robber, the robber to move: one less than the places
    /// that a move can end at and that have no time yet.
    open: Vec<u16>,
}

impl Flight {
    fn new(induction: &Induction, rules: Rules) -> Self {
        let arena = Arc::clone(&induction.arena);
        let places = arena.places();
        let robber_steps = rules.robber_speed.steps();
        let steps = arena.all_steps();
        let mut walk = Walk::new(places);
        let mut open = Vec::with_capacity(induction.times.len());
        for set in 0..induction.sets() {
            let cops = induction.cops_of(set);
            let is_cop = |place: u32| cops.contains(&place);
            for robber in 0..places {
                // Waiting is one of the ends, so that there is one more than is kept.
                let ends = walk.within(steps, robber, robber_steps, is_cop).len() - 1;
                open.push(ends as u16);
            }
        }
        Self {
            origins: steps.transposed(places),
            robber_steps,
            walk,
            open,
            arena,
        }
    }

    /// The places from which the robber cannot but move to one with a time, now that `robber` has
    /// got one.
    fn lost_before(&mut self, cops: &[u32], set: usize, robber: usize) -> Vec<usize> {
        let is_cop = |place: u32| cops.contains(&place);
        let ways = self
            .walk
            .within(&self.origins, robber, self.robber_steps, is_cop);
        let mut origins: Vec<usize> = ways.iter().map(|&place| place as usize).collect();
        let first = set * self.arena.places();
        origins.retain(|&origin| {
            let open = &mut self.open[first + origin];
            let last = *open == 0;
            *open = open.saturating_sub(1);
            last
        });
        origins
    }
}

/// The most bytes that the lists of where cops get in a turn take. [`Induction::new`] counts them against
/// the limit together with the positions.
fn balls_bytes(arena: &Arena, rules: Rules) -> u64 {
    let places = arena.places() as u64;
    let speed = u64::from(rules.cop_speed.steps());
    let most = if speed == 1 {
        arena.all_steps().len() as u64
    } else if arena.moves().is_some() {
        places * places.min((2 * speed + 1).pow(2))
    } else {
        places.pow(2)
    };
    BYTES_OF_A_BALL * most
}

/// Where cops get in a turn from each place by some steps: those of the arena or their reverse.
fn balls(arena: &Arena, steps: &Csr<u32>, rules: Rules, limit: u64) -> Result<Balls, SolveError> {
    let needed = balls_bytes(arena, rules);
    let items = usize::try_from(needed / BYTES_OF_A_BALL).unwrap_or(usize::MAX);
    let balls = Balls::new(steps, rules.cop_speed, items);
    balls.ok_or(SolveError::TooLarge {
        vertices: steps.rows(),
        cops: rules.cops.get(),
        needed,
        limit,
    })
}

/// The place of a robber's answer if it is legal: it may end on a cop, but not pass one.
fn robber_move(
    arena: &Arena,
    walk: &mut Walk,
    rules: Rules,
    robber: usize,
    cops: &[u32],
    to: Vertex,
) -> Result<u32, SolveError> {
    let illegal = SolveError::IllegalMove {
        from: arena.vertex(robber).index(),
        to: to.index(),
    };
    let goal = arena.place(to).ok_or(illegal)? as u32;
    let before_last = rules.robber_speed.steps() - 1;
    let is_cop = |place: u32| cops.contains(&place);
    let ways = walk.within(arena.all_steps(), robber, before_last, is_cop);
    let arrives = |&place: &u32| arena.steps(place as usize).contains(&goal);
    ways.iter().any(arrives).then_some(goal).ok_or(illegal)
}

/// Moves the cops to the places of their answers if these are legal.
fn cops_move(
    arena: &Arena,
    balls: &Balls,
    cops: &mut [u32],
    to: &[Vertex],
) -> Result<(), SolveError> {
    for (cop, &to) in cops.iter_mut().zip(to) {
        let goal = arena.place(to).map(|goal| goal as u32);
        let goal = goal.filter(|goal| balls.row(*cop as usize).contains(goal));
        *cop = goal.ok_or(SolveError::IllegalMove {
            from: arena.vertex(*cop as usize).index(),
            to: to.index(),
        })?;
    }
    Ok(())
}

// A place of the robber is kept in 16 bits.
const _: () = assert!(MAX_VERTICES <= 1 << 16);
