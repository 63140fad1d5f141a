//! An oracle for hierarchies: checks the definition, for built, repaired and restored ones.

use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::graph::{Graph, Network as _, Vertex};
use pursuit_engine::map::Cell;
use std::collections::BTreeSet;

/// A listing of every level, vertex by vertex.
pub fn listing(hierarchy: &Hierarchy) -> Vec<Vec<(Vertex, Vec<Vertex>, Vec<Vertex>)>> {
    let levels = (1..hierarchy.levels()).filter_map(|level| hierarchy.level(level));
    let all = levels.map(|level| {
        let line = |v| (v, level.children(v).to_vec(), level.neighbours(v).to_vec());
        level.iter().map(line).collect()
    });
    all.collect()
}

/// Checks all conditions of a valid hierarchy, built or repaired.
pub fn check(graph: &Graph, hierarchy: &Hierarchy) {
    assert_eq!(hierarchy.fingerprint(), graph.fingerprint());
    for level in 0..hierarchy.levels() {
        check_parents(graph, hierarchy, level);
    }
    // All higher positions are computed from these.
    for vertex in graph.iter() {
        let cell = graph.cell(vertex);
        let place = hierarchy.position(graph, 0, vertex).map(f32::to_bits);
        assert_eq!(hierarchy.bounds(graph, 0, vertex), (cell, cell));
        assert_eq!(place, [cell.x, cell.y].map(|at| f32::from(at).to_bits()));
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
        None => graph.joined(vertex),
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
                rim.extend(graph.joined(vertex));
            }
        }
    }
    part
}

/// Every vertex has one parent, which lists it as a child, except on the top level, which has no edges.
fn check_parents(graph: &Graph, hierarchy: &Hierarchy, level: usize) {
    let slots = hierarchy
        .level(level)
        .map_or(graph.slots(), pursuit_engine::graph::Network::slots);
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

/// The children are a clique with pendants, and no vertex is alone unnecessarily.
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

/// The edges are exactly those between the parents of adjacent vertices.
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
