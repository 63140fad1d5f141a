//! A world takes no memory once it is warm: plans, moves, doors that swing.

use crate::common::town;
use allocation_counter::measure;
use bevy_pursuit::game::Side;
use bevy_pursuit::graph::TileEdit;
use bevy_pursuit::map::{Cell, Moves};
use bevy_pursuit::search::Dice;
use bevy_pursuit::world::{AgentSetup, Expansions, PursuitSettings, PursuitWorld};

#[test]
fn ticks_take_no_memory_once_they_are_warm() {
    let town::Town { map, doors } = town::town(64, 64, 2);
    let mut settings = PursuitSettings::default();
    settings.tables.solve = false;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let dice = &mut Dice::new(5);
    let mut robbers = Vec::new();
    for pursuit in 0..12 {
        for index in 0..4 {
            let side = if index == 0 { Side::Robber } else { Side::Cops };
            let id = world.insert(AgentSetup {
                pursuit,
                ..AgentSetup::new(side, free[dice.below(free.len())])
            });
            if index == 0 {
                robbers.push(id);
            }
        }
    }
    let mut is_open = true;
    let mut tick = |world: &mut PursuitWorld, tick: u64| {
        let mut edits = [TileEdit {
            cell: doors[0],
            passable: is_open,
        }];
        let swings = tick.is_multiple_of(13);
        if swings {
            is_open = !is_open;
            edits[0].passable = is_open;
        }
        world.begin_tick(if swings { &edits } else { &[] });
        world.arrive();
        world.decide(&mut Expansions(4_000));
        for &robber in &robbers {
            if world
                .agent(robber)
                .is_some_and(|agent| agent.caught().is_some())
            {
                world.place(robber, free[dice.below(free.len())]);
                world.release(robber);
            }
        }
    };
    for now in 0..6_000 {
        tick(&mut world, now);
    }
    // Lists grow by doubling until they have held the most there ever is.
    let counts: Vec<u64> = (0..10)
        .map(|part| {
            let part = 6_000 + part * 100;
            measure(|| (part..part + 100).for_each(|now| tick(&mut world, now))).count_total
        })
        .collect();
    let quiet = counts.iter().filter(|&&count| count == 0).count();
    assert!(
        quiet >= 5,
        "allocations in a hundred ticks each: {counts:?}"
    );
}
