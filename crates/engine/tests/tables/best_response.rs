//! Tests of best responses: against plain fixpoints, against optimal play, and by hand.

use super::best_response_oracle::{NEVER, Policy, all, joint_moves, ranked, robber_ends};
use super::best_response_oracle::{slow_response, slow_round, to_cops, to_robber};
use crate::common;
use crate::common::level;
use common::{any_moves, random_map};
use level::{LIMIT, PursuitLevel, random_level, rules};
use proptest::prelude::*;
use pursuit_engine::game::{Outcome, Rules, Turns};
use pursuit_engine::graph::Vertex;
use pursuit_engine::map::Moves;
use pursuit_engine::table::Progress;
use pursuit_engine::table::{Solution, SolveError};
use pursuit_engine::table::{best_response_to_cops, best_response_to_robber};
use std::sync::atomic::{AtomicUsize, Ordering};

fn assert_agrees(level: &PursuitLevel, rules: Rules, seed: u64) {
    let policy = Policy {
        level,
        rules,
        seed,
        chases: false,
    };
    let optimal = ranked(&level.values(&level.solve(rules)));

    let values = all(level, &policy.best_response_of_cops());
    assert_eq!(
        values,
        slow_response(&policy, false),
        "{rules:?}, {level:?}"
    );
    let never_later = ranked(&values).iter().zip(&optimal).all(|(a, b)| a <= b);
    assert!(never_later, "a flawed robber");

    let values = all(level, &policy.best_response_of_robber());
    assert_eq!(values, slow_response(&policy, true), "{rules:?}, {level:?}");
    let never_sooner = ranked(&values).iter().zip(&optimal).all(|(a, b)| a >= b);
    assert!(never_sooner, "flawed cops");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_policies_on_graphs(
        level in random_level(1..=7_usize, 3),
        cops in 1..=2_u8,
        cop_speed in 1..=2_u8,
        robber_speed in 1..=3_u8,
        seed in any::<u64>(),
    ) {
        assert_agrees(&level, rules(cops, cop_speed, robber_speed), seed);
    }

    #[test]
    fn random_policies_on_maps(
        map in random_map(4),
        moves in any_moves(),
        cop_speed in 1..=2_u8,
        robber_speed in 1..=2_u8,
        seed in any::<u64>(),
    ) {
        assert_agrees(&PursuitLevel::of_map(&map, moves), rules(1, cop_speed, robber_speed), seed);
    }

    #[test]
    fn random_policies_of_three_cops(level in random_level(1..=4_usize, 3), seed in any::<u64>()) {
        assert_agrees(&level, rules(3, 1, 1), seed);
    }
}

/// A ring around a hub, which is linked to each third vertex of the ring.
fn wheel(vertices: usize) -> PursuitLevel {
    let ring = (1..vertices).map(|a| (a, a % (vertices - 1) + 1));
    let spokes = (1..vertices).step_by(3).map(|a| (0, a));
    PursuitLevel::of_arcs(vertices, &ring.chain(spokes).collect::<Vec<_>>(), true)
}

#[test]
fn random_policies_on_more_vertices_than_a_word_has_bits() {
    // A robber of speed 4 can reach more than 64 vertices.
    for (vertices, rules) in [
        (66, rules(1, 1, 4)),
        (66, rules(1, 2, 1)),
        (65, rules(2, 1, 1)),
        (66, rules(1, 4, 4)),
    ] {
        let level = &wheel(vertices);
        let policy = Policy {
            level,
            rules,
            seed: 5,
            chases: true,
        };
        for cops_are_bound in [false, true] {
            let response = if cops_are_bound {
                policy.best_response_of_robber()
            } else {
                policy.best_response_of_cops()
            };
            let values = ranked(&all(level, &response));
            // A cop of speed 4 reaches nearly every vertex in one turn, and a robber that knows
            // the cops' policy mostly escapes. There may be no longer captures in these cases.
            let least = if cops_are_bound || rules.cop_speed.steps() == 4 {
                1
            } else {
                2
            };
            let longer = |&value: &u32| value != NEVER && value >= least;
            assert!(values.iter().any(longer), "{rules:?}");
            assert!(
                slow_round(&policy, cops_are_bound, &values) == values,
                "{rules:?}"
            );
        }
    }
}

#[test]
fn responses_report_progress_and_can_be_stopped_anywhere() {
    #[derive(Debug, PartialEq)]
    enum Stop {
        Asked,
        Solve(SolveError),
    }
    impl From<SolveError> for Stop {
        fn from(error: SolveError) -> Self {
            Self::Solve(error)
        }
    }
    let level = wheel(40);
    let run = |last: usize, of_cops: bool| {
        let mut told: Vec<Progress> = Vec::new();
        let mut go_on = |at| {
            told.push(at);
            if told.len() > last {
                Err(Stop::Asked)
            } else {
                Ok(())
            }
        };
        let rules = rules(2, 1, 1);
        let response = if of_cops {
            let player = || |_: Vertex, _: &[Vertex], _: &mut [Vertex]| Ok(());
            best_response_to_cops(&level.arena, rules, LIMIT, player, &mut go_on)
        } else {
            let player = || |robber: Vertex, _: &[Vertex]| Ok(robber);
            best_response_to_robber(&level.arena, rules, LIMIT, player, &mut go_on)
        };
        (response.map(|_| ()), told)
    };
    for of_cops in [false, true] {
        let (done, told) = run(usize::MAX, of_cops);
        assert_eq!(done, Ok(()));
        let asked = told.iter().filter(|at| at.positions == 40 * 40 * 41 / 2);
        let asked = asked.inspect(|at| assert_eq!(at.turn, Turns(0))).count();
        assert!(asked > 10 && told.len() > asked + 1);
        assert!(told[..asked].is_sorted_by_key(|at| at.solved));
        for last in [0, asked / 2, asked, asked + 1] {
            let (stopped, told) = run(last, of_cops);
            assert_eq!((stopped, told.len()), (Err(Stop::Asked), last + 1));
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn responses_and_their_errors_do_not_depend_on_the_threads() {
    let level = wheel(70);
    let rules = rules(2, 1, 2);
    let policy = Policy {
        level: &level,
        rules,
        seed: 3,
        chases: true,
    };
    let found = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| {
            let stranger = level.vertices[35];
            // This move is legal only from some places.
            let wrong = to_robber(&level, rules, LIMIT, |_, _| stranger).map(|_| ());
            let responses = [
                policy.best_response_of_cops(),
                policy.best_response_of_robber(),
            ];
            (wrong, responses.map(|response| all(&level, &response)))
        })
    };
    let one = found(1);
    assert!(matches!(one.0, Err(SolveError::IllegalMove { .. })));
    assert!(one == found(2) && one == found(3));
}

// ---- optimal policies ----

/// The value of a position with the robber to move.
fn after(solution: &Solution, level: &PursuitLevel, robber: usize, cops: &[usize]) -> Outcome {
    if cops.contains(&robber) {
        return Outcome::Caught(Turns(0));
    }
    let steps = solution.rules().robber_speed.steps();
    let ends = robber_ends(&level.out, robber, cops, steps);
    let worths = ends
        .into_iter()
        .map(|end| value(solution, level, end, cops));
    worths.max().expect("waiting")
}

fn value(solution: &Solution, level: &PursuitLevel, robber: usize, cops: &[usize]) -> Outcome {
    let cops: Vec<Vertex> = cops.iter().map(|&cop| level.vertices[cop]).collect();
    let value = solution.value(level.vertices[robber], &cops);
    value.expect("a position")
}

fn assert_optimal(level: &PursuitLevel, rules: Rules) {
    let solution = level.solve(rules);
    // This policy only translates vertices to numbers.
    let none = Policy {
        level,
        rules,
        seed: 0,
        chases: false,
    };
    let robber = |robber, cops: &[Vertex]| {
        let (robber, cops, _) = none.numbers(robber, cops);
        let ends = robber_ends(&level.out, robber, &cops, rules.robber_speed.steps());
        let best = ends
            .into_iter()
            .max_by_key(|&end| value(&solution, level, end, &cops));
        level.vertices[best.expect("waiting")]
    };
    let response = to_robber(level, rules, LIMIT, robber).expect("legal");
    assert_eq!(all(level, &response), level.values(&solution));

    let cops = |robber, cops: &[Vertex], to: &mut [Vertex]| {
        let (robber, cops, order) = none.numbers(robber, cops);
        let joint = joint_moves(&level.out, &cops, rules.cop_speed.steps());
        let best = joint
            .iter()
            .min_by_key(|cops| after(&solution, level, robber, cops));
        for (cop, &after) in order.into_iter().zip(best.expect("waiting")) {
            to[cop] = level.vertices[after];
        }
    };
    let response = to_cops(level, rules, LIMIT, cops).expect("legal");
    assert_eq!(all(level, &response), level.values(&solution));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn nothing_beats_optimal_play(
        level in random_level(1..=8_usize, 3),
        cops in 1..=2_u8,
        cop_speed in 1..=2_u8,
    ) {
        assert_optimal(&level, rules(cops, cop_speed, 1));
    }

    #[test]
    fn nothing_beats_optimal_play_on_maps(map in random_map(6), moves in any_moves()) {
        assert_optimal(&PursuitLevel::of_map(&map, moves), rules(1, 2, 1));
    }
}

// ---- by hand ----

fn yard() -> PursuitLevel {
    let map = common::map(&["....", ".##.", "...."]);
    PursuitLevel::of_map(&map, Moves::Octile)
}

#[test]
fn cops_that_wait_capture_nobody() {
    let level = yard();
    for cops in 1..=2 {
        let rules = rules(cops, 2, 1);
        let response = to_cops(&level, rules, LIMIT, |_, _, _| {});
        let response = response.expect("waiting is legal");
        for (index, value) in all(&level, &response).into_iter().enumerate() {
            let n = level.out.len();
            let captured = (1..=cops).any(|cop| index / n.pow(cop.into()) % n == index % n);
            assert_eq!(value, captured.then_some(0));
        }
    }
}

#[test]
fn a_policy_is_asked_once_for_each_position_and_all_its_cops_in_order() {
    let level = yard();
    let n = level.out.len();
    let asked = AtomicUsize::new(0);
    let note = |robber: Vertex, cops: &[Vertex]| {
        assert!(!cops.contains(&robber), "captured");
        assert!(cops.is_sorted_by_key(|&cop| level.arena.place(cop)));
        asked.fetch_add(1, Ordering::Relaxed);
    };
    let policy = |robber, cops: &[Vertex]| {
        note(robber, cops);
        robber
    };
    to_robber(&level, rules(2, 1, 1), LIMIT, policy).expect("legal");
    assert_eq!(asked.swap(0, Ordering::Relaxed), n * (n - 1) * n / 2);
    let policy = |robber, cops: &[Vertex], _: &mut [Vertex]| note(robber, cops);
    to_cops(&level, rules(2, 1, 1), LIMIT, policy).expect("legal");
    assert_eq!(asked.load(Ordering::Relaxed), n * (n - 1) * n / 2);
}

#[test]
fn illegal_answers_are_errors() {
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4)];
    let path = PursuitLevel::of_arcs(5, &edges, true);
    let at = |number: usize| path.vertices[number];
    // The robber moves from vertex `from` to vertex `to`, and waits on every other vertex.
    let robber = |from: usize, to: usize, speed| {
        let policy =
            |robber: Vertex, _: &[Vertex]| if robber == at(from) { at(to) } else { robber };
        to_robber(&path, rules(1, 1, speed), LIMIT, policy).map(|_| ())
    };
    assert_eq!(robber(2, 3, 1), Ok(()), "onto a cop, too");
    let error = |from, to| Err(SolveError::IllegalMove { from, to });
    assert_eq!(robber(2, 4, 1), error(2, 4), "too far");
    assert_eq!(robber(2, 4, 2), error(2, 4), "past a cop");
    let cop = |from: usize, to: usize, speed| {
        let policy = |_, _: &[Vertex], cops: &mut [Vertex]| {
            for cop in cops.iter_mut().filter(|cop| **cop == at(from)) {
                *cop = at(to);
            }
        };
        to_cops(&path, rules(2, speed, 1), LIMIT, policy).map(|_| ())
    };
    assert_eq!(cop(2, 4, 1), error(2, 4));
    assert_eq!(cop(2, 4, 2), Ok(()), "cops may pass the robber");
    let stranger = PursuitLevel::of_arcs(9, &[], true).vertices[8];
    let policy = |_, _: &[Vertex]| stranger;
    let strange = to_robber(&path, rules(1, 1, 1), LIMIT, policy);
    assert_eq!(strange.map(|_| ()), error(0, 8), "no vertex of the graph");
}

#[test]
fn memory_is_asked_for_first() {
    let level = yard();
    let refused = |limit| {
        let policy = |robber, _: &[Vertex]| robber;
        to_robber(&level, rules(2, 1, 1), limit, policy).map(|_| ())
    };
    let Err(SolveError::TooLarge { needed, limit, .. }) = refused(100) else {
        panic!("10 vertices and two cops in 100 bytes");
    };
    assert_eq!(limit, 100);
    assert!(needed > 550 * 2);
    assert_eq!(refused(needed), Ok(()));
    assert!(refused(needed - 1).is_err());
    let waiting = |limit| to_cops(&level, rules(2, 1, 1), limit, |_, _, _| {}).map(|_| ());
    let Err(SolveError::TooLarge { needed, .. }) = waiting(100) else {
        panic!("10 vertices and two cops in 100 bytes");
    };
    assert!(waiting(needed - 1).is_err());
    assert_eq!(waiting(needed), Ok(()));
}

#[test]
fn nobody_is_no_trouble() {
    let nobody = PursuitLevel::of_arcs(0, &[], true);
    let policy = |robber, _: &[Vertex]| robber;
    let response = to_robber(&nobody, rules(2, 1, 1), LIMIT, policy);
    let stranger = PursuitLevel::of_arcs(1, &[], true).vertices[0];
    let value = response.map(|response| response.value(stranger, &[stranger; 2]));
    assert_eq!(value, Ok(None));
    let crowd = PursuitLevel::of_arcs(1, &[], true);
    let response = to_cops(&crowd, rules(255, 1, 1), LIMIT, |_, _, _| {});
    let value = response.map(|response| response.value(stranger, &[stranger; 255]));
    assert_eq!(value, Ok(Some(Outcome::Caught(Turns(0)))));
}
