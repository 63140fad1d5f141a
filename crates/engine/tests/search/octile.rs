//! `TrailMax` by canonical wavefronts against the search that generates every neighbour.

use crate::common;
use crate::common::chase;
use chase::{any_map, captured_on, edits, noise};
use common::map;
use proptest::prelude::*;
use pursuit_engine::game::{Agent, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Moves;
use pursuit_engine::search::{Dice, FOUND, Plan, Race, SlicedSearch as _, TrailMax};

const SIDES: [Side; 2] = [Side::Cops, Side::Robber];

/// The speeds of one to four cops, all equal.
fn alike(dice: &mut Dice) -> Vec<u8> {
    let speed = 1 + dice.below(4) as u8;
    vec![speed; 1 + dice.below(4)]
}

/// Compares the results of both searches, and checks the values of their paths.
fn check(graph: &Graph, searches: &mut (TrailMax, Race), state: &State<'_>) -> Plan {
    let plan = searches.0.solve(graph, state).clone();
    let other = searches.1.solve(graph, state);
    assert_eq!(plan.outcome, other.outcome, "{state:?}");
    if !state.is_capture() {
        assert_eq!(captured_on(graph, state, &plan.path), plan.outcome);
        assert_eq!(captured_on(graph, state, &other.path), plan.outcome);
    }
    plan
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn finds_what_the_search_over_all_neighbours_finds(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&any_map(dice, 14), Moves::Octile);
        let mut searches = (TrailMax::new(), Race::new());
        for _ in 0..3 {
            let speeds = alike(dice);
            if let Some((robber, cops)) = chase::chase(&graph, dice, 1, &speeds) {
                for to_move in SIDES {
                    check(&graph, &mut searches, &State { robber, cops: &cops, to_move });
                }
            }
            let many = dice.below(6);
            let edits = edits(&graph, dice, many);
            graph.apply(&edits);
        }
    }

    #[test]
    fn other_games_are_left_to_the_search_over_all_neighbours(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = [Moves::Octile, Moves::Orthogonal][dice.below(2)];
        let graph = Graph::new(&any_map(dice, 12), moves);
        let mut searches = (TrailMax::new(), Race::new());
        let mut speed = || 1 + dice.below(3) as u8;
        let (robber_speed, speeds) = (speed(), [speed(), speed(), speed()]);
        let many = 1 + dice.below(3);
        let (robber, cops) =
            chase::chase(&graph, dice, robber_speed, &speeds[..many]).expect("a vertex");
        for to_move in SIDES {
            check(&graph, &mut searches, &State { robber, cops: &cops, to_move });
        }
    }

    #[test]
    fn any_slicing_gives_the_same_plan_within_its_budget(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&any_map(dice, 14), Moves::Octile);
        let speeds = alike(dice);
        let (robber, cops) = chase::chase(&graph, dice, 1, &speeds).expect("a vertex");
        for to_move in SIDES {
            let state = State { robber, cops: &cops, to_move };
            let mut whole = TrailMax::new();
            whole.solve(&graph, &state);
            let mut sliced = TrailMax::new();
            sliced.begin(&graph, &state);
            let mut granted = 0;
            while sliced.plan().is_none() {
                let budget = dice.below(4) as u32;
                granted += u64::from(budget);
                let progress = sliced.advance(&graph, None, budget);
                prop_assert_eq!(progress == FOUND, sliced.plan().is_some());
                prop_assert!(sliced.work().expansions <= granted, "spent more than the budget");
            }
            prop_assert_eq!(sliced.plan(), whole.plan());
            prop_assert_eq!(sliced.work().expansions, whole.work().expansions);
            prop_assert_eq!(sliced.work().touched, whole.work().touched);
            prop_assert!(whole.work().expansions <= 2 * graph.vertices() as u64);
        }
    }
}

#[test]
fn one_memory_serves_maps_of_many_sizes_and_thousands_of_searches() {
    // Several times the 1,022 searches after which the marks of a map start again.
    let dice = &mut Dice::new(7);
    let mut searches = (TrailMax::new(), Race::new());
    let mut graphs: Vec<Graph> = (0..6)
        .map(|_| Graph::new(&any_map(dice, 9), Moves::Octile))
        .collect();
    // Two maps with the same number of cells, but rows of different length.
    graphs.extend([(8, 3), (3, 8)].map(|(w, h)| Graph::new(&noise(dice, w, h, 9), Moves::Octile)));
    for round in 0..5000 {
        // Many searches on one map, then changes of the map.
        let index = if round % 2500 < 2200 {
            round / 2500
        } else {
            dice.below(graphs.len())
        };
        let graph = &mut graphs[index];
        if dice.below(20) == 0 {
            let edits = edits(graph, dice, 2);
            graph.apply(&edits);
        }
        let speeds = alike(dice);
        let to_move = SIDES[dice.below(2)];
        if let Some((robber, cops)) = chase::chase(graph, dice, 1, &speeds) {
            let state = State {
                robber,
                cops: &cops,
                to_move,
            };
            let plan = check(graph, &mut searches, &state);
            assert_eq!(&plan, TrailMax::new().solve(graph, &state), "round {round}");
        }
    }
}

#[test]
fn a_search_that_was_broken_off_leaves_nothing_behind() {
    let dice = &mut Dice::new(3);
    let graph = Graph::new(&noise(dice, 12, 12, 20), Moves::Octile);
    let mut used = TrailMax::new();
    for _ in 0..1500 {
        let speeds = alike(dice);
        let (robber, cops) = chase::chase(&graph, dice, 1, &speeds).expect("a vertex");
        let state = State {
            robber,
            cops: &cops,
            to_move: SIDES[dice.below(2)],
        };
        used.begin(&graph, &state);
        used.advance(&graph, None, dice.below(60) as u32);
        used.begin(&graph, &state);
        while used.advance(&graph, None, 9).is_working() {}
        assert_eq!(used.plan(), Some(TrailMax::new().solve(&graph, &state)));
    }
}

#[test]
fn steps_beyond_the_edges_of_the_map_lead_nowhere() {
    // One cell, one row, one column: all neighbouring places are off the map.
    for rows in [&["."][..], &["....."], &[".", ".", "."], &["..", ".."]] {
        let graph = Graph::new(&map(rows), Moves::Octile);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let mut searches = (TrailMax::new(), Race::new());
        for (&robber, &cop) in vertices.iter().zip(vertices.iter().rev()) {
            let agent = |at| Agent {
                at,
                speed: Speed::ONE,
            };
            for to_move in SIDES {
                let state = State {
                    robber: agent(robber),
                    cops: &[agent(cop)],
                    to_move,
                };
                check(&graph, &mut searches, &state);
            }
        }
    }
}

#[test]
fn the_greatest_speed_is_no_exception() {
    let dice = &mut Dice::new(5);
    let graph = Graph::new(&noise(dice, 40, 40, 25), Moves::Octile);
    let mut searches = (TrailMax::new(), Race::new());
    for speed in [1, 127, 254, 255] {
        let (robber, cops) = chase::chase(&graph, dice, 1, &[speed; 2]).expect("a vertex");
        for to_move in SIDES {
            let state = State {
                robber,
                cops: &cops,
                to_move,
            };
            check(&graph, &mut searches, &state);
        }
    }
}

/// The results would be the same without this search. Its purpose is to examine fewer neighbours.
#[test]
fn games_that_suit_it_look_at_half_the_neighbours_or_fewer() {
    let dice = &mut Dice::new(1);
    let graph = Graph::new(&noise(dice, 60, 60, 5), Moves::Octile);
    for speeds in [&[1][..], &[2, 2]] {
        let (robber, cops) = chase::chase(&graph, dice, 1, speeds).expect("a vertex");
        for to_move in SIDES {
            let state = State {
                robber,
                cops: &cops,
                to_move,
            };
            let mut searches = (TrailMax::new(), Race::new());
            check(&graph, &mut searches, &state);
            let (few, all) = (searches.0.work().touched, searches.1.work().touched);
            assert!(0 < few && 2 * few <= all, "{few} of {all}");
        }
    }
}
