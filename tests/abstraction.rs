//! Clique abstractions against the reference program's, and repaired ones against what makes one.

mod common;

use bevy_pursuit::abstraction::Hierarchy;
use bevy_pursuit::graph::{Graph, Network, TileEdit, Vertex};
use bevy_pursuit::map::{Cell, Moves, TileMap};
use common::{any_moves, files, map, random_map, read_map, reference};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

/// A vertex as a golden file has it:
/// `N level id parent P nabs K loc X Y (tile X Y | children ..) nbrs id:weight ..`.
struct Line<'a> {
    level: usize,
    id: usize,
    parent: i64,
    children: usize,
    /// From the middle of the map.
    position: [f64; 2],
    /// The cell of a vertex of the map, the children of another.
    below: Vec<usize>,
    neighbours: Vec<(usize, &'a str)>,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str) -> Self {
        let mut words = line.split(' ').filter(|word| !word.is_empty());
        let mut word = move || words.next();
        let mut next = || word().expect("a word");
        assert_eq!(next(), "N");
        let level = next().parse().expect("a level");
        let id = next().parse().expect("a number");
        assert_eq!(next(), "parent");
        let parent = next().parse().expect("a parent");
        assert_eq!(next(), "nabs");
        let children = next().parse().expect("a number of children");
        assert_eq!(next(), "loc");
        let position = [(); 2].map(|()| next().parse().expect("a coordinate"));
        assert!(["tile", "children"].contains(&next()));
        let rest: Vec<&str> = std::iter::from_fn(word).collect();
        let split = rest.iter().position(|&word| word == "nbrs").expect("nbrs");
        let neighbour = |word: &&'a str| {
            let (id, weight) = word.split_once(':').expect("id:weight");
            (id.parse().expect("an id"), weight)
        };
        Self {
            level,
            id,
            parent,
            children,
            position,
            below: rest[..split]
                .iter()
                .map(|word| word.parse().expect("a number"))
                .collect(),
            neighbours: rest[split + 1..].iter().map(neighbour).collect(),
        }
    }
}

fn numbers(vertices: &[Vertex]) -> Vec<usize> {
    vertices.iter().map(|vertex| vertex.index()).collect()
}

/// Is the figure the one printed, to the last digit of it?
fn is_printed(value: f64, printed: &str) -> bool {
    let digits = printed
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len());
    let unit = 0.1_f64.powi(digits as i32);
    let printed: f64 = printed.parse().expect("a figure");
    (value - printed).abs() <= 0.51 * unit + 1e-6
}

fn check_line(graph: &Graph, hierarchy: &Hierarchy, line: &Line) {
    let place = format!("level {}, vertex {}", line.level, line.id);
    let level = hierarchy.level(line.level);
    let vertex = match level {
        None => graph.iter().nth(line.id),
        Some(level) => level.iter().nth(line.id),
    };
    let vertex = vertex.unwrap_or_else(|| panic!("{place}: is missing"));
    let parent = hierarchy.parent(line.level, vertex);
    assert_eq!(
        parent.map_or(-1, |p| p.index() as i64),
        line.parent,
        "{place}"
    );
    let position = hierarchy.position(graph, line.level, vertex);
    let middle = [graph.width() / 2, graph.height() / 2].map(f64::from);
    for axis in 0..2 {
        let off = f64::from(position[axis]) - middle[axis] - line.position[axis];
        assert!(off.abs() < 1e-5, "{place}: {position:?}");
    }
    let neighbours = if let Some(level) = level {
        assert_eq!(line.children, line.below.len());
        assert_eq!(numbers(level.children(vertex)), line.below, "{place}");
        level.neighbours(vertex)
    } else {
        let cell = Cell::new(line.below[0] as u16, line.below[1] as u16);
        assert_eq!(graph.cell(vertex), cell, "{place}");
        graph.neighbours(vertex)
    };
    let expected: Vec<usize> = line.neighbours.iter().map(|&(id, _)| id).collect();
    assert_eq!(numbers(neighbours), expected, "{place}");
    for (&neighbour, (_, printed)) in neighbours.iter().zip(&line.neighbours) {
        let weight = hierarchy.weight(graph, line.level, vertex, neighbour);
        assert!(
            is_printed(weight.into(), printed),
            "{place}: {weight}, {printed}"
        );
    }
}

fn check_against(golden: &Path, graph: &Graph, hierarchy: &Hierarchy) {
    let text = std::fs::read_to_string(golden).expect("a readable file");
    let mut levels = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["level", level, "nodes", vertices, "edges", edges] = words[..] {
            assert_eq!(level, levels.to_string());
            let sizes = hierarchy
                .level(levels)
                .map(|level| (level.vertices(), level.edges()));
            let edges_of_map = graph
                .iter()
                .map(|v| graph.neighbours(v).len())
                .sum::<usize>()
                / 2;
            let (n, m) = sizes.unwrap_or((graph.vertices(), edges_of_map));
            assert_eq!([vertices, edges], [n.to_string(), m.to_string()], "{line}");
            levels += 1;
        } else {
            check_line(graph, hierarchy, &Line::parse(line));
        }
    }
    assert_eq!(hierarchy.levels(), levels);
}

#[test]
fn a_hierarchy_is_the_reference_programs_to_the_last_vertex() {
    let Some(folder) = reference("abstraction") else {
        return;
    };
    let goldens = files(&folder.join("golden/abstraction"), "txt");
    assert!(!goldens.is_empty());
    for golden in goldens {
        let name = golden
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name");
        let name = name.trim_start_matches("abs_");
        let map = read_map(&folder.join(format!("maps/bg/{name}.map")));
        let graph = Graph::new(&map, Moves::Octile);
        check_against(&golden, &graph, &Hierarchy::new(&graph));
    }
}

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
        let weight = hierarchy.weight(graph, level, vertex, other);
        assert!(
            weight > 0.0 || weight == 0.0,
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
