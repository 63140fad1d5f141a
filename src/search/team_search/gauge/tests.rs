use super::*;
use crate::abstraction::Hierarchy;
use crate::game::{Agent, Speed};
use crate::map::{Moves, Terrain, TileMap};
use crate::search::Dice;

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
        let own = search.expansions() - search.base.expansions();
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
    const SIDE: usize = 100;
    const APART: usize = 20;
    let dice = &mut Dice::new(6);
    let (mut whole, mut other) = (TeamSearch::new(), TeamSearch::new());
    let (mut gauged, mut bounded, mut repeated, mut too_long) = (0, 0, 0, 0);
    for round in 0..300 {
        let graph = any_graph(dice, SIDE as u16);
        let hierarchy = Hierarchy::new(&graph);
        let middle = APART + dice.below(SIDE - 2 * APART);
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
            (plans, search.expansions())
        };
        whole.solve(&graph, Some(&hierarchy), &to_move(robber, &cops), 0, 4);
        let expected = plans(&whole, &cops);
        other.begin(&graph, Some(&hierarchy), &to_move(robber, &cops), 0, 4);
        let most = 1 + dice.below(400);
        let (mut was_gauged, mut was_bounded) = (false, false);
        loop {
            let budget = dice.below(most + 1) as u32;
            if other.advance(&graph, Some(&hierarchy), budget) == SearchProgress::Done {
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
        assert_eq!(sliced.0, expected.0, "{robber:?} {cops:?}");
        cops.reverse();
        other.solve(&graph, Some(&hierarchy), &to_move(robber, &cops), 0, 4);
        assert_eq!(plans(&other, &cops), expected, "{robber:?} {cops:?}");
    }
    let seen = [gauged, bounded, repeated, too_long];
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}
