//! Searches and robbers do not allocate once they are warm.

use crate::common::chase;
use allocation_counter::measure;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Rules, Side, Speed, State};
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::{Moves, PursuitLevel};
use pursuit_engine::policy::GuidedRobber;
use pursuit_engine::policy::{Decision, Ground, GuideSolver, Source};
use pursuit_engine::search::{
    DaTrailMax, Dice, Footprint, Runner, SlicedSearch as _, TimedRace, TimedState, TimedTrailMax,
    TrailMax,
};
use pursuit_lab::RobberPolicy;
use pursuit_lab::robber::{DaTrailMaxRobber, TrailMaxRobber};

/// A map and chases on it.
struct Case {
    graph: Graph,
    games: Vec<(Agent, Vec<Agent>)>,
}

fn cases(speeds: &[u8]) -> [Case; 2] {
    let harbour = include_str!("../../../../assets/levels/harbour.level.ron");
    let harbour = PursuitLevel::parse(harbour).expect("our level");
    let dice = &mut Dice::new(4);
    let rough = chase::noise(dice, 64, 64, 25);
    let graphs = [
        Graph::new(&harbour.initial_map(), harbour.moves()),
        Graph::new(&rough, Moves::Octile),
    ];
    graphs.map(|graph| {
        let games = (0..200).map(|_| chase::chase(&graph, dice, 1, speeds).expect("a vertex"));
        Case {
            games: games.collect(),
            graph,
        }
    })
}

/// Asserts that playing all games for the third time does not allocate.
fn assert_warm_is_free(case: &Case, what: &str, mut solve: impl FnMut(&State<'_>)) {
    let mut all = || {
        for (robber, cops) in &case.games {
            solve(&State {
                robber: *robber,
                cops,
                to_move: Side::Robber,
            });
        }
    };
    let cold = measure(&mut all);
    assert!(cold.count_total > 0, "{what}: nothing is counted");
    // Swapped buffers may grow in alternate rounds.
    all();
    assert_eq!(measure(&mut all).count_total, 0, "{what}");
}

/// Asserts that after some games, other games on the same map allocate almost nothing: lists double
/// until they are as long as the longest front or path.
fn assert_warms_up_soon(case: &Case, what: &str, mut solve: impl FnMut(&State<'_>)) {
    let mut play = |games: &[(Agent, Vec<Agent>)]| {
        for (robber, cops) in games {
            solve(&State {
                robber: *robber,
                cops,
                to_move: Side::Robber,
            });
        }
    };
    let (first, others) = case.games.split_at(100);
    play(first);
    let later = measure(|| play(others));
    assert!(later.count_total <= 32, "{what}: {}", later.count_total);
}

#[test]
fn trail_max_takes_no_memory() {
    for speeds in [&[2][..], &[1, 1], &[2, 1, 3]] {
        for case in &cases(speeds) {
            let mut search = TrailMax::new();
            assert_warm_is_free(case, "TrailMax", |state| {
                search.solve(&case.graph, state);
            });
            let mut search = TrailMax::new();
            assert_warms_up_soon(case, "TrailMax", |state| {
                search.solve(&case.graph, state);
            });
            let mut footprint = Footprint::default();
            assert_warm_is_free(case, "its footprint", |state| {
                search.solve(&case.graph, state);
                footprint.clear(case.graph.width(), case.graph.height());
                search.add_footprint(&case.graph, &mut footprint);
            });
        }
    }
}

#[test]
fn da_trail_max_takes_no_memory() {
    for speeds in [&[2][..], &[1, 1], &[2, 1, 3]] {
        for case in &cases(speeds) {
            let hierarchy = Hierarchy::new(&case.graph);
            for keeps_footprint in [false, true] {
                let mut search = DaTrailMax::new(10, 0);
                if keeps_footprint {
                    search.keep_footprint();
                }
                assert_warm_is_free(case, "DaTrailMax", |state| {
                    search.restart(0);
                    search.solve(&case.graph, Some(&hierarchy), state);
                });
            }
            let mut search = DaTrailMax::new(10, 0);
            assert_warms_up_soon(case, "DaTrailMax", |state| {
                search.solve(&case.graph, Some(&hierarchy), state);
            });
        }
    }
}

/// The same agents on the free-running clock: a step takes 8 ticks divided by the speed, and agents
/// become ready at different ticks.
fn timed(state: &State<'_>, cops: &mut Vec<Runner>) -> Runner {
    let runner = |agent: &Agent, ready| Runner {
        at: agent.at,
        ready,
        step: 8 / u32::from(agent.speed.steps()),
    };
    cops.clear();
    cops.extend(state.cops.iter().zip(0..).map(|(cop, i)| runner(cop, i)));
    runner(&state.robber, 3)
}

#[test]
fn searches_on_the_free_running_clock_take_no_memory() {
    for speeds in [&[2][..], &[1, 1], &[2, 1, 3]] {
        for case in &cases(speeds) {
            let mut team = Vec::with_capacity(4);
            let mut search = TimedRace::new();
            assert_warm_is_free(case, "TimedRace", |state| {
                let robber = timed(state, &mut team);
                let cops = &team;
                search.solve(&case.graph, &TimedState { robber, cops });
            });
            let mut search = TimedRace::new();
            assert_warms_up_soon(case, "TimedRace", |state| {
                let robber = timed(state, &mut team);
                let cops = &team;
                search.solve(&case.graph, &TimedState { robber, cops });
            });
            let hierarchy = Hierarchy::new(&case.graph);
            let mut search = TimedTrailMax::new(5, 0);
            search.keep_footprint();
            assert_warm_is_free(case, "TimedTrailMax", |state| {
                search.restart(0);
                let robber = timed(state, &mut team);
                let cops = &team;
                search.solve(&case.graph, Some(&hierarchy), &TimedState { robber, cops });
            });
        }
    }
}

#[test]
fn robbers_take_no_memory() {
    for case in &cases(&[2]) {
        let hierarchy = Hierarchy::new(&case.graph);
        let rules = Rules {
            cop_speed: Speed::new(2).expect("a speed"),
            ..Rules::default()
        };
        let solver = GuideSolver::new(&hierarchy, rules, 100_000, 1 << 28);
        let mut solver = solver.expect("memory").expect("a level");
        assert!(solver.run(|_| true).done);
        let guide = solver.finish().expect("done");
        let ground = Ground {
            hierarchy: Some(&hierarchy),
            guide: Some(&guide),
            ..(&case.graph).into()
        };
        let robbers: [Box<dyn RobberPolicy>; 5] = [
            Box::new(GuidedRobber::default()),
            Box::new(GuidedRobber::new(u16::MAX, 6)),
            Box::new(TrailMaxRobber::new(1)),
            Box::new(TrailMaxRobber::new(4)),
            Box::new(DaTrailMaxRobber::new(4, 10)),
        ];
        for mut robber in robbers {
            let mut decision = Decision::wait(Source::Greedy);
            let mut way: Vec<Vertex> = Vec::with_capacity(8);
            assert_warm_is_free(case, "a robber", |state| {
                robber.restart(1);
                robber.decide(ground, state, &mut decision);
                way.clear();
                way.extend_from_slice(decision.next_move());
            });
        }
    }
}
