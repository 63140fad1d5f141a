//! Compares matrix games with a solver of linear programs.

use super::*;
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use proptest::prelude::*;

/// The value of a game by the linear program of the row player.
fn oracle(game: &Matrix) -> f64 {
    let mut program = Problem::new(OptimizationDirection::Maximize);
    let value = program.add_var(1.0, (0.0, f64::INFINITY));
    let shares: Vec<_> = (0..game.rows)
        .map(|_| program.add_var(0.0, (0.0, f64::INFINITY)))
        .collect();
    let sum: Vec<_> = shares.iter().map(|&share| (share, 1.0)).collect();
    program.add_constraint(&sum[..], ComparisonOp::Eq, 1.0);
    for column in 0..game.columns {
        let payoffs = shares.iter().enumerate();
        let mut terms: Vec<_> = payoffs
            .map(|(row, &share)| (share, game.at(row, column)))
            .collect();
        terms.push((value, -1.0));
        program.add_constraint(&terms[..], ComparisonOp::Ge, 0.0);
    }
    let found = program.solve().expect("a program").into_solution();
    found.expect("a game has a value").objective()
}

fn expect_solved(game: &Matrix, solver: &mut MatrixSolver) -> Result<(), TestCaseError> {
    let found = solver.solve(game);
    let expected = oracle(game);
    prop_assert!(
        found.lower <= found.upper * (1.0 + 1e-13),
        "{found:?} {game:?}"
    );
    prop_assert!(
        found.upper - found.lower < 1e-9 * found.upper,
        "{found:?} {game:?}"
    );
    prop_assert!(
        (found.upper - expected).abs() < 1e-6 * expected,
        "{found:?} {expected} {game:?}"
    );
    for (strategy, count) in [(&solver.row, game.rows), (&solver.column, game.columns)] {
        let sum: f64 = strategy.iter().map(|&(_, share)| share).sum();
        prop_assert!((sum - 1.0).abs() < 1e-12);
        prop_assert!(
            strategy
                .iter()
                .all(|&(at, share)| (at as usize) < count && share >= 0.0)
        );
    }
    Ok(())
}

/// Games of any shape. The small number of different payoffs makes many of them degenerate.
fn games() -> impl Strategy<Value = Matrix> {
    let payoff = |kind: u8| match kind {
        0 => (1_u32..3).prop_map(f64::from).boxed(),
        1 => (1_u32..6).prop_map(f64::from).boxed(),
        2 => (1.0_f64..1000.0).boxed(),
        _ => prop_oneof![4 => 20.0_f64..21.0, 1 => Just(1.0)].boxed(),
    };
    (1_usize..10, 1_usize..30, 0_u8..4).prop_flat_map(move |(rows, columns, kind)| {
        let payoffs = prop::collection::vec(payoff(kind), rows * columns);
        payoffs.prop_map(move |payoffs| Matrix {
            rows,
            columns,
            payoffs,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn games_have_the_value_of_the_linear_program(game in games()) {
        expect_solved(&game, &mut MatrixSolver::default())?;
    }

    #[test]
    fn strategies_of_another_game_do_no_harm(first in games(), second in games()) {
        let mut solver = MatrixSolver::default();
        solver.solve(&first);
        expect_solved(&second, &mut solver)?;
    }
}

#[test]
fn rows_and_columns_that_are_the_same_do_no_harm() {
    let row = [3.0, 1.0, 2.0, 3.0, 1.0, 2.0];
    let other = [1.0, 3.0, 2.0, 1.0, 3.0, 2.0];
    let third = [2.0, 2.0, 2.0, 2.0, 2.0, 2.0];
    let payoffs = [row, other, row, other, third, third].concat();
    let game = Matrix {
        rows: 6,
        columns: 6,
        payoffs,
    };
    let found = MatrixSolver::default().solve(&game);
    assert!((found.lower - 2.0).abs() < 1e-12 && (found.upper - 2.0).abs() < 1e-12);
}
