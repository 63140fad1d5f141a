//! Paths and meeting places against Dijkstra's algorithm.

use super::super::Maps;
use super::super::pathfinder::{Length, Pathfinder};
use super::*;
use crate::game::{Speed, Step};
use crate::map::{Moves, Terrain, TileMap};
use crate::search::Dice;
use pathfinding::directed::dijkstra::dijkstra_all;
use std::collections::BTreeMap;

/// A map of `side` x `side` cells with walls at random.
fn rough(dice: &mut Dice, side: u16, moves: Moves) -> Graph {
    let walls = [0, 10, 30][dice.below(3)];
    let mut map = TileMap::filled(side, side, Terrain::Floor).expect("some cells");
    for cell in map.cells().filter(|&cell| cell != Cell::new(0, 0)) {
        if dice.below(100) < walls {
            map.set(cell, Terrain::Wall);
        }
    }
    Graph::new(&map, moves)
}

fn agent(graph: &Graph, dice: &mut Dice) -> Agent {
    let vertices: Vec<Vertex> = graph.iter().collect();
    Agent {
        at: dice.pick(&vertices).expect("a vertex"),
        speed: Speed::new(1 + dice.below(3) as u8).expect("a speed"),
    }
}

/// The least cost from a vertex to each other.
fn costs(from: Vertex, edges: impl Fn(Vertex) -> Vec<(Vertex, u32)>) -> BTreeMap<Vertex, u32> {
    let all = dijkstra_all(&from, |&vertex| edges(vertex));
    let costs = all.into_iter().map(|(to, (_, cost))| (to, cost));
    costs.chain([(from, 0)]).collect()
}

#[test]
fn a_measured_path_has_the_fewest_steps_and_of_those_the_fewest_diagonals() {
    const STEP: u32 = 1000;
    let dice = &mut Dice::new(1);
    let (mut finder, mut measured) = (Pathfinder::default(), 0);
    for _ in 0..600 {
        let moves = [Moves::Octile, Moves::Octile, Moves::Orthogonal][dice.below(3)];
        let graph = &rough(dice, 24, moves);
        let maps = Maps {
            graph,
            hierarchy: None,
        };
        let (from, to) = (agent(graph, dice).at, agent(graph, dice).at);
        let is_diagonal = |a: Vertex, b: Vertex| {
            let (a, b) = (graph.cell(a), graph.cell(b));
            u32::from(a.x != b.x && a.y != b.y)
        };
        let edges = |a| {
            let next = graph.neighbours(a).iter();
            next.map(|&b| (b, STEP + is_diagonal(a, b))).collect()
        };
        let cost = costs(from, edges).get(&to).copied();
        finder.forget(graph);
        finder.begin(maps, from, to, 0);
        let length = loop {
            if let Some(length) = finder.measure(maps, 1 + dice.below(60) as u64) {
                break length;
            }
        };
        let Some(cost) = cost else {
            assert_eq!(length, Length::Endless);
            continue;
        };
        assert_eq!(length, Length::Steps(cost / STEP));
        assert_eq!(finder.path().len() as u32, cost / STEP);
        let mut diagonals = 0;
        let end = finder.path().iter().fold(from, |at, &next| {
            assert!(graph.are_adjacent(at, next));
            diagonals += is_diagonal(at, next);
            next
        });
        assert_eq!((end, diagonals), (to, cost % STEP));
        measured += 1;
    }
    assert!(measured > 300);
}

/// The cost of a length in cells on a level, by its definition.
fn cost_of([dx, dy]: [f32; 2], level: usize) -> u32 {
    let (long, short) = (dx.abs().max(dy.abs()), dx.abs().min(dy.abs()));
    let cells = long + (std::f32::consts::SQRT_2 - 1.0) * short;
    (cells * 16.0 / (1 << level) as f32) as u32 + 1
}

fn edge(network: &AbstractLevel, level: usize, a: Vertex, b: Vertex) -> u32 {
    let ([ax, ay], [bx, by]) = (network.position(a), network.position(b));
    cost_of([ax - bx, ay - by], level)
}

/// The cost from a cell to a vertex of a level.
fn first(graph: &Graph, network: &AbstractLevel, level: usize, from: Vertex, to: Vertex) -> u32 {
    let (cell, [x, y]) = (graph.cell(from), network.position(to));
    cost_of([x - f32::from(cell.x), y - f32::from(cell.y)], level)
}

/// The costs of a cheapest path from a cop to a vertex of a level, for each first step.
fn ways_to(
    graph: &Graph,
    network: &AbstractLevel,
    level: usize,
    cop: Vertex,
    from: Vertex,
    to: Vertex,
) -> Vec<u32> {
    let edges = |a| {
        let next = network.neighbours(a).iter();
        next.map(|&b| (b, edge(network, level, a, b))).collect()
    };
    if from == to {
        return vec![0];
    }
    let rest = costs(to, edges);
    let Some(&whole) = rest.get(&from) else {
        return Vec::new();
    };
    let next = network.neighbours(from).iter().copied();
    let next = next.filter(|next| edge(network, level, from, *next) + rest[next] == whole);
    next.map(|next| first(graph, network, level, cop, next) + rest[&next])
        .collect()
}

#[test]
fn on_a_coarse_level_a_cop_goes_to_the_first_place_where_it_is_no_later() {
    let dice = &mut Dice::new(2);
    let (mut flight, mut met, mut late, mut near) = (Flight::default(), 0, 0, 0);
    for _ in 0..400 {
        let graph = &rough(dice, 64, Moves::Octile);
        let hierarchy = &Hierarchy::new(graph);
        let maps = Maps {
            graph,
            hierarchy: Some(hierarchy),
        };
        let [robber, chaser, cop] = [(); 3].map(|()| agent(graph, dice));
        flight.forget();
        if !flight.begin_coarse(maps, robber, &[chaser]) {
            continue;
        }
        let runs = loop {
            if let Step::Done(runs) = flight.run_coarse(maps, robber, 1 + dice.below(40) as u64) {
                break runs;
            }
        };
        let level = flight.level;
        let network = hierarchy.level(level).expect("a coarse level");
        if !runs || !hierarchy.connected(robber.at, cop.at) {
            continue;
        }
        let from = hierarchy.ancestor(cop.at, level).expect("an ancestor");
        // The cost of the robber's path from its cell.
        let places = flight.places.clone();
        let mut cost = 0;
        for (index, pair) in places.windows(2).enumerate() {
            let [(before, _), (place, lead)] = [pair[0], pair[1]];
            cost += match index {
                0 => first(graph, network, level, robber.at, place),
                _ => edge(network, level, before, place),
            };
            assert!(network.neighbours(before).contains(&place));
            assert_eq!(lead, cost);
        }
        flight.begin_to_meet(maps, cop);
        let path = loop {
            let budget = 1 + dice.below(40) as u64;
            if let Some(LevelPath { vertices: path, .. }) =
                flight.meet_coarse(maps, cop, robber, budget)
            {
                break path.to_vec();
            }
        };
        let last = path.last().copied().unwrap_or(from);
        let chosen = places.iter().position(|&(place, _)| place == last);
        let chosen = chosen.expect("a place of the robber");
        let (cop_speed, robber_speed): (i64, i64) =
            (cop.speed.steps().into(), robber.speed.steps().into());
        let lateness = |&(place, lead): &(Vertex, u32)| -> Vec<i64> {
            let ways = ways_to(graph, network, level, cop.at, from, place);
            let late = |cost: u32| i64::from(cost) * robber_speed - i64::from(lead) * cop_speed;
            ways.into_iter().map(late).collect()
        };
        // The robber's path is a cheapest one.
        let whole = costs(from, |a| {
            let next = network.neighbours(a).iter();
            next.map(|&b| (b, edge(network, level, a, b))).collect()
        });
        let steps = std::iter::once(&from).chain(&path).zip(&path);
        let own: u32 = steps.map(|(&a, &b)| edge(network, level, a, b)).sum();
        assert_eq!(own, whole[&last]);
        let is_late = lateness(&places[chosen]).iter().all(|&late| late > 0);
        assert!(!is_late || chosen + 1 == places.len());
        (met, late) = (met + u32::from(!is_late), late + u32::from(is_late));
        for place in &places[..chosen] {
            near += u32::from(lateness(place).iter().all(|&late| late <= 0));
        }
    }
    assert!(met > 50 && late > 50);
    // The estimates by which places are skipped are measured from the centre of a vertex, not from the
    // cop's cell.
    assert!(near <= 3, "{near} places are passed over");
}
