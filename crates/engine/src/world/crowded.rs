//! Random worlds with many agents in one pursuit, for tests of lookups that skip most of the agents.

use super::agent::AgentSetup;
use super::budget::Expansions;
use super::pursuit_world::PursuitWorld;
use super::settings::PursuitSettings;
use crate::game::{Side, Speed};
use crate::map::{Cell, Moves, Terrain, TileMap};
use crate::search::Dice;

/// A map of rooms, pockets and single walls.
fn map(dice: &mut Dice) -> TileMap {
    let (width, height) = (8 + dice.below(50) as u16, 8 + dice.below(50) as u16);
    let mut map = TileMap::filled(width, height, Terrain::Floor).expect("some cells");
    let (room, share) = (4 + dice.below(20) as u16, dice.below(30));
    for cell in map.cells() {
        if cell.x % room == room - 1 || cell.y % room == room - 1 || dice.below(100) < share {
            map.set(cell, Terrain::Wall);
        }
    }
    for _ in 0..dice.below(40) {
        let (x, y) = (
            dice.below(width.into()) as u16,
            dice.below(height.into()) as u16,
        );
        map.set(Cell::new(x, y), Terrain::Floor);
    }
    map
}

/// A world after some ticks, with agents in walls and off the map among others, and with mixed speeds.
pub(super) fn crowded(dice: &mut Dice) -> PursuitWorld {
    let map = map(dice);
    let mut settings = PursuitSettings {
        ticks_per_turn: 4,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    let mut world = PursuitWorld::new(&map, Moves::Octile, settings);
    let sees_all = dice.below(2) == 0;
    for side in [Side::Robber, Side::Cops] {
        for _ in 0..=dice.below(40) {
            let x = dice.below(usize::from(map.width()) + 1) as u16;
            let y = dice.below(usize::from(map.height()) + 1) as u16;
            let speed = Speed::new(1 + dice.below(3) as u8).unwrap_or(Speed::ONE);
            let sight = 3 + dice.below(8) as u16;
            world.insert(AgentSetup {
                speed,
                sight: (!sees_all).then_some(sight),
                ..AgentSetup::new(side, Cell::new(x, y))
            });
        }
    }
    for _ in 0..dice.below(30) {
        world.begin_tick(&[]);
        world.arrive();
        world.decide(&mut Expansions(2_000));
    }
    world
}
