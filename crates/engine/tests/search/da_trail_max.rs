//! `DaTrailMax`: legal on any map, independent of slicing, and equal to `TrailMax` when it plans on the
//! map.

use crate::common;
use crate::common::chase;
use chase::{any_map, captured_on, edits, is_path, maze, noise};
use common::map;
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Outcome, Side, Speed, State, Turns};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::{DaTrailMax, Dice, FOUND, SlicedSearch as _, TrailMax};

/// The results of a search.
type Answer = (Vec<Vertex>, usize, Option<Outcome>);

fn answer(search: &DaTrailMax) -> Answer {
    (search.path().to_vec(), search.level(), search.outcome())
}

fn speeds(dice: &mut Dice) -> (u8, Vec<u8>) {
    let robber = 1 + dice.below(3) as u8;
    let cops = (0..=dice.below(3)).map(|_| 1 + dice.below(4) as u8);
    (robber, cops.collect())
}

fn any_moves(dice: &mut Dice) -> Moves {
    pursuit_testkit::rolled_moves(dice)
}

/// The result of `TrailMax` against the cops that have a path to the robber.
fn on_the_map(graph: &Graph, state: &State<'_>, hierarchy: &Hierarchy) -> (Vec<Vertex>, Outcome) {
    let can_come = |cop: &&Agent| hierarchy.connected(cop.at, state.robber.at);
    let cops: Vec<Agent> = state.cops.iter().filter(can_come).copied().collect();
    let state = State {
        cops: &cops,
        ..*state
    };
    let mut search = TrailMax::new();
    let plan = search.solve(graph, &state);
    (plan.path.clone(), plan.outcome)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn plans_legal_paths_while_the_map_changes(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let mut graph = Graph::new(&any_map(dice, 40), moves);
        let mut hierarchy = Hierarchy::new(&graph);
        let threshold = [0, 4, 10, u16::MAX][dice.below(4)];
        let mut search = DaTrailMax::new(threshold, seed);
        for _ in 0..4 {
            let (robber_speed, speeds) = speeds(dice);
            let Some((robber, cops)) = chase::chase(&graph, dice, robber_speed, &speeds) else {
                break;
            };
            let state = State { robber, cops: &cops, to_move: Side::Robber };
            search.solve(&graph, Some(&hierarchy), &state);
            let (path, level, outcome) = answer(&search);
            prop_assert!(is_path(&graph, robber.at, &path));
            prop_assert!(level < hierarchy.levels());
            if threshold == u16::MAX {
                prop_assert_eq!(level, 0);
            }
            prop_assert_eq!(outcome.is_some(), level == 0);
            if let Some(outcome) = outcome {
                let (on_map, value) = on_the_map(&graph, &state, &hierarchy);
                prop_assert_eq!(outcome, value);
                prop_assert_eq!(&path, &on_map);
                if !state.is_capture() {
                    prop_assert_eq!(captured_on(&graph, &state, &path), outcome);
                }
            }
            let many = dice.below(9);
            let delta = graph.apply(&edits(&graph, dice, many));
            hierarchy.apply(&graph, &delta);
        }
    }

    #[test]
    fn any_slicing_gives_the_same_path(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let graph = Graph::new(&any_map(dice, 30), moves);
        let hierarchy = Hierarchy::new(&graph);
        let threshold = [0, 4, 10][dice.below(3)];
        for hierarchy in [Some(&hierarchy), None] {
            let (mut whole, mut sliced) =
                (DaTrailMax::new(threshold, seed), DaTrailMax::new(threshold, seed));
            if dice.below(2) == 0 {
                whole.limit_steps(5);
                sliced.limit_steps(5);
            }
            for _ in 0..2 {
                let (robber_speed, speeds) = speeds(dice);
                let (robber, cops) =
                    chase::chase(&graph, dice, robber_speed, &speeds).expect("a vertex");
                let state = State { robber, cops: &cops, to_move: Side::Robber };
                whole.solve(&graph, hierarchy, &state);
                sliced.begin(&graph, hierarchy, &state);
                let most = 1 + dice.below(20);
                loop {
                    let budget = dice.below(most + 1) as u32;
                    if sliced.advance(&graph, hierarchy, budget) == FOUND {
                        break;
                    }
                    prop_assert_eq!(sliced.path(), &[]);
                }
                prop_assert_eq!(answer(&sliced), answer(&whole));
            }
        }
    }

    #[test]
    fn cops_that_cannot_come_and_the_side_to_move_make_no_difference(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&noise(dice, 24, 24, 40), Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let (robber_speed, speeds) = speeds(dice);
        let (robber, cops) = chase::chase(&graph, dice, robber_speed, &speeds).expect("a vertex");
        let near: Vec<Agent> = cops.iter().copied()
            .filter(|cop| hierarchy.connected(cop.at, robber.at))
            .collect();
        let answer = |cops: &[Agent], to_move| {
            let mut search = DaTrailMax::new(4, 1);
            search.solve(&graph, Some(&hierarchy), &State { robber, cops, to_move });
            answer(&search)
        };
        let all = answer(&cops, Side::Robber);
        prop_assert_eq!(&answer(&near, Side::Robber), &all);
        prop_assert_eq!(&answer(&cops, Side::Cops), &all);
        if near.is_empty() {
            prop_assert_eq!(all, (vec![], 0, Some(Outcome::Escapes)));
        }
    }

    #[test]
    fn a_restart_with_the_same_seed_repeats(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&any_map(dice, 40), Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let mut search = DaTrailMax::new(2, 0);
        let games: Vec<_> = (0..5)
            .map(|_| chase::chase(&graph, dice, 1, &[1, 2]).expect("a vertex"))
            .collect();
        let mut play = |seed| {
            search.restart(seed);
            let mut answers = Vec::new();
            for (robber, cops) in &games {
                let state = State { robber: *robber, cops, to_move: Side::Robber };
                search.solve(&graph, Some(&hierarchy), &state);
                answers.push(answer(&search));
            }
            answers
        };
        let first = play(seed);
        play(seed ^ 1);
        prop_assert_eq!(play(seed), first);
    }

    #[test]
    fn a_limited_path_has_the_steps_that_were_asked_for_or_all(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let map = if dice.below(2) == 0 { noise(dice, 48, 48, 10) } else { maze(dice, 41, 41) };
        let graph = Graph::new(&map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = chase::chase(&graph, dice, 1, &[1, 2]).expect("a vertex");
        let state = State { robber, cops: &cops, to_move: Side::Robber };
        let (mut whole, mut limited) = (DaTrailMax::new(2, seed), DaTrailMax::new(2, seed));
        let steps = 1 + dice.below(24);
        limited.limit_steps(steps);
        let all = whole.solve(&graph, Some(&hierarchy), &state).len();
        let path = limited.solve(&graph, Some(&hierarchy), &state);
        prop_assert!(is_path(&graph, robber.at, path));
        let most = 4 * steps + 8;
        prop_assert!(path.len() >= steps.min(all), "{} of {} for {}", path.len(), all, steps);
        prop_assert!(path.len() <= all.max(most), "{} of {} for {}", path.len(), all, steps);
        prop_assert_eq!(limited.level(), whole.level());
    }
}

#[test]
fn nobody_chases_or_one_has_captured() {
    let graph = Graph::new(&map(&["......", "......"]), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    let at = |x| {
        let at = graph.vertex(Cell::new(x, 0)).expect("free");
        Agent {
            at,
            speed: Speed::ONE,
        }
    };
    for hierarchy in [Some(&hierarchy), None] {
        let mut search = DaTrailMax::new(10, 0);
        for (cops, outcome) in [
            (&[][..], Outcome::Escapes),
            (&[at(2), at(5)], Outcome::Caught(Turns(0))),
        ] {
            let state = State {
                robber: at(2),
                cops,
                to_move: Side::Robber,
            };
            assert_eq!(search.solve(&graph, hierarchy, &state), []);
            assert_eq!(search.outcome(), Some(outcome));
            assert_eq!(search.level(), 0);
        }
    }
}

#[test]
fn a_map_of_one_cell_has_no_level_but_itself() {
    let graph = Graph::new(&map(&[".#."]), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    assert_eq!(hierarchy.levels(), 1);
    let mut vertices = graph.iter();
    let mut agent = || Agent {
        at: vertices.next().expect("two cells"),
        speed: Speed::ONE,
    };
    let (robber, cops) = (agent(), [agent()]);
    let state = State {
        robber,
        cops: &cops,
        to_move: Side::Robber,
    };
    let mut search = DaTrailMax::new(10, 0);
    assert_eq!(search.solve(&graph, Some(&hierarchy), &state), []);
    assert_eq!(search.outcome(), Some(Outcome::Escapes));
}
