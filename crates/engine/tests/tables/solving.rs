//! Tests of tables against the slow game on all positions, and of properties that every table has.

use crate::common;
use crate::common::level;
use common::fixpoint::SlowGame;
use common::{any_moves, random_map};
use level::{LIMIT, PursuitLevel, by_rounds, narrow_map, random_level, rules};
use proptest::prelude::*;
use pursuit_engine::game::{Outcome, Rules, Turns};
use pursuit_engine::graph::{Digraph, Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::table::{Arena, Estimate, MAX_VERTICES, Solution, SolveError, Solver};
use std::sync::Arc;

fn slow(out: &[Vec<usize>], rules: Rules) -> Vec<Option<u32>> {
    let game = SlowGame {
        out,
        cops: rules.cops.get().into(),
        cop_speed: rules.cop_speed.steps(),
        robber_speed: rules.robber_speed.steps(),
    };
    game.solve()
}

/// Compares all values, and what the solution says about them as a whole.
fn assert_solved(level: &PursuitLevel, rules: Rules, expected: &[Option<u32>]) {
    let solution = level.solve(rules);
    let values = level.values(&solution);
    if let Some(index) = (0..expected.len()).find(|&index| values[index] != expected[index]) {
        let (found, expected) = (values[index], expected[index]);
        let n = level.out.len();
        let place = |agent| index / n.pow(agent) % n;
        let places: Vec<usize> = (0..=rules.cops.get().into()).map(place).collect();
        panic!(
            "{found:?}, expected {expected:?}, robber and cops {places:?}, {rules:?}, {:?}",
            level.out
        );
    }
    assert_eq!(values.len(), expected.len());
    assert_summary(&solution, expected);
}

fn assert_summary(solution: &Solution, values: &[Option<u32>]) {
    let longest = values.iter().flatten().max().copied().unwrap_or(0);
    let mut histogram = vec![0; longest as usize + 1];
    for &value in values.iter().flatten() {
        histogram[value as usize] += 1;
    }
    let escapes = values.iter().filter(|value| value.is_none()).count();
    assert_eq!(solution.histogram(), histogram);
    assert_eq!(u32::from(solution.longest().0), longest);
    assert_eq!(solution.escapes(), escapes as u64);
    assert_eq!(solution.positions(), values.len() as u64);
}

// ---- all small graphs ----

fn pairs(vertices: usize) -> Vec<(usize, usize)> {
    let column = |head| (0..head).map(move |tail| (tail, head));
    (0..vertices).flat_map(column).collect()
}

/// The pairs whose bits are set in `mask`.
fn chosen(pairs: &[(usize, usize)], mask: u64) -> Vec<(usize, usize)> {
    let bits = pairs.iter().enumerate();
    let bits = bits.filter(|(bit, _)| mask >> bit & 1 == 1);
    bits.map(|(_, &pair)| pair).collect()
}

#[test]
fn all_graphs_of_up_to_four_vertices() {
    for n in 0..=4 {
        let pairs = pairs(n);
        for mask in 0..1_u64 << pairs.len() {
            let level = PursuitLevel::of_arcs(n, &chosen(&pairs, mask), true);
            for cops in 1..=3 {
                for (cop_speed, robber_speed) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
                    let rules = rules(cops, cop_speed, robber_speed);
                    assert_solved(&level, rules, &slow(&level.out, rules));
                }
            }
        }
    }
}

#[test]
fn all_graphs_of_five_vertices() {
    let pairs = pairs(5);
    for mask in 0..1_u64 << pairs.len() {
        let level = PursuitLevel::of_arcs(5, &chosen(&pairs, mask), true);
        for cops in 1..=2 {
            for (cop_speed, robber_speed) in [(1, 1), (2, 1), (1, 2)] {
                let rules = rules(cops, cop_speed, robber_speed);
                assert_solved(&level, rules, &slow(&level.out, rules));
            }
        }
    }
}

#[test]
fn all_directed_graphs_of_up_to_four_vertices() {
    for n in 2..=4_usize {
        let arcs: Vec<_> = (0..n * n).map(|code| (code / n, code % n)).collect();
        let arcs: Vec<_> = arcs.into_iter().filter(|(a, b)| a != b).collect();
        for mask in 0..1_u64 << arcs.len() {
            let level = PursuitLevel::of_arcs(n, &chosen(&arcs, mask), false);
            for (cops, robber_speed) in [(1, 1), (1, 2), (2, 1)] {
                let rules = rules(cops, 1, robber_speed);
                assert_solved(&level, rules, &slow(&level.out, rules));
            }
        }
    }
}

fn is_connected(out: &[Vec<usize>]) -> bool {
    let mut seen = vec![0];
    let mut next = 0;
    while next < seen.len() {
        for &near in &out[seen[next]] {
            if !seen.contains(&near) {
                seen.push(near);
            }
        }
        next += 1;
    }
    seen.len() == out.len()
}

/// All permutations of the numbers below `n`.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(n - 1);
    let longer = shorter.iter().flat_map(|order| {
        (0..n).map(|at| {
            let mut order = order.clone();
            order.insert(at, n - 1);
            order
        })
    });
    longer.collect()
}

#[test]
fn all_connected_graphs_of_six_vertices() {
    let pairs = pairs(6);
    let bit = |a: usize, b: usize| {
        let wanted = (a.min(b), a.max(b));
        pairs.iter().position(|&pair| pair == wanted).expect("pair")
    };
    // The image of each edge under each permutation of the vertices.
    let images: Vec<Vec<usize>> = orders(6)
        .iter()
        .map(|order| {
            pairs
                .iter()
                .map(|&(a, b)| bit(order[a], order[b]))
                .collect()
        })
        .collect();
    let image = |mask: u64, bits: &[usize]| {
        let set = bits
            .iter()
            .enumerate()
            .filter(|(bit, _)| mask >> bit & 1 == 1);
        set.fold(0, |all, (_, to)| all | 1_u64 << to)
    };
    let (mut labelled, mut unlabelled) = (0, 0);
    for mask in 0..1_u64 << pairs.len() {
        let level = PursuitLevel::of_arcs(6, &chosen(&pairs, mask), true);
        if !is_connected(&level.out) {
            continue;
        }
        labelled += 1;
        let one = rules(1, 1, 1);
        assert_solved(&level, one, &slow(&level.out, one));
        if images.iter().all(|bits| image(mask, bits) >= mask) {
            unlabelled += 1;
            for (cop_speed, robber_speed) in [(1, 1), (2, 1), (1, 2)] {
                let two = rules(2, cop_speed, robber_speed);
                assert_solved(&level, two, &slow(&level.out, two));
            }
        }
    }
    assert_eq!((labelled, unlabelled), (26_704, 112));
}

// ---- at random ----

fn speeds() -> impl Strategy<Value = (u8, u8)> {
    (1..=3_u8, 1..=2_u8)
}

fn assert_by_rounds(level: &PursuitLevel, rules: Rules) {
    assert_solved(level, rules, &by_rounds(&level.out, rules));
}

#[test]
fn a_slice_costs_about_its_budget() {
    // 2,500 places make 40 slabs of up to 2,500 words. A slice must not examine much more than one
    // slab.
    let room = TileMap::filled(50, 50, Terrain::Floor).expect("a room");
    let graph = Graph::new(&room, Moves::Octile);
    let arena = Arc::new(Arena::of_map(&graph));
    let mut solver = Solver::new(arena, Rules::default(), LIMIT).expect("memory");
    let mut slices = 0;
    while !solver.advance(1_000).done {
        slices += 1;
    }
    // Both halves of the work examine 40 slabs of 2,500 words, which change in at least some dozen
    // turns. A slice works on at most a few slabs.
    assert!(slices > 300, "{slices} slices");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rounds_are_the_slow_game(
        level in random_level(1..=6_usize, 3),
        cops in 1..=2_u8,
        (cop_speed, robber_speed) in speeds(),
    ) {
        let rules = rules(cops, cop_speed, robber_speed);
        prop_assert_eq!(by_rounds(&level.out, rules), slow(&level.out, rules));
    }

    #[test]
    fn small_maps(
        map in random_map(5),
        moves in any_moves(),
        cops in 1..=2_u8,
        (cop_speed, robber_speed) in speeds(),
    ) {
        assert_by_rounds(&PursuitLevel::of_map(&map, moves), rules(cops, cop_speed, robber_speed));
    }

    #[test]
    fn small_maps_and_three_cops(
        map in random_map(4),
        moves in any_moves(),
        (cop_speed, robber_speed) in speeds(),
    ) {
        assert_by_rounds(&PursuitLevel::of_map(&map, moves), rules(3, cop_speed, robber_speed));
    }

    #[test]
    fn directed_graphs(
        level in random_level(1..=12_usize, 4),
        cops in 1..=3_u8,
        (cop_speed, robber_speed) in speeds(),
    ) {
        assert_by_rounds(&level, rules(cops, cop_speed, robber_speed));
    }

    #[test]
    fn four_and_five_cops(
        level in random_level(1..=5_usize, 3),
        cops in 4..=5_u8,
        (cop_speed, robber_speed) in speeds(),
    ) {
        assert_by_rounds(&level, rules(cops, cop_speed, robber_speed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn one_cop_and_more_than_one_word(
        level in random_level(60..=200_usize, 4),
        (cop_speed, robber_speed) in speeds(),
    ) {
        assert_by_rounds(&level, rules(1, cop_speed, robber_speed));
    }

    #[test]
    fn one_cop_on_narrow_maps(
        map in narrow_map(200),
        moves in any_moves(),
        (cop_speed, robber_speed) in speeds(),
    ) {
        assert_by_rounds(&PursuitLevel::of_map(&map, moves), rules(1, cop_speed, robber_speed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn two_cops_and_more_than_one_word(
        level in prop_oneof![
            random_level(62..=66_usize, 4),
            random_level(67..=90_usize, 4),
            (narrow_map(80), any_moves()).prop_map(|(map, moves)| PursuitLevel::of_map(&map, moves)),
        ],
        (cop_speed, robber_speed) in speeds(),
    ) {
        assert_by_rounds(&level, rules(2, cop_speed, robber_speed));
    }
}

// ---- what holds for every table ----

/// Solves a game in slices, cycling through the given budgets.
fn solve_in_slices(level: &PursuitLevel, rules: Rules, budgets: &[usize]) -> Solution {
    let mut solver = level.solver(rules);
    let mut before = solver.progress();
    for &budget in budgets.iter().cycle() {
        let progress = solver.advance(budget);
        assert!(progress.solved >= before.solved && progress.turn >= before.turn);
        assert!(progress.solved <= progress.positions);
        before = progress;
        if progress.done {
            break;
        }
    }
    assert_eq!(solver.advance(usize::MAX), before, "done is done");
    solver.finish().expect("done")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn slices_make_no_difference(
        level in random_level(1..=70_usize, 3),
        cops in 1..=3_u8,
        speeds in speeds(),
        budgets in prop::collection::vec(
            prop_oneof![Just(1), 2..200_usize, 200..100_000_usize, Just(usize::MAX - 1)], 1..5),
    ) {
        let n = level.out.len();
        let cops = if n > 12 { cops.min(1 + u8::from(n < 30)) } else { cops };
        let rules = rules(cops, speeds.0, speeds.1);
        let (sliced, whole) = (solve_in_slices(&level, rules, &budgets), level.solve(rules));
        prop_assert_eq!(level.values(&sliced), level.values(&whole));
        prop_assert_eq!(sliced.histogram(), whole.histogram());
    }

    #[test]
    fn an_edited_map_is_solved_like_a_new_one(
        mut map in random_map(6),
        moves in any_moves(),
        edits in prop::collection::vec((0..6_u16, 0..6_u16, any::<bool>()), 1..30),
        cops in 1..=2_u8,
    ) {
        let mut graph = Graph::new(&map, moves);
        let mut doors = Vec::new();
        for (x, y, passable) in edits {
            let cell = Cell::new(x, y);
            map.set(cell, if passable { Terrain::Floor } else { Terrain::Wall });
            doors.push(TileEdit { cell, passable });
        }
        for door in doors.chunks(3) {
            graph.apply(door);
        }
        let fresh = Graph::new(&map, moves);
        let rules = rules(cops, 1, 1);
        let solve = |graph: &Graph| {
            let arena = Arc::new(Arena::of_map(graph));
            let mut solver = Solver::new(arena, rules, LIMIT).expect("small enough");
            solver.run(|_| true);
            solver.finish().expect("done")
        };
        let (edited_solution, fresh_solution) = (solve(&graph), solve(&fresh));
        prop_assert_eq!(edited_solution.arena().cells(), fresh_solution.arena().cells());
        let cells: Vec<Cell> = fresh.iter().map(|vertex| fresh.cell(vertex)).collect();
        let values = |graph: &Graph, solution: &Solution| {
            let vertex = |cell: &Cell| graph.vertex(*cell).expect("a vertex");
            let mut all = Vec::new();
            for robber in &cells {
                for one in &cells {
                    for two in &cells {
                        let both = [vertex(one), vertex(two)];
                        all.push(solution.value(vertex(robber), &both[..cops.into()]));
                    }
                }
            }
            all
        };
        prop_assert_eq!(values(&graph, &edited_solution), values(&fresh, &fresh_solution));
    }

    #[test]
    fn more_and_faster_cops_are_never_later(
        level in random_level(2..=9_usize, 3),
        cop_speed in 1..=2_u8,
        robber_speed in 1..=2_u8,
    ) {
        let solve = |cops, cop_speed| level.solve(rules(cops, cop_speed, robber_speed));
        let (one, two) = (solve(1, cop_speed), solve(2, cop_speed));
        let (fast, slow_robber) = (solve(1, cop_speed + 1), level.solve(rules(1, cop_speed, 1)));
        for &robber in &level.vertices {
            prop_assert_eq!(one.value(robber, &[robber]), Some(Outcome::Caught(Turns(0))));
            for &cop in &level.vertices {
                let value = one.value(robber, &[cop]);
                prop_assert!(fast.value(robber, &[cop]) <= value);
                prop_assert!(slow_robber.value(robber, &[cop]) <= value);
                for &other in &level.vertices {
                    prop_assert!(two.value(robber, &[cop, other]) <= value);
                    prop_assert!(two.value(robber, &[other, cop]) <= value);
                }
            }
        }
    }
}

#[test]
fn a_solver_that_is_stopped_goes_on_later_and_has_no_result_before() {
    let level = PursuitLevel::of_arcs(4, &[(0, 1), (1, 2), (2, 3)], true);
    let mut solver = level.solver(rules(2, 1, 1));
    let progress = solver.run(|_| false);
    assert!(!progress.done && progress.solved > 0);
    assert_eq!(progress.positions, 64);
    assert!(solver.finish().is_none());
    let mut solver = level.solver(rules(2, 1, 1));
    let mut passes = 0;
    while !solver.run(|_| false).done {
        passes += 1;
    }
    assert!(passes > 1);
    let whole = level.solve(rules(2, 1, 1));
    let stopped = solver.finish().expect("done");
    assert_eq!(level.values(&stopped), level.values(&whole));
}

#[test]
fn positions_that_are_none_have_no_value() {
    let level = PursuitLevel::of_arcs(3, &[(0, 1), (1, 2)], true);
    let other = PursuitLevel::of_arcs(5, &[], true);
    let [a, b, stranger] = [level.vertices[0], level.vertices[1], other.vertices[4]];
    let solution = level.solve(rules(2, 1, 1));
    assert_eq!(solution.value(a, &[b]), None, "one cop for two");
    assert_eq!(solution.value(a, &[b, b, b]), None);
    assert_eq!(solution.value(stranger, &[a, b]), None);
    assert_eq!(solution.value(a, &[stranger, b]), None);
    assert_eq!(solution.value(a, &[b, b]), Some(Outcome::Caught(Turns(1))));
}

// ---- what it takes ----

#[test]
fn an_estimate_counts_interchangeable_cops_once() {
    for n in [0, 1, 2, 64, 65, 1_000, MAX_VERTICES] {
        let states = |cops| Estimate::new(n, &rules(cops, 1, 1)).map(|e| e.states);
        let n = n as u128;
        assert_eq!(states(1), Ok(n * n));
        assert_eq!(states(2), Ok(n * n * (n + 1) / 2));
        if n < 2_000 {
            assert_eq!(states(3), Ok(n * n * (n + 1) * (n + 2) / 6));
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_with_the_figure() {
    let edges: Vec<_> = (1..100).map(|a| (a - 1, a)).collect();
    let level = PursuitLevel::of_arcs(100, &edges, true);
    for cops in 1..=3 {
        let rules = rules(cops, 2, 1);
        let needed = Estimate::new(100, &rules).expect("few vertices").bytes;
        let new = |limit| Solver::new(Arc::clone(&level.arena), rules, limit).map(|_| ());
        assert_eq!(new(needed), Ok(()));
        let limit = needed - 1;
        let vertices = 100;
        let refused = SolveError::TooLarge {
            vertices,
            cops,
            needed,
            limit,
        };
        assert_eq!(new(limit), Err(refused));
        assert!(refused.to_string().contains("100 vertices"), "{refused}");
    }
    assert!(
        Estimate::new(MAX_VERTICES, &rules(255, 1, 1)).is_err(),
        "overflows"
    );
    assert!(Estimate::new(usize::MAX, &rules(1, 1, 1)).is_err());
}

/// Each vertex has a neighbour on each of 60 boards of 64 vertices, where the estimate expects 36. What the agents reach
/// counts also at a speed of one step.
#[test]
fn what_slow_agents_reach_counts() {
    let vertices = 60 * 64_u32;
    let to = |from: u32, board: u32| (from + 64 * board) % vertices;
    let edges = (0..vertices).flat_map(|from| (1..60).map(move |board| (from, to(from, board))));
    let edges: Vec<_> = edges.collect();
    let graph = Digraph::directed(vertices, &edges).expect("a graph");
    let arena = Arc::new(Arena::of_digraph(&graph));
    let estimate = Estimate::new(vertices as usize, &rules(1, 1, 1)).expect("few vertices");
    let new = |limit| Solver::new(Arc::clone(&arena), rules(1, 1, 1), limit).map(|_| ());
    let Err(SolveError::TooLarge { needed, limit, .. }) = new(estimate.bytes) else {
        panic!("it takes more than the estimate");
    };
    assert_eq!((limit, needed > limit), (estimate.bytes, true));
    assert_eq!(new(needed), Ok(()));
}

#[test]
fn too_many_vertices_are_refused() {
    let vertices = MAX_VERTICES + 1;
    let graph = Digraph::directed(vertices as u32, &[]).expect("no edges");
    let arena = Arc::new(Arena::of_digraph(&graph));
    let refused = Solver::new(arena, rules(1, 1, 1), u64::MAX).map(|_| ());
    assert_eq!(refused, Err(SolveError::TooManyVertices { vertices }));
}

#[test]
fn a_map_without_vertices_is_solved_at_once() {
    for cops in [1, 2, 3, 255] {
        let level = PursuitLevel::of_arcs(0, &[], true);
        let mut solver = level.solver(rules(cops, 1, 2));
        assert!(solver.progress().done);
        assert!(solver.advance(7).done && solver.run(|_| false).done);
        let solution = solver.finish().expect("done");
        assert_eq!((solution.positions(), solution.escapes()), (0, 0));
        assert_eq!(solution.histogram(), [0]);
    }
}

#[test]
fn a_crowd_on_one_vertex() {
    let level = PursuitLevel::of_arcs(1, &[], true);
    let solution = level.solve(rules(255, 1, 1));
    let value = solution.value(level.vertices[0], &[level.vertices[0]; 255]);
    assert_eq!(value, Some(Outcome::Caught(Turns(0))));
    assert_eq!((solution.positions(), solution.escapes()), (1, 0));
}

// ---- the same on any number of threads ----

/// FNV-1a over all values, in the order of the oracle.
fn checksum(values: &[Option<u32>]) -> u64 {
    values.iter().fold(0xcbf2_9ce4_8422_2325, |hash, value| {
        let byte = value.map_or(255, u64::from);
        (hash ^ byte).wrapping_mul(0x0100_0000_01b3)
    })
}

// CI runs the tests with and without the feature `parallel`, so the same checksums hold for both.
#[test]
fn results_do_not_depend_on_threads() {
    let yard = common::map(&[
        ".................", //
        ".##.##.##.##.##..",
        ".##.##.##.##.##..",
        ".................",
        ".##.##.##.##.##..",
        ".................",
    ]);
    let level = PursuitLevel::of_map(&yard, Moves::Octile);
    assert!(level.out.len() > 64);
    for (rules, known) in [
        (rules(1, 2, 1), 0xe897_5f86_9994_f4fa),
        (rules(2, 1, 1), 0x6f7d_620d_d7c7_9c72),
    ] {
        let solution = level.values(&level.solve(rules));
        assert_eq!(checksum(&solution), known, "{rules:?}");
    }
}
