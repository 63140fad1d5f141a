use super::*;
use crate::game::Speed;
use crate::graph::Graph;
use crate::map::{Moves, Terrain, TileMap};
use crate::search::{Dice, MoveEnds};

/// What one agent reaches, by a search of its own.
fn reached_alone(graph: &Graph, agent: Reaching) -> Vec<Vertex> {
    let mut ends = MoveEnds::default();
    let mut reached = vec![agent.at];
    if let Some(steps) = Speed::new(agent.steps) {
        reached.extend(ends.find(graph, agent.at, steps, |_| false));
    }
    reached
}

#[test]
fn one_wave_covers_what_the_agents_cover_one_by_one() {
    let mut dice = Dice::new(7);
    let mut covered = CoveredVertices::default();
    for case in 0..2_000 {
        let (width, height) = (1 + dice.below(9) as u16, 1 + dice.below(9) as u16);
        let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
        for at in map.cells().collect::<Vec<_>>() {
            if dice.below(4) == 0 {
                map.set(at, Terrain::Wall);
            }
        }
        let graph = Graph::new(&map, Moves::Octile);
        let open: Vec<Vertex> = map.cells().filter_map(|cell| graph.vertex(cell)).collect();
        if open.is_empty() {
            continue;
        }
        let agents = (0..dice.below(6)).map(|number| Reaching {
            at: open[dice.below(open.len())],
            steps: dice.below(5) as u8,
            number: number as u32,
        });
        let agents: Vec<Reaching> = agents.collect();
        covered.find(&graph, &mut agents.clone());
        let alone: Vec<_> = agents
            .iter()
            .map(|&agent| reached_alone(&graph, agent))
            .collect();
        for &at in &open {
            let by = covered.covered_by(at);
            match by {
                Some(by) => assert!(alone[by as usize].contains(&at), "case {case}: {at:?}"),
                None => assert!(
                    alone.iter().all(|reached| !reached.contains(&at)),
                    "case {case}"
                ),
            }
        }
    }
}
