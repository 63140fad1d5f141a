//! Clique abstractions, built and repaired, against all conditions of the definition.

use crate::common;
use crate::common::chase;
use crate::common::cliques;
use crate::common::hierarchy;
use common::{any_moves, map, random_map, read_map, reference};
use hierarchy::{check, listing};
use proptest::prelude::*;
use pursuit_engine::abstraction::{Hierarchy, Repair};
use pursuit_engine::graph::{Graph, Network as _, TileEdit, Vertex};
use pursuit_engine::map::{Cell, HexLayout, Moves, Terrain, TileMap};
use pursuit_engine::search::{Dice, seed_of};

/// A graph and its hierarchy, which go through the same edits.
struct Pair {
    graph: Graph,
    hierarchy: Hierarchy,
}

impl Pair {
    fn new(map: &TileMap, moves: Moves) -> Self {
        let graph = Graph::new(map, moves);
        let hierarchy = Hierarchy::new(&graph);
        Self { graph, hierarchy }
    }

    fn edit(&mut self, edits: &[(u16, u16, bool)]) {
        let edit = |&(x, y, passable): &(u16, u16, bool)| TileEdit {
            cell: Cell::new(x, y),
            passable,
        };
        let edits: Vec<TileEdit> = edits.iter().map(edit).collect();
        let delta = self.graph.apply(&edits);
        let repair = self.hierarchy.apply(&self.graph, &delta);
        assert!(!repair.rebuilt);
    }

    fn check(&self) {
        check(&self.graph, &self.hierarchy);
    }
}

fn batches(side: u16) -> impl Strategy<Value = Vec<Vec<(u16, u16, bool)>>> {
    let cell = (0..side, 0..side, any::<bool>()).prop_map(|edit| vec![edit]);
    let row = (0..side, any::<bool>())
        .prop_map(move |(y, passable)| (0..side).map(|x| (x, y, passable)).collect());
    let column = (0..side, any::<bool>())
        .prop_map(move |(x, passable)| (0..side).map(|y| (x, y, passable)).collect());
    let all = any::<bool>().prop_map(move |passable| {
        let cell = |i| (i % side, i / side, passable);
        (0..side * side).map(cell).collect()
    });
    let edits = prop_oneof![20 => cell, 2 => row, 2 => column, 1 => all];
    let batch = prop::collection::vec(edits, 1..8).prop_map(|edits: Vec<Vec<_>>| edits.concat());
    prop::collection::vec(batch, 1..12)
}

proptest! {
    #[test]
    fn a_built_hierarchy_is_one(map in random_map(20), moves in any_moves()) {
        Pair::new(&map, moves).check();
    }

    #[test]
    fn a_built_hierarchy_has_the_groups_and_edges_of_the_plain_rules(
        map in random_map(20),
        open in any::<bool>(),
        moves in any_moves(),
    ) {
        // Random walls leave few squares on higher levels.
        let map = if open {
            TileMap::filled(map.width(), map.height(), Terrain::Floor).expect("some cells")
        } else {
            map
        };
        let graph = Graph::new(&map, moves);
        let hierarchy = Hierarchy::new(&graph);
        let plain = cliques::levels(&graph);
        prop_assert_eq!(hierarchy.levels(), plain.len() + 1);
        let map: Vec<_> = graph.iter().collect();
        for (number, plain) in plain.iter().enumerate() {
            let level = hierarchy.level(number + 1).expect("a level");
            let below = |child: &Vertex| match number {
                0 => map.iter().position(|other| other == child),
                _ => Some(child.index()),
            };
            let own = |list: &[Vertex]| list.iter().map(|at| at.index()).collect::<Vec<_>>();
            let neighbours: Vec<_> = level.iter().map(|at| own(level.neighbours(at))).collect();
            prop_assert_eq!(&neighbours, &plain.neighbours);
            let children = level.iter().map(|at| level.children(at).iter().filter_map(below).collect());
            prop_assert_eq!(&children.collect::<Vec<Vec<_>>>(), &plain.children);
        }
    }

    #[test]
    fn a_repaired_hierarchy_is_one(
        map in random_map(14),
        moves in any_moves(),
        batches in batches(14),
    ) {
        let mut pair = Pair::new(&map, moves);
        for batch in batches {
            pair.edit(&batch);
            pair.check();
        }
    }
}

#[test]
fn maps_without_edges_have_one_level() {
    for rows in [&["#"][..], &["."], &[".#", "#."]] {
        let pair = Pair::new(&map(rows), Moves::Octile);
        pair.check();
        assert_eq!(pair.hierarchy.levels(), 1);
    }
}

#[test]
fn a_cell_that_closes_and_opens_in_a_batch_may_have_lost_a_neighbour() {
    let mut pair = Pair::new(&map(&["...", "...", "..."]), Moves::Octile);
    pair.edit(&[(1, 1, false), (2, 1, false), (1, 1, true)]);
    pair.check();
}

#[test]
fn the_levels_go_with_the_last_edge_and_come_with_the_first() {
    let mut pair = Pair::new(&map(&["..", "##"]), Moves::Orthogonal);
    assert_eq!(pair.hierarchy.levels(), 2);
    for (edit, levels) in [
        ((1, 0, false), 1),
        ((1, 1, true), 1),
        ((0, 1, true), 2),
        ((1, 0, true), 3),
        ((0, 0, false), 2),
        ((1, 0, false), 2),
        ((0, 1, false), 1),
        ((1, 1, false), 1),
        ((0, 0, true), 1),
        ((0, 1, true), 2),
    ] {
        pair.edit(&[edit]);
        pair.check();
        assert_eq!(pair.hierarchy.levels(), levels, "{edit:?}");
    }
}

#[test]
fn the_same_edits_give_the_same_hierarchy() {
    let rows = ["...#....", "........", "..##..#.", "#......."];
    let [mut one, mut other] = [(); 2].map(|()| Pair::new(&map(&rows), Moves::Octile));
    for step in 0..200_u16 {
        let edit = [(step * 5 % 8, step * step % 4, step % 3 != 0)];
        one.edit(&edit);
        other.edit(&edit);
        assert_eq!(listing(&one.hierarchy), listing(&other.hierarchy));
    }
}

/// The choice of groups that a repair keeps or dissolves decides how many door edits a hierarchy
/// survives before it deteriorates. Worlds and saved games depend on it too.
#[test]
fn repairs_keep_and_dissolve_the_groups_that_they_always_did() {
    let dice = &mut Dice::new(14);
    let mut pair = Pair::new(&chase::noise(dice, 40, 30, 20), Moves::Octile);
    let mut hash = 0;
    for _ in 0..300 {
        let edits = chase::edits(&pair.graph, dice, 2);
        let edits: Vec<_> = edits
            .iter()
            .map(|edit| (edit.cell.x, edit.cell.y, edit.passable))
            .collect();
        pair.edit(&edits);
        let saved = postcard::to_allocvec(&pair.hierarchy).expect("serialisable");
        hash = seed_of(std::iter::once(hash).chain(saved.into_iter().map(u64::from)));
    }
    pair.check();
    assert_eq!(hash, 0x36d1_1515_6f42_0fda, "{hash:#x}");
}

#[test]
fn a_delta_that_was_missed_makes_it_build_anew() {
    let Pair {
        mut graph,
        mut hierarchy,
    } = Pair::new(&map(&["....", "...."]), Moves::Octile);
    let edit = |x, y| TileEdit {
        cell: Cell::new(x, y),
        passable: false,
    };
    graph.apply(&[edit(1, 1)]);
    let second = graph.apply(&[edit(2, 0)]);
    assert!(hierarchy.apply(&graph, &second).rebuilt);
    check(&graph, &hierarchy);
    assert_eq!(
        hierarchy.apply(&graph, &second),
        Repair::default(),
        "it is up to date"
    );
    check(&graph, &hierarchy);
    let larger = Graph::new(&map(&["......", "......", "......"]), Moves::Octile);
    assert!(hierarchy.apply(&larger, &second).rebuilt);
    check(&larger, &hierarchy);
}

#[test]
fn a_graph_with_fewer_numbers_is_another_one() {
    let rows = ["..#.", "...."];
    let mut pair = Pair::new(&map(&rows), Moves::Octile);
    pair.edit(&[(2, 0, true)]);
    pair.edit(&[(2, 0, false)]);
    let fresh = Graph::new(&map(&rows), Moves::Octile);
    let delta = pair.graph.apply(&[]);
    assert!(pair.hierarchy.apply(&fresh, &delta).rebuilt);
    check(&fresh, &pair.hierarchy);
}

#[test]
fn questions_about_what_is_not_there_have_an_answer() {
    let pair = Pair::new(&map(&["..#", "..."]), Moves::Octile);
    let larger = Graph::new(&map(&["......", "......"]), Moves::Octile);
    let stranger = larger.iter().last().expect("a vertex");
    let hierarchy = &pair.hierarchy;
    for level in 0..9 {
        assert_eq!(hierarchy.parent(level, stranger), None);
        assert!(hierarchy.children(level, stranger).is_empty());
        assert_eq!(hierarchy.ancestor(stranger, level + 1), None);
    }
    let own = pair.graph.iter().next().expect("a vertex");
    assert!(!hierarchy.connected(own, stranger));
    assert_eq!(hierarchy.ancestor(own, 0), Some(own));
    assert_eq!(hierarchy.ancestor(own, 9), None);
}

/// The vertices of each level above the map.
fn sizes(hierarchy: &Hierarchy) -> Vec<usize> {
    let levels = (1..hierarchy.levels()).filter_map(|level| hierarchy.level(level));
    levels
        .map(pursuit_engine::abstraction::AbstractLevel::vertices)
        .collect()
}

/// On open ground, the vertices of all levels are compact, in a new hierarchy and after repairs. Long strips would send
/// cops on detours: their routes lead through the middle of each vertex.
#[test]
fn open_ground_becomes_no_strips() {
    let (width, height) = (96, 64);
    for moves in [
        Moves::Octile,
        Moves::Orthogonal,
        Moves::Hexagonal(HexLayout::RowOdd),
        Moves::Hexagonal(HexLayout::Column),
    ] {
        let open = TileMap::filled(width, height, Terrain::Floor).expect("a map");
        let [built, mut dug] = [(); 2].map(|()| Pair::new(&open, moves));
        for passable in [false, true] {
            for place in 0..width * height * 3 / 4 {
                dug.edit(&[(place % width, place / width, passable)]);
            }
        }
        for pair in [built, dug] {
            let levels = 1..pair.hierarchy.levels();
            for network in levels.filter_map(|level| pair.hierarchy.level(level)) {
                let shape = |vertex| {
                    let (min, max) = network.bounds(vertex);
                    let [w, h] = [max.x - min.x, max.y - min.y].map(|size| f64::from(size + 1));
                    w.max(h) / w.min(h)
                };
                let mean = network.iter().map(shape).sum::<f64>() / network.vertices() as f64;
                let level = network.vertices();
                assert!(
                    level < 20 || mean <= 2.2,
                    "{moves:?}, {level}: {mean} times as long as wide"
                );
            }
        }
    }
}

/// After many edits the hierarchy has hardly more levels and vertices than a new one.
fn check_size(pair: &Pair) {
    let (old, new) = (sizes(&pair.hierarchy), sizes(&Hierarchy::new(&pair.graph)));
    assert!(old.len() <= new.len() + 3, "{old:?} {new:?}");
    let (all, all_new) = (old.iter().sum::<usize>(), new.iter().sum::<usize>());
    assert!(2 * all <= 3 * all_new + 20, "{old:?} {new:?}");
}

#[test]
fn doors_that_swing_do_not_wear_a_hierarchy_out() {
    let rows = [
        "..................",
        "..................",
        "###.####.#####.###",
        ".......#..........",
        ".......#..........",
        ".......#..........",
    ];
    for moves in [
        Moves::Octile,
        Moves::Orthogonal,
        Moves::Hexagonal(HexLayout::RowOdd),
        Moves::Hexagonal(HexLayout::Column),
    ] {
        let mut pair = Pair::new(&map(&rows), moves);
        let doors = [(3, 2), (8, 2), (14, 2), (7, 4)];
        for step in 0..400_usize {
            let (x, y) = doors[step * step % 7 % 4];
            let passable = pair.graph.is_passable(Cell::new(x, y));
            pair.edit(&[(x, y, !passable)]);
            pair.check();
            check_size(&pair);
        }
    }
}

#[test]
fn a_large_map_takes_edits_all_over_it() {
    let Some(folder) = reference("abstraction of AR0414SR") else {
        return;
    };
    let mut pair = Pair::new(
        &read_map(&folder.join("maps/bg/AR0414SR.map")),
        Moves::Octile,
    );
    let (width, height) = (
        u32::from(pair.graph.width()),
        u32::from(pair.graph.height()),
    );
    for step in 0..6000_u32 {
        let cell = step.wrapping_mul(2_654_435_761) >> 8;
        let (x, y) = ((cell % width) as u16, (cell / width % height) as u16);
        let passable = pair.graph.is_passable(Cell::new(x, y));
        pair.edit(&[(x, y, !passable)]);
        if step % 1500 == 1499 {
            pair.check();
            check_size(&pair);
        }
    }
}

/// An open room, and beside it cells without neighbours.
#[test]
fn isolated_cells_take_their_bytes_on_each_level() {
    let side = 512;
    let mut map = TileMap::filled(side, side, Terrain::Wall).expect("a map");
    let room = |cell: &Cell| cell.x < side / 2;
    let is_alone = |cell: &Cell| !room(cell) && (cell.x | cell.y).is_multiple_of(2);
    let cells: Vec<Cell> = map.cells().collect();
    for &cell in cells.iter().filter(|cell| room(cell)) {
        map.set(cell, Terrain::Floor);
    }
    // The column beside the room stays closed.
    let without = Hierarchy::new(&Graph::new(&map, Moves::Octile));
    let alone = cells
        .iter()
        .filter(|cell| is_alone(cell) && cell.x > side / 2);
    let alone: Vec<Cell> = alone.copied().collect();
    for &cell in &alone {
        map.set(cell, Terrain::Floor);
    }
    let with = Hierarchy::new(&Graph::new(&map, Moves::Octile));
    assert_eq!(with.levels(), without.levels());
    let each = (with.bytes() - without.bytes()) / alone.len();
    let expected = 92 * with.levels();
    println!("{each} bytes for each, {} levels", with.levels());
    assert!(each.abs_diff(expected) < 40, "{each}, expected {expected}");
}

/// The number of vertices of the largest connected part of a level, by a search of the level.
fn largest_part(hierarchy: &Hierarchy, level: usize) -> usize {
    let network = hierarchy.level(level).expect("a level");
    let mut seen = vec![false; network.slots()];
    let mut largest = 0;
    for start in network.iter() {
        let mut open = vec![start];
        let mut size = 0;
        while let Some(vertex) = open.pop() {
            if !std::mem::replace(&mut seen[vertex.index()], true) {
                size += 1;
                open.extend(network.neighbours(vertex));
            }
        }
        largest = largest.max(size);
    }
    largest
}

#[test]
fn pockets_do_not_make_the_lowest_small_level_coarser() {
    let dice = &mut Dice::new(8);
    for walls in [0, 10, 35, 38] {
        let map = chase::noise(dice, 90, 80, walls);
        let hierarchy = Hierarchy::new(&Graph::new(&map, Moves::Octile));
        let top = hierarchy.levels() - 1;
        let pockets = hierarchy.level(top).expect("a level").vertices();
        assert!(walls < 35 || pockets > 40, "{pockets} parts");
        for most in [1, 2, 20, 150] {
            let level = hierarchy.lowest_level(most).expect("at least the top");
            assert!(largest_part(&hierarchy, level) <= most);
            // A few pockets have edges of their own, up to this level.
            assert!(level == 1 || 2 * largest_part(&hierarchy, level - 1) > most);
        }
    }
    let closed = TileMap::filled(3, 3, Terrain::Wall).expect("some cells");
    let hierarchy = Hierarchy::new(&Graph::new(&closed, Moves::Octile));
    assert!(hierarchy.lowest_level(0).is_none());
}
