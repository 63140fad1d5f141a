//! Sides of a window that a cop outside guards.

use crate::graph::{Graph, Vertex};
use crate::map::Cell;

/// Returns whether a cop can be, within `steps` steps, where it reaches each of the passable cells in one more
/// step or none.
pub(super) fn can_guard(graph: &Graph, cop: Cell, steps: u8, exits: &[Cell]) -> bool {
    let Some(start) = graph.vertex(cop) else {
        return false;
    };
    let exits: Vec<Vertex> = exits
        .iter()
        .filter_map(|&exit| graph.vertex(exit))
        .collect();
    let mut reached = vec![start];
    let mut next = 0;
    for step in 0..=steps {
        let end = reached.len();
        for index in next..end {
            let at = reached[index];
            let near = |&exit: &Vertex| exit == at || graph.are_adjacent(at, exit);
            if exits.iter().all(near) {
                return true;
            }
            if step < steps {
                for &vertex in graph.neighbours(at) {
                    if !reached.contains(&vertex) {
                        reached.push(vertex);
                    }
                }
            }
        }
        next = end;
    }
    false
}
