//! Costs of paths on the levels of an abstraction, in whole numbers.

use crate::abstraction::AbstractLevel;
use crate::graph::Vertex;
use crate::map::{Cell, Moves};

/// Units of cost: about this many to the width of a vertex on its level.
const UNITS: f32 = 16.0;

/// The cost of an edge of an abstract level, in units that grow with the level.
pub(super) fn edge_cost(network: &AbstractLevel, level: usize, a: Vertex, b: Vertex) -> u32 {
    // Rounded up, so that the least cost stays below.
    least_cost(network, level, a, b) + 1
}

/// A lower bound on the cost between two vertices of an abstract level.
pub(super) fn least_cost(network: &AbstractLevel, level: usize, a: Vertex, b: Vertex) -> u32 {
    (network.weight(a, b) * units(level)) as u32
}

/// The cost of the width of a cell on an abstract level.
pub(super) fn units(level: usize) -> f32 {
    UNITS / (1_u32 << level.min(31)) as f32
}

/// The steps between two cells of a map without walls.
pub(super) fn steps_without_walls(moves: Moves, from: Cell, to: Cell) -> u32 {
    match moves {
        Moves::Octile => from.max_norm(to),
        Moves::Orthogonal => u32::from(from.x.abs_diff(to.x)) + u32::from(from.y.abs_diff(to.y)),
    }
}
