//! Tests of tables with other rules on the graphs of published games.

use crate::common;
use common::level::{LIMIT, rules};
use common::variant_game::{VariantGame, VariantValue};
use common::variant_level::{VariantLevel, agents};
use pursuit_engine::game::{Rules, Turns};
use pursuit_engine::graph::{Digraph, Vertex};
use pursuit_engine::table::{Arena, Solution, Solver, Table};
use std::path::Path;

/// The number of vertices and the edges of a file.
fn edges(folder: &Path, name: &str) -> (u32, Vec<(u32, u32)>) {
    let path = folder.join("graphs").join(name);
    let text = std::fs::read_to_string(path).expect("a readable graph");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(str::split_ascii_whitespace);
    let mut numbers = words.map(|word| word.parse().expect("a number"));
    let vertices = numbers.next().expect("a number of vertices");
    let numbers: Vec<u32> = numbers.collect();
    let (pairs, _) = numbers.as_chunks::<2>();
    (vertices, pairs.iter().map(|&[a, b]| (a, b)).collect())
}

fn out_of(graph: &Digraph) -> Vec<Vec<usize>> {
    let heads = |tail| {
        graph
            .successors(tail)
            .iter()
            .map(|head| head.index())
            .collect()
    };
    graph.iter().map(heads).collect()
}

/// The game of the oracle with grounds given by their edges.
fn game_of(cops: &Digraph, robber: &Digraph) -> VariantGame {
    let n = cops.vertices();
    VariantGame {
        cop_out: out_of(cops),
        robber_out: out_of(robber),
        cop_ground: vec![true; n],
        robber_ground: vec![true; n],
        captures: (0..n)
            .map(|cop| (0..n).map(|robber| cop == robber).collect())
            .collect(),
        exits: vec![false; n],
        ..VariantGame::default()
    }
}

fn solve(arena: Arena, rules: Rules) -> Solution {
    let mut solver = Solver::new(arena.into(), rules, LIMIT).expect("memory");
    assert!(solver.run(|_| true).done);
    solver.finish().expect("done")
}

fn assert_same(arena: Arena, game: VariantGame, rules: Rules) {
    let expected = game.by_rounds(agents(rules));
    let level = VariantLevel {
        game,
        ..VariantLevel::of_arena(arena)
    };
    let solution = level.solve(rules);
    let cops = rules.cops.get().into();
    let found = level.values(cops, |robber, cops| solution.value(robber, cops));
    assert!(found == expected, "{:?}", count(&solution));
}

#[test]
fn the_board_of_199_stations() {
    let Some(folder) = common::reference("the_board_of_199_stations") else {
        return;
    };
    let (vertices, edges) = edges(&folder, "scotland199_all.edges");
    let board = Digraph::undirected(vertices, &edges).expect("a graph");
    let arena = || Arena::builder(&board).build().expect("no other rules");
    let two = solve(arena(), rules(2, 1, 1));
    assert_eq!((two.longest(), two.escapes()), (Turns(13), 0));
    let fast = solve(arena(), rules(1, 2, 1));
    assert_eq!((fast.longest(), fast.escapes()), (Turns(6), 0));
    let one = solve(arena(), rules(1, 1, 1));
    assert_eq!((one.escapes(), one.positions()), (38_453, 39_601));

    // Some edges lead one way: for everybody, and for one side.
    let back = edges.iter().enumerate().filter(|(index, _)| index % 4 > 0);
    let arcs = edges.iter().copied().chain(back.map(|(_, &(a, b))| (b, a)));
    let one_way = Digraph::directed(vertices, &arcs.collect::<Vec<_>>()).expect("a graph");
    for (cops, robber) in [(&one_way, &one_way), (&board, &one_way), (&one_way, &board)] {
        for rules in [rules(1, 1, 1), rules(1, 2, 1), rules(1, 1, 2)] {
            let arena = Arena::builder(&board).cops(cops).robber(robber);
            let arena = arena.build().expect("two grounds");
            assert_same(arena, game_of(cops, robber), rules);
        }
    }
}

/// The numbers of positions in which the robber is caught, away and free, the longest capture, and
/// the longest time until it is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counts {
    caught: u64,
    away: u64,
    free: u64,
    longest: u16,
    longest_away: Option<u16>,
}

fn count(solution: &Solution) -> Counts {
    Counts {
        caught: solution.histogram().iter().sum(),
        away: solution.away_histogram().iter().sum(),
        free: solution.escapes(),
        longest: solution.longest().0,
        longest_away: solution.longest_away().map(|turns| turns.0),
    }
}

fn count_of(values: &[VariantValue]) -> Counts {
    let number = |of: fn(&VariantValue) -> Option<u32>| {
        let turns: Vec<u32> = values.iter().filter_map(of).collect();
        (turns.len() as u64, turns.into_iter().max())
    };
    let (caught, longest) = number(|value| match value {
        VariantValue::Caught(turns) => Some(*turns),
        _ => None,
    });
    let (away, longest_away) = number(|value| match value {
        VariantValue::Away(turns) => Some(*turns),
        _ => None,
    });
    Counts {
        caught,
        away,
        free: values.len() as u64 - caught - away,
        longest: longest.unwrap_or(0) as u16,
        longest_away: longest_away.map(|turns| turns as u16),
    }
}

/// The game with several exits of R. Lu et al. (2025, arXiv 2511.00811), with two cops. The exits
/// are spread over the numbers of the vertices.
#[test]
fn two_cops_against_several_exits() {
    let Some(folder) = common::reference("two_cops_against_several_exits") else {
        return;
    };
    let mut all = Vec::new();
    for name in [
        "epg_dungeon_000",
        "epg_dungeon_005",
        "epg_dungeon_010",
        "ScotlandYard",
    ] {
        let (vertices, edges) = edges(&folder, &format!("{name}.edges"));
        let graph = Digraph::undirected(vertices, &edges).expect("a graph");
        for exits in [4, 8] {
            let exits: Vec<usize> = (0..exits)
                .map(|exit| exit * vertices as usize / exits)
                .collect();
            let at: Vec<Vertex> = exits.iter().map(|&exit| Vertex::from_index(exit)).collect();
            let arena = Arena::builder(&graph).exits(&at).build().expect("exits");
            let solution = solve(arena, rules(2, 1, 1));
            let counts = count(&solution);
            if vertices < 100 {
                let mut game = game_of(&graph, &graph);
                for &exit in &exits {
                    game.exits[exit] = true;
                }
                let expected = game.by_rounds(agents(rules(2, 1, 1)));
                assert_eq!(count_of(&expected), counts, "{name}");
                let table = Table::of(&solution);
                let found = table.verify_arena(solution.arena(), LIMIT, |_| true);
                assert!(found.expect("memory").is_right());
            }
            all.push((name, exits.len(), counts));
        }
    }
    let pinned = [
        ("epg_dungeon_000", 4, [212_171, 244_362, 0], 16, 10),
        ("epg_dungeon_000", 8, [122_630, 333_903, 0], 17, 7),
        ("epg_dungeon_005", 4, [88_984, 173_160, 0], 17, 11),
        ("epg_dungeon_005", 8, [55_554, 206_590, 0], 15, 6),
        ("epg_dungeon_010", 4, [5_934_113, 11_439_866, 0], 34, 23),
        ("epg_dungeon_010", 8, [3_601_206, 13_772_773, 0], 34, 19),
        ("ScotlandYard", 4, [2_412_344, 5_587_656, 0], 27, 16),
        ("ScotlandYard", 8, [1_587_821, 6_354_309, 57_870], 23, 16),
    ];
    let pinned = pinned.map(
        |(name, exits, [caught, away, free], longest, longest_away)| {
            let counts = Counts {
                caught,
                away,
                free,
                longest,
                longest_away: Some(longest_away),
            };
            (name, exits, counts)
        },
    );
    assert_eq!(all, pinned);
}
