//! Checks a table of mixed strategies position by position, without the solver's iteration.

use super::file::MixedTable;
use super::finite::FiniteSet;
use super::matrix::{Interval, Matrix, MatrixSolver, Mixed};
use super::positions::Positions;
use super::turn::PositionValues;
use crate::table::{Arena, SolveError, TableError};
use std::sync::Arc;
use thiserror::Error;

/// The result of checking a whole table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixedVerification {
    /// The number of positions that were checked.
    pub positions: u64,
    /// The number of positions whose entry is not a pair of strategies over legal moves, or whose value is
    /// impossible.
    pub malformed: u64,
    /// The number of positions whose value is outside the table's bounds according to the matrix game of the
    /// next turn.
    pub wrong: u64,
    /// The greatest number of turns by which one turn with the stored strategies is worse than the value.
    pub loss: f64,
    /// The first malformed or wrong position: the place of the robber, and the number of the position.
    pub first: Option<(usize, u64)>,
}

impl MixedVerification {
    /// Whether the table proves all of its bounds.
    #[must_use]
    pub const fn is_right(&self) -> bool {
        self.malformed == 0 && self.wrong == 0
    }
}

/// Why a table of mixed strategies cannot be checked.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MixedVerifyError {
    /// The table belongs to another map or graph, or is malformed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] SolveError),
}

impl MixedTable {
    /// Checks every position. Solves the matrix game of a turn with the stored values and compares its value
    /// with the bounds' factors ([the module](super) explains why this proves the bounds). Also checks that the
    /// stored strategies are distributions over legal moves, and measures how much they lose in a turn.
    ///
    /// The check determines anew which values are infinite. `go_on` is called between positions with the number
    /// of checked positions; if it returns `false`, the result is `None`. Cost: finding the finite positions,
    /// and one sweep that does not start from the strategies of a previous one.
    ///
    /// # Errors
    /// If the table does not belong to this arena, or if more than `limit` bytes are needed.
    pub fn verify(
        &self,
        arena: Arc<Arena>,
        limit: u64,
        mut go_on: impl FnMut(u64) -> bool,
    ) -> Result<Option<MixedVerification>, MixedVerifyError> {
        self.expect_map(arena.fingerprint())?;
        if self.is_map() && self.cells() != arena.cells() || self.places() != arena.places() {
            let expected = "the cells of the map along a Hilbert curve".to_owned();
            let found = "another order".to_owned();
            Err(TableError::Malformed {
                offset: super::file::HEADER as u64,
                expected,
                found,
            })?;
        }
        let positions = Positions::new(arena, self.rules(), limit)?;
        let mut values: Vec<f64> = (0..positions.len()).map(|at| self.value_of(at)).collect();
        let mut found = MixedVerification {
            positions: positions.len() as u64,
            malformed: 0,
            wrong: 0,
            loss: 0.0,
            first: None,
        };
        let mut finite = FiniteSet::new(&positions);
        while !finite.advance(&positions, POSITIONS_BETWEEN_REPORTS) {
            if !go_on(0) {
                return Ok(None);
            }
        }
        let (outside, _) = finite.into_values();
        let mut impossible = Vec::new();
        for (position, value) in values.iter_mut().enumerate() {
            let is_possible = if positions.is_captured(position) {
                *value == 0.0
            } else {
                *value >= 1.0 && value.is_infinite() == outside[position].is_infinite()
            };
            if !is_possible {
                found.malformed += 1;
                found
                    .first
                    .get_or_insert((position / positions.configurations(), position as u64));
                *value = f64::INFINITY;
                impossible.push(position);
            }
        }
        let view = PositionValues {
            positions: &positions,
            values: &values,
            has_infinite: true,
        };
        let mut check = Check::default();
        for (position, &value) in values.iter().enumerate() {
            if position % POSITIONS_BETWEEN_REPORTS == 0 && !go_on(position as u64) {
                return Ok(None);
            }
            if value > 0.0 && impossible.binary_search(&position).is_err() {
                check.look_at(self, &view, position, &mut found);
            }
        }
        Ok(Some(found))
    }
}

const POSITIONS_BETWEEN_REPORTS: usize = 1 << 12;

#[derive(Default)]
struct Check {
    game: Matrix,
    columns: Vec<u32>,
    solver: MatrixSolver,
}

impl Check {
    fn look_at(
        &mut self,
        table: &MixedTable,
        view: &PositionValues<'_>,
        position: usize,
        found: &mut MixedVerification,
    ) {
        let (robber, configuration) = view.positions.split(position);
        let mut is_wrong = false;
        let Some((rows, columns)) = Self::stored(table, view, position) else {
            found.malformed += 1;
            found.first.get_or_insert((robber, position as u64));
            return;
        };
        let value = view.values[position];
        view.fill(position, false, &mut self.game, &mut self.columns);
        if value.is_finite() {
            if self.game.columns == 0 {
                is_wrong = true;
            } else {
                self.solver.row.clear();
                self.solver.column.clear();
                let turn = self.solver.solve(&self.game);
                is_wrong = !proves(table, value, turn);
            }
            let stored = self.payoffs(view, configuration, position, rows, columns);
            found.loss = found
                .loss
                .max(stored.upper - value)
                .max(value - stored.lower);
        }
        if is_wrong {
            found.wrong += 1;
            found.first.get_or_insert((robber, position as u64));
        }
    }

    /// The stored strategies as numbers of moves; `None` if they are not valid strategies.
    fn stored(
        table: &MixedTable,
        view: &PositionValues<'_>,
        position: usize,
    ) -> Option<(Mixed, Mixed)> {
        let positions = view.positions;
        let (robber, configuration) = positions.split(position);
        let stored = table.strategies_of(position)?;
        let moves = positions.robber_moves.row(robber);
        let rows = stored
            .robber
            .iter()
            .map(|&(goal, share)| Some((moves.binary_search(&(goal as u32)).ok()? as u32, share)));
        let rows = rows.collect::<Option<Mixed>>()?;
        let joint = positions.joint(configuration);
        let columns = stored.cops.iter().map(|(goals, share)| {
            let same = |number: &usize| {
                let kept = positions.goals(configuration, *number).iter();
                kept.zip(goals)
                    .all(|(&kept, &goal)| usize::from(kept) == goal)
            };
            Some(((0..joint.len()).find(same)? as u32, *share))
        });
        let columns = columns.collect::<Option<Mixed>>()?;
        let sum = |strategy: &Mixed| strategy.iter().map(|&(_, share)| share).sum::<f64>();
        // Shares are multiples of a power of two, so their sum is exact.
        let is_whole = |strategy: &Mixed| sum(strategy).total_cmp(&1.0).is_eq();
        let has_columns =
            is_whole(&columns) || (columns.is_empty() && view.values[position].is_infinite());
        (is_whole(&rows) && has_columns).then_some((rows, columns))
    }

    /// The payoffs that the stored strategies guarantee in a turn.
    fn payoffs(
        &mut self,
        view: &PositionValues<'_>,
        configuration: usize,
        position: usize,
        rows: Mixed,
        columns: Mixed,
    ) -> Interval {
        view.fill(position, true, &mut self.game, &mut self.columns);
        let joint = view.positions.joint(configuration);
        let column_of = |number: u32| {
            // Of equivalent joint moves, only one is listed.
            let listed = self.columns.binary_search(&number);
            listed.unwrap_or_else(|_| {
                let same = |&listed: &u32| joint[listed as usize] == joint[number as usize];
                self.columns.iter().position(same).unwrap_or_default()
            })
        };
        let columns: Mixed = columns
            .into_iter()
            .map(|(number, share)| (column_of(number) as u32, share))
            .collect();
        self.solver.row = rows;
        self.solver.column = columns;
        self.solver.interval(&self.game)
    }
}

/// Whether the value of a turn satisfies the inequalities that the factors of the bounds need.
fn proves(table: &MixedTable, value: f64, turn: Interval) -> bool {
    let scale = table.scale();
    // The bounds are v s with s = 1 / (1 - d) above and s = 1 / (1 + d) below. They need T v <= v + d and T v
    // >= v - d.
    let most = value + 1.0 - 1.0 / scale.upper;
    let least = value - (1.0 / scale.lower - 1.0);
    let slack = SLACK * (value + 1.0);
    turn.upper <= most + slack && turn.lower >= least - slack
}

/// The allowance for rounding in a turn, relative to the value.
const SLACK: f64 = 1e-11;
