//! `cargo bench --no-default-features --bench abstraction`: hierarchies built and repaired on the
//! harbour, and on AR0414SR and a city where the reference maps are at hand (`PURSUIT_REFERENCE`).

use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::graph::Graph;
use bevy_pursuit::map::Level;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;

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

fn abstraction(criterion: &mut Criterion) {
    for (name, graph) in cases() {
        let mut group = criterion.benchmark_group(format!("{name}, {} vertices", graph.vertices()));
        group.sample_size(20);
        let hierarchy = Hierarchy::new(&graph);
        println!(
            "{name}: {} levels, {:.1} bytes a vertex",
            hierarchy.levels(),
            hierarchy.bytes() as f64 / graph.vertices() as f64
        );
        group.bench_function("built", |bench| {
            bench.iter(|| Hierarchy::new(black_box(&graph)));
        });
        group.finish();
    }
}

criterion_group!(benches, abstraction);
criterion_main!(benches);
