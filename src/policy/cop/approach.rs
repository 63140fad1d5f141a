use crate::game::Agent;
use crate::graph::Graph;
use crate::map::Cell;
use crate::policy::{Decision, Source};
use crate::search::{Distances, shortest_path};

/// Goes as near to a cell as the walls allow, for a cop that has no way to its robber.
///
/// Near is the maximum norm; of cells that are equally near the one with the shortest way is
/// chosen. Linear in the vertices that the cop can reach.
pub fn approach(graph: &Graph, distances: &mut Distances, cop: Agent, to: Cell) -> Decision {
    distances.measure(graph, cop.at);
    // `reachable` is ordered by distance and `min_by_key` takes the first of equals.
    let nearest = distances
        .reachable()
        .iter()
        .copied()
        .min_by_key(|&vertex| graph.cell(vertex).max_norm(to));
    nearest
        .and_then(|goal| shortest_path(graph, cop.at, goal))
        .map_or(Decision::wait(Source::Greedy), |path| {
            Decision::along(path, cop.speed, Source::Greedy)
        })
}
