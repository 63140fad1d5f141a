//! Games on maps of hexagons.

use crate::common::chase::any_map;
use crate::common::hall::{agent, settings, tick_with};
use crate::common::hexagons::center;
use crate::common::mixed::caught_in;
use crate::common::referee::Referee;
use pursuit_engine::game::Side;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, HexLayout, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{AgentSetup, Control, PursuitClock, PursuitWorld};

/// A map of 40 x 40 hexagons, of which one in eight is a wall.
fn rough(dice: &mut Dice) -> TileMap {
    let mut map = TileMap::filled(40, 40, Terrain::Floor).expect("some cells");
    for cell in map.cells() {
        if dice.below(8) == 0 {
            map.set(cell, Terrain::Wall);
        }
    }
    map
}

#[test]
fn agents_take_legal_steps_while_doors_swing() {
    for seed in 0..60 {
        let dice = &mut Dice::new(seed);
        let map = any_map(dice, 20);
        let layout = HexLayout::ALL[seed as usize % 6];
        let clocks = [
            PursuitClock::Turns,
            PursuitClock::FreeRunning,
            PursuitClock::Simultaneous,
        ];
        let clock = clocks[dice.below(3)];
        let mut world = PursuitWorld::new(&map, Moves::Hexagonal(layout), settings(clock));
        let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        for index in 0..5 {
            let Some(cell) = dice.pick(&cells) else { break };
            let side = [Side::Robber, Side::Cops][usize::from(index > 1)];
            world.insert(AgentSetup::new(side, cell));
        }
        let mut referee = Referee::default();
        for _ in 0..200 {
            let mut edits = Vec::new();
            if dice.below(8) == 0 {
                let cell = Cell::new(
                    dice.below(map.width().into()) as u16,
                    dice.below(map.height().into()) as u16,
                );
                let passable = !world.graph().is_passable(cell);
                edits.push(TileEdit { cell, passable });
            }
            tick_with(&mut world, &edits);
            if let Err(violation) = referee.watch(&world, &[]) {
                panic!("seed {seed}: {violation}");
            }
        }
    }
}

#[test]
fn three_cops_catch_a_robber_on_a_map_that_no_table_fits() {
    let mut caught = 0;
    for seed in 0..24 {
        let dice = &mut Dice::new(seed);
        let mut map = rough(dice);
        let starts = [(0, 0), (39, 0), (0, 39), (20, 20)].map(|(x, y)| Cell::new(x, y));
        for start in starts {
            map.set(start, Terrain::Floor);
        }
        let moves = Moves::Hexagonal(HexLayout::ALL[seed as usize % 6]);
        let mut world = PursuitWorld::new(&map, moves, settings(PursuitClock::Turns));
        for cop in &starts[..3] {
            world.insert(agent(Side::Cops, cop.x, cop.y));
        }
        let robber = world.insert(agent(Side::Robber, 20, 20));
        let turns = 150 * u64::from(world.settings().ticks_per_turn);
        for _ in 0..turns {
            tick_with(&mut world, &[]);
            if caught_in(&world, robber).is_some() {
                caught += 1;
                break;
            }
        }
    }
    assert!(caught >= 20, "{caught} of 24");
}

#[test]
fn a_walker_takes_no_more_steps_than_there_are() {
    for layout in HexLayout::ALL {
        let map = TileMap::filled(30, 30, Terrain::Floor).expect("some cells");
        let clock = PursuitClock::Turns;
        let mut world = PursuitWorld::new(&map, Moves::Hexagonal(layout), settings(clock));
        let (start, goal) = (Cell::new(3, 25), Cell::new(27, 4));
        let walker = world.insert(AgentSetup {
            control: Control::WalkTo(goal),
            ..AgentSetup::new(Side::Cops, start)
        });
        let least = crate::common::hexagons::steps(layout, start, goal);
        let turn = world.settings().ticks_per_turn;
        for _ in 0..(least + 1) * turn {
            tick_with(&mut world, &[]);
        }
        let at = world.agent(walker).expect("an agent").setup().cell;
        assert_eq!(at, goal, "{layout:?}: {least} steps");
    }
}

#[test]
fn a_player_steers_to_the_hexagon_in_the_direction() {
    let map = TileMap::filled(9, 9, Terrain::Floor).expect("some cells");
    for layout in HexLayout::ALL {
        for (x, y) in [(4, 4), (4, 5), (5, 4), (5, 5)] {
            for (dx, dy) in [(1, -1), (1, 1), (-1, -1), (-1, 1)] {
                let moves = Moves::Hexagonal(layout);
                let mut world = PursuitWorld::new(&map, moves, settings(PursuitClock::Turns));
                let player = world.insert(AgentSetup {
                    control: Control::Steer { dx, dy },
                    ..agent(Side::Robber, x, y)
                });
                for _ in 0..=world.settings().ticks_per_turn {
                    tick_with(&mut world, &[]);
                }
                let at = world.agent(player).expect("an agent").setup().cell;
                let [before, after] = [Cell::new(x, y), at].map(|cell| center(layout, cell));
                let found = [0, 1].map(|axis| (after[axis] - before[axis]).signum());
                assert_eq!(found, [i32::from(dx), i32::from(dy)], "{layout:?} {x} {y}");
            }
        }
    }
}
