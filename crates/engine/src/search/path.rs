//! Shortest paths between two vertices, by the crate `pathfinding`.

use super::least_steps;
use super::straight::straighten;
use crate::graph::{Graph, Vertex};

/// A shortest path between two vertices, without the first. Empty if they are the same; `None` if there
/// is no path.
///
/// Of equally long paths it is one with few changes of direction. For games that ask for a path. Chasing and fleeing use other searches.
///
/// Cost: A* with the steps on a map without walls as heuristic; linear in the graph if there is no path, or if the map has
/// links.
#[must_use]
pub fn shortest_path(graph: &Graph, from: Vertex, to: Vertex) -> Option<Vec<Vertex>> {
    let goal = graph.cell(to);
    let (mut path, _steps) = pathfinding::directed::astar::astar(
        &from,
        |&vertex| graph.neighbours(vertex).iter().map(|&next| (next, 1)),
        |&vertex| least_steps(graph, graph.cell(vertex), goal),
        |&vertex| vertex == to,
    )?;
    path.remove(0);
    straighten(graph, from, &mut path);
    Some(path)
}
