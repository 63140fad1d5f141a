//! A plain implementation of the clique abstraction of the papers' program: sets of four, three, two,
//! one level after the other.

use bevy_pursuit::graph::Graph;
use bevy_pursuit::map::Cell;

/// A level: the children and the neighbours of each vertex, in order.
pub struct Plain {
    pub children: Vec<Vec<usize>>,
    pub neighbours: Vec<Vec<usize>>,
}

/// A level being grouped: the graph below, and its groups so far.
struct Groups<'a> {
    neighbours: &'a [Vec<usize>],
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

impl Groups<'_> {
    fn are_adjacent(&self, a: usize, b: usize) -> bool {
        self.neighbours[a].contains(&b)
    }

    fn found(&mut self, members: &[usize]) {
        for &member in members {
            self.parent[member] = Some(self.children.len());
        }
        self.children.push(members.to_vec());
    }

    /// Squares of the map whose corners are `stride` cells apart, column by column.
    fn squares(&mut self, stands: &[Vec<Option<usize>>], stride: usize) {
        for x in (0..stands.len()).step_by(2 * stride) {
            for y in (0..stands[0].len()).step_by(2 * stride) {
                let corner = |x: usize, y: usize| *stands.get(x)?.get(y)?;
                let corners = [
                    corner(x, y),
                    corner(x + stride, y),
                    corner(x, y + stride),
                    corner(x + stride, y + stride),
                ];
                let all: Vec<usize> = corners.into_iter().flatten().collect();
                let pairs =
                    (0..all.len()).all(|i| (0..i).all(|j| self.are_adjacent(all[i], all[j])));
                if all.len() == 4 && pairs && all.iter().all(|&at| self.parent[at].is_none()) {
                    self.found(&all);
                }
            }
        }
    }

    /// The first clique of four that contains a vertex, otherwise of three.
    fn clique(&self, at: usize) -> Option<Vec<usize>> {
        let beside = self.neighbours[at].iter().copied();
        let free: Vec<usize> = beside
            .filter(|&other| self.parent[other].is_none())
            .collect();
        let pairs = (0..free.len()).flat_map(|i| (i + 1..free.len()).map(move |j| (i, j)));
        let pairs = pairs.filter(|&(i, j)| self.are_adjacent(free[i], free[j]));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        for &(i, j) in &pairs {
            let third = (j + 1..free.len()).find(|&k| {
                self.are_adjacent(free[i], free[k]) && self.are_adjacent(free[j], free[k])
            });
            if let Some(k) = third {
                return Some(vec![at, free[i], free[j], free[k]]);
            }
        }
        pairs.first().map(|&(i, j)| vec![at, free[i], free[j]])
    }

    fn rest(&mut self) {
        let mut stack = Vec::new();
        for at in 0..self.neighbours.len() {
            if self.parent[at].is_some() {
                continue;
            }
            match (self.neighbours[at].len() > 1)
                .then(|| self.clique(at))
                .flatten()
            {
                Some(clique) => self.found(&clique),
                None => stack.push(at),
            }
        }
        while let Some(at) = stack.pop() {
            if self.parent[at].is_some() {
                continue;
            }
            let mut beside = self.neighbours[at].iter().copied();
            if let Some(other) = beside.find(|&other| self.parent[other].is_none()) {
                self.found(&[at, other]);
            } else if let [only] = self.neighbours[at][..]
                && let Some(group) = self.parent[only]
            {
                self.parent[at] = Some(group);
                self.children[group].push(at);
            } else {
                self.found(&[at]);
            }
        }
    }
}

/// All levels above the map.
pub fn levels(graph: &Graph) -> Vec<Plain> {
    let vertices: Vec<_> = graph.iter().collect();
    let number = |at| {
        vertices
            .iter()
            .position(|&other| other == at)
            .expect("one of them")
    };
    let own = |&at| graph.neighbours(at).iter().map(|&to| number(to)).collect();
    let mut neighbours: Vec<Vec<usize>> = vertices.iter().map(own).collect();
    // Each edge once, from its end with the higher number.
    let mut edges = Vec::new();
    for (at, beside) in neighbours.iter().enumerate() {
        edges.extend(beside.iter().filter(|&&to| to < at).map(|&to| (at, to)));
    }
    // The vertex that represents each cell.
    let stands = |x| {
        let column = (0..graph.height()).map(move |y| graph.vertex(Cell::new(x, y)).map(number));
        column.collect::<Vec<_>>()
    };
    let mut stands: Vec<Vec<_>> = (0..graph.width()).map(stands).collect();
    let (mut levels, mut stride) = (Vec::new(), 1);
    while !edges.is_empty() {
        let mut groups = Groups {
            neighbours: &neighbours,
            parent: vec![None; neighbours.len()],
            children: Vec::new(),
        };
        groups.squares(&stands, stride);
        groups.rest();
        let Groups {
            parent, children, ..
        } = groups;
        let above = |at: usize| parent[at].expect("a parent");
        let mut lifted: Vec<(usize, usize)> = Vec::new();
        neighbours = vec![Vec::new(); children.len()];
        for &(a, b) in &edges {
            let (a, b) = (above(a), above(b));
            if a != b && !neighbours[a].contains(&b) {
                neighbours[a].push(b);
                neighbours[b].push(a);
                lifted.push((a, b));
            }
        }
        for place in stands.iter_mut().flatten() {
            *place = place.map(above);
        }
        levels.push(Plain {
            children,
            neighbours: neighbours.clone(),
        });
        (edges, stride) = (lifted, 2 * stride);
    }
    levels
}
