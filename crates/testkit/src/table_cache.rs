//! A table cache, small maps for it, and a caller that requests and solves tables.

use super::level::{LIMIT, rules};
use pursuit_engine::game::Rules;
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::table::{Arena, Solution, Solver};
use pursuit_engine::table_cache::{
    TableCache, TableEvent, TableKey, TableRequest, TableSchedule, TableSettings, TableTiming,
    TableWork,
};
use pursuit_engine::world::PursuitWorld;

/// Enough memory for all tables of small maps in any test.
pub const PLENTY: u64 = 1_000_000;

/// A table is used after three ticks plus its estimate, at 10,000 ticks per second.
const SCHEDULE: TableSchedule = TableSchedule {
    ticks: 3,
    times: 1,
    ticks_per_second: Some(10_000),
};

/// Settings under which the game waits for tables, so that the time of delivery is not observable.
pub fn lockstep(memory: u64) -> TableSettings {
    TableSettings {
        memory,
        timing: TableTiming::Lockstep(SCHEDULE),
        ..TableSettings::default()
    }
}

/// The same, but the game never waits.
pub fn scheduled(memory: u64) -> TableSettings {
    TableSettings {
        timing: TableTiming::Scheduled(SCHEDULE),
        ..lockstep(memory)
    }
}

/// An empty table cache with plenty of memory, a map of 25 cells, and the rules of one cop that is as
/// fast as the robber.
pub fn start() -> (TableCache, Graph, Rules) {
    (TableCache::new(lockstep(PLENTY)), room(5), rules(1, 1, 1))
}

pub fn room(side: u16) -> Graph {
    let map = TileMap::filled(side, side, Terrain::Floor).expect("some cells");
    Graph::new(&map, Moves::Octile)
}

pub fn door(x: u16, y: u16, passable: bool) -> TileEdit {
    let cell = Cell::new(x, y);
    TileEdit { cell, passable }
}

/// The same map with other vertex numbers.
pub fn renumbered(graph: &Graph) -> Graph {
    let walls = TileMap::filled(graph.width(), graph.height(), Terrain::Wall);
    let mut other = Graph::new(&walls.expect("some cells"), graph.moves());
    let mut cells: Vec<Cell> = graph.iter().map(|vertex| graph.cell(vertex)).collect();
    cells.reverse();
    for cell in cells {
        other.apply(&[door(cell.x, cell.y, true)]);
    }
    assert_eq!(other.fingerprint(), graph.fingerprint());
    other
}

pub fn solution(graph: &Graph, rules: Rules) -> Solution {
    let mut solver = Solver::new(Arena::of_map(graph).into(), rules, LIMIT).expect("small enough");
    assert!(solver.run(|_| true).done);
    solver.finish().expect("done")
}

pub fn solve(request: TableRequest) -> (TableKey, Solution) {
    let mut work = TableWork::new(request).expect("small enough");
    assert!(work.run(1000, |_| true).done);
    work.finish().expect("done")
}

/// Solves what a world has requested, and delivers it.
pub fn deliver(world: &mut PursuitWorld, request: TableRequest) {
    let (key, solution) = solve(request);
    world.deliver(&key, Ok(solution));
}

/// Delivers all requested tables.
pub fn serve(tables: &mut TableCache, graph: &Graph, tick: u64) {
    while let Some(request) = tables.next_request(graph) {
        let (key, solution) = solve(request);
        tables.deliver(&key, Ok(solution), tick);
    }
}

/// Requests a table and receives it some ticks later.
pub fn get(tables: &mut TableCache, graph: &Graph, rules: Rules, tick: &mut u64) {
    tables.request(graph, &rules, *tick);
    serve(tables, graph, *tick);
    *tick += 100;
    assert!(has(tables, graph, rules, *tick));
}

/// Returns whether there is a table to use. Finding a table counts as a use.
pub fn has(tables: &mut TableCache, graph: &Graph, rules: Rules, tick: u64) -> bool {
    tables.find(graph, &rules, tick).is_some()
}

/// The key of the next request.
pub fn next_key(tables: &mut TableCache, graph: &Graph) -> Option<TableKey> {
    tables.next_request(graph).map(|request| request.key)
}

/// The memory that a table cache counts for one table.
pub fn bytes_of_one(graph: &Graph, rules: Rules) -> u64 {
    let mut tables = TableCache::new(lockstep(PLENTY));
    get(&mut tables, graph, rules, &mut 0);
    tables.bytes()
}

/// The events since the last call.
pub fn events(tables: &mut TableCache) -> Vec<TableEvent> {
    tables.events().collect()
}
