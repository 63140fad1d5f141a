//! Costs of paths on the levels of an abstraction, in whole numbers.

use crate::abstraction::AbstractLevel;
use crate::graph::{Graph, Vertex};
use crate::map::{Cell, Moves};

/// The cost, in units, of about the width of a vertex on its level.
const UNITS: f32 = 16.0;

/// The cost of an edge of an abstract level, in units that grow with the level.
pub(super) fn edge_cost(network: &AbstractLevel, level: usize, a: Vertex, b: Vertex) -> u32 {
    // Rounded up, so that `least_cost` remains a lower bound.
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

/// The steps between two places on a map without walls, rounded up, at a cost of `step` each.
pub(super) fn edge_steps(moves: Moves, [a, b]: [[f32; 2]; 2], step: f32) -> u32 {
    let [dx, dy] = [0, 1].map(|axis| (a[axis] - b[axis]).abs());
    let steps = match moves {
        Moves::Octile => dx.max(dy),
        Moves::Orthogonal => dx + dy,
        Moves::Hexagonal(layout) => layout.about_steps(a[0] - b[0], a[1] - b[1]),
    };
    (steps * step) as u32 + 1
}

/// The number of steps between two cells on a map without walls.
pub(crate) fn steps_without_walls(moves: Moves, from: Cell, to: Cell) -> u32 {
    match moves {
        Moves::Octile => from.max_norm(to),
        Moves::Orthogonal => u32::from(from.x.abs_diff(to.x)) + u32::from(from.y.abs_diff(to.y)),
        Moves::Hexagonal(layout) => layout.steps(from, to),
    }
}

/// A lower bound on the number of steps between two cells: 0 on a map with links, which may lead anywhere.
pub(crate) fn least_steps(graph: &Graph, from: Cell, to: Cell) -> u32 {
    if graph.has_links() {
        0
    } else {
        steps_without_walls(graph.moves(), from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abstraction::Hierarchy;
    use crate::graph::{Graph, Network as _};
    use crate::map::{Terrain, TileMap};
    use crate::search::Dice;

    #[test]
    fn a_cost_is_a_length_in_sixteenths_of_a_vertex_and_estimates_stay_below() {
        let dice = &mut Dice::new(1);
        let mut map = TileMap::filled(40, 40, Terrain::Floor).expect("some cells");
        for cell in map.cells() {
            if dice.below(100) < 20 {
                map.set(cell, Terrain::Wall);
            }
        }
        let graph = Graph::new(&map, Moves::Octile);
        let hierarchy = Hierarchy::new(&graph);
        assert!(hierarchy.levels() > 3);
        for level in 1..hierarchy.levels() {
            let network = hierarchy.level(level).expect("a level");
            assert!((units(level) * (1 << level) as f32 - 16.0).abs() < f32::EPSILON);
            let all: Vec<Vertex> = network.iter().collect();
            for &a in &all {
                for &b in network.neighbours(a) {
                    let ([ax, ay], [bx, by]) = (network.position(a), network.position(b));
                    let (dx, dy) = ((ax - bx).abs(), (ay - by).abs());
                    let cells = dx.max(dy) + (std::f32::consts::SQRT_2 - 1.0) * dx.min(dy);
                    let exact = cells * 16.0 / (1 << level) as f32;
                    let cost = edge_cost(network, level, a, b);
                    assert!(exact < cost as f32 && cost as f32 <= exact + 1.001);
                    let goal = dice.pick(&all).expect("a vertex");
                    let falls = least_cost(network, level, a, goal);
                    assert!(falls <= cost + least_cost(network, level, b, goal));
                }
            }
        }
    }

    #[test]
    fn without_walls_octile_steps_are_the_longer_side_and_orthogonal_ones_both() {
        let steps = |moves| steps_without_walls(moves, Cell::new(9, 2), Cell::new(4, 5));
        assert_eq!((steps(Moves::Octile), steps(Moves::Orthogonal)), (5, 8));
    }
}
