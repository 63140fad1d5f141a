//! The graph against its definition, and edited graphs against newly built ones.

use crate::common;
use common::{any_moves, map, random_map};
use proptest::prelude::*;
use pursuit_engine::graph::{Graph, GraphBuilder, GraphDelta, TileEdit};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use std::collections::BTreeSet;

fn assert_is_graph_of(graph: &Graph, map: &TileMap, moves: Moves) {
    let passable = map.cells().filter(|&cell| map.is_passable(cell)).count();
    assert_eq!(graph.vertices(), passable);
    assert_eq!(graph.iter().count(), passable);
    for cell in map.cells() {
        assert_eq!(graph.is_passable(cell), map.is_passable(cell), "{cell:?}");
        let Some(vertex) = graph.vertex(cell) else {
            continue;
        };
        assert_eq!(graph.cell(vertex), cell);
        let found: Vec<Cell> = graph
            .neighbours(vertex)
            .iter()
            .map(|&next| graph.cell(next))
            .collect();
        let set: BTreeSet<Cell> = found.iter().copied().collect();
        assert_eq!(set.len(), found.len(), "a neighbour twice");
        assert_eq!(set, common::neighbours(map, cell, moves), "{cell:?}");
    }
    assert_eq!(graph.fingerprint(), Graph::new(map, moves).fingerprint());
}

#[test]
fn diagonal_steps_need_the_whole_square() {
    let map = map(&[
        "..#", //
        "...", //
        "#..",
    ]);
    let graph = Graph::new(&map, Moves::Octile);
    let vertex = |x, y| graph.vertex(Cell::new(x, y)).unwrap();
    assert!(graph.are_adjacent(vertex(0, 0), vertex(1, 1)));
    assert!(
        !graph.are_adjacent(vertex(1, 0), vertex(2, 1)),
        "cuts (2, 0)"
    );
    assert!(
        !graph.are_adjacent(vertex(0, 1), vertex(1, 2)),
        "cuts (0, 2)"
    );
    assert!(graph.are_adjacent(vertex(1, 1), vertex(2, 2)));
}

#[test]
fn vertices_are_numbered_row_by_row() {
    let graph = Graph::new(&map(&["..#", ".#."]), Moves::Octile);
    let numbers: Vec<usize> = graph
        .iter()
        .map(pursuit_engine::graph::Vertex::index)
        .collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
    let first = graph
        .iter()
        .map(|vertex| graph.cell(vertex))
        .collect::<Vec<_>>();
    assert!(first.is_sorted(), "{first:?}");
}

#[test]
fn fingerprints_are_part_of_the_formats_and_stay() {
    let graph = Graph::new(&map(&["..#", "..."]), Moves::Octile);
    assert_eq!(
        graph.fingerprint().to_string(),
        "d577c4e72a875d9e2bc0f31d2c8e9e6c"
    );
}

#[test]
fn fingerprints_tell_size_moves_and_walls_apart() {
    let prints: BTreeSet<_> = [
        Graph::new(&map(&["...", "..."]), Moves::Octile),
        Graph::new(&map(&["...", "..."]), Moves::Orthogonal),
        Graph::new(&map(&["..", "..", ".."]), Moves::Octile),
        Graph::new(&map(&["..#", "..."]), Moves::Octile),
        Graph::new(&map(&["...", "..#"]), Moves::Octile),
        Graph::new(&map(&["......"]), Moves::Octile),
    ]
    .iter()
    .map(Graph::fingerprint)
    .collect();
    assert_eq!(prints.len(), 6);
}

#[test]
fn edits_off_the_map_and_edits_that_change_nothing_are_left_out() {
    let mut graph = Graph::new(&map(&["...", "..."]), Moves::Octile);
    let edit = |x, y, passable| TileEdit {
        cell: Cell::new(x, y),
        passable,
    };
    assert!(
        graph
            .apply(&[edit(3, 0, false), edit(0, 2, true), edit(0, 0, true)])
            .is_empty()
    );
    assert!(
        graph
            .apply(&[edit(1, 1, false), edit(1, 1, true)])
            .is_empty()
    );
    let delta = graph.apply(&[edit(1, 1, false)]);
    assert_eq!((delta.closed().len(), delta.opened().len()), (1, 0));
    assert_eq!(graph.vertices(), 5);
    assert_eq!(graph.slots(), 6, "numbers stay");
}

proptest! {
    #[test]
    fn a_graph_that_is_built_in_pieces_is_the_graph(
        map in random_map(19),
        moves in any_moves(),
        pieces in prop::collection::vec(1..200_usize, 1..40),
    ) {
        let mut builder = GraphBuilder::new(&map, moves);
        for piece in pieces {
            builder.advance(&map, piece);
        }
        let graph = builder.finish(&map);
        let whole = Graph::new(&map, moves);
        let bytes = |graph| postcard::to_allocvec(graph).expect("serialisable");
        prop_assert_eq!(bytes(&graph), bytes(&whole));
        for vertex in whole.iter() {
            prop_assert_eq!(graph.neighbours(vertex), whole.neighbours(vertex));
        }
    }

    #[test]
    fn a_graph_is_what_its_definition_says(map in random_map(9), moves in any_moves()) {
        assert_is_graph_of(&Graph::new(&map, moves), &map, moves);
    }

    #[test]
    fn an_edited_graph_is_the_graph_of_the_edited_map(
        mut map in random_map(9),
        moves in any_moves(),
        batches in prop::collection::vec(
            prop::collection::vec((0..10_u16, 0..10_u16, any::<bool>()), 0..12), 1..6),
    ) {
        let mut graph = Graph::new(&map, moves);
        let (mut other, mut reused) = (graph.clone(), GraphDelta::default());
        for batch in batches {
            let before = map.clone();
            let edits: Vec<TileEdit> = batch
                .iter()
                .map(|&(x, y, passable)| TileEdit { cell: Cell::new(x, y), passable })
                .collect();
            for edit in &edits {
                map.set(edit.cell, if edit.passable { Terrain::Floor } else { Terrain::Wall });
            }
            let delta = graph.apply(&edits);
            other.apply_into(&edits, &mut reused);
            prop_assert_eq!(&reused, &delta);
            assert_is_graph_of(&graph, &map, moves);
            let cells = |vertices: &[_]| -> BTreeSet<Cell> {
                vertices.iter().map(|&v| graph.cell(v)).collect()
            };
            let changed = |passable| -> BTreeSet<Cell> {
                map.cells()
                    .filter(|&c| map.is_passable(c) == passable && before.is_passable(c) != passable)
                    .collect()
            };
            prop_assert_eq!(cells(delta.opened()), changed(true));
            prop_assert_eq!(cells(delta.closed()), changed(false));
        }
    }
}
