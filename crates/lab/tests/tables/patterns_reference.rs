//! What patterns and rules say against the exact values of real maps, in all positions.

use pursuit_engine::game::{Outcome, Rules, Speed, Turns};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::patterns::rules::{Goal, Program, Theory};
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_lab::patterns::pursuit::{Lookup, Matcher, PursuitWindows, Search};
use pursuit_lab::patterns::{Generator, Kind};
use std::num::NonZeroU8;

use crate::common;

/// How much was recognised of the positions in which the cops capture within the depth.
#[derive(Default)]
struct Found {
    patterns: u64,
    rules: u64,
    all: u64,
}

fn solved(graph: &Graph, cops: u8) -> Solution {
    let rules = Rules {
        cops: NonZeroU8::new(cops).expect("some cops"),
        cop_speed: Speed::ONE,
        robber_speed: Speed::ONE,
        moves: Moves::Octile,
    };
    let mut solver = Solver::new(Arena::of_map(graph).into(), rules, 1 << 30).expect("it fits");
    solver.run(|_| true);
    solver.finish().expect("it ran to the end")
}

/// What is checked.
struct Known<'a> {
    matcher: Matcher,
    program: Program,
    /// The same patterns as in the matcher.
    lookup: Option<Lookup<'a>>,
}

/// In one of this many positions, the matcher is compared with binary search.
const COMPARED: usize = 16;

/// Checks all positions of a map.
fn check(graph: &Graph, table: &Solution, known: &Known<'_>, cops: u8) -> Found {
    let (matcher, program) = (&known.matcher, &known.program);
    let vertices: Vec<Vertex> = graph.iter().collect();
    let mut found = Found::default();
    let mut positions: Vec<Vec<Vertex>> = vertices.iter().map(|&cop| vec![cop]).collect();
    if cops == 2 {
        let pairs = vertices.iter().enumerate();
        let pairs =
            pairs.flat_map(|(index, &a)| vertices[index..].iter().map(move |&b| vec![a, b]));
        positions = pairs.collect();
    }
    for (number, places) in positions.iter().enumerate() {
        let cells: Vec<Cell> = places.iter().map(|&cop| graph.cell(cop)).collect();
        for &robber in vertices.iter().filter(|robber| !places.contains(robber)) {
            let value = |robber: Vertex| match table.value(robber, places) {
                Some(Outcome::Caught(Turns(turns))) => turns,
                _ => u16::MAX,
            };
            let ends = graph.neighbours(robber).iter().copied();
            // After a move onto a cop the robber is captured: that is no better than to stay.
            let worst = ends.chain([robber]).map(value).max().expect("it can stay");
            for (kind, goal, value) in [
                (Kind::InOne, Goal::Taken, value(robber)),
                (Kind::Won, Goal::Caught, worst),
            ] {
                let by_patterns = matcher.turns(graph, kind, graph.cell(robber), &cells);
                let by_rules = program.turns(graph, goal, robber, places);
                let is_compared = (number + robber.index()) % COMPARED == 0;
                if let Some(lookup) = known.lookup.as_ref().filter(|_| is_compared) {
                    let found =
                        lookup.turns(graph, kind, graph.cell(robber), &cells, Search::Binary);
                    assert_eq!(by_patterns, found, "{robber:?} {places:?} {kind:?}");
                }
                for turns in by_patterns.iter().chain(&by_rules) {
                    assert!(
                        value <= u16::from(*turns),
                        "{robber:?} {places:?}: {value}, not {turns}"
                    );
                }
                found.all += u64::from(value <= u16::from(program.depth()));
                found.patterns += u64::from(by_patterns.is_some());
                found.rules += u64::from(by_rules.is_some());
            }
        }
    }
    found
}

fn rules(cops: u8, depth: u8) -> Program {
    let theory = Theory::new(cops, 2).expect("valid");
    Program::new(theory, depth).expect("not too deep")
}

fn check_maps(test: &str, cops: u8, depth: u8, window: (u8, u8)) {
    let Some(folder) = common::reference(test) else {
        return;
    };
    let windows = PursuitWindows::new(Moves::Octile, cops, window, 0).expect("valid");
    let matcher = Matcher::new(&Generator::new(windows, depth).run());
    let known = Known {
        matcher,
        program: rules(cops, depth),
        lookup: None,
    };
    let mut maps = common::files(&folder.join("maps/mazes1"), "map");
    maps.truncate(9);
    maps.push(folder.join("maps/bg/AR0082SR.map"));
    let mut sum = Found::default();
    for map in maps {
        let graph = Graph::new(&common::read_map(&map), Moves::Octile);
        let is_large = graph.vertices() > 120;
        if cops == 2 && is_large {
            continue; // millions of positions, each of which the smaller maps have as well
        }
        let table = solved(&graph, cops);
        let found = check(&graph, &table, &known, cops);
        sum.all += found.all;
        sum.patterns += found.patterns;
        sum.rules += found.rules;
    }
    assert!(sum.rules * 10 > sum.all * 8, "{} of {}", sum.rules, sum.all);
    assert!(
        sum.patterns * 2 > sum.all,
        "{} of {}",
        sum.patterns,
        sum.all
    );
}

#[test]
fn patterns_and_rules_agree_with_tables_of_one_cop() {
    check_maps(
        "patterns_and_rules_agree_with_tables_of_one_cop",
        1,
        3,
        (4, 3),
    );
}

#[test]
fn patterns_and_rules_agree_with_tables_of_two_cops() {
    check_maps(
        "patterns_and_rules_agree_with_tables_of_two_cops",
        2,
        2,
        (4, 3),
    );
}

#[test]
fn patterns_with_guarded_sides_agree_with_tables_of_two_cops() {
    let Some(folder) =
        common::reference("patterns_with_guarded_sides_agree_with_tables_of_two_cops")
    else {
        return;
    };
    let windows = PursuitWindows::new(Moves::Octile, 1, (4, 3), 2).expect("valid");
    let database = Generator::new(windows, 3).run();
    let known = [0, 2].map(|guarded| Known {
        matcher: Matcher::with_guards(&database, guarded),
        program: rules(2, 2),
        lookup: Some(Lookup::new(&database, guarded)),
    });
    let maps = common::files(&folder.join("maps/mazes1"), "map");
    let graphs = maps
        .iter()
        .map(|map| Graph::new(&common::read_map(map), Moves::Octile));
    let mut recognised = [0, 0];
    for graph in graphs.filter(|graph| graph.vertices() <= 100).take(6) {
        let table = solved(&graph, 2);
        for (sum, known) in recognised.iter_mut().zip(&known) {
            *sum += check(&graph, &table, known, 2).patterns;
        }
    }
    let [open, guarded] = recognised;
    assert!(guarded > open, "{guarded} of {open}");
}
