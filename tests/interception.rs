//! The planner of all cops of a robber: its paths are open, slices and the order of the cops make no
//! difference, and it captures as the one does that searches the whole map.

#[path = "common/chase.rs"]
mod chase;
mod common;

use allocation_counter::measure;
use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::game::{Agent, Side, Speed, State, is_legal_move};
use bevy_pursuit::graph::{Graph, TileEdit, Vertex};
use bevy_pursuit::map::{Cell, Level, Moves};
use bevy_pursuit::policy::cop::Interceptor;
use bevy_pursuit::policy::robber::TrailMaxRobber;
use bevy_pursuit::policy::{CopPolicy, Decision, Ground, RobberPolicy, Source};
use bevy_pursuit::search::{Dice, Distances, Interception, Progress};

fn random_game(dice: &mut Dice, cops: usize) -> (Graph, Hierarchy, Agent, Vec<Agent>) {
    let map = chase::noise(dice, 48, 40, 30);
    let graph = Graph::new(&map, Moves::Octile);
    let all: Vec<Vertex> = graph.iter().collect();
    let mut any = |most: usize| Agent {
        at: all[dice.below(all.len())],
        speed: Speed::new(1 + dice.below(most) as u8).expect("a speed"),
    };
    let robber = any(1);
    let cops = (0..cops).map(|_| any(2)).collect();
    let hierarchy = Hierarchy::new(&graph);
    (graph, hierarchy, robber, cops)
}

const fn state(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Cops,
    }
}

#[test]
fn paths_are_open_and_lead_to_the_robber_or_as_near_as_it_gets() {
    let dice = &mut Dice::new(1);
    let mut plan = Interception::new();
    plan.keep_footprint();
    let mut distances = Distances::default();
    for _ in 0..200 {
        let (graph, hierarchy, robber, cops) = random_game(dice, 4);
        distances.measure(&graph, robber.at);
        for all in [Some(&hierarchy), None] {
            for cut_off in [false, true] {
                plan.solve(&graph, all, &state(robber, &cops), cut_off, 8);
                for (index, cop) in cops.iter().enumerate() {
                    let path = plan.path(index);
                    let far = Speed::new(255).expect("a speed");
                    let head = &path[..path.len().min(255)];
                    assert!(is_legal_move(&graph, cop.at, head, far));
                    let can_come = distances.steps(cop.at).is_some();
                    assert_eq!(plan.reaches(index), can_come);
                    let least = distances.steps(cop.at).unwrap_or(0) as usize;
                    if !cut_off && can_come {
                        assert!(path.len() >= least.min(8), "{} of {least}", path.len());
                    }
                    for &at in head.iter().take(8) {
                        assert!(plan.footprint().contains(graph.cell(at)));
                    }
                }
            }
        }
    }
}

#[test]
fn slices_make_no_difference() {
    let dice = &mut Dice::new(2);
    for _ in 0..100 {
        let (graph, hierarchy, robber, cops) = random_game(dice, 3);
        let state = state(robber, &cops);
        let (mut whole, mut sliced) = (Interception::new(), Interception::new());
        whole.solve(&graph, Some(&hierarchy), &state, true, 16);
        sliced.begin(&graph, Some(&hierarchy), &state, true, 16);
        loop {
            let budget = 1 + dice.below(60) as u32;
            let before = sliced.expansions();
            let progress = sliced.advance(&graph, Some(&hierarchy), budget);
            assert!(sliced.expansions() <= before + u64::from(budget) + 1_500);
            if progress != Progress::Running {
                break;
            }
        }
        for cop in 0..cops.len() {
            assert_eq!(whole.path(cop), sliced.path(cop));
        }
    }
}

#[test]
fn the_order_of_the_cops_makes_no_difference() {
    let dice = &mut Dice::new(3);
    let mut plan = Interception::new();
    for _ in 0..100 {
        let (graph, hierarchy, robber, cops) = random_game(dice, 3);
        plan.solve(&graph, Some(&hierarchy), &state(robber, &cops), true, 16);
        let mut told: Vec<_> = (0..3)
            .map(|i| (cops[i].at, plan.path(i).to_vec()))
            .collect();
        let turned = [cops[2], cops[0], cops[1]];
        plan.solve(&graph, Some(&hierarchy), &state(robber, &turned), true, 16);
        let mut again: Vec<_> = (0..3)
            .map(|i| (turned[i].at, plan.path(i).to_vec()))
            .collect();
        told.sort();
        again.sort();
        let places: Vec<Vertex> = told.iter().map(|told| told.0).collect();
        if places.windows(2).all(|two| two[0] != two[1]) {
            assert_eq!(told, again);
        }
    }
}

#[test]
fn an_edit_is_noticed() {
    let (mut graph, hierarchy, robber, cops) = random_game(&mut Dice::new(4), 3);
    let mut plan = Interception::new();
    plan.begin(&graph, Some(&hierarchy), &state(robber, &cops), true, 16);
    let free = graph
        .iter()
        .find(|&at| at != robber.at && cops.iter().all(|cop| cop.at != at));
    let cell = graph.cell(free.expect("a free cell"));
    graph.apply(&[TileEdit {
        cell,
        passable: false,
    }]);
    assert_eq!(plan.advance(&graph, Some(&hierarchy), 10), Progress::Stale);
}

#[test]
fn nothing_is_allocated_once_warm() {
    let dice = &mut Dice::new(5);
    let (graph, hierarchy, ..) = random_game(dice, 3);
    let all: Vec<Vertex> = graph.iter().collect();
    let mut games = Vec::new();
    for _ in 0..60 {
        let mut any = || Agent {
            at: all[dice.below(all.len())],
            speed: Speed::ONE,
        };
        games.push((any(), [any(), any(), any()]));
    }
    let mut plan = Interception::new();
    plan.keep_footprint();
    let mut run = || {
        for (robber, cops) in &games {
            plan.solve(&graph, Some(&hierarchy), &state(*robber, cops), true, 16);
        }
    };
    run();
    run();
    assert_eq!(measure(run).count_total, 0);
}

/// The turns until cops that follow `decide` capture a robber that follows `TrailMax`.
fn game(
    graph: &Graph,
    (mut robber, mut cops): (Agent, Vec<Agent>),
    mut decide: impl FnMut(&State<'_>) -> Vec<Vec<Vertex>>,
) -> Option<u32> {
    let mut runner = TrailMaxRobber::default();
    let mut decision = Decision::wait(Source::Search);
    (1..300).find(|_| {
        for (cop, way) in decide(&state(robber, &cops)).iter().enumerate() {
            cops[cop].at = way.last().copied().unwrap_or(cops[cop].at);
        }
        if cops.iter().any(|cop| cop.at == robber.at) {
            return true;
        }
        let now = State {
            to_move: Side::Robber,
            ..state(robber, &cops)
        };
        runner.decide(Ground::from(graph), &now, &mut decision);
        robber.at = decision.way().last().copied().unwrap_or(robber.at);
        false
    })
}

#[test]
fn it_captures_in_the_harbour_as_soon_as_cops_that_search_the_whole_map() {
    let harbour = include_str!("../assets/levels/harbour.level.ron");
    let harbour = Level::parse(harbour).expect("our level");
    let graph = Graph::new(&harbour.initial_map(), harbour.moves());
    let hierarchy = Hierarchy::new(&graph);
    let all: Vec<Cell> = graph.iter().map(|at| graph.cell(at)).collect();
    let dice = &mut Dice::new(6);
    let mut turns = [0, 0];
    for _ in 0..60 {
        let mut any = || Agent {
            at: graph.vertex(all[dice.below(all.len())]).expect("a vertex"),
            speed: Speed::ONE,
        };
        let start = (any(), vec![any(), any(), any()]);
        let mut old = Interceptor::default();
        let whole = game(&graph, start.clone(), |state| {
            let decisions = old.decide(&graph, state);
            decisions.iter().map(|one| one.way().to_vec()).collect()
        });
        let mut plan = Interception::new();
        let by_level = game(&graph, start, |state| {
            plan.solve(&graph, Some(&hierarchy), state, true, 16);
            let way = |cop: usize| plan.path(cop).iter().copied().take(1).collect();
            (0..state.cops.len()).map(way).collect()
        });
        turns[0] += whole.expect("a capture");
        turns[1] += by_level.expect("a capture");
    }
    println!("turns to capture, all games: {turns:?}");
    assert!(turns[1] * 10 <= turns[0] * 12, "{turns:?}");
}
