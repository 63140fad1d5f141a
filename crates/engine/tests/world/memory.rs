//! A world does not allocate once it is warm: plans, moves, doors that open and close.

use crate::common::hall::add_pursuits;
use crate::common::town;
use allocation_counter::measure;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{Expansions, PursuitSettings, PursuitWorld};

/// Plays in a town of `side` x `side` cells with a door that opens and closes, and measures the
/// allocations of each hundred ticks.
fn allocations(side: u16, pursuits: u32) -> impl Iterator<Item = u64> {
    let town::Town { map, doors } = town::town(side, side, 2);
    let mut settings = PursuitSettings::default();
    settings.tables.solve = false;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    let mut dice = Dice::new(5);
    let robbers = add_pursuits(&mut world, pursuits, 3, &free, &mut dice);
    let mut is_open = true;
    let mut tick = move |tick: u64| {
        let swings = tick.is_multiple_of(13);
        is_open ^= swings;
        let edit = [TileEdit {
            cell: doors[0],
            passable: is_open,
        }];
        world.begin_tick(if swings { &edit } else { &[] });
        world.arrive();
        world.decide(&mut Expansions(4_000));
        for &robber in &robbers {
            let agent = world.agent(robber);
            if agent.is_some_and(|agent| agent.caught().is_some()) {
                world.place(robber, free[dice.below(free.len())]);
                world.release(robber);
            }
        }
    };
    (0..)
        .map(move |part| measure(|| (100 * part..100 * part + 100).for_each(&mut tick)).count_total)
}

#[test]
fn ticks_take_no_memory_once_they_are_warm() {
    // On a small map all lists have reached their greatest length after 80,000 ticks.
    // A list may still double once in a long while.
    let counts = allocations(16, 4).skip(800).take(100);
    let counts: Vec<u64> = counts.collect();
    let all: u64 = counts.iter().sum();
    assert!(all <= 8, "allocations in each hundred ticks: {counts:?}");
}

#[test]
fn ticks_in_a_large_town_take_no_memory_but_for_lists_that_double() {
    // Plans that are seldom needed, as those of a cop that follows another one, still make their lists.
    let counts: Vec<u64> = allocations(64, 12).skip(100).take(60).collect();
    let all: u64 = counts.iter().sum();
    assert!(all <= 240, "allocations in each hundred ticks: {counts:?}");
}
