//! Cop numbers, capture times and search times of whole graphs, maps and lists of graphs.

use crate::common;
use common::fixpoint::SlowGame;
use common::{any_moves, map, two_way_map};
use proptest::prelude::*;
use pursuit_engine::game::{Outcome, Rules, Speed, Turns};
use pursuit_engine::graph::{Digraph, Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::table::{Arena, Solution, SolveError, Solver};
use pursuit_lab::eval::{
    AnalysisError, CopNumber, Statistics, SurveyError, Undecided, analyze, cop_number,
    cop_number_of_map, survey,
};
use pursuit_lab::graph::graph6;
use std::num::NonZeroU8;

const ENOUGH: u64 = 1 << 30;

fn undirected(vertices: u32, edges: &[(u32, u32)]) -> Digraph {
    Digraph::undirected(vertices, edges).expect("edges in place")
}

fn cycle_edges(first: u32, length: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..length).map(move |a| (first + a, first + (a + 1) % length))
}

fn petersen_edges(first: u32) -> impl Iterator<Item = (u32, u32)> {
    let edges = (0..5).flat_map(|a| [(a, (a + 1) % 5), (a, a + 5), (a + 5, (a + 2) % 5 + 5)]);
    edges.map(move |(a, b)| (first + a, first + b))
}

/// The generalised Petersen graph (10, 2): the corners and edges of a dodecahedron.
fn dodecahedron() -> Digraph {
    let edges = (0..10).flat_map(|a| [(a, (a + 1) % 10), (a, a + 10), (a + 10, (a + 2) % 10 + 10)]);
    undirected(20, &edges.collect::<Vec<_>>())
}

/// The incidence graph of the projective plane of order 3: each point or line has four neighbours, and
/// the shortest cycle has six vertices, so that three cops cannot win (Aigner and Fromme, 1984).
fn projective_plane() -> Digraph {
    let lines = (0..13).flat_map(|point| [0, 1, 3, 9].map(|on| (point, 13 + (point + on) % 13)));
    undirected(26, &lines.collect::<Vec<_>>())
}

fn number(graph: &Digraph) -> CopNumber {
    cop_number(graph, ENOUGH, |_| true)
}

fn rules(cops: u8, cop_speed: u8, robber_speed: u8, moves: Moves) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("a cop"),
        cop_speed: Speed::new(cop_speed).expect("a speed"),
        robber_speed: Speed::new(robber_speed).expect("a speed"),
        moves,
    }
}

fn solve(arena: Arena, rules: Rules) -> Solution {
    let mut solver = Solver::new(arena.into(), rules, ENOUGH).expect("it fits");
    solver.run(|_| true);
    solver.finish().expect("it is done")
}

#[test]
fn cop_numbers_of_well_known_graphs() {
    for length in 4..=9 {
        let cycle: Vec<_> = cycle_edges(0, length).collect();
        assert_eq!(number(&undirected(length, &cycle)), CopNumber::Exactly(2));
    }
    let petersen: Vec<_> = petersen_edges(0).collect();
    assert_eq!(number(&undirected(10, &petersen)), CopNumber::Exactly(3));
    assert_eq!(number(&dodecahedron()), CopNumber::Exactly(3));
    assert_eq!(number(&projective_plane()), CopNumber::MoreThan(3));
    assert_eq!(number(&undirected(0, &[])), CopNumber::Exactly(0));
    assert_eq!(number(&undirected(1, &[])), CopNumber::Exactly(1));
    // An empty room, and one with a pillar to run around.
    let room = ["....", "....", "....", "...."];
    let pillar = ["....", ".@@.", ".@@.", "...."];
    for (rows, octile, orthogonal) in [(room, 1, 2), (pillar, 2, 2)] {
        for (moves, cops) in [(Moves::Octile, octile), (Moves::Orthogonal, orthogonal)] {
            let graph = Graph::new(&map(&rows), moves);
            let found = cop_number_of_map(&graph, ENOUGH, |_| true);
            assert_eq!(found, CopNumber::Exactly(cops), "{moves:?}");
        }
    }
}

#[test]
fn a_graph_in_parts_takes_as_many_cops_as_its_hardest_part() {
    let path = [(0, 1), (1, 2)];
    let with_cycle: Vec<_> = path.into_iter().chain(cycle_edges(3, 5)).collect();
    assert_eq!(number(&undirected(8, &with_cycle)), CopNumber::Exactly(2));
    assert_eq!(number(&undirected(6, &path)), CopNumber::Exactly(1));
    let with_petersen: Vec<_> = with_cycle.into_iter().chain(petersen_edges(8)).collect();
    let graph = undirected(20, &with_petersen);
    let (mut tables, mut cops) = (0, 0);
    let found = cop_number(&graph, ENOUGH, |progress| {
        (tables, cops) = (progress.table + 1, progress.cops);
        assert!(progress.vertices <= 10, "no path in it");
        true
    });
    assert_eq!(found, CopNumber::Exactly(3));
    assert_eq!((tables, cops), (3, 3), "cycle: 2; Petersen graph: 2 and 3");
}

#[test]
fn what_does_not_fit_or_was_stopped_is_said() {
    let petersen: Vec<_> = petersen_edges(0).collect();
    let graph = undirected(10, &petersen);
    let CopNumber::AtLeast { cops: 2, because } = cop_number(&graph, 0, |_| true) else {
        panic!("its core has ten vertices");
    };
    assert!(matches!(
        because,
        Undecided::Table(SolveError::TooLarge { cops: 2, .. })
    ));
    let stopped = cop_number(&graph, ENOUGH, |progress| progress.cops < 3);
    let because = Undecided::Cancelled;
    assert_eq!(stopped, CopNumber::AtLeast { cops: 3, because });
    assert_eq!(stopped.to_string(), "at least 3");
    let error: Box<dyn std::error::Error> = because.into();
    assert_eq!(error.to_string(), "cancelled");
    // A tree needs no table at all.
    let tree = undirected(4, &[(0, 1), (0, 2), (0, 3)]);
    assert_eq!(cop_number(&tree, 0, |_| false), CopNumber::Exactly(1));

    let graph = Graph::new(&map(&["...", "..."]), Moves::Octile);
    let too_large = analyze(&graph, Rules::default(), 0, |_| true);
    assert!(matches!(too_large, Err(AnalysisError::Table(_))));
    let stopped = analyze(&graph, Rules::default(), ENOUGH, |_| false);
    assert_eq!(stopped, Err(AnalysisError::Cancelled));
    let walls = TileMap::filled(3, 3, Terrain::Wall).expect("a map");
    let nothing = analyze(
        &Graph::new(&walls, Moves::Octile),
        Rules::default(),
        0,
        |_| true,
    );
    assert_eq!(nothing, Err(AnalysisError::Empty));
}

#[test]
fn two_cops_on_a_grid_take_half_its_way_across() {
    for width in 2..=6_u16 {
        for height in 2..=width {
            let floor = TileMap::filled(width, height, Terrain::Floor).expect("a map");
            let graph = Graph::new(&floor, Moves::Orthogonal);
            let rules = rules(2, 1, 1, Moves::Orthogonal);
            let found = analyze(&graph, rules, ENOUGH, |_| true).expect("it fits");
            let search = found.search.expect("two cops win");
            assert_eq!(
                search.turns,
                Turns((width + height - 2) / 2),
                "{width} x {height}"
            );
            assert_eq!(search.cops.len(), 2);
        }
    }
}

#[test]
fn capture_takes_longest_along_a_path() {
    let path: Vec<_> = (1..300).map(|a| (a - 1, a)).collect();
    let arena = Arena::of_digraph(&undirected(300, &path));
    let found = Statistics::of(&solve(arena, Rules::default()));
    assert_eq!(found.capture_time(), Outcome::Caught(Turns(299)));
    assert_eq!(found.search.expect("a tree").turns, Turns(150));
    assert_eq!(found.histogram[0], 300);
    let ends = [&found.by_robber[0], &found.by_robber[299]];
    assert!(ends.iter().all(|end| end.1 == Outcome::Caught(Turns(299))));
    assert_eq!(found.by_cop[150].1, Outcome::Caught(Turns(150)));
}

/// The statistics of some positions, collected one by one.
struct Slow {
    escapes: u64,
    histogram: Vec<u64>,
    by_robber: Vec<Outcome>,
    by_cops: Vec<Outcome>,
}

/// Collects the statistics with the robber and the cops anywhere on `vertices`.
fn slowly(solution: &Solution, vertices: &[Vertex], cops: u8) -> Slow {
    let n = vertices.len();
    let mut slow = Slow {
        escapes: 0,
        histogram: Vec::new(),
        by_robber: vec![Outcome::Caught(Turns(0)); n],
        by_cops: vec![Outcome::Caught(Turns(0)); n.pow(cops.into())],
    };
    for (placement, by_cops) in slow.by_cops.iter_mut().enumerate() {
        let cop = |index: u8| vertices[placement / n.pow(index.into()) % n];
        let cops: Vec<Vertex> = (0..cops).map(cop).collect();
        for (&robber, by_robber) in vertices.iter().zip(&mut slow.by_robber) {
            let value = solution.value(robber, &cops).expect("in place");
            *by_robber = value.max(*by_robber);
            *by_cops = value.max(*by_cops);
            match value {
                Outcome::Escapes | Outcome::Away(_) => slow.escapes += 1,
                Outcome::Caught(Turns(turns)) => {
                    let turns = usize::from(turns);
                    let length = slow.histogram.len().max(turns + 1);
                    slow.histogram.resize(length, 0);
                    slow.histogram[turns] += 1;
                }
            }
        }
    }
    slow
}

/// The cells that are connected to a cell by paths.
fn around(graph: &Graph, start: Vertex) -> Vec<Vertex> {
    let mut found = vec![start];
    let mut next = 0;
    while let Some(&vertex) = found.get(next) {
        for &other in graph.neighbours(vertex) {
            if !found.contains(&other) {
                found.push(other);
            }
        }
        next += 1;
    }
    found.sort();
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn statistics_are_those_of_all_positions_one_by_one(
        map in two_way_map(6),
        moves in any_moves(),
        cops in 1..=2_u8,
        cop_speed in 1..=2_u8,
        robber_speed in 1..=2_u8,
    ) {
        let graph = Graph::new(&map, moves);
        let rules = rules(cops, cop_speed, robber_speed, moves);
        let solution = solve(Arena::of_map(&graph), rules);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let slow = slowly(&solution, &vertices, cops);
        let found = Statistics::of(&solution);
        prop_assert_eq!(found.escapes, slow.escapes);
        prop_assert_eq!(&found.histogram, &slow.histogram);
        prop_assert_eq!(found.positions, found.escapes + slow.histogram.iter().sum::<u64>());
        let at = |vertex: Vertex| vertices.iter().position(|&other| other == vertex).expect("of it");
        for &(vertex, outcome) in &found.by_robber {
            prop_assert_eq!(outcome, slow.by_robber[at(vertex)]);
        }
        prop_assert_eq!(found.by_robber.len(), vertices.len());
        prop_assert_eq!(found.by_cop.len(), if cops == 1 { vertices.len() } else { 0 });
        for &(vertex, outcome) in &found.by_cop {
            prop_assert_eq!(outcome, slow.by_cops[at(vertex)]);
        }
        let best = slow.by_cops.iter().min().copied().expect("a cell");
        let search = found.search.as_ref().map_or(Outcome::Escapes, |s| Outcome::Caught(s.turns));
        prop_assert_eq!(search, best);
        if let Some(search) = &found.search {
            let cops = search.cops.iter().rev();
            let placement = cops.fold(0, |all, &cop| all * vertices.len() + at(cop));
            prop_assert_eq!(slow.by_cops[placement], best);
        }
        prop_assert_eq!(found.capture_time(), slow.by_cops.iter().max().copied().expect("a cell"));
        let turns: u64 = (0..).zip(&slow.histogram).map(|(turns, count)| turns * count).sum();
        let captures: u64 = slow.histogram.iter().sum();
        prop_assert_eq!(found.mean(), Some(turns as f64 / captures as f64));
    }

    #[test]
    fn a_map_is_analysed_part_by_part(
        map in two_way_map(6),
        moves in any_moves(),
        cops in 1..=2_u8,
        cop_speed in 1..=2_u8,
    ) {
        let graph = Graph::new(&map, moves);
        let rules = rules(cops, cop_speed, 1, moves);
        let found = analyze(&graph, rules, ENOUGH, |_| true).expect("it fits");
        let solution = solve(Arena::of_map(&graph), rules);
        let (mut escapes, mut captures, mut longest) = (0, 0, 0);
        let mut search = Outcome::Caught(Turns(0));
        for vertex in graph.iter() {
            let part = around(&graph, vertex);
            let slow = slowly(&solution, &part, cops);
            let place = part.iter().position(|&other| other == vertex).expect("in its part");
            let worst = found.by_robber.iter().find(|worst| worst.0 == graph.cell(vertex));
            prop_assert_eq!(worst.map(|worst| worst.1), Some(slow.by_robber[place]));
            if place == 0 {
                escapes += slow.escapes;
                captures += slow.histogram.iter().sum::<u64>();
                longest = longest.max(slow.histogram.len());
                search = search.max(slow.by_cops.iter().min().copied().expect("a cell"));
            }
        }
        prop_assert_eq!(found.by_robber.len(), graph.vertices());
        prop_assert_eq!((found.escapes, found.positions), (escapes, escapes + captures));
        prop_assert_eq!(found.histogram.len(), longest);
        let found = found.search.map_or(Outcome::Escapes, |search| Outcome::Caught(search.turns));
        prop_assert_eq!(found, search);
    }

    #[test]
    fn cop_numbers_are_those_of_the_plain_game(
        arcs in prop::collection::vec((0..6_u32, 0..6_u32), 0..20),
        both_ways in any::<bool>(),
    ) {
        let graph = if both_ways {
            Digraph::undirected(6, &arcs)
        } else {
            Digraph::directed(6, &arcs)
        };
        let graph = graph.expect("in place");
        let least = |part: &Vec<Vertex>| {
            let part = graph.induced(part);
            let out: Vec<Vec<usize>> = part
                .iter()
                .map(|vertex| part.successors(vertex).iter().map(|to| to.index()).collect())
                .collect();
            let wins = |&cops: &u8| {
                let game = SlowGame {
                    out: &out,
                    cops: usize::from(cops),
                    cop_speed: 1,
                    robber_speed: 1,
                };
                game.cops_win()
            };
            (1..=3).find(wins).unwrap_or(4)
        };
        let expected = match graph.components().iter().map(least).max() {
            Some(cops @ 1..=3) => CopNumber::Exactly(cops),
            _ => CopNumber::MoreThan(3),
        };
        prop_assert_eq!(number(&graph), expected);
    }

    #[test]
    fn a_survey_says_what_tables_say(bits in any::<u64>(), vertices in 1..=9_u32) {
        let pairs = (0..vertices).flat_map(|head| (0..head).map(move |tail| (tail, head)));
        let edges = pairs.enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
        let graph = undirected(vertices, &edges.map(|(_, edge)| edge).collect::<Vec<_>>());
        let line = graph6::write(&graph).expect("both ways");
        let found = survey(&line, ENOUGH, |_| true).expect("a graph");
        let row = found[&(vertices as usize)];
        let connected = graph.components().len() == 1;
        prop_assert_eq!((row.graphs, row.connected), (1, u64::from(connected)));
        for (cops, wins) in [(1, row.one_cop), (2, row.two_cops)] {
            let rules = rules(cops, 1, 1, Moves::Octile);
            let table = Statistics::of(&solve(Arena::of_digraph(&graph), rules));
            let won = table.search.clone().filter(|_| connected);
            prop_assert_eq!(wins.graphs, u64::from(won.is_some()));
            if let (Some(search), Outcome::Caught(turns)) = (won, table.capture_time()) {
                prop_assert_eq!(wins.search_time, search.turns);
                prop_assert_eq!(wins.capture_time, turns);
            }
        }
    }
}

/// Tables 6.1 and 6.2 of the thesis, and the same for one vertex.
#[test]
fn all_connected_graphs_of_up_to_six_vertices() {
    let text = include_str!("../../../testkit/data/connected_up_to_6.g6");
    let found = survey(text, ENOUGH, |_| true).expect("graphs");
    let rows: Vec<_> = found
        .iter()
        .map(|(&vertices, row)| {
            assert_eq!(
                (row.connected, row.two_cops.graphs),
                (row.graphs, row.graphs)
            );
            let times = [row.one_cop, row.two_cops].map(|w| (w.search_time.0, w.capture_time.0));
            (vertices, row.graphs, row.one_cop.graphs, times)
        })
        .collect();
    let expected = [
        (1, 1, 1, [(0, 0), (0, 0)]),
        (2, 1, 1, [(1, 1), (0, 1)]),
        (3, 2, 2, [(1, 2), (1, 2)]),
        (4, 6, 5, [(2, 3), (1, 3)]),
        (5, 21, 16, [(2, 4), (1, 4)]),
        (6, 112, 68, [(3, 5), (2, 5)]),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn large_graphs_are_surveyed_by_tables() {
    let path: Vec<_> = (1..70).map(|a| (a - 1, a)).collect();
    let line = graph6::write(&undirected(70, &path)).expect("both ways");
    let row = survey(&line, ENOUGH, |_| true).expect("a graph")[&70];
    assert_eq!((row.one_cop.graphs, row.two_cops.graphs), (1, 1));
    assert_eq!(
        (row.one_cop.search_time, row.one_cop.capture_time),
        (Turns(35), Turns(69))
    );
    assert_eq!(row.two_cops.capture_time, Turns(69), "both at one end");
    let text = format!("A_\n{line}\n");
    let error = survey(&text, 1000, |_| true).expect_err("no memory");
    assert!(
        matches!(error, SurveyError::Table { line: 2, .. }),
        "{error}"
    );
}

#[test]
fn a_survey_stops_within_a_large_graph_and_tells_the_first_error() {
    let path: Vec<_> = (1..70).map(|a| (a - 1, a)).collect();
    let line = graph6::write(&undirected(70, &path)).expect("both ways");
    let text = format!("A_\n{line}\n{line}\nD?\n");
    let mut told = Vec::new();
    let stopped = survey(&text, ENOUGH, |at| {
        told.push((at.solved, at.turn.0));
        at.solved < 2
    });
    assert_eq!(stopped, Err(SurveyError::Cancelled));
    // The last progress report is the first one within line 3.
    let last = [told.pop(), told.pop()].map(|told| told.map(|told| told.0));
    assert_eq!(last, [Some(2), Some(1)]);
    assert!(told.len() > 10, "one for each turn: {}", told.len());
    assert!(told.iter().any(|&(_, turn)| turn > 10), "{told:?}");
    let first = survey(&text, 1000, |_| true).expect_err("no memory");
    assert!(
        matches!(first, SurveyError::Table { line: 2, .. }),
        "{first}"
    );
    let source = std::error::Error::source(&first).map(ToString::to_string);
    assert!(source.is_some_and(|source| first.to_string().ends_with(&source)));
    let first = survey(&format!("D?\n{line}\n"), 1000, |_| true);
    assert!(matches!(first, Err(SurveyError::Line(_))), "{first:?}");
}

#[test]
fn long_lists_are_cut_into_pieces_and_added_up() {
    let path: Vec<_> = (1..64).map(|a| (a - 1, a)).collect();
    let line = graph6::write(&undirected(64, &path)).expect("both ways") + "\n";
    let mut looks = 0;
    let found = survey(&line.repeat(300), ENOUGH, |_| {
        looks += 1;
        true
    });
    assert!(looks >= 3, "{looks} looks at 300 graphs of 64 vertices");
    let row = found.expect("graphs")[&64];
    assert_eq!((row.graphs, row.connected), (300, 300));
    assert_eq!((row.one_cop.graphs, row.two_cops.graphs), (300, 300));
}

#[test]
fn a_line_that_is_no_graph_is_named() {
    let error = survey("A_\n\nD?\n", ENOUGH, |_| true).expect_err("too short");
    assert!(
        error.to_string().starts_with("3:3: expected 2 characters"),
        "{error}"
    );
    let stopped = survey("A_\n", ENOUGH, |_| false);
    assert_eq!(stopped, Err(SurveyError::Cancelled));
}

#[test]
fn a_part_lies_where_it_lies_on_its_map() {
    let graph = Graph::new(
        &map(&["@@@@@@", "@..@@.", "@..@@.", "@@@@@@"]),
        Moves::Octile,
    );
    let found = analyze(&graph, Rules::default(), ENOUGH, |_| true).expect("it fits");
    let cells: Vec<Cell> = found.by_robber.iter().map(|worst| worst.0).collect();
    let mut sorted = cells;
    sorted.sort();
    let expected = [(1, 1), (2, 1), (5, 1), (1, 2), (2, 2), (5, 2)];
    assert_eq!(sorted, expected.map(|(x, y)| Cell::new(x, y)));
    assert_eq!(found.escapes, 0, "one cop in each part");
    assert_eq!(found.positions, 16 + 4);
    assert_eq!(found.search.expect("rooms").turns, Turns(1));
}
