//! Shortest paths for errands.

use crate::graph::{Graph, Vertex};

/// A shortest path from `from` to `to`, without `from`: empty if they are the same, `None` if there is
/// none.
///
/// For errands of the game; chasing and fleeing have searches of their own. Cost: A* with the maximum
/// norm as heuristic.
#[must_use]
pub fn shortest_path(graph: &Graph, from: Vertex, to: Vertex) -> Option<Vec<Vertex>> {
    let goal = graph.cell(to);
    let (mut path, _steps) = pathfinding::directed::astar::astar(
        &from,
        |&vertex| graph.neighbours(vertex).iter().map(|&next| (next, 1)),
        |&vertex| graph.cell(vertex).max_norm(goal),
        |&vertex| vertex == to,
    )?;
    path.remove(0);
    Some(path)
}
