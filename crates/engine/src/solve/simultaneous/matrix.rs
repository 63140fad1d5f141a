//! Solves small matrix games: values and optimal mixed strategies, checked by duality.

use super::simplex::Simplex;

/// The payoffs of a matrix game, row by row. The row player maximises, the column player minimises.
///
/// All payoffs are at least 1, so that the value is positive.
#[derive(Debug, Clone, Default)]
pub(super) struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub payoffs: Vec<f64>,
}

impl Matrix {
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.payoffs[row * self.columns..][..self.columns]
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.payoffs[row * self.columns + column]
    }
}

/// A mixed strategy: moves with their probabilities. Moves that are not listed have probability 0.
pub(super) type Mixed = Vec<(u32, f64)>;

/// The bounds on the value of a game that two mixed strategies prove.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Interval {
    /// The least expected payoff of the row player's strategy.
    pub lower: f64,
    /// The greatest expected payoff that the column player's strategy concedes.
    pub upper: f64,
}

impl Interval {
    fn is_tight(self) -> bool {
        self.upper - self.lower <= TIGHT * self.upper
    }

    const fn width(self) -> f64 {
        self.upper - self.lower
    }
}

/// Two bounds count as equal if their difference, relative to the value, is at most this. Rounding errors in
/// the solution of a small system are much smaller.
const TIGHT: f64 = 1e-11;
/// The greatest number of columns that are compared in pairs. With more columns, the simplex method is faster.
const MOST_COMPARED: usize = 12;

/// Solves matrix games one after another and reuses its memory.
///
/// The solver first tries the strategies of the previous game: between two sweeps, payoffs change little, and
/// the moves in play mostly stay the same. If they are not optimal, it tries pure saddle points, dominated
/// moves, games in which one player has two moves, and finally the simplex method. Each of these only
/// determines which moves are played. The probabilities follow from the original payoffs, and duality shows
/// whether the choice of moves was right.
#[derive(Debug, Clone, Default)]
pub(super) struct MatrixSolver {
    /// The strategy of the row player.
    pub row: Mixed,
    /// The strategy of the column player.
    pub column: Mixed,
    /// The moves that are not dominated.
    rows: Vec<u32>,
    columns: Vec<u32>,
    /// The payoffs of the moves that are not dominated.
    reduced: Matrix,
    simplex: Simplex,
    system: System,
    column_sums: Vec<f64>,
}

impl MatrixSolver {
    /// Solves a game with at least one row and one column. The strategies in [`Self::row`] and [`Self::column`]
    /// are tried first; afterwards they are the optimal ones.
    ///
    /// Cost: for r rows and c columns, about r c operations if the moves in play are the same as in the
    /// previous game; otherwise as many for each pivot of the simplex method.
    pub(super) fn solve(&mut self, game: &Matrix) -> Interval {
        if let Some(found) = self.resolve(game) {
            return found;
        }
        if let Some(found) = self.saddle(game) {
            return found;
        }
        self.reduce(game);
        if self.reduced.rows.min(self.reduced.columns) <= 2 {
            self.solve_narrow();
        } else {
            self.simplex.solve(&self.reduced);
            self.simplex.support(&mut self.row, &mut self.column);
        }
        self.rename();
        if let Some(found) = self.resolve(game) {
            return found;
        }
        self.solve_degenerate(game)
    }

    /// The bounds that the strategies prove.
    pub(super) fn interval(&mut self, game: &Matrix) -> Interval {
        self.column_sums.clear();
        self.column_sums.resize(game.columns, 0.0);
        let mut weight = 0.0;
        for &(row, share) in &self.row {
            weight += share;
            for (sum, payoff) in self.column_sums.iter_mut().zip(game.row(row as usize)) {
                *sum += share * payoff;
            }
        }
        let lower = self
            .column_sums
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min)
            / weight;
        let weight: f64 = self.column.iter().map(|&(_, share)| share).sum();
        let of_row = |row: usize| {
            let payoffs = game.row(row);
            let played = self.column.iter();
            played
                .map(|&(column, share)| share * payoffs[column as usize])
                .sum::<f64>()
        };
        let upper = (0..game.rows).map(of_row).fold(0.0, f64::max) / weight;
        Interval { lower, upper }
    }

    /// Recomputes the probabilities of the moves in play so that the opponent is indifferent between its own
    /// moves in play. `None` if this is not possible or not optimal.
    fn resolve(&mut self, game: &Matrix) -> Option<Interval> {
        let played = self.row.len();
        if played == 0 || played != self.column.len() {
            return None;
        }
        let is_known = |moves: &Mixed, count: usize| {
            moves.iter().all(|&(number, _)| (number as usize) < count)
        };
        if !is_known(&self.row, game.rows) || !is_known(&self.column, game.columns) {
            return None;
        }
        if played == 1 {
            (self.row[0].1, self.column[0].1) = (1.0, 1.0);
        } else {
            let (row, column) = (&mut self.row, &mut self.column);
            if !self.system.equalise(game, row, column) {
                return None;
            }
        }
        Some(self.interval(game)).filter(|found| found.is_tight())
    }

    /// Finds pure strategies, if they are optimal.
    fn saddle(&mut self, game: &Matrix) -> Option<Interval> {
        self.column_sums.clear();
        self.column_sums.resize(game.columns, 0.0);
        let mut best = (0, 0.0);
        for row in 0..game.rows {
            let mut least = f64::INFINITY;
            for (most, &payoff) in self.column_sums.iter_mut().zip(game.row(row)) {
                *most = f64::max(*most, payoff);
                least = f64::min(least, payoff);
            }
            if least > best.1 {
                best = (row, least);
            }
        }
        let maxima = self.column_sums.iter().copied().enumerate();
        let worst = maxima
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or_default();
        let found = Interval {
            lower: best.1,
            upper: worst.1,
        };
        self.set_pure(best.0, worst.0);
        found.is_tight().then_some(found)
    }

    fn set_pure(&mut self, row: usize, column: usize) {
        self.row.clear();
        self.row.push((row as u32, 1.0));
        self.column.clear();
        self.column.push((column as u32, 1.0));
    }

    /// Removes dominated moves: those for which another move is never worse.
    fn reduce(&mut self, game: &Matrix) {
        self.rows.clear();
        self.rows.extend(0..game.rows as u32);
        self.columns.clear();
        self.columns.extend(0..game.columns as u32);
        if game.columns <= MOST_COMPARED && game.rows <= MOST_COMPARED {
            let at = |row: u32, column: u32| game.at(row as usize, column as usize);
            loop {
                let before = (self.rows.len(), self.columns.len());
                let (rows, columns) = (&mut self.rows, &mut self.columns);
                retain_undominated(columns, |a, b| {
                    rows.iter().all(|&row| at(row, a) <= at(row, b))
                });
                retain_undominated(rows, |a, b| {
                    columns.iter().all(|&column| at(a, column) >= at(b, column))
                });
                if before == (rows.len(), columns.len()) {
                    break;
                }
            }
        }
        self.reduced.rows = self.rows.len();
        self.reduced.columns = self.columns.len();
        self.reduced.payoffs.clear();
        for &row in &self.rows {
            let row = game.row(row as usize);
            let kept = self.columns.iter().map(|&column| row[column as usize]);
            self.reduced.payoffs.extend(kept);
        }
    }

    /// Finds the moves in play if one player has at most two moves.
    fn solve_narrow(&mut self) {
        let Matrix { rows, columns, .. } = self.reduced;
        let game = &self.reduced;
        if rows <= columns {
            let ends = |column: usize| (game.at(0, column), game.at(rows - 1, column));
            let found = highest_of_lowest(columns, ends);
            set_support(&mut self.row, &mut self.column, found);
        } else {
            let ends = |row: usize| (-game.at(row, 0), -game.at(row, columns - 1));
            let found = highest_of_lowest(rows, ends);
            set_support(&mut self.column, &mut self.row, found);
        }
    }

    /// Translates the numbers of the remaining moves to the numbers in the original game.
    fn rename(&mut self) {
        for (number, _) in &mut self.row {
            *number = self.rows[*number as usize];
        }
        for (number, _) in &mut self.column {
            *number = self.columns[*number as usize];
        }
    }

    /// The better result of the simplex method with two pivot rules. This is for games in which rounding leaves
    /// the moves in play undetermined.
    fn solve_degenerate(&mut self, game: &Matrix) -> Interval {
        self.simplex.solve(game);
        self.simplex.strategies(&mut self.row, &mut self.column);
        let quick = self.interval(game);
        if quick.is_tight() {
            return quick;
        }
        let kept = (self.row.clone(), self.column.clone());
        self.simplex.solve_by_bland(game);
        self.simplex.strategies(&mut self.row, &mut self.column);
        let careful = self.interval(game);
        if careful.width() < quick.width() {
            return careful;
        }
        (self.row, self.column) = kept;
        quick
    }
}

/// Removes each move for which another remaining move is at least as good, so that of equal moves one remains.
/// `beats(a, b)` says whether `a` is at least as good as `b`.
fn retain_undominated(moves: &mut Vec<u32>, beats: impl Fn(u32, u32) -> bool) {
    let mut index = 0;
    while index < moves.len() {
        let candidate = moves[index];
        let is_beaten = moves
            .iter()
            .any(|&other| other != candidate && beats(other, candidate));
        if is_beaten {
            moves.remove(index);
        } else {
            index += 1;
        }
    }
}

/// The maximum of the lower envelope of some lines over the interval from 0 to 1. If it is at an end of the interval, `left`
/// and `right` are the same line.
#[derive(Debug, Clone, Copy)]
struct Peak {
    /// The line that is lowest to the left of the maximum.
    left: usize,
    /// The line that is lowest to its right.
    right: usize,
    /// The end of the interval, if the maximum is there.
    end: usize,
}

/// Finds the maximum of the lower envelope of some lines. Each line is given by its values at the two ends of the interval.
fn highest_of_lowest(lines: usize, ends: impl Fn(usize) -> (f64, f64)) -> Peak {
    let peak = |left, right, end| Peak { left, right, end };
    let slope = |line: usize| ends(line).1 - ends(line).0;
    let lowest = (0..lines).min_by(|&a, &b| {
        ends(a)
            .0
            .total_cmp(&ends(b).0)
            .then(slope(a).total_cmp(&slope(b)))
    });
    let mut line = lowest.unwrap_or_default();
    if slope(line) <= 0.0 {
        return peak(line, line, 0);
    }
    loop {
        // The first line that crosses the present line from above.
        let mut next: Option<(f64, usize)> = None;
        for other in (0..lines).filter(|&other| slope(other) < slope(line)) {
            let at = (ends(other).0 - ends(line).0) / (slope(line) - slope(other));
            let is_first = next.is_none_or(|(first, found)| {
                at < first || (at <= first && slope(other) < slope(found))
            });
            if at <= 1.0 && is_first {
                next = Some((at, other));
            }
        }
        let Some((_, other)) = next else {
            return peak(line, line, 1);
        };
        if slope(other) <= 0.0 {
            return peak(line, other, 0);
        }
        line = other;
    }
}

/// Sets the moves in play if one player has at most two moves.
fn set_support(two: &mut Mixed, many: &mut Mixed, found: Peak) {
    let Peak { left, right, end } = found;
    two.clear();
    many.clear();
    many.push((left as u32, 1.0));
    if left == right {
        two.push((end as u32, 1.0));
    } else {
        many.push((right as u32, 1.0));
        two.extend([(0, 1.0), (1, 1.0)]);
    }
}

/// A small system of linear equations.
#[derive(Debug, Clone, Default)]
struct System {
    /// The matrix, row by row, then its factors L and U.
    factors: Vec<f64>,
    /// For each row of the factors, the corresponding row of the matrix.
    order: Vec<usize>,
    known: Vec<f64>,
}

/// Negative probabilities down to this value are caused by rounding.
const NEGATIVE: f64 = -1e-12;

impl System {
    /// Sets the probabilities of equally many rows and columns so that all these rows have the same expected
    /// payoff, and all these columns, too. Returns `false` if this is not possible.
    fn equalise(&mut self, game: &Matrix, rows: &mut Mixed, columns: &mut Mixed) -> bool {
        let size = rows.len();
        self.factors.clear();
        for &(row, _) in rows.iter() {
            let row = game.row(row as usize);
            let played = columns.iter().map(|&(column, _)| row[column as usize]);
            self.factors.extend(played);
        }
        if !self.factorise(size) {
            return false;
        }
        self.known.clear();
        self.known.resize(size, 1.0);
        self.solve(size);
        if !set_shares(&self.known, columns) {
            return false;
        }
        self.known.fill(1.0);
        self.solve_transposed(size);
        set_shares(&self.known, rows)
    }

    /// Computes the LU factorisation with partial pivoting. Returns `false` if the matrix is singular up to rounding.
    fn factorise(&mut self, size: usize) -> bool {
        self.order.clear();
        self.order.extend(0..size);
        let largest = self.factors.iter().copied().fold(0.0, f64::max);
        for pivot in 0..size {
            let candidates = (pivot..size).map(|row| (row, self.factors[row * size + pivot].abs()));
            let best = candidates.max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((row, _)) = best.filter(|best| best.1 > 1e-13 * largest) else {
                return false;
            };
            if row != pivot {
                self.order.swap(row, pivot);
                for column in 0..size {
                    self.factors
                        .swap(row * size + column, pivot * size + column);
                }
            }
            let (above, below) = self.factors.split_at_mut((pivot + 1) * size);
            let above = &above[pivot * size..];
            for row in below.chunks_exact_mut(size) {
                let factor = row[pivot] / above[pivot];
                row[pivot] = factor;
                for (number, above) in row.iter_mut().zip(above).skip(pivot + 1) {
                    *number -= factor * above;
                }
            }
        }
        true
    }

    /// Solves the system for a right side whose elements are all equal.
    fn solve(&mut self, size: usize) {
        for row in 0..size {
            for column in 0..row {
                self.known[row] -= self.factors[row * size + column] * self.known[column];
            }
        }
        for row in (0..size).rev() {
            for column in row + 1..size {
                self.known[row] -= self.factors[row * size + column] * self.known[column];
            }
            self.known[row] /= self.factors[row * size + row];
        }
    }

    /// Solves the system of the transposed matrix for the same right side.
    fn solve_transposed(&mut self, size: usize) {
        for row in 0..size {
            for column in 0..row {
                self.known[row] -= self.factors[column * size + row] * self.known[column];
            }
            self.known[row] /= self.factors[row * size + row];
        }
        for row in (0..size).rev() {
            for column in row + 1..size {
                self.known[row] -= self.factors[column * size + row] * self.known[column];
            }
        }
        // Row i of the factors is row order[i] of the matrix.
        let mut sorted = std::mem::take(&mut self.factors);
        sorted.clear();
        sorted.resize(size, 0.0);
        for (place, &row) in self.order.iter().enumerate() {
            sorted[row] = self.known[place];
        }
        self.known.copy_from_slice(&sorted);
        self.factors = sorted;
    }
}

/// Sets probabilities in proportion to weights. Returns `false` if a weight is negative.
fn set_shares(weights: &[f64], moves: &mut Mixed) -> bool {
    let sum: f64 = weights.iter().sum();
    if !sum.is_finite() || sum <= 0.0 || weights.iter().any(|&weight| weight < NEGATIVE * sum) {
        return false;
    }
    for ((_, share), &weight) in moves.iter_mut().zip(weights) {
        *share = weight.max(0.0) / sum;
    }
    true
}

#[cfg(test)]
mod tests;
