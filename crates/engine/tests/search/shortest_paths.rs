//! Distances and shortest paths against a search by sets.

use crate::common;
use common::{any_moves, hexagons, neighbours, two_way_map};
use proptest::prelude::*;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::search::{Distances, shortest_path};
use std::collections::{BTreeMap, BTreeSet};

/// The number of steps to each reachable cell.
fn by_sets(map: &TileMap, moves: Moves, from: Cell) -> BTreeMap<Cell, u32> {
    let mut steps = BTreeMap::from([(from, 0)]);
    let mut rim = BTreeSet::from([from]);
    for step in 1.. {
        let next = rim.iter().flat_map(|&cell| neighbours(map, cell, moves));
        rim = next.filter(|cell| !steps.contains_key(cell)).collect();
        if rim.is_empty() {
            break;
        }
        steps.extend(rim.iter().map(|&cell| (cell, step)));
    }
    steps
}

/// Returns whether a path without its start leads to its end in `steps` steps.
fn leads(graph: &Graph, (from, to): (Vertex, Vertex), path: &[Vertex], steps: u32) -> bool {
    let starts = std::iter::once(from).chain(path.iter().copied());
    let all = starts
        .zip(path)
        .all(|(from, &to)| graph.are_adjacent(from, to));
    all && path.len() == steps as usize && path.last().copied().unwrap_or(from) == to
}

/// The square of the distance as the crow flies, in any unit.
fn squared_distance(moves: Moves, a: Cell, b: Cell) -> u64 {
    match moves {
        Moves::Hexagonal(layout) => hexagons::squared_distance(layout, a, b),
        _ => a.squared_distance(b),
    }
}

proptest! {
    #[test]
    fn paths_are_as_short_as_can_be_and_go_by_diagonals_first(
        map in two_way_map(12),
        moves in any_moves(),
        choice in any::<usize>(),
    ) {
        let graph = Graph::new(&map, moves);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let source = vertices[choice % vertices.len()];
        let expected = by_sets(&map, moves, graph.cell(source));
        let mut distances = Distances::default();
        distances.measure(&graph, source);
        prop_assert_eq!(distances.reachable().len(), expected.len());
        for &to in &vertices {
            let steps = expected.get(&graph.cell(to)).copied();
            prop_assert_eq!(distances.steps(to), steps);
            let there = distances.path_to(&graph, to);
            let back = distances.path_from(&graph, to);
            let found = shortest_path(&graph, source, to);
            let Some(steps) = steps else {
                prop_assert_eq!((there, back, found), (vec![], vec![], None));
                continue;
            };
            prop_assert!(leads(&graph, (source, to), &there, steps));
            prop_assert!(leads(&graph, (to, source), &back, steps));
            prop_assert!(leads(&graph, (source, to), &found.unwrap_or_default(), steps));
            if graph.has_links() {
                continue;
            }
            // Of all steps that shorten the path, the one that ends nearest to the source.
            let goal = graph.cell(source);
            let mut at = graph.cell(to);
            for (&step, left) in back.iter().zip((0..steps).rev()) {
                let nearer = neighbours(&map, at, moves).into_iter();
                let nearer = nearer.filter(|cell| expected.get(cell) == Some(&left));
                let least = nearer.map(|cell| squared_distance(moves, cell, goal)).min();
                at = graph.cell(step);
                prop_assert_eq!(Some(squared_distance(moves, at, goal)), least);
            }
        }
    }
}
