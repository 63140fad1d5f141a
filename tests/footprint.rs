//! Footprints: an edit outside of one changes nothing.

mod common;
#[path = "common/chase.rs"]
mod chase;

use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::game::{Side, State};
use bevy_pursuit::graph::{Graph, TileEdit};
use bevy_pursuit::map::{Cell, Moves};
use bevy_pursuit::search::{DaTrailMax, Dice, Footprint, TrailMax};
use chase::{maze, noise};
use proptest::prelude::*;

/// Edits of cells that do not touch the footprint, each of which turns a cell into what it is not.
/// Nobody stands there.
fn edits_outside(graph: &Graph, footprint: &Footprint, dice: &mut Dice, many: usize) -> Vec<TileEdit> {
    let mut edits = chase::edits(graph, dice, many);
    edits.retain(|edit| !footprint.is_touched_by(edit.cell));
    edits
}

fn large_map(dice: &mut Dice) -> bevy_pursuit::map::TileMap {
    let (width, height) = (30 + dice.below(60) as u16, 30 + dice.below(60) as u16);
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
        let moves = [Moves::Octile, Moves::Octile, Moves::Orthogonal][dice.below(3)];
        let mut graph = Graph::new(&large_map(dice), moves);
        let fast = 1 + u8::from(dice.below(3) == 0);
        let speeds = [1 + dice.below(3) as u8, 1 + dice.below(3) as u8];
        let many = 1 + dice.below(2);
        let (mut robber, cops) =
            chase::chase(&graph, dice, fast, &speeds[..many]).expect("a vertex");
        // Near the cop, so that the search does not see all of the map.
        for _ in 0..dice.below(60) {
            robber.at = dice.pick(graph.neighbours(robber.at)).unwrap_or(robber.at);
        }
        if dice.below(2) == 0 {
            robber.at = cops[0].at;
            for _ in 0..6 {
                robber.at = dice.pick(graph.neighbours(robber.at)).unwrap_or(robber.at);
            }
        }
        let to_move = [Side::Robber, Side::Cops][dice.below(2)];
        let state = State { robber, cops: &cops, to_move };
        let mut search = TrailMax::new();
        let plan = search.solve(&graph, &state).clone();
        let mut footprint = Footprint::default();
        footprint.clear(graph.width(), graph.height());
        search.footprint(&graph, &mut footprint);
        let edits = edits_outside(&graph, &footprint, dice, 400);
        graph.apply(&edits);
        prop_assert_eq!(search.solve(&graph, &state), &plan);
        let mut after = Footprint::default();
        after.clear(graph.width(), graph.height());
        search.footprint(&graph, &mut after);
        prop_assert_eq!(after, footprint);
    }
}

#[test]
fn repaired_da() {
    let (mut same, mut other, mut rebuilt_same, mut rebuilt_other) = (0, 0, 0, 0);
    let mut levels = [0; 12];
    for seed in 0..3000 {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&large_map(dice), Moves::Octile);
        let mut hierarchy = Hierarchy::new(&graph);
        let (robber, cops) = chase::chase(&graph, dice, 1, &[2]).expect("a vertex");
        let state = State { robber, cops: &cops, to_move: Side::Robber };
        let mut search = DaTrailMax::new(10, seed);
        search.keep_footprint();
        let path = search.solve(&graph, Some(&hierarchy), &state).to_vec();
        let level = search.level();
        let many = [1, 1, 100][dice.below(3)];
        let edits = edits_outside(&graph, search.footprint(), dice, many);
        if edits.is_empty() { continue; }
        let delta = graph.apply(&edits);
        hierarchy.apply(&graph, &delta);
        search.restart(seed);
        let is = search.solve(&graph, Some(&hierarchy), &state) == path;
        if is { same += 1 } else { other += 1; levels[level] += 1 }
        search.restart(seed);
        let is = search.solve(&graph, Some(&Hierarchy::new(&graph)), &state) == path;
        if is { rebuilt_same += 1 } else { rebuilt_other += 1 }
    }
    println!("repaired {same} same {other} other; rebuilt {rebuilt_same} {rebuilt_other} {levels:?}");
}
