//! Decisions on a live map: always legal, on whatever map, after whatever edits.

mod common;

use bevy_pursuit::game::{Outcome, Speed, Value, is_legal_move};
use bevy_pursuit::graph::{Graph, TileEdit, Vertex};
use bevy_pursuit::map::{Cell, Moves, TileMap};
use bevy_pursuit::policy::{Decision, Source};
use bevy_pursuit::search::{Distances, shortest_path};
use bevy_pursuit::world::{Body, CopTactics, PursuitWorld};
use common::{any_moves, map, random_map};
use pathfinding::prelude::bfs;
use proptest::prelude::*;
use proptest::sample::Index;

fn body(x: u16, y: u16, speed: u8) -> Body {
    Body {
        cell: Cell::new(x, y),
        speed: Speed::new(speed).expect("a speed"),
    }
}

fn world(rows: &[&str]) -> PursuitWorld {
    PursuitWorld::new(&map(rows), Moves::Octile)
}

fn cells(world: &PursuitWorld, path: &[Vertex]) -> Vec<(u16, u16)> {
    let cell = |&vertex: &Vertex| world.graph().cell(vertex);
    path.iter().map(cell).map(|c| (c.x, c.y)).collect()
}

const LOOP: &str = "\
.......
.#####.
.#####.
.#####.
.......";

/// Two cops behind a robber on the loop; when they capture it, if within a hundred turns.
fn run_round_the_block(tactics: CopTactics) -> Option<u32> {
    let rows: Vec<&str> = LOOP.lines().collect();
    let mut world = world(&rows);
    let (mut robber, mut cops) = (body(6, 2, 1), [body(0, 1, 1), body(0, 1, 1)]);
    let go = |world: &PursuitWorld, body: &mut Body, decision: &Decision| {
        let end = decision.way().last();
        body.cell = end.map_or(body.cell, |&vertex| world.graph().cell(vertex));
    };
    (1..=100).find(|_| {
        let decisions = world.decide_cops(&cops, &[robber], tactics);
        for (cop, decision) in cops.iter_mut().zip(&decisions) {
            go(&world, cop, decision);
        }
        let decision = world.decide_robber(robber, &cops);
        go(&world, &mut robber, &decision);
        cops.iter().any(|cop| cop.cell == robber.cell)
    })
}

#[test]
fn two_cops_cut_the_robber_off_on_a_loop_and_a_queue_never_does() {
    assert_eq!(run_round_the_block(CopTactics::Chase), None);
    let turn = run_round_the_block(CopTactics::Intercept).expect("an end");
    assert!(turn > 5, "a robber that does not run: {turn}");
}

#[test]
fn each_cop_goes_for_the_robber_it_reaches_first() {
    let mut world = world(&["........."]);
    let robbers = [body(0, 0, 1), body(8, 0, 1)];
    let decisions = world.decide_cops(
        &[body(3, 0, 1), body(4, 0, 2), body(5, 0, 1)],
        &robbers,
        CopTactics::Intercept,
    );
    let ways: Vec<_> = decisions.iter().map(|d| cells(&world, d.way())).collect();
    assert_eq!(ways, [vec![(2, 0)], vec![(3, 0), (2, 0)], vec![(6, 0)]]);
}

#[test]
fn a_cop_without_a_way_goes_as_near_as_the_walls_allow() {
    let mut world = world(&["....#...", "....#...", "....#..."]);
    let decision = world
        .decide_cops(&[body(0, 0, 9)], &[body(6, 1, 1)], CopTactics::Intercept)
        .remove(0);
    assert_eq!(decision.source, Source::Greedy);
    let end = decision.path.last().map(|&v| world.graph().cell(v).x);
    assert_eq!(end, Some(3));
    assert_eq!(
        world.decide_robber(body(6, 1, 1), &[body(0, 0, 9)]).value,
        Some(Value::Exact(Outcome::Escapes))
    );
}

#[test]
fn an_agent_in_a_wall_steps_out_and_one_walled_in_waits() {
    let mut world = world(&["...", ".#.", "..."]);
    let decision = world.decide_robber(body(1, 1, 2), &[body(0, 0, 1)]);
    assert_eq!(cells(&world, decision.way()), [(2, 1)], "away from the cop");
    let cops = world.decide_cops(&[body(1, 1, 2)], &[body(2, 2, 1)], CopTactics::Intercept);
    assert_eq!(cells(&world, cops[0].way()), [(2, 2)], "towards the robber");
    assert_eq!(
        cells(&world, world.steer(body(1, 1, 2), 0, 1, &[]).way()),
        [(1, 2)]
    );
    assert_eq!(world.steer(body(1, 1, 2), 0, 0, &[]).way(), []);
    let around = (0..3).flat_map(|y| (0..3).map(move |x| (x, y)));
    let walls: Vec<TileEdit> = around
        .map(|(x, y)| TileEdit {
            cell: Cell::new(x, y),
            passable: false,
        })
        .collect();
    world.apply(&walls);
    assert_eq!(
        world.decide_robber(body(1, 1, 2), &[]),
        Decision::wait(Source::Greedy)
    );
    assert_eq!(
        world.decide_cops(&[body(1, 1, 2)], &[body(0, 0, 1)], CopTactics::Intercept),
        [Decision::wait(Source::Greedy)]
    );
}

#[test]
fn a_cop_in_a_wall_still_counts() {
    let mut world = world(&[".....", "####."]);
    let robber = body(2, 0, 1);
    let decision = world.decide_robber(robber, &[body(0, 1, 1)]);
    assert_eq!(
        cells(&world, decision.way()),
        [(3, 0)],
        "it runs from the exits"
    );
    assert!(matches!(
        decision.value,
        Some(Value::AtLeast(Outcome::Caught(_)))
    ));
}

#[test]
fn steering_slides_along_walls_and_stops_at_them() {
    let world = world(&["....", "..#.", "...."]);
    let way = |from, dx, dy| cells(&world, world.steer(from, dx, dy, &[]).way());
    assert_eq!(way(body(0, 1, 3), 1, 0), [(1, 1)]);
    assert_eq!(way(body(1, 1, 1), 1, 1), [(1, 2)], "cannot cut the corner");
    assert_eq!(way(body(0, 0, 2), 5, 0), [(1, 0), (2, 0)]);
    assert_eq!(way(body(0, 0, 2), 0, 0), []);
    assert_eq!(way(body(3, 2, 2), 1, 1), []);
}

#[test]
fn a_player_goes_as_far_as_the_first_opponent() {
    let world = world(&["......"]);
    let (me, other) = (body(0, 0, 4), [body(2, 0, 1)]);
    for decision in [
        world.steer(me, 1, 0, &other),
        world.walk(me, Cell::new(5, 0), &other),
    ] {
        assert_eq!(cells(&world, decision.way()), [(1, 0), (2, 0)]);
    }
    let on_it = body(2, 0, 4);
    assert_eq!(world.steer(on_it, 1, 0, &other).way(), []);
    assert_eq!(world.walk(on_it, Cell::new(5, 0), &other).way(), []);
}

#[test]
fn steps_out_of_a_wall_are_open_and_steps_into_one_are_not() {
    let world = world(&["...", ".#.", "..."]);
    let open = |from: (u16, u16), way: &[(u16, u16)]| {
        let way: Vec<Cell> = way.iter().map(|&(x, y)| Cell::new(x, y)).collect();
        world.open_steps(Cell::new(from.0, from.1), &way)
    };
    assert_eq!(open((1, 1), &[(2, 2), (1, 2)]), 2);
    assert_eq!(open((1, 1), &[(1, 1)]), 0);
    assert_eq!(open((0, 1), &[(0, 0), (1, 0), (1, 1), (1, 2)]), 2);
    assert_eq!(open((0, 1), &[(1, 0)]), 0, "cuts a corner");
    assert_eq!(open((0, 0), &[(2, 0)]), 0, "two steps in one");
}

#[test]
fn walking_takes_a_shortest_path() {
    let world = world(&["....", "..#.", "...."]);
    let decision = world.walk(body(0, 1, 1), Cell::new(3, 1), &[]);
    assert_eq!((decision.path.len(), decision.steps), (4, 1));
    assert!(
        world
            .walk(body(0, 1, 1), Cell::new(2, 1), &[])
            .path
            .is_empty(),
        "into a wall"
    );
    assert!(
        world
            .walk(body(0, 1, 1), Cell::new(9, 9), &[])
            .path
            .is_empty(),
        "off the map"
    );
}

fn free_cells(map: &TileMap) -> Vec<Cell> {
    map.cells().filter(|&cell| map.is_passable(cell)).collect()
}

proptest! {
    #[test]
    fn plain_paths_are_shortest(map in random_map(9), moves in any_moves(), a: Index, b: Index) {
        let graph = Graph::new(&map, moves);
        let free = free_cells(&map);
        let [a, b] = [a, b].map(|at| graph.vertex(*at.get(&free)).unwrap());
        let oracle = bfs(&a, |&v| graph.neighbours(v).to_vec(), |&v| v == b);
        let length = oracle.map(|path| path.len() - 1);
        let path = shortest_path(&graph, a, b);
        prop_assert_eq!(path.as_ref().map(Vec::len), length);
        let mut distances = Distances::default();
        distances.measure(&graph, b);
        prop_assert_eq!(distances.steps(a).map(|steps| steps as usize), length);
        let longest = Speed::new(u8::MAX).unwrap();
        for path in [path.unwrap_or_default(), distances.path_from(&graph, a)] {
            prop_assert_eq!(path.len(), length.unwrap_or(0));
            prop_assert!(path.is_empty() || path.last() == Some(&b));
            prop_assert!(is_legal_move(&graph, a, &path, longest));
        }
    }

    #[test]
    fn every_decision_is_legal_on_the_map_as_it_is(
        map in random_map(10), moves in any_moves(),
        bodies in prop::collection::vec((0..12_u16, 0..12_u16, 1..4_u8), 1..8),
        robbers in 0..4_usize,
        tactics in prop_oneof![Just(CopTactics::Intercept), Just(CopTactics::Chase)],
        batches in prop::collection::vec(
            prop::collection::vec((0..12_u16, 0..12_u16, any::<bool>()), 0..9), 1..9),
    ) {
        let mut world = PursuitWorld::new(&map, moves);
        let bodies: Vec<Body> = bodies.into_iter().map(|(x, y, speed)| body(x, y, speed)).collect();
        let (robbers, cops) = bodies.split_at(robbers.min(bodies.len()));
        let (mut robbers, mut cops) = (robbers.to_vec(), cops.to_vec());
        for batch in batches {
            let edits: Vec<TileEdit> = batch
                .into_iter()
                .map(|(x, y, passable)| TileEdit { cell: Cell::new(x, y), passable })
                .collect();
            world.apply(&edits);
            let decisions = world.decide_cops(&cops, &robbers, tactics);
            prop_assert_eq!(decisions.len(), cops.len(), "nobody is left without a decision");
            for (cop, decision) in cops.iter_mut().zip(decisions) {
                follow(&world, cop, &decision)?;
            }
            for robber in &mut robbers {
                let decision = world.decide_robber(*robber, &cops);
                follow(&world, robber, &decision)?;
            }
        }
    }
}

fn follow(world: &PursuitWorld, body: &mut Body, decision: &Decision) -> Result<(), TestCaseError> {
    let way: Vec<Cell> = decision
        .way()
        .iter()
        .map(|&v| world.graph().cell(v))
        .collect();
    prop_assert!(way.len() <= usize::from(body.speed.steps()));
    let open = world.open_steps(body.cell, &way);
    prop_assert_eq!(open, way.len(), "{:?} {:?}", body, way);
    body.cell = way.last().copied().unwrap_or(body.cell);
    Ok(())
}
