//! One sweep of value iteration: the matrix games of all positions.

use super::chain::{CHUNK, Transitions};
use super::matrix::{Interval, Matrix, MatrixSolver, Mixed};
use super::turn::{CAPTURE, PositionValues};

/// The results of a sweep for a chunk of [`CHUNK`] distinct positions.
#[derive(Debug, Clone, Default)]
pub(super) struct Chunk {
    /// The strategies of both sides. The robber's moves are indices in its list of moves, the cops' moves are
    /// numbers of joint moves.
    strategies: Strategies,
    spare: Strategies,
    /// The values after one more turn of value iteration.
    pub updated: Vec<f64>,
    /// The greatest amounts by which the cops' strategy concedes more than the value, and by which the robber's
    /// strategy guarantees less.
    pub rise: f64,
    pub fall: f64,
    /// The sum of the squares by which a turn changes the values.
    pub squares: f64,
    /// The transitions under the strategies.
    pub links: Transitions,
}

/// Mixed strategies of consecutive positions.
#[derive(Debug, Clone, Default)]
pub(super) struct Strategies {
    ends: Vec<(u32, u32)>,
    robber: Mixed,
    cops: Mixed,
}

impl Strategies {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.robber.clear();
        self.cops.clear();
    }

    /// Adds the strategies of the next position.
    pub(super) fn push(&mut self, robber: &[(u32, f64)], cops: impl Iterator<Item = (u32, f64)>) {
        self.robber.extend_from_slice(robber);
        self.cops.extend(cops);
        self.ends
            .push((self.robber.len() as u32, self.cops.len() as u32));
    }

    /// The strategies of the robber and of the cops in a position of the chunk; empty if there are none.
    pub(super) fn at(&self, index: usize) -> (&[(u32, f64)], &[(u32, f64)]) {
        let Some(&(robber_end, cops_end)) = self.ends.get(index) else {
            return (&[], &[]);
        };
        let (robber, cops) = match index
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
        {
            Some(&(robber, cops)) => (robber, cops),
            None => (0, 0),
        };
        (
            &self.robber[robber as usize..robber_end as usize],
            &self.cops[cops as usize..cops_end as usize],
        )
    }
}

/// Memory that a thread reuses.
#[derive(Debug, Clone, Default)]
pub(super) struct SweepScratch {
    game: Matrix,
    columns: Vec<u32>,
    solver: MatrixSolver,
}

impl AsRef<Transitions> for Chunk {
    fn as_ref(&self) -> &Transitions {
        &self.links
    }
}

impl Chunk {
    /// The strategies of the positions of the chunk.
    pub(super) fn into_strategies(self) -> Strategies {
        self.strategies
    }

    /// Solves the matrix games of the positions from `first` on.
    pub(super) fn sweep(
        &mut self,
        view: &PositionValues<'_>,
        first: usize,
        scratch: &mut SweepScratch,
    ) {
        self.updated.clear();
        self.links.clear();
        self.spare.clear();
        (self.rise, self.fall, self.squares) = (0.0, 0.0, 0.0);
        let distinct = &view.positions.distinct;
        let run = &distinct[first..distinct.len().min(first + CHUNK)];
        for (index, &position) in run.iter().enumerate() {
            let value = view.values[position as usize];
            if value.is_finite() && value > 0.0 {
                let found = self.solve(view, position as usize, index, scratch);
                // Sums of positive terms are exact up to half a unit in the last place for each term.
                let terms = scratch.game.rows.max(scratch.game.columns) + 8;
                let margin = 2.0 * f64::EPSILON * terms as f64 * (found.upper + value);
                self.rise = self.rise.max(found.upper - value + margin);
                self.fall = self.fall.max(value - found.lower + margin);
                self.squares += (found.upper - value) * (found.upper - value);
                self.updated.push(found.upper);
            } else {
                self.spare.push(&[], std::iter::empty());
                self.updated.push(value);
            }
            self.links.end();
        }
        std::mem::swap(&mut self.strategies, &mut self.spare);
    }

    fn solve(
        &mut self,
        view: &PositionValues<'_>,
        position: usize,
        index: usize,
        scratch: &mut SweepScratch,
    ) -> Interval {
        let SweepScratch {
            game,
            columns,
            solver,
        } = scratch;
        view.fill(position, false, game, columns);
        let (robber, cops) = self.strategies.at(index);
        solver.row.clear();
        solver.row.extend_from_slice(robber);
        solver.column.clear();
        let found = cops.iter().map_while(|&(joint, share)| {
            let column = columns.binary_search(&joint).ok()?;
            Some((column as u32, share))
        });
        solver.column.extend(found);
        let found = solver.solve(game);
        let named = solver
            .column
            .iter()
            .map(|&(column, share)| (columns[column as usize], share));
        self.spare.push(&solver.row, named);
        let positions = view.positions;
        let (robber, configuration) = positions.split(position);
        let rows = positions.robber_moves.row(robber);
        let joint = positions.joint(configuration);
        for &(row, row_share) in &solver.row {
            let base = rows[row as usize] as usize * positions.configurations();
            for &(column, share) in &solver.column {
                if game.at(row as usize, column as usize) > CAPTURE {
                    let to = base + joint[columns[column as usize] as usize] as usize;
                    self.links
                        .push(positions.distinct_of[to], row_share * share);
                }
            }
        }
        found
    }
}
