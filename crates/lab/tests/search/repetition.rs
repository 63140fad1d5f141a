//! Dances: on random maps, from how many positions a robber that knows the policy leads the cops round for ever, while
//! optimal cops capture.

use crate::common::chase::noise;
use crate::common::level::{LIMIT, rules};
use crate::field::Field;
use crate::tournament::table;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::Rules;
use pursuit_engine::map::Moves;
use pursuit_engine::policy::{Ground, RetractGuideSolver};
use pursuit_engine::search::Dice;
use pursuit_lab::eval::CopKind;
use pursuit_lab::eval::{CopExploitability, cop_exploitability};

fn any_field(dice: &mut Dice) -> Field {
    let (width, height) = (3 + dice.below(5) as u16, 3 + dice.below(5) as u16);
    let walls = [5, 15, 25, 35][dice.below(4)];
    let map = noise(dice, width, height, walls);
    let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
    Field::new(
        &map,
        Rules {
            moves,
            ..rules(2, 1, 1)
        },
    )
}

fn exploited(field: &Field, ground: Ground<'_>, kind: CopKind) -> CopExploitability {
    let table = table(field);
    let policy = || kind.policy(field.solution.rules().cops, &[]);
    cop_exploitability(&table, ground, policy, 0, LIMIT, |_| true).expect("legal moves")
}

#[test]
fn few_positions_let_a_robber_that_knows_the_cops_escape_for_ever() {
    let dice = &mut Dice::new(1);
    let (mut positions, mut of_team, mut of_interception) = (0, 0, 0);
    for _ in 0..40 {
        let field = any_field(dice);
        let hierarchy = Hierarchy::new(&field.graph);
        let ground = Ground {
            hierarchy: Some(&hierarchy),
            ..(&field.graph).into()
        };
        let team = exploited(&field, ground, CopKind::UnguidedMemoryless);
        positions += team.positions;
        of_team += team.escapes;
        of_interception += exploited(&field, ground, CopKind::Interception).escapes;
    }
    assert!(positions > 100_000, "only {positions} positions");
    let share = |escapes: u64| escapes as f64 / positions as f64;
    assert!(share(of_team) <= 0.045, "{of_team} of {positions}");
    assert!(
        share(of_interception) <= 0.21,
        "{of_interception} of {positions}"
    );
}

/// Cops that follow the bounds of a retract leave no such position, where these bounds exist.
#[test]
fn no_robber_escapes_cops_that_follow_a_retract() {
    let dice = &mut Dice::new(1);
    let (mut positions, mut maps) = (0, 0);
    for _ in 0..40 {
        let field = any_field(dice);
        let solver = RetractGuideSolver::new(&field.graph, field.solution.rules(), u64::MAX, LIMIT);
        let Some(mut solver) = solver.expect("memory") else {
            continue;
        };
        assert!(solver.run(|_| true).done);
        let retract = solver.finish().expect("solved");
        if field.solution.escapes() > 0 {
            continue;
        }
        let hierarchy = Hierarchy::new(&field.graph);
        let ground = Ground {
            hierarchy: Some(&hierarchy),
            retract: Some(&retract),
            ..(&field.graph).into()
        };
        let found = exploited(&field, ground, CopKind::TeamMemoryless);
        assert_eq!(found.escapes, 0);
        (positions, maps) = (positions + found.positions, maps + 1);
    }
    assert!(
        positions > 30_000 && maps > 10,
        "{positions} on {maps} maps"
    );
}
