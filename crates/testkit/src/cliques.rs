//! A plain implementation of the clique abstraction of the papers' program: sets of four, three, two,
//! one level after the other. With orthogonal moves, the grid is one of pairs, and vertices pair with the nearest one.

use pursuit_engine::graph::Graph;
use pursuit_engine::map::{Cell, Moves};

/// A level: the children and the neighbours of each vertex, in order.
pub struct Plain {
    pub children: Vec<Vec<usize>>,
    pub neighbours: Vec<Vec<usize>>,
}

/// The position of a vertex, and its number of children.
type Place = ([f64; 2], usize);

/// A level being grouped: the graph below, and its groups so far.
struct Groups<'a> {
    neighbours: &'a [Vec<usize>],
    places: &'a [Place],
    moves: Moves,
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

    /// Blocks of the map whose corners are `stride` cells apart, column by column. With orthogonal moves, those of one column
    /// or one row in turn.
    fn blocks(&mut self, stands: &[Vec<Option<usize>>], level: u32) {
        let half = level.div_ceil(2);
        let ([width, height], [dx, dy]) = match self.moves {
            Moves::Octile => ([2, 2], [1 << level; 2]),
            Moves::Orthogonal | Moves::Hexagonal(_) if level.is_multiple_of(2) => {
                ([2, 1], [1 << half; 2])
            }
            Moves::Orthogonal | Moves::Hexagonal(_) => ([1, 2], [1 << half, 1 << (half - 1)]),
            other => panic!("no cliques for {other:?}"),
        };
        for x in (0..stands.len()).step_by(width * dx) {
            for y in (0..stands[0].len()).step_by(height * dy) {
                let offsets = [[0, 0], [1, 0], [0, 1], [1, 1]];
                let offsets = offsets
                    .into_iter()
                    .filter(|&[i, j]| i < width && j < height);
                let corner = |[i, j]: [usize; 2]| *stands.get(x + i * dx)?.get(y + j * dy)?;
                let all: Vec<usize> = offsets.filter_map(corner).collect();
                let pairs =
                    (0..all.len()).all(|i| (0..i).all(|j| self.are_adjacent(all[i], all[j])));
                let is_whole = all.len() == width * height;
                if is_whole && pairs && all.iter().all(|&at| self.parent[at].is_none()) {
                    self.found(&all);
                }
            }
        }
    }

    /// The vertex that another one pairs with.
    fn partner(&self, at: usize) -> Option<usize> {
        let beside = self.neighbours[at].iter().copied();
        let mut free: Vec<usize> = beside.filter(|&to| self.parent[to].is_none()).collect();
        if self.moves != Moves::Octile {
            let ([x, y], _) = self.places[at];
            let distance = |&to: &usize| {
                let ([a, b], _) = self.places[to];
                let [dx, dy] = [a - x, b - y];
                dx * dx + dy * dy
            };
            free.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        }
        free.first().copied()
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
            if let Some(other) = self.partner(at) {
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
    let place = |&at| {
        let Cell { x, y } = graph.cell(at);
        ([x, y].map(f64::from), 1)
    };
    let mut places: Vec<Place> = vertices.iter().map(place).collect();
    let mut levels = Vec::new();
    while !edges.is_empty() {
        let mut groups = Groups {
            neighbours: &neighbours,
            places: &places,
            moves: graph.moves(),
            parent: vec![None; neighbours.len()],
            children: Vec::new(),
        };
        groups.blocks(&stands, levels.len() as u32);
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
        places = children.iter().map(|all| middle(&places, all)).collect();
        levels.push(Plain {
            children,
            neighbours: neighbours.clone(),
        });
        edges = lifted;
    }
    levels
}

/// The mean of the positions of some vertices, each weighted by its number of children.
fn middle(places: &[Place], children: &[usize]) -> Place {
    let all = children.iter().map(|&child| places[child]);
    let weights: f64 = all.clone().map(|(_, count)| count as f64).sum();
    let sum = |axis: usize| -> f64 {
        let parts = all
            .clone()
            .map(|(position, count)| position[axis] * count as f64);
        parts.sum()
    };
    ([sum(0) / weights, sum(1) / weights], children.len())
}
