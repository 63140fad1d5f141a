//! Territories and their borders, against distances from each cop.

use super::*;
use crate::game::Speed;
use crate::map::{Moves, Terrain, TileMap};
use crate::search::Dice;
use std::collections::BTreeSet;

fn draw_graph(dice: &mut Dice, round: usize) -> Graph {
    let mut map = TileMap::filled(16, 16, Terrain::Floor).expect("a map");
    for _ in 0..dice.below(90) {
        let cell = Cell::new(dice.below(16) as u16, dice.below(16) as u16);
        map.set(cell, Terrain::Wall);
    }
    Graph::new(&map, [Moves::Octile, Moves::Orthogonal][round % 2])
}

#[test]
fn the_border_of_a_territory_is_where_cops_are_no_later_beside_where_the_robber_is_first() {
    let mut dice = Dice::new(5);
    let mut cover = Cover::default();
    for round in 0..200 {
        let graph = draw_graph(&mut dice, round);
        let all: Vec<Vertex> = graph.iter().collect();
        let speeds = [1, 2].map(|most| 1 + dice.below(most) as u8);
        let agent = |dice: &mut Dice, speed| Agent {
            at: dice.pick(&all).expect("floor"),
            speed: Speed::new(speed).expect("a speed"),
        };
        let robber = agent(&mut dice, speeds[0]);
        let cops: Vec<Agent> = (0..=dice.below(6))
            .map(|_| agent(&mut dice, speeds[1]))
            .collect();
        let distances = |from: Vertex| {
            let mut distances = Distances::default();
            distances.begin(&graph, from);
            distances.advance(&graph, u64::MAX);
            distances
        };
        let near = distances(robber.at);
        let order: Vec<usize> = (0..cops.len()).collect();
        cover.begin(&graph, &near, robber, &cops, &order);
        while !cover.advance(&graph, &near, 1 + dice.below(300) as u64).0 {}

        let of_cops: Vec<Distances> = cops.iter().map(|cop| distances(cop.at)).collect();
        let turns = |steps: u32, speed: u8| f64::from(steps) / f64::from(speed);
        let first_cop = |at: Vertex| of_cops.iter().filter_map(|of| of.steps(at)).min();
        let is_robbers = |at: Vertex| match (near.steps(at), first_cop(at)) {
            (Some(robber), Some(cop)) => turns(robber, speeds[0]) < turns(cop, speeds[1]),
            _ => false,
        };
        let is_border = |at: &Vertex| {
            let beside = graph.neighbours(*at).iter();
            first_cop(*at).is_some() && !is_robbers(*at) && beside.copied().any(is_robbers)
        };
        let expected: BTreeSet<Vertex> = all.iter().copied().filter(is_border).collect();
        let found: BTreeSet<Vertex> = cover.border.iter().copied().collect();
        assert_eq!(found, expected, "{round}");
        for (cop, front) in cover.front_of.iter().enumerate() {
            let holds = |at: &Vertex| cover.owners[at.index()] as usize == cop;
            let own: Vec<Vertex> = cover.border.iter().copied().filter(holds).collect();
            assert_eq!(front.vertices as usize, own.len());
            let middle = front.middle.map(|(_, at)| at);
            assert_eq!(middle.is_some(), !own.is_empty());
            assert!(middle.is_none_or(|at| own.contains(&at)));
            // The owner of a vertex is among the cops that reach it first.
            let is_first = |&at: &Vertex| of_cops[cop].steps(at) == first_cop(at);
            assert!(own.iter().all(is_first), "{round}");
        }
    }
}
