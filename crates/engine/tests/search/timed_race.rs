//! `TrailMax` on the free-running clock against an oracle that runs a slow search for each agent,
//! against the game of turns, and against itself.

use crate::common;
use crate::common::chase;
use crate::common::timed;
use chase::any_map;
use common::map;
use proptest::prelude::*;
use pursuit_engine::game::{Agent, Outcome, Side, State};
use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::{Dice, FOUND, Race, Runner, STALE, TimedPlan, TimedRace, TimedState};
use timed::{captured_on, first_cops, free_for, runners};

fn any_graph(dice: &mut Dice, side: u16) -> Graph {
    let moves = pursuit_testkit::rolled_moves(dice);
    Graph::new(&any_map(dice, side), moves)
}

/// A search that is reused for many states has to give the same results as a new one for each.
fn solve(graph: &Graph, state: &TimedState<'_>) -> TimedPlan {
    TimedRace::new().solve(graph, state).clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_plan_is_worth_what_slow_searches_say(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut search = TimedRace::new();
        for side in [4, 12, 24] {
            let graph = any_graph(dice, side);
            for _ in 0..3 {
                let (robber, cops) = runners(&graph, dice, 4);
                let state = TimedState { robber, cops: &cops };
                let plan = search.solve(&graph, &state);
                prop_assert_eq!(plan.free_for, free_for(&graph, &state));
                prop_assert_eq!(captured_on(&graph, &state, &plan.path), plan.free_for);
                prop_assert_eq!(plan, &solve(&graph, &state));
                // At most one expansion per vertex for each step time.
                let mut steps: Vec<u32> = cops.iter().map(|cop| cop.step).collect();
                steps.sort_unstable();
                steps.dedup();
                let most = graph.vertices() * (steps.len() + 1);
                prop_assert!(search.work().expansions <= most as u64);
            }
        }
    }

    #[test]
    fn waves_reach_what_agents_can_reach_before_it_ends(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = any_graph(dice, 16);
        let (robber, cops) = runners(&graph, dice, 3);
        let state = TimedState { robber, cops: &cops };
        let mut search = TimedRace::new();
        let goal = search.solve(&graph, &state).path.last().copied();
        let arrivals = first_cops(&graph, &cops);
        let end = arrivals[goal.unwrap_or(robber.at).index()];
        let mut reached = vec![false; graph.slots()];
        search.for_each_reached(|vertex| reached[vertex.index()] = true);
        for vertex in graph.iter() {
            // Vertices of the last tick may be missing, because the search ends in the middle of it.
            let cop = arrivals[vertex.index()];
            if cop.is_some_and(|cop| end.is_none_or(|end| cop < end)) {
                prop_assert!(reached[vertex.index()]);
            }
        }
        prop_assert!(reached[robber.at.index()]);
        let mut rim = vec![false; graph.slots()];
        search.for_each_on_rim(|vertex| rim[vertex.index()] = true);
        for vertex in graph.iter() {
            let mut beside = graph.neighbours(vertex).iter();
            prop_assert!(reached[vertex.index()] || !rim[vertex.index()]);
            if reached[vertex.index()] && !rim[vertex.index()] {
                prop_assert!(beside.all(|next| reached[next.index()]));
            }
        }
    }

    #[test]
    fn a_limit_ends_only_searches_that_would_look_further(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let (mut unlimited, mut limited) = (TimedRace::new(), TimedRace::new());
        for _ in 0..4 {
            let graph = any_graph(dice, 24);
            let (robber, cops) = runners(&graph, dice, 4);
            let state = TimedState { robber, cops: &cops };
            let whole = unlimited.solve(&graph, &state);
            let ticks = 1 + dice.below(60) as u64;
            limited.limit_ticks(ticks);
            let plan = limited.solve(&graph, &state);
            let end = robber.ready + ticks as u32;
            if plan.free_for.is_none() || whole.free_for.is_some_and(|tick| tick <= end) {
                prop_assert_eq!(plan, whole);
            } else {
                prop_assert_eq!(plan.free_for, Some(end));
                let captured = captured_on(&graph, &state, &plan.path);
                prop_assert!(captured.is_none_or(|tick| tick > end));
            }
        }
    }

    #[test]
    fn any_slicing_gives_the_same_plan(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = any_graph(dice, 24);
        let (mut whole, mut sliced) = (TimedRace::new(), TimedRace::new());
        for _ in 0..3 {
            let (robber, cops) = runners(&graph, dice, 4);
            let state = TimedState { robber, cops: &cops };
            let plan = whole.solve(&graph, &state).clone();
            sliced.begin(&graph, &state);
            let most = 1 + dice.below(20);
            let mut path = Vec::new();
            while sliced.plan().is_none() {
                path.clear();
                sliced.best_so_far(&mut path);
                // The path is legal, and no cop captures the robber before its end.
                let end = robber.ready + robber.step * path.len() as u32;
                let captured = captured_on(&graph, &state, &path);
                prop_assert!(captured.is_none_or(|tick| tick >= end));
                let budget = dice.below(most + 1) as u32;
                let before = sliced.work().expansions;
                sliced.advance(&graph, budget);
                prop_assert!(sliced.work().expansions - before <= budget.into());
            }
            prop_assert_eq!(sliced.plan(), Some(&plan));
            prop_assert_eq!(sliced.work().expansions, whole.work().expansions);
            prop_assert_eq!(sliced.work().touched, whole.work().touched);
            path.clear();
            sliced.best_so_far(&mut path);
            prop_assert_eq!(path, plan.path);
        }
    }

    /// If a robber's step takes as long as `speed` steps of a cop, this is the game of turns with cops
    /// of that speed, which move first.
    #[test]
    fn who_steps_in_whole_turns_plays_the_game_of_turns(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = any_graph(dice, 20);
        let tick = 1 + dice.below(4) as u32;
        let speed = 1 + dice.below(3) as u8;
        let many = 1 + dice.below(4);
        let (robber, cops) = chase::chase(&graph, dice, 1, &vec![speed; many]).expect("a vertex");
        let runner = |agent: Agent, steps: u8| Runner {
            at: agent.at,
            ready: 0,
            step: tick * u32::from(steps),
        };
        let team: Vec<Runner> = cops.iter().map(|&cop| runner(cop, 1)).collect();
        let state = TimedState { robber: runner(robber, speed), cops: &team };
        let plan = solve(&graph, &state);
        let turns = State { robber, cops: &cops, to_move: Side::Cops };
        let mut race = Race::new();
        let outcome = race.solve(&graph, &turns).outcome;
        let in_turns = plan.free_for.map(|ticks| ticks.div_ceil(tick * u32::from(speed)));
        match outcome {
            Outcome::Escapes | Outcome::Away(_) => prop_assert_eq!(in_turns, None),
            Outcome::Caught(turns) => prop_assert_eq!(in_turns, Some(u32::from(turns.0))),
        }
    }

    #[test]
    fn the_order_of_the_cops_makes_no_difference_to_the_value(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = any_graph(dice, 20);
        let (robber, mut cops) = runners(&graph, dice, 4);
        let first = solve(&graph, &TimedState { robber, cops: &cops });
        cops.reverse();
        prop_assert_eq!(solve(&graph, &TimedState { robber, cops: &cops }), first);
    }
}

/// A corridor, and an agent on one of its cells.
fn corridor(cells: usize) -> (Graph, impl Fn(u16, u32, u32) -> Runner) {
    let graph = Graph::new(&map(&[&".".repeat(cells)]), Moves::Octile);
    let vertices = graph.clone();
    let runner = move |x, ready, step| Runner {
        at: vertices.vertex(Cell::new(x, 0)).expect("free"),
        ready,
        step,
    };
    (graph, runner)
}

#[test]
fn who_leaves_a_vertex_as_a_cop_arrives_there_is_captured() {
    let (graph, runner) = corridor(9);
    let value = |robber, cop| {
        let cops = [cop];
        let state = TimedState {
            robber,
            cops: &cops,
        };
        let plan = solve(&graph, &state);
        (plan.path.len(), plan.free_for)
    };
    // The cop is beside the robber, and reaches the robber's cell when the robber reaches the next one.
    assert_eq!(value(runner(1, 0, 5), runner(0, 0, 5)), (0, Some(5)));
    assert_eq!(value(runner(1, 0, 5), runner(0, 1, 5)), (7, Some(41)));
    assert_eq!(value(runner(1, 0, 4), runner(0, 0, 5)), (7, Some(40)));
    // The cop gains a tick per step, and reaches the last cells before the robber.
    assert_eq!(value(runner(2, 0, 5), runner(0, 0, 4)), (3, Some(20)));
    // The robber is on its way to this cell, and a cop arrives there at the same tick, before it or
    // after it.
    assert_eq!(value(runner(4, 6, 1), runner(4, 6, 1)), (0, Some(6)));
    assert_eq!(value(runner(4, 6, 1), runner(4, 2, 1)), (0, Some(6)));
    assert_eq!(value(runner(4, 6, 1), runner(4, 7, 1)), (0, Some(7)));
    assert_eq!(value(runner(4, 6, 1), runner(4, 8, 2)), (4, Some(16)));
    assert_eq!(value(runner(4, 0, 1), runner(4, 0, 9)), (0, Some(0)));
    // A step of 0 ticks takes one.
    assert_eq!(value(runner(4, 0, 0), runner(2, 0, 0)), (4, Some(6)));
}

#[test]
fn nobody_comes() {
    let (graph, runner) = corridor(3);
    let robber = runner(1, 7, 2);
    let plan = solve(&graph, &TimedState { robber, cops: &[] });
    assert_eq!((plan.path.len(), plan.free_for), (0, None));
}

#[test]
fn ticks_without_end_do_not_overflow() {
    let (graph, runner) = corridor(9);
    let robber = runner(3, u32::MAX - 1, u32::MAX);
    let cops = [runner(0, u32::MAX, u32::MAX), runner(1, 3, u32::MAX)];
    let plan = solve(
        &graph,
        &TimedState {
            robber,
            cops: &cops,
        },
    );
    assert_eq!(plan.free_for, Some(u32::MAX));
}

#[test]
fn a_graph_with_more_vertices_is_noticed() {
    let (graph, runner) = corridor(9);
    let (other, _) = corridor(10);
    let cops = [runner(8, 0, 1)];
    let robber = runner(0, 0, 1);
    let mut search = TimedRace::new();
    search.begin(
        &graph,
        &TimedState {
            robber,
            cops: &cops,
        },
    );
    assert_eq!(search.advance(&other, 100), STALE);
    assert_eq!(search.advance(&graph, 100), FOUND);
}
