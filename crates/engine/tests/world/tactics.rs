//! Cops that follow shortest paths by [`Tactics::Chase`], where tables and proofs would let them play better.

use crate::common::hall;
use crate::common::map;
use crate::common::mixed::{self, Chase, DRAWN, decided_by};
use crate::common::table_cache::deliver;
use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::policy::Source;
use pursuit_engine::search::Distances;
use pursuit_engine::table_cache::{TableSchedule, TableTiming};
use pursuit_engine::world::{
    AgentId, AgentSetup, DecidedBy, Expansions, PursuitSettings, PursuitSetup, PursuitWorld,
    Tactics,
};

/// Rooms with two circles, on which cops that queue never capture.
const ROOMS: [&str; 9] = [
    ".............",
    ".####...####.",
    ".#.........#.",
    ".#.###.###.#.",
    "......#......",
    ".#.###.###.#.",
    ".#.........#.",
    ".####...####.",
    ".............",
];

fn set_tactics(world: &mut PursuitWorld, tactics: Tactics) {
    let setup = PursuitSetup {
        clock: None,
        tactics: Some(tactics),
    };
    world.set_up_pursuit(0, setup);
}

/// A world in which a turn is a tick, with two or three cops on one side of the robber.
fn world(count: usize) -> (PursuitWorld, Vec<AgentId>, AgentId) {
    let mut settings = PursuitSettings {
        ticks_per_turn: 1,
        ..PursuitSettings::default()
    };
    settings.tables.timing = TableTiming::Lockstep(TableSchedule {
        ticks: 4,
        times: 0,
        ticks_per_second: Some(64),
    });
    let mut world = PursuitWorld::new(&map(&ROOMS), Moves::Octile, settings);
    let starts = [(0, 0), (1, 0), (2, 0)];
    let cops = starts[..count]
        .iter()
        .map(|&(x, y)| world.insert(AgentSetup::new(Side::Cops, Cell::new(x, y))))
        .collect();
    let robber = world.insert(AgentSetup::new(Side::Robber, Cell::new(12, 8)));
    (world, cops, robber)
}

/// A tick in which all tables that are requested arrive.
fn tick(world: &mut PursuitWorld) {
    world.begin_tick(&[]);
    while let Some(request) = world.next_request() {
        deliver(world, request);
    }
    world.arrive();
    world.decide(&mut Expansions(200_000));
}

const fn by(source: Source) -> DecidedBy {
    DecidedBy::Policy(source)
}

#[test]
fn cops_that_chase_take_shortest_paths_where_a_table_or_a_proof_would_decide() {
    for count in [2, 3] {
        let (mut world, cops, robber) = world(count);
        set_tactics(&mut world, Tactics::Chase);
        let mut distances = Distances::default();
        let mut by_table = 0;
        for turn in 0..80 {
            tick(&mut world);
            assert_eq!(world.agent(robber).expect("a robber").caught(), None);
            distances.measure(world.graph(), {
                let at = world.agent(robber).expect("a robber").setup().cell;
                world.graph().vertex(at).expect("floor")
            });
            for &cop in &cops {
                let agent = world.agent(cop).expect("a cop");
                assert_eq!(agent.state().decided_by, by(Source::Search), "turn {turn}");
                assert_eq!(agent.state().captured_within(), None);
                let from = world.graph().vertex(agent.setup().cell).expect("floor");
                let to = agent.way().last().copied().unwrap_or(from);
                let [from, to] = [from, to].map(|at| distances.steps(at));
                assert_eq!(to.map(|steps| steps + 1), from, "turn {turn}");
            }
            by_table += u32::from(decided_by(&world, robber) == by(Source::Table));
        }
        assert!(by_table > 60, "the robber has a table");
        set_tactics(&mut world, Tactics::Intercept);
        tick(&mut world);
        assert_eq!(decided_by(&world, cops[0]), by(Source::Table));
    }
}

#[test]
fn cops_that_chase_draw_no_moves_from_a_table_of_mixed_strategies() {
    let map = mixed::grid(4);
    let table = mixed::table(&map, mixed::rules(1, 1));
    for (tactics, is_drawn) in [(Tactics::Chase, false), (Tactics::Intercept, true)] {
        let mut world = mixed::world(&map, 1, &[&table]);
        set_tactics(&mut world, tactics);
        let chases = mixed::add(&mut world, 1, Cell::new(3, 3), &[Cell::new(0, 0)]);
        hall::tick(&mut world);
        let Chase { robber, cops } = &chases[0];
        assert_eq!(decided_by(&world, *robber), DRAWN);
        assert_eq!(decided_by(&world, cops[0]) == DRAWN, is_drawn);
    }
}
