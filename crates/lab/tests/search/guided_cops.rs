//! Cops that a guide helps: against the optimal robber they are quicker than without. What a retract says is a lower
//! bound for a robber on it.

use crate::common::level::{LIMIT, rules};
use crate::common::{chase, map};
use crate::field::Field;
use crate::tournament::{against_optimal, known, table};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Outcome, Rules};
use pursuit_engine::graph::{Graph, Retract, Vertex};
use pursuit_engine::map::{Moves, TileMap};
use pursuit_engine::policy::{Ground, GuideSolver, RetractGuide, RetractGuideSolver};
use pursuit_engine::search::Dice;
use pursuit_lab::eval::CopKind;
use pursuit_lab::eval::{Played, Tournament};

/// Blocks that a robber can run round, with narrow streets between them.
fn blocks() -> TileMap {
    map(&[
        "....................",
        ".@@@@@@.@@@@@.@@@@@.",
        ".@@@@@@.@@@@@.@...@.",
        ".@@..@@.......@...@.",
        ".@@..@@.@@@@@.@@.@@.",
        "........@@@@@.......",
        ".@@@@@@.@@@@@.@@@@@.",
        ".@....@.......@@@@@.",
        ".@.@@@@.@@@@@.@@@@@.",
        "....................",
    ])
}

fn retract_guide(graph: &Graph, rules: Rules, positions: u64) -> Option<RetractGuide> {
    let solver = RetractGuideSolver::new(graph, rules, positions, LIMIT);
    let mut solver = solver.expect("memory")?;
    assert!(solver.run(|_| true).done);
    solver.finish()
}

#[test]
fn a_guide_of_the_first_level_makes_two_cops_quicker() {
    let field = Field::new(&blocks(), rules(2, 1, 1));
    let hierarchy = Hierarchy::new(&field.graph);
    let table = table(&field);
    let guided = |positions| {
        let solver = GuideSolver::new(&hierarchy, rules(2, 1, 1), positions, LIMIT);
        let mut solver = solver.expect("memory").expect("a level");
        assert!(solver.run(|_| true).done);
        solver.finish().expect("solved")
    };
    let (fine, coarse) = (guided(u64::MAX), guided(20_000));
    assert!(coarse.vertices() < fine.vertices());
    let turns = |kind, guide| {
        let ground = Ground {
            hierarchy: Some(&hierarchy),
            guide,
            ..(&field.graph).into()
        };
        let tournament = Tournament {
            ground,
            ..known(&field, &table)
        };
        let contest = tournament.draw(150).expect("positions");
        let games = against_optimal(&tournament, &contest, kind);
        let turns = games.iter().map(|game| game.survival.map(Played::turns));
        turns.collect::<Vec<_>>()
    };
    let team = turns(CopKind::Unguided, None);
    let helped = turns(CopKind::Team, Some(&fine));
    let sum = |all: &[Option<u32>]| {
        all.iter()
            .map(|turns| turns.expect("a capture"))
            .sum::<u32>()
    };
    assert!(
        sum(&helped) < sum(&team),
        "{} turns with a guide, {} without",
        sum(&helped),
        sum(&team)
    );
    // A coarser level would not help.
    assert_eq!(turns(CopKind::Team, Some(&coarse)), team);
    assert_eq!(turns(CopKind::Team, None), team);
}

/// A hall with pillars.
fn hall() -> TileMap {
    map(&[
        "................",
        "................",
        "..@@.....@......",
        "..@@....@@@.....",
        ".........@...@..",
        "................",
        "....@@@.........",
        "....@@@....@@...",
        "...........@@...",
        "................",
        "................",
    ])
}

/// The turns of cops of some kinds over those of optimal ones, against the optimal robber, with the guide by a retract.
fn ratios(map: &TileMap, cops: u8, kinds: [CopKind; 2]) -> [f64; 2] {
    let rules = rules(cops, 1, 1);
    let field = Field::new(map, rules);
    let hierarchy = Hierarchy::new(&field.graph);
    let table = table(&field);
    let retract = retract_guide(&field.graph, rules, u64::MAX).expect("it folds");
    assert!(retract.vertices() <= field.graph.vertices() * 7 / 8);
    let ground = Ground {
        hierarchy: Some(&hierarchy),
        retract: Some(&retract),
        ..(&field.graph).into()
    };
    let tournament = Tournament {
        ground,
        ..known(&field, &table)
    };
    let contest = tournament.draw(150).expect("positions");
    kinds.map(|kind| {
        let games = against_optimal(&tournament, &contest, kind);
        let turns = games.iter().map(|game| game.survival.map(Played::turns));
        let turns = turns.map(|turns| turns.expect("a capture")).sum::<u32>();
        let best = games
            .iter()
            .filter_map(|game| game.optimum.map(Played::turns));
        f64::from(turns) / f64::from(best.sum::<u32>())
    })
}

#[test]
fn a_retract_is_as_large_as_the_memory_allows() {
    let graph = Graph::new(&hall(), Moves::Octile);
    let vertices = |limit| {
        let solver = RetractGuideSolver::new(&graph, rules(2, 1, 1), u64::MAX, limit);
        let mut solver = solver.expect("it fits")?;
        assert!(solver.run(|_| true).done);
        solver.finish().map(|guide| guide.vertices())
    };
    let [most, fewer] = [LIMIT, 1_000_000].map(|limit| vertices(limit).expect("a retract"));
    assert!(fewer < most, "{fewer} of {most}");
    assert_eq!(vertices(1000), None);
}

#[test]
fn a_retract_makes_two_cops_nearly_optimal() {
    let [guided, team] = ratios(&hall(), 2, [CopKind::Team, CopKind::Unguided]);
    assert!(guided < team && guided < 1.05, "{guided}, alone {team}");
    let graph = Graph::new(&blocks(), Moves::Octile);
    let other = retract_guide(&graph, rules(2, 1, 1), 1000);
    assert!(other.is_none(), "streets do not fold");
}

#[test]
fn a_map_that_hardly_folds_has_a_guide_of_what_is_left_of_it() {
    let mut rows = [
        ".......", ".@@.@@.", ".@@.@@.", ".......", ".@@.@@.", ".@@.@@.", ".......",
    ];
    let vertices = |rows: &[&str]| {
        let graph = Graph::new(&map(rows), Moves::Octile);
        let guide = retract_guide(&graph, rules(2, 1, 1), u64::MAX);
        (graph.vertices(), guide.map(|guide| guide.vertices()))
    };
    assert_eq!(vertices(&rows), (33, None), "a grid of corridors");
    rows[1] = ".@..@@."; // a niche
    assert_eq!(vertices(&rows), (34, Some(33)));
    rows[5] = ".@...@."; // two more
    assert_eq!(vertices(&rows), (36, Some(32)));
}

/// Whether the first value is as many turns as the second one or more.
fn lasts(value: Outcome, other: Outcome) -> bool {
    value >= other
}

#[test]
fn a_robber_on_a_retract_lasts_as_long_as_the_images_of_the_cops_need() {
    let dice = &mut Dice::new(3);
    let (mut compared, mut equal) = (0, 0);
    for round in 0..24 {
        let rules = rules(
            1 + round % 2,
            1 + dice.below(2) as u8,
            1 + dice.below(2) as u8,
        );
        let walls = [5, 15, 25][dice.below(3)];
        let map = chase::noise(dice, 9, 8, walls);
        let field = Field::new(&map, rules);
        let graph = &field.graph;
        let Some(guide) = retract_guide(graph, rules, u64::MAX) else {
            continue;
        };
        let retract = Retract::new(graph, guide.vertices());
        let vertices: Vec<Vertex> = graph.iter().collect();
        for start in 0..2000 {
            let cops: Vec<Vertex> = (0..rules.cops.get())
                .map(|_| dice.pick(&vertices).expect("a vertex"))
                .collect();
            let robber = retract.vertices()[start % retract.vertices().len()];
            let value = field.solution.value(robber, &cops).expect("a position");
            let least = guide.value(robber, &cops).expect("a position");
            assert!(lasts(value, least), "{value:?}, on the retract {least:?}");
            compared += 1;
            equal += usize::from(value == least);
        }
    }
    assert!(compared > 20_000, "only {compared} positions");
    assert!(equal > compared / 10, "only {equal} values are equal");
}

/// The ends of the moves of an agent of speed 1.
fn ends(graph: &Graph, at: Vertex) -> Vec<Vertex> {
    let beside = graph.neighbours(at).iter().copied();
    beside.chain([at]).collect()
}

#[test]
fn bounds_of_a_retract_are_no_less_than_the_value_and_can_be_lowered_in_each_turn() {
    let dice = &mut Dice::new(5);
    let (mut positions, mut bounds, mut surplus, mut values) = (0_u32, 0_u32, 0, 0);
    for round in 0..30 {
        let rules = rules(1 + round % 3, 1, 1);
        let walls = [5, 15, 25][dice.below(3)];
        let field = Field::new(&chase::noise(dice, 9, 8, walls), rules);
        let graph = &field.graph;
        let Some(guide) = retract_guide(graph, rules, u64::MAX) else {
            continue;
        };
        let vertices: Vec<Vertex> = graph.iter().collect();
        for _ in 0..400 {
            let any = |dice: &mut Dice| dice.pick(&vertices).expect("a vertex");
            let robber = any(dice);
            let cops: Vec<Vertex> = (0..rules.cops.get()).map(|_| any(dice)).collect();
            positions += 1;
            let Some(bound) = guide.bound(graph, robber, &cops) else {
                continue;
            };
            let value = field.solution.value(robber, &cops).expect("a position");
            assert!(!lasts(value, Outcome::Caught(bound)) || value == Outcome::Caught(bound));
            bounds += 1;
            if let Outcome::Caught(turns) = value {
                surplus += u32::from(bound.0);
                values += u32::from(turns.0);
            }
            if cops.contains(&robber) {
                assert_eq!(bound.0, 0);
                continue;
            }
            let lowers = |moved: &[Vertex]| {
                let mut replies = ends(graph, robber).into_iter();
                moved.contains(&robber)
                    || replies.all(|reply| {
                        let next = guide.bound(graph, reply, moved);
                        moved.contains(&reply) || next.is_some_and(|next| next < bound)
                    })
            };
            let joint = cops.iter().fold(vec![Vec::new()], |joint, &cop| {
                let with = |moves: &Vec<Vertex>, end| [moves.as_slice(), &[end]].concat();
                let all = joint.iter();
                all.flat_map(|moves| {
                    ends(graph, cop)
                        .into_iter()
                        .map(move |end| with(moves, end))
                })
                .collect()
            });
            assert!(
                joint.iter().any(|moved| lowers(moved)),
                "{bound:?} at {robber:?}, {cops:?}"
            );
        }
    }
    assert!(
        bounds > 4_000 && positions > bounds,
        "{bounds} of {positions}"
    );
    assert!(
        surplus < 3 * values,
        "{surplus} turns proven where it takes {values}"
    );
}

#[test]
fn the_values_and_bounds_of_a_retract_take_no_memory() {
    let graph = Graph::new(&hall(), Moves::Octile);
    let guide = retract_guide(&graph, rules(2, 1, 1), u64::MAX).expect("it folds");
    let mut vertices = graph.iter();
    let mut next = || vertices.next().expect("a vertex");
    let (robber, cops) = (next(), [next(), next()]);
    let read = || {
        (
            guide.value(robber, &cops),
            guide.bound(&graph, robber, &cops),
        )
    };
    assert!(read().1.is_some());
    let allocations = allocation_counter::measure(|| {
        read();
    });
    assert_eq!(allocations.count_total, 0);
}
