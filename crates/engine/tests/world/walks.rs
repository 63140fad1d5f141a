//! Walks whose searches take more than a turn.

use crate::common;
use crate::common::hall::{agent, external, settings};
use pursuit_engine::game::Side;
use pursuit_engine::map::{Cell, Moves, TileMap};
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, PursuitClock, PursuitSettings, PursuitWorld,
    WorldEvent,
};

/// A corridor that winds through a square: to the right, down, to the left, and so on.
fn winding(size: usize) -> TileMap {
    let row = |y: usize| -> String {
        let gap = if y % 4 == 1 { size - 1 } else { 0 };
        (0..size)
            .map(|x| {
                if y.is_multiple_of(2) || x == gap {
                    '.'
                } else {
                    '#'
                }
            })
            .collect()
    };
    let rows: Vec<String> = (0..size).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    common::map(&rows)
}

fn world(map: &TileMap, clock: PursuitClock) -> PursuitWorld {
    let settings = PursuitSettings {
        ticks_per_turn: 1,
        ..settings(clock)
    };
    PursuitWorld::new(map, Moves::Octile, settings)
}

fn play(world: &mut PursuitWorld, budget: u64) -> Vec<AgentId> {
    world.begin_tick(&[]);
    world.arrive();
    world.decide(&mut Expansions(budget));
    let arrived = world.events().iter().filter_map(|event| match *event {
        WorldEvent::Arrived(id) => Some(id),
        _ => None,
    });
    arrived.collect()
}

#[test]
fn an_errand_ends_although_its_search_takes_many_turns() {
    let map = winding(61);
    for clock in [
        PursuitClock::Turns,
        PursuitClock::FreeRunning,
        PursuitClock::Simultaneous,
    ] {
        let mut world = world(&map, clock);
        world.insert(AgentSetup {
            control: Control::WalkTo(Cell::new(60, 60)),
            ..agent(Side::Cops, 0, 0)
        });
        // The way has 1,890 steps.
        let mut turns = 0;
        while play(&mut world, 70).is_empty() {
            turns += 1;
            assert!(turns < 4000, "{clock:?}");
        }
    }
}

#[test]
fn many_errands_end_with_little_budget() {
    let map = winding(33);
    let mut world = world(&map, PursuitClock::Turns);
    let all: Vec<AgentId> = (0..12)
        .map(|number| {
            let (from, to) = (Cell::new(number, 0), Cell::new(32 - number, 32));
            world.insert(AgentSetup {
                control: Control::WalkTo(to),
                ..AgentSetup::new(Side::Cops, from)
            })
        })
        .collect();
    let mut arrived = Vec::new();
    for _ in 0..4000 {
        arrived.extend(play(&mut world, 60));
    }
    arrived.sort_unstable();
    assert_eq!(arrived, all);
}

#[test]
fn a_cop_whose_plan_takes_many_turns_gets_to_a_robber_that_stands() {
    let map = winding(61);
    for clock in [PursuitClock::Turns, PursuitClock::FreeRunning] {
        let mut world = world(&map, clock);
        let robber = world.insert(external(Side::Robber, 60, 60));
        world.insert(agent(Side::Cops, 0, 0));
        let mut turns = 0;
        while world.agent(robber).expect("an agent").caught().is_none() {
            play(&mut world, 70);
            turns += 1;
            assert!(turns < 12_000, "{clock:?}");
        }
    }
}
