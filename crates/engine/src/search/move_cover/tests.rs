use super::*;
use crate::game::Speed;
use crate::map::{Cell, Moves, Terrain, TileMap};

fn draw_map(dice: &mut Dice) -> TileMap {
    let mut map = TileMap::filled(7, 7, Terrain::Floor).expect("a map");
    for _ in 0..dice.below(20) {
        let cell = Cell::new(dice.below(7) as u16, dice.below(7) as u16);
        map.set(cell, Terrain::Wall);
    }
    map
}

/// The most ends that the cops from the `cop`-th on can cover, each another one: all assignments are tried.
fn most_covered(reach: &[Vec<Vertex>], taken: &mut Vec<Vertex>) -> usize {
    let Some((first, rest)) = reach.split_first() else {
        return taken.len();
    };
    let mut most = most_covered(rest, taken);
    for &end in first {
        if !taken.contains(&end) {
            taken.push(end);
            most = most.max(most_covered(rest, taken));
            taken.pop();
        }
    }
    most
}

#[test]
fn as_many_moves_are_covered_as_all_assignments_find() {
    let mut dice = Dice::new(11);
    let mut cover = MoveCover::default();
    for round in 0..300 {
        let moves = [Moves::Octile, Moves::Orthogonal][round % 2];
        let graph = Graph::new(&draw_map(&mut dice), moves);
        let all: Vec<Vertex> = graph.iter().collect();
        let agent = |dice: &mut Dice, speeds: usize| Agent {
            at: dice.pick(&all).expect("floor"),
            speed: Speed::new(1 + dice.below(speeds) as u8).expect("a speed"),
        };
        let robber = agent(&mut dice, 2);
        let cops: Vec<Agent> = (0..5).map(|_| agent(&mut dice, 2)).collect();
        assert_eq!(cover.share_out(&graph, robber, &cops, round as u64), 5);
        let mut moves = MoveEnds::default();
        let mut ends = |agent: Agent| {
            let others = moves.find(&graph, agent.at, agent.speed, |_| false);
            let ends = others.iter().copied().chain([agent.at]);
            ends.collect::<Vec<Vertex>>()
        };
        let options = ends(robber);
        let reach: Vec<Vec<Vertex>> = cops
            .iter()
            .map(|&cop| {
                ends(cop)
                    .into_iter()
                    .filter(|at| options.contains(at))
                    .collect()
            })
            .collect();
        let mut covered: Vec<Vertex> = Vec::new();
        for (cop, reach) in reach.iter().enumerate() {
            if let Some(end) = cover.end_of(cop) {
                assert!(reach.contains(&end), "a cop covers what it reaches");
                assert!(!covered.contains(&end), "each cop covers another end");
                covered.push(end);
            }
        }
        let is_within_reach = reach.iter().any(|reach| reach.contains(&robber.at));
        assert_eq!(covered.contains(&robber.at), is_within_reach);
        assert_eq!(covered.len(), most_covered(&reach, &mut Vec::new()));
    }
}

#[test]
fn robbers_with_too_many_moves_are_left_to_others() {
    let map = TileMap::filled(20, 20, Terrain::Floor).expect("a map");
    let graph = Graph::new(&map, Moves::Octile);
    let at = |x, y| graph.vertex(Cell::new(x, y)).expect("floor");
    let fast = Agent {
        at: at(10, 10),
        speed: Speed::new(4).expect("a speed"),
    };
    let mut cover = MoveCover::default();
    assert_eq!(cover.share_out(&graph, fast, &[fast], 1), 0);
    assert_eq!(cover.end_of(0), None);
}
