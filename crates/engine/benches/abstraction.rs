//! Benchmarks of building and repairing hierarchies.
//!
//! `cargo bench -p pursuit_engine --bench abstraction` runs on the harbour level and, if
//! `PURSUIT_REFERENCE` names the folder of the reference maps, on AR0414SR and a city. For each map it
//! also prints the sizes of the levels and the times of single repairs.

use criterion::{Criterion, criterion_group, criterion_main};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::Side;
use pursuit_engine::graph::{Graph, TileEdit};
use pursuit_engine::map::{Cell, Kinds, MapEdit, PursuitLevel, TileMap};
use pursuit_engine::world::{AgentSetup, Expansions, MapLoader, PursuitSettings, PursuitWorld};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// The expansions per slice of map loading: a tenth of the budget of a tick.
const SLICE: u64 = 1000;

fn cases() -> Vec<(&'static str, TileMap, Graph)> {
    let case = |name, text: &str| {
        let level = PursuitLevel::parse(text).expect("a level");
        let map = level.initial_map();
        let graph = Graph::new(&map, level.moves());
        (name, map, graph)
    };
    let harbour = include_str!("../../../assets/levels/harbour.level.ron");
    let mut cases = vec![case("harbour", harbour)];
    if let Some(folder) = std::env::var_os("PURSUIT_REFERENCE") {
        let maps = Path::new(&folder).join("maps");
        for (name, path) in [
            ("AR0414SR", "bg/AR0414SR.map"),
            ("city", "city/Berlin_1_1024.map"),
        ] {
            let text = std::fs::read_to_string(maps.join(path)).expect("a reference map");
            cases.push(case(name, &text));
        }
    }
    cases
}

/// A map with doors that open and close, and its hierarchy.
struct Doors {
    graph: Graph,
    hierarchy: Hierarchy,
}

impl Doors {
    fn new(graph: &Graph) -> Self {
        Self {
            hierarchy: Hierarchy::new(graph),
            graph: graph.clone(),
        }
    }

    /// Opens or closes a cell. Returns the time to repair the hierarchy, without the graph.
    fn swing(&mut self, cell: Cell) -> Duration {
        let passable = !self.graph.is_passable(cell);
        let delta = self.graph.apply(&[TileEdit { cell, passable }]);
        let start = Instant::now();
        black_box(self.hierarchy.apply(&self.graph, &delta));
        start.elapsed()
    }

    /// Prints the times of single repairs and the sizes of the levels before and after.
    fn report(&mut self, name: &str) {
        let cells: Vec<Cell> = self.graph.iter().map(|v| self.graph.cell(v)).collect();
        let bytes = self.hierarchy.bytes() as f64 / cells.len() as f64;
        let levels = self.hierarchy.levels();
        println!("{name}: {levels} levels, {bytes:.1} bytes per vertex");
        self.print_shape("built");
        let mut times = Vec::new();
        for i in 0..10_000_usize {
            let door = cells[i * 7919 % cells.len()];
            times.extend([self.swing(door), self.swing(door)]);
        }
        print_times("a door closes or opens", times);
        self.print_shape("repaired");
        for i in 0..20_000_usize {
            self.swing(cells[i * i % 1_000_003 % cells.len()]);
        }
        for &cell in &cells {
            if !self.graph.is_passable(cell) {
                self.swing(cell);
            }
        }
        self.print_shape("repaired after random edits, all cells open again");
    }

    /// Prints the number of vertices of each level above the map.
    fn print_shape(&self, what: &str) {
        let levels = (1..self.hierarchy.levels()).filter_map(|level| self.hierarchy.level(level));
        let vertices: Vec<usize> = levels
            .map(pursuit_engine::abstraction::AbstractLevel::vertices)
            .collect();
        println!("{what}: {vertices:?}");
    }
}

/// Prints the times of the slices in which a map is loaded. The slices are the same in every run; the
/// fastest of ten runs counts, to exclude interference from other processes.
fn report_loading(map: &TileMap, graph: &Graph) {
    let (mut fastest, mut spent): (Vec<Duration>, u64) = (Vec::new(), 0);
    for _ in 0..10 {
        let mut loader = MapLoader::new(map.clone(), graph.moves());
        let mut slice = 0;
        spent = 0;
        while !loader.is_ready() {
            let start = Instant::now();
            spent += loader.advance(SLICE);
            let time = start.elapsed();
            match fastest.get_mut(slice) {
                Some(fastest) => *fastest = time.min(*fastest),
                None => fastest.push(time),
            }
            slice += 1;
        }
    }
    let all: Duration = fastest.iter().sum();
    let slices = fastest.len();
    println!("loaded in {slices} slices and {all:?}, {spent} expansions");
    print_times("a slice of 1,000 expansions", fastest);
}

/// Prints the time of a tick in which a door opens or closes, repairs included, in worlds with one and four grounds, and the
/// memory of a ground.
fn report_grounds(map: &TileMap, graph: &Graph) {
    let doors: Vec<Cell> = graph.iter().map(|vertex| graph.cell(vertex)).collect();
    let kinds = [0, 1, 2, 3].map(Kinds::from_bits);
    for grounds in [1, 4] {
        let mut map = map.clone();
        for (index, &at) in doors.iter().step_by(101).enumerate() {
            let kinds = kinds[1 + index % 3];
            map.rules_mut().apply(MapEdit::Kinds { at, kinds });
        }
        let mut world = PursuitWorld::new(&map, graph.moves(), PursuitSettings::default());
        for &kinds in &kinds[..grounds] {
            world.insert(AgentSetup {
                kinds,
                ..AgentSetup::new(Side::Cops, doors[1])
            });
        }
        let mut tick = |edits: &[MapEdit]| {
            let start = Instant::now();
            world.begin_tick_with(edits);
            world.arrive();
            world.decide(&mut Expansions(1 << 40));
            let time = start.elapsed();
            assert!(world.hierarchy().is_some() && world.grounds() == grounds);
            time
        };
        tick(&[]);
        let mut times = Vec::new();
        for i in 0..10_000_usize {
            let at = doors[i * 7919 % doors.len()];
            times.extend([false, true].map(|passable| tick(&[MapEdit::Cell { at, passable }])));
        }
        print_times(&format!("a tick with a door, {grounds} grounds"), times);
    }
    // The graph and its copy in the maintenance take 5 bytes per cell and 38 per vertex each.
    let cells = usize::from(map.width()) * usize::from(map.height());
    let bytes = 2 * (5 * cells + 38 * graph.vertices()) + Hierarchy::new(graph).bytes();
    let each = bytes as f64 / graph.vertices() as f64;
    println!("a further ground: {each:.0} bytes per vertex");
}

fn print_times(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    let [median, most] = [50, 99].map(|percent| times[times.len() * percent / 100]);
    let max = times[times.len() - 1];
    println!("{what}: median {median:?}, mean {mean:?}, 99 % below {most:?}, at most {max:?}");
}

fn abstraction(criterion: &mut Criterion) {
    for (name, map, graph) in cases() {
        Doors::new(&graph).report(name);
        report_loading(&map, &graph);
        report_grounds(&map, &graph);
        let mut group = criterion.benchmark_group(format!("{name}, {} vertices", graph.vertices()));
        group.sample_size(20);
        group.bench_function("built", |bench| {
            bench.iter(|| Hierarchy::new(black_box(&graph)));
        });
        group.bench_function("the graph alone", |bench| {
            bench.iter(|| Graph::new(black_box(&map), graph.moves()));
        });
        let mut doors = Doors::new(&graph);
        let middle = graph.iter().nth(graph.vertices() / 2).expect("a vertex");
        let door = graph.cell(middle);
        group.bench_function("a door that closes and opens", |bench| {
            bench.iter(|| [doors.swing(door), doors.swing(door)]);
        });
        group.finish();
    }
}

criterion_group!(benches, abstraction);
criterion_main!(benches);
