//! Footprints: an edit outside a footprint changes nothing.

use crate::common::chase;
use crate::common::footprint::{footprint_of, is_touched};
use chase::{maze, noise};
use proptest::prelude::*;
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::game::{Agent, Side, Speed, State};
use pursuit_engine::graph::{Graph, TileEdit, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::search::{ChangedBlocks, DaTrailMax, Dice, Footprint, SlicedSearch, TrailMax};

/// Edits of cells that do not touch the footprint. Each edit changes its cell, and no agent stands
/// there.
fn edits_outside(
    graph: &Graph,
    footprint: &Footprint,
    dice: &mut Dice,
    many: usize,
) -> Vec<TileEdit> {
    let mut edits = chase::edits(graph, dice, many);
    edits.retain(|edit| !is_touched(footprint, edit.cell));
    edits
}

/// The end of a random walk of fewer than `most` steps.
fn walk(graph: &Graph, dice: &mut Dice, from: Vertex, most: usize) -> Vertex {
    (0..dice.below(most)).fold(from, |at, _| dice.pick(graph.neighbours(at)).unwrap_or(at))
}

fn large_map(dice: &mut Dice) -> TileMap {
    let (width, height) = (30 + dice.below(120) as u16, 30 + dice.below(120) as u16);
    match dice.below(4) {
        0 => noise(dice, width, height, 5),
        1 => noise(dice, width, height, 20),
        2 => noise(dice, width, height, 38),
        _ => maze(dice, width, height),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn edits_that_do_not_touch_it_leave_a_plan_as_it_is(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let moves = pursuit_testkit::rolled_moves(dice);
        let mut graph = Graph::new(&large_map(dice), moves);
        let fast = 1 + u8::from(dice.below(3) == 0);
        let speeds = [1 + dice.below(3) as u8, 1 + dice.below(3) as u8];
        let many = 1 + dice.below(2);
        let (mut robber, cops) =
            chase::chase(&graph, dice, fast, &speeds[..many]).expect("a vertex");
        // Mostly near the cop, so that the search does not see all of the map.
        if dice.below(4) > 0 {
            robber.at = walk(&graph, dice, cops[0].at, 20);
        }
        let to_move = [Side::Robber, Side::Cops][dice.below(2)];
        let state = State { robber, cops: &cops, to_move };
        let mut search = TrailMax::new();
        let plan = search.solve(&graph, &state).clone();
        let footprint = footprint_of(&search, &graph);
        let edits = edits_outside(&graph, &footprint, dice, 400);
        graph.apply(&edits);
        prop_assert_eq!(search.solve(&graph, &state), &plan);
        prop_assert_eq!(footprint_of(&search, &graph), footprint);
    }
}

/// This held in all of 6,000 games, but it is not a theorem. So the test plays the same games each time.
#[test]
fn edits_that_do_not_touch_it_leave_a_path_legal_and_mostly_the_same() {
    for seed in 0..400 {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&large_map(dice), Moves::Octile);
        let mut hierarchy = Hierarchy::new(&graph);
        let (mut robber, cops) = chase::chase(&graph, dice, 1, &[2, 1]).expect("a vertex");
        if dice.below(2) == 0 {
            robber.at = walk(&graph, dice, cops[0].at, 400);
        }
        let many = 1 + dice.below(2);
        let state = State {
            robber,
            cops: &cops[..many],
            to_move: Side::Robber,
        };
        let mut search = DaTrailMax::new(10, seed);
        search.keep_footprint();
        let path = search.solve(&graph, Some(&hierarchy), &state).to_vec();
        let (level, outcome) = (search.level(), search.outcome());
        let can_come = |hierarchy: &Hierarchy| -> Vec<bool> {
            let cops = state.cops.iter();
            cops.map(|cop| hierarchy.connected(cop.at, robber.at))
                .collect()
        };
        let before = can_come(&hierarchy);
        let many = [1, 10, 300][dice.below(3)];
        let edits = edits_outside(&graph, &footprint_of(&search, &graph), dice, many);
        let delta = graph.apply(&edits);
        hierarchy.apply(&graph, &delta);
        assert!(chase::is_path(&graph, robber.at, &path));
        search.restart(seed);
        let again = search.solve(&graph, Some(&hierarchy), &state).to_vec();
        let after = can_come(&hierarchy);
        assert!(
            before
                .iter()
                .zip(&after)
                .all(|(before, after)| before >= after)
        );
        if search.level() == level && before == after {
            assert_eq!(again, path);
            assert_eq!(search.outcome(), outcome);
        }
    }
}

fn agent(graph: &Graph, x: u16, y: u16) -> Agent {
    Agent {
        at: graph.vertex(Cell::new(x, y)).expect("free"),
        speed: Speed::ONE,
    }
}

/// A map of 64 x 3 cells with a wall across it.
fn parted(wall: u16) -> Graph {
    let mut map = TileMap::filled(64, 3, Terrain::Floor).expect("some cells");
    for y in 0..3 {
        map.set(Cell::new(wall, y), Terrain::Wall);
    }
    Graph::new(&map, Moves::Octile)
}

#[test]
fn a_door_to_a_cop_that_could_not_come_touches_it() {
    for wall in [6, 40, 57] {
        let graph = parted(wall);
        let hierarchy = Hierarchy::new(&graph);
        // With another cop in the robber's part or without: the cop beyond the wall counts in both
        // cases.
        for near in [&[][..], &[agent(&graph, 63, 2)]] {
            let mut cops = near.to_vec();
            cops.push(agent(&graph, 1, 1));
            let robber = agent(&graph, 62, 0);
            let state = State {
                robber,
                cops: &cops,
                to_move: Side::Robber,
            };
            let mut search = DaTrailMax::new(10, 0);
            search.keep_footprint();
            search.solve(&graph, Some(&hierarchy), &state);
            let footprint = footprint_of(&search, &graph);
            for y in 0..3 {
                let door = Cell::new(wall, y);
                assert!(is_touched(&footprint, door), "{door:?}");
            }
        }
    }
}

#[test]
fn who_is_chased_by_nobody_depends_on_nothing() {
    let graph = parted(30);
    let robber = agent(&graph, 2, 2);
    for cops in [&[][..], &[robber]] {
        let state = State {
            robber,
            cops,
            to_move: Side::Robber,
        };
        let mut search = TrailMax::new();
        search.solve(&graph, &state);
        let footprint = footprint_of(&search, &graph);
        assert!(!is_touched(&footprint, Cell::new(3, 2)));
    }
}

#[test]
fn blocks_are_sixteen_cells_wide_and_cells_beside_them_count() {
    let mut footprint = Footprint::default();
    assert!(!footprint.contains(Cell::new(0, 0)), "of no map");
    footprint.clear(40, 33);
    footprint.insert(Cell::new(16, 16));
    for (x, y) in (0..40).flat_map(|x| (0..33).map(move |y| (x, y))) {
        let within =
            |least: u16, most: u16| (least..=most).contains(&x) && (least..=most).contains(&y);
        assert_eq!(
            footprint.contains(Cell::new(x, y)),
            within(16, 31),
            "{x} {y}"
        );
        assert_eq!(
            is_touched(&footprint, Cell::new(x, y)),
            within(15, 32),
            "{x} {y}"
        );
    }
    let mut other = Footprint::default();
    other.clear(40, 33);
    other.insert(Cell::new(0, 0));
    other.insert(Cell::new(40, 100));
    footprint.union(&other);
    assert!(footprint.contains(Cell::new(15, 15)) && footprint.contains(Cell::new(16, 16)));
    footprint.clear(40, 33);
    assert_eq!((0..40).find(|&x| footprint.contains(Cell::new(x, 0))), None);
}

proptest! {
    /// The cost depends on the blocks, not on the edits. A test can only check that the answer is the same.
    #[test]
    fn changed_blocks_touch_what_one_of_the_changed_cells_touches(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let (width, height) = (1 + dice.below(600) as u16, 1 + dice.below(300) as u16);
        let cell = |dice: &mut Dice| {
            Cell::new(dice.below(width.into()) as u16, dice.below(height.into()) as u16)
        };
        let mut changed = ChangedBlocks::default();
        for _ in 0..3 {
            changed.clear(width, height);
            let cells: Vec<Cell> = (0..dice.below(40)).map(|_| cell(dice)).collect();
            for &cell in &cells {
                changed.insert(cell);
            }
            let mut footprint = Footprint::default();
            prop_assert!(!changed.touch(&footprint), "of no map");
            footprint.clear(width, height);
            for _ in 0..dice.below(4) {
                footprint.insert(cell(dice));
            }
            let expected = cells.iter().any(|&cell| is_touched(&footprint, cell));
            prop_assert_eq!(changed.touch(&footprint), expected);
            footprint.clear(width + 16, height);
            prop_assert_eq!(changed.touch(&footprint), !cells.is_empty(), "of another map");
        }
    }
}
