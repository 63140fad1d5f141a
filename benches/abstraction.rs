//! `cargo bench --no-default-features --bench abstraction`: hierarchies built and repaired on the
//! harbour, and on AR0414SR and a city where the reference maps are at hand (`PURSUIT_REFERENCE`).
//! Before the figures of a map come its levels and how long single repairs take.

use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::graph::{Graph, TileEdit};
use bevy_pursuit::map::{Cell, Level};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

fn cases() -> Vec<(&'static str, Graph)> {
    let graph = |text: &str| {
        let level = Level::parse(text).expect("a level");
        Graph::new(&level.initial_map(), level.moves())
    };
    let harbour = include_str!("../assets/levels/harbour.level.ron");
    let mut cases = vec![("harbour", graph(harbour))];
    if let Some(folder) = std::env::var_os("PURSUIT_REFERENCE") {
        let maps = Path::new(&folder).join("maps");
        for (name, path) in [
            ("AR0414SR", "bg/AR0414SR.map"),
            ("city", "city/Berlin_1_1024.map"),
        ] {
            let text = std::fs::read_to_string(maps.join(path)).expect("a reference map");
            cases.push((name, graph(&text)));
        }
    }
    cases
}

/// A map and its hierarchy while doors swing.
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

    /// Opens or closes a cell; the time is that of the hierarchy's repair alone.
    fn swing(&mut self, cell: Cell) -> Duration {
        let passable = !self.graph.is_passable(cell);
        let delta = self.graph.apply(&[TileEdit { cell, passable }]);
        let start = Instant::now();
        black_box(self.hierarchy.apply(&self.graph, &delta));
        start.elapsed()
    }

    /// Prints how long repairs take, one by one, and what they leave of the hierarchy.
    fn report(&mut self, name: &str) {
        let cells: Vec<Cell> = self.graph.iter().map(|v| self.graph.cell(v)).collect();
        let bytes = self.hierarchy.bytes() as f64 / cells.len() as f64;
        let levels = self.hierarchy.levels();
        println!("{name}: {levels} levels, {bytes:.1} bytes a vertex");
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
        self.print_shape("repaired after edits at random, all open again");
    }

    /// Prints the number of vertices of each level above the map.
    fn print_shape(&self, what: &str) {
        let levels = (1..self.hierarchy.levels()).filter_map(|level| self.hierarchy.level(level));
        let vertices: Vec<usize> = levels
            .map(bevy_pursuit::abstraction::Level::vertices)
            .collect();
        println!("{what}: {vertices:?}");
    }
}

fn print_times(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    let [median, most] = [50, 99].map(|percent| times[times.len() * percent / 100]);
    let max = times[times.len() - 1];
    println!("{what}: median {median:?}, mean {mean:?}, 99 % below {most:?}, at most {max:?}");
}

fn abstraction(criterion: &mut Criterion) {
    for (name, graph) in cases() {
        Doors::new(&graph).report(name);
        let mut group = criterion.benchmark_group(format!("{name}, {} vertices", graph.vertices()));
        group.sample_size(20);
        group.bench_function("built", |bench| {
            bench.iter(|| Hierarchy::new(black_box(&graph)));
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
