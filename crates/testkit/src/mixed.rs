//! Tables of mixed strategies of small maps, and worlds that play by them.

use super::hall::{settings, tick};
use pursuit_engine::game::{Rules, Side, Speed};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::policy::Source;
use pursuit_engine::solve::simultaneous::{MixedTable, MixedValue, SimultaneousSolver};
use pursuit_engine::table::{Arena, Solver};
use pursuit_engine::world::{
    AgentId, AgentSetup, DecidedBy, PursuitClock, PursuitSettings, PursuitWorld, Reason,
};
use std::num::NonZeroU8;
use std::sync::Arc;

/// The rules of a number of cops of the same speed on an octile map.
pub fn rules(cops: u8, cop_speed: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("some"),
        cop_speed: Speed::new(cop_speed).expect("a speed"),
        ..Rules::default()
    }
}

/// Solves a map, with bounds a thousandth of a turn apart.
pub fn table(map: &TileMap, rules: Rules) -> Arc<MixedTable> {
    const LIMIT: u64 = 1 << 30;
    let graph = Graph::new(map, Moves::Octile);
    let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, LIMIT).expect("small");
    solver.run(|_| true);
    let alternating = solver.finish().expect("it ran to the end");
    let mut solver = SimultaneousSolver::new(&alternating, 0.001, LIMIT).expect("small");
    solver.run(|_| true);
    let solution = solver.finish().expect("it ran to the end");
    let exploitability = solution.exploitability(|| true).expect("not stopped");
    MixedTable::of(&solution, exploitability).into()
}

/// A move drawn from a table of mixed strategies.
pub const DRAWN: DecidedBy = DecidedBy::Policy(Source::MixedTable);

pub fn grid(side: u16) -> TileMap {
    TileMap::filled(side, side, Terrain::Floor).expect("some cells")
}

/// A world in which each tick is a turn, with a table.
pub fn world(map: &TileMap, seed: u64, tables: &[&Arc<MixedTable>]) -> PursuitWorld {
    let settings = PursuitSettings {
        ticks_per_turn: 1,
        seed,
        ..settings(PursuitClock::Simultaneous)
    };
    let mut world = PursuitWorld::new(map, Moves::Octile, settings);
    for &table in tables {
        let added = world.add_mixed_table(Arc::clone(table));
        added.expect("the table of a map");
    }
    world
}

/// Adds pursuits with a robber and cops each, at the same places.
pub fn add(world: &mut PursuitWorld, pursuits: u32, robber: Cell, cops: &[Cell]) -> Vec<Chase> {
    let chases = (0..pursuits).map(|pursuit| {
        let mut insert = |side, cell| {
            let setup = AgentSetup::new(side, cell);
            world.insert(AgentSetup { pursuit, ..setup })
        };
        Chase {
            robber: insert(Side::Robber, robber),
            cops: cops.iter().map(|&cop| insert(Side::Cops, cop)).collect(),
        }
    });
    chases.collect()
}

/// A robber and its cops.
pub struct Chase {
    pub robber: AgentId,
    pub cops: Vec<AgentId>,
}

impl Chase {
    pub fn members(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.cops.iter().copied().chain([self.robber])
    }
}

pub fn cell(world: &PursuitWorld, id: AgentId) -> Cell {
    world.agent(id).expect("an agent").setup().cell
}

/// Where the move of an agent ends.
pub fn goal(world: &PursuitWorld, id: AgentId) -> Cell {
    let agent = world.agent(id).expect("an agent");
    let end = agent.way().last();
    end.map_or(agent.setup().cell, |&end| world.graph().cell(end))
}

pub fn decided_by(world: &PursuitWorld, id: AgentId) -> DecidedBy {
    world.agent(id).expect("an agent").state().decided_by
}

pub fn reason(world: &PursuitWorld, id: AgentId) -> Reason {
    world.agent(id).expect("an agent").state().reason
}

pub fn caught_in(world: &PursuitWorld, id: AgentId) -> Option<u64> {
    let agent = world.agent(id).expect("an agent");
    agent.caught().map(|catch| catch.turn)
}

pub fn value(table: &MixedTable, robber: Cell, cops: &[Cell]) -> MixedValue {
    let place = |cell: Cell| table.place(cell).expect("a cell of the map");
    let cops: Vec<usize> = cops.iter().map(|&cop| place(cop)).collect();
    table.value_at(place(robber), &cops).expect("a position")
}

/// Plays all chases to their ends, and returns the turns that they took.
pub fn play_out(world: &mut PursuitWorld, chases: &[Chase]) -> Vec<u64> {
    for _ in 0..100_000 {
        tick(world);
        let turns = chases.iter().map(|chase| caught_in(world, chase.robber));
        if let Some(turns) = turns.collect::<Option<Vec<u64>>>() {
            return turns;
        }
    }
    panic!("a chase has no end");
}
