//! `cargo bench --no-default-features --bench abstraction`: hierarchies built and repaired on the
//! harbour, and on AR0414SR and a city where the reference maps are at hand (`PURSUIT_REFERENCE`).
//! Before the figures of a map come its levels and how long single repairs take.

use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::graph::{Graph, TileEdit, Vertex};
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
    /// Opens or closes a cell; the time is that of the hierarchy's repair alone.
    fn swing(&mut self, cell: Cell) -> Duration {
        let passable = !self.graph.is_passable(cell);
        let delta = self.graph.apply(&[TileEdit { cell, passable }]);
        let start = Instant::now();
        black_box(self.hierarchy.apply(&self.graph, &delta));
        start.elapsed()
    }

    /// The levels above the map: vertices and edges.
    fn shape(hierarchy: &Hierarchy) -> Vec<(usize, usize)> {
        let levels = (1..hierarchy.levels()).filter_map(|level| hierarchy.level(level));
        levels
            .map(|level| (level.vertices(), level.edges()))
            .collect()
    }

    fn report(&mut self, name: &str) {
        let doors: Vec<Cell> = self.graph.iter().map(|v| self.graph.cell(v)).collect();
        let bytes = self.hierarchy.bytes() as f64 / doors.len() as f64;
        println!(
            "{name}: {bytes:.1} bytes a vertex, {:?}",
            Self::shape(&self.hierarchy)
        );
        let mut times = Vec::new();
        for i in 0..10_000_usize {
            let door = doors[i * 7919 % doors.len()];
            times.extend([self.swing(door), self.swing(door)]);
        }
        print_times("a door closes or opens", times);
        println!("swung    {:?}", Self::shape(&self.hierarchy));
        if name != "city" {
            for i in 0..20_000_usize {
                self.swing(doors[i * i % 1_000_003 % doors.len()]);
            }
            for &door in &doors {
                if !self.graph.is_passable(door) {
                    self.swing(door);
                }
            }
            println!("churned  {:?}", Self::shape(&self.hierarchy));
        }
        // Half of the doors end closed, each of those a different one.
        let closing = doors.iter().step_by(16).map(|&door| self.swing(door));
        print_times("one cell in 16 closes", closing.collect());
        println!("repaired {:?}", Self::shape(&self.hierarchy));
        println!("rebuilt  {:?}", Self::shape(&Hierarchy::new(&self.graph)));
        let opening = doors.iter().step_by(16).map(|&door| self.swing(door));
        print_times("it opens", opening.collect());
        println!("repaired {:?}", Self::shape(&self.hierarchy));
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
        let hierarchy = Hierarchy::new(&graph);
        let mut doors = Doors {
            graph: graph.clone(),
            hierarchy,
        };
        doors.report(name);
        let mut group = criterion.benchmark_group(format!("{name}, {} vertices", graph.vertices()));
        group.sample_size(20);
        group.bench_function("built", |bench| {
            bench.iter(|| Hierarchy::new(black_box(&graph)));
        });
        let middle: Vertex = graph.iter().nth(graph.vertices() / 2).expect("a vertex");
        let door = graph.cell(middle);
        group.bench_function("a door that closes and opens", |bench| {
            bench.iter(|| [doors.swing(door), doors.swing(door)]);
        });
        group.finish();
    }
}

criterion_group!(benches, abstraction);
criterion_main!(benches);
