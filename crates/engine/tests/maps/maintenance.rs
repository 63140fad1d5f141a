//! A hierarchy maintained within a budget, against one that is repaired at once.

use crate::common;
use crate::common::chase;
use crate::common::hierarchy;
use allocation_counter::measure;
use chase::{any_map, edits};
use common::map;
use hierarchy::{check, listing};
use proptest::prelude::*;
use pursuit_engine::abstraction::{Hierarchy, Maintenance};
use pursuit_engine::graph::{Graph, GraphDelta, TileEdit};
use pursuit_engine::map::{Cell, Moves, PursuitLevel};
use pursuit_engine::search::Dice;

fn moves(dice: &mut Dice) -> Moves {
    common::rolled_moves(dice)
}

fn bytes<T: serde::Serialize>(of: &T) -> Vec<u8> {
    postcard::to_allocvec(of).expect("serialisable")
}

fn edit(x: u16, y: u16, passable: bool) -> TileEdit {
    let cell = Cell::new(x, y);
    TileEdit { cell, passable }
}

/// Edits of several kinds: at random, in one place, and cells that open and close repeatedly.
fn batch(graph: &Graph, dice: &mut Dice) -> Vec<TileEdit> {
    let many = dice.below(9);
    match dice.below(3) {
        0 => edits(graph, dice, many),
        1 => {
            let (x, y) = (dice.below(20) as u16, dice.below(20) as u16);
            let near = |i: u16| edit(x + i % 3, y + i / 3, i.is_multiple_of(2));
            (0..many as u16).map(near).collect()
        }
        _ => {
            let cells = edits(graph, dice, 2);
            let swing = |i: usize| TileEdit {
                passable: (i / 2).is_multiple_of(2),
                ..cells[i % 2]
            };
            (0..many).map(swing).collect()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_slicing_gives_the_same_hierarchy(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&any_map(dice, 24), moves(dice));
        let mut followers = [(); 3].map(|()| Maintenance::new(&graph));
        for _ in 0..30 {
            let edits = batch(&graph, dice);
            graph.apply(&edits);
            for (index, maintenance) in followers.iter_mut().enumerate() {
                maintenance.push(&edits);
                let budget = [u64::MAX, 1, dice.below(4000) as u64][index];
                let pending = maintenance.pending();
                // The others are never so far behind that everything is rebuilt.
                while maintenance.pending() > 8 || maintenance.pending() == pending && pending > 0 {
                    let before = maintenance.pending();
                    prop_assert!(maintenance.advance(&graph, budget.max(1)) > 0);
                    prop_assert!(maintenance.pending() < before);
                }
                let is_current = maintenance.up_to_date(&graph).is_some();
                prop_assert!(!is_current || maintenance.pending() == 0);
                prop_assert!(is_current || maintenance.pending() > 0);
            }
        }
        for maintenance in &mut followers {
            maintenance.advance(&graph, u64::MAX);
            let hierarchy = maintenance.up_to_date(&graph).expect("nothing is pending");
            check(&graph, hierarchy);
            prop_assert_eq!(hierarchy.check(&graph), Ok(()));
        }
        let [one, others @ ..] = &followers;
        for other in others {
            prop_assert_eq!(listing(one.hierarchy()), listing(other.hierarchy()));
            prop_assert_eq!(bytes(one), bytes(other));
        }
    }
}

#[test]
fn a_batch_at_a_time_and_no_more_than_the_budget_asks_for() {
    let rows = [".".repeat(60)];
    let rows: Vec<&str> = std::iter::repeat_n(rows[0].as_str(), 60).collect();
    let mut graph = Graph::new(&map(&rows), Moves::Octile);
    let mut maintenance = Maintenance::new(&graph);
    let near: Vec<TileEdit> = (0..6).map(|x| edit(10 + x, 20, false)).collect();
    let far = [edit(3, 3, false), edit(50, 3, false), edit(3, 50, false)];
    for edits in [&near[..], &far, &far[..1]] {
        graph.apply(edits);
        maintenance.push(edits);
    }
    assert_eq!(maintenance.advance(&graph, 0), 0);
    assert_eq!(maintenance.pending(), 10);
    assert!(maintenance.up_to_date(&graph).is_none());
    for left in [6, 4, 3, 2, 1, 0] {
        assert!(maintenance.advance(&graph, 1) >= 1);
        assert_eq!(maintenance.pending(), left);
    }
    check(&graph, maintenance.up_to_date(&graph).expect("it is done"));
    assert_eq!(
        maintenance.advance(&graph, 1000),
        0,
        "nothing is left to do"
    );
}

/// Many random edits at once.
fn storm(graph: &mut Graph, maintenance: &mut Maintenance, dice: &mut Dice, many: usize) {
    let edits = edits(graph, dice, many);
    graph.apply(&edits);
    maintenance.push(&edits);
}

/// Advances in slices until the hierarchy matches the graph, and returns the cost.
fn settle(graph: &Graph, maintenance: &mut Maintenance, slice: u64) -> u64 {
    let mut spent = 0;
    while !maintenance.is_current(graph) {
        let more = maintenance.advance(graph, slice);
        assert!(more > 0);
        spent += more;
    }
    spent
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_build_in_slices_is_a_build_in_one_piece_whatever_is_edited_meanwhile(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&any_map(dice, 60), moves(dice));
        let mut whole = Maintenance::new(&graph);
        let mut sliced = Maintenance::begin(&graph);
        prop_assert!(sliced.is_rebuilding() && sliced.up_to_date(&graph).is_none());
        // The copy of the graph comes first.
        sliced.advance(&graph, 1 + 2 * (graph.slots() as u64 + 60 * 60));
        for _ in 0..3 {
            let edits = edits(&graph, dice, 5);
            graph.apply(&edits);
            whole.push(&edits);
            sliced.push(&edits);
            whole.advance(&graph, u64::MAX);
            sliced.advance(&graph, dice.below(20_000) as u64);
            if dice.below(3) == 0 {
                prop_assert_eq!(sliced.check(&graph), Ok(()));
                let saved = bytes(&sliced);
                sliced = postcard::from_bytes(&saved).expect("a maintenance");
                prop_assert_eq!(bytes(&sliced), saved);
            }
        }
        settle(&graph, &mut sliced, 1 + dice.below(3000) as u64);
        prop_assert_eq!(bytes(&sliced), bytes(&whole));
        check(&graph, sliced.hierarchy());
    }

    #[test]
    fn what_is_built_anew_after_a_storm_is_one_and_the_same(seed in any::<u64>()) {
        let dice = &mut Dice::new(seed);
        let mut graph = Graph::new(&any_map(dice, 40), moves(dice));
        let mut maintenance = Maintenance::new(&graph);
        let many = 20 + dice.below(2 * graph.slots() + 1);
        storm(&mut graph, &mut maintenance, dice, many);
        let mut other = maintenance.clone();
        for round in 0..6 {
            maintenance.advance(&graph, 1 + dice.below(4000) as u64);
            let both = if round % 2 == 0 { 3 } else { 0 };
            let edits = edits(&graph, dice, both);
            graph.apply(&edits);
            maintenance.push(&edits);
            other.push(&edits);
            let saved = bytes(&maintenance);
            maintenance = postcard::from_bytes(&saved).expect("a maintenance");
            prop_assert_eq!(bytes(&maintenance), saved);
            prop_assert_eq!(maintenance.check(&graph), Ok(()));
        }
        settle(&graph, &mut maintenance, 1 + dice.below(4000) as u64);
        settle(&graph, &mut other, u64::MAX);
        check(&graph, maintenance.hierarchy());
        prop_assert_eq!(maintenance.hierarchy().check(&graph), Ok(()));
        check(&graph, other.hierarchy());
    }
}

#[test]
fn many_edits_cost_no_more_than_to_build_all_anew() {
    let dice = &mut Dice::new(7);
    for share in [0, 5, 30] {
        let mut graph = Graph::new(&chase::noise(dice, 160, 150, share), Moves::Octile);
        let build = {
            let mut fresh = Maintenance::begin(&graph);
            settle(&graph, &mut fresh, u64::MAX)
        };
        for many in [1, 10, 200, 1000, 5000, 12_000] {
            let mut maintenance = Maintenance::new(&graph);
            storm(&mut graph, &mut maintenance, dice, many);
            let spent = settle(&graph, &mut maintenance, 1000);
            // An edit of the copy costs 50, and repairs may cost more than expected.
            let most = 2 * build + 50 * many as u64;
            assert!(
                spent <= most,
                "{share} % walls, {many} edits: {spent}, a build {build}"
            );
            assert!(
                many > 10 || spent < build / 4,
                "{many} edits are repaired: {spent}"
            );
        }
    }
}

#[test]
fn four_edits_a_tick_do_not_keep_a_build_from_its_end() {
    let dice = &mut Dice::new(8);
    let mut graph = Graph::new(&chase::noise(dice, 120, 120, 20), Moves::Octile);
    let mut maintenance = Maintenance::new(&graph);
    storm(&mut graph, &mut maintenance, dice, 3000);
    assert!(maintenance.is_rebuilding());
    let mut ticks = 0;
    while maintenance.is_rebuilding() || maintenance.pending() > 4 {
        storm(&mut graph, &mut maintenance, dice, 4);
        maintenance.advance(&graph, 20_000);
        ticks += 1;
        assert!(ticks < 100, "{}", maintenance.pending());
    }
}

#[test]
fn a_piece_of_a_build_is_small() {
    let dice = &mut Dice::new(9);
    let graph = Graph::new(&chase::noise(dice, 300, 300, 10), Moves::Octile);
    let mut maintenance = Maintenance::begin(&graph);
    let mut pieces = 0;
    while !maintenance.is_current(&graph) {
        let spent = maintenance.advance(&graph, 1);
        assert!(spent <= 2000, "{spent}");
        pieces += 1;
    }
    assert!(pieces > 100, "{pieces} pieces");
}

/// Saves and reads a maintenance that has not finished copying the graph. Whatever comes, the one that was read
/// goes on as the one that was saved does.
#[test]
fn a_copy_in_progress_goes_on_after_reading() {
    let rows = vec![".".repeat(70); 70];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let graph = Graph::new(&map(&rows), Moves::Octile);
    for (slices, is_edited) in [(0, false), (1, false), (3, false), (5, false), (2, true)] {
        let mut graph = graph.clone();
        let mut saved = Maintenance::begin(&graph);
        for _ in 0..slices {
            saved.advance(&graph, 1);
        }
        if is_edited {
            let edits = [edit(3, 3, false)];
            graph.apply(&edits);
            saved.push(&edits);
        }
        let mut read: Maintenance = postcard::from_bytes(&bytes(&saved)).expect("valid");
        assert_eq!(read.check(&graph), Ok(()));
        while !saved.is_current(&graph) {
            assert_eq!(
                read.advance(&graph, 1),
                saved.advance(&graph, 1),
                "{slices}"
            );
            assert_eq!(bytes(&read), bytes(&saved));
        }
        check(&graph, read.up_to_date(&graph).expect("it is done"));
    }
}

#[test]
fn a_queue_that_outgrows_the_map_is_dropped() {
    let mut graph = Graph::new(
        &map(&["...........", "......#....", "..........."]),
        Moves::Octile,
    );
    let mut maintenance = Maintenance::new(&graph);
    let mut turn = false;
    for _ in 0..60 {
        let edits = [edit(3, 1, turn), edit(6, 1, !turn), edit(8, 0, turn)];
        graph.apply(&edits);
        maintenance.push(&edits);
        turn = !turn;
    }
    assert_eq!(maintenance.pending(), 0);
    assert!(maintenance.up_to_date(&graph).is_none(), "edits are lost");
    assert_eq!(maintenance.advance(&graph, 0), 0);
    assert!(
        settle(&graph, &mut maintenance, 1) > 100,
        "a build is not cheap"
    );
    assert_eq!(
        bytes(maintenance.hierarchy()),
        bytes(&Hierarchy::new(&graph))
    );
    let more = [edit(1, 1, false)];
    graph.apply(&more);
    maintenance.push(&more);
    maintenance.advance(&graph, 1);
    check(&graph, maintenance.up_to_date(&graph).expect("followed"));
}

#[test]
fn edits_that_nobody_queued_make_it_build_anew() {
    let mut graph = Graph::new(&map(&["....", "...."]), Moves::Octile);
    let mut maintenance = Maintenance::new(&graph);
    graph.apply(&[edit(1, 1, false)]);
    assert!(maintenance.up_to_date(&graph).is_none());
    settle(&graph, &mut maintenance, 1);
    check(&graph, maintenance.up_to_date(&graph).expect("built anew"));
    // The fingerprint is the same, but the numbers are not.
    let mut walls = Graph::new(&map(&["#...", "...."]), Moves::Octile);
    let mut maintenance = Maintenance::new(&walls);
    walls.apply(&[edit(0, 0, true), edit(0, 0, false)]);
    assert!(maintenance.up_to_date(&walls).is_none());
    settle(&walls, &mut maintenance, 1);
    check(&walls, maintenance.up_to_date(&walls).expect("built anew"));
}

#[test]
fn a_cell_that_opens_for_the_first_time_gets_the_same_number() {
    let mut graph = Graph::new(&map(&["..##..", "..##..", "......"]), Moves::Octile);
    let mut maintenance = Maintenance::new(&graph);
    let edits = [
        edit(3, 0, true),
        edit(3, 0, false),
        edit(2, 1, true),
        edit(9, 9, true),
        edit(3, 1, true),
        edit(3, 0, true),
    ];
    for edits in [&edits[..2], &edits[2..5], &edits[5..]] {
        graph.apply(edits);
        maintenance.push(edits);
    }
    assert_eq!(maintenance.check(&graph), Ok(()));
    maintenance.advance(&graph, u64::MAX);
    check(&graph, maintenance.up_to_date(&graph).expect("followed"));
    assert_eq!(maintenance.check(&graph), Ok(()));
}

/// A graph, its hierarchy, a maintenance, and memory for edits.
struct Doors {
    graph: Graph,
    hierarchy: Hierarchy,
    maintenance: Maintenance,
    delta: GraphDelta,
}

impl Doors {
    fn swing(&mut self, cell: Cell) {
        let passable = !self.graph.is_passable(cell);
        let edit = TileEdit { cell, passable };
        self.graph.apply_into(&[edit], &mut self.delta);
        self.hierarchy.apply(&self.graph, &self.delta);
        self.maintenance.push(&[edit]);
        self.maintenance.advance(&self.graph, u64::MAX);
        assert!(self.hierarchy.is_of(&self.graph) && self.maintenance.is_current(&self.graph));
    }
}

#[test]
fn doors_that_swing_take_no_memory() {
    let harbour = include_str!("../../../../assets/levels/harbour.level.ron");
    let harbour = PursuitLevel::parse(harbour).expect("our level");
    let dice = &mut Dice::new(4);
    let graphs = [
        Graph::new(&harbour.initial_map(), harbour.moves()),
        Graph::new(&chase::noise(dice, 40, 40, 30), Moves::Octile),
        // Each door adds or removes a level, and the last one all of them.
        Graph::new(&map(&["..#..", "#####"]), Moves::Octile),
        Graph::new(&map(&["..#"]), Moves::Octile),
    ];
    for graph in graphs {
        let cells: Vec<Cell> = graph.iter().map(|vertex| graph.cell(vertex)).collect();
        let mut doors = Doors {
            hierarchy: Hierarchy::new(&graph),
            maintenance: Maintenance::new(&graph),
            delta: GraphDelta::default(),
            graph,
        };
        let mut cold = 0;
        for _ in 0..40 {
            let door = dice.pick(&cells).expect("a cell");
            let mut swing = |times| (0..times).for_each(|_| doors.swing(door));
            // It may take some time until the groups around the door repeat.
            cold += measure(|| swing(400)).count_total;
            assert_eq!(measure(|| swing(40)).count_total, 0, "{door:?}");
        }
        assert!(cold > 0, "nothing is counted");
        // With doors all over the map, lists keep growing by doubling as long as groups change.
        let mut all = |times| {
            for _ in 0..times {
                doors.swing(dice.pick(&cells).expect("a cell"));
            }
        };
        all(4000);
        let mut later = 0;
        for window in 0..10 {
            later += measure(|| all(400)).count_total;
            assert!(later <= 16, "{later} allocations up to window {window}");
        }
    }
}
