//! What patterns and rules say against the exact values of real maps, in all positions.

use bevy_pursuit::game::{Outcome, Rules, Speed, Turns};
use bevy_pursuit::graph::{Graph, Vertex};
use bevy_pursuit::map::{Cell, Moves};
use bevy_pursuit::patterns::pursuit::{Matcher, PursuitWindows};
use bevy_pursuit::patterns::rules::{Goal, Program, Theory};
use bevy_pursuit::patterns::{Generator, Kind};
use bevy_pursuit::table::{Arena, Solution, Solver};
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

/// Checks all positions of a map.
fn check(graph: &Graph, table: &Solution, matcher: &Matcher, program: &Program, cops: u8) -> Found {
    let vertices: Vec<Vertex> = graph.iter().collect();
    let mut found = Found::default();
    let mut positions: Vec<Vec<Vertex>> = vertices.iter().map(|&cop| vec![cop]).collect();
    if cops == 2 {
        let pairs = vertices.iter().enumerate();
        let pairs =
            pairs.flat_map(|(index, &a)| vertices[index..].iter().map(move |&b| vec![a, b]));
        positions = pairs.collect();
    }
    for places in &positions {
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

fn check_maps(test: &str, cops: u8, depth: u8, window: (u8, u8)) {
    let Some(folder) = common::reference(test) else {
        return;
    };
    let windows = PursuitWindows::new(Moves::Octile, cops, window, 0).expect("valid");
    let matcher = Matcher::new(&Generator::new(windows, depth).run());
    let theory = Theory::new(cops, 2).expect("valid");
    let program = Program::new(theory, depth).expect("not too deep");
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
        let found = check(&graph, &table, &matcher, &program, cops);
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
