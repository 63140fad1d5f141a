//! Small worlds for tests of single agents, and agents in them.

use pursuit_engine::game::Side;
use pursuit_engine::graph::TileEdit;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::Dice;
use pursuit_engine::world::{
    AgentId, AgentSetup, Control, Expansions, Meter, PursuitClock, PursuitSettings, PursuitWorld,
};

/// The ticks of a turn.
pub const LENGTH: u32 = 16;

/// Settings without tables.
pub fn settings(clock: PursuitClock) -> PursuitSettings {
    let mut settings = PursuitSettings {
        ticks_per_turn: LENGTH,
        clock,
        stagger: false,
        ..PursuitSettings::default()
    };
    settings.tables.solve = false;
    settings
}

/// A world without walls and without agents.
pub fn hall(clock: PursuitClock, columns: u16, rows: u16) -> PursuitWorld {
    let map = TileMap::filled(columns, rows, Terrain::Floor).expect("some cells");
    PursuitWorld::new(&map, Moves::Octile, settings(clock))
}

pub fn agent(side: Side, x: u16, y: u16) -> AgentSetup {
    AgentSetup::new(side, Cell::new(x, y))
}

/// An agent that only the game moves.
pub fn external(side: Side, x: u16, y: u16) -> AgentSetup {
    AgentSetup {
        control: Control::External,
        ..agent(side, x, y)
    }
}

pub fn tick(world: &mut PursuitWorld) {
    tick_with(world, &[]);
}

pub fn tick_with(world: &mut PursuitWorld, edits: &[TileEdit]) {
    world.begin_tick(edits);
    world.arrive();
    world.decide(&mut Expansions(10_000));
}

/// A meter that grants little at once, as one of time does.
pub struct Slices(pub u64);

impl Meter for Slices {
    fn left(&mut self, spent: u64) -> u64 {
        self.left_in_one(spent).min(128)
    }

    fn left_in_one(&mut self, spent: u64) -> u64 {
        self.0.saturating_sub(spent)
    }

    fn whole(&self) -> u64 {
        self.0
    }
}

/// Adds pursuits of one robber each and `cops` cops on random cells of `free`. Returns the robbers.
pub fn add_pursuits(
    world: &mut PursuitWorld,
    pursuits: u32,
    cops: u32,
    free: &[Cell],
    dice: &mut Dice,
) -> Vec<AgentId> {
    let mut robbers = Vec::new();
    for pursuit in 0..pursuits {
        for index in 0..=cops {
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
    robbers
}
