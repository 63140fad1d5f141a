//! `cargo run --release -p pursuit_lab --example two_grounds MAP`: what a table takes where the two sides walk on
//! different grounds, against one ground: building the arena, and solving it. One cop of speed 2.
//!
//! Every 50th tile is for cops only. (Tiles for robbers only would be safe for ever, and such a table is solved in no
//! time.) The least of three runs counts.

use pursuit_engine::game::{Rules, Speed};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Kinds, MapEdit, Moves, PursuitLevel};
use pursuit_engine::table::{Arena, Solver, TableGround};
use std::sync::Arc;
use std::time::{Duration, Instant};

const LIMIT: u64 = 20_000_000_000;
const RUNS: usize = 3;
const COPS: Kinds = Kinds::from_bits(1);

/// The least times of building an arena and of solving it.
fn times(ground: TableGround<'_>) -> [Duration; 2] {
    let rules = Rules {
        cop_speed: Speed::new(2).expect("a speed"),
        ..Rules::default()
    };
    let runs = (0..RUNS).map(|_| {
        let start = Instant::now();
        let arena = Arc::new(Arena::of_ground(ground).expect("grounds"));
        let built = start.elapsed();
        let mut solver = Solver::new(arena, rules, LIMIT).expect("enough memory");
        solver.run(|_| true);
        assert!(solver.finish().is_some());
        [built, start.elapsed().saturating_sub(built)]
    });
    let runs: Vec<_> = runs.collect();
    [0, 1].map(|part| runs.iter().map(|run| run[part]).min().unwrap_or_default())
}

fn main() {
    let path = std::env::args().nth(1).expect("a map");
    let text = std::fs::read_to_string(path).expect("a readable map");
    let mut map = PursuitLevel::parse(&text).expect("a map").initial_map();
    let free: Vec<_> = map.cells().filter(|&at| map.is_passable(at)).collect();
    for &at in free.iter().step_by(50) {
        let kinds = COPS;
        map.rules_mut().apply(MapEdit::Kinds { at, kinds });
    }
    let graph = Graph::of_walker(&map, Moves::Octile, COPS);
    let [cops, robber] = [COPS, Kinds::NONE].map(|kinds| graph.for_walker(kinds));
    let exits = false;
    let one = times(TableGround::from(&graph));
    let two = times(TableGround {
        cops: &cops,
        robber: &robber,
        exits,
        reach: 0,
    });
    println!("{} vertices", graph.vertices());
    for (name, [build, solve]) in [("one ground", one), ("two grounds", two)] {
        println!("{name}: arena {build:?}, solve {solve:?}");
    }
    println!(
        "solving takes {:.2} times as long",
        two[1].as_secs_f64() / one[1].as_secs_f64()
    );
}
