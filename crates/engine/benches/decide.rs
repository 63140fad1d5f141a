//! `cargo bench -p pursuit_engine --bench decide`: decisions from a table, of
//! cops and of a robber, from positions spread over the map; on the harbour, and on a map of the
//! reference folder where it is at hand (`PURSUIT_REFERENCE`).

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pursuit_engine::game::{Agent, Rules, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::PursuitLevel;
use pursuit_engine::policy::{Decision, Source, TablePlayer};
use pursuit_engine::search::Dice;
use pursuit_engine::table::{Arena, CaptureTimes, Solver, Table};
use pursuit_engine::table_cache::{TableCache, TableSettings};
use std::hint::black_box;
use std::num::NonZeroU8;
use std::path::Path;

/// Decisions in a round of measurement.
const POSITIONS: usize = 4096;

fn positions(graph: &Graph, rules: Rules) -> Vec<(Agent, Vec<Agent>)> {
    let vertices: Vec<Vertex> = graph.iter().collect();
    let dice = &mut Dice::new(1);
    let mut agent = |speed| Agent {
        at: dice.pick(&vertices).expect("a vertex"),
        speed,
    };
    (0..POSITIONS)
        .map(|_| {
            let cops = (0..rules.cops.get()).map(|_| agent(rules.cop_speed));
            let cops = cops.collect();
            (agent(rules.robber_speed), cops)
        })
        .collect()
}

fn measure(criterion: &mut Criterion, name: &str, text: &str, cops: u8, cop_speed: u8) {
    let level = PursuitLevel::parse(text).expect("a map");
    let rules = Rules {
        cops: NonZeroU8::new(cops).expect("cops"),
        cop_speed: Speed::new(cop_speed).expect("a speed"),
        moves: level.moves(),
        ..Rules::default()
    };
    let graph = &Graph::new(&level.initial_map(), rules.moves);
    let mut solver = Solver::new(Arena::of_map(graph).into(), rules, 4 << 30).expect("memory");
    solver.run(|_| true);
    let solution = solver.finish().expect("done");
    let table = Table::of(&solution);
    let arena = solution.arena();
    let positions = positions(graph, rules);
    let mut states = positions.iter().cycle().map(|(robber, cops)| State {
        robber: *robber,
        cops,
        to_move: Side::Cops,
    });
    let mut group = criterion.benchmark_group("decide");
    let case = format!(
        "{name}, {} vertices, {cops} of speed {cop_speed}",
        graph.vertices()
    );
    let player = &mut TablePlayer::default();
    let (mut of_cops, mut of_robber) = (Vec::new(), Decision::wait(Source::Greedy));
    let kinds: [(&str, &dyn CaptureTimes); 2] = [("solution", &solution), ("table", &table)];
    for (kind, times) in kinds {
        let (mut probes, mut most) = (0, 0);
        for state in states.by_ref().take(POSITIONS) {
            assert!(player.cops(times, arena, graph, &state, &mut of_cops));
            probes += player.probes();
            most = player.probes().max(most);
        }
        let mean = probes as f64 / POSITIONS as f64;
        println!("{case}: {mean:.1} values a decision, {most} at most");
        group.bench_function(BenchmarkId::new(format!("cops, {kind}"), &case), |bench| {
            bench.iter(|| {
                let state = states.next().expect("a cycle");
                player.cops(times, arena, graph, black_box(&state), &mut of_cops)
            });
        });
        group.bench_function(
            BenchmarkId::new(format!("robber, {kind}"), &case),
            |bench| {
                bench.iter(|| {
                    let state = states.next().expect("a cycle");
                    player.robber(times, arena, graph, black_box(&state), &mut of_robber)
                });
            },
        );
    }
    let mut tables = TableCache::new(TableSettings::default());
    tables.add_asset(table).expect("a table of a map");
    let mut tick = 0;
    group.bench_function(BenchmarkId::new("find", &case), |bench| {
        bench.iter(|| {
            tick += 1;
            tables.find(graph, black_box(&rules), tick).is_some()
        });
    });
    group.finish();
}

fn decisions(criterion: &mut Criterion) {
    let harbour = include_str!("../../../assets/levels/harbour.level.ron");
    measure(criterion, "harbour", harbour, 1, 2);
    measure(criterion, "harbour", harbour, 2, 1);
    measure(criterion, "harbour", harbour, 2, 2);
    if let Some(folder) = std::env::var_os("PURSUIT_REFERENCE") {
        let path = Path::new(&folder).join("maps/bg/AR0305SR.map");
        let text = std::fs::read_to_string(path).expect("a reference map");
        measure(criterion, "AR0305SR", &text, 1, 2);
    }
}

criterion_group!(benches, decisions);
criterion_main!(benches);
