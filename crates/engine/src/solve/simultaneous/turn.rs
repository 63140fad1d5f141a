//! The matrix game of one turn from a position.

use super::matrix::Matrix;
use super::positions::Positions;

/// The values of all positions: 0 after a capture, infinite if the cops cannot force one.
pub(super) struct PositionValues<'a> {
    pub positions: &'a Positions,
    pub values: &'a [f64],
    /// Whether any value is infinite.
    pub has_infinite: bool,
}

/// The payoff of a turn that captures the robber. All other payoffs are greater by at least 1.
pub(super) const CAPTURE: f64 = 1.0;

impl PositionValues<'_> {
    /// Fills in the matrix game of a turn: the payoff, in turns, of each move of the robber (row) against each
    /// joint move of the cops (column). `columns` gives the joint move of each column.
    ///
    /// If `all` is not set, joint moves with an infinite payoff are left out: cops that play one of them with
    /// positive probability concede an infinite value.
    pub(super) fn fill(
        &self,
        position: usize,
        all: bool,
        game: &mut Matrix,
        columns: &mut Vec<u32>,
    ) {
        let positions = self.positions;
        let (robber, configuration) = positions.split(position);
        list_columns(positions, robber, configuration, columns);
        let joint = positions.joint(configuration);
        let rows = positions.robber_moves.row(robber);
        let width = positions.configurations();
        game.rows = rows.len();
        game.columns = columns.len();
        game.payoffs.clear();
        for &row in rows {
            let values = &self.values[row as usize * width..][..width];
            let reached = columns.iter().map(|&column| joint[column as usize]);
            game.payoffs
                .extend(reached.map(|to| 1.0 + values[to as usize]));
        }
        self.add_exchanges(robber, configuration, game, columns);
        if self.has_infinite && !all {
            leave_out_infinite(game, columns);
        }
    }

    /// Adds the captures by a cop that exchanges places with the robber along an edge.
    fn add_exchanges(
        &self,
        robber: usize,
        configuration: usize,
        game: &mut Matrix,
        columns: &[u32],
    ) {
        let positions = self.positions;
        let rows = positions.robber_moves.row(robber);
        for (index, &cop) in positions.cops(configuration).iter().enumerate() {
            if !positions.is_joined(robber, cop.into()) {
                continue;
            }
            let Ok(row) = rows.binary_search(&u32::from(cop)) else {
                continue;
            };
            for (column, &joint) in columns.iter().enumerate() {
                let goal = positions.goals(configuration, joint as usize)[index];
                if usize::from(goal) == robber {
                    game.payoffs[row * game.columns + column] = CAPTURE;
                }
            }
        }
    }
}

/// Lists the joint moves. Joint moves that differ only in which cop moves where are listed once, unless a
/// cop moves to the robber's place. Then the difference matters, since the cop and the robber may exchange
/// places.
pub(super) fn list_columns(
    positions: &Positions,
    robber: usize,
    configuration: usize,
    columns: &mut Vec<u32>,
) {
    let joint = positions.joint(configuration);
    columns.clear();
    if positions.team() == 1 {
        columns.extend(0..joint.len() as u32);
        return;
    }
    let mut last = u32::MAX;
    for (number, &to) in joint.iter().enumerate() {
        let meets = |&goal: &u16| usize::from(goal) == robber;
        if to != last || positions.goals(configuration, number).iter().any(meets) {
            columns.push(number as u32);
        }
        last = to;
    }
}

fn leave_out_infinite(game: &mut Matrix, columns: &mut Vec<u32>) {
    let is_finite = |column: usize| (0..game.rows).all(|row| game.at(row, column).is_finite());
    let kept: Vec<usize> = (0..game.columns)
        .filter(|&column| is_finite(column))
        .collect();
    if kept.len() == game.columns {
        return;
    }
    let mut to = 0;
    for row in 0..game.rows {
        for &column in &kept {
            game.payoffs[to] = game.payoffs[row * game.columns + column];
            to += 1;
        }
    }
    game.payoffs.truncate(to);
    game.columns = kept.len();
    for (to, &from) in kept.iter().enumerate() {
        columns[to] = columns[from];
    }
    columns.truncate(kept.len());
}
