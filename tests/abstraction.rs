//! Clique abstractions, built and repaired, against everything that makes one.

mod common;

use bevy_pursuit::abstraction::{Hierarchy, Repair};
use bevy_pursuit::graph::{Graph, Network, TileEdit, Vertex};
use bevy_pursuit::map::{Cell, Moves, TileMap};
use common::{any_moves, map, random_map, read_map, reference};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Everything that makes a hierarchy one, built or repaired.
fn check(graph: &Graph, hierarchy: &Hierarchy) {
    assert_eq!(hierarchy.fingerprint(), graph.fingerprint());
    for level in 0..hierarchy.levels() {
        check_parents(graph, hierarchy, level);
    }
    for level in 1..hierarchy.levels() {
        for vertex in live(graph, hierarchy, level) {
            check_group(graph, hierarchy, level, vertex);
            check_edges(graph, hierarchy, level, vertex);
            check_place(graph, hierarchy, level, vertex);
        }
        let level = hierarchy.level(level).expect("a level");
        let degrees = level.iter().map(|vertex| level.neighbours(vertex).len());
        assert_eq!(level.edges(), degrees.sum::<usize>() / 2);
        assert_eq!(level.vertices(), level.iter().count());
    }
    let top = hierarchy.levels();
    assert_eq!(
        (hierarchy.level(top).is_none(), hierarchy.level(0).is_none()),
        (true, true)
    );
    let part = parts(graph);
    for (a, b) in graph
        .iter()
        .zip(graph.iter().skip(1))
        .chain(graph.iter().zip(graph.iter().skip(9)))
    {
        assert_eq!(
            hierarchy.connected(a, b),
            part[a.index()] == part[b.index()],
            "{a:?} {b:?}"
        );
    }
}

fn live(graph: &Graph, hierarchy: &Hierarchy, level: usize) -> Vec<Vertex> {
    hierarchy
        .level(level)
        .map_or_else(|| graph.iter().collect(), |level| level.iter().collect())
}

fn neighbours<'a>(
    graph: &'a Graph,
    hierarchy: &'a Hierarchy,
    level: usize,
    vertex: Vertex,
) -> &'a [Vertex] {
    match hierarchy.level(level) {
        None => graph.neighbours(vertex),
        Some(level) => level.neighbours(vertex),
    }
}

/// The first vertex of each vertex's connected component.
fn parts(graph: &Graph) -> Vec<Option<Vertex>> {
    let mut part = vec![None; graph.slots()];
    for first in graph.iter() {
        let mut rim = vec![first];
        while let Some(vertex) = rim.pop() {
            if part[vertex.index()].is_none() {
                part[vertex.index()] = Some(first);
                rim.extend(graph.neighbours(vertex));
            }
        }
    }
    part
}

/// Every vertex has one parent, which knows it, but those of the top, which has no edges.
fn check_parents(graph: &Graph, hierarchy: &Hierarchy, level: usize) {
    let slots = hierarchy.level(level).map_or(graph.slots(), Network::slots);
    let vertices = live(graph, hierarchy, level);
    let top = level + 1 == hierarchy.levels();
    let edges = vertices
        .iter()
        .any(|&v| !neighbours(graph, hierarchy, level, v).is_empty());
    assert_eq!(edges, !top, "edges end at the top");
    let mut parents = vec![None; slots];
    for &vertex in &vertices {
        parents[vertex.index()] = hierarchy.parent(level, vertex);
        assert_eq!(parents[vertex.index()].is_none(), top, "{level} {vertex:?}");
    }
    for vertex in (0..slots).filter(|&index| parents[index].is_none()) {
        let dead = live(graph, hierarchy, level)
            .iter()
            .all(|v| v.index() != vertex);
        assert!(dead || top);
    }
    let above = if top {
        vec![]
    } else {
        live(graph, hierarchy, level + 1)
    };
    let mut children = 0;
    for parent in above {
        for child in hierarchy.children(level + 1, parent) {
            assert_eq!(parents[child.index()], Some(parent), "{level} {child:?}");
            children += 1;
        }
    }
    assert_eq!(
        children,
        if top { 0 } else { vertices.len() },
        "each child once"
    );
}

/// The children are a clique with pendants, and none is alone that need not be.
fn check_group(graph: &Graph, hierarchy: &Hierarchy, level: usize, parent: Vertex) {
    let near = |vertex| neighbours(graph, hierarchy, level - 1, vertex);
    let children = hierarchy.children(level, parent);
    assert!(!children.is_empty());
    let (pendants, mut clique): (Vec<Vertex>, Vec<Vertex>) =
        children.iter().partition(|&&child| near(child).len() == 1);
    if clique.is_empty() {
        clique.push(pendants[0]);
    }
    let place = format!("{level} {parent:?}: {children:?}");
    assert!(clique.len() <= 4, "{place}");
    for (i, &a) in clique.iter().enumerate() {
        assert!(clique[..i].iter().all(|b| near(a).contains(b)), "{place}");
    }
    let hung = |pendant: &Vertex| clique.contains(pendant) || clique.contains(&near(*pendant)[0]);
    assert!(pendants.iter().all(hung), "{place}");
    if let &[alone] = children {
        let group = |&other: &Vertex| {
            let parent = hierarchy.parent(level - 1, other).expect("a parent");
            hierarchy.children(level, parent).len()
        };
        assert_ne!(near(alone).len(), 1, "{place}: a pendant alone");
        assert!(
            near(alone).iter().all(|other| group(other) > 1),
            "{place}: two alone"
        );
    }
}

/// The edges are those between the parents of adjacent vertices, and no other.
fn check_edges(graph: &Graph, hierarchy: &Hierarchy, level: usize, vertex: Vertex) {
    let found = neighbours(graph, hierarchy, level, vertex);
    let children = hierarchy.children(level, vertex).iter();
    let below = children.flat_map(|&child| neighbours(graph, hierarchy, level - 1, child));
    let lifted = below.map(|&other| hierarchy.parent(level - 1, other).expect("a parent"));
    let lifted: BTreeSet<Vertex> = lifted.filter(|&other| other != vertex).collect();
    assert_eq!(found.len(), lifted.len(), "{level} {vertex:?}");
    assert_eq!(
        found.iter().copied().collect::<BTreeSet<_>>(),
        lifted,
        "{level} {vertex:?}"
    );
    for &other in found {
        let back = neighbours(graph, hierarchy, level, other);
        assert!(back.contains(&vertex), "{level} {vertex:?} {other:?}");
        let ends = [vertex, other].map(|end| hierarchy.position(graph, level, end));
        let across = [0, 1].map(|axis| (ends[0][axis] - ends[1][axis]).abs());
        let (long, short) = (across[0].max(across[1]), across[0].min(across[1]));
        let octile = long - short + short * std::f32::consts::SQRT_2;
        let weight = hierarchy.weight(graph, level, vertex, other);
        assert!(
            (weight - octile).abs() < 1e-3,
            "{level} {vertex:?} {other:?}"
        );
    }
}

fn check_place(graph: &Graph, hierarchy: &Hierarchy, level: usize, vertex: Vertex) {
    let (mut sum, mut weights) = ([0.0; 2], 0.0);
    let (mut min, mut max) = ([u16::MAX; 2], [0; 2]);
    for &child in hierarchy.children(level, vertex) {
        let weight = hierarchy.children(level - 1, child).len().max(1) as f64;
        let position = hierarchy.position(graph, level - 1, child);
        let (low, high) = hierarchy.bounds(graph, level - 1, child);
        for axis in 0..2 {
            sum[axis] += f64::from(position[axis]) * weight;
            min[axis] = min[axis].min([low.x, low.y][axis]);
            max[axis] = max[axis].max([high.x, high.y][axis]);
        }
        weights += weight;
    }
    let position = hierarchy.position(graph, level, vertex);
    for axis in 0..2 {
        assert!((f64::from(position[axis]) - sum[axis] / weights).abs() < 1e-3);
    }
    let bounds = (Cell::new(min[0], min[1]), Cell::new(max[0], max[1]));
    assert_eq!(
        hierarchy.bounds(graph, level, vertex),
        bounds,
        "{level} {vertex:?}"
    );
}

/// A graph and its hierarchy through the same edits.
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

/// Every level, vertex by vertex.
fn listing(hierarchy: &Hierarchy) -> Vec<Vec<(Vertex, Vec<Vertex>, Vec<Vertex>)>> {
    let levels = (1..hierarchy.levels()).filter_map(|level| hierarchy.level(level));
    let all = levels.map(|level| {
        let line = |v| (v, level.children(v).to_vec(), level.neighbours(v).to_vec());
        level.iter().map(line).collect()
    });
    all.collect()
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
        .map(bevy_pursuit::abstraction::Level::vertices)
        .collect()
}

/// After many edits there are hardly more levels and vertices than in a new hierarchy.
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
    for moves in [Moves::Octile, Moves::Orthogonal] {
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
