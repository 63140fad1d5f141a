//! Tests whether a cop outside a window guards a side of it.

use crate::graph::{Graph, Vertex};
use crate::map::Cell;

/// Returns whether a cop can reach, within `steps` steps, a cell from which each passable cell of `exits` is at
/// most one step away.
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
