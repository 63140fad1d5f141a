//! Graphs and maps for tests of tables, as an arena for the crate and as adjacency lists for the oracle.

use crate::hexagons;
use proptest::prelude::*;
use pursuit_engine::game::{Outcome, Rules, Speed, Turns};
use pursuit_engine::graph::{Digraph, Graph, Vertex};
use pursuit_engine::map::{Cell, Moves, Terrain, TileMap};
use pursuit_engine::table::{Arena, Solution, Solver};
use std::num::NonZeroU8;
use std::sync::Arc;

/// More memory than any test needs.
pub const LIMIT: u64 = 8 << 30;

const NEVER: u32 = u32::MAX;

/// A graph in both shapes. The oracle's vertex `i` is `vertices[i]`.
#[derive(Clone)]
pub struct PursuitLevel {
    pub arena: Arc<Arena>,
    pub vertices: Vec<Vertex>,
    pub out: Vec<Vec<usize>>,
}

/// For proptest: the data needed to build the level again.
impl std::fmt::Debug for PursuitLevel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cells = self.arena.cells();
        write!(f, "{:?}, cells {cells:?}", self.out)
    }
}

impl PursuitLevel {
    /// A map, with its adjacency straight from the definition.
    pub fn of_map(map: &TileMap, moves: Moves) -> Self {
        let graph = Graph::new(map, moves);
        let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let number = |cell| cells.binary_search(&cell).expect("a passable cell");
        let mut out = Vec::new();
        for &cell in &cells {
            out.push(near(map, cell, moves).map(number).collect());
        }
        let vertex = |&cell| graph.vertex(cell).expect("a vertex");
        Self {
            arena: Arena::of_map(&graph).into(),
            vertices: cells.iter().map(vertex).collect(),
            out,
        }
    }

    /// A graph with arcs in one or both directions.
    pub fn of_arcs(vertices: usize, arcs: &[(usize, usize)], both_ways: bool) -> Self {
        let mut out = vec![Vec::new(); vertices];
        let back = |&(tail, head): &(usize, usize)| (head, tail);
        let reversed = arcs.iter().map(back).filter(|_| both_ways);
        for (tail, head) in arcs.iter().copied().chain(reversed) {
            if tail != head && !out[tail].contains(&head) {
                out[tail].push(head);
            }
        }
        let edges: Vec<(u32, u32)> = arcs.iter().map(|&(a, b)| (a as u32, b as u32)).collect();
        let make = if both_ways {
            Digraph::undirected
        } else {
            Digraph::directed
        };
        let graph = make(vertices as u32, &edges).expect("edges in place");
        Self {
            arena: Arena::of_digraph(&graph).into(),
            vertices: graph.iter().collect(),
            out,
        }
    }

    pub fn solver(&self, rules: Rules) -> Solver {
        Solver::new(Arc::clone(&self.arena), rules, LIMIT).expect("small enough")
    }

    pub fn solve(&self, rules: Rules) -> Solution {
        let mut solver = self.solver(rules);
        assert!(solver.run(|_| true).done);
        solver.finish().expect("done")
    }

    /// All results of `value`, in the oracle's order: robber + n (cop 1 + n (cop 2 + ...)).
    pub fn all(
        &self,
        cops: usize,
        value: impl Fn(Vertex, &[Vertex]) -> Option<Outcome>,
    ) -> Vec<Option<u32>> {
        let n = self.vertices.len();
        let mut places = vec![Vertex::default(); cops];
        let mut all = Vec::new();
        for code in 0..n.pow(cops as u32) {
            let mut rest = code;
            for place in &mut places {
                *place = self.vertices[rest % n];
                rest /= n;
            }
            for &robber in &self.vertices {
                all.push(turns(value(robber, &places).expect("a position")));
            }
        }
        all
    }

    pub fn values(&self, solution: &Solution) -> Vec<Option<u32>> {
        let cops = solution.rules().cops.get().into();
        self.all(cops, |robber, cops| solution.value(robber, cops))
    }
}

/// The neighbours of a cell from the definition; `common::neighbours` does the same more slowly.
fn near(map: &TileMap, cell: Cell, moves: Moves) -> impl Iterator<Item = Cell> {
    let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
    around.filter_map(move |(dx, dy)| {
        let free = |dx, dy| cell.offset(dx, dy).filter(|&next| map.is_passable(next));
        let straight = dx == 0 || dy == 0;
        let square = moves == Moves::Octile && free(dx, 0).is_some() && free(0, dy).is_some();
        let is_hexagonal = match moves {
            Moves::Hexagonal(layout) => {
                let to = cell.offset(dx, dy);
                to.is_some_and(|to| hexagons::are_beside(layout, cell, to))
            }
            _ => false,
        };
        let itself = dx == 0 && dy == 0;
        free(dx, dy).filter(|_| !itself && (straight || square || is_hexagonal))
    })
}

pub fn turns(outcome: Outcome) -> Option<u32> {
    match outcome {
        Outcome::Caught(Turns(turns)) => Some(turns.into()),
        Outcome::Escapes | Outcome::Away(_) => None,
    }
}

pub fn rules(cops: u8, cop_speed: u8, robber_speed: u8) -> Rules {
    Rules {
        cops: NonZeroU8::new(cops).expect("a cop"),
        cop_speed: Speed::new(cop_speed).expect("a speed"),
        robber_speed: Speed::new(robber_speed).expect("a speed"),
        ..Rules::default()
    }
}

/// The same results as [`super::fixpoint::SlowGame::solve`], fast enough for millions of
/// positions: in each round the robber moves step by step, then one cop after another.
pub fn by_rounds(out: &[Vec<usize>], rules: Rules) -> Vec<Option<u32>> {
    let n = out.len();
    let cops = u32::from(rules.cops.get());
    let ends: Vec<Vec<usize>> = (0..n)
        .map(|from| ball(out, from, rules.cop_speed.steps()))
        .collect();
    let captured = |index: usize| {
        let cop = |cop| index / n.pow(cop) % n;
        (1..=cops).any(|number| cop(number) == index % n)
    };
    let captures: Vec<bool> = (0..n.pow(cops + 1)).map(captured).collect();
    let worth = |&captured: &bool| if captured { 0 } else { NEVER };
    let mut values: Vec<u32> = captures.iter().map(worth).collect();
    loop {
        let mut next = values.clone();
        for _ in 0..rules.robber_speed.steps() {
            next = best(&next, 1, out, u32::max);
            let captures = captures
                .iter()
                .enumerate()
                .filter(|(_, captured)| **captured);
            captures.for_each(|(index, _)| next[index] = 0);
        }
        for cop in 1..=cops {
            next = best(&next, n.pow(cop), &ends, u32::min);
        }
        for (value, captured) in next.iter_mut().zip(&captures) {
            *value = if *captured {
                0
            } else {
                value.saturating_add(1)
            };
        }
        if next == values {
            let finite = |value: u32| (value != NEVER).then_some(value);
            return values.into_iter().map(finite).collect();
        }
        values = next;
    }
}

/// For each position, the best of staying and of the moves of the agent whose places are `stride` apart.
pub fn best(
    values: &[u32],
    stride: usize,
    moves: &[Vec<usize>],
    better: fn(u32, u32) -> u32,
) -> Vec<u32> {
    let of = |index: usize| {
        let place = index / stride % moves.len();
        let base = index - place * stride;
        let moved = moves[place].iter().map(|to| values[base + to * stride]);
        moved.fold(values[index], better)
    };
    (0..values.len()).map(of).collect()
}

/// All vertices within some steps.
pub fn ball(out: &[Vec<usize>], from: usize, steps: u8) -> Vec<usize> {
    let mut all = vec![from];
    for _ in 0..steps {
        let before = all.len();
        let further: Vec<usize> = all.iter().flat_map(|&at| out[at].clone()).collect();
        all.extend(further);
        all.sort_unstable();
        all.dedup();
        if all.len() == before {
            break;
        }
    }
    all
}

/// Random graphs with arcs in one or both directions. The average number of arcs per vertex is drawn,
/// too.
pub fn random_level(
    vertices: impl Strategy<Value = usize>,
    degree: usize,
) -> impl Strategy<Value = PursuitLevel> {
    (vertices, 1..=degree, any::<bool>()).prop_flat_map(|(n, degree, both_ways)| {
        let arcs = prop::collection::vec((0..n, 0..n), 0..=n * degree);
        arcs.prop_map(move |arcs| PursuitLevel::of_arcs(n, &arcs, both_ways))
    })
}

/// Long, narrow maps with at most this number of free cells, which cross the curve that orders the
/// places.
pub fn narrow_map(most: usize) -> impl Strategy<Value = TileMap> {
    (1..=4_u16, 8..=70_u16, any::<bool>()).prop_flat_map(move |(width, length, upright)| {
        let length = length.min(most as u16 / width + 4);
        let walls = prop::collection::vec(prop::bool::weighted(0.15), usize::from(width * length));
        walls.prop_map(move |walls| {
            let (columns, rows) = if upright {
                (width, length)
            } else {
                (length, width)
            };
            let mut map = TileMap::filled(columns, rows, Terrain::Wall).expect("some cells");
            let mut free = 0;
            for (cell, wall) in map.cells().zip(walls) {
                if free == 0 || !wall && free < most {
                    map.set(cell, Terrain::Floor);
                    free += 1;
                }
            }
            map
        })
    })
}
