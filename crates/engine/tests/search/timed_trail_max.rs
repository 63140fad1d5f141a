//! `DATrailMax` on the free-running clock: legal on any map, independent of slicing, exact when it plans
//! on the map, and no chase ends earlier than it promises.

use crate::common::chase;
use crate::common::footprint::{footprint_of, is_touched};
use crate::common::timed;
use chase::{any_map, edits, is_path, maze, noise};
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::graph::{Graph, Vertex};
use pursuit_engine::map::Moves;
use pursuit_engine::search::{
    Dice, Distances, FOUND, Runner, STALE, SlicedSearch as _, TimedState, TimedTrailMax,
};
use timed::{captured_on, free_for, runners};

type Answer = (Vec<Vertex>, usize, Option<Option<u32>>);

fn answer(search: &TimedTrailMax) -> Answer {
    (search.path().to_vec(), search.level(), search.free_for())
}

fn any_moves(dice: &mut Dice) -> Moves {
    pursuit_testkit::rolled_moves(dice)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn plans_legal_paths_while_the_map_changes(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let mut graph = Graph::new(&any_map(dice, 40), moves);
        let mut hierarchy = Hierarchy::new(&graph);
        let threshold = [0, 2, 5, u16::MAX][dice.below(4)];
        let mut search = TimedTrailMax::new(threshold, seed);
        for _ in 0..4 {
            if graph.vertices() == 0 {
                break;
            }
            let (robber, cops) = runners(&graph, dice, 4);
            let state = TimedState { robber, cops: &cops };
            search.solve(&graph, Some(&hierarchy), &state);
            let (path, level, value) = answer(&search);
            prop_assert!(is_path(&graph, robber.at, &path));
            prop_assert!(level < hierarchy.levels());
            if threshold == u16::MAX {
                prop_assert_eq!(level, 0);
            }
            prop_assert_eq!(value.is_some(), level == 0);
            if let Some(value) = value {
                prop_assert_eq!(value, free_for(&graph, &state));
                prop_assert_eq!(captured_on(&graph, &state, &path), value);
            }
            let many = dice.below(9);
            let delta = graph.apply(&edits(&graph, dice, many));
            let again = search.advance(&graph, Some(&hierarchy), 1);
            prop_assert_eq!(again == STALE, !hierarchy.is_of(&graph));
            hierarchy.apply(&graph, &delta);
        }
    }

    #[test]
    fn any_slicing_gives_the_same_path(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let graph = Graph::new(&any_map(dice, 30), moves);
        let hierarchy = Hierarchy::new(&graph);
        let threshold = [0, 2, 5][dice.below(3)];
        for hierarchy in [Some(&hierarchy), None] {
            let (mut whole, mut sliced) =
                (TimedTrailMax::new(threshold, seed), TimedTrailMax::new(threshold, seed));
            if dice.below(2) == 0 {
                whole.limit_steps(5);
                sliced.limit_steps(5);
            }
            for _ in 0..2 {
                let (robber, cops) = runners(&graph, dice, 4);
                let state = TimedState { robber, cops: &cops };
                whole.solve(&graph, hierarchy, &state);
                sliced.begin(&graph, hierarchy, &state);
                let most = 1 + dice.below(20);
                loop {
                    let mut path = Vec::new();
                    sliced.best_so_far(&graph, &mut path);
                    prop_assert!(is_path(&graph, robber.at, &path));
                    let budget = dice.below(most + 1) as u32;
                    if sliced.advance(&graph, hierarchy, budget) == FOUND {
                        break;
                    }
                    prop_assert_eq!(sliced.path(), &[]);
                    prop_assert_eq!(sliced.free_for(), None);
                }
                prop_assert_eq!(answer(&sliced), answer(&whole));
                prop_assert_eq!(sliced.work().expansions, whole.work().expansions);
            }
        }
    }

    #[test]
    fn edits_that_do_not_touch_its_footprint_leave_a_plan_as_it_is(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&noise(dice, 90, 90, 30), any_moves(dice));
        let (mut robber, cops) = runners(&graph, dice, 2);
        // Mostly near the cop, so that the search does not see all of the map.
        if dice.below(4) > 0 {
            robber.at = dice.pick(graph.neighbours(cops[0].at)).unwrap_or(robber.at);
        }
        let state = TimedState { robber, cops: &cops };
        let mut search = TimedTrailMax::new(5, seed);
        search.keep_footprint();
        search.solve(&graph, None, &state);
        let before = (answer(&search), footprint_of(&search, &graph));
        let mut edits = edits(&graph, dice, 400);
        edits.retain(|edit| !is_touched(&before.1, edit.cell));
        graph.apply(&edits);
        search.solve(&graph, None, &state);
        prop_assert_eq!((answer(&search), footprint_of(&search, &graph)), before);
    }

    /// The length of a tick does not matter: if all steps take three times as many ticks, nothing else
    /// changes.
    #[test]
    fn a_clock_that_ticks_faster_changes_nothing(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&any_map(dice, 40), any_moves(dice));
        let hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = runners(&graph, dice, 3);
        let faster = |runner: &Runner| Runner {
            at: runner.at,
            ready: 3 * runner.ready,
            step: 3 * runner.step,
        };
        let solve = |robber, cops: &[Runner]| {
            let mut search = TimedTrailMax::new(2, seed);
            search.solve(&graph, Some(&hierarchy), &TimedState { robber, cops });
            answer(&search)
        };
        let (path, level, value) = solve(robber, &cops);
        let all: Vec<Runner> = cops.iter().map(faster).collect();
        let value = value.map(|value| value.map(|ticks| 3 * ticks));
        prop_assert_eq!(solve(faster(&robber), &all), (path, level, value));
    }
}

#[test]
fn a_robber_far_from_the_cops_plans_on_abstract_levels() {
    let dice = &mut Dice::new(5);
    let graph = Graph::new(&noise(dice, 96, 96, 10), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    let mut search = TimedTrailMax::new(5, 0);
    let mut abstractly = 0;
    for _ in 0..50 {
        let (robber, cops) = runners(&graph, dice, 2);
        let state = TimedState {
            robber,
            cops: &cops,
        };
        search.solve(&graph, Some(&hierarchy), &state);
        abstractly += usize::from(search.level() > 0);
    }
    assert!(abstractly > 20, "{abstractly} of 50");
}

/// An agent in a chase: it is on `from` until it arrives at `to`.
#[derive(Debug, Clone, Copy)]
struct Walker {
    from: Vertex,
    to: Vertex,
    arrives: u32,
    step: u32,
}

impl Walker {
    fn new(at: Vertex, step: u32) -> Self {
        Self {
            from: at,
            to: at,
            arrives: 0,
            step,
        }
    }

    fn runner(&self, tick: u32) -> Runner {
        Runner {
            at: self.to,
            ready: self.arrives.saturating_sub(tick),
            step: self.step,
        }
    }

    fn go(&mut self, to: Vertex, tick: u32) {
        (self.to, self.arrives) = (to, tick + self.step);
    }

    /// Returns whether the agent can start a step.
    fn is_free(&self, tick: u32) -> bool {
        self.arrives <= tick
    }
}

/// When to plan anew.
#[derive(Clone, Copy, PartialEq)]
enum Planning {
    /// On each arrival.
    Always,
    /// Until the search promises an outcome; then the robber keeps to that plan.
    UntilPromised,
}

/// A cop on shortest paths chases a robber that plans. Returns the tick of the capture, at most `end`,
/// and the earliest tick of a capture that the robber promised.
fn play(
    graph: &Graph,
    hierarchy: &Hierarchy,
    (mut robber, mut cop): (Walker, Walker),
    search: &mut TimedTrailMax,
    planning: Planning,
    end: u32,
) -> (Option<u32>, u32) {
    let mut promised = 0;
    let mut distances = Distances::default();
    let mut way = std::collections::VecDeque::new();
    for tick in 0..end {
        // Cops come first.
        if cop.is_free(tick) {
            cop.from = cop.to;
        }
        if cop.is_free(tick) && cop.from == robber.from {
            return (Some(tick), promised);
        }
        if robber.is_free(tick) {
            robber.from = robber.to;
            if cop.is_free(tick) && cop.from == robber.from {
                return (Some(tick), promised);
            }
        }
        if cop.is_free(tick) {
            distances.measure(graph, robber.to);
            if let Some(&next) = distances.path_from(graph, cop.to).first() {
                cop.go(next, tick);
            }
        }
        if !robber.is_free(tick) {
            continue;
        }
        if planning == Planning::Always || promised == 0 {
            let cops = [cop.runner(tick)];
            let state = TimedState {
                robber: robber.runner(tick),
                cops: &cops,
            };
            way.clear();
            way.extend(search.solve(graph, Some(hierarchy), &state));
            if let Some(free_for) = search.free_for() {
                let until = free_for.map_or(u32::MAX, |ticks| tick + ticks);
                assert!(until >= promised, "the promise is taken back");
                promised = until;
            }
        }
        if let Some(next) = way.pop_front() {
            assert!(graph.are_adjacent(robber.from, next));
            robber.go(next, tick);
        }
    }
    (None, promised)
}

#[test]
fn the_robber_is_captured_no_earlier_than_it_was_told() {
    let mut captures = 0;
    for seed in 0..36 {
        let dice = &mut Dice::new(seed);
        let map = match seed % 3 {
            0 => noise(dice, 40, 40, 25),
            1 => noise(dice, 40, 40, 8),
            _ => maze(dice, 41, 41),
        };
        let graph = Graph::new(&map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let vertices: Vec<Vertex> = graph.iter().collect();
        for (robber_step, cop_step) in [(7, 5), (8, 8), (3, 10)] {
            let mut pick = || dice.pick(&vertices).expect("a vertex");
            let robber = Walker::new(pick(), robber_step);
            let cop = Walker::new(pick(), cop_step);
            for (threshold, planning) in [
                (u16::MAX, Planning::Always),
                (u16::MAX, Planning::UntilPromised),
                (5, Planning::UntilPromised),
            ] {
                let mut search = TimedTrailMax::new(threshold, seed);
                let agents = (robber, cop);
                let (captured, promised) =
                    play(&graph, &hierarchy, agents, &mut search, planning, 2000);
                assert!(
                    captured.is_none_or(|tick| tick >= promised),
                    "{seed}, {robber_step} against {cop_step}: {captured:?} before {promised}"
                );
                captures += usize::from(captured.is_some());
            }
        }
    }
    assert!(captures > 100, "{captures} of 324 chases end");
}
