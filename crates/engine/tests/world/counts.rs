//! Teams of any size: mixed speeds, a cop on an island, two robbers.

use crate::common::chase::noise;
use crate::common::referee::Referee;
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::{Dice, Distances};
use pursuit_engine::world::{
    AgentId, AgentSetup, Expansions, PursuitSettings, PursuitWorld, Reason, RobberPlanner,
};

/// The side of the island in a corner of the map.
const ISLAND: u16 = 3;

/// A map with walls and an island.
fn map(dice: &mut Dice) -> TileMap {
    let mut map = noise(dice, 30, 24, 12);
    for at in 0..=ISLAND {
        map.set(Cell::new(ISLAND, at), Terrain::Wall);
        map.set(Cell::new(at, ISLAND), Terrain::Wall);
    }
    map.set(Cell::new(0, 0), Terrain::Floor);
    map
}

/// The cells that a walk from the middle of the map reaches.
fn mainland(graph: &Graph) -> Vec<Cell> {
    let middle = Cell::new(15, 12);
    let nearest = graph
        .iter()
        .min_by_key(|&at| graph.cell(at).max_norm(middle));
    let mut distances = Distances::default();
    distances.measure(graph, nearest.expect("a vertex"));
    let reached = graph.iter().filter(|&at| distances.steps(at).is_some());
    reached.map(|at| graph.cell(at)).collect()
}

fn insert(world: &mut PursuitWorld, side: Side, cell: Cell, speed: usize) -> AgentId {
    let speed = Speed::new(speed as u8).expect("a speed");
    world.insert(AgentSetup {
        speed,
        ..AgentSetup::new(side, cell)
    })
}

/// Plays a game with this number of cops and one more on the island. Returns the number of captured robbers.
fn play(cops: usize, seed: u64) -> usize {
    let dice = &mut Dice::new(seed);
    let map = map(dice);
    let graph = Graph::new(&map, Moves::Octile);
    let cells = mainland(&graph);
    assert!(cells.len() > 300 && !cells.contains(&Cell::new(0, 0)));
    let mut settings = PursuitSettings {
        ticks_per_turn: 1,
        planner: RobberPlanner::DaTrailMax,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let mut any = || dice.pick(&cells).expect("a cell");
    let robbers = [any(), any()].map(|cell| insert(&mut world, Side::Robber, cell, 1));
    let island = insert(&mut world, Side::Cops, Cell::new(0, 0), 2);
    for cop in 0..cops {
        insert(&mut world, Side::Cops, any(), 1 + cop % 3);
    }
    let mut referee = Referee::default();
    let is_caught = |world: &PursuitWorld, id: &AgentId| {
        let robber = world.agent(*id).expect("a robber");
        robber.caught().is_some()
    };
    for _ in 0..200 {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(20_000));
        referee.watch(&world, &[]).expect("the rules");
        let agent = world.agent(island).expect("a cop");
        assert!(agent.setup().cell.max_norm(Cell::new(0, 0)) < ISLAND.into());
        if robbers.iter().all(|id| is_caught(&world, id)) {
            break;
        }
        assert_ne!(agent.state().reason, Reason::None);
    }
    robbers.iter().filter(|id| is_caught(&world, id)).count()
}

#[test]
fn teams_of_any_size_keep_to_the_rules_and_capture_both_robbers() {
    for cops in [1, 2, 3, 5, 16, 100] {
        let captured: usize = (0..3).map(|seed| play(cops, seed)).sum();
        // A single cop of the robber's speed captures nobody for sure.
        assert!(cops == 1 || captured == 6, "{cops} cops: {captured}");
    }
}
