//! Retracts of maps: against their definition, and the size of the core against the dismantling of graphs.

use pursuit_engine::graph::{Digraph, Graph, Retract};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::{Dice, Distances};
use pursuit_lab::graph::dismantle;

fn any_graph(dice: &mut Dice) -> Graph {
    let (width, height) = (1 + dice.below(14) as u16, 1 + dice.below(14) as u16);
    let walls = [0, 10, 20, 30][dice.below(4)];
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
        if dice.below(100) < walls {
            map.set(cell, Terrain::Wall);
        }
    }
    Graph::new(&map, [Moves::Octile, Moves::Orthogonal][dice.below(2)])
}

/// The size of the core by the test for graphs that one cop wins.
fn core(graph: &Graph) -> usize {
    let edges = graph.iter().flat_map(|tail| {
        let heads = graph.neighbours(tail).iter();
        heads.map(move |head| (tail.index() as u32, head.index() as u32))
    });
    let edges: Vec<(u32, u32)> = edges.collect();
    let digraph = Digraph::undirected(graph.slots() as u32, &edges).expect("edges in place");
    dismantle(&digraph).core.len()
}

#[test]
fn images_keep_edges_distances_and_the_part_itself() {
    let dice = &mut Dice::new(1);
    let mut folded = 0;
    for _ in 0..200 {
        let graph = any_graph(dice);
        let most = dice.below(graph.vertices() + 1);
        let retract = Retract::new(&graph, most);
        let smallest = core(&graph).max(most).min(graph.vertices());
        assert_eq!(retract.vertices().len(), smallest);
        folded += graph.vertices() - smallest;
        let image = |vertex| retract.image(vertex).expect("of the map");
        let mut distances = Distances::default();
        for vertex in graph.iter() {
            let to = image(vertex);
            assert!(retract.vertices().binary_search(&to).is_ok());
            distances.measure(&graph, vertex);
            let far = distances.steps(to).expect("an image within reach");
            assert!(far <= retract.rounds(), "{far} steps");
            for &beside in graph.neighbours(vertex) {
                let other = image(beside);
                assert!(other == to || graph.neighbours(to).contains(&other));
            }
        }
        for &vertex in retract.vertices() {
            assert_eq!(image(vertex), vertex);
        }
    }
    assert!(folded > 2_000, "only {folded} folds");
}
