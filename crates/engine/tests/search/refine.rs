//! Refinement of abstract paths, and paths of PRA*, on random maps.

use crate::common;
use common::{any_moves, ruled_map, two_way_map};
use proptest::prelude::*;
use proptest::sample::Index;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Speed, is_legal_move};
use pursuit_engine::graph::{Graph, Network, Vertex};
use pursuit_engine::search::{Dice, Distances, LevelPath, Refiner};

/// Returns whether `way` is a path on the map, of any length.
fn is_way(graph: &Graph, from: Vertex, way: &[Vertex]) -> bool {
    let one = |(from, to): (Vertex, Vertex)| is_legal_move(graph, from, &[to], Speed::ONE);
    let starts = std::iter::once(from).chain(way.iter().copied());
    starts.zip(way.iter().copied()).all(one)
}

/// A path through a level from a vertex, chosen by the numbers in `choices`.
fn walk(level: &impl Network, from: Vertex, choices: &[Index]) -> Vec<Vertex> {
    let mut path = vec![from];
    for choice in choices {
        let neighbours = level.neighbours(path[path.len() - 1]);
        if neighbours.is_empty() {
            break;
        }
        path.push(*choice.get(neighbours));
    }
    path.remove(0);
    path
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn finds_a_way_wherever_there_is_one(
        map in ruled_map(12),
        moves in any_moves(),
        ends in any::<(Index, Index)>(),
    ) {
        let graph = Graph::new(&map, moves);
        let hierarchy = Hierarchy::new(&graph);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let (from, to) = (*ends.0.get(&vertices), *ends.1.get(&vertices));
        let mut distances = Distances::default();
        distances.measure(&graph, to);
        let steps = distances.steps(from).map(|steps| steps as usize);
        let mut refiner = Refiner::new();
        let direct = refiner.find(&graph, None, from, to).map(<[_]>::to_vec);
        prop_assert_eq!(direct.as_ref().map(Vec::len), steps, "A* is exact");
        let refined = refiner.find(&graph, Some(&hierarchy), from, to).map(<[_]>::to_vec);
        prop_assert_eq!(refined.is_some(), steps.is_some());
        for way in [direct, refined].iter().flatten() {
            prop_assert!(is_way(&graph, from, way));
            prop_assert_eq!(way.last().copied().unwrap_or(from), to);
        }
    }

    #[test]
    fn refines_any_path_of_any_level(
        map in two_way_map(12),
        moves in any_moves(),
        from in any::<Index>(),
        level in any::<Index>(),
        choices in prop::collection::vec(any::<Index>(), 0..6),
        seed in any::<u64>(),
    ) {
        let graph = Graph::new(&map, moves);
        let hierarchy = Hierarchy::new(&graph);
        let vertices: Vec<Vertex> = graph.iter().collect();
        let from = *from.get(&vertices);
        let level = level.index(hierarchy.levels());
        let start = hierarchy.ancestor(from, level).expect("an ancestor");
        let path = match hierarchy.level(level) {
            Some(level) => walk(level, start, &choices),
            None => walk(&graph, start, &choices),
        };
        let mut refiner = Refiner::new();
        let mut refine = || {
            let dice = &mut Dice::new(seed);
            let path = LevelPath::new(level, &path);
            refiner.refine(&graph, &hierarchy, path, from, usize::MAX, dice).to_vec()
        };
        let way = refine();
        prop_assert_eq!(refine(), way.clone(), "the same seed, the same way");
        prop_assert!(is_way(&graph, from, &way));
        let end = way.last().copied().unwrap_or(from);
        let last = path.last().copied().unwrap_or(start);
        prop_assert_eq!(hierarchy.ancestor(end, level), Some(last));
    }
}
