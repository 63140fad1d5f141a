//! Which positions have a finite value.

use super::matrix::Matrix;
use super::positions::Positions;
use super::turn::View;

/// For each position whether its value is finite.
///
/// The value is finite exactly where the cops have a strategy that captures with probability 1 whatever
/// the robber does: a capture that is sure against every strategy has, for a strategy that depends on the position alone, a
/// chance bounded away from 0 within n turns, and so a finite mean. These positions are the greatest set W of which
/// the least set X that follows is the whole: X has the captures and every position in which for each move of the robber a joint move
/// leads to X, among the joint moves that lead to W whatever the robber does (L. de Alfaro, T. Henzinger and O. Kupferman,
/// *Concurrent reachability games*, 2007, section 4).
///
/// Cost: for each round that takes positions away, and each round of X, one look at each joint move of each position.
#[derive(Debug)]
pub(super) struct FiniteSet {
    /// By position: 0 within W, infinite outside.
    outside: Vec<f64>,
    /// By distinct position: whether it is in X.
    reached: Vec<bool>,
    /// The position to look at next.
    cursor: usize,
    /// Whether this round of X has found something.
    has_grown: bool,
    has_infinite: bool,
    is_done: bool,
}

impl FiniteSet {
    /// Starts with all positions.
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

    /// The answer for a game in which the cops win from everywhere.
    pub(super) fn all(positions: &Positions) -> Self {
        Self {
            is_done: true,
            ..Self::new(positions)
        }
    }

    /// Looks at up to this number of positions. Returns whether the sets are final.
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
            if is_open && self.makes_way(positions, position, &mut game, &mut columns) {
                self.reached[self.cursor] = true;
                self.has_grown = true;
            }
            self.cursor += 1;
        }
        self.is_done
    }

    /// For each position 0 if its value is finite and infinity otherwise; whether there are infinite ones.
    pub(super) fn into_values(self) -> (Vec<f64>, bool) {
        (self.outside, self.has_infinite)
    }

    /// Returns whether for each move of the robber a joint move within W leads to X.
    fn makes_way(
        &self,
        positions: &Positions,
        position: usize,
        game: &mut Matrix,
        columns: &mut Vec<u32>,
    ) -> bool {
        let view = View {
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

    /// Goes on with X, or if it is complete takes the rest away from W.
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

/// The exchanges of places that capture in a position.
struct Exchanges<'a> {
    robber: usize,
    cops: &'a [u16],
    joined: Vec<bool>,
}

impl<'a> Exchanges<'a> {
    fn new(positions: &'a Positions, robber: usize, configuration: usize) -> Self {
        let cops = positions.cops(configuration);
        let joined = cops
            .iter()
            .map(|&cop| positions.is_joined(robber, cop.into()))
            .collect();
        Self {
            robber,
            cops,
            joined,
        }
    }

    fn captures(&self, row: u32, goals: &[u16]) -> bool {
        let cops = self.cops.iter().zip(goals).zip(&self.joined);
        let mut cops = cops.filter(|&(_, &joined)| joined);
        cops.any(|((&cop, &goal), _)| u32::from(cop) == row && usize::from(goal) == self.robber)
    }
}
