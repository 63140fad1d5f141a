//! Worlds that know shapes of endgames beforehand: captures are proven sooner, and restored worlds go on alike.

use pursuit_engine::endgame::{EndgameShapes, Endgames};
use pursuit_engine::game::{Agent, Side, Speed, State};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::world::{
    AgentId, AgentRecord, AgentSetup, DecidedBy, Expansions, PursuitRecord, PursuitSettings,
    PursuitWorld,
};
use std::sync::Arc;

/// A hall with pillars that fits into one region of two players.
const HALL: &str = "type octile\nheight 7\nwidth 15\nmap\n\
    ...............\n\
    .@@.@@.@@.@@.@.\n\
    .@..@..@..@..@.\n\
    ...............\n\
    .@..@..@..@..@.\n\
    .@@.@@.@@.@@.@.\n\
    ...............\n";

fn hall() -> TileMap {
    TileMap::parse(HALL).expect("a map")
}

/// The shape of the hall, with the table for two cops.
fn shapes() -> Arc<EndgameShapes> {
    let graph = Graph::new(&hall(), Moves::Octile);
    let agent = |x, y| Agent {
        at: graph.vertex(Cell::new(x, y)).expect("floor"),
        speed: Speed::ONE,
    };
    let cops = [agent(0, 0), agent(14, 6)];
    let mut endgames = Endgames::default();
    endgames.collect_shapes();
    let state = State {
        robber: agent(7, 3),
        cops: &cops,
        to_move: Side::Cops,
    };
    assert!(endgames.begin(&graph, &state));
    endgames.finish(&graph);
    Arc::new(endgames.take_shapes())
}

/// Two cops and a robber in the hall, without exact tables.
fn world(shapes: Option<&Arc<EndgameShapes>>) -> (PursuitWorld, Vec<AgentId>) {
    let mut settings = PursuitSettings {
        ticks_per_turn: 4,
        ..PursuitSettings::default()
    };
    settings.tables.max_bytes = 1;
    let mut world = PursuitWorld::new(&hall(), Moves::Octile, settings);
    if let Some(shapes) = shapes {
        world.use_endgame_shapes(Arc::clone(shapes));
    }
    let mut insert = |side, x, y| world.insert(AgentSetup::new(side, Cell::new(x, y)));
    let ids = vec![
        insert(Side::Cops, 0, 0),
        insert(Side::Cops, 0, 6),
        insert(Side::Robber, 9, 3),
    ];
    (world, ids)
}

fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    world.arrive();
    // Enough to begin a table, and two slices of it in each tick.
    world.decide(&mut Expansions(5_000));
}

/// The turn of the first proof, and the tick of the capture.
fn game(shapes: Option<&Arc<EndgameShapes>>) -> (Option<u64>, Option<u64>) {
    let (mut world, ids) = world(shapes);
    let mut first = None;
    for _ in 0..800 {
        tick(&mut world);
        let cop = world.agent(ids[0]).expect("a cop").state();
        if cop.decided_by == DecidedBy::Policy(Source::Endgame) {
            first = first.or(world.pursuit(0).map(PursuitRecord::turn));
        }
        if let Some(caught) = world.agent(ids[2]).and_then(AgentRecord::caught) {
            return (first, Some(caught.tick));
        }
    }
    (first, None)
}

#[test]
fn a_world_that_knows_the_shape_proves_the_capture_a_turn_after_it_has_begun() {
    let shapes = shapes();
    let (first, caught) = game(Some(&shapes));
    let (alone, caught_alone) = game(None);
    assert!(caught.is_some() && caught_alone.is_some());
    assert!(first.is_some_and(|turn| turn <= 2), "{first:?}");
    assert!(alone > first, "{alone:?}: the table takes some turns");
    assert_eq!(game(Some(&Arc::default())), (alone, caught_alone));
}

#[test]
fn a_restored_world_goes_on_alike_with_the_same_shapes() {
    let shapes = shapes();
    let (mut original, ids) = world(Some(&shapes));
    let mut copies: Vec<PursuitWorld> = Vec::new();
    let (mut rolled_back, _) = world(Some(&shapes));
    for number in 0..60 {
        tick(&mut original);
        tick(&mut rolled_back);
        for copy in &mut copies {
            tick(copy);
        }
        if number % 7 == 0 {
            let snapshot = original.snapshot();
            let mut copy = PursuitWorld::from_snapshot(snapshot.clone()).expect("sound");
            copy.use_endgame_shapes(Arc::clone(&shapes));
            copies.push(copy);
            // Shapes stay in a world that goes back.
            tick(&mut rolled_back);
            rolled_back.restore(snapshot).expect("sound");
        }
        for copy in copies.iter().chain([&rolled_back]) {
            assert_eq!(copy.position_hash(), original.position_hash());
            assert_eq!(copy.endgame_region(0), original.endgame_region(0));
            for &id in &ids {
                let state = |world: &PursuitWorld| *world.agent(id).expect("it is there").state();
                assert_eq!(state(copy), state(&original), "tick {number}");
            }
        }
    }
}
