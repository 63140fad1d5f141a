//! Solves the simultaneous game by value iteration, accelerated by solving linear systems for fixed strategies.

use super::chain::{CHUNK, TimeSystem};
use super::finite::FiniteSet;
use super::flight::Flight;
use super::positions::Positions;
use super::solution::MixedSolution;
use super::sweep::{Chunk, SweepScratch};
use super::turn::PositionValues;
use crate::game::{Outcome, Rules, Turns};
use crate::table::{Arena, CaptureTimes, Solution, SolveError};
use std::sync::Arc;

/// Solves the game with simultaneous moves: the expected capture time of every position, between
/// proven bounds, and mixed strategies of both sides.
///
/// [The module](super) describes the game and the method. The work can be cut into slices of any size and run
/// on any number of threads (feature `parallel`); the result is identical bit for bit.
///
/// ```
/// # use pursuit_engine::{game::Rules, graph::Digraph};
/// # use pursuit_engine::table::{Arena, Solver};
/// # use pursuit_engine::solve::simultaneous::SimultaneousSolver;
/// # use std::sync::Arc;
/// // A path of two vertices: whatever the robber does, a cop that moves to its vertex meets it.
/// let path = Digraph::undirected(2, &[(0, 1)])?;
/// let arena = Arc::new(Arena::of_digraph(&path));
/// let mut alternating = Solver::new(arena, Rules::default(), 1 << 30)?;
/// alternating.run(|_| true);
/// let alternating = alternating.finish().expect("it ran to the end");
/// let mut solver = SimultaneousSolver::new(&alternating, 0.01, 1 << 30)?;
/// solver.run(|_| true);
/// let solution = solver.finish().expect("it ran to the end");
/// let value = solution.value_at(0, &mut [1]).expect("a position");
/// assert!(value.lower <= 1.0 && value.upper >= 1.0 && value.upper < 1.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SimultaneousSolver {
    positions: Positions,
    tolerance: f64,
    phase: MixedPhase,
    /// For each position, the present estimate of its value: 0 after a capture, infinite if the cops cannot
    /// force one.
    values: Vec<f64>,
    has_infinite: bool,
    /// The robber's flight where the cops cannot force a capture; `None` as long as it is not known where that is.
    flight: Option<Flight>,
    chunks: Vec<Chunk>,
    /// For each distinct position, whether the game continues there and the value is finite.
    is_open: Vec<bool>,
    system: TimeSystem,
    /// The greatest amount by which a turn changed the values from which the linear system is solved.
    error: f64,
    /// These values after one more turn of value iteration.
    updated: Vec<f64>,
    /// The least error so far, and how often the linear system was solved since then.
    least_error: f64,
    attempts: u32,
    /// The number of sweeps before the linear system is solved again, and the number of sweeps between two solutions.
    plain_sweeps: u32,
    patience: u32,
    /// The step to the expected times that is on trial.
    search: Option<LineSearch>,
    /// Whether each step has to reduce the errors.
    is_careful: bool,
    progress: MixedProgress,
}

/// A step from values towards the expected times of their strategies, which is halved until the errors are small enough
/// (J. Filar and B. Tolwinski, *On the algorithm of Pollatschek and Avi-Itzhak*, 1991).
#[derive(Debug)]
struct LineSearch {
    values: Vec<f64>,
    /// The values after a turn, and the expected times.
    updated: Vec<f64>,
    times: Vec<f64>,
    /// The sum of the squares of the errors of the values.
    squares: f64,
    /// The part of the way that is tried.
    part: f64,
}

/// The progress of a [`SimultaneousSolver`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixedProgress {
    /// The number of complete sweeps over all positions.
    pub sweeps: u32,
    /// The greatest difference between the upper and the lower bound of a position after the last sweep, in
    /// turns. It is infinite as long as there is no upper bound.
    pub width: f64,
    /// Whether the bounds are as close as requested, or as rounding allows.
    pub done: bool,
}

#[derive(Debug)]
enum MixedPhase {
    /// Finds the positions with finite values.
    Finite(Box<FiniteSet>),
    /// Finds out how the robber stays free in the other positions.
    Flight,
    /// Solves the matrix games of all positions. The number is the next chunk.
    Sweep(usize),
    /// Computes the expected times of the strategies. The number is the number of steps so far.
    System(u32),
    Done,
}

/// The initial number of sweeps before the linear system is solved. With fewer sweeps, the system leads away
/// from the solution; with more, the solver takes longer.
const FIRST_SWEEPS: u32 = 7;
/// If the error has fallen by this factor, no sweeps are needed before the next linear system.
const QUICK: f64 = 0.1;
/// The greatest number of steps in which times are computed.
const MOST_STEPS: u32 = 400;
/// The number of times that the linear system is solved before the number of sweeps in between grows.
const MOST_ATTEMPTS: u32 = 4;
/// The precision of the times, relative to the error of the values.
const GAIN: f64 = 1e-3;
/// Bounds that are this far apart, relative to the square of the greatest value v, count as close enough. Matrix games
/// are solved up to 10^-11 v, and sums of their terms are rounded. If a turn changes values by d, the bounds are
/// 2 v d apart, so that rounding alone keeps them about 2 * 10^-11 v² apart.
const ROUNDING: f64 = 1e-10;
/// A part p of a step must reduce the sum of the squares of the errors by this times p.
const REDUCTION: f64 = 0.1;
/// The sum may first rise to this multiple, as long as whole steps lead to the solution.
const MOST_RISE: f64 = 100.0;
/// Shorter parts of a step are not tried.
const LEAST_PART: f64 = 1.0 / 64.0;
/// The number of sweeps after which the solver gives up. Some games need more sweeps than any machine can do.
const MOST_SWEEPS: u32 = 1_000_000;

impl SimultaneousSolver {
    /// Prepares to solve the simultaneous game on the map or graph and with the rules of a solution of the
    /// alternating game. The solver stops when the bounds are at most `tolerance` turns apart, or as close as rounding
    /// allows: 10^-10 v² turns for the greatest finite value v, and at least 10^-9 turns.
    ///
    /// The solution of the alternating game provides the first estimates. If the cops always win the
    /// alternating game, all values are known to be finite.
    ///
    /// # Errors
    /// If more than `limit` bytes of memory are needed.
    pub fn new(table: &Solution, tolerance: f64, limit: u64) -> Result<Self, SolveError> {
        let rules = CaptureTimes::rules(table);
        let positions = Positions::new(table.arena().clone(), rules, limit)?;
        // A fast robber has moves that it does not have in the alternating game: it can pass a cop.
        let is_won = table.escapes() == 0 && rules.robber_speed.steps() == 1;
        let finite = if is_won {
            FiniteSet::all(&positions)
        } else {
            FiniteSet::new(&positions)
        };
        let values = estimates(table, &positions);
        Ok(Self {
            tolerance: if tolerance > 1e-9 { tolerance } else { 1e-9 },
            phase: MixedPhase::Finite(Box::new(finite)),
            values,
            has_infinite: false,
            flight: None,
            chunks: vec![Chunk::default(); positions.distinct.len().div_ceil(CHUNK)],
            is_open: Vec::new(),
            system: TimeSystem::default(),
            error: f64::INFINITY,
            updated: Vec::new(),
            least_error: f64::INFINITY,
            attempts: 0,
            plain_sweeps: FIRST_SWEEPS,
            patience: FIRST_SWEEPS,
            search: None,
            is_careful: false,
            progress: MixedProgress {
                sweeps: 0,
                width: f64::INFINITY,
                done: false,
            },
            positions,
        })
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.positions.rules
    }

    /// The map or graph of the game.
    #[must_use]
    pub const fn arena(&self) -> &Arc<Arena> {
        &self.positions.arena
    }

    /// The progress so far.
    #[must_use]
    pub const fn progress(&self) -> MixedProgress {
        self.progress
    }

    /// Continues for about `budget` matrix games, but at least for one step of the work.
    pub fn advance(&mut self, budget: usize) -> MixedProgress {
        let mut left = budget.max(1);
        while left > 0 && !self.progress.done {
            let spent = match &mut self.phase {
                MixedPhase::Finite(finite) => {
                    if finite.advance(&self.positions, left) {
                        self.end_finite();
                    }
                    left
                }
                MixedPhase::Flight => {
                    let flight = self.flight.as_mut();
                    if flight.is_none_or(|flight| flight.advance(&self.positions, None, left)) {
                        self.begin_sweeps();
                    }
                    left
                }
                MixedPhase::Sweep(chunk) => {
                    let first = *chunk;
                    let last = self.chunks.len().min(first + left.div_ceil(CHUNK));
                    self.sweep(first, last);
                    self.phase = MixedPhase::Sweep(last);
                    if last == self.chunks.len() {
                        self.end_sweep();
                    }
                    ((last - first) * CHUNK).max(1)
                }
                MixedPhase::System(_) => {
                    self.solve_system();
                    self.positions.distinct.len().max(1)
                }
                MixedPhase::Done => left,
            };
            left = left.saturating_sub(spent);
        }
        self.progress
    }

    /// Advances to the end, or until `go_on` returns `false`.
    pub fn run(&mut self, mut go_on: impl FnMut(MixedProgress) -> bool) {
        while !self.progress.done && go_on(self.progress) {
            self.advance(GAMES_BETWEEN_REPORTS);
        }
    }

    /// The solution; `None` if the bounds are not yet as close as requested.
    #[must_use]
    pub fn finish(self) -> Option<MixedSolution> {
        if !matches!(self.phase, MixedPhase::Done) {
            return None;
        }
        let (rise, fall) = self.errors();
        Some(MixedSolution::new(
            self.positions,
            self.values,
            self.chunks,
            self.flight.as_ref(),
            rise,
            fall,
        ))
    }

    /// Continues when it is known which values are finite.
    fn end_finite(&mut self) {
        let phase = std::mem::replace(&mut self.phase, MixedPhase::Flight);
        if let MixedPhase::Finite(finite) = phase {
            let (outside, has_infinite) = finite.into_values();
            self.has_infinite = has_infinite;
            self.values
                .iter_mut()
                .zip(outside)
                .for_each(|(value, outside)| *value += outside);
            self.flight = has_infinite.then(|| Flight::new(&self.positions, &self.values));
        }
    }

    /// Continues when it is known how the robber stays free.
    fn begin_sweeps(&mut self) {
        self.phase = MixedPhase::Sweep(0);
        let distinct = self.positions.distinct.iter();
        let values = distinct.map(|&position| self.values[position as usize]);
        self.is_open = values
            .map(|value| value.is_finite() && value > 0.0)
            .collect();
        if self.chunks.is_empty() {
            self.end(0.0);
        }
    }

    fn sweep(&mut self, first: usize, last: usize) {
        let view = PositionValues {
            positions: &self.positions,
            values: &self.values,
            has_infinite: self.has_infinite,
        };
        let chunks = &mut self.chunks[first..last];
        let work = |scratch: &mut SweepScratch, (index, chunk): (usize, &mut Chunk)| {
            chunk.sweep(&view, (first + index) * CHUNK, scratch);
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            chunks
                .par_iter_mut()
                .enumerate()
                .for_each_init(SweepScratch::default, work);
        }
        #[cfg(not(feature = "parallel"))]
        {
            let mut scratch = SweepScratch::default();
            chunks
                .iter_mut()
                .enumerate()
                .for_each(|chunk| work(&mut scratch, chunk));
        }
    }

    /// The greatest amounts by which a turn raises a value and lowers a value.
    fn errors(&self) -> (f64, f64) {
        let chunks = self.chunks.iter();
        chunks.fold((0.0, 0.0), |(rise, fall), chunk| {
            (f64::max(rise, chunk.rise), f64::max(fall, chunk.fall))
        })
    }

    /// Decides what to do after a sweep.
    fn end_sweep(&mut self) {
        self.progress.sweeps += 1;
        let (rise, fall) = self.errors();
        let greatest = self
            .values
            .iter()
            .copied()
            .filter(|value| value.is_finite());
        let greatest = greatest.fold(0.0, f64::max);
        self.progress.width = if rise < 1.0 {
            greatest / (1.0 - rise) - greatest / (1.0 + fall)
        } else {
            f64::INFINITY
        };
        if self.progress.width <= self.tolerance.max(ROUNDING * greatest * greatest) {
            self.end(self.progress.width);
            return;
        }
        if self.progress.sweeps == MOST_SWEEPS {
            self.progress.done = true;
            return;
        }
        if self.halve_step() {
            return;
        }
        let error = f64::max(rise, fall);
        let updated: Vec<f64> = self
            .chunks
            .iter()
            .flat_map(|chunk| &chunk.updated)
            .copied()
            .collect();
        if error < QUICK * self.least_error {
            self.plain_sweeps = 0;
        }
        if error < 0.5 * self.least_error {
            self.least_error = error;
            self.attempts = 0;
        }
        if self.plain_sweeps > 0 {
            self.plain_sweeps -= 1;
            self.set_values(&updated);
            self.phase = MixedPhase::Sweep(0);
            return;
        }
        self.attempts += 1;
        if self.attempts == MOST_ATTEMPTS {
            // Sweeps alone converge from any values, so that enough of them eventually lead to the solution.
            self.attempts = 0;
            self.patience = self.patience.saturating_mul(2);
            self.is_careful = true;
        }
        self.system.begin(&self.chunks, &updated, &self.is_open);
        self.error = error;
        self.updated = updated;
        self.phase = MixedPhase::System(0);
    }

    /// Performs a step of the linear system, and decides how to continue.
    fn solve_system(&mut self) {
        let MixedPhase::System(steps) = &mut self.phase else {
            return;
        };
        *steps += 1;
        let steps = *steps;
        let rest = self.system.step(&self.chunks);
        if rest > GAIN * self.error && rest.is_finite() && steps < MOST_STEPS {
            return;
        }
        let mut times = self.system.times.iter().zip(&self.is_open);
        let is_possible = times.all(|(&time, &open)| !open || (time.is_finite() && time >= 1.0));
        let updated = std::mem::take(&mut self.updated);
        self.plain_sweeps = self.patience;
        self.phase = MixedPhase::Sweep(0);
        if !is_possible {
            self.set_values(&updated);
            return;
        }
        let distinct = self.positions.distinct.iter();
        let values = distinct.map(|&position| self.values[position as usize]);
        let search = LineSearch {
            values: values.collect(),
            updated,
            squares: self.squares(),
            part: 1.0,
            times: std::mem::take(&mut self.system.times),
        };
        self.set_values(&search.times);
        self.search = Some(search);
    }

    /// Tries half of the last step, if its errors are too great. Returns `false` if there is no step, or it is good.
    fn halve_step(&mut self) -> bool {
        let squares = self.squares();
        let Some(mut search) = self.search.take() else {
            return false;
        };
        let most = if self.is_careful {
            1.0 - REDUCTION * search.part
        } else {
            MOST_RISE
        };
        if squares <= most * search.squares {
            if self.is_careful {
                // Another step follows at once.
                self.plain_sweeps = 0;
            }
            return false;
        }
        self.phase = MixedPhase::Sweep(0);
        search.part *= 0.5;
        if search.part < LEAST_PART {
            self.set_values(&search.updated);
            return true;
        }
        let ends = search.values.iter().zip(&search.times);
        let values: Vec<f64> = ends
            .map(|(from, to)| from + search.part * (to - from))
            .collect();
        self.set_values(&values);
        self.search = Some(search);
        true
    }

    /// The sum of the squares by which a turn changes the values.
    fn squares(&self) -> f64 {
        self.chunks.iter().map(|chunk| chunk.squares).sum()
    }

    /// Sets new values of the distinct positions in which the game continues.
    fn set_values(&mut self, values: &[f64]) {
        for (value, &distinct) in self.values.iter_mut().zip(&self.positions.distinct_of) {
            if self.is_open[distinct as usize] {
                *value = values[distinct as usize];
            }
        }
    }

    fn end(&mut self, width: f64) {
        self.progress.width = width;
        self.progress.done = true;
        self.phase = MixedPhase::Done;
    }
}

/// The number of matrix games between two progress reports.
const GAMES_BETWEEN_REPORTS: usize = 1 << 14;

/// The capture times of the alternating game, 0 after a capture.
fn estimates(table: &Solution, positions: &Positions) -> Vec<f64> {
    let most = f64::from(table.longest().0) + 1.0;
    let mut cops = Vec::new();
    let value = |position| {
        if positions.is_captured(position) {
            return 0.0;
        }
        let (robber, configuration) = positions.split(position);
        cops.clear();
        cops.extend(
            positions
                .cops(configuration)
                .iter()
                .map(|&cop| usize::from(cop)),
        );
        match table.value_at(robber, &mut cops) {
            Some(Outcome::Caught(Turns(turns))) => f64::from(turns.max(1)),
            _ => most,
        }
    };
    (0..positions.len()).map(value).collect()
}
