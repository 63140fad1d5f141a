//! Nobody stands about for good because the map has changed where it was going.

use crate::common::hall::{self, LENGTH, agent, external, settings, tick, tick_with};
use crate::common::map;
use pursuit_engine::game::Side;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::world::{AgentId, AgentSetup, PursuitClock, PursuitWorld};
use std::collections::BTreeSet;

fn wall(cell: Cell) -> TileEdit {
    TileEdit {
        cell,
        passable: false,
    }
}

fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("an agent").setup().cell
}

#[test]
fn a_cop_looks_elsewhere_if_the_place_where_it_was_going_to_look_becomes_a_wall() {
    for clock in [PursuitClock::Turns, PursuitClock::FreeRunning] {
        let mut world = hall::hall(clock, 60, 9);
        world.insert(external(Side::Robber, 59, 8));
        let cop = world.insert(AgentSetup {
            sight: Some(2),
            ..agent(Side::Cops, 5, 4)
        });
        let goal = (0..1000).find_map(|_| {
            tick(&mut world);
            let ahead = world.agent(cop)?.ahead();
            let goal = world.graph().cell(*ahead.last()?);
            (ahead.len() > 2).then_some(goal)
        });
        tick_with(&mut world, &[wall(goal.expect("it looks for the robber"))]);
        let mut places = BTreeSet::new();
        for _ in 0..8 * LENGTH {
            tick(&mut world);
            places.insert(cell(&world, cop));
        }
        assert!(places.len() > 4, "{clock:?}: it has been at {places:?}");
    }
}

/// A lookout has seen the robber where a wall is now. A cop that comes later has no plan that leads there, and heads
/// straight into a dead end.
#[test]
fn cops_look_around_if_a_wall_stands_where_the_robber_was_seen() {
    let rows = [
        "...#................",
        "...#................",
        "...#................",
        "...#........#####...",
        "............#...#...",
        "...#........#####...",
        "...#................",
    ];
    let mut world = PursuitWorld::new(&map(&rows), Moves::Octile, settings(PursuitClock::Turns));
    let robber = world.insert(external(Side::Robber, 10, 1));
    world.insert(AgentSetup {
        sight: Some(20),
        ..external(Side::Cops, 15, 1)
    });
    for _ in 0..2 * LENGTH {
        tick(&mut world);
    }
    world.place(robber, Cell::new(14, 4));
    tick_with(&mut world, &[wall(Cell::new(10, 1))]);
    let cop = world.insert(AgentSetup {
        sight: Some(5),
        ..agent(Side::Cops, 0, 0)
    });
    let comes_out = (0..60 * LENGTH).any(|_| {
        tick(&mut world);
        cell(&world, cop).x > 3
    });
    assert!(comes_out, "it stands at {:?}", cell(&world, cop));
}
