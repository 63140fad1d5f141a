//! Agents of all speeds that come past each other where both sides choose simultaneously.

use crate::common::hall::{agent, hall, tick};
use pursuit_engine::game::{Side, Speed};
use pursuit_engine::map::Cell;
use pursuit_engine::world::{AgentId, AgentSetup, Control, PursuitClock, PursuitWorld};

fn is_caught(world: &PursuitWorld, id: AgentId) -> bool {
    world.agent(id).expect("an agent").caught().is_some()
}

fn runner(side: Side, x: u16, speed: u8, dx: i8) -> AgentSetup {
    AgentSetup {
        speed: Speed::new(speed).expect("a speed"),
        control: Control::Steer { dx, dy: 0 },
        ..agent(side, x, 0)
    }
}

#[test]
fn two_that_run_head_on_in_a_corridor_meet_at_all_speeds() {
    for apart in 1..=11 {
        for (robber_speed, cop_speed) in (1..=3).flat_map(|a| (1..=6).map(move |b| (a, b))) {
            let mut world = hall(PursuitClock::Simultaneous, 60, 1);
            let robber = world.insert(runner(Side::Robber, 20, robber_speed, 1));
            world.insert(runner(Side::Cops, 20 + apart, cop_speed, -1));
            for _ in 0..16 * 20 {
                tick(&mut world);
            }
            assert!(
                is_caught(&world, robber),
                "{apart} {robber_speed} {cop_speed}"
            );
        }
    }
}

#[test]
fn a_fast_cop_does_not_run_through_a_robber_that_stands_or_walks_ahead() {
    for dx in [0, -1] {
        for apart in 1..=9 {
            let mut world = hall(PursuitClock::Simultaneous, 90, 1);
            let robber = world.insert(runner(Side::Robber, 60, 1, dx));
            world.insert(runner(Side::Cops, 60 + apart, 5, -1));
            for _ in 0..16 * 6 {
                tick(&mut world);
            }
            assert!(is_caught(&world, robber), "{dx} {apart}");
        }
    }
}

/// In the game of turns, a cop captures only where it ends its move: it could stop there.
#[test]
fn agents_that_turn_away_or_keep_their_distance_do_not_meet() {
    let mut world = hall(PursuitClock::Simultaneous, 60, 3);
    let robber = world.insert(runner(Side::Robber, 20, 2, 1));
    let cop = AgentSetup {
        cell: Cell::new(24, 2),
        ..runner(Side::Cops, 24, 2, -1)
    };
    world.insert(cop);
    let behind = world.insert(runner(Side::Robber, 10, 2, -1));
    for _ in 0..16 * 8 {
        tick(&mut world);
        assert!(!is_caught(&world, robber), "they pass two rows apart");
        assert!(!is_caught(&world, behind));
    }
}
