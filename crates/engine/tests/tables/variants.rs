//! Tests of tables with different grounds, reach, distinct cops and exits against the slow game.

use crate::common;
use common::level::{LIMIT, rules};
use common::variant_game::VariantValue;
use common::variant_level::{
    VariantKinds, VariantLevel, agents, random_variant, random_variant_map,
};
use proptest::prelude::*;
use pursuit_engine::game::Rules;
use pursuit_engine::table::{Solution, Solver, Table};
use std::sync::Arc;

/// Compares all values, and what the solution says about them as a whole.
fn assert_solved(level: &VariantLevel, rules: Rules, expected: &[VariantValue]) -> Solution {
    let solution = level.solve(rules);
    let values = level.values(rules.cops.get().into(), |robber, cops| {
        solution.value(robber, cops)
    });
    if let Some(index) = (0..expected.len()).find(|&index| values[index] != expected[index]) {
        let (found, expected) = (values[index], expected[index]);
        let position = level.game.positions(rules.cops.get().into()).nth(index);
        panic!("{found:?}, expected {expected:?}, robber and cops {position:?}, {rules:?}");
    }
    assert_summary(&solution, expected);
    solution
}

fn assert_summary(solution: &Solution, expected: &[VariantValue]) {
    let (mut caught, mut away, mut free) = (Vec::new(), Vec::new(), 0);
    for &value in expected {
        let (list, turns): (&mut Vec<u64>, u32) = match value {
            VariantValue::Illegal => continue,
            VariantValue::Free => {
                free += 1;
                continue;
            }
            VariantValue::Caught(turns) => (&mut caught, turns),
            VariantValue::Away(turns) => (&mut away, turns),
        };
        list.resize(list.len().max(turns as usize + 1), 0);
        list[turns as usize] += 1;
    }
    caught.resize(caught.len().max(1), 0);
    assert_eq!(solution.histogram(), caught);
    assert_eq!(solution.away_histogram(), away);
    assert_eq!(solution.escapes(), free);
    let all = caught.iter().chain(&away).sum::<u64>() + free;
    assert_eq!(solution.positions(), all);
}

fn assert_by_rounds(level: &VariantLevel, rules: Rules) {
    let expected = level.game.by_rounds(agents(rules));
    assert_solved(level, rules, &expected);
}

fn any_rules(cops: impl Strategy<Value = u8>) -> impl Strategy<Value = Rules> {
    (cops, 1..=2_u8, 1..=2_u8)
        .prop_map(|(cops, of_cops, of_robber)| rules(cops, of_cops, of_robber))
}

const NONE: VariantKinds = VariantKinds {
    steps: false,
    barred: false,
    reach: false,
    pairs: false,
    distinct: false,
    after_robber: false,
    exits: false,
};

fn graphs(kinds: VariantKinds) -> impl Strategy<Value = VariantLevel> {
    prop_oneof![
        random_variant(1..=10_usize, 3, kinds),
        random_variant_map(4, kinds),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn rounds_are_the_slow_game(
        level in random_variant(1..=5_usize, 3, VariantKinds::ALL),
        rules in any_rules(1..=2_u8),
    ) {
        let game = &level.game;
        prop_assert_eq!(game.by_rounds(agents(rules)), game.solve(agents(rules)));
    }

    #[test]
    fn different_steps(
        level in graphs(VariantKinds { steps: true, ..NONE }),
        rules in any_rules(1..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }

    #[test]
    fn barred_vertices(
        level in graphs(VariantKinds { steps: true, barred: true, ..NONE }),
        rules in any_rules(1..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }

    #[test]
    fn reach(
        level in graphs(VariantKinds { reach: true, ..NONE }),
        rules in any_rules(1..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }

    #[test]
    fn pairs_of_captures(
        level in graphs(VariantKinds { pairs: true, ..NONE }),
        rules in any_rules(1..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }

    #[test]
    fn distinct_cops(
        level in graphs(VariantKinds { distinct: true, ..NONE }),
        rules in any_rules(2..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }

    #[test]
    fn judged_after_the_robber(
        level in graphs(VariantKinds { after_robber: true, reach: true, ..NONE }),
        rules in any_rules(1..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }

    #[test]
    fn exits(
        level in graphs(VariantKinds { exits: true, ..NONE }),
        rules in any_rules(1..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }

    #[test]
    fn exits_with_other_rules_of_capture(
        level in graphs(VariantKinds { steps: false, barred: false, ..VariantKinds::ALL }),
        rules in any_rules(1..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }

    #[test]
    fn slices_make_no_difference(
        level in graphs(VariantKinds::ALL),
        rules in any_rules(1..=3_u8),
        budgets in prop::collection::vec(1..200_usize, 1..4),
    ) {
        let mut solver = Solver::new(Arc::clone(&level.arena), rules, LIMIT).expect("memory");
        let mut before = solver.progress();
        for &budget in budgets.iter().cycle() {
            let progress = solver.advance(budget);
            prop_assert!(progress.solved >= before.solved && progress.turn >= before.turn);
            prop_assert!(progress.solved <= progress.positions);
            before = progress;
            if progress.done {
                break;
            }
        }
        let (sliced, whole) = (solver.finish().expect("done"), level.solve(rules));
        let (sliced, whole) = (Table::of(&sliced), Table::of(&whole));
        prop_assert_eq!(sliced.bytes(), whole.bytes());
    }

    #[test]
    fn mixtures(
        level in graphs(VariantKinds::ALL),
        rules in any_rules(1..=3_u8),
    ) {
        assert_by_rounds(&level, rules);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn mixtures_of_more_than_one_word(
        level in random_variant(60..=140_usize, 4, VariantKinds::ALL),
        rules in any_rules(Just(1)),
    ) {
        assert_by_rounds(&level, rules);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn mixtures_of_more_than_one_word_and_two_cops(
        level in random_variant(62..=80_usize, 4, VariantKinds::ALL),
        rules in any_rules(Just(2)),
    ) {
        assert_by_rounds(&level, rules);
    }
}
