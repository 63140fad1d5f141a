//! The first steps of long paths, which only teams of cops request.

use super::*;
use crate::map::{Cell, Moves, Terrain, TileMap};
use crate::search::Distances;

fn rough(dice: &mut Dice, walls: usize) -> Graph {
    let mut map = TileMap::filled(160, 160, Terrain::Floor).expect("some cells");
    for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
        if dice.below(100) < walls {
            map.set(cell, Terrain::Wall);
        }
    }
    Graph::new(&map, Moves::Octile)
}

#[test]
fn a_beginning_is_as_long_as_asked_for_and_leads_towards_the_goal() {
    let dice = &mut Dice::new(1);
    let (mut refiner, mut distances) = (Refiner::new(), Distances::default());
    let (mut began, mut asked, mut steps_in_all, mut gained, mut spent) = (0, 0, 0, 0, 0);
    for walls in [0, 10, 25, 30] {
        let graph = &rough(dice, walls);
        let hierarchy = &Hierarchy::new(graph);
        let vertices: Vec<Vertex> = graph.iter().collect();
        for _ in 0..40 {
            let ends = [(); 2].map(|()| dice.pick(&vertices).expect("a vertex"));
            let [from, to] = ends;
            distances.measure(graph, to);
            let Some(far) = distances.steps(from) else {
                continue;
            };
            for steps in [4, 16] {
                refiner.begin_beginning(graph, hierarchy, from, to, steps);
                refiner.finish(graph, Some(hierarchy));
                let path = refiner.path();
                let mut at = from;
                for &next in path {
                    assert!(graph.are_adjacent(at, next));
                    at = next;
                }
                assert!(path.len() >= steps || at == to, "{} of {steps}", path.len());
                let left = distances.steps(at).expect("a path");
                if far > 60 {
                    began += 1;
                    asked += steps;
                    steps_in_all += path.len();
                    gained += i64::from(far) - i64::from(left);
                    spent += refiner.work().expansions;
                }
            }
        }
    }
    // At most half as many steps again as requested; nine of ten paths lead nearer to the goal.
    assert!(began > 200);
    assert!(steps_in_all * 2 <= asked * 3, "{steps_in_all} of {asked}");
    assert!(
        gained * 10 >= i64::from(steps_in_all as u32) * 9,
        "{gained} nearer"
    );
    assert!(spent <= began * 160, "{spent} for {began}");
}

#[test]
fn of_the_children_of_a_vertex_the_nearest_to_a_place_is_taken() {
    let dice = &mut Dice::new(2);
    let graph = &rough(dice, 20);
    let hierarchy = &Hierarchy::new(graph);
    for level in 1..hierarchy.levels() {
        let network = hierarchy.level(level).expect("a level");
        for vertex in network.iter() {
            let place = [dice.below(160) as f32, dice.below(160) as f32];
            let far = |child| {
                let [x, y] = hierarchy.position(graph, level - 1, child);
                let (dx, dy) = (x - place[0], y - place[1]);
                dx * dx + dy * dy
            };
            let found = nearest_child(graph, hierarchy, level, vertex, place);
            let found = found.expect("a child");
            let children = hierarchy.children(level, vertex);
            assert!(children.contains(&found));
            assert!(children.iter().all(|&child| far(found) <= far(child)));
        }
    }
}
