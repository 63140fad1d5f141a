//! Best responses to the stored strategies, which bound how much the strategies lose against optimal play.

use super::chain::{CHUNK, TimeSystem, Transitions};
use super::flight::Flight;
use super::matrix::Matrix;
use super::solution::MixedSolution;
use super::turn::{CAPTURE, PositionValues};
use crate::game::Side;

/// How much an opponent that knows a stored strategy gains compared with an optimal strategy in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixedExploitability {
    /// For the cops' strategy: the greatest share over all positions by which a robber that knows the strategy
    /// survives longer.
    pub cops: f64,
    /// For the robber's strategy: the greatest share over all positions by which cops that know the strategy
    /// capture earlier. It is 1 if they capture with probability 1 from a position of infinite value.
    pub robber: f64,
}

/// Responses are improved until one more turn changes their values by no more than this, in turns, or until the
/// iteration limit.
const PRECISION: f64 = 1e-7;
const MOST_ROUNDS: u32 = 60;
/// The greatest number of steps in which times are computed.
const MOST_STEPS: u32 = 2_000;

impl MixedSolution {
    /// Computes the best response of each side to the stored strategy of the other side. With one strategy
    /// fixed, the game is a Markov decision process, which policy iteration solves. The results are upper
    /// bounds: the values of the response are scaled in the same way as the bounds of values.
    ///
    /// Positions of infinite value count, too. Where the robber can stay free for ever with positive probability,
    /// the strategies of [`SimultaneousSolver`](super::SimultaneousSolver) do. In some games, it can only survive
    /// for any number of turns, but each of its strategies is caught in the end. Then the result for the robber
    /// is 1.
    ///
    /// `go_on` is called between parts of the work; if it returns `false`, the result is `None`. Cost: a few
    /// sweeps for each side.
    #[must_use]
    pub fn exploitability(&self, mut go_on: impl FnMut() -> bool) -> Option<MixedExploitability> {
        let mut worst = [0.0_f64; 2];
        for (worst, side) in worst.iter_mut().zip([Side::Cops, Side::Robber]) {
            let mut responder = Responder::new(self, side);
            while !responder.improve(&mut go_on)? {}
            *worst = responder.worst();
        }
        if self.is_caught_where_infinite(&mut go_on)? {
            worst[1] = 1.0;
        }
        Some(MixedExploitability {
            cops: worst[0],
            robber: worst[1],
        })
    }

    /// Returns whether cops that know the robber's strategy capture with probability 1 from some position of
    /// infinite value; `None` if `go_on` returned `false`.
    fn is_caught_where_infinite(&self, go_on: &mut impl FnMut() -> bool) -> Option<bool> {
        let mut flight = Flight::new(&self.positions, &self.values);
        while !flight.advance(&self.positions, Some(self), POSITIONS_BETWEEN_REPORTS) {
            if !go_on() {
                return None;
            }
        }
        Some(flight.is_caught_somewhere())
    }
}

const POSITIONS_BETWEEN_REPORTS: usize = 1 << 14;

/// Computes a best response to the strategy of one side.
struct Responder<'a> {
    solution: &'a MixedSolution,
    /// The side whose strategy is fixed.
    fixed: Side,
    /// The value of the response in each position.
    values: Vec<f64>,
    chunks: Vec<Responses>,
    is_open: Vec<bool>,
    rounds: u32,
}

/// The best responses to the fixed strategy in [`CHUNK`] distinct positions.
#[derive(Debug, Clone, Default)]
struct Responses {
    links: Transitions,
    /// The greatest amount by which one turn with the best response improves on the value, for the responding side.
    gain: f64,
}

impl AsRef<Transitions> for Responses {
    fn as_ref(&self) -> &Transitions {
        &self.links
    }
}

impl<'a> Responder<'a> {
    fn new(solution: &'a MixedSolution, fixed: Side) -> Self {
        let distinct = &solution.positions.distinct;
        let value = |&position: &u32| solution.values[position as usize];
        let is_open = |value: f64| value.is_finite() && value > 0.0;
        Self {
            solution,
            fixed,
            values: solution.values.clone(),
            chunks: vec![Responses::default(); distinct.len().div_ceil(CHUNK)],
            is_open: distinct.iter().map(value).map(is_open).collect(),
            rounds: 0,
        }
    }

    /// Finds the best response to the present values and computes its values. Returns whether the iteration is
    /// over; `None` if `go_on` returned `false`.
    fn improve(&mut self, go_on: &mut impl FnMut() -> bool) -> Option<bool> {
        if !go_on() {
            return None;
        }
        self.respond();
        self.rounds += 1;
        if self.gain() <= PRECISION || self.rounds == MOST_ROUNDS {
            return Some(true);
        }
        let distinct = &self.solution.positions.distinct;
        let before: Vec<f64> = distinct
            .iter()
            .map(|&at| self.values[at as usize])
            .collect();
        let mut system = TimeSystem::default();
        system.begin(&self.chunks, &before, &self.is_open);
        for _ in 0..MOST_STEPS {
            if !go_on() {
                return None;
            }
            let rest = system.step(&self.chunks);
            if rest <= 0.1 * PRECISION || !rest.is_finite() {
                break;
            }
        }
        let mut times = system.times.iter().zip(&self.is_open);
        if !times.all(|(&time, &open)| !open || (time.is_finite() && time > 0.0)) {
            return Some(true);
        }
        let values = self
            .values
            .iter_mut()
            .zip(&self.solution.positions.distinct_of);
        for (value, &distinct) in values.filter(|(_, distinct)| self.is_open[**distinct as usize]) {
            *value = system.times[distinct as usize];
        }
        Some(false)
    }

    fn gain(&self) -> f64 {
        self.chunks
            .iter()
            .fold(0.0, |most, chunk| f64::max(most, chunk.gain))
    }

    fn respond(&mut self) {
        let view = PositionValues {
            positions: &self.solution.positions,
            values: &self.values,
            has_infinite: false,
        };
        let (solution, fixed) = (self.solution, self.fixed);
        let work = |(game, columns): &mut (Matrix, Vec<u32>),
                    (index, chunk): (usize, &mut Responses)| {
            chunk.respond(solution, fixed, &view, index * CHUNK, game, columns);
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            self.chunks
                .par_iter_mut()
                .enumerate()
                .for_each_init(Default::default, work);
        }
        #[cfg(not(feature = "parallel"))]
        {
            let mut scratch = Default::default();
            self.chunks
                .iter_mut()
                .enumerate()
                .for_each(|chunk| work(&mut scratch, chunk));
        }
    }

    /// The greatest share by which the response is better than optimal play against an optimal strategy.
    fn worst(&self) -> f64 {
        let gain = self.gain();
        let distinct = self.solution.positions.distinct.iter().zip(&self.is_open);
        let open = distinct
            .filter(|(_, open)| **open)
            .map(|(&position, _)| position as usize);
        let scale = self.solution.scale();
        let shares = open.map(|position| {
            let bounds = scale.of(self.solution.values[position]);
            let value = self.values[position];
            match self.fixed {
                Side::Cops if gain < 1.0 => value / (1.0 - gain) / bounds.lower - 1.0,
                Side::Cops => f64::INFINITY,
                Side::Robber => 1.0 - value / (1.0 + gain) / bounds.upper,
            }
        });
        shares.fold(0.0, f64::max)
    }
}

impl Responses {
    fn respond(
        &mut self,
        solution: &MixedSolution,
        fixed: Side,
        view: &PositionValues<'_>,
        first: usize,
        game: &mut Matrix,
        columns: &mut Vec<u32>,
    ) {
        self.links.clear();
        self.gain = 0.0;
        let positions = view.positions;
        let run = &positions.distinct[first..positions.distinct.len().min(first + CHUNK)];
        for (index, &position) in run.iter().enumerate() {
            let position = position as usize;
            let value = view.values[position];
            if value.is_finite() && value > 0.0 {
                view.fill(position, true, game, columns);
                let (robber, cops) = solution.strategies_of(first + index);
                let (robber, configuration) = (robber, (cops, positions.split(position)));
                let (cops, (place, configuration)) = configuration;
                let column_of = |joint: u32| columns.binary_search(&joint).unwrap_or_default();
                let pairs: Vec<(usize, usize, f64)> = match fixed {
                    Side::Cops => {
                        let played: Vec<(usize, f64)> = cops
                            .iter()
                            .map(|&(joint, share)| (column_of(joint), share))
                            .collect();
                        let (best, payoff) = best_row(game, &played);
                        self.gain = self.gain.max(payoff - value);
                        played
                            .iter()
                            .map(|&(column, share)| (best, column, share))
                            .collect()
                    }
                    Side::Robber => {
                        let (best, payoff) = best_column(game, robber);
                        self.gain = self.gain.max(value - payoff);
                        robber
                            .iter()
                            .map(|&(row, share)| (row as usize, best, share))
                            .collect()
                    }
                };
                let rows = positions.robber_moves.row(place);
                let joint = positions.joint(configuration);
                for (row, column, share) in pairs {
                    if game.at(row, column) > CAPTURE {
                        let base = rows[row] as usize * positions.configurations();
                        let to = base + joint[columns[column] as usize] as usize;
                        self.links.push(positions.distinct_of[to], share);
                    }
                }
            }
            self.links.end();
        }
    }
}

/// The row with the greatest expected payoff against a mixed strategy over columns.
fn best_row(game: &Matrix, played: &[(usize, f64)]) -> (usize, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for row in 0..game.rows {
        let payoffs = game.row(row);
        let payoff = played
            .iter()
            .map(|&(column, share)| share * payoffs[column])
            .sum();
        if payoff > best.1 {
            best = (row, payoff);
        }
    }
    best
}

/// The column with the least expected payoff against a mixed strategy over rows.
fn best_column(game: &Matrix, played: &[(u32, f64)]) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for column in 0..game.columns {
        let payoffs = played
            .iter()
            .map(|&(row, share)| share * game.at(row as usize, column));
        let payoff = payoffs.sum();
        if payoff < best.1 {
            best = (column, payoff);
        }
    }
    best
}
