//! `cargo bench --no-default-features`: the searches on the harbour, and on AR0414SR where the
//! reference maps are at hand (`PURSUIT_REFERENCE`).

use bevy_pursuit::game::{Agent, Side, Speed, State};
use bevy_pursuit::graph::{Graph, TileEdit, Vertex};
use bevy_pursuit::map::{Level, Moves};
use bevy_pursuit::policy::cop::Interceptor;
use bevy_pursuit::policy::{CopPolicy, Decision, RobberPolicy, Source, robber::TrailMaxRobber};
use bevy_pursuit::search::{Distances, TrailMax};
use criterion::{Criterion, criterion_group, criterion_main};
use pathfinding::directed::dijkstra::dijkstra_reach;
use std::hint::black_box;
use std::path::Path;

/// Positions on a map, spread over it in a way that is the same each time.
struct Case {
    name: String,
    graph: Graph,
    games: Vec<(Agent, [Agent; 3])>,
}

impl Case {
    fn new(name: &str, level: &Level) -> Self {
        let graph = Graph::new(&level.initial_map(), level.moves());
        let mut distances = Distances::default();
        let start = graph.iter().next().expect("a vertex");
        // The largest part of these maps holds their middle vertex.
        let middle = graph.iter().nth(graph.vertices() / 2).unwrap_or(start);
        distances.measure(&graph, middle);
        let part = distances.reachable();
        let agent = |index: usize, speed: u8| Agent {
            at: part[index * 7919 % part.len()],
            speed: Speed::new(speed).expect("a speed"),
        };
        let game = |i: usize| {
            let cops = [
                agent(4 * i + 1, 2),
                agent(4 * i + 2, 2),
                agent(4 * i + 3, 2),
            ];
            (agent(4 * i, 1), cops)
        };
        Self {
            name: format!("{name}, {} vertices", graph.vertices()),
            games: (0..64).map(game).collect(),
            graph,
        }
    }
}

fn cases() -> Vec<Case> {
    let harbour = include_str!("../assets/levels/harbour.level.ron");
    let mut cases = vec![Case::new(
        "harbour",
        &Level::parse(harbour).expect("our level"),
    )];
    if let Some(folder) = std::env::var_os("PURSUIT_REFERENCE") {
        let path = Path::new(&folder).join("maps/bg/AR0414SR.map");
        let text = std::fs::read_to_string(path).expect("the map AR0414SR");
        cases.push(Case::new("AR0414SR", &Level::parse(&text).expect("a map")));
    }
    cases
}

fn searches(criterion: &mut Criterion) {
    for case in cases() {
        let Case { name, graph, games } = &case;
        let mut group = criterion.benchmark_group(name);
        let mut next = games.iter().cycle();
        let mut game = move || next.next().expect("games");

        let mut distances = Distances::default();
        group.bench_function("distances", |bench| {
            bench.iter(|| distances.measure(graph, black_box(game().0.at)));
        });
        group.bench_function("distances by the crate pathfinding", |bench| {
            bench.iter(|| {
                let steps = |&v: &Vertex| graph.neighbours(v).iter().map(|&n| (n, 1));
                let all = dijkstra_reach(&game().0.at, |v| steps(v).collect::<Vec<_>>());
                black_box(all.count())
            });
        });

        let mut search = TrailMax::new();
        group.bench_function("TrailMax, one cop of speed 2", |bench| {
            bench.iter(|| {
                let (robber, cops) = game();
                let (cops, to_move) = (&cops[..1], Side::Robber);
                let state = State {
                    robber: *robber,
                    cops,
                    to_move,
                };
                search.begin(graph, &state);
                black_box(search.advance(graph, u32::MAX))
            });
        });
        let mut policy = TrailMaxRobber::default();
        let mut decision = Decision::wait(Source::Search);
        group.bench_function("a robber against three cops", |bench| {
            bench.iter(|| {
                let (robber, cops) = game();
                let state = State {
                    robber: *robber,
                    cops,
                    to_move: Side::Robber,
                };
                policy.decide(graph.into(), &state, &mut decision);
                black_box(&decision);
            });
        });
        let mut policy = Interceptor::default();
        group.bench_function("three cops that intercept", |bench| {
            bench.iter(|| {
                let (robber, cops) = game();
                let state = State {
                    robber: *robber,
                    cops,
                    to_move: Side::Cops,
                };
                black_box(policy.decide(graph, &state))
            });
        });

        let mut live = graph.clone();
        let cell = graph.cell(games[0].0.at);
        group.bench_function("a door that closes and opens", |bench| {
            bench.iter(|| {
                let edit = |passable| TileEdit { cell, passable };
                black_box(live.apply(&[edit(false)]));
                black_box(live.apply(&[edit(true)]))
            });
        });
        group.finish();
    }
    let harbour = include_str!("../assets/levels/harbour.level.ron");
    let map = Level::parse(harbour).expect("our level").initial_map();
    criterion.bench_function("harbour, graph built anew", |bench| {
        bench.iter(|| Graph::new(black_box(&map), Moves::Octile));
    });
}

criterion_group!(benches, searches);
criterion_main!(benches);
