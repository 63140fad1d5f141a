use super::*;
use crate::abstraction::Hierarchy;
use crate::game::{Agent, Speed};
use crate::map::{Moves, Terrain, TileMap};
use crate::search::{Dice, Distances};

/// A tenth of the cells are walls.
fn any_graph(dice: &mut Dice, side: u16) -> Graph {
    let mut map = TileMap::filled(side, side, Terrain::Floor).expect("a map");
    for cell in map.cells() {
        if dice.below(100) < 10 {
            map.set(cell, Terrain::Wall);
        }
    }
    Graph::new(&map, Moves::Octile)
}

#[test]
fn near_cops_compare_their_moves_and_far_cops_do_not_begin_to() {
    const SIDE: u16 = 200;
    let dice = &mut Dice::new(5);
    let graph = any_graph(dice, SIDE);
    let hierarchy = Hierarchy::new(&graph);
    let beside = |[x, y]: [u16; 2]| {
        // The nearest vertex of the row.
        let at = (x..SIDE).find_map(|x| graph.vertex(Cell::new(x, y)));
        Agent {
            at: at.expect("a vertex"),
            speed: Speed::ONE,
        }
    };
    let (mut search, mut unbounded) = (TeamSearch::new(), TeamSearch::new());
    search.compare_all(true);
    let mut bounded = 0;
    for round in 0..40 {
        let robber = beside([80 + dice.below(40) as u16, 80 + dice.below(40) as u16]);
        let cell = graph.cell(robber.at);
        let is_near = round % 2 == 0;
        let apart = if is_near { 3 } else { 25 };
        let count = if is_near { 8 } else { 2 };
        let offsets = [
            [0, 1],
            [0, 2],
            [1, 0],
            [1, 2],
            [2, 0],
            [2, 1],
            [0, 0],
            [2, 2],
        ];
        let cops =
            offsets.map(|[x, y]| beside([cell.x - apart + x * apart, cell.y - apart + y * apart]));
        let state = to_move(robber, &cops[..count]);
        search.solve(&graph, Some(&hierarchy), &state, 0, 1);
        assert_eq!(search.compared().is_some(), is_near, "{state:?}");
        bounded += u32::from(search.bounds.is_some());
        if is_near {
            // The same without bounds.
            unbounded.begin(&graph, Some(&hierarchy), &state, 0, 1);
            while unbounded.stage != TeamStage::Done {
                unbounded.advance(&graph, Some(&hierarchy), 1);
                unbounded.bounds = None;
            }
            assert_eq!(unbounded.chosen, search.chosen, "{state:?}");
        }
        let own = search.work().expansions - search.base.work().expansions;
        assert!(is_near || own < LONGEST_RACE / 8, "{own} expansions");
    }
    assert!(bounded > 5, "{bounded} of 20 near teams");
}

fn to_move(robber: Agent, cops: &[Agent]) -> State<'_> {
    State {
        robber,
        cops,
        to_move: Side::Cops,
    }
}

#[test]
fn any_slicing_and_any_order_of_the_cops_give_the_same_plan() {
    const APART: usize = 20;
    let dice = &mut Dice::new(6);
    let (mut whole, mut other) = (TeamSearch::new(), TeamSearch::new());
    whole.compare_all(true);
    other.compare_all(true);
    let (mut gauged, mut bounded, mut repeated, mut too_long) = (0, 0, 0, 0);
    for round in 0..400 {
        // On the smaller maps, distances are measured at once.
        let side = if round % 3 == 0 { 60 } else { 100 };
        let graph = any_graph(dice, side as u16);
        let hierarchy = Hierarchy::new(&graph);
        let middle = APART + dice.below(side - 2 * APART);
        let mut agent = |apart: usize, speed: u8| loop {
            let [x, y] = [0; 2].map(|_| (middle - apart + dice.below(2 * apart)) as u16);
            if let Some(at) = graph.vertex(Cell::new(x, y)) {
                let speed = Speed::new(speed).expect("a speed");
                return Agent { at, speed };
            }
        };
        let robber = agent(2, 1);
        let speed = 1 + u8::from(round % 4 == 0);
        let mut cops: Vec<Agent> = (0..2 + round % 4).map(|_| agent(APART, speed)).collect();
        let plans = |search: &TeamSearch, cops: &[Agent]| {
            let plan = |(index, cop): (usize, &Agent)| (cop.at, search.path_of(index).to_vec());
            let mut plans: Vec<_> = cops.iter().enumerate().map(plan).collect();
            plans.sort();
            (plans, search.work().expansions)
        };
        whole.solve(&graph, Some(&hierarchy), &to_move(robber, &cops), 0, 4);
        let expected = plans(&whole, &cops);
        other.begin(&graph, Some(&hierarchy), &to_move(robber, &cops), 0, 4);
        let most = 1 + dice.below(400);
        let (mut was_gauged, mut was_bounded) = (false, false);
        loop {
            let budget = dice.below(most + 1) as u32;
            if other.advance(&graph, Some(&hierarchy), budget) == FOUND {
                break;
            }
            was_gauged |= matches!(other.stage, TeamStage::Gauge { .. });
            was_bounded |= other.bounds.is_some();
        }
        gauged += u32::from(was_gauged);
        bounded += u32::from(other.bounds.is_some());
        repeated += u32::from(was_bounded && other.bounds.is_none());
        too_long += u32::from(was_gauged && !was_bounded && other.compared().is_none());
        let sliced = plans(&other, &cops);
        assert_eq!(sliced, expected, "{robber:?} {cops:?}");
        cops.reverse();
        other.solve(&graph, Some(&hierarchy), &to_move(robber, &cops), 0, 4);
        assert_eq!(plans(&other, &cops), expected, "{robber:?} {cops:?}");
    }
    let seen = [gauged, bounded, repeated, too_long];
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

/// Cops of one step per turn at random vertices of a square around the robber.
fn any_team(dice: &mut Dice, graph: &Graph, count: usize, apart: usize) -> (Agent, Vec<Agent>) {
    let middle = usize::from(graph.width()) / 2;
    let mut agent = || loop {
        let [x, y] = [0; 2].map(|_| (middle - apart + dice.below(2 * apart)) as u16);
        if let Some(at) = graph.vertex(Cell::new(x, y)) {
            let speed = Speed::ONE;
            return Agent { at, speed };
        }
    };
    (agent(), (0..count).map(|_| agent()).collect())
}

#[test]
fn the_race_and_the_distances_of_the_interception_are_those_of_new_searches() {
    let dice = &mut Dice::new(7);
    let (mut search, mut fresh) = (TeamSearch::new(), TrailMax::new());
    search.compare_all(true);
    let (mut finished, mut shared, mut resumed) = (0, 0, 0);
    for round in 0..500 {
        let (side, apart) = [(40, 12), (60, 29), (120, 35)][round % 3];
        let graph = any_graph(dice, side);
        let hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = any_team(dice, &graph, 3 + round % 6, apart);
        let state = to_move(robber, &cops);
        if !cops
            .iter()
            .all(|cop| hierarchy.connected(cop.at, robber.at))
            || state.is_capture()
        {
            continue;
        }
        search.solve(&graph, Some(&hierarchy), &state, 0, 4);
        fresh.solve(&graph, &state);
        let expected = fresh.robber_bounds();
        if let Some(race) = search.base.race_of_all() {
            assert_eq!(Some(race.bounds), expected, "{state:?}");
            finished += 1;
        } else if search.base.race().1 && search.bounds.is_some() {
            assert_eq!(search.bounds, expected.map(with_margin), "{state:?}");
            resumed += 1;
        }
        let mut distances = Distances::default();
        distances.measure(&graph, robber.at);
        // Larger maps are not measured as a whole.
        if search.compared().is_none() || usize::from(side).pow(2) > 4096 {
            continue;
        }
        for &cop in &search.active {
            let at = cops[cop].at;
            for &near in graph.neighbours(at).iter().chain([&at]) {
                let steps = search.distances.steps(near);
                assert_eq!(steps, distances.steps(near), "{state:?}");
            }
            shared += 1;
        }
    }
    let seen = [finished, shared, resumed];
    assert!(seen.iter().all(|&count| count > 4), "{seen:?}");
}

#[test]
fn a_second_pair_is_compared_only_if_it_fits_into_the_plan() {
    let dice = &mut Dice::new(8);
    let mut search = TeamSearch::new();
    let (mut further, mut left_out) = (0, 0);
    for round in 0..200 {
        let graph = any_graph(dice, 60);
        let hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = any_team(dice, &graph, 3, 6 + round % 20);
        search.begin(&graph, Some(&hierarchy), &to_move(robber, &cops), 0, 4);
        // The pairs, and the expansions of the plan before each of them.
        let mut begun: Vec<(usize, u64)> = Vec::new();
        while search.advance(&graph, Some(&hierarchy), 1) != FOUND {
            if let TeamStage::Race { task } = search.stage {
                // A race that left its bounds begins again.
                begun.retain(|&(last, spent)| last != task || spent == search.spent());
                if begun.last().is_none_or(|&(last, _)| last != task) {
                    begun.push((task, search.spent()));
                }
            }
        }
        for pair in begun.windows(2) {
            let [(_, before), (_, spent)] = pair else {
                continue;
            };
            assert!(2 * spent - before <= LONGEST_PLAN + 1, "{begun:?}");
            further += 1;
        }
        left_out += u32::from(begun.len() < 2);
    }
    assert!(further > 10 && left_out > 10, "{further} {left_out}");
}
