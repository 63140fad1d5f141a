//! The simplex method for small, dense matrix games.

use super::matrix::{Matrix, Mixed};

/// The simplex method (G. Dantzig) on a condensed tableau. A pivot exchanges a basic variable for a nonbasic
/// one, and the tableau keeps only the columns of nonbasic variables.
///
/// For payoffs M of at least 1, the column player maximises the sum of weights u >= 0 with M u <= 1. The value
/// of the game is 1 divided by this sum. The column player's strategy is u divided by its sum; the row player's
/// strategy is the solution of the dual program divided by its sum.
#[derive(Debug, Clone, Default)]
pub(super) struct Simplex {
    rows: usize,
    columns: usize,
    /// One row for each constraint and one for the objective. The last column is the right side.
    tableau: Vec<f64>,
    /// The basic variable of each row. A number below `columns` is a weight, a greater one the slack of a constraint.
    inside: Vec<u32>,
    /// The nonbasic variable of each column.
    outside: Vec<u32>,
    pivot_row: Vec<f64>,
}

/// Numbers of the tableau up to this value count as 0.
const ZERO: f64 = 1e-11;

impl Simplex {
    /// Solves a game by Dantzig's pivot rule. If that takes too long, continues by R. Bland's rule, which does
    /// not cycle.
    pub(super) fn solve(&mut self, game: &Matrix) {
        self.load(game);
        self.run(8 * (game.rows + game.columns));
    }

    /// Solves a game by Bland's rule alone.
    pub(super) fn solve_by_bland(&mut self, game: &Matrix) {
        self.load(game);
        self.run(0);
    }

    fn load(&mut self, game: &Matrix) {
        (self.rows, self.columns) = (game.rows, game.columns);
        self.tableau.clear();
        for row in 0..game.rows {
            self.tableau.extend_from_slice(game.row(row));
            self.tableau.push(1.0);
        }
        self.tableau.resize(self.tableau.len() + game.columns, -1.0);
        self.tableau.push(0.0);
        self.outside.clear();
        self.outside.extend(0..game.columns as u32);
        self.inside.clear();
        let slacks = game.columns..game.columns + game.rows;
        self.inside.extend(slacks.map(|slack| slack as u32));
    }

    /// Pivots until no variable improves the objective. The first `steepest` pivots follow Dantzig's rule.
    fn run(&mut self, steepest: usize) {
        let most = steepest + 64 * (self.rows + self.columns);
        for pivot in 0..most {
            let entering = if pivot < steepest {
                self.steepest()
            } else {
                self.first_by_number()
            };
            let Some(column) = entering else {
                return;
            };
            let Some(row) = self.leaving(column) else {
                return;
            };
            self.pivot(row, column);
        }
    }

    const fn width(&self) -> usize {
        self.columns + 1
    }

    fn objective(&self) -> &[f64] {
        &self.tableau[self.rows * self.width()..][..self.columns]
    }

    fn steepest(&self) -> Option<usize> {
        let mut best = (None, -ZERO);
        for (column, &cost) in self.objective().iter().enumerate() {
            if cost < best.1 {
                best = (Some(column), cost);
            }
        }
        best.0
    }

    fn first_by_number(&self) -> Option<usize> {
        let costs = self.objective().iter().enumerate();
        let improving = costs
            .filter(|&(_, &cost)| cost < -ZERO)
            .map(|(column, _)| column);
        improving.min_by_key(|&column| self.outside[column])
    }

    /// The row whose constraint binds first. Of several such rows, the one whose variable has the lowest number.
    fn leaving(&self, column: usize) -> Option<usize> {
        let width = self.width();
        let mut best: Option<(f64, u32, usize)> = None;
        for row in 0..self.rows {
            let factor = self.tableau[row * width + column];
            if factor <= ZERO {
                continue;
            }
            let ratio = self.tableau[row * width + self.columns] / factor;
            let number = self.inside[row];
            if best.is_none_or(|best| (ratio, number) < (best.0, best.1)) {
                best = Some((ratio, number, row));
            }
        }
        best.map(|(_, _, row)| row)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.width();
        let pivot = self.tableau[row * width + column];
        self.pivot_row.clear();
        let scaled = self.tableau[row * width..][..width]
            .iter()
            .map(|number| number / pivot);
        self.pivot_row.extend(scaled);
        self.pivot_row[column] = 1.0 / pivot;
        for (index, line) in self.tableau.chunks_exact_mut(width).enumerate() {
            if index == row {
                line.copy_from_slice(&self.pivot_row);
                continue;
            }
            let factor = line[column];
            if factor == 0.0 {
                continue;
            }
            line[column] = 0.0;
            for (number, scaled) in line.iter_mut().zip(&self.pivot_row) {
                *number -= factor * scaled;
            }
        }
        std::mem::swap(&mut self.inside[row], &mut self.outside[column]);
    }

    /// The moves in play: equally many rows and columns.
    pub(super) fn support(&self, row: &mut Mixed, column: &mut Mixed) {
        column.clear();
        row.clear();
        let columns = self.columns as u32;
        column.extend(
            self.inside
                .iter()
                .filter(|&&label| label < columns)
                .map(|&label| (label, 1.0)),
        );
        row.extend(
            self.outside
                .iter()
                .filter(|&&label| label >= columns)
                .map(|&label| (label - columns, 1.0)),
        );
    }

    /// The strategies according to the tableau.
    pub(super) fn strategies(&self, row: &mut Mixed, column: &mut Mixed) {
        let (width, columns) = (self.width(), self.columns as u32);
        column.clear();
        row.clear();
        for (index, &label) in self.inside.iter().enumerate() {
            let weight = self.tableau[index * width + self.columns];
            if label < columns && weight > 0.0 {
                column.push((label, weight));
            }
        }
        for (&label, &weight) in self.outside.iter().zip(self.objective()) {
            if label >= columns && weight > 0.0 {
                row.push((label - columns, weight));
            }
        }
        for strategy in [row, column] {
            let sum: f64 = strategy.iter().map(|&(_, weight)| weight).sum();
            if strategy.is_empty() {
                strategy.push((0, 1.0));
            } else {
                for (_, weight) in strategy {
                    *weight /= sum;
                }
            }
        }
    }
}
