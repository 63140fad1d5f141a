//! Endgames with guards that have yet to come, against exact tables of the whole map.

use crate::common::endgames::{Sides, exact, follow, solved, state};
use crate::common::{chase, map, ruled_map};
use proptest::prelude::*;
use pursuit_engine::game::Outcome;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::Dice;

/// A room with two doors: one cop in it, and one on its way to the door at the right.
const TWO_DOORS: [&str; 5] = [
    "#####.....##################",
    "#####.....##################",
    "............................",
    "#####.....##################",
    "#####.....##################",
];

#[test]
fn a_guard_that_has_yet_to_come_closes_a_door() {
    let graph = Graph::new(&map(&TWO_DOORS), Moves::Octile);
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let sides = Sides::new(2, 1, 1);
    let robber = at(7, 1);
    let cops = [at(4, 2), at(13, 2)];
    let mut endgames = solved(&graph, sides, 40, (robber, &cops));
    let agents = sides.agents(&cops);
    let asked = state(sides.robber(robber), &agents);
    let proof = endgames.prove(&graph, &asked).expect("a proof");
    let table = exact(&graph, sides);
    let value = table.value(robber, &cops).expect("a position");
    assert!(value <= Outcome::Caught(proof.bound), "{value} {proof:?}");
    let mut dice = Dice::new(1);
    assert!(follow(&mut endgames, &graph, sides, (robber, &cops), &mut dice) > 10);
}

/// Every position of which a bound is told while a guard is away, against the table of the whole map.
#[test]
fn no_bound_with_guards_on_their_way_is_below_the_table() {
    let mut waits = 0;
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let map = chase::any_map(&mut dice, 9);
        let graph = Graph::new(&map, Moves::Octile);
        let sides = Sides::new(
            2 + usize::from(seed % 4 == 0),
            1 + u8::from(seed % 3 == 1),
            1,
        );
        let vertices: Vec<Vertex> = graph.iter().collect();
        if vertices.len() > [81, 81, 81, 30][sides.cops] {
            continue;
        }
        let table = exact(&graph, sides);
        for _ in 0..30 {
            let any = |dice: &mut Dice| vertices[dice.below(vertices.len())];
            let robber = any(&mut dice);
            let cops: Vec<Vertex> = (0..sides.cops).map(|_| any(&mut dice)).collect();
            let limit = 6 + dice.below(30);
            let mut endgames = solved(&graph, sides, limit, (robber, &cops));
            for _ in 0..200 {
                let robber = any(&mut dice);
                let cops: Vec<Vertex> = (0..sides.cops).map(|_| any(&mut dice)).collect();
                let agents = sides.agents(&cops);
                let asked = state(sides.robber(robber), &agents);
                let Some(proof) = endgames.prove(&graph, &asked) else {
                    continue;
                };
                let value = table.value(robber, &cops).expect("a position");
                assert!(value <= Outcome::Caught(proof.bound), "{value} {proof:?}");
                let guards = &proof.moves[proof.players..];
                if guards.iter().any(|guard| !guard.path.is_empty()) {
                    waits += 1;
                    follow(&mut endgames, &graph, sides, (robber, &cops), &mut dice);
                }
            }
        }
    }
    assert!(waits > 20, "{waits}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The look-up for a crowd leaves out pairs that cannot be the best.
    #[test]
    fn a_crowd_captures_as_soon_as_its_best_pair(
        level in ruled_map(8),
        speed in 1_u8..3,
        count in 17_usize..30,
        seed in any::<u64>(),
    ) {
        let graph = Graph::new(&level, Moves::Octile);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let sides = Sides::new(2, speed, 1);
        let mut dice = Dice::new(seed);
        let mut place = || dice.pick(&vertices).expect("some vertices");
        let mut endgames = solved(&graph, sides, 64, (place(), &[place(), place()]));
        for _ in 0..20 {
            let robber = sides.robber(place());
            let places: Vec<Vertex> = (0..count).map(|_| place()).collect();
            let crowd = sides.agents(&places);
            let bound = endgames.bound(&graph, &state(robber, &crowd));
            let pairs = (0..count).flat_map(|one| (0..one).map(move |other| [one, other]));
            let by_pairs = pairs.filter_map(|pair| {
                let pair = pair.map(|cop| crowd[cop]);
                endgames.bound(&graph, &state(robber, &pair))
            });
            let best = by_pairs.min();
            prop_assert!(
                best.is_none_or(|best| bound.is_some_and(|bound| bound <= best)),
                "{bound:?} with the crowd, {best:?} with its best pair"
            );
        }
    }
}
