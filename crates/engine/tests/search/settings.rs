//! Each setting of a search against a plain implementation of its specification.

use crate::common::chase;
use crate::common::look_ahead;
use crate::common::timed;
use chase::{any_map, captured_on, is_path, maze, noise};
use look_ahead::{End, farthest, race};
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Outcome, Side, State, Step, Turns};
use pursuit_engine::graph::{Graph, Network, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves};
use pursuit_engine::search::{
    DaTrailMax, Dice, Runner, SlicedSearch as _, TimedState, TimedTrailMax, TrailMax,
};
use std::collections::BTreeSet;
use timed::runners;

fn speeds(dice: &mut Dice) -> (u8, Vec<u8>) {
    let robber = 1 + dice.below(4).saturating_sub(1) as u8;
    // Mostly cops of the robber's speed, as in games, so that the robber can run.
    let one = 1 + dice.below(3) as u8;
    let any = dice.below(3) == 0;
    let cops = (0..=dice.below(3)).map(|_| if any { 1 + dice.below(3) as u8 } else { one });
    (robber, cops.collect())
}

fn any_moves(dice: &mut Dice) -> Moves {
    pursuit_testkit::rolled_moves(dice)
}

fn on_map(graph: &Graph, at: Vertex) -> [f64; 2] {
    let Cell { x, y } = graph.cell(at);
    [x.into(), y.into()]
}

/// The vertices that represent the agents on a level.
fn lifted(hierarchy: &Hierarchy, state: &State<'_>, level: usize) -> (Agent, Vec<Agent>) {
    let lift = |agent: &Agent| Agent {
        at: hierarchy
            .ancestor(agent.at, level)
            .expect("a level below the top"),
        ..*agent
    };
    (lift(&state.robber), state.cops.iter().map(lift).collect())
}

/// The level on which a search begins: half-way up to the first level on which a cop is near.
fn first_level(graph: &Graph, hierarchy: &Hierarchy, robber: Vertex, cops: &[Vertex]) -> usize {
    let near = |level: usize| {
        let lift = |at| hierarchy.ancestor(at, level).expect("a level");
        let robber = lift(robber);
        let neighbours = match hierarchy.level(level) {
            Some(level) => level.neighbours(robber),
            None => graph.neighbours(robber),
        };
        let mut cops = cops.iter().map(|&cop| lift(cop));
        cops.any(|cop| cop == robber || neighbours.contains(&cop))
    };
    let is_last = |level: &usize| {
        let is_top = hierarchy.ancestor(robber, level + 1).is_none();
        is_top || cops.is_empty() || near(*level)
    };
    let climbed = (0..hierarchy.levels()).find(is_last).expect("a top");
    climbed.div_ceil(2)
}

/// The expected result of `DaTrailMax`: the level that it plans on, and the end of its path there.
fn plan_by_sets(
    graph: &Graph,
    hierarchy: &Hierarchy,
    state: &State<'_>,
    (threshold, turns): (u16, u32),
) -> (usize, End, BTreeSet<Vertex>) {
    let cops: Vec<Vertex> = state.cops.iter().map(|cop| cop.at).collect();
    let first = first_level(graph, hierarchy, state.robber.at, &cops);
    for level in (1..=first).rev() {
        let network = hierarchy.level(level).expect("a level below the top");
        let (robber, cops) = lifted(hierarchy, state, level);
        let state = State {
            robber,
            cops: &cops,
            ..*state
        };
        // A step on a level is about two steps on the level below; the search looks at least a dozen
        // steps ahead.
        let limit = if turns == 0 {
            0
        } else {
            (turns >> level).max(12)
        };
        let end = race(network, &state, limit);
        let (survives, goals) = match &end {
            End::Escapes => (true, BTreeSet::from([robber.at])),
            End::Caught(turns, goals) => (2 * turns > threshold.into(), goals.clone()),
            End::Free(turns, rim) => {
                let position = |at| network.position(at).map(f64::from);
                (2 * turns > threshold.into(), farthest(rim, &cops, position))
            }
        };
        if survives {
            return (level, end, goals);
        }
    }
    let end = race(graph, state, turns);
    let goals = match &end {
        End::Escapes => BTreeSet::from([state.robber.at]),
        End::Caught(_, goals) => goals.clone(),
        End::Free(_, rim) => farthest(rim, state.cops, |at| on_map(graph, at)),
    };
    (0, end, goals)
}

fn outcome(end: &End) -> Outcome {
    match end {
        End::Escapes => Outcome::Escapes,
        End::Caught(turns, _) | End::Free(turns, _) => Outcome::Caught(Turns(*turns as u16)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn trail_max_looks_as_many_turns_ahead_as_it_may(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = any_moves(dice);
        let graph = Graph::new(&any_map(dice, 30), moves);
        let mut search = TrailMax::new();
        for _ in 0..4 {
            let (robber_speed, speeds) = speeds(dice);
            let (robber, cops) =
                chase::chase(&graph, dice, robber_speed, &speeds).expect("a vertex");
            let to_move = [Side::Robber, Side::Cops][dice.below(2)];
            let state = State { robber, cops: &cops, to_move };
            let limit = dice.below(9) as u32;
            search.limit_turns(limit);
            let plan = search.solve(&graph, &state).clone();
            let end = race(&graph, &state, limit);
            prop_assert_eq!(plan.outcome, outcome(&end));
            // Runs until the robber has followed its path, since no agent visits a vertex twice.
            let waves = 1 + cops.iter().map(|cop| cop.speed).collect::<BTreeSet<_>>().len();
            let vertices = plan.path.len()..=waves * graph.vertices();
            prop_assert!(vertices.contains(&(search.work().expansions as usize)));
            prop_assert!(search.work().touched as usize >= plan.path.len());
            prop_assert!(search.work().touched <= 8 * search.work().expansions);
            let mut alone = DaTrailMax::new(10, seed);
            alone.limit_turns(limit);
            let state = State { to_move: Side::Robber, ..state };
            search.solve(&graph, &state);
            alone.solve(&graph, None, &state);
            let effort = (search.work().expansions, search.work().touched);
            prop_assert_eq!((alone.work().expansions, alone.work().touched), effort);
            let reached = plan.path.last().copied().unwrap_or(robber.at);
            match &end {
                End::Escapes => prop_assert_eq!(&plan.path, &[]),
                End::Caught(_, goals) => {
                    prop_assert!(goals.contains(&reached));
                    let state = State { to_move, ..state };
                    if !state.is_capture() {
                        prop_assert_eq!(captured_on(&graph, &state, &plan.path), outcome(&end));
                    }
                }
                End::Free(turns, rim) => {
                    let goals = farthest(rim, &cops, |at| on_map(&graph, at));
                    prop_assert!(goals.contains(&reached), "{:?} of {:?}", reached, goals);
                    // The robber stays free as far as the search has looked ahead, and the outcome is a
                    // certain bound.
                    let state = State { to_move, ..state };
                    let value = captured_on(&graph, &state, &plan.path);
                    prop_assert!(value >= Outcome::Caught(Turns(*turns as u16)));
                    prop_assert!(*turns > limit);
                }
            }
        }
    }

    #[test]
    fn da_trail_max_plans_on_the_level_and_to_the_end_that_its_settings_ask_for(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let map = match dice.below(4) {
            0 => noise(dice, 90, 90, 4),
            1 => noise(dice, 70, 70, 25),
            2 => maze(dice, 81, 81),
            _ => any_map(dice, 90),
        };
        let graph = Graph::new(&map, any_moves(dice));
        let hierarchy = Hierarchy::new(&graph);
        let threshold = [0, 3, 10, 30][dice.below(4)];
        let mut search = DaTrailMax::new(threshold, seed);
        for _ in 0..3 {
            let (robber_speed, speeds) = speeds(dice);
            let (robber, mut cops) =
                chase::chase(&graph, dice, robber_speed, &speeds).expect("a vertex");
            cops.retain(|cop| hierarchy.connected(cop.at, robber.at));
            let state = State { robber, cops: &cops, to_move: Side::Robber };
            let turns = [0, 3, 12, 32, 100][dice.below(5)];
            search.limit_turns(turns);
            let path = search.solve(&graph, Some(&hierarchy), &state).to_vec();
            prop_assert!(is_path(&graph, robber.at, &path));
            let (level, end, goals) = plan_by_sets(&graph, &hierarchy, &state, (threshold, turns));
            prop_assert_eq!(search.level(), level);
            let reached = path.last().copied().unwrap_or(robber.at);
            let reached = hierarchy.ancestor(reached, level).expect("a level");
            prop_assert!(goals.contains(&reached), "{:?} on level {}: {:?}", reached, level, end);
            if level == 0 {
                prop_assert_eq!(search.outcome(), Some(outcome(&end)));
            }
        }
    }

    #[test]
    fn a_restart_makes_a_search_a_new_one(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let graph = Graph::new(&noise(dice, 64, 64, 10), Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let (mut used, mut timed) = (DaTrailMax::new(2, 0), TimedTrailMax::new(2, 0));
        for _ in 0..3 {
            let (robber, cops) = chase::chase(&graph, dice, 1, &[1, 2]).expect("a vertex");
            let state = State { robber, cops: &cops, to_move: Side::Robber };
            used.restart(seed);
            let path = used.solve(&graph, Some(&hierarchy), &state);
            let mut new = DaTrailMax::new(2, seed);
            prop_assert_eq!(path, new.solve(&graph, Some(&hierarchy), &state));
            let (robber, cops) = runners(&graph, dice, 2);
            let state = TimedState { robber, cops: &cops };
            timed.restart(seed);
            let path = timed.solve(&graph, Some(&hierarchy), &state);
            let mut new = TimedTrailMax::new(2, seed);
            prop_assert_eq!(path, new.solve(&graph, Some(&hierarchy), &state));
        }
    }

    #[test]
    fn a_limited_timed_path_has_the_steps_that_were_asked_for_or_all(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let map = if dice.below(2) == 0 { noise(dice, 48, 48, 10) } else { maze(dice, 41, 41) };
        let graph = Graph::new(&map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = runners(&graph, dice, 2);
        let state = TimedState { robber, cops: &cops };
        let (mut whole, mut limited) =
            (TimedTrailMax::new(2, seed), TimedTrailMax::new(2, seed));
        let steps = 1 + dice.below(24);
        limited.limit_steps(steps);
        let all = whole.solve(&graph, Some(&hierarchy), &state).len();
        let path = limited.solve(&graph, Some(&hierarchy), &state).to_vec();
        prop_assert!(is_path(&graph, robber.at, &path));
        let most = 4 * steps + 8;
        prop_assert!(path.len() >= steps.min(all), "{} of {} for {}", path.len(), all, steps);
        // A path planned on the map is complete.
        let most = if limited.level() == 0 { all } else { all.max(most) };
        prop_assert!(path.len() <= most, "{} of {} for {}", path.len(), all, steps);
        prop_assert_eq!(limited.level(), whole.level());
    }

    /// A step on a level takes 2^level times as long as on the map, and the threshold counts it as one
    /// step.
    #[test]
    fn timed_trail_max_plans_on_the_level_that_its_threshold_asks_for(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let map = if dice.below(2) == 0 { noise(dice, 80, 80, 15) } else { maze(dice, 71, 71) };
        let graph = Graph::new(&map, any_moves(dice));
        let hierarchy = Hierarchy::new(&graph);
        let threshold = [0, 2, 5, 15][dice.below(4)];
        let (robber, mut cops) = runners(&graph, dice, 3);
        cops.retain(|cop| hierarchy.connected(cop.at, robber.at));
        let mut search = TimedTrailMax::new(threshold, seed);
        let path = search.solve(&graph, Some(&hierarchy), &TimedState { robber, cops: &cops });
        let reached = path.last().copied().unwrap_or(robber.at);
        let all: Vec<Vertex> = cops.iter().map(|cop| cop.at).collect();
        let first = first_level(&graph, &hierarchy, robber.at, &all);
        let mut levels = (1..=first).rev();
        let survives = |level: &usize| {
            let lift = |runner: &Runner| Runner {
                at: hierarchy.ancestor(runner.at, *level).expect("a level"),
                ready: runner.ready,
                step: runner.step << level,
            };
            let network = hierarchy.level(*level).expect("a level");
            let (robber, cops): (_, Vec<_>) = (lift(&robber), cops.iter().map(lift).collect());
            let free = timed::free_for(network, &TimedState { robber, cops: &cops });
            let steps = |ticks: u32| ticks.saturating_sub(robber.ready) > u32::from(threshold) * robber.step;
            free.is_none_or(steps).then_some(free)
        };
        let found = levels.find_map(|level| Some((level, survives(&level)?)));
        prop_assert_eq!(search.level(), found.map_or(0, |(level, _)| level));
        if let Some((level, Some(free))) = found {
            // The path leads to the vertex where the cops arrive last, and the tick is exact.
            let lift = |runner: &Runner| Runner {
                at: hierarchy.ancestor(runner.at, level).expect("a level"),
                ready: runner.ready,
                step: runner.step << level,
            };
            let cops: Vec<Runner> = cops.iter().map(lift).collect();
            let first = timed::first_cops(hierarchy.level(level).expect("a level"), &cops);
            let reached = hierarchy.ancestor(reached, level).expect("a level");
            prop_assert_eq!(first[reached.index()], Some(free));
        }
    }
}

/// During a search, the best path so far keeps the robber free as far as the search has looked ahead.
/// After the map has changed, there is none.
#[test]
fn a_search_under_way_has_a_way_until_the_map_changes() {
    for moves in [Moves::Octile, Moves::Orthogonal] {
        let mut graph = Graph::new(&noise(&mut Dice::new(1), 40, 40, 0), moves);
        let agent = |x, y| Agent {
            at: graph.vertex(Cell::new(x, y)).expect("free"),
            speed: pursuit_engine::game::Speed::ONE,
        };
        let (robber, cops) = (agent(20, 20), [agent(2, 3)]);
        let state = State {
            robber,
            cops: &cops,
            to_move: Side::Robber,
        };
        let mut search = TrailMax::new();
        search.begin(&graph, &state);
        assert_eq!(search.advance(&graph, None, 200), Step::Working);
        let way = |search: &TrailMax, graph: &Graph| {
            let mut way = Vec::new();
            search.best_so_far(graph, &mut way);
            way
        };
        let best = way(&search, &graph);
        assert!(
            best.len() > 3 && is_path(&graph, robber.at, &best),
            "{best:?}"
        );
        assert!(captured_on(&graph, &state, &best) > Outcome::Caught(Turns(best.len() as u16)));
        let cell = Cell::new(39, 39);
        graph.apply(&[TileEdit {
            cell,
            passable: false,
        }]);
        assert_eq!(way(&search, &graph), []);
    }
}

/// The seed alone decides to which cell of the last abstract vertex the robber runs.
#[test]
fn every_cell_of_the_last_vertex_is_some_seeds_choice() {
    let graph = Graph::new(&noise(&mut Dice::new(1), 64, 64, 0), Moves::Octile);
    let hierarchy = Hierarchy::new(&graph);
    let agent = |x, y| Agent {
        at: graph.vertex(Cell::new(x, y)).expect("free"),
        speed: pursuit_engine::game::Speed::ONE,
    };
    let cops = [agent(60, 60)];
    let state = State {
        robber: agent(30, 20),
        cops: &cops,
        to_move: Side::Robber,
    };
    let mut ends = BTreeSet::new();
    let mut search = DaTrailMax::new(10, 0);
    for seed in 0..400 {
        search.restart(seed);
        let path = search.solve(&graph, Some(&hierarchy), &state);
        ends.insert(*path.last().expect("a path"));
    }
    let level = search.level();
    assert!(level > 0);
    let above = |at: Vertex| hierarchy.ancestor(at, level);
    let last = above(*ends.first().expect("ends"));
    let cells: BTreeSet<Vertex> = graph.iter().filter(|&at| above(at) == last).collect();
    assert_eq!(ends, cells);
}
