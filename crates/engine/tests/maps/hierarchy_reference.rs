//! Clique abstractions against those of the reference program.

use crate::common;
use common::{files, read_map, reference};
use pursuit_engine::abstraction::Hierarchy;
use pursuit_engine::graph::{Graph, Network, Vertex};
use pursuit_engine::map::{Cell, Moves};
use std::path::Path;

/// A vertex in the format of a golden file: `N level id parent P nabs K loc X Y (tile X Y | children ..)
/// nbrs id:weight ..`.
struct Line<'a> {
    level: usize,
    id: usize,
    parent: Option<usize>,
    children: usize,
    /// Measured from the middle of the map.
    position: [f64; 2],
    /// The cell of a vertex of the map, or the children of a vertex of a higher level.
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
        // -1 on the top level.
        let parent = next().parse().ok();
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

/// Returns whether the value rounds to the printed figure.
#[expect(clippy::disallowed_methods, reason = "half a unit of a printed digit")]
fn is_printed(value: f64, printed: &str) -> bool {
    let digits = printed
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len());
    let unit = 0.1_f64.powf(digits as f64);
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
    assert_eq!(parent.map(Vertex::index), line.parent, "{place}");
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
    let (mut levels, mut all, mut checked) = (0, 0, 0);
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
            all += n;
        } else {
            check_line(graph, hierarchy, &Line::parse(line));
            checked += 1;
        }
    }
    assert_eq!((hierarchy.levels(), checked), (levels, all));
}

#[test]
fn a_hierarchy_is_the_reference_programs_to_the_last_vertex() {
    let Some(folder) = reference("abstraction") else {
        return;
    };
    for golden in files(&folder.join("golden/abstraction"), "txt") {
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
