//! Graphs by their edges: reading and writing them, taking them apart, and dismantling them.

use crate::common;
use common::fixpoint::SlowGame;
use common::{any_moves, random_map};
use proptest::prelude::*;
use pursuit_engine::graph::{Digraph, Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TextPosition, TileMap};
use pursuit_lab::graph::{Dismantling, Pitfall, dismantle, pitfalls};
use pursuit_lab::graph::{Graph6Error, edge_list, graph6};
use std::collections::BTreeSet;

fn undirected(vertices: u32, edges: &[(u32, u32)]) -> Digraph {
    Digraph::undirected(vertices, edges).expect("edges in place")
}

fn vertex(graph: &Digraph, number: usize) -> Vertex {
    graph.vertex(number as u32).expect("a vertex")
}

fn indices(vertices: &[Vertex]) -> Vec<usize> {
    vertices.iter().map(|vertex| vertex.index()).collect()
}

fn adjacency(graph: &Digraph) -> Vec<Vec<usize>> {
    let row = |vertex| indices(graph.successors(vertex));
    graph.iter().map(row).collect()
}

fn cycle(vertices: u32) -> Digraph {
    let edges: Vec<_> = (0..vertices).map(|a| (a, (a + 1) % vertices)).collect();
    undirected(vertices, &edges)
}

fn petersen() -> Digraph {
    let edges = (0..5).flat_map(|a| [(a, (a + 1) % 5), (a, a + 5), (a + 5, (a + 2) % 5 + 5)]);
    undirected(10, &edges.collect::<Vec<_>>())
}

/// All pairs of vertices as a graph6 line orders them.
fn pairs(vertices: u32) -> Vec<(u32, u32)> {
    let column = |head| (0..head).map(move |tail| (tail, head));
    (0..vertices).flat_map(column).collect()
}

/// The graph whose edges are the set bits of `mask`, pair by pair.
fn of_mask(vertices: u32, mask: u64) -> Digraph {
    let pairs = pairs(vertices).into_iter().enumerate();
    let edges = pairs.filter(|(bit, _)| mask >> bit & 1 == 1);
    undirected(vertices, &edges.map(|(_, edge)| edge).collect::<Vec<_>>())
}

/// Graphs with edges at random, from sparse to dense.
fn random_graph(most: u32) -> impl Strategy<Value = Digraph> {
    (0..=most, 0.05..0.95).prop_flat_map(|(vertices, density)| {
        let pairs = pairs(vertices);
        let chosen = prop::collection::vec(prop::bool::weighted(density), pairs.len());
        chosen.prop_map(move |chosen| {
            let edges = pairs.iter().zip(chosen).filter(|(_, chosen)| *chosen);
            undirected(vertices, &edges.map(|(&edge, _)| edge).collect::<Vec<_>>())
        })
    })
}

fn random_arcs() -> impl Strategy<Value = (u32, Vec<(u32, u32)>)> {
    (1..12_u32).prop_flat_map(|n| (Just(n), prop::collection::vec((0..n, 0..n), 0..20)))
}

// ---- graph6 ----

fn refused(line: &str) -> Graph6Error {
    graph6::parse(line).expect_err("not a graph")
}

#[test]
fn known_lines_are_the_known_graphs() {
    let known: [(&str, Digraph); 9] = [
        ("?", undirected(0, &[])),
        ("@", undirected(1, &[])),
        ("A?", undirected(2, &[])),
        ("A_", undirected(2, &[(0, 1)])),
        ("Bw", cycle(3)),
        ("Cl", cycle(4)),
        ("D?{", undirected(5, &[(0, 4), (1, 4), (2, 4), (3, 4)])),
        // The example of the format's description.
        ("DQc", undirected(5, &[(0, 2), (0, 4), (1, 3), (3, 4)])),
        ("IheA@GUAo", petersen()),
    ];
    for (line, graph) in known {
        assert_eq!(graph6::parse(line).as_ref(), Ok(&graph), "{line}");
        assert_eq!(graph6::write(&graph).as_deref(), Some(line));
        let dressed = format!(">>graph6<<{line}\r\n");
        assert_eq!(graph6::parse(&dressed), Ok(graph), "{line}");
    }
}

#[test]
fn sizes_have_one_three_or_six_characters() {
    for (vertices, start) in [(62, "}"), (63, "~??~"), (64, "~?@?"), (400, "~?EO")] {
        let graph = cycle(vertices);
        let line = graph6::write(&graph).expect("undirected");
        assert!(line.starts_with(start), "{line}");
        assert_eq!(graph6::parse(&line), Ok(graph));
    }
    assert_eq!(graph6::parse("~??Bw"), Ok(cycle(3)));
    assert_eq!(graph6::parse("~~?????Bw"), Ok(cycle(3)));
}

#[test]
fn sizes_beyond_the_data_are_refused() {
    assert_eq!(
        refused("~}~~").to_string(),
        "1:5: expected 5548999681 characters for the edges of 258047 vertices, found 0"
    );
    assert_eq!(
        refused("~~~~~~~~??").to_string(),
        "1:11: expected 393530540221957231958 characters for the edges of 68719476735 vertices, \
         found 2"
    );
    assert_eq!(
        refused("~~~~").to_string(),
        "1:3: expected a number of vertices of 6 characters, found 2 characters"
    );
    assert_eq!(
        refused("").to_string(),
        "1:1: expected a number of vertices of 1 characters, found 0 characters"
    );
}

#[test]
fn an_error_says_where_and_what() {
    assert_eq!(
        refused("D? {").to_string(),
        "1:3: expected a character from '?' to '~', found ' '"
    );
    assert_eq!(
        refused(">>graph6<<Bé").to_string(),
        "1:12: expected a character from '?' to '~', found 'é'"
    );
    assert_eq!(
        refused("D?").to_string(),
        "1:3: expected 2 characters for the edges of 5 vertices, found 1"
    );
    assert_eq!(
        refused("D?{?").to_string(),
        "1:4: expected 2 characters for the edges of 5 vertices, found 3"
    );
    assert_eq!(
        refused("Bx").to_string(),
        "1:2: expected 3 zero bits at the end, found 'x', that is 111001"
    );
    assert_eq!(refused("@?").place, TextPosition::new(1, 2));
}

#[test]
fn a_text_is_read_line_by_line() {
    let text = ">>graph6<<\r\nBw\n\nA_\nD?\n>>graph6<<@\nB w\nA?";
    let graphs: Vec<_> = graph6::parse_lines(text).collect();
    let sizes: Vec<_> = graphs
        .iter()
        .map(|graph| graph.as_ref().map(Digraph::vertices).map_err(|e| e.place))
        .collect();
    assert_eq!(
        sizes,
        [
            Ok(3),
            Ok(2),
            Err(TextPosition::new(5, 3)),
            Ok(1),
            Err(TextPosition::new(7, 2)),
            Ok(2)
        ]
    );
}

#[test]
fn only_undirected_graphs_are_written() {
    let graph = Digraph::directed(3, &[(0, 1), (1, 0), (1, 2)]).expect("edges in place");
    assert!(!graph.is_symmetric());
    assert_eq!(graph6::write(&graph), None);
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(graph in random_graph(70)) {
        let line = graph6::write(&graph).expect("undirected");
        prop_assert!(line.bytes().all(|byte| (63..=126).contains(&byte)));
        prop_assert_eq!(graph6::parse(&line), Ok(graph));
    }

    #[test]
    fn spoilt_lines_are_refused_or_other_graphs(
        graph in random_graph(12),
        place in any::<prop::sample::Index>(),
        symbol in prop_oneof![any::<char>(), proptest::char::range('?', '~')],
        how in 0..3,
    ) {
        let mut line: Vec<char> = graph6::write(&graph).expect("undirected").chars().collect();
        let place = place.index(line.len());
        match how {
            0 => line[place] = symbol,
            1 => line.insert(place, symbol),
            _ => drop(line.remove(place)),
        }
        let line: String = line.into_iter().collect();
        match graph6::parse(&line) {
            // Sizes written longer than necessary are not reproduced.
            Ok(read) if !line.starts_with('~') => {
                let shown = line.trim_end_matches(['\r', '\n']);
                prop_assert_eq!(graph6::write(&read), Some(shown.to_string()));
            }
            Ok(_) => {}
            Err(error) => {
                prop_assert_eq!(error.place.line, 1);
                prop_assert!((1..=line.chars().count() + 1).contains(&error.place.column));
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(>>graph6<<)?[?-~ \\n\\r~é]{0,12}") {
        for graph in graph6::parse_lines(&text) {
            match graph {
                Ok(graph) => {
                    let line = graph6::write(&graph).expect("undirected");
                    prop_assert_eq!(graph6::parse(&line), Ok(graph));
                }
                Err(error) => prop_assert!(error.place.line <= text.lines().count()),
            }
        }
    }
}

// ---- parts of a graph ----

#[test]
fn components_are_in_order_whatever_way_the_edges_lead() {
    let graph = Digraph::directed(7, &[(5, 0), (3, 5), (6, 2), (1, 1)]).expect("edges in place");
    let components: Vec<_> = graph.components().iter().map(|c| indices(c)).collect();
    assert_eq!(components, [vec![0, 3, 5], vec![1], vec![2, 6], vec![4]]);
    assert_eq!(undirected(0, &[]).components(), Vec::<Vec<_>>::new());
}

#[test]
fn an_induced_graph_is_numbered_in_the_order_given() {
    let graph = Digraph::directed(4, &[(0, 1), (1, 3), (3, 0), (3, 2)]).expect("edges in place");
    let kept = [3, 0, 3, 1].map(|number| vertex(&graph, number));
    let expected = Digraph::directed(3, &[(0, 1), (1, 2), (2, 0)]).expect("edges in place");
    assert_eq!(graph.induced(&kept), expected);
    assert_eq!(graph.induced(&kept).fingerprint(), expected.fingerprint());
}

proptest! {
    #[test]
    fn components_are_the_classes_of_the_joined((n, arcs) in random_arcs()) {
        let graph = Digraph::directed(n, &arcs).expect("edges in place");
        // Passes the least labels along edges until nothing changes.
        let mut label: Vec<u32> = (0..n).collect();
        for _ in 0..n {
            for &(a, b) in &arcs {
                let least = label[a as usize].min(label[b as usize]);
                (label[a as usize], label[b as usize]) = (least, least);
            }
        }
        let mut expected: Vec<Vec<usize>> = Vec::new();
        for root in 0..n {
            let of_root: Vec<usize> = (0..n as usize).filter(|&v| label[v] == root).collect();
            expected.extend((!of_root.is_empty()).then_some(of_root));
        }
        let found: Vec<_> = graph.components().iter().map(|c| indices(c)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn induced_edges_are_those_between_the_kept(
        (n, arcs) in random_arcs(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let graph = Digraph::directed(n, &arcs).expect("edges in place");
        let mut kept: Vec<Vertex> = Vec::new();
        for choice in order {
            let vertex = vertex(&graph, choice.index(n as usize));
            if !kept.contains(&vertex) {
                kept.push(vertex);
            }
        }
        let part = graph.induced(&kept);
        prop_assert_eq!(part.vertices(), kept.len());
        for a in part.iter() {
            for b in part.iter() {
                let edge = graph.successors(kept[a.index()]).contains(&kept[b.index()]);
                prop_assert_eq!(part.successors(a).contains(&b), edge);
            }
        }
        let symmetric = arcs.iter().all(|&(a, b)| arcs.contains(&(b, a)));
        prop_assert_eq!(graph.is_symmetric(), symmetric);
    }

    #[test]
    fn the_graph_of_a_map_has_its_live_vertices_and_edges(
        map in random_map(7),
        moves in any_moves(),
        walls in prop::collection::vec((0..7_u16, 0..7_u16), 0..6),
    ) {
        let mut edited = Graph::new(&map, moves);
        let close = |&(x, y): &(u16, u16)| pursuit_engine::graph::TileEdit {
            cell: Cell::new(x, y),
            passable: false,
        };
        edited.apply(&walls.iter().map(close).collect::<Vec<_>>());
        let (graph, vertices) = Digraph::of_map(&edited);
        prop_assert!(graph.is_symmetric());
        prop_assert_eq!(&vertices, &edited.iter().collect::<Vec<_>>());
        prop_assert_eq!(graph.vertices(), edited.vertices());
        for a in graph.iter() {
            let mut beside: Vec<Vertex> = edited.neighbours(vertices[a.index()]).to_vec();
            beside.sort_unstable();
            let found = graph.successors(a).iter().map(|b| vertices[b.index()]);
            prop_assert_eq!(found.collect::<Vec<_>>(), beside);
        }
    }
}

// ---- pitfalls and dismantling ----

/// The closed neighbourhood within the vertices present.
fn closed(graph: &Digraph, present: &BTreeSet<usize>, vertex: usize) -> BTreeSet<usize> {
    let beside = |other: &usize| {
        let [a, b] = [vertex, *other].map(|number| self::vertex(graph, number));
        *other == vertex || graph.successors(a).contains(&b)
    };
    present.iter().copied().filter(beside).collect()
}

/// All pairs (p, d) of Definition 2.6 in order.
fn all_pitfalls(graph: &Digraph, present: &BTreeSet<usize>) -> Vec<(usize, usize)> {
    let pairs = present
        .iter()
        .flat_map(|&p| present.iter().map(move |&d| (p, d)));
    pairs
        .filter(|&(p, d)| p != d && closed(graph, present, p).is_subset(&closed(graph, present, d)))
        .collect()
}

fn as_pair(pitfall: Pitfall) -> (usize, usize) {
    (pitfall.vertex.index(), pitfall.dominator.index())
}

/// Dismantles a graph, and checks each step and the result against the definition.
fn checked_dismantling(graph: &Digraph) -> Dismantling {
    let dismantling = dismantle(graph);
    let mut present: BTreeSet<usize> = (0..graph.vertices()).collect();
    for pitfall in &dismantling.order {
        let first = all_pitfalls(graph, &present).first().copied();
        assert_eq!(first, Some(as_pair(*pitfall)), "the lowest pitfall left");
        present.remove(&pitfall.vertex.index());
    }
    assert_eq!(all_pitfalls(graph, &present), []);
    assert_eq!(
        indices(&dismantling.core),
        present.into_iter().collect::<Vec<_>>()
    );
    dismantling
}

/// Returns whether one cop wins, by solving the game slowly.
fn one_cop_wins(graph: &Digraph) -> bool {
    let out = adjacency(graph);
    let game = SlowGame {
        out: &out,
        cops: 1,
        cop_speed: 1,
        robber_speed: 1,
    };
    game.cops_win()
}

#[test]
fn one_cop_wins_exactly_on_what_dismantles_to_a_point() {
    for vertices in 1..=6 {
        let mut connected = 0;
        for mask in 0..1_u64 << pairs(vertices).len() {
            let graph = of_mask(vertices, mask);
            if graph.components().len() > 1 {
                assert!(!dismantle(&graph).is_cop_win());
                continue;
            }
            let is_cop_win = dismantle(&graph).is_cop_win();
            assert_eq!(is_cop_win, one_cop_wins(&graph), "{graph:?}");
            connected += 1;
        }
        // Labelled connected graphs, OEIS A001187.
        let all = [1, 1, 4, 38, 728, 26_704];
        assert_eq!(connected, all[vertices as usize - 1]);
    }
}

#[test]
fn petersens_graph_and_longer_cycles_have_no_pitfall() {
    assert_eq!(pitfalls(&petersen()), []);
    for vertices in 4..12 {
        let dismantling = checked_dismantling(&cycle(vertices));
        assert_eq!(dismantling.core.len(), vertices as usize);
        assert!(!dismantling.is_cop_win());
    }
    assert!(checked_dismantling(&cycle(3)).is_cop_win());
}

#[test]
fn a_point_is_cop_win_and_nothing_or_two_points_are_not() {
    assert!(!checked_dismantling(&undirected(0, &[])).is_cop_win());
    assert!(checked_dismantling(&undirected(1, &[])).is_cop_win());
    assert!(!checked_dismantling(&undirected(2, &[])).is_cop_win());
}

#[test]
fn a_large_open_map_dismantles_and_a_pillar_stays() {
    let (width, height) = (400, 300);
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("a map");
    let (open, _) = Digraph::of_map(&Graph::new(&map, Moves::Octile));
    let dismantling = dismantle(&open);
    assert!(dismantling.is_cop_win());
    assert_eq!(dismantling.order.len(), 119_999);
    map.set(Cell::new(200, 150), Terrain::Wall);
    let (pillar, _) = Digraph::of_map(&Graph::new(&map, Moves::Octile));
    // Steps do not cut corners, so that the robber runs around the pillar on eight cells.
    assert_eq!(dismantle(&pillar).core.len(), 8);
}

proptest! {
    #[test]
    fn pitfalls_are_those_of_the_definition(graph in random_graph(12)) {
        let mut expected = all_pitfalls(&graph, &(0..graph.vertices()).collect());
        expected.dedup_by_key(|pair| pair.0);
        let found: Vec<_> = pitfalls(&graph).into_iter().map(as_pair).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_lowest_pitfall_goes_until_none_is_left(graph in random_graph(12)) {
        checked_dismantling(&graph);
    }

    #[test]
    fn one_way_edges_do_no_harm((n, arcs) in random_arcs()) {
        let graph = Digraph::directed(n, &arcs).expect("edges in place");
        let Dismantling { order, core } = dismantle(&graph);
        prop_assert_eq!(order.len() + core.len(), n as usize);
        prop_assert!(pitfalls(&graph).len() <= n as usize);
    }

    #[test]
    fn trees_are_cop_win(parents in prop::collection::vec(any::<prop::sample::Index>(), 0..30)) {
        let parents = parents.iter().enumerate();
        let edges: Vec<_> = parents
            .map(|(child, parent)| (child as u32 + 1, parent.index(child + 1) as u32))
            .collect();
        let tree = undirected(edges.len() as u32 + 1, &edges);
        prop_assert!(checked_dismantling(&tree).is_cop_win());
    }

    #[test]
    fn connected_chordal_graphs_are_cop_win(
        steps in prop::collection::vec((any::<prop::sample::Index>(), any::<u32>()), 0..16),
    ) {
        // Each new vertex is joined to part of a clique, with which it forms a new one.
        let mut cliques = vec![vec![0_u32]];
        let mut edges = Vec::new();
        for (new, (clique, mask)) in (1..).zip(steps) {
            let clique = &cliques[clique.index(cliques.len())];
            let chosen = |bit: usize| bit == 0 || mask >> bit & 1 == 1;
            let part = clique.iter().enumerate().filter(|(bit, _)| chosen(*bit));
            let mut part: Vec<u32> = part.map(|(_, &vertex)| vertex).collect();
            edges.extend(part.iter().map(|&old| (old, new)));
            part.push(new);
            cliques.push(part);
        }
        let graph = undirected(cliques.len() as u32, &edges);
        prop_assert!(checked_dismantling(&graph).is_cop_win());
    }

    #[test]
    fn the_core_does_not_depend_on_the_numbers(
        (graph, order) in random_graph(12).prop_flat_map(|graph| {
            let order: Vec<Vertex> = graph.iter().collect();
            (Just(graph), Just(order).prop_shuffle())
        }),
    ) {
        let degrees = |graph: &Digraph| {
            let core = graph.induced(&dismantle(graph).core);
            let mut degrees: Vec<usize> = core.iter().map(|v| core.successors(v).len()).collect();
            degrees.sort_unstable();
            degrees
        };
        prop_assert_eq!(degrees(&graph), degrees(&graph.induced(&order)));
    }
}

proptest! {
    #[test]
    fn predecessors_are_the_tails_of_the_edges_to_a_vertex(
        vertices in 1_u32..12,
        edges in prop::collection::vec((0_u32..12, 0_u32..12), 0..40),
    ) {
        let edges: Vec<_> = edges.iter().map(|edge| (edge.0 % vertices, edge.1 % vertices)).collect();
        let graph = Digraph::directed(vertices, &edges).expect("edges in place");
        let before = graph.clone();
        for head in graph.iter() {
            let leads = |tail: &Vertex| graph.successors(*tail).contains(&head);
            let tails: Vec<Vertex> = graph.iter().filter(leads).collect();
            prop_assert_eq!(graph.predecessors(head), tails);
        }
        prop_assert_eq!(graph, before, "an answer changes nothing");
    }
}

#[test]
fn lists_of_edges_are_read() {
    let text = "# a triangle, and a way out\n4\n0 1\n\n1 2\n 2 0\n2 > 3\n";
    let graph = edge_list::parse(text).expect("a graph");
    let arcs = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2), (2, 3)];
    assert_eq!(graph, Digraph::directed(4, &arcs).expect("edges in place"));
    let error = |text| edge_list::parse(text).expect_err("no graph").to_string();
    assert_eq!(error(""), "1:1: expected a number of vertices, found \"\"");
    assert_eq!(
        error("2\n0 1 2\n"),
        "2:1: expected an edge `A B` or `A > B`, found \"0 1 2\""
    );
    assert_eq!(
        error("2\n1 > 2"),
        "2:1: expected vertices below 2, found \"1 > 2\""
    );
    assert_eq!(
        error("4294967295\n"),
        "1:1: expected at most 16777216 vertices, found \"4294967295\""
    );
}
