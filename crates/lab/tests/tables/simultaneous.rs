//! The game with simultaneous moves: against plain iteration with linear programs, and as files.

use crate::common::fixpoint::SlowGame;
use crate::common::{map, random_map};
use microlp::{ComparisonOp, OptimizationDirection, Problem};
use proptest::prelude::*;
use pursuit_engine::game::{Agent, Rules, Side, Speed, State};
use pursuit_engine::graph::{Digraph, Graph};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::solve::simultaneous::{
    MixedPlayer, MixedSolution, MixedTable, SimultaneousSolver,
};
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_lab::graph::graph6;
use std::num::NonZeroU8;
use std::sync::Arc;

const LIMIT: u64 = 1 << 30;

pub(super) fn rules(cops: u8, cop_speed: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("some"),
        cop_speed: Speed::new(cop_speed).expect("some"),
        ..Rules::default()
    }
}

fn alternating(arena: Arena, rules: Rules) -> Solution {
    let mut solver = Solver::new(arena.into(), rules, LIMIT).expect("small");
    solver.run(|_| true);
    solver.finish().expect("it ran to the end")
}

pub(super) fn solved(arena: Arena, rules: Rules, tolerance: f64) -> MixedSolution {
    let table = alternating(arena, rules);
    let mut solver = SimultaneousSolver::new(&table, tolerance, LIMIT).expect("small");
    solver.run(|_| true);
    solver.finish().expect("it ran to the end")
}

fn grid(side: u16) -> Graph {
    let map = TileMap::filled(side, side, Terrain::Floor).expect("some cells");
    Graph::new(&map, Moves::Octile)
}

/// The game by its definition, position by position.
pub(super) struct Slow {
    out: Vec<Vec<usize>>,
    cops: usize,
    cop_speed: u8,
}

impl Slow {
    pub(super) fn new(graph: &Digraph, rules: Rules) -> Self {
        let successors = |vertex| graph.successors(vertex).iter().map(|next| next.index());
        Self {
            out: graph
                .iter()
                .map(|vertex| successors(vertex).collect())
                .collect(),
            cops: rules.cops.get().into(),
            cop_speed: rules.cop_speed.steps(),
        }
    }

    pub(super) fn ball(&self, from: usize, speed: u8) -> Vec<usize> {
        let mut ball = vec![from];
        for _ in 0..speed {
            let steps = ball.iter().flat_map(|&at| self.out[at].iter().copied());
            let mut next: Vec<usize> = steps.chain(ball.iter().copied()).collect();
            next.sort_unstable();
            next.dedup();
            ball = next;
        }
        ball
    }

    pub(super) fn positions(&self) -> usize {
        self.out.len().pow(self.cops as u32 + 1)
    }

    /// The robber and the cops, in any order.
    pub(super) fn split(&self, index: usize) -> (usize, Vec<usize>) {
        let n = self.out.len();
        let digits = (1..=self.cops).map(|cop| index / n.pow(cop as u32) % n);
        (index % n, digits.collect())
    }

    fn index(&self, robber: usize, cops: &[usize]) -> usize {
        cops.iter()
            .rev()
            .fold(0, |index, cop| index * self.out.len() + cop)
            * self.out.len()
            + robber
    }

    /// A turn's matrix game: by moves of the robber, then joint moves of the cops, the next position; `None` for a capture.
    pub(super) fn turn(&self, index: usize) -> Vec<Vec<Option<usize>>> {
        let (robber, cops) = self.split(index);
        let mut joint = vec![Vec::new()];
        for &cop in &cops {
            let ball = self.ball(cop, self.cop_speed);
            let extended = joint.iter().flat_map(|goals: &Vec<usize>| {
                ball.iter().map(|&goal| [&goals[..], &[goal]].concat())
            });
            joint = extended.collect();
        }
        let row = |to: usize| {
            joint
                .iter()
                .map(move |goals| (to, goals))
                .collect::<Vec<_>>()
        };
        let rows = self.ball(robber, 1).into_iter().map(row);
        rows.map(|row| {
            let next = row.into_iter().map(|(to, goals)| {
                let exchange = cops.iter().zip(goals).any(|(&cop, &goal)| {
                    let edge = self.out[cop].contains(&robber) && self.out[robber].contains(&cop);
                    cop == to && goal == robber && edge
                });
                (!goals.contains(&to) && !exchange).then(|| self.index(to, goals))
            });
            next.collect()
        })
        .collect()
    }

    /// Plain value iteration from 0: lower bounds that approach the values.
    fn iterate(&self, sweeps: usize) -> Vec<f64> {
        let turns: Vec<_> = (0..self.positions())
            .map(|index| self.turn(index))
            .collect();
        let mut values = vec![0.0; self.positions()];
        for _ in 0..sweeps {
            let next = (0..self.positions()).map(|index| {
                let (robber, cops) = self.split(index);
                if cops.contains(&robber) {
                    0.0
                } else {
                    1.0 + game_value(&turns[index], &values)
                }
            });
            values = next.collect();
        }
        values
    }
}

fn game_value(turn: &[Vec<Option<usize>>], values: &[f64]) -> f64 {
    let mut program = Problem::new(OptimizationDirection::Maximize);
    let value = program.add_var(1.0, (0.0, f64::INFINITY));
    let shares: Vec<_> = turn
        .iter()
        .map(|_| program.add_var(0.0, (0.0, 1.0)))
        .collect();
    let sum: Vec<_> = shares.iter().map(|&share| (share, 1.0)).collect();
    program.add_constraint(&sum[..], ComparisonOp::Eq, 1.0);
    for (column, _) in turn[0].iter().enumerate() {
        let payoff = |row: usize| turn[row][column].map_or(0.0, |next| values[next]);
        let mut terms: Vec<_> = shares
            .iter()
            .enumerate()
            .map(|(row, &share)| (share, payoff(row)))
            .collect();
        terms.push((value, -1.0));
        program.add_constraint(&terms[..], ComparisonOp::Ge, 0.0);
    }
    let found = program.solve().expect("a program").into_solution();
    found.expect("a game has a value").objective()
}

/// Compares all bounds with plain iteration.
fn expect_bounds(graph: &Digraph, rules: Rules, sweeps: usize) {
    let solution = solved(Arena::of_digraph(graph), rules, 1e-6);
    let slow = Slow::new(graph, rules);
    let values = slow.iterate(sweeps);
    for (index, value) in values.into_iter().enumerate() {
        let (robber, mut cops) = slow.split(index);
        let bounds = solution.value_at(robber, &mut cops).expect("a position");
        assert!(bounds.lower <= bounds.upper);
        // Iteration from 0 stays below.
        assert!(
            value <= bounds.upper + 1e-6,
            "{robber} {cops:?}: {value} {bounds:?}"
        );
        if bounds.upper.is_finite() {
            assert!(bounds.upper - bounds.lower <= 1e-6);
            assert!(
                value >= bounds.lower - 1e-3,
                "{robber} {cops:?}: {value} {bounds:?}"
            );
        } else {
            assert!(bounds.lower.is_infinite());
            assert!(value > 0.2 * sweeps as f64, "{robber} {cops:?}: {value}");
        }
    }
}

pub(super) fn digraph(edges: &[(u32, u32)], vertices: u32) -> Digraph {
    Digraph::undirected(vertices, edges).expect("edges")
}

#[test]
fn bounds_enclose_what_plain_iteration_approaches() {
    let path: Vec<(u32, u32)> = (0..4).map(|a| (a, a + 1)).collect();
    expect_bounds(&digraph(&path, 5), rules(1, 1), 100);
    let star = [(0, 1), (0, 2), (0, 3), (3, 4)];
    expect_bounds(&digraph(&star, 5), rules(1, 1), 300);
    let (square, _) = Digraph::of_map(&grid(2));
    expect_bounds(&square, rules(1, 1), 100);
    let (room, _) = Digraph::of_map(&Graph::new(&map(&["...", "..."]), Moves::Octile));
    expect_bounds(&room, rules(1, 1), 250);
    expect_bounds(&room, rules(1, 2), 100);
    // Two cops on a cycle of four, one cop on the same: infinite but for captures.
    let cycle = digraph(&[(0, 1), (1, 2), (2, 3), (3, 0)], 4);
    expect_bounds(&cycle, rules(2, 1), 100);
    expect_bounds(&cycle, rules(1, 1), 60);
    expect_bounds(&cycle, rules(1, 2), 100);
}

#[test]
fn a_fork_that_a_cop_has_to_guess_at_is_infinite_though_it_alternates_to_a_capture() {
    // The vertices 0, 1, 2 and 3 with all edges but that of 1 and 2, between which a long path leads around.
    let edges = [
        (0, 1),
        (0, 2),
        (0, 3),
        (3, 1),
        (3, 2),
        (1, 4),
        (4, 5),
        (5, 6),
        (6, 7),
        (7, 2),
    ];
    let graph = digraph(&edges, 8);
    let out = Slow::new(&graph, rules(1, 1)).out;
    let slow = SlowGame {
        out: &out,
        cops: 1,
        cop_speed: 1,
        robber_speed: 1,
    };
    let captured = slow.solve_robber_to_move();
    assert_eq!(captured[slow.index(0, &[3])], Some(1));
    let solution = solved(Arena::of_digraph(&graph), rules(1, 1), 0.01);
    assert!(
        solution
            .value_at(0, &mut [3])
            .expect("a position")
            .lower
            .is_infinite()
    );
}

/// Where the robber escapes if it is to move, it escapes here; where the cops win from everywhere, all values are finite.
#[test]
fn values_are_finite_as_the_alternating_game_says() {
    let list = include_str!("../../../testkit/data/connected_up_to_6.g6");
    let mut differences = 0;
    for line in list.lines() {
        let graph = graph6::parse(line).expect("a graph");
        for cops in 1..=2 {
            let rules = rules(cops, 1);
            let solution = solved(Arena::of_digraph(&graph), rules, 0.01);
            let slow = Slow::new(&graph, rules);
            let game = SlowGame {
                out: &slow.out,
                cops: cops.into(),
                cop_speed: 1,
                robber_speed: 1,
            };
            let captured = game.solve_robber_to_move();
            for (index, captured) in captured.iter().enumerate() {
                let (robber, mut cops) = slow.split(index);
                if cops.contains(&robber) {
                    continue;
                }
                let is_finite = solution
                    .value_at(robber, &mut cops)
                    .expect("a position")
                    .upper
                    .is_finite();
                assert!(captured.is_some() || !is_finite, "{line} {robber} {cops:?}");
                differences += usize::from(captured.is_some() && !is_finite);
            }
            if captured.iter().all(Option::is_some) {
                assert_eq!(solution.infinite(), 0, "{line}");
            }
        }
    }
    // With so few vertices a wrong guess rarely loses for good.
    assert!(differences < 2_000, "{differences}");
}

#[test]
fn the_grid_of_the_thesis_has_its_value() {
    let graph = grid(5);
    let solution = solved(Arena::of_map(&graph), rules(1, 1), 0.01);
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let bounds = solution.value(at(1, 1), &[at(3, 3)]).expect("a position");
    assert!(
        bounds.lower > 21.0 && bounds.upper - bounds.lower <= 0.01,
        "{bounds:?}"
    );
    // Symmetric positions have the same value.
    for (robber, cop) in [((3, 3), (1, 1)), ((1, 3), (3, 1))] {
        let other = solution.value(at(robber.0, robber.1), &[at(cop.0, cop.1)]);
        assert_eq!(other, Some(bounds));
    }
    assert_eq!(solution.distinct_positions(), 91);
}

#[test]
fn sliced_is_unsliced_and_parallel_is_serial() {
    let graph = grid(5);
    let table = alternating(Arena::of_map(&graph), rules(1, 1));
    let whole = solved(Arena::of_map(&graph), rules(1, 1), 0.001);
    let exploitability = whole.exploitability(|| true).expect("to the end");
    let whole = MixedTable::of(&whole, exploitability);
    for slice in [1, 7, 64, 1_000] {
        let mut solver = SimultaneousSolver::new(&table, 0.001, LIMIT).expect("small");
        while !solver.advance(slice).done {}
        let solution = solver.finish().expect("done");
        let exploitability = solution.exploitability(|| true).expect("to the end");
        assert_eq!(
            MixedTable::of(&solution, exploitability).bytes(),
            whole.bytes()
        );
    }
    // The same with and without the feature `parallel`, and on every machine.
    assert_eq!(crc32fast::hash(whole.bytes()), 0x187c_5249);
    assert!(
        exploitability.cops <= 0.01 && exploitability.robber <= 0.01,
        "{exploitability:?}"
    );
}

/// Here, the robber survives any number of turns with a strategy made for it, but none stays free for ever.
#[test]
fn a_robber_without_an_optimal_strategy_is_exploitable() {
    let rows = ["..@.", "....", "@.@.", "...."];
    let text = format!("type octile\nheight 4\nwidth 4\nmap\n{}\n", rows.join("\n"));
    let map = TileMap::parse(&text).expect("a map");
    let graph = Graph::new(&map, Moves::Octile);
    let solution = solved(Arena::of_map(&graph), rules(1, 1), 0.01);
    let exploitability = solution.exploitability(|| true).expect("to the end");
    assert_eq!(solution.infinite(), 150);
    assert!(
        exploitability.cops <= 0.01 && exploitability.robber >= 1.0,
        "{exploitability:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn tables_come_back_and_verify(level in random_map(4), cop_speed in 1_u8..3) {
        let graph = Graph::new(&level, Moves::Octile);
        let rules = rules(1, cop_speed);
        let solution = solved(Arena::of_map(&graph), rules, 0.01);
        let exploitability = solution.exploitability(|| true).expect("to the end");
        prop_assert!(exploitability.cops <= 0.01);
        // On few maps, each strategy of the robber is caught in the end from some position of infinite value: see
        // `a_robber_without_an_optimal_strategy_is_exploitable`.
        let robber = exploitability.robber;
        prop_assert!(robber <= 0.01 || robber >= 1.0 && solution.infinite() > 0);
        let made = MixedTable::of(&solution, exploitability);
        let table = MixedTable::from_bytes(made.bytes().clone()).expect("its own bytes");
        for foreign in [table.places(), usize::MAX] {
            prop_assert_eq!(table.value_at(foreign, &[0]), None);
            prop_assert_eq!(table.strategies_at(0, &[foreign]), None);
        }
        let arena = Arc::new(Arena::of_map(&graph));
        let found = table.verify(arena.clone(), LIMIT, |_| true);
        let found = found.expect("of this map").expect("to the end");
        prop_assert!(found.is_right(), "{found:?}");
        for robber in 0..arena.places() {
            for cop in 0..arena.places() {
                prop_assert_eq!(table.value_at(robber, &[cop]), solution.value_at(robber, &mut [cop]));
                let played = table.strategies_at(robber, &[cop]).expect("a position");
                let shares: f64 = played.robber.iter().map(|&(_, share)| share).sum();
                let expected = if robber == cop { 0.0 } else { 1.0 };
                prop_assert!((shares - expected).abs() < f64::EPSILON);
                let shares: f64 = played.cops.iter().map(|&(_, share)| share).sum();
                let is_finite = table.value_at(robber, &[cop]).expect("it").upper.is_finite();
                let expected = if robber != cop && is_finite { 1.0 } else { 0.0 };
                prop_assert!((shares - expected).abs() < f64::EPSILON);
            }
        }
    }
}

fn small_table() -> (Graph, MixedTable) {
    let graph = grid(3);
    let solution = solved(Arena::of_map(&graph), rules(1, 1), 0.01);
    let exploitability = solution.exploitability(|| true).expect("to the end");
    (graph, MixedTable::of(&solution, exploitability))
}

#[test]
fn damaged_files_are_refused() {
    let (_, table) = small_table();
    for (at, &byte) in table.bytes().iter().enumerate() {
        let mut damaged = table.bytes().to_vec();
        damaged[at] = byte ^ 1 << (at % 8);
        assert!(MixedTable::from_bytes(damaged.into()).is_err(), "byte {at}");
    }
    for length in (0..table.bytes().len()).step_by(7) {
        assert!(
            MixedTable::from_bytes(table.bytes()[..length].into()).is_err(),
            "{length}"
        );
    }
    let error = MixedTable::from_bytes(b"\x89PTAB\r\n\x1a"[..].into()).expect_err("another kind");
    assert!(error.to_string().contains("mixed strategies"), "{error}");
}

/// A file whose checksums are right, with other bytes at an offset.
fn forged(table: &MixedTable, offset: usize, bytes: &[u8]) -> Arc<[u8]> {
    let mut forged = table.bytes().to_vec();
    forged[offset..offset + bytes.len()].copy_from_slice(bytes);
    for section in 0..4 {
        let entry = 76 + 24 * section;
        let number = |at: usize| {
            u64::from_le_bytes(*forged[at..].first_chunk().expect("it has a header")) as usize
        };
        let start = number(entry + 8).min(forged.len());
        let end = start.saturating_add(number(entry + 16)).min(forged.len());
        let checksum = crc32fast::hash(&forged[start..end]).to_le_bytes();
        forged[entry + 4..entry + 8].copy_from_slice(&checksum);
    }
    let checksum = crc32fast::hash(&forged[..172]).to_le_bytes();
    forged[172..176].copy_from_slice(&checksum);
    forged.into()
}

#[test]
fn forged_files_are_refused_or_fail_verification() {
    let (graph, table) = small_table();
    // Numbers of places and cops that the file is too short for.
    for (offset, bytes) in [
        (32, &[255, 255, 0, 0][..]),
        (11, &[200]),
        (32, &[0, 0, 1, 0]),
        (11, &[0]),
    ] {
        assert!(
            MixedTable::from_bytes(forged(&table, offset, bytes)).is_err(),
            "{offset}"
        );
    }
    let values = 176 + 4 * 9;
    // A captured robber that is said to be free counts once.
    let captured = forged(&table, values, &1.5_f64.to_le_bytes());
    let captured = MixedTable::from_bytes(captured).expect("well formed");
    let found = captured.verify(Arena::of_map(&graph).into(), LIMIT, |_| true);
    let found = found.expect("of this map").expect("to the end");
    assert_eq!((found.malformed, found.first), (1, Some((0, 0))));
    // A value, and a share.
    let middle = values + 8 * 40;
    let end = table.bytes().len();
    for (offset, bytes) in [
        (middle + 8, 1.5_f64.to_le_bytes().to_vec()),
        (end - 40, vec![77; 8]),
    ] {
        let forged = MixedTable::from_bytes(forged(&table, offset, &bytes)).expect("well formed");
        let found = forged.verify(Arena::of_map(&graph).into(), LIMIT, |_| true);
        assert!(
            !found.expect("of this map").expect("to the end").is_right(),
            "{offset}"
        );
        for robber in 0..9 {
            for cop in 0..9 {
                let _ = forged.strategies_at(robber, &[cop]);
            }
        }
    }
}

#[test]
fn a_player_draws_legal_moves_with_their_probabilities() {
    let (graph, table) = small_table();
    let table = Arc::new(table);
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let agent = |at| Agent {
        at,
        speed: Speed::ONE,
    };
    let (robber, cops) = (agent(at(0, 0)), [agent(at(2, 2))]);
    let state = State {
        robber,
        cops: &cops,
        to_move: Side::Cops,
    };
    let arena = Arena::of_map(&graph);
    let place = |vertex| arena.place(vertex).expect("a place");
    let played = table
        .strategies_at(place(robber.at), &[place(cops[0].at)])
        .expect("a position");
    let mut player = MixedPlayer::new(table.clone(), &graph, 7).expect("of this map");
    let mut again = player.clone();
    let rounds = 4_000;
    let mut counts = vec![0_u32; played.robber.len()];
    for _ in 0..rounds {
        let goal = player.robber_goal(&state).expect("a move");
        assert_eq!(again.robber_goal(&state), Some(goal));
        let index = played.robber.iter().position(|&(to, _)| to == place(goal));
        counts[index.expect("a move of the strategy")] += 1;
        let goals = player.cop_goals(&state).expect("a move");
        assert_eq!(again.cop_goals(&state), Some(goals.clone()));
        assert!(goals[0] == cops[0].at || graph.are_adjacent(cops[0].at, goals[0]));
    }
    for (count, (_, share)) in counts.iter().zip(&played.robber) {
        assert!((f64::from(*count) / f64::from(rounds) - share).abs() < 0.05);
    }
    let other = Graph::new(&map(&["....", "...."]), Moves::Octile);
    assert!(MixedPlayer::new(table, &other, 7).is_err());
}

#[test]
fn what_does_not_fit_is_refused() {
    let table = alternating(Arena::of_map(&grid(8)), rules(1, 1));
    assert!(SimultaneousSolver::new(&table, 0.01, 10_000).is_err());
}

#[test]
fn maps_of_one_cell_and_of_parts_are_solved() {
    for rows in [&["."][..], &[".@."], &["..@.", "..@."]] {
        let graph = Graph::new(&map(rows), Moves::Octile);
        let solution = solved(Arena::of_map(&graph), rules(1, 1), 0.01);
        let parts = Digraph::of_map(&graph).0.components();
        let n = graph.vertices();
        let apart = n * n - parts.iter().map(|part| part.len().pow(2)).sum::<usize>();
        assert_eq!(solution.infinite(), apart);
    }
}

/// Whole steps to the expected times of the present strategies lead to values of 10^8 and 10^50 turns here.
#[test]
fn grids_on_which_whole_steps_lead_astray_take_few_sweeps() {
    let corner = |side: usize| {
        let mut rows = vec![".".repeat(side); side];
        rows[0].replace_range(1..2, "@");
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        Graph::new(&map(&rows), Moves::Octile)
    };
    for (graph, least) in [
        (grid(11), 193.897),
        (corner(10), 141.973),
        (corner(11), 100.0),
    ] {
        let table = alternating(Arena::of_map(&graph), rules(1, 1));
        let mut solver = SimultaneousSolver::new(&table, 0.01, LIMIT).expect("small");
        solver.run(|at| at.sweeps < 200);
        let progress = solver.progress();
        assert!(progress.done, "{progress:?}");
        let solution = solver.finish().expect("it is done");
        let longest = solution.longest();
        assert!(
            longest.upper > least && longest.lower < 10.0 * least,
            "{longest:?}"
        );
    }
}

#[test]
fn bounds_that_rounding_does_not_allow_take_no_sweeps_without_end() {
    let table = alternating(Arena::of_map(&grid(11)), rules(1, 1));
    for tolerance in [0.0, f64::NAN, f64::MIN_POSITIVE] {
        let mut solver = SimultaneousSolver::new(&table, tolerance, LIMIT).expect("small");
        solver.run(|at| at.sweeps < 20_000);
        let progress = solver.progress();
        assert!(progress.done && progress.width < 1e-5, "{progress:?}");
    }
}
