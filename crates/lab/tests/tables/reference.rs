//! Tests of tables against the values of the reference program and table 1 of the paper.
//!
//! One test needs much time and memory and is ignored by default. This command runs it as well:
//! `cargo test --release -p pursuit_lab --test tables reference:: -- --include-ignored`

use crate::common;
use crate::common::level;
use common::{files, read_map, reference};
use level::{LIMIT, PursuitLevel, by_rounds, rules};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_lab::predator_prey::{DepthCounts, PredatorPrey};
use std::num::NonZeroU8;
use std::path::Path;

// ---- the reference program's values ----

/// Solves all maps that have reference values and compares all values. Returns the number of maps
/// and of values.
fn compare(
    reference: &Path,
    values: &str,
    maps: &str,
    (cops, cop_speed): (u8, u8),
) -> (usize, usize) {
    let (mut levels, mut rows) = (0, 0);
    for file in files(&reference.join("golden").join(values), "csv") {
        let name = file.file_stem().expect("a name").to_string_lossy();
        let path = reference.join("maps").join(maps);
        let map = read_map(&path.join(format!("{name}.map")));
        let graph = Graph::new(&map, Moves::Octile);
        let arena = Arena::of_map(&graph).into();
        let mut solver = Solver::new(arena, rules(cops, cop_speed, 1), LIMIT).expect("memory");
        solver.run(|_| true);
        let solution = solver.finish().expect("done");
        let text = std::fs::read_to_string(&file).expect("readable values");
        for line in text.lines().skip(1) {
            assert_row(&name, &graph, &solution, line);
            rows += 1;
        }
        levels += 1;
    }
    (levels, rows)
}

/// Compares one line: x and y of each agent, the robber first, and the turns.
fn assert_row(map: &str, graph: &Graph, solution: &Solution, line: &str) {
    let (agents, turns) = line.rsplit_once(',').expect("columns");
    let numbers: Vec<u16> = agents.split(',').map(|n| n.parse().expect("n")).collect();
    let cells = numbers.chunks(2).map(|at| Cell::new(at[0], at[1]));
    let vertices: Option<Vec<_>> = cells.map(|cell| graph.vertex(cell)).collect();
    let vertices = vertices.unwrap_or_else(|| panic!("{map}: {line}: a wall"));
    let value = solution.value(vertices[0], &vertices[1..]);
    let value = value.map(|outcome| outcome.to_string());
    assert_eq!(value.as_deref(), Some(turns), "{map}: {line}");
}

#[test]
fn a_fast_cop_on_maps_of_the_game() {
    if let Some(reference) = reference("a_fast_cop_on_maps_of_the_game") {
        let compared = compare(&reference, "speed2", "bg", (1, 2));
        assert_eq!(compared, (48, 48_000));
    }
}

#[test]
fn a_cop_in_mazes() {
    if let Some(reference) = reference("a_cop_in_mazes") {
        for (set, known) in [("1", (15, 15_000)), ("3", (20, 20_000))] {
            let (values, maps) = (format!("onecop_mazes{set}"), format!("mazes{set}"));
            let compared = compare(&reference, &values, &maps, (1, 1));
            assert_eq!(compared, known, "{maps}");
        }
    }
}

#[test]
fn two_cops_on_maps_of_the_game() {
    if let Some(reference) = reference("two_cops_on_maps_of_the_game") {
        let compared = compare(&reference, "twocops", "bg", (2, 1));
        assert_eq!(compared, (2, 2_000));
    }
}

// ---- predators and prey ----

/// The columns of table 1 in T. Cazenave, *Multi-Agent Retrograde Analysis*, from depth 0 on.
const DEPTHS: [(u8, &[u64]); 6] = [
    (4, &[10_440, 2_712, 3_960, 10_200, 19_584, 6_864]),
    (
        5,
        &[
            42_000, 4_920, 5_976, 16_056, 42_840, 79_752, 83_928, 68_760, 768,
        ],
    ),
    (
        6,
        &[
            129_408, 7_464, 7_560, 20_808, 48_960, 119_040, 240_864, 367_896, 387_816, 211_848, 576,
        ],
    ),
    (
        7,
        &[
            332_856, 10_344, 8_616, 24_792, 57_888, 128_616, 273_600, 531_000, 888_696, 1_218_600,
            1_170_576, 755_424, 15_648,
        ],
    ),
    (
        8,
        &[
            751_560, 13_560, 9_672, 26_760, 64_752, 138_912, 283_416, 584_280, 1_122_336,
            1_927_536, 3_021_264, 3_478_080, 3_005_280, 1_551_816, 19_752,
        ],
    ),
    (
        9,
        &[
            1_537_800, 17_112, 10_728, 28_728, 68_352, 150_912, 298_080, 580_128, 1_131_336,
            2_067_480, 3_533_112, 5_575_200, 7_666_608, 8_301_696, 6_625_848, 3_816_432, 55_968,
        ],
    ),
];

fn board(size: u8) -> DepthCounts {
    let size = NonZeroU8::new(size).expect("a board");
    let mut solver = PredatorPrey::new(size, LIMIT).expect("memory");
    while !solver.advance(100_000).done {}
    solver.finish().expect("done")
}

#[test]
fn three_predators_take_the_depths_of_the_paper() {
    for (size, depths) in DEPTHS {
        let solution = board(size);
        assert_eq!(solution.histogram, depths, "{size} x {size}");
        assert_eq!(solution.escapes(), 0);
        assert_eq!(solution.positions, depths.iter().sum::<u64>());
    }
}

/// The number of positions of each depth, computed from the definition, and the number of positions
/// without a depth.
fn slow_depths(size: usize) -> (Vec<u64>, u64) {
    let cells = size * size;
    let near = |a: usize, b: usize| (a % size).abs_diff(b % size) + (a / size).abs_diff(b / size);
    let moves: Vec<Vec<usize>> = (0..cells)
        .map(|from| (0..cells).filter(|&to| near(from, to) <= 1).collect())
        .collect();
    let predators: Vec<[usize; 3]> = (0..cells.pow(3))
        .map(|code| [code % cells, code / cells % cells, code / cells / cells])
        .filter(|[a, b, c]| a != b && a != c && b != c)
        .collect();
    let code = |[a, b, c]: [usize; 3]| a + cells * (b + cells * c);
    let mut depth = vec![None; cells.pow(4)];
    for &three in &predators {
        for prey in 0..cells {
            let taken = |cell: &usize| three.contains(cell);
            let mut others = moves[prey].iter().filter(|&&cell| cell != prey);
            if taken(&prey) || others.all(taken) {
                depth[prey + cells * code(three)] = Some(0);
            }
        }
    }
    for turn in 1_u64.. {
        let before = depth.clone();
        let lost = |prey: usize, three: [usize; 3]| {
            let mut ends = moves[prey].iter();
            ends.all(|end| before[end + cells * code(three)].is_some())
        };
        for &three in &predators {
            for prey in 0..cells {
                let joint = predators.iter().filter(|next| {
                    let mut pairs = next.iter().zip(three);
                    pairs.all(|(to, from)| moves[from].contains(to))
                });
                let now = &mut depth[prey + cells * code(three)];
                if now.is_none() && joint.into_iter().any(|&next| lost(prey, next)) {
                    *now = Some(turn);
                }
            }
        }
        if depth == before {
            break;
        }
    }
    let mut histogram = vec![0];
    for &depth in depth.iter().flatten() {
        let depth = depth as usize;
        histogram.resize(histogram.len().max(depth + 1), 0);
        histogram[depth] += 1;
    }
    let all = predators.len() * cells;
    let solved: u64 = histogram.iter().sum();
    (histogram, all as u64 - solved)
}

#[test]
fn three_predators_on_tiny_boards_by_the_definition() {
    for size in 1..=3 {
        let solution = board(size);
        let (histogram, escapes) = slow_depths(size.into());
        assert_eq!(solution.histogram, histogram, "{size} x {size}");
        assert_eq!(solution.escapes(), escapes);
    }
}

// ---- all positions of larger tables ----

/// Compares all positions of a random map or graph.
fn assert_drawn(levels: impl Strategy<Value = PursuitLevel>, cops: u8, speeds: &[(u8, u8)]) {
    let mut runner = TestRunner::deterministic();
    for &(cop_speed, robber_speed) in speeds {
        let level = levels.new_tree(&mut runner).expect("a level").current();
        let rules = rules(cops, cop_speed, robber_speed);
        let values = level.values(&level.solve(rules));
        let same = values == by_rounds(&level.out, rules);
        assert!(same, "{rules:?}, {level:?}");
    }
}

#[test]
fn two_cops_and_three_words() {
    let speeds = [(1, 1), (2, 1), (1, 2), (3, 1)];
    assert_drawn(level::random_level(129..=140_usize, 3), 2, &speeds);
    let narrow = (level::narrow_map(140), common::any_moves());
    let narrow = narrow.prop_map(|(map, moves)| PursuitLevel::of_map(&map, moves));
    assert_drawn(narrow, 2, &speeds);
}

#[test]
#[ignore = "for release builds"]
fn three_cops_and_two_words() {
    assert_drawn(level::random_level(65..=67_usize, 3), 3, &[(1, 2)]);
    let room = TileMap::filled(11, 6, Terrain::Floor).expect("a room");
    let room = Just(PursuitLevel::of_map(&room, Moves::Octile));
    assert_drawn(room, 3, &[(1, 1)]);
}
