//! Tables of mixed strategies of small maps.

use bevy_pursuit::game::{Rules, Speed};
use bevy_pursuit::graph::Graph;
use bevy_pursuit::map::{Moves, TileMap};
use bevy_pursuit::solve::simultaneous::{MixedTable, SimultaneousSolver};
use bevy_pursuit::table::{Arena, Solver};
use std::num::NonZeroU8;

/// The rules of so many cops of a speed on an octile map.
pub fn rules(cops: u8, cop_speed: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("some"),
        cop_speed: Speed::new(cop_speed).expect("a speed"),
        ..Rules::default()
    }
}

/// Solves a map, with bounds a thousandth of a turn apart.
pub fn table(map: &TileMap, rules: Rules) -> MixedTable {
    const LIMIT: u64 = 1 << 30;
    let graph = Graph::new(map, Moves::Octile);
    let mut solver = Solver::new(Arena::of_map(&graph).into(), rules, LIMIT).expect("small");
    solver.run(|_| true);
    let alternating = solver.finish().expect("it ran to the end");
    let mut solver = SimultaneousSolver::new(&alternating, 0.001, LIMIT).expect("small");
    solver.run(|_| true);
    let solution = solver.finish().expect("it ran to the end");
    let exploitability = solution.exploitability(|| true).expect("not stopped");
    MixedTable::of(&solution, exploitability)
}
