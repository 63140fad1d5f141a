//! `cargo bench -p pursuit_engine --bench table`: solving, packing, checking
//! and probing tables; on the harbour, and on maps of the reference folder where it is at hand
//! (`PURSUIT_REFERENCE`). Beside it the papers' way, a queue of positions.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use pursuit_engine::game::{Rules, Speed};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Cell, PursuitLevel};
use pursuit_engine::table::{Arena, CaptureTimes, Solution, Solver, Table};
use std::collections::VecDeque;
use std::hint::black_box;
use std::num::NonZeroU8;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const LIMIT: u64 = 20_000_000_000;

struct Case {
    name: String,
    graph: Graph,
    rules: Rules,
}

impl Case {
    fn new(name: &str, text: &str, cops: u8, cop_speed: u8) -> Self {
        let level = PursuitLevel::parse(text).expect("a map");
        let rules = Rules {
            cops: NonZeroU8::new(cops).expect("cops"),
            cop_speed: Speed::new(cop_speed).expect("a speed"),
            moves: level.moves(),
            ..Rules::default()
        };
        let graph = Graph::new(&level.initial_map(), rules.moves);
        let vertices = graph.vertices();
        Self {
            name: format!("{name}, {vertices} vertices, {cops} of speed {cop_speed}"),
            graph,
            rules,
        }
    }

    fn solve(&self) -> Solution {
        let arena = Arc::new(Arena::of_map(&self.graph));
        let mut solver = Solver::new(arena, self.rules, LIMIT).expect("enough memory");
        solver.run(|_| true);
        solver.finish().expect("done")
    }

    /// Positions spread over the map in a way that is the same each time.
    fn positions(&self) -> Vec<(Cell, Vec<Cell>)> {
        let cells: Vec<Cell> = self.graph.iter().map(|v| self.graph.cell(v)).collect();
        let mut state = 1_u64;
        let mut cell = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            cells[(state >> 33) as usize % cells.len()]
        };
        let cops = usize::from(self.rules.cops.get());
        (0..4096)
            .map(|_| (cell(), (0..cops).map(|_| cell()).collect()))
            .collect()
    }
}

fn cases() -> Vec<Case> {
    let harbour = include_str!("../../../assets/levels/harbour.level.ron");
    let mut cases = vec![
        Case::new("harbour", harbour, 1, 2),
        Case::new("harbour", harbour, 2, 1),
    ];
    if let Some(folder) = std::env::var_os("PURSUIT_REFERENCE") {
        for (map, cops, cop_speed) in [("AR0305SR", 1, 2), ("AR0414SR", 1, 2), ("AR0401SR", 2, 1)] {
            let path = Path::new(&folder).join(format!("maps/bg/{map}.map"));
            let text = std::fs::read_to_string(path).expect("a reference map");
            cases.push(Case::new(map, &text, cops, cop_speed));
        }
    }
    cases
}

fn tables(criterion: &mut Criterion) {
    for case in cases() {
        let mut group = criterion.benchmark_group("table");
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(200));
        let id = |what: &str| BenchmarkId::new(what, &case.name);
        group.bench_function(id("solve"), |bench| bench.iter(|| case.solve()));
        let solution = case.solve();
        group.bench_function(id("pack"), |bench| bench.iter(|| Table::of(&solution)));
        let table = Table::of(&solution);
        drop(solution);
        group.bench_function(id("load"), |bench| {
            bench.iter(|| Table::from_bytes(black_box(table.bytes().clone())));
        });
        let positions = case.positions();
        let mut next = positions.iter().cycle();
        group.bench_function(id("probe, warm"), |bench| {
            bench.iter(|| {
                let (robber, cops) = next.next().expect("positions");
                table.value(black_box(*robber), cops)
            });
        });
        let small = table.places().pow(case.rules.cops.get().into()) < 1_000_000;
        if small {
            group.bench_function(id("verify"), |bench| {
                bench.iter(|| table.verify(&case.graph, u64::MAX, |_| true));
            });
        }
        group.finish();
    }
    let harbour = include_str!("../../../assets/levels/harbour.level.ron");
    let case = Case::new("harbour", harbour, 1, 2);
    let mut group = criterion.benchmark_group("table");
    group.sample_size(10);
    group.bench_function(BenchmarkId::new("solve by a queue", &case.name), |bench| {
        bench.iter(|| by_a_queue(&case.graph));
    });
    group.finish();
}

/// Retrograde analysis as in figure 3.2 of the thesis, one cop of speed 2: a queue of positions, and
/// for each position with the robber to move a count of the moves that are not lost yet.
fn by_a_queue(graph: &Graph) -> Vec<u16> {
    let n = graph.slots();
    let near = |v: Vertex| std::iter::once(v).chain(graph.neighbours(v).iter().copied());
    let ball = |v: Vertex| {
        let mut ball: Vec<Vertex> = near(v).flat_map(near).collect();
        ball.sort_unstable();
        ball.dedup();
        ball
    };
    let balls: Vec<Vec<Vertex>> = graph.iter().map(ball).collect();
    let mut turns = vec![u16::MAX; n * n];
    let moves = |v: Vertex| graph.neighbours(v).len() as u8 + 1;
    let mut left: Vec<u8> = graph
        .iter()
        .flat_map(|v| std::iter::repeat_n(moves(v), n))
        .collect();
    let mut queue = VecDeque::new();
    let settle =
        |robber: Vertex, cop: Vertex, turn: u16, turns: &mut Vec<u16>, queue: &mut VecDeque<_>| {
            for &before in &balls[cop.index()] {
                let value = &mut turns[robber.index() * n + before.index()];
                if *value == u16::MAX {
                    *value = turn;
                    queue.push_back((robber, before));
                }
            }
        };
    for robber in graph.iter() {
        turns[robber.index() * n + robber.index()] = 0;
        queue.push_back((robber, robber));
    }
    for robber in graph.iter() {
        left[robber.index() * n + robber.index()] = 0;
        settle(robber, robber, 1, &mut turns, &mut queue);
    }
    while let Some((robber, cop)) = queue.pop_front() {
        let turn = turns[robber.index() * n + cop.index()];
        for before in near(robber) {
            let left = &mut left[before.index() * n + cop.index()];
            if *left > 0 {
                *left -= 1;
                if *left == 0 {
                    settle(before, cop, turn + 1, &mut turns, &mut queue);
                }
            }
        }
    }
    turns
}

criterion_group!(benches, tables);
criterion_main!(benches);
