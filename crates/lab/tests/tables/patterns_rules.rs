//! Rules about captures: against the theory by brute force, against exact values, and as text.

use proptest::prelude::*;
use pursuit_engine::game::{Agent, Side, Speed, State};
use pursuit_engine::graph::{Digraph, Graph, Network, Vertex};
use pursuit_engine::map::{Moves, TileMap};
use pursuit_engine::patterns::rules::{Goal, Program, Theory};
use pursuit_lab::patterns::{Condition, Rule};
use pursuit_lab::search::Minimax;
use std::collections::BTreeMap;

use crate::common;
use common::fixpoint::SlowGame;

/// The theory by brute force: with at most `free` free vertices counted.
struct Plain<'a> {
    out: &'a [Vec<usize>],
    free: usize,
}

impl Plain<'_> {
    fn reaches(&self, cop: usize, to: usize) -> bool {
        cop == to || self.out[cop].contains(&to)
    }

    fn is_reached(&self, at: usize, cops: &[usize]) -> bool {
        cops.iter().any(|&cop| self.reaches(cop, at))
    }

    fn caught(&self, turns: u8, robber: usize, cops: &[usize]) -> bool {
        let ends = std::iter::once(robber).chain(self.out[robber].iter().copied());
        let free: Vec<usize> = ends.filter(|&end| !self.is_reached(end, cops)).collect();
        turns > 0 && free.len() <= self.free && free.iter().all(|&end| self.taken(turns, end, cops))
    }

    fn taken(&self, turns: u8, robber: usize, cops: &[usize]) -> bool {
        if turns == 0 || self.is_reached(robber, cops) {
            return turns > 0;
        }
        let mut all = vec![Vec::new()];
        for &cop in cops {
            let ends = || std::iter::once(cop).chain(self.out[cop].iter().copied());
            all = all
                .iter()
                .flat_map(|moved| ends().map(move |end| [moved.as_slice(), &[end]].concat()))
                .collect();
        }
        all.iter()
            .any(|moved| self.caught(turns - 1, robber, moved))
    }
}

fn graph_of(out: &[Vec<usize>]) -> Digraph {
    let arcs = out.iter().enumerate();
    let arcs =
        arcs.flat_map(|(tail, heads)| heads.iter().map(move |&head| (tail as u32, head as u32)));
    Digraph::directed(out.len() as u32, &arcs.collect::<Vec<_>>()).expect("vertices exist")
}

/// Every way to read a rule: the variables that satisfy its conditions, tried one after another.
fn applies(rule: &Rule, graph: &Digraph, robber: Vertex, cops: &[Vertex]) -> bool {
    let mut vars: BTreeMap<u16, Vertex> = BTreeMap::from([(0, robber)]);
    vars.extend((1..).zip(cops.iter().copied()));
    holds(&rule.conditions, graph, &vars)
}

fn holds(conditions: &[Condition], graph: &Digraph, vars: &BTreeMap<u16, Vertex>) -> bool {
    let Some((first, rest)) = conditions.split_first() else {
        return true;
    };
    let near = |a: Vertex, b: Vertex| graph.neighbours(a).contains(&b);
    let reaches = |team: &[u16], to: Vertex| {
        team.iter()
            .any(|cop| vars[cop] == to || near(vars[cop], to))
    };
    match first {
        Condition::Reached { robber, team } => {
            reaches(team, vars[robber]) && holds(rest, graph, vars)
        }
        Condition::Beside { a, b } => near(vars[a], vars[b]) && holds(rest, graph, vars),
        Condition::Step { from, to } => graph.neighbours(vars[from]).iter().any(|&end| {
            let mut vars = vars.clone();
            vars.insert(*to, end);
            holds(rest, graph, &vars)
        }),
        Condition::Free { robber, team, free } => {
            let ends = std::iter::once(&vars[robber]).chain(graph.neighbours(vars[robber]));
            let found: Vec<Vertex> = ends.copied().filter(|&end| !reaches(team, end)).collect();
            found.len() == free.len()
                && orders(&found).iter().any(|found| {
                    let mut vars = vars.clone();
                    vars.extend(free.iter().copied().zip(found.iter().copied()));
                    holds(rest, graph, &vars)
                })
        }
    }
}

/// All orders of up to three things.
fn orders(things: &[Vertex]) -> Vec<Vec<Vertex>> {
    if things.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &thing) in things.iter().enumerate() {
        let mut rest = things.to_vec();
        rest.remove(index);
        all.extend(
            orders(&rest)
                .into_iter()
                .map(|rest| [vec![thing], rest].concat()),
        );
    }
    all
}

/// Compares the program with the theory and with exact values, in all positions. Returns how often a
/// goal was reached.
fn check(out: &[Vec<usize>], cops: usize, free: u8, depth: u8) -> usize {
    let theory = Theory::new(cops as u8, free).expect("valid");
    let mut program = Program::new(theory, depth).expect("not too deep");
    let graph = graph_of(out);
    let plain = Plain {
        out,
        free: usize::from(free),
    };
    let game = SlowGame {
        out,
        cops,
        cop_speed: 1,
        robber_speed: 1,
    };
    let (taken, caught) = (game.solve(), game.solve_robber_to_move());
    let n = out.len();
    let vertex = |number: usize| graph.vertex(number as u32).expect("it exists");
    let position = |index: usize| {
        let cops: Vec<usize> = (0..cops)
            .map(|cop| index / n.pow(cop as u32 + 1) % n)
            .collect();
        (index % n, cops)
    };
    let mut reached = 0;
    for _ in 0..2 {
        for index in 0..taken.len() {
            let (robber, cops) = position(index);
            if cops.contains(&robber) {
                continue;
            }
            let places: Vec<Vertex> = cops.iter().map(|&cop| vertex(cop)).collect();
            for (goal, values) in [(Goal::Caught, &caught), (Goal::Taken, &taken)] {
                let found = program.turns(&graph, goal, vertex(robber), &places);
                let expected = (1..=depth).find(|&turns| match goal {
                    Goal::Caught => plain.caught(turns, robber, &cops),
                    Goal::Taken => plain.taken(turns, robber, &cops),
                });
                assert_eq!(found, expected, "{out:?} {robber} {cops:?} {goal:?}");
                if let Some(turns) = found {
                    reached += 1;
                    let value = values[index];
                    assert!(value.is_some_and(|value| value <= u32::from(turns)));
                }
            }
        }
        // Ordered by what was measured, the program says the same.
        let sample: Vec<(Vertex, Vec<Vertex>)> = (0..taken.len())
            .step_by(3)
            .map(position)
            .filter(|(robber, cops)| !cops.contains(robber))
            .map(|(robber, cops)| (vertex(robber), cops.into_iter().map(vertex).collect()))
            .collect();
        let sample = sample
            .iter()
            .map(|(robber, cops)| (*robber, cops.as_slice()));
        program.order_by(&graph, sample);
    }
    reached
}

fn lists(map: &TileMap, moves: Moves) -> Vec<Vec<usize>> {
    let (graph, _) = Digraph::of_map(&Graph::new(map, moves));
    let out = graph.iter().map(|vertex| graph.successors(vertex));
    out.map(|heads| heads.iter().map(|head| head.index()).collect())
        .collect()
}

#[test]
fn the_first_rules_are_those_of_a_textbook() {
    let theory = Theory::new(1, 2).expect("valid");
    let rules = |goal, turns| {
        let rules = Rule::of(&theory, goal, turns, 1000).expect("not too deep");
        rules.expect("not too many")
    };
    let caught = rules(Goal::Caught, 1);
    assert_eq!(caught.len(), 1);
    assert_eq!(
        caught[0].to_string(),
        "caught(1, R; C1) if\n    free(R; C1) = {}"
    );
    let taken: Vec<String> = rules(Goal::Taken, 1).iter().map(Rule::to_string).collect();
    assert_eq!(taken, ["taken(1, R; C1) if\n    R is reached by one of C1"]);
    let taken: Vec<String> = rules(Goal::Taken, 2).iter().map(Rule::to_string).collect();
    assert_eq!(
        taken,
        ["taken(2, R; C1) if\n    C1 moves to D1,\n    D1 is beside R,\n    free(R; D1) = {}"]
    );
    // One or two free vertices, each of which a cop can cover.
    let caught = rules(Goal::Caught, 2);
    assert_eq!(caught.len(), 2);
    assert_eq!(
        caught[0].lines(),
        [
            "free(R; C1) = {X1}",
            "C1 moves to D1",
            "D1 is beside X1",
            "free(X1; D1) = {}"
        ]
    );
    assert_eq!(
        Rule::of(&theory, Goal::Caught, 3, 5).expect("not too deep"),
        None
    );
}

#[test]
fn the_rules_that_are_listed_are_those_that_are_compiled() {
    let out = lists(&common::map(&["....", ".@..", "...@"]), Moves::Orthogonal);
    let graph = graph_of(&out);
    let vertices: Vec<Vertex> = graph.iter().collect();
    for (cops, depth) in [(1, 3), (2, 2)] {
        let theory = Theory::new(cops, 2).expect("valid");
        let program = Program::new(theory, depth).expect("not too deep");
        for goal in [Goal::Caught, Goal::Taken] {
            let rules: Vec<Rule> = (1..=depth)
                .flat_map(|turns| {
                    let rules = Rule::of(&theory, goal, turns, 10_000).expect("not too deep");
                    rules.expect("not too many")
                })
                .collect();
            for &robber in &vertices {
                for &first in vertices.iter().filter(|&&cop| cop != robber) {
                    let second = vertices[(first.index() + 2) % vertices.len()];
                    if second == robber {
                        continue;
                    }
                    let places = [first, second];
                    let places = &places[..usize::from(cops)];
                    let found = program.turns(&graph, goal, robber, places);
                    let applying = rules
                        .iter()
                        .filter(|rule| applies(rule, &graph, robber, places));
                    let expected = applying.map(|rule| rule.turns).min();
                    assert_eq!(found, expected, "{robber:?} {places:?} {goal:?}");
                }
            }
        }
    }
}

#[test]
fn deeper_rules_find_captures_in_corridors() {
    let out = lists(&common::map(&["......", "@@@@.@"]), Moves::Octile);
    assert!(check(&out, 1, 2, 4) > 20);
}

/// Minimax with and without knowledge, in all positions of a map: expansions of both.
fn searched(map: &TileMap, plies: u8) -> (u64, u64) {
    let graph = Graph::new(map, Moves::Octile);
    let theory = Theory::new(1, 2).expect("valid");
    let program = Program::new(theory, 2).expect("not too deep");
    let distance = |robber, cop: &Agent| graph.cell(robber).max_norm(graph.cell(cop.at));
    let known = |robber, cops: &[Agent], side| {
        let places: Vec<Vertex> = cops.iter().map(|cop| cop.at).collect();
        let turns = |goal| program.turns(&graph, goal, robber, &places).map(u32::from);
        match side {
            Side::Robber => turns(Goal::Caught).map(|turns| 2 * turns),
            Side::Cops => turns(Goal::Taken).map(|turns| 2 * turns - 1),
        }
    };
    let agent = |at| Agent {
        at,
        speed: Speed::ONE,
    };
    let (mut plain, mut knowing) = (Minimax::new(), Minimax::new());
    let mut sums = (0, 0);
    for robber in graph.iter() {
        for cop in graph.iter().filter(|&cop| cop != robber) {
            let state = State {
                robber: agent(robber),
                cops: &[agent(cop)],
                to_move: Side::Robber,
            };
            let value = plain.solve(&graph, &state, plies, distance);
            let same = knowing.solve_knowing(&graph, &state, plies, distance, known);
            assert_eq!(same, value, "{robber:?} {cop:?}");
            sums = (
                sums.0 + plain.work().expansions,
                sums.1 + knowing.work().expansions,
            );
        }
    }
    sums
}

#[test]
fn minimax_finds_the_same_values_with_knowledge_and_expands_less() {
    for rows in [
        &["....", ".@..", "...@", "@..."][..],
        &["......", "@@.@@.", "......"],
    ] {
        for plies in [1, 4, 6] {
            let (plain, knowing) = searched(&common::map(rows), plies);
            assert!(knowing < plain, "{knowing} of {plain} with {plies} plies");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rules_say_what_the_theory_says(
        map in common::random_map(4),
        moves in common::square_moves(),
        free in 0..=3_u8,
        depth in 1..=3_u8,
    ) {
        check(&lists(&map, moves), 1, free, depth);
    }

    #[test]
    fn rules_for_two_cops_say_what_the_theory_says(map in common::random_map(3), moves in common::square_moves()) {
        check(&lists(&map, moves), 2, 2, 2);
    }

    #[test]
    fn rules_hold_on_directed_graphs(arcs in prop::collection::vec((0..6_usize, 0..6_usize), 0..18)) {
        let mut out = vec![Vec::new(); 6];
        for (tail, head) in arcs {
            if tail != head && !out[tail].contains(&head) {
                out[tail].push(head);
            }
        }
        for heads in &mut out {
            heads.sort_unstable();
        }
        check(&out, 1, 2, 3);
        check(&out, 2, 1, 2);
    }
}
