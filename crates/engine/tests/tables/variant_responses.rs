//! Tests of best responses with other grounds and rules of capture against a plain fixpoint.

use crate::common;
use common::level::{LIMIT, rules};
use common::variant_level::{
    VariantKinds, VariantLevel, agents, random_variant, random_variant_map, value_of,
};
use proptest::prelude::*;
use pursuit_engine::game::{Outcome, Rules, Variant};
use pursuit_engine::graph::{Digraph, Vertex};
use pursuit_engine::table::{Arena, SolveError, best_response_to_cops, best_response_to_robber};
use std::sync::Arc;

const KINDS: VariantKinds = VariantKinds::ALL;

fn levels() -> impl Strategy<Value = VariantLevel> {
    prop_oneof![
        random_variant(1..=9_usize, 3, KINDS),
        random_variant_map(3, KINDS),
        random_variant(62..=70_usize, 3, KINDS),
    ]
}

/// A policy of either side: a random choice that depends only on the position.
struct DrawnMoves<'a> {
    level: &'a VariantLevel,
    rules: Rules,
    seed: u64,
}

impl DrawnMoves<'_> {
    fn draw<T: Clone>(&self, robber: usize, cops: &[usize], among: &[T]) -> T {
        let agents = cops.iter().chain([&robber]);
        let number = agents.fold(self.seed, |state, &agent| {
            (state ^ agent as u64)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(23)
        });
        among[(number >> 20) as usize % among.len()].clone()
    }

    fn robber(&self, robber: usize, cops: &[usize]) -> usize {
        let mut cops = cops.to_vec();
        cops.sort_unstable();
        let speed = self.rules.robber_speed.steps();
        self.draw(
            robber,
            &cops,
            &self.level.game.robber_ends(robber, &cops, speed),
        )
    }

    /// The ends of the cops in ascending order of where they come from.
    fn cops(&self, robber: usize, cops: &[usize]) -> Vec<usize> {
        let mut cops = cops.to_vec();
        cops.sort_unstable();
        let speed = self.rules.cop_speed.steps();
        self.draw(
            robber,
            &cops,
            &self.level.game.legal_joint_moves(&cops, speed),
        )
    }

    fn number(&self, vertex: Vertex) -> usize {
        let mut known = self.level.vertices.iter();
        known.position(|&known| known == vertex).expect("a vertex")
    }

    fn numbers(&self, cops: &[Vertex]) -> Vec<usize> {
        cops.iter().map(|&cop| self.number(cop)).collect()
    }
}

fn check(level: &VariantLevel, rules: Rules, seed: u64) {
    let moves = DrawnMoves { level, rules, seed };
    let (moves, game) = (&moves, &level.game);
    let (agents, cops) = (agents(rules), usize::from(rules.cops.get()));
    let joint = |_: usize, cops: &[usize]| game.legal_joint_moves(cops, agents.cop_speed);
    let ends = |robber: usize, cops: &[usize]| game.robber_ends(robber, cops, agents.robber_speed);

    let player = || {
        |robber: Vertex, cops: &[Vertex]| {
            let end = moves.robber(moves.number(robber), &moves.numbers(cops));
            Ok::<_, SolveError>(level.vertices[end])
        }
    };
    let response = best_response_to_robber(&level.arena, rules, LIMIT, player, |_| Ok(()));
    let response = response.expect("legal moves");
    let only = |robber: usize, cops: &[usize]| vec![moves.robber(robber, cops)];
    let found = level.values(cops, |robber, cops| response.value(robber, cops));
    assert_eq!(found, game.solve_among(cops, joint, only));

    let player = || {
        |robber: Vertex, cops: &[Vertex], to: &mut [Vertex]| {
            let numbers = moves.numbers(cops);
            let mut order: Vec<usize> = (0..cops.len()).collect();
            order.sort_by_key(|&cop| numbers[cop]);
            let moved = moves.cops(moves.number(robber), &numbers);
            for (cop, end) in order.into_iter().zip(moved) {
                to[cop] = level.vertices[end];
            }
            Ok::<_, SolveError>(())
        }
    };
    let response = best_response_to_cops(&level.arena, rules, LIMIT, player, |_| Ok(()));
    let response = response.expect("legal moves");
    let only = |robber: usize, cops: &[usize]| vec![moves.cops(robber, cops)];
    let found = level.values(cops, |robber, cops| response.value(robber, cops));
    assert_eq!(found, game.solve_among(cops, only, ends));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn same_as_a_plain_fixpoint(
        level in levels(),
        cops in 1..=2_u8,
        (fast, robber) in (1..=2_u8, 1..=2_u8),
        seed in any::<u64>(),
    ) {
        let cops = if level.vertices.len() > 60 { 1 } else { cops };
        check(&level, rules(cops, fast, robber), seed);
    }
}

#[test]
fn moves_onto_one_place_are_refused() {
    let path = Digraph::undirected(3, &[(0, 1), (1, 2)]).expect("a path");
    let at = |number| path.vertex(number).expect("a vertex");
    let distinct = Variant {
        distinct: true,
        ..Variant::default()
    };
    let arena = Arena::builder(&path)
        .variant(distinct)
        .build()
        .expect("distinct cops");
    let arena = Arc::new(arena);
    let together = || {
        |_: Vertex, _: &[Vertex], to: &mut [Vertex]| {
            to.fill(at(1));
            Ok::<_, SolveError>(())
        }
    };
    let found = best_response_to_cops(&arena, rules(2, 1, 1), LIMIT, together, |_| Ok(()));
    assert!(matches!(found, Err(SolveError::IllegalMove { to: 1, .. })));
    let apart = || |_: Vertex, _: &[Vertex], _: &mut [Vertex]| Ok::<_, SolveError>(());
    let found = best_response_to_cops(&arena, rules(2, 1, 1), LIMIT, apart, |_| Ok(()));
    let found = found.expect("legal moves");
    assert_eq!(found.value(at(2), &[at(0), at(1)]), Some(Outcome::Escapes));
    assert_eq!(
        value_of(found.value(at(2), &[at(0), at(0)])),
        value_of(None)
    );
}
