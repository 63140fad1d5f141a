//! `cargo bench -p pursuit_lab --bench search`: the searches on the harbour, and on AR0414SR
//! and a city where the reference maps are at hand (`PURSUIT_REFERENCE`).

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use pathfinding::directed::astar::astar;
use pathfinding::directed::dijkstra::dijkstra_reach;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Rules, Side, Speed, State};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Moves, PursuitLevel};
use pursuit_engine::policy::GuidedRobber;
use pursuit_engine::policy::{Decision, Ground, GuideSolver, Source};
use pursuit_engine::search::{
    DaTrailMax, Distances, Footprint, Interception, Race, Runner, SlicedSearch as _, TimedRace,
    TimedState, TimedTrailMax, TrailMax,
};
use pursuit_lab::cop::Interceptor;
use pursuit_lab::robber::TrailMaxRobber;
use pursuit_lab::{CopPolicy, RobberPolicy};
use std::hint::black_box;
use std::path::Path;

/// On larger maps a crowd whose cops search one by one takes seconds for each sample.
const LARGEST_FOR_NAIVE: usize = 100_000;

/// Positions on a map, spread over it in a way that is the same each time.
struct Case {
    name: String,
    graph: Graph,
    games: Vec<(Agent, [Agent; 3])>,
    /// More cops, each somewhere else where the map has room for that.
    crowd: Vec<Agent>,
}

impl Case {
    fn new(name: &str, level: &PursuitLevel) -> Self {
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
            crowd: (1..=1000).map(|index| agent(index, 1)).collect(),
            graph,
        }
    }
}

fn cases() -> Vec<Case> {
    let harbour = include_str!("../../../assets/levels/harbour.level.ron");
    let mut cases = vec![Case::new(
        "harbour",
        &PursuitLevel::parse(harbour).expect("our level"),
    )];
    if let Some(folder) = std::env::var_os("PURSUIT_REFERENCE") {
        let maps = Path::new(&folder).join("maps");
        for (name, path) in [
            ("AR0414SR", "bg/AR0414SR.map"),
            ("city", "city/Berlin_1_1024.map"),
        ] {
            let text = std::fs::read_to_string(maps.join(path)).expect("a reference map");
            cases.push(Case::new(name, &PursuitLevel::parse(&text).expect("a map")));
        }
    }
    cases
}

impl Case {
    /// The positions of a game of this number of cops against a robber of the same speed that flees by [`DaTrailMax`], before
    /// each of at most 64 moves of the cops.
    fn crowd_game(&self, hierarchy: &Hierarchy, count: usize) -> Vec<(Agent, Vec<Agent>)> {
        let graph = &self.graph;
        let (mut robber, mut cops) = (self.games[0].0, self.crowd[..count].to_vec());
        let (mut team, mut flight) = (Interception::new(), DaTrailMax::new(10, 0));
        flight.limit_steps(16);
        let mut positions = Vec::new();
        for _ in 0..64 {
            positions.push((robber, cops.clone()));
            let state = cops_to_move(robber, &cops);
            team.solve(graph, Some(hierarchy), &state, true, 16);
            for (index, cop) in cops.iter_mut().enumerate() {
                cop.at = team.path_of(index).first().copied().unwrap_or(cop.at);
            }
            if cops.iter().any(|cop| cop.at == robber.at) {
                break;
            }
            let to_move = Side::Robber;
            let state = State {
                to_move,
                ..cops_to_move(robber, &cops)
            };
            let path = flight.solve(graph, Some(hierarchy), &state);
            robber.at = path.first().copied().unwrap_or(robber.at);
        }
        positions
    }
}

const fn cops_to_move(robber: Agent, cops: &[Agent]) -> State<'_> {
    let to_move = Side::Cops;
    State {
        robber,
        cops,
        to_move,
    }
}

/// A group of benchmarks on the positions of a case, one after the other.
struct Games<'a> {
    case: &'a Case,
    group: BenchmarkGroup<'a, WallTime>,
}

impl Games<'_> {
    /// Measures the searches for a position with this number of cops, the robber to move.
    fn bench(&mut self, name: &str, cops: usize, mut work: impl FnMut(&Graph, &State<'_>)) {
        let Self { case, group } = self;
        let mut games = case.games.iter().cycle();
        group.bench_function(name, |bench| {
            bench.iter(|| {
                let (robber, team) = games.next().expect("games");
                let state = State {
                    robber: *robber,
                    cops: &team[..cops],
                    to_move: Side::Robber,
                };
                work(&case.graph, black_box(&state));
            });
        });
    }

    fn distances(&mut self) {
        let mut distances = Distances::default();
        self.bench("distances", 0, |graph, state| {
            distances.measure(graph, state.robber.at);
        });
        self.bench("distances by the crate pathfinding", 0, |graph, state| {
            let steps = |&v: &Vertex| graph.neighbours(v).iter().map(|&n| (n, 1));
            let all = dijkstra_reach(&state.robber.at, |v| steps(v).collect::<Vec<_>>());
            black_box(all.count());
        });
    }

    fn trail_max(&mut self) {
        let mut search = TrailMax::new();
        self.bench("TrailMax, one cop of speed 2", 1, |graph, state| {
            black_box(search.solve(graph, state));
        });
        let mut footprint = Footprint::default();
        self.bench("TrailMax and its footprint", 1, |graph, state| {
            search.solve(graph, state);
            footprint.clear(graph.width(), graph.height());
            search.add_footprint(graph, &mut footprint);
        });
        let mut search = Race::new();
        self.bench("TrailMax by plain queues", 1, |graph, state| {
            black_box(search.solve(graph, state));
        });
    }

    fn da_trail_max(&mut self) {
        let hierarchy = Hierarchy::new(&self.case.graph);
        let mut search = DaTrailMax::new(10, 0);
        for (steps, what) in [(16, "16 steps"), (usize::MAX, "whole paths")] {
            search.limit_steps(steps);
            self.bench(&format!("DATrailMax, {what}"), 1, |graph, state| {
                black_box(search.solve(graph, Some(&hierarchy), state));
            });
        }
    }

    /// On the free running clock a cop's step takes 5 ticks and the robber's 7.
    fn timed(&mut self) {
        let runner = |agent: &Agent, step| Runner {
            at: agent.at,
            ready: 0,
            step,
        };
        let timed = |state: &State<'_>| {
            let cops = state.cops.iter().zip(5..);
            let team: Vec<Runner> = cops.map(|(cop, step)| runner(cop, step)).collect();
            (runner(&state.robber, 7), team)
        };
        let mut search = TimedRace::new();
        for cops in [1, 3] {
            self.bench(&format!("TimedRace, {cops} cops"), cops, |graph, state| {
                let (robber, cops) = &timed(state);
                let robber = *robber;
                black_box(search.solve(graph, &TimedState { robber, cops }));
            });
        }
        let hierarchy = Hierarchy::new(&self.case.graph);
        let mut search = TimedTrailMax::new(5, 0);
        search.limit_steps(16);
        for cops in [1, 3] {
            let name = format!("TimedTrailMax, 16 steps, {cops} cops");
            self.bench(&name, cops, |graph, state| {
                let (robber, cops) = &timed(state);
                let robber = *robber;
                black_box(search.solve(graph, Some(&hierarchy), &TimedState { robber, cops }));
            });
        }
    }

    fn doors(&mut self) {
        let mut live = self.case.graph.clone();
        let cell = live.cell(self.case.games[0].0.at);
        self.bench("a door that closes and opens", 0, |_, _| {
            let edit = |passable| TileEdit { cell, passable };
            black_box(live.apply(&[edit(false)]));
            black_box(live.apply(&[edit(true)]));
        });
    }

    fn interception(&mut self) {
        let hierarchy = Hierarchy::new(&self.case.graph);
        let mut search = Interception::new();
        for cops in [1, 3] {
            let name = format!("{cops} cops that intercept over levels, 16 steps");
            self.bench(&name, cops, |graph, state| {
                let to_move = Side::Cops;
                let state = State { to_move, ..*state };
                search.solve(graph, Some(&hierarchy), &state, true, 16);
                black_box(search.path_of(0));
            });
        }
    }

    /// Many cops after one robber, with a path of 16 steps for each: the plans of a game, turn by turn.
    fn crowds(&mut self) {
        let graph = &self.case.graph;
        let hierarchy = Hierarchy::new(graph);
        let mut search = Interception::new();
        for count in [100, 1000] {
            let game = self.case.crowd_game(&hierarchy, count);
            let mut turns = game.iter().cycle();
            self.group
                .bench_function(format!("{count} cops after one robber"), |bench| {
                    bench.iter(|| {
                        let (robber, cops) = turns.next().expect("a turn");
                        let state = cops_to_move(*robber, cops);
                        search.solve(graph, Some(&hierarchy), &state, true, 16);
                        black_box(search.path_of(0));
                    });
                });
            if graph.vertices() > LARGEST_FOR_NAIVE {
                continue;
            }
            let naive = format!("{count} cops, A* for each by the crate pathfinding");
            let mut turns = game.iter().cycle();
            self.group.bench_function(naive, |bench| {
                bench.iter(|| {
                    let (robber, cops) = turns.next().expect("a turn");
                    for cop in cops {
                        let goal = graph.cell(robber.at);
                        black_box(astar(
                            &cop.at,
                            |&at| graph.neighbours(at).iter().map(|&next| (next, 1)),
                            |&at| graph.cell(at).max_norm(goal),
                            |&at| at == robber.at,
                        ));
                    }
                });
            });
        }
    }

    fn policies(&mut self) {
        let mut robber = TrailMaxRobber::default();
        let mut decision = Decision::wait(Source::Search);
        self.bench("a robber against three cops", 3, |graph, state| {
            robber.decide(graph.into(), state, &mut decision);
        });
        let mut cops = Interceptor::default();
        self.bench("three cops that intercept", 3, |graph, state| {
            let to_move = Side::Cops;
            black_box(cops.decide(graph.into(), &State { to_move, ..*state }));
        });
        self.guided();
    }

    fn guided(&mut self) {
        let graph = &self.case.graph;
        let hierarchy = Hierarchy::new(graph);
        let rules = Rules {
            cop_speed: Speed::new(2).expect("a speed"),
            ..Rules::default()
        };
        let solver = GuideSolver::new(&hierarchy, rules, 64_000_000, 1 << 30);
        let mut solver = solver.expect("memory").expect("a level");
        solver.run(|_| true);
        let guide = solver.finish();
        let ground = Ground {
            graph,
            hierarchy: Some(&hierarchy),
            guide: guide.as_ref(),
            retract: None,
        };
        let mut robber = GuidedRobber::default();
        let mut decision = Decision::wait(Source::Search);
        self.bench("a robber that goes by a guide", 1, |_, state| {
            robber.decide(ground, state, &mut decision);
        });
    }
}

fn searches(criterion: &mut Criterion) {
    for case in &cases() {
        let group = criterion.benchmark_group(&case.name);
        let mut games = Games { case, group };
        games.trail_max();
        games.da_trail_max();
        games.timed();
        games.interception();
        games.crowds();
        if case.graph.vertices() < 100_000 {
            games.distances();
            games.policies();
        }
        games.doors();
    }
    let harbour = include_str!("../../../assets/levels/harbour.level.ron");
    let map = PursuitLevel::parse(harbour)
        .expect("our level")
        .initial_map();
    criterion.bench_function("harbour, graph built anew", |bench| {
        bench.iter(|| Graph::new(black_box(&map), Moves::Octile));
    });
}

criterion_group!(benches, searches);
criterion_main!(benches);
