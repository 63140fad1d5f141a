//! Finds the positions that have a finite value.

use super::matrix::Matrix;
use super::positions::{Exchanges, Positions};
use super::turn::PositionValues;

/// Decides for each position whether its value is finite.
///
/// The value is finite exactly if the cops have a strategy that captures with probability 1 whatever the robber
/// does. If a strategy that depends only on the position captures surely against every robber, its probability
/// of capture within n turns is bounded away from 0, and the mean is finite.
///
/// These positions are the greatest set W that is equal to the following set X. X is the least set that
/// contains the captures and every position in which, for each move of the robber, the cops have a joint move
/// that leads to X; only joint moves that lead to W whatever the robber does count (L. de Alfaro, T. Henzinger
/// and O. Kupferman, *Concurrent reachability games*, 2007, section 4).
///
/// Cost: each round that removes positions from W consists of rounds that extend X. Each of these visits each
/// joint move of each position once.
#[derive(Debug)]
pub(super) struct FiniteSet {
    /// For each position: 0 in W, infinity outside.
    outside: Vec<f64>,
    /// For each distinct position, whether it is in X.
    reached: Vec<bool>,
    /// The next position to examine.
    cursor: usize,
    /// Whether this round has extended X.
    has_grown: bool,
    has_infinite: bool,
    is_done: bool,
}

impl FiniteSet {
    /// Starts with all positions in W.
    pub(super) fn new(positions: &Positions) -> Self {
        Self {
            outside: vec![0.0; positions.len()],
            reached: captured(positions),
            cursor: 0,
            has_grown: false,
            has_infinite: false,
            is_done: false,
        }
    }

    /// The result for a game in which the cops win from all positions.
    pub(super) fn all(positions: &Positions) -> Self {
        Self {
            is_done: true,
            ..Self::new(positions)
        }
    }

    /// Examines up to `budget` positions. Returns whether the sets are final.
    pub(super) fn advance(&mut self, positions: &Positions, budget: usize) -> bool {
        let (mut game, mut columns) = (Matrix::default(), Vec::new());
        for _ in 0..budget {
            if self.is_done {
                break;
            }
            if self.cursor == positions.distinct.len() {
                self.end_round(positions);
                continue;
            }
            let position = positions.distinct[self.cursor] as usize;
            let is_open = !self.reached[self.cursor] && self.outside[position] == 0.0;
            if is_open && self.can_force(positions, position, &mut game, &mut columns) {
                self.reached[self.cursor] = true;
                self.has_grown = true;
            }
            self.cursor += 1;
        }
        self.is_done
    }

    /// For each position, 0 if its value is finite and infinity otherwise; and whether there are infinite values.
    pub(super) fn into_values(self) -> (Vec<f64>, bool) {
        (self.outside, self.has_infinite)
    }

    /// Returns whether, for each move of the robber, a joint move that stays in W leads to X.
    fn can_force(
        &self,
        positions: &Positions,
        position: usize,
        game: &mut Matrix,
        columns: &mut Vec<u32>,
    ) -> bool {
        let view = PositionValues {
            positions,
            values: &self.outside,
            has_infinite: self.has_infinite,
        };
        view.fill(position, false, game, columns);
        let (robber, configuration) = positions.split(position);
        let joint = positions.joint(configuration);
        let exchanges = Exchanges::new(positions, robber, configuration);
        positions.robber_moves.row(robber).iter().all(|&row| {
            columns.iter().any(|&column| {
                let to =
                    row as usize * positions.configurations() + joint[column as usize] as usize;
                self.reached[positions.distinct_of[to] as usize]
                    || exchanges.captures(row, positions.goals(configuration, column as usize))
            })
        })
    }

    /// Starts the next round of X. If X is complete, removes all other positions from W.
    fn end_round(&mut self, positions: &Positions) {
        self.cursor = 0;
        if std::mem::take(&mut self.has_grown) {
            return;
        }
        let mut is_smaller = false;
        for (outside, &distinct) in self.outside.iter_mut().zip(&positions.distinct_of) {
            if *outside == 0.0 && !self.reached[distinct as usize] {
                *outside = f64::INFINITY;
                is_smaller = true;
            }
        }
        self.is_done = !is_smaller;
        self.has_infinite |= is_smaller;
        if is_smaller {
            self.reached = captured(positions);
        }
    }
}

fn captured(positions: &Positions) -> Vec<bool> {
    let distinct = positions.distinct.iter();
    distinct
        .map(|&position| positions.is_captured(position as usize))
        .collect()
}
